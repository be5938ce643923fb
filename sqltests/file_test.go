package sqltests

import (
	"database/sql"
	"testing"
)

// otherProgram runs statements on a file with DuckDB's own driver.
func otherProgram(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// A DuckDB file made elsewhere is served as it is.
func TestFileMadeElsewhere(t *testing.T) {
	path := databasePath(t)
	otherProgram(t, path,
		"CREATE TABLE events (event_id BIGINT, account_id VARCHAR, event_at TIMESTAMPTZ, amount BIGINT)",
		"INSERT INTO events VALUES (1, 'a', '2026-10-06 09:00:00+00', 74), (2, 'a', '2026-10-06 09:22:00+00', 51)",
		"CREATE SCHEMA other", "CREATE TABLE other.t (a INT)", "CREATE TYPE mood AS ENUM ('calm', 'busy')")
	conn := serveAgain(t, path).connect(t)
	must(t, conn, historyView, "INSERT INTO events VALUES (3, 'a', '2026-10-06 09:11:00+00', 9)", "INSERT INTO other.t VALUES (1)")
	if n := scalar[int64](t, conn, "SELECT amount::bigint FROM s"); n != 134 {
		t.Errorf("amount %d, want 134", n)
	}
}

// A source that another program changed while the server was stopped is
// noticed: the view says so instead of going on from a state that is wrong.
func TestSourceChangedElsewhere(t *testing.T) {
	path := databasePath(t)
	s := startServer(t, path)
	conn := s.connect(t)
	must(t, conn, historyTable, historyView, "INSERT INTO events VALUES (1, 'a', '2026-10-06 09:00:00+00', 74)")
	_ = conn.Close(t.Context())
	s.stop(t)
	otherProgram(t, path, "INSERT INTO events VALUES (2, 'a', TIMESTAMPTZ '2026-10-06 09:05:00+00', 9)")
	conn = serveAgain(t, path).connect(t)
	if n := scalar[int64](t, conn, "SELECT amount::bigint FROM s WHERE account_id = 'a'"); n != 74 {
		t.Errorf("amount %d of a suspended view, want 74", n)
	}
	must(t, conn, "REFRESH MATERIALIZED VIEW s", "INSERT INTO events VALUES (3, 'a', '2026-10-06 09:08:00+00', 1)")
	if n := scalar[int64](t, conn, "SELECT amount::bigint FROM s"); n != 84 {
		t.Errorf("amount %d after the REFRESH, want 84", n)
	}
	wantVerified(t, conn, "s")
}
