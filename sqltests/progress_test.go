package sqltests

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A client hears, while it waits, that a build, a REFRESH, an ALTER and a
// replay go on, and nothing where it asked for warnings only.
func TestLongStatementsReportProgress(t *testing.T) {
	s := &server{path: databasePath(t), progressEvery: 5 * time.Millisecond}
	s.start(t)
	t.Cleanup(func() { s.stop(t) })
	config, err := pgconn.ParseConfig(s.url())
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { heard = append(heard, n.Message) }
	conn, err := pgconn.ConnectConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	run := func(sql string) []string {
		t.Helper()
		heard = nil
		if _, err := conn.Exec(context.Background(), sql).ReadAll(); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return heard
	}
	run("CREATE TABLE events (event_id bigint, account_id bigint, event_at timestamptz)")
	run("INSERT INTO events SELECT i, i % 1000, timestamptz '2026-10-06 00:00:00+00' + i * interval '1 second' FROM generate_series(1, 100000) AS t(i)")
	const create = "CREATE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, key => account_id, event_time => event_at, id => event_id, gap => '11 min', lateness => '1 h')"
	for _, step := range []struct{ sql, says string }{
		{create, "CREATE MATERIALIZED VIEW visits goes on after "},
		{"REFRESH MATERIALIZED VIEW visits", "REFRESH MATERIALIZED VIEW visits goes on after "},
		{"ALTER MATERIALIZED VIEW visits SET (gap = '12 min')", "ALTER MATERIALIZED VIEW visits goes on after "},
		{"INSERT INTO events SELECT -i, i, timestamptz '2026-10-06 00:00:00+00' FROM generate_series(1, 20000) AS t(i)", ""},
		{"SELECT * FROM sessiondb.replay('visits')", "the replay of visits goes on after "},
	} {
		said := strings.Join(run(step.sql), "\n")
		if !strings.Contains(said, step.says) {
			t.Errorf("%s: heard %q", step.sql, said)
		}
	}
	run("SET client_min_messages = warning")
	if said := run("REFRESH MATERIALIZED VIEW visits"); len(said) > 0 {
		t.Errorf("heard %q", said)
	}
}
