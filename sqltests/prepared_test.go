package sqltests

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// SESSIONIZE in a prepared statement takes parameters wherever a value stands,
// its gap too.
func TestPreparedSessionize(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable,
		`INSERT INTO events VALUES (1, 'a', '2026-10-06 09:00:00+00', 74), (2, 'a', '2026-10-06 09:22:00+00', 51), (3, 'b', '2026-10-06 09:00:00+00', 1)`)
	const query = `SELECT count(*) FROM SESSIONIZE(
		(SELECT event_id, account_id, event_at, amount FROM events WHERE account_id = $1 AND event_at >= $2), key => account_id, gap => $3)`
	description, err := conn.Prepare(t.Context(), "sessions", query)
	if err != nil {
		t.Fatal(describe(err))
	}
	if got := fmt.Sprint(description.ParamOIDs[:2]); got != fmt.Sprint([]uint32{pgtype.TextOID, pgtype.TimestamptzOID}) {
		t.Errorf("parameters %v", description.ParamOIDs)
	}
	for _, test := range []struct {
		account, gap string
		from         time.Time
		want         int64
	}{
		{"a", "11 min", time.Unix(0, 0), 2},
		{"a", "22 min", time.Unix(0, 0), 1},
		{"a", "22 min", time.Date(2026, 10, 6, 9, 1, 0, 0, time.UTC), 1},
		{"c", "11 min", time.Unix(0, 0), 0},
	} {
		if got := scalar[int64](t, conn, "sessions", test.account, test.from, test.gap); got != test.want {
			t.Errorf("%v: %d sessions, want %d", test, got, test.want)
		}
	}
	if _, err := conn.Exec(t.Context(), "sessions", "a", time.Unix(0, 0), "1 month"); err == nil {
		t.Error("a month is no fixed length of time, and was accepted as a parameter")
	} else {
		wantState(t, err, "22023", "month")
	}
}

// Describing a statement does not run it.
func TestDescribeDoesNotExecute(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable)
	if _, err := conn.Prepare(t.Context(), "insert", "INSERT INTO events VALUES ($1, $2, $3, $4) RETURNING event_id"); err != nil {
		t.Fatal(describe(err))
	}
	if n := scalar[int64](t, conn, "SELECT count(*) FROM events"); n != 0 {
		t.Errorf("%d rows after Describe", n)
	}
}

// A portal with a row limit goes on where it stopped, and survives other
// statements of its transaction.
func TestRowLimitedPortal(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, "BEGIN", "DECLARE c CURSOR FOR SELECT i FROM range(10) r(i) ORDER BY i")
	for _, want := range []int{4, 4, 2, 0} {
		rows, err := conn.Query(t.Context(), "FETCH 4 FROM c")
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			t.Fatal(describe(err))
		}
		if len(got) != want {
			t.Errorf("FETCH 4 returned %v, want %d rows", got, want)
		}
		must(t, conn, "SELECT 1")
	}
	must(t, conn, "CLOSE c", "COMMIT")
}

// pgx's own COPY is the binary format.
func TestBinaryCopy(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView)
	rows := [][]any{
		{int64(1), "a", time.Date(2026, 10, 6, 9, 0, 0, 0, time.UTC), int64(74)},
		{int64(2), "a", time.Date(2026, 10, 6, 9, 11, 0, 0, time.UTC), nil},
	}
	n, err := conn.CopyFrom(t.Context(), pgx.Identifier{"events"}, []string{"event_id", "account_id", "event_at", "amount"}, pgx.CopyFromRows(rows))
	if err != nil || n != 2 {
		t.Fatalf("%d rows: %v", n, describe(err))
	}
	if got := scalar[int64](t, conn, "SELECT event_count FROM s"); got != 2 {
		t.Errorf("%d events counted, want 2", got)
	}
}

