package catalog

import "testing"

// TestVariant compares the JSON of every type in a VARIANT with that of the
// type itself.
func TestVariant(t *testing.T) {
	c := testConn(t)
	for _, s := range sampleTypes() {
		for _, literal := range []string{s.a, s.b} {
			checkVariant(t, c, "CAST("+literal+" AS "+s.typ+")", s.typ)
		}
	}
	for value, want := range map[string]string{
		"{'a': [1, 2.5, NULL], 'b': {'c': 'text', 'd': DATE '2024-01-01'}, 'e': true}": `{"a":[1.0,2.5,null],"b":{"c":"text","d":"2024-01-01"},"e":true}`,
		"[{'a': 1}, {'a': 2}]": `[{"a":1},{"a":2}]`,
		"NULL":                 "null",
		"repeat('x', 300)":     `"` + string(repeated('x', 300)) + `"`,
	} {
		if got := variantJSON(t, c, value); !sameJSON(t, got, want) {
			t.Errorf("%s: %s", value, got)
		}
	}
}

func repeated(b byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = b
	}
	return out
}

// variantJSON has more rows than the value's, so that offsets matter.
func variantJSON(t *testing.T, c *Conn, value string) string {
	t.Helper()
	rows, err := c.Query(t.Context(), "SELECT v FROM (SELECT 0, {'other': ['row', 'x']}::VARIANT UNION ALL SELECT 1, ("+value+")::VARIANT) t(k, v) ORDER BY k")
	if err != nil {
		t.Fatal(value, err)
	}
	defer rows.Close()
	chunk, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(value, err)
	}
	return string(chunk.Col(0).AppendJSON(nil, 1))
}

func checkVariant(t *testing.T, c *Conn, value, typ string) {
	t.Helper()
	switch typ {
	case "JSON", "MAP(VARCHAR, INTEGER)", "MAP(INTEGER, DOUBLE[])", `UNION("num" INTEGER, "str" VARCHAR)`:
		return // a VARIANT has them as other types
	}
	rows, err := c.Query(t.Context(), "SELECT "+value)
	if err != nil {
		t.Fatal(value, err)
	}
	chunk, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(value, err)
	}
	want := string(chunk.Col(0).AppendJSON(nil, 0))
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if got := variantJSON(t, c, value); got != want {
		t.Errorf("%s: %s, want %s", value, got, want)
	}
}
