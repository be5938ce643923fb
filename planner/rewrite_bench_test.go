package planner

import (
	"strings"
	"testing"
)

// A long INSERT must cost no more to read and rewrite than to send.
func BenchmarkRewriteInsert(b *testing.B) {
	row := "('ev-1234567', 'account-17', TIMESTAMPTZ '2026-10-06 09:00:00+00', 12.5, 'https://example.org/a'), "
	sql := "INSERT INTO public.events VALUES " + strings.TrimSuffix(strings.Repeat(row, 10_000), ", ")
	b.SetBytes(int64(len(sql)))
	c := NewPGCatalog()
	for b.Loop() {
		rewriteText(b, sql, c)
	}
}

func BenchmarkRewriteQuery(b *testing.B) {
	const sql = "SELECT account_id, count(*), sum(amount) AS total FROM events WHERE event_at > $1 AND url LIKE '/a%' GROUP BY 1 ORDER BY 2 DESC LIMIT 10"
	c := NewPGCatalog()
	for b.Loop() {
		rewriteText(b, sql, c)
	}
}

func rewriteText(b *testing.B, sql string, c *PGCatalog) {
	b.Helper()
	s, err := Parse(sql)
	if err != nil {
		b.Fatal(err)
	}
	edits := NewEdits(sql)
	if err := s.rewritePostgres(edits, c); err != nil {
		b.Fatal(err)
	}
	edits.Apply()
}
