package planner

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestOutputNames holds testdata/names, whose answers are those of Postgres 15.
func TestOutputNames(t *testing.T) {
	datadriven.RunTest(t, "testdata/names", func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		names, ok := OutputNames(d.Input)
		if !ok {
			return "unknown\n"
		}
		text, err := json.Marshal(names)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	})
}

func TestOutputNamesAroundStar(t *testing.T) {
	cases := []struct {
		sql  string
		n    int
		want []string
	}{
		{"select *, count(*) from t", 3, []string{"", "", "count"}},
		{"select 1, t.*, lower(s) from t", 4, []string{"?column?", "", "", "lower"}},
		{"select 1, * from t", 1, []string{"?column?"}},
		{"select a.*, b.* from a, b", 2, []string{"", ""}},
		{"select 1, 2", 3, []string{"", "", ""}},
		{"from t", 1, []string{""}},
		{"insert into t values (1) returning i + 1, s as x", 2, []string{"?column?", "x"}},
		{"with x as (select 1) delete from t returning *", 2, []string{"", ""}},
	}
	for _, c := range cases {
		s, err := Parse(c.sql)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.outputNames(c.n); !slices.Equal(got, c.want) {
			t.Errorf("outputNames(%q, %d) = %q, want %q", c.sql, c.n, got, c.want)
		}
	}
}
