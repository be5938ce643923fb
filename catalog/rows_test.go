package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"reflect"
	"testing"
)

func chunks(rows *Rows) iter.Seq2[*Chunk, error] {
	return func(yield func(*Chunk, error) bool) {
		for {
			chunk, err := rows.Next(context.Background())
			if errors.Is(err, io.EOF) || !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}

// sampleTypes are all types of columns, each with two values.
func sampleTypes() []struct{ typ, a, b string } {
	return []struct{ typ, a, b string }{
		{"BOOLEAN", "true", "false"},
		{"TINYINT", "-128", "127"},
		{"SMALLINT", "-32768", "32767"},
		{"INTEGER", "-2147483648", "2147483647"},
		{"BIGINT", "-9223372036854775808", "9223372036854775807"},
		{"HUGEINT", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"},
		{"UTINYINT", "0", "255"},
		{"USMALLINT", "0", "65535"},
		{"UINTEGER", "0", "4294967295"},
		{"UBIGINT", "0", "18446744073709551615"},
		{"UHUGEINT", "0", "340282366920938463463374607431768211455"},
		{"BIGNUM", "-123456789012345678901234567890123456789012345678901234567890", "0"},
		{"BIGNUM", "255", "-256"},
		{"DECIMAL(4,1)", "-999.9", "0.1"},
		{"DECIMAL(9,2)", "-1234567.89", "0.05"},
		{"DECIMAL(18,6)", "-123456789012.345678", "0"},
		{"DECIMAL(38,10)", "-1234567890123456789012345678.0123456789", "99999"},
		{"FLOAT", "1.5", "-3.25"},
		{"DOUBLE", "0.1", "'nan'"},
		{"DOUBLE", "1e16", "'-inf'"},
		{"VARCHAR", "'short'", "'longer than twelve bytes: é ü 漢字'"},
		{"VARCHAR", "''", "repeat('x', 5000)"},
		{"BLOB", `'\x00\xFF'`, `'\x01longer than twelve bytes'`},
		{"BIT", "'101'", "'0101010101010101010101'"},
		{"UUID", "'00000000-0000-0000-0000-000000000001'", "'f50e8400-e29b-41d4-a716-446655440000'"},
		{"DATE", "'2024-02-29'", "'infinity'"},
		{"DATE", "'0044-03-15 (BC)'", "'9999-12-31'"},
		{"TIME", "'00:00:00'", "'23:59:59.999999'"},
		{"TIME_NS", "'00:00:00.000000001'", "'23:59:59.999999999'"},
		{"TIME WITH TIME ZONE", "'01:02:03+05:30'", "'23:59:59.5-15:59'"},
		{"TIMESTAMP", "'1969-12-31 23:59:59.999999'", "'-infinity'"},
		{"TIMESTAMP_S", "'2024-01-01 00:00:01'", "'1900-01-01 00:00:00'"},
		{"TIMESTAMP_MS", "'2024-01-01 00:00:00.123'", "'infinity'"},
		{"TIMESTAMP_NS", "'2024-01-01 00:00:00.123456789'", "'1969-12-31 23:59:59.999999999'"},
		{"TIMESTAMP WITH TIME ZONE", "'2024-01-01 00:00:00.5+00'", "'infinity'"},
		{"INTERVAL", "'1 year 2 months 3 days 04:05:06.5'", "'-1 month -100:00:01'"},
		{"INTERVAL", "'0 s'", "'1 day'"},
		{"JSON", `'{"a": [1, null]}'`, `'"text"'`},
		{"ENUM('one', 'two', 'it''s three')", "'one'", "'it''s three'"},
		{"INTEGER[]", "[1, NULL, 3]", "[]"},
		{"VARCHAR[]", "['a', NULL, 'longer than twelve bytes']", "['']"},
		{"UUID[]", "['f50e8400-e29b-41d4-a716-446655440000']", "[NULL]"},
		{"INTEGER[][]", "[[1], [], NULL, [2, 3]]", "[[NULL]]"},
		{"INTEGER[3]", "[1, NULL, 3]", "[4, 5, 6]"},
		{"STRUCT(\"a\" INTEGER, \"B c\" VARCHAR)", "{'a': 1, 'B c': 'x'}", "{'a': NULL, 'B c': 'longer than twelve bytes'}"},
		{`STRUCT("a" INTEGER[], "s" STRUCT("d" DATE))[]`, "[{'a': [1, 2], 's': {'d': DATE '2024-01-01'}}, NULL]", "[]"},
		{"MAP(VARCHAR, INTEGER)", "MAP {'k': 1, 'l': NULL}", "MAP {}"},
		{"MAP(INTEGER, DOUBLE[])", "MAP {1: [0.5]}", "MAP {2: NULL}"},
		{`UNION("num" INTEGER, "str" VARCHAR)`, "union_value(num := 1)", "union_value(str := 'longer than twelve bytes')"},
	}
}

// TestRoundTrip sends each type through every layer: a table's column to a
// chunk, to a column set, through a feed to another table, which must be equal
// to the first.
func TestRoundTrip(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	for _, s := range sampleTypes() {
		t.Run(s.typ, func(t *testing.T) { roundTrip(t, db, c, s.typ, s.a, s.b) })
	}
}

func roundTrip(t *testing.T, db *DB, c *Conn, typ, a, b string) {
	t.Helper()
	mustExec(t, c, "CREATE OR REPLACE TABLE t (i INTEGER, v "+typ+")")
	mustExec(t, c, "CREATE OR REPLACE TABLE u (i INTEGER, v "+typ+")")
	// More rows than a chunk has, with NULLs, so that offsets into the second
	// chunk matter.
	mustExec(t, c, "INSERT INTO t SELECT 3 * i + k, v FROM range(1667) r(i), (SELECT 0, CAST("+a+" AS "+typ+") UNION ALL SELECT 1, CAST("+b+
		" AS "+typ+") UNION ALL SELECT 2, NULL) AS s(k, v)")
	rows, err := c.Query(t.Context(), "SELECT * FROM t ORDER BY i")
	if err != nil {
		t.Fatal(err)
	}
	if got := rows.Columns()[1].Type.Name; got != typ {
		t.Errorf("the column's type is %s", got)
	}
	types := []Type{rows.Columns()[0].Type, rows.Columns()[1].Type}
	set := NewColumns(types)
	for chunk, err := range chunks(rows) {
		if err != nil {
			t.Fatal(err)
		}
		set.AppendChunk(chunk)
	}
	feed, err := db.AcquireFeed(types)
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Release()
	feed.Set(set)
	if n := mustExec(t, c, "INSERT INTO u SELECT c0, c1 FROM "+feed.SQL()); n != 5001 {
		t.Errorf("%d rows were inserted", n)
	}
	diff := values(t, c, "SELECT count(*) FROM t FULL JOIN u ON t.i = u.i WHERE t.v IS DISTINCT FROM u.v OR t.i IS NULL OR u.i IS NULL")
	if diff[0][0] != int64(0) {
		t.Errorf("%v rows differ: %v", diff[0][0], values(t, c, "SELECT t.v::VARCHAR, u.v::VARCHAR FROM t FULL JOIN u ON t.i = u.i WHERE t.v IS DISTINCT FROM u.v LIMIT 3"))
	}
}

// TestValue has each Go type that Value returns.
func TestValue(t *testing.T) {
	c := testConn(t)
	integer := Simple(TypeInteger)
	for value, want := range map[string]any{
		"true": true, "-1::TINYINT": int64(-1), "-1::SMALLINT": int64(-1), "-1::INTEGER": int64(-1), "-1::BIGINT": int64(-1),
		"255::UTINYINT": int64(255), "65535::USMALLINT": int64(65535), "4294967295::UINTEGER": int64(4294967295), "1::UBIGINT": uint64(1),
		"-1::HUGEINT": Int128{Lo: 1<<64 - 1, Hi: -1}, "1::UHUGEINT": NumericText("1"), "1::BIGNUM": NumericText("1"), "-1.50": NumericText("-1.50"),
		"0.5::FLOAT": float32(0.5), "0.5::DOUBLE": 0.5, "'x'": "x", "'b'::ENUM('a', 'b')": "b", "'\\x00'::BLOB": []byte{0}, "'101'::BIT": BitString("101"),
		"'00000000-0000-0000-0000-000000000001'::UUID": UUID{15: 1}, "DATE '1970-01-02'": Date(1), "TIME '00:00:01'": Time(1e6),
		"'00:00:01'::TIME_NS": TimeNS(1e9), "'00:00:01+01'::TIMETZ": TimeTZ{Micros: 1e6, Offset: 3600}, "'1970-01-01 00:00:01'::TIMESTAMP": Timestamp(1e6),
		"'1970-01-01 00:00:01'::TIMESTAMP_S": Timestamp(1e6), "'1970-01-01 00:00:01'::TIMESTAMP_MS": Timestamp(1e6),
		"'1970-01-01 00:00:01'::TIMESTAMP_NS": TimestampNS(1e9), "'1970-01-01 00:00:01+00'::TIMESTAMPTZ": TimestampTZ(1e6),
		"INTERVAL '1 month 2 days 3 seconds'": Interval{Months: 1, Days: 2, Micros: 3e6},
		"[1, NULL]":                           List{Elem: integer, Items: []any{int64(1), nil}},
		"[1, 2]::INTEGER[2]":                  List{Elem: integer, Items: []any{int64(1), int64(2)}},
		"MAP {'k': 1}":                        Map{{Key: "k", Value: int64(1)}},
		"{'a': 1, 'b': NULL}":                 Struct{{Name: "a", Value: int64(1)}, {Name: "b"}},
		"union_value(u := 1)":                 Union{Member: "u", Value: int64(1)},
		"{'a': 1}::VARIANT":                   `{"a":1}`,
	} {
		var got any
		if err := c.QueryRow(t.Context(), "SELECT "+value, nil, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v, want %#v", value, got, err, want)
		}
	}
}

// TestTextAndJSON compares the rendering of each type with DuckDB's own.
func TestTextAndJSON(t *testing.T) {
	c := testConn(t)
	for _, s := range sampleTypes() {
		for _, literal := range []string{s.a, s.b, "NULL"} {
			if literal == "'nan'" || literal == "'-inf'" {
				continue // JSON has no such number; see TestJSONOfWhatJSONLacks
			}
			checkRendering(t, c, "CAST("+literal+" AS "+s.typ+")")
		}
	}
	checkRendering(t, c, "'a\"b\\c\n\t\x01é'")
	checkRendering(t, c, "1e-5")
}

func checkRendering(t *testing.T, c *Conn, value string) {
	t.Helper()
	rows, err := c.Query(t.Context(), "SELECT v, v::VARCHAR, to_json(v)::VARCHAR FROM (SELECT "+value+" AS v)")
	if err != nil {
		t.Fatal(value, err)
	}
	defer rows.Close()
	chunk, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(value, err)
	}
	v := chunk.Col(0)
	if got, want := string(v.AppendText(nil, 0)), chunk.Col(1).Strings()[0]; got != want && !v.Type.Nested() {
		t.Errorf("%s as text: %s, want %s", value, got, want)
	}
	got, want := string(v.AppendJSON(nil, 0)), chunk.Col(2).Strings()[0]
	if v.IsNull(0) {
		want = "null"
	}
	if !sameJSON(t, got, want) {
		t.Errorf("%s as JSON: %s, want %s", value, got, want)
	}
}

// sameJSON leaves out how numbers and spaces are written.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(a, b, err)
	}
	return reflect.DeepEqual(x, y)
}

