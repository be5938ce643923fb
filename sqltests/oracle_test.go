package sqltests

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// windowQuery cuts rows of (key, id, at, amount) into sessions with nothing
// but DuckDB's window functions: the oracle. Rows that are equal in all four
// columns are one event.
const windowQuery = `
	WITH unique_events AS (SELECT DISTINCT %[1]s AS k, %[2]s AS id, epoch_us(%[3]s) AS t, %[4]s AS amount FROM %[5]s),
	marked AS (SELECT *, CASE WHEN t - lag(t) OVER (PARTITION BY k ORDER BY t, id) <= %[6]d THEN 0 ELSE 1 END AS first FROM unique_events),
	numbered AS (SELECT *, sum(first) OVER (PARTITION BY k ORDER BY t, id ROWS UNBOUNDED PRECEDING) AS n FROM marked)
	SELECT k, min(t) AS t0, max(t) AS t1, count(*) AS c, CAST(sum(amount) AS HUGEINT) AS a FROM numbered GROUP BY k, n`

// An oracle compares a maintained view with the window query over its source.
type oracle struct {
	view, source         string
	key, id, at, measure string // columns of both, but for id
	gapMicros            int64
}

func (o oracle) window() string {
	return fmt.Sprintf(windowQuery, o.key, o.id, o.at, o.measure, o.source, o.gapMicros)
}

func (o oracle) current() string {
	return fmt.Sprintf(`SELECT %s AS k, epoch_us(session_start) AS t0, epoch_us(session_end) AS t1, event_count AS c,
		CAST(%s AS HUGEINT) AS a FROM %s`, o.key, o.measure, o.view)
}

// check fails the test if the view's current rows are not the window query's,
// or if its changelog does not sum to them.
func (o oracle) check(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	if n := scalar[int64](t, conn, "SELECT count(*) FROM ("+differences(o.window(), o.current())+") d"); n != 0 {
		t.Fatalf("the view and the window query differ in %d rows, as %s", n, o.sample(t, conn))
	}
	sums := fmt.Sprintf(`SELECT CAST(coalesce((SELECT sum(%[1]s) FROM %[2]s), 0) - coalesce((SELECT sum(%[1]s * weight) FROM %[2]s_changes), 0) AS text)`,
		o.measure, o.view)
	if n := scalar[string](t, conn, sums); n != "0" {
		t.Fatalf("the changelog's sum is %s less than the current rows'", n)
	}
}

func differences(a, b string) string {
	return fmt.Sprintf("((%[1]s) EXCEPT ALL (%[2]s)) UNION ALL ((%[2]s) EXCEPT ALL (%[1]s))", a, b)
}

func (o oracle) sample(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	var text string
	for _, side := range []struct{ name, a, b string }{{"only the window query", o.window(), o.current()}, {"only the view", o.current(), o.window()}} {
		rows, err := conn.Query(t.Context(), fmt.Sprintf("(%s) EXCEPT ALL (%s) ORDER BY k, t0 LIMIT 5", side.a, side.b))
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("\n  %s has %v", side.name, values)
		}
		rows.Close()
	}
	return text
}
