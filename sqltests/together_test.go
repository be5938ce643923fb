package sqltests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Two views of one source, one that rejects what is late and one that never
// does.
const (
	nearView = `CREATE MATERIALIZED VIEW near AS SELECT * FROM SESSIONIZE(events, key => account_id, event_time => event_at, id => event_id,
		gap => '5 min', lateness => '20 min', amount => sum(amount), path => list(event_id))`
	farView = `CREATE MATERIALIZED VIEW far AS SELECT * FROM SESSIONIZE(events, key => account_id, event_time => event_at, id => event_id,
		gap => '30 min', amount => sum(amount))`
)

// TestTwoViewsWhileAllWrite lets three connections write and read at once.
// Whatever the others are doing, each sees both views agree with the source:
// verify returns nothing, and in one snapshot the sums of the sessions, of
// their events, of the changelog and of the source are the same.
func TestTwoViewsWhileAllWrite(t *testing.T) {
	s := serve(t)
	must(t, s.connect(t), historyTable, nearView, farView,
		"INSERT INTO events SELECT 1000000 + i, 'k' || i % 4, TIMESTAMPTZ '2026-10-06 09:00:00+00' + i * INTERVAL '37 s', i FROM range(300) AS t(i)")
	const connections, rounds = 3, 12
	var group sync.WaitGroup
	var commits, overlaps atomic.Int64
	failures := make(chan error, connections)
	for i := range connections {
		c := &companion{conn: s.connect(t), random: rand.New(rand.NewPCG(uint64(*firstSet), uint64(i))), number: i, commits: &commits}
		group.Go(func() {
			for range rounds {
				if err := c.round(context.Background(), &overlaps); err != nil {
					failures <- fmt.Errorf("connection %d: %w", i, describe(err))
					return
				}
			}
		})
	}
	group.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	t.Logf("%d commits, %d of %d looks with a commit of another in their middle", commits.Load(), overlaps.Load(), connections*rounds)
	if overlaps.Load() == 0 {
		t.Error("nothing was committed while somebody looked: the test saw nothing")
	}
}

// A companion is one of the connections.
type companion struct {
	conn    *pgx.Conn
	random  *rand.Rand
	number  int
	next    int           // of its events
	commits *atomic.Int64 // of all connections
}

func (c *companion) round(ctx context.Context, overlaps *atomic.Int64) error {
	for range 1 + c.random.IntN(3) {
		if err := c.write(ctx); err != nil {
			return err
		}
	}
	for _, view := range []string{"near", "far"} {
		if err := c.verify(ctx, view); err != nil {
			return err
		}
	}
	before := c.commits.Load()
	if err := c.look(ctx); err != nil {
		return err
	}
	if c.commits.Load() > before {
		overlaps.Add(1)
	}
	return nil
}

// write commits a transaction, or rolls it back.
func (c *companion) write(ctx context.Context) error {
	tx, err := c.conn.Begin(ctx)
	if err != nil {
		return err
	}
	for range 1 + c.random.IntN(3) {
		if _, err := tx.Exec(ctx, c.statement()); err != nil {
			return err
		}
	}
	if c.random.IntN(5) == 0 {
		return tx.Rollback(ctx)
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	c.commits.Add(1)
	return nil
}

// statement changes events, of the accounts that all connections share.
func (c *companion) statement() string {
	account, at := fmt.Sprint("k", c.random.IntN(4)), clock(3600+60*(c.random.IntN(90)+c.next))
	id := c.number + 3*c.random.IntN(1+c.next)
	switch c.random.IntN(6) {
	case 0:
		return fmt.Sprintf("DELETE FROM events WHERE event_id = %d", id)
	case 1:
		return fmt.Sprintf("UPDATE events SET event_at = TIMESTAMPTZ '%s', account_id = '%s' WHERE event_id = %d", at, account, id)
	case 2:
		return fmt.Sprintf("UPDATE events SET amount = amount + 1 WHERE account_id = '%s'", account)
	default:
		rows := make([]string, 1+c.random.IntN(5))
		for i := range rows {
			rows[i] = fmt.Sprintf("(%d, 'k%d', TIMESTAMPTZ '%s' + INTERVAL '%d min', %d)", c.number+3*c.next, c.random.IntN(4), at, c.random.IntN(40), c.random.IntN(100))
			c.next++
		}
		return "INSERT INTO events VALUES " + strings.Join(rows, ", ")
	}
}

func (c *companion) verify(ctx context.Context, view string) error {
	a, err := simple(ctx, c.conn.PgConn(), "SELECT * FROM sessiondb.verify('"+view+"')")
	if err == nil && len(a.rows) > 0 {
		err = fmt.Errorf("verify('%s') returns\n%s", view, strings.Join(a.lines(), "\n"))
	}
	return err
}

// look adds up, in one snapshot and one statement after the other, what must
// be the same.
func (c *companion) look(ctx context.Context) error {
	tx, err := c.conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	source, err := sums(ctx, tx, "SELECT count(*), coalesce(sum(amount), 0) FROM events")
	if err != nil {
		return err
	}
	for _, view := range []string{"near", "far"} {
		rejected, err := sums(ctx, tx, "SELECT count(*), coalesce(sum(e.amount), 0) FROM events AS e WHERE NOT EXISTS (FROM "+view+"_events AS c WHERE c.event_id = e.event_id)")
		if err != nil {
			return err
		}
		standing, err := sums(ctx, tx, "SELECT rejected, received - counted FROM sessiondb.views WHERE view_name = '"+view+"'")
		if err != nil {
			return err
		}
		if standing != [2]int64{rejected[0], rejected[0]} {
			return fmt.Errorf("%s: sessiondb.views has %d rejected and %d that do not count, where %d rows of the source are in no session", view, standing[0], standing[1], rejected[0])
		}
		counted := [2]int64{source[0] - rejected[0], source[1] - rejected[1]}
		for _, q := range []string{
			"SELECT coalesce(sum(event_count), 0), coalesce(sum(amount), 0) FROM " + view,
			"SELECT coalesce(sum(event_count * weight), 0), coalesce(sum(amount * weight), 0) FROM " + view + "_changes",
			"SELECT coalesce(sum(event_count), 0), coalesce(sum(amount), 0) FROM " + view + "_revisions WHERE is_current",
			"SELECT count(*), coalesce(sum(amount), 0) FROM " + view + "_events",
		} {
			got, err := sums(ctx, tx, q)
			if err != nil {
				return err
			}
			if got != counted {
				return fmt.Errorf("%s: %v, where %v count", q, got, counted)
			}
		}
	}
	return nil
}

// sums reads a row of two numbers.
func sums(ctx context.Context, tx pgx.Tx, sql string) (pair [2]int64, err error) {
	err = tx.QueryRow(ctx, "SELECT a::bigint, b::bigint FROM ("+sql+") AS s(a, b)").Scan(&pair[0], &pair[1])
	return pair, err
}