// TestJSONOfWhatJSONLacks has what DuckDB writes as no JSON, or as an object
// of fields with equal names.
func TestJSONOfWhatJSONLacks(t *testing.T) {
	c := testConn(t)
	rows, err := c.Query(t.Context(), "SELECT ['nan'::DOUBLE, 'inf', '-inf', 1e-5, 1e16], (1, 'a'), [1.5::FLOAT]")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	chunk, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`["NaN","Infinity","-Infinity",1e-05,1e+16]`, `{"f1":1,"f2":"a"}`, `[1.5]`} {
		if got := string(chunk.Col(i).AppendJSON(nil, 0)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestNestedVectors reads nested values that DuckDB computes in vectors of all
// kinds (flat, constant, dictionary, sequence): Vector knows flat ones only.
func TestNestedVectors(t *testing.T) {
	c := testConn(t)
	mustExec(t, c, "CREATE TABLE t AS SELECT i, i % 7 AS k, 'name ' || i % 3 AS s, [i, i + 1] AS l, {'x': i, 'y': ['deep ' || i % 5]} AS st FROM range(2500) r(i)")
	for _, value := range []string{
		"[s, s]", "[l, NULL, l]", "{'a': l, 'b': st}", "list_reverse(l)", "list_filter(l, x -> x % 2 = 0)", "list_transform(l, x -> [x, k])",
		"[1, 2]", "[[1], NULL]", "{'a': [1], 'b': s}", "[s for x in [1, 2]]", "MAP {s: l}", "MAP {'a': st}", "[st.y, st.y]", "l[1:1]",
		"union_value(u := l)", "array_value(s, s)", "list_sort(l, 'DESC')", "CASE WHEN k = 1 THEN l END", "CASE WHEN k = 1 THEN st ELSE NULL END",
		"coalesce(CASE WHEN k < 3 THEN l END, [])", "st", "[st, st]", "string_split(s, ' ')", "[[[s]]]", "flatten([l, l])",
		"{'x': {'y': {'z': [k]}}}", "(SELECT list(x) FROM (SELECT unnest(l) AS x))", "[i]", "list_value(NULL, s)",
	} {
		for _, from := range []string{
			"t", "t WHERE k IN (1, 5)", "t ORDER BY s, i DESC", "t JOIN (VALUES (1), (2), (3)) j(k) USING (k)",
			"(SELECT *, unnest(l) AS u FROM t) t", "(FROM t LIMIT 2200 OFFSET 100) t",
		} {
			checkNested(t, c, "SELECT v, to_json(v)::VARCHAR FROM (SELECT "+value+" AS v FROM "+from+")")
		}
	}
	checkNested(t, c, "SELECT v, to_json(v)::VARCHAR FROM (SELECT list(st ORDER BY i) AS v FROM t GROUP BY s)")
	checkNested(t, c, "SELECT v, to_json(v)::VARCHAR FROM (SELECT (SELECT list({'a': s}) FROM t) AS v FROM range(5000))")
	checkNested(t, c, "SELECT v, to_json(v)::VARCHAR FROM (SELECT list(l) OVER (ORDER BY i ROWS 2 PRECEDING) AS v FROM t)")
}

func checkNested(t *testing.T, c *Conn, sql string) {
	t.Helper()
	rows, err := c.Query(t.Context(), sql)
	if err != nil {
		t.Errorf("%s: %v", sql, err)
		return
	}
	defer rows.Close()
	for chunk, err := range chunks(rows) {
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			return
		}
		for i := range chunk.Rows() {
			got, want := string(chunk.Col(0).AppendJSON(nil, i)), chunk.Col(1).Strings()[i]
			if got != want && (got != "null" || !chunk.Col(1).IsNull(i)) {
				t.Errorf("%s, row %d: %s, want %s", sql, i, got, want)
				return
			}
		}
	}
}
