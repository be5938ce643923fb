package sqltests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// batchRows is how many events each commit of the crash test brings.
const batchRows = 50

// TestKill kills the server with SIGKILL in the middle of a stream of commits,
// again and again on the same file. What was acknowledged is there, what was
// not is there whole or not at all, and the view is right.
func TestKill(t *testing.T) {
	path := databasePath(t)
	random := rand.New(rand.NewPCG(uint64(*firstSet), 0))
	p := startProcess(t, path)
	must(t, connectTo(t, p.url),
		"CREATE TABLE events (batch int, event_id bigint, account_id text, event_at timestamptz, amount bigint)",
		historyView)
	acknowledged := 0
	for round := range *kills {
		after := time.Duration(50+random.IntN(700)) * time.Millisecond
		acknowledged = commitUntilKilled(t, p, acknowledged, after, random)
		p = startProcess(t, path)
		conn := connectTo(t, p.url)
		there := scalar[int](t, conn, "SELECT coalesce(max(batch), 0)::int FROM events")
		t.Logf("round %d: killed after %s, %d commits acknowledged, %d there", round+1, after, acknowledged, there)
		if there != acknowledged && there != acknowledged+1 {
			t.Fatalf("%d commits are there, %d were acknowledged", there, acknowledged)
		}
		if rows := scalar[int](t, conn, "SELECT count(*)::int FROM events"); rows != there*batchRows {
			t.Fatalf("%d rows are there, not %d: a commit is half there", rows, there*batchRows)
		}
		historyOracle().check(t, conn)
		wantVerified(t, conn, "s")
		acknowledged = there
	}
	if code := p.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d (%v), want 0:\n%s", code, p.cmd.ProcessState, p.stderr)
	}
}

// commitUntilKilled sends one commit after the other until the server is
// killed, and returns the number of the last one that was acknowledged.
func commitUntilKilled(t *testing.T, p *process, acknowledged int, after time.Duration, random *rand.Rand) int {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), p.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) // its server is dead
	timer := time.AfterFunc(after, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	for commitBatch(conn, acknowledged+1, random) == nil {
		acknowledged++
	}
	_ = p.cmd.Wait()
	return acknowledged
}

// commitBatch brings one batch by COPY or in a transaction of two INSERTs.
func commitBatch(conn *pgx.Conn, batch int, random *rand.Rand) error {
	ctx := context.Background()
	rows := make([]string, batchRows)
	for i := range rows {
		id := batch*batchRows + i
		at := clock(batch*30 - random.IntN(3600) + 3600)
		rows[i] = fmt.Sprintf("%d\t%d\tk%d\t%s\t%d", batch, id, random.IntN(20), at, random.IntN(100))
	}
	if batch%2 == 0 {
		_, err := conn.PgConn().CopyFrom(ctx, strings.NewReader(strings.Join(rows, "\n")+"\n"), "COPY events FROM STDIN")
		return err
	}
	for i, row := range rows {
		rows[i] = "('" + strings.ReplaceAll(row, "\t", "', '") + "')"
	}
	half := len(rows) / 2
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, part := range [][]string{rows[:half], rows[half:]} {
			if _, err := tx.Exec(ctx, "INSERT INTO events VALUES "+strings.Join(part, ", ")); err != nil {
				return err
			}
		}
		return nil
	})
}
