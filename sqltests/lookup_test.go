package sqltests

import (
	"strings"
	"testing"
	"time"

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
		if plan := explain(t, conn, test.query, test.args...); namesRows(plan) != test.named {
			t.Errorf("%s: named %t\n%s", test.query, !test.named, plan)
		}
	}
}

// The first lookup of sessions that have left memory has them indexed.
func TestLookupOfFinalSessions(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, "CREATE TABLE events (event_id bigint, account_id text, event_at timestamptz)",
		"INSERT INTO events SELECT i, 'a' || i % 1000, '2026-10-06 09:00:00+00'::timestamptz + to_minutes(i) FROM range(130000) t(i)",
		"CREATE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, gap => '11 min', lateness => '1 hour')")
	const query = "SELECT count(*) FROM visits WHERE account_id = 'a7'"
	deadline := time.Now().Add(30 * time.Second)
	for plan := explain(t, conn, query); !namesRows(plan); plan = explain(t, conn, query) {
		if time.Now().After(deadline) {
			t.Fatalf("%s scans:\n%s", query, plan)
		}
		time.Sleep(20 * time.Millisecond)
	}
	must(t, conn, "INSERT INTO events SELECT 130000 + i, 'a7', '2027-01-05 00:00:00+00'::timestamptz + to_hours(i) FROM range(300) t(i)")
	var indexed, scanned int64
	if err := conn.QueryRow(t.Context(), query).Scan(&indexed); err != nil {
		t.Fatal(describe(err))
	}
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM visits WHERE account_id >= 'a7' AND account_id <= 'a7'").Scan(&scanned); err != nil {
		t.Fatal(describe(err))
	}
	if indexed != 430 || scanned != indexed {
		t.Errorf("a lookup finds %d sessions, a scan %d, of 430", indexed, scanned)
	}
}

// explain returns the plan of a query.
func explain(t *testing.T, conn *pgx.Conn, query string, args ...any) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), "EXPLAIN "+query, args...)
	if err != nil {
		t.Fatal(describe(err))
	}
	plan, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (text string, err error) {
		return text, row.Scan(nil, &text)
	})
	if err != nil {
		t.Fatal(describe(err))
	}
	return strings.Join(plan, "\n")
}

// namesRows reports whether a plan names the revisions that it reads, and not by
// an OR, with which DuckDB skips no row group.
func namesRows(plan string) bool {
	return strings.Contains(plan, "seq>=") && !strings.Contains(plan, "(seq >=")
}
