package planner

import (
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestRewrite holds testdata/rewrite: a statement as Postgres has it, and the
// same for DuckDB.
func TestRewrite(t *testing.T) {
	datadriven.RunTest(t, "testdata/rewrite", func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		s, err := Parse(d.Input)
		if err != nil {
			return showError(err) + "\n"
		}
		edits := NewEdits(s.SQL)
		if err := s.rewritePostgres(edits, NewPGCatalog()); err != nil {
			return showError(err) + "\n"
		}
		if edits.Empty() {
			return "unchanged\n"
		}
		return edits.Apply().SQL + "\n"
	})
}

func FuzzRewrite(f *testing.F) {
	f.Add("select a ~ b / c, '{1}'::int[], generate_series(1,2) from (select count(*)) x")
	f.Add("select case when a then b / end from (values (1)) v for update of")
	f.Fuzz(func(t *testing.T, sql string) {
		s, err := Parse(sql)
		if err != nil {
			return
		}
		edits := NewEdits(sql)
		if err := s.rewritePostgres(edits, NewPGCatalog()); err != nil {
			return
		}
		r := edits.Apply()
		for i := range len(r.SQL) {
			if at := r.SourceOffset(i); at < 0 || at > len(sql) {
				t.Fatalf("offset %d of %q comes from %d of %q", i, r.SQL, at, sql)
			}
		}
		_, _ = OutputNames(sql)
		_, _ = s.SessionizeCalls()
		_, _ = s.AtClauses()
	})
}
