package planner

import (
	"context"
	"testing"

	"github.com/sessiondb/sessiondb/catalog"
)

func TestRetypeSums(t *testing.T) {
	table := &fakeTable{columns: []catalog.Column{
		{Name: "i", Type: catalog.Simple(catalog.TypeInteger)}, {Name: "b", Type: catalog.Simple(catalog.TypeBigInt)},
	}}
	describe := func(_ context.Context, query string) ([]catalog.Column, error) {
		cols := table.describe(query)
		for i, c := range cols { // any_value(i), with what follows it
			if c.Name == "any_value" || c.Name == "total" {
				cols[i].Type = catalog.Simple(catalog.TypeInteger)
			}
		}
		return cols, nil
	}
	for sql, want := range map[string]string{
		"select sum(i) from t": "select CAST(sum(i) AS BIGINT) from t",
		"select i, sum(i) filter (where i > 1) over w as total from t": "select i, CAST(sum(i) filter (where i > 1) over w AS BIGINT) as total from t",
		"select sum(i) + 1, sum(i)::int, abs(sum(i)), * from t":        "select sum(i) + 1, sum(i)::int, abs(sum(i)), * from t",
		"select *, sum(i) from t":                                      "select *, sum(i) from t",
		"select b from t":                                              "select b from t",
	} {
		s, err := Parse(sql)
		if err != nil {
			t.Fatal(err)
		}
		edits := NewEdits(sql)
		s.retypeSums(t.Context(), edits, describe)
		if got := edits.Apply().SQL; got != want {
			t.Errorf("%s:\n%s, want\n%s", sql, got, want)
		}
	}
}
