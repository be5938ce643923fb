package sqltests

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// wantState fails the test unless err carries a SQLSTATE and says a text.
func wantState(t *testing.T, err error, code, part string) {
	t.Helper()
	var failure *pgconn.PgError
	if !errors.As(err, &failure) || failure.Code != code {
		t.Fatalf("error %v, want SQLSTATE %s", err, code)
	}
	if text := failure.Message + failure.Detail + failure.Hint; !strings.Contains(text, part) {
		t.Errorf("the error does not say %q: %v", part, describe(failure))
	}
}

// writersServer has a table with a view, and two connections.
func writersServer(t *testing.T) (s *server, a, b *pgx.Conn) {
	t.Helper()
	s = serve(t)
	a, b = s.connect(t), s.connect(t)
	must(t, a, historyTable, historyView)
	return s, a, b
}

const oneEvent = "INSERT INTO events VALUES (1, 'a', '2026-10-06 09:00:00+00', 1)"

// A second writer waits for the first, within lock_timeout; the error names
// the holder. Readers never wait.
func TestWriterWaits(t *testing.T) {
	_, holder, waiter := writersServer(t)
	must(t, holder, "BEGIN", oneEvent)
	must(t, waiter, "SET lock_timeout = '100ms'")
	if n := scalar[int64](t, waiter, "SELECT count(*) FROM s"); n != 0 {
		t.Errorf("%d sessions are visible before the commit", n)
	}
	_, err := waiter.Exec(t.Context(), oneEvent)
	wantState(t, err, "55P03", "tester")
	must(t, waiter, "SET lock_timeout = 0")
	done := make(chan error, 1)
	go func() {
		_, err := waiter.Exec(context.Background(), "INSERT INTO events VALUES (2, 'a', '2026-10-06 09:05:00+00', 10)")
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("the second writer did not wait: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	must(t, holder, "COMMIT")
	if err := <-done; err != nil {
		t.Fatal(describe(err))
	}
	if n := scalar[int64](t, holder, "SELECT event_count FROM s"); n != 2 {
		t.Errorf("%d events in the session, want 2", n)
	}
}

// Temporary tables take no lock.
func TestTemporaryTablesTakeNoLock(t *testing.T) {
	_, a, b := writersServer(t)
	must(t, a, "BEGIN", "CREATE TEMP TABLE mine (a int)", "INSERT INTO mine VALUES (1)")
	must(t, b, "SET lock_timeout = '100ms'", oneEvent)
	must(t, a, "COMMIT")
}

// A holder that idles is ended, and its work undone.
func TestIdleHolderIsEnded(t *testing.T) {
	_, holder, other := writersServer(t)
	must(t, holder, "SET idle_in_transaction_session_timeout = '200ms'", "BEGIN", oneEvent)
	must(t, other, "SET lock_timeout = '10s'", "INSERT INTO events VALUES (2, 'b', '2026-10-06 09:05:00+00', 10)")
	if n := scalar[int64](t, other, "SELECT count(*) FROM events"); n != 1 {
		t.Errorf("%d rows, want the one of the second writer", n)
	}
	if _, err := holder.Exec(t.Context(), "COMMIT"); err == nil {
		t.Error("the idle holder could still commit")
	}
}

// A client that vanishes gives the lock back.
func TestLostClientGivesTheLockBack(t *testing.T) {
	_, holder, other := writersServer(t)
	must(t, holder, "BEGIN", oneEvent)
	_ = holder.PgConn().Conn().Close()
	must(t, other, "SET lock_timeout = '5s'", "INSERT INTO events VALUES (2, 'b', '2026-10-06 09:05:00+00', 10)")
	if n := scalar[int64](t, other, "SELECT count(*) FROM events"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

// Many writers of one account at a time lose nothing, and readers beside them
// always see the view agree with its source.
func TestConcurrentWriters(t *testing.T) {
	s, conn, reader := writersServer(t)
	const writers, commits = 6, 20
	var group sync.WaitGroup
	failures := make(chan error, writers)
	for w := range writers {
		c := s.connect(t)
		group.Go(func() {
			for i := range commits {
				id, at := w*commits+i, clock((i*writers+w)*400)
				if _, err := c.Exec(context.Background(), "INSERT INTO events VALUES ($1, 'a', $2::timestamptz, 1)", id, at); err != nil {
					failures <- describe(err)
					return
				}
			}
		})
	}
	finished := make(chan struct{})
	go func() { group.Wait(); close(finished) }()
	for open := true; open; {
		select {
		case <-finished:
			open = false
		default:
		}
		pair := "SELECT (SELECT count(*) FROM events) - (SELECT coalesce(sum(event_count), 0) FROM s)::bigint"
		if n := scalar[int64](t, reader, pair); n != 0 {
			t.Errorf("a reader saw %d events that no session counts", n)
		}
	}
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	if n := scalar[int64](t, conn, "SELECT sum(event_count)::bigint FROM s"); n != writers*commits {
		t.Errorf("%d events counted, want %d", n, writers*commits)
	}
	historyOracle().check(t, conn)
	wantVerified(t, conn, "s")
}
