package catalog

import (
	"errors"
	"strings"
	"testing"
)

// What goes into a function and comes out of it, row by row.
func TestFunctions(t *testing.T) {
	db := testDB(t)
	conn := connect(t, db)
	text := Simple(TypeVarchar)
	functions := []Function{
		{
			Name: "joined", Params: []Type{ListType(text), text}, Result: text,
			Call: func(a []any) (any, error) {
				list, _ := a[0].([]any)
				parts := make([]string, len(list))
				for i, p := range list {
					parts[i], _ = p.(string)
				}
				separator, _ := a[1].(string)
				return strings.Join(parts, separator), nil
			},
		},
		{
			Name: "doubled", Params: []Type{Simple(TypeBigInt)}, Result: Simple(TypeBigInt),
			Call: func(a []any) (any, error) {
				n, _ := a[0].(int64)
				switch n {
				case -1:
					return nil, errors.New("[22003] too little")
				case -2:
					panic("far too little")
				case 7:
					return nil, nil //nolint:nilnil // NULL
				}
				return 2 * n, nil
			},
		},
		{
			Name: "is_null", Params: []Type{Simple(TypeInterval)}, Result: Simple(TypeBoolean), Nulls: true,
			Call: func(a []any) (any, error) { return a[0] == nil, nil },
		},
	}
	if err := db.Register(t.Context(), functions); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ sql, want string }{
		{"SELECT joined(['a', NULL, 'a text of more than twelve bytes'], '-')", "a--a text of more than twelve bytes"},
		{"SELECT coalesce(joined(NULL, '-'), 'none')", "none"},
		{"SELECT sum(doubled(i))::VARCHAR FROM range(100000) t(i)", "9999899986"}, // all but 2 · 7
		{"SELECT (is_null(NULL) AND NOT is_null(INTERVAL 1 DAY))::VARCHAR", "true"},
	} {
		var got string
		if err := conn.QueryRow(t.Context(), c.sql, nil, &got); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.sql, got, err, c.want)
		}
	}
	for sql, want := range map[string]string{"SELECT doubled(-1)": "[22003] too little", "SELECT doubled(-2)": "[XX000] far too little"} {
		if _, err := conn.Exec(t.Context(), sql); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", sql, err, want)
		}
	}
}
