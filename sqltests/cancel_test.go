package sqltests

import (
	"context"
	"testing"
	"time"
)

const endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b"

// A CancelRequest ends the statement that runs, and nothing else.
func TestCancel(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView)
	for _, sql := range []string{
		endless,
		"INSERT INTO events SELECT i, 'a', '2026-10-06 09:00:00+00', 1 FROM range(1000000000) a(i), range(1000000000) b",
		"CREATE TABLE big AS " + endless,
	} {
		timer := time.AfterFunc(200*time.Millisecond, func() { _ = conn.PgConn().CancelRequest(context.Background()) })
		began := time.Now()
		_, err := conn.Exec(context.Background(), sql)
		timer.Stop()
		wantState(t, err, "57014", "user request")
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: cancelled after %s", sql, took)
		}
	}
	if n := scalar[int64](t, conn, "SELECT count(*) FROM events"); n != 0 {
		t.Errorf("%d rows of a cancelled INSERT", n)
	}
}

// statement_timeout does the same by the clock.
func TestStatementTimeout(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, "SET statement_timeout = '200ms'")
	_, err := conn.Exec(t.Context(), endless)
	wantState(t, err, "57014", "statement timeout")
	must(t, conn, "SELECT 1")
}

// The first rows of a large result come at once, and a reader may stop.
func TestRowsStream(t *testing.T) {
	conn := serve(t).connect(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	reader := conn.PgConn().ExecParams(ctx, "SELECT i, i * 2, 'row ' || i FROM range(10000000000) r(i)", nil, nil, nil, nil)
	for range 100_000 {
		if !reader.NextRow() {
			_, err := reader.Close()
			t.Fatalf("no more rows: %v", describe(err))
		}
	}
	if err := conn.PgConn().CancelRequest(ctx); err != nil {
		t.Fatal(err)
	}
	_, err := reader.Close()
	wantState(t, err, "57014", "")
	must(t, conn, "SELECT 1")
}