// A prepared statement of any kind runs again and again. (DuckDB itself dies
// of a division by zero when a prepared CREATE TABLE AS is executed twice.)
func TestPreparedAgain(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView)
	for i, sql := range []string{
		"CREATE OR REPLACE TABLE copied AS SELECT * FROM events",
		"CREATE TEMP TABLE IF NOT EXISTS mine AS SELECT * FROM events",
		"CREATE OR REPLACE VIEW plain AS SELECT * FROM events",
		"INSERT INTO events VALUES (1, 'a', '2026-10-06 09:00:00+00', 1)",
		"UPDATE events SET amount = amount + 1",
		`MERGE INTO events USING (VALUES (1)) AS n(id) ON events.event_id = n.id WHEN MATCHED THEN UPDATE SET amount = 5`,
		"INSERT INTO events SELECT event_id + 1, account_id, event_at, amount FROM events",
		"SELECT * FROM s",
		"SELECT * FROM SESSIONIZE(events, gap => '11 min')",
		"DELETE FROM events",
		"TRUNCATE events",
		"REFRESH MATERIALIZED VIEW s",
		"SELECT * FROM sessiondb.verify('s')",
		"BEGIN", "SELECT 1", "ROLLBACK",
	} {
		name := fmt.Sprint("again", i)
		if _, err := conn.Prepare(t.Context(), name, sql); err != nil {
			t.Errorf("preparing %s: %v", sql, describe(err))
			continue
		}
		for run := range 3 {
			if _, err := conn.Exec(t.Context(), name); err != nil && sql != "BEGIN" {
				t.Errorf("%s, run %d: %v", sql, run+1, describe(err))
			}
		}
	}
}

// A prepared INSERT maintains the view at each of its runs, whatever the types
// of its parameters.
func TestPreparedInsertMaintains(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, "CREATE TABLE events (event_id bigint, account_id bigint, event_at timestamptz, amount numeric(12,2))",
		`CREATE MATERIALIZED VIEW s AS SELECT * FROM SESSIONIZE(events, key => account_id, event_time => event_at, id => event_id,
			gap => '11 min', amount => sum(amount))`)
	for i := range 5 {
		at := time.Date(2026, 10, 6, 9, i, 0, 0, time.UTC)
		tag, err := conn.Exec(t.Context(), "INSERT INTO events VALUES ($1, $2, $3, $4::numeric)", int64(i), int64(7), at, "9.50")
		if err != nil || tag.String() != "INSERT 0 1" {
			t.Fatalf("%s: %v", tag, describe(err))
		}
		if n := scalar[int64](t, conn, "SELECT event_count FROM s"); n != int64(i+1) {
			t.Fatalf("%d events counted after %d INSERTs", n, i+1)
		}
	}
	wantVerified(t, conn, "s")
}

// The procedures and replay take their arguments as parameters, in the types
// that the client sends.
func TestParametersOfProcedures(t *testing.T) {
	ctx, conn := t.Context(), serve(t).connect(t)
	must(t, conn,
		"CREATE TABLE events (event_id int, account_id text, event_at timestamptz, part text)",
		"CREATE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, key => account_id, event_time => event_at, id => event_id, partition => part, gap => '10 min', lateness => '1 hour')",
	)
	at := time.Date(2026, 10, 6, 9, 0, 0, 0, time.UTC)
	run := func(sql string, args ...any) string {
		t.Helper()
		tag, err := conn.Exec(ctx, sql, args...)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return tag.String()
	}
	run("INSERT INTO events VALUES ($1, $2, $3, $4)", 1, "a", at, "p")
	for _, call := range []struct {
		sql  string
		args []any
	}{
		{"CALL sessiondb.advance_watermark('visits', $1)", []any{at.Add(3 * time.Hour)}},
		{"CALL sessiondb.advance_watermark($1, $2, $3)", []any{"visits", at.Add(4 * time.Hour), "p"}},
		{"CALL sessiondb.advance_watermark('visits', $1::timestamptz + interval '1 hour')", []any{at.Add(4 * time.Hour)}},
		{"CALL sessiondb.mark_idle($1, $2)", []any{"visits", "p"}},
	} {
		if tag := run(call.sql, call.args...); tag != "CALL" {
			t.Errorf("%s: %s", call.sql, tag)
		}
	}
	run("INSERT INTO events VALUES (2, 'a', $1, 'p'), (3, 'b', $1, 'p'), (4, 'c', $2, 'p')", at.Add(time.Minute), at.Add(2*time.Minute))
	for _, replay := range []struct {
		sql    string
		args   []any
		events int
	}{
		{"SELECT events FROM sessiondb.replay('visits', key => $1)", []any{"b"}, 1},
		{"SELECT events FROM sessiondb.replay('visits', \"from\" => $1, \"to\" => $2)", []any{at.Add(2 * time.Minute), at.Add(time.Hour)}, 1},
		{"SELECT events FROM sessiondb.replay('visits') WHERE events > $1", []any{0}, 1},
	} {
		var events int
		if err := conn.QueryRow(ctx, replay.sql, replay.args...).Scan(&events); err != nil || events != replay.events {
			t.Errorf("%s: %d events, %v", replay.sql, events, err)
		}
	}
	_, err := conn.Exec(ctx, "SELECT * FROM sessiondb.replay('visits', key => $1) WHERE events > $2", "a", 0)
	if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Code != "0A000" || e.Hint == "" {
		t.Errorf("parameters beside those of replay: %v", err)
	}
}

