package sqltests

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A lookup of given keys in a large view reads the revisions of these keys, and
// those that were published since it was planned; any other query scans.
func TestLookupNamesItsRows(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, "CREATE TABLE events (event_id bigint, account_id text, event_at timestamptz)",
		"INSERT INTO events SELECT i, 'a' || i, '2026-10-06 09:00:00+00' FROM range(130000) t(i)",
		"CREATE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, gap => '11 min')")
	for _, test := range []struct {
		query string
		named bool
		args  []any
	}{
		{"SELECT count(*) FROM visits WHERE account_id = 'a7'", true, nil},
		{"SELECT count(*) FROM visits WHERE account_id = $1", true, []any{"a7"}},
		{"SELECT count(*) FROM visits v WHERE v.account_id IN ('a7', $1)", true, []any{"nobody"}},
		{"SELECT count(*) FROM visits WHERE account_id > 'a7'", false, nil},
	} {
		rows, err := conn.Query(t.Context(), "EXPLAIN "+test.query, test.args...)
		if err != nil {
			t.Fatal(describe(err))
		}
		plan, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (text string, err error) {
			return text, row.Scan(nil, &text)
		})
		if err != nil {
			t.Fatal(describe(err))
		}
		if named := strings.Contains(strings.Join(plan, "\n"), "((seq IN ("); named != test.named {
			t.Errorf("%s: named %t\n%s", test.query, named, plan)
		}
	}
}
