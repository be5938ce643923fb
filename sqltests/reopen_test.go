package sqltests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// DuckDB 1.5.6 declares a database invalid when a plan of this statement runs
// for the second time. It reads a table of its own.
const (
	invalidatingTable = "CREATE TABLE IF NOT EXISTS a AS SELECT i % 10 AS k, i AS t FROM range(100) AS r(i)"
	invalidating      = "SELECT count(*) FROM a WHERE NOT EXISTS (SELECT 1 FROM a AS x ASOF JOIN a AS y ON x.k = y.k AND x.t >= y.t WHERE x.k = a.k)"
)

// invalidate makes the database fail, and checks what the client is told.
func invalidate(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	must(t, conn, "PREPARE it AS "+invalidating, "EXECUTE it")
	_, err := conn.Exec(t.Context(), "EXECUTE it")
	wantLast(t, err, "XX000")
}

// wantLast checks the fatal error that ended a connection.
func wantLast(t *testing.T, err error, code string) {
	t.Helper()
	if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Severity != "FATAL" || e.Code != code || e.Detail == "" || e.Hint == "" {
		t.Errorf("the connection ended in %v, want a FATAL %s", describe(err), code)
	}
}

// connectSoon connects to a server that may be opening its database.
func connectSoon(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		conn, err := pgx.Connect(t.Context(), url)
		if err == nil {
			t.Cleanup(func() { _ = conn.Close(context.Background()) })
			return conn
		}
		if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Code != "57P03" || time.Since(began) > 20*time.Second {
			t.Fatal(describe(err))
		}
	}
}

// A statement after which DuckDB declares the database invalid ends every
// connection, and costs nothing that is committed: the server opens the file
// again by itself, as often as that happens.
func TestReopens(t *testing.T) {
	path := databasePath(t)
	p := startProcess(t, path)
	must(t, connectTo(t, p.url), historyTable, historyView, invalidatingTable)
	const rounds, rows = 2, 100
	for round := range rounds {
		culprit, writer, reader, waiter := connectSoon(t, p.url), connectSoon(t, p.url), connectSoon(t, p.url), connectSoon(t, p.url)
		must(t, culprit, fmt.Sprintf("INSERT INTO events SELECT %d + i, 'k' || i %% 3, TIMESTAMPTZ '2026-10-06 09:00:00+00' + i * INTERVAL '5 min', i FROM range(%d) AS t(i)", round*rows, rows))
		must(t, writer, "BEGIN", "INSERT INTO events VALUES (-1, 'k1', '2026-10-06 09:01:00+00', 1)")
		ends := make(chan error)
		go func() {
			_, err := reader.Exec(context.Background(), endless)
			ends <- err
		}()
		for _, idle := range []*pgx.Conn{writer, waiter} {
			go func() {
				_, err := idle.WaitForNotification(context.Background())
				ends <- err
			}()
		}
		invalidate(t, culprit)
		for range 3 {
			wantLast(t, <-ends, "57P02")
		}
		conn := connectSoon(t, p.url)
		want := rows*(round+1) + round
		if got := scalar[int](t, conn, "SELECT count(*)::int FROM events"); got != want {
			t.Errorf("%d rows are there, not %d", got, want)
		}
		must(t, conn, fmt.Sprintf("INSERT INTO events VALUES (%d, 'k1', '2026-10-06 10:01:00+00', 1)", -2-round))
		wantVerified(t, conn, "s")
	}
	if code := p.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d (%v), want 0", code, p.cmd.ProcessState)
	}
	log := p.stderr.String()
	for _, part := range []string{`level=ERROR msg="DuckDB has declared the database invalid"`, "ASOF JOIN", "the database is open again"} {
		if n := strings.Count(log, part); n != rounds {
			t.Errorf("the log says %q %d times, not %d:\n%s", part, n, rounds, log)
		}
	}
	if _, err := os.Stat(path + ".wal"); err == nil {
		t.Error("the stop left a write-ahead log, so it did not checkpoint")
	}
}

// TestReopensUnderCommits makes the database fail in the middle of a stream of
// commits, as TestKill kills the process.
func TestReopensUnderCommits(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(*firstSet), 1))
	p := startProcess(t, databasePath(t))
	must(t, connectTo(t, p.url),
		"CREATE TABLE events (batch int, event_id bigint, account_id text, event_at timestamptz, amount bigint)",
		historyView, invalidatingTable)
	acknowledged := 0
	for round := range *kills {
		writer, culprit := connectSoon(t, p.url), connectSoon(t, p.url)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for commitBatch(writer, acknowledged+1, random) == nil {
				acknowledged++
			}
		}()
		time.Sleep(time.Duration(50+100*round) * time.Millisecond)
		invalidate(t, culprit)
		<-ended
		conn := connectSoon(t, p.url)
		there := scalar[int](t, conn, "SELECT coalesce(max(batch), 0)::int FROM events")
		t.Logf("round %d: %d commits acknowledged, %d there", round+1, acknowledged, there)
		if rows := scalar[int](t, conn, "SELECT count(*)::int FROM events"); there < acknowledged || there > acknowledged+1 || rows != there*batchRows {
			t.Fatalf("%d commits of %d rows are there, %d were acknowledged", there, rows, acknowledged)
		}
		historyOracle().check(t, conn)
		wantVerified(t, conn, "s")
		acknowledged = there
	}
	if acknowledged == 0 {
		t.Error("nothing was committed: the test saw nothing")
	}
	if code := p.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d (%v), want 0:\n%s", code, p.cmd.ProcessState, p.stderr)
	}
}

// A database that cannot be opened again ends the process, and so does one that
// was in memory: nobody is served an empty one.
func TestReopenFails(t *testing.T) {
	file := databasePath(t)
	for _, test := range []struct {
		name, path, want string
		before           func() error
	}{
		{"another file", file, file + ": the file is not a DuckDB database", func() error {
			return errors.Join(os.Rename(file, file+".away"), os.WriteFile(file, bytes.Repeat([]byte("not a database\n"), 1000), 0o600))
		}},
		{"in memory", ":memory:", "in memory", func() error { return nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := startProcess(t, test.path)
			conn := connectTo(t, p.url)
			must(t, conn, invalidatingTable)
			if err := test.before(); err != nil {
				t.Fatal(err)
			}
			invalidate(t, conn)
			watchdog := time.AfterFunc(30*time.Second, func() { _ = p.cmd.Process.Kill() })
			defer watchdog.Stop()
			_ = p.cmd.Wait()
			lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
			if last := lines[len(lines)-1]; p.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(last, test.want) {
				t.Errorf("the process ended with %v, and said:\n%s", p.cmd.ProcessState, p.stderr)
			}
		})
	}
}