// EXPLAIN of a SESSIONIZE with parameters says what the contract is.
func TestExplainTakesParameters(t *testing.T) {
	ctx, conn := t.Context(), serve(t).connect(t)
	must(t, conn, historyTable)
	rows, err := conn.Query(ctx, "EXPLAIN SELECT * FROM SESSIONIZE(events, key => account_id, gap => $1) WHERE account_id = $2", "11 min", "a")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(lines) < 5 {
		t.Errorf("%q, %v", lines, err)
	}
}

// A prepared statement means the relations that its names have when it runs. One
// whose columns would be others then is an error, as in Postgres.
func TestPreparedOutlivesWhatItReads(t *testing.T) {
	conn := serve(t).connect(t)
	view := func(arguments string) string {
		return "CREATE OR REPLACE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, key => account_id, id => event_id, " + arguments + ")"
	}
	must(t, conn, historyTable, view("gap => '11 min', amount => sum(amount)"),
		`INSERT INTO events VALUES (1, 'a', '2026-10-06 09:00:00+00', 74), (2, 'a', '2026-10-06 09:20:00+00', 51)`)
	prepare := func(queries map[string]string) {
		for name, query := range queries {
			if _, err := conn.Prepare(t.Context(), name, query); err != nil {
				t.Fatal(name, describe(err))
			}
		}
	}
	counts := map[string]string{
		"differences": "SELECT count(*) FROM sessiondb.verify('visits')",
		"then":        "SELECT count(*) FROM visits AT (TIMESTAMP => now())",
		"now":         "SELECT count(*) FROM visits WHERE account_id = 'a'",
		"stated":      "SELECT count(*) FROM SESSIONIZE(events, key => account_id)",
		"kept":        "INSERT INTO log SELECT count(*) FROM visits AT (TIMESTAMP => now()) RETURNING n",
	}
	must(t, conn, "CREATE TABLE log (n bigint)", "ALTER TABLE events SET (session_gap = '11 min')")
	prepare(counts)
	for _, test := range []struct {
		change string
		want   int64
	}{
		{"SELECT 1", 2},
		{"ALTER MATERIALIZED VIEW visits SET (gap = '20 min')", 1},
		{view("gap => '11 min'"), 2},
		{view("gap => '20 min', n => count(*)"), 1},
	} {
		must(t, conn, test.change)
		gap := map[int64]string{1: "20 min", 2: "11 min"}[test.want]
		must(t, conn, "ALTER TABLE events SET (session_gap = '"+gap+"')")
		for name := range counts {
			want := test.want
			if name == "differences" {
				want = 0
			}
			if got := scalar[int64](t, conn, name); got != want {
				t.Errorf("%s after %s: %d, want %d", name, test.change, got, want)
			}
		}
	}

	all := map[string]string{
		"verified": "SELECT * FROM sessiondb.verify('visits')",
		"past":     "SELECT * FROM visits AT (TIMESTAMP => now())",
		"view":     "SELECT * FROM visits",
		"key":      "SELECT * FROM visits WHERE account_id = 'a'",
		"computed": "SELECT * FROM SESSIONIZE(events, key => account_id)",
		"table":    "SELECT * FROM events",
		"inserted": "INSERT INTO events (event_id, account_id, event_at) SELECT 3, 'c', now() RETURNING *",
		"updated":  "UPDATE events SET amount = 1 RETURNING *",
		"deleted":  "DELETE FROM events RETURNING *",
	}
	prepare(all)
	must(t, conn, "ALTER TABLE events ADD COLUMN price bigint", view("gap => '20 min', cents => count(*)"))
	for name := range all {
		_, err := conn.Exec(t.Context(), name)
		if err == nil {
			t.Errorf("%s answers other columns than it was prepared with", name)
			continue
		}
		wantState(t, err, "0A000", "cached plan must not change result type")
	}
	must(t, conn, "DROP MATERIALIZED VIEW visits")
	_, err := conn.Exec(t.Context(), "differences")
	wantState(t, err, "42P01", "visits")
}
