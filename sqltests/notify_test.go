package sqltests

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// LISTEN on a view: one notification for each commit that published, with its
// number and the counts, and none for the others.
func TestListenToAView(t *testing.T) {
	s, writer, listener := writersServer(t)
	elsewhere := s.connect(t)
	must(t, listener, "LISTEN s")
	must(t, elsewhere, "LISTEN s", "UNLISTEN s")
	must(t, writer, oneEvent)
	wantNote(t, listener, lastCommit(t, writer), 1, 0)
	must(t, writer,
		"BEGIN", "INSERT INTO events VALUES (2, 'a', '2026-10-06 12:00:00+00', 1)", "ROLLBACK", // never happened
		"UPDATE events SET amount = amount",                               // publishes nothing
		"CREATE TABLE others (a int)",                                     // is none of the view's
		"CALL sessiondb.advance_watermark('s', '2026-10-06 09:01:00+00')", // moves time only
		"BEGIN",
		"INSERT INTO events VALUES (3, 'a', '2026-10-06 09:05:00+00', 1)",
		"INSERT INTO events VALUES (4, 'b', '2026-10-06 09:05:00+00', 1), (5, 'a', '2026-10-06 09:06:00+00', 1)",
		"COMMIT")
	wantNote(t, listener, lastCommit(t, writer), 2, 1)
	must(t, writer, "DELETE FROM events")
	wantNote(t, listener, lastCommit(t, writer), 0, 2)
	if _, err := waitForNote(t, elsewhere, 100*time.Millisecond); err == nil {
		t.Error("a connection was notified that listens no more")
	}
}

func lastCommit(t *testing.T, conn *pgx.Conn) int64 {
	t.Helper()
	return scalar[int64](t, conn, "SELECT max(commit) FROM sessiondb.commits")
}

// wantNote fails the test unless the next notification is that of a commit.
func wantNote(t *testing.T, conn *pgx.Conn, commit int64, published, retired int) {
	t.Helper()
	got, err := waitForNote(t, conn, 10*time.Second)
	if want := fmt.Sprintf(`s {"commit":%d,"published":%d,"retired":%d}`, commit, published, retired); err != nil || got != want {
		t.Fatalf("notification %q (%v), want %q", got, err, want)
	}
}

func waitForNote(t *testing.T, conn *pgx.Conn, patience time.Duration) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	n, err := conn.WaitForNotification(ctx)
	if err != nil {
		return "", err
	}
	return n.Channel + " " + n.Payload, nil
}
