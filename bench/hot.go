package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	hotTable = `CREATE OR REPLACE TABLE hot (event_id bigint, k text, at timestamptz, amount numeric(12,2), page bigint)`
	hotView  = `CREATE MATERIALIZED VIEW hot_visits AS SELECT * FROM SESSIONIZE(hot, key => k, event_time => at, id => event_id,
		gap => '11 min', lateness => '1 hour', amount => sum(amount), pages => count(DISTINCT page))`
)

// A hotShape is one key with n events, of which the last is twenty minutes
// after the one before.
type hotShape struct {
	title    string
	every    time.Duration // between the others
	sessions int
}

// hot measures what is done to one key that has a million sessions, and to one
// session of a million events. A second measure is one that DuckDB computes.
func hot(ctx context.Context, b *bench) error {
	for _, shape := range []hotShape{
		{fmt.Sprintf("hot: one key with %s sessions", figure(float64(b.sessions))), 20 * time.Minute, b.sessions},
		{fmt.Sprintf("hot: one session of %s events", figure(float64(b.sessions-1))), time.Minute, 2},
	} {
		if err := b.measureHot(ctx, shape); err != nil {
			return fmt.Errorf("%s: %w", shape.title, err)
		}
	}
	return nil
}

func (b *bench) measureHot(ctx context.Context, shape hotShape) (err error) {
	conn, err := b.sessiondb.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	h := &hotRun{conn: conn, sessions: shape.sessions, last: moment(0).Add(time.Duration(b.sessions-1)*shape.every + 20*time.Minute)}
	load := fmt.Sprintf("INSERT INTO hot SELECT i, 'hot', timestamptz '%s' + i * interval '%d min', 1, i %% 100 FROM generate_series(1, %d) AS t(i)",
		moment(0).Format(time.RFC3339), int(shape.every.Minutes()), b.sessions-1)
	if err := execute(ctx, conn, []string{"DROP MATERIALIZED VIEW IF EXISTS hot_visits", hotTable, hotView}); err != nil {
		return err
	}
	h.timed(ctx, "load, one INSERT", load)
	h.insert(ctx, "", h.last)
	for range b.runs {
		h.insert(ctx, "extend the last session", h.last.Add(time.Minute))
		h.bridgeAndSplit(ctx)
	}
	h.insert(ctx, "", h.last.Add(24*time.Hour)) // all before is final now
	h.sessions++
	for range b.runs {
		h.replayAndSplit(ctx)
	}
	h.timed(ctx, "verify", "SELECT 1 / CAST(count(*) = 0 AS int) FROM sessiondb.verify('hot_visits')")
	h.times.print(shape.title, "ms")
	return h.err
}

// A hotRun measures statements until the first that fails.
type hotRun struct {
	conn     *pgx.Conn
	last     time.Time // the event that stands alone
	sessions int       // that there should be
	inserted int
	times    series
	err      error
}

func (h *hotRun) bridgeAndSplit(ctx context.Context) {
	h.insert(ctx, "bridge the last two", h.last.Add(-10*time.Minute))
	h.expect(ctx, h.sessions-1)
	h.timed(ctx, "split them (DELETE)", h.deletion())
	h.expect(ctx, h.sessions)
}

func (h *hotRun) replayAndSplit(ctx context.Context) {
	h.insert(ctx, "bridge, too late", h.last.Add(-10*time.Minute))
	h.expect(ctx, h.sessions)
	h.timed(ctx, "replay it", "SELECT * FROM sessiondb.replay('hot_visits')")
	h.expect(ctx, h.sessions-1)
	h.timed(ctx, "split them, final", h.deletion())
	h.expect(ctx, h.sessions)
}

// insert adds one event; what is not measured has no name.
func (h *hotRun) insert(ctx context.Context, name string, at time.Time) {
	h.inserted++
	h.timed(ctx, name, fmt.Sprintf("INSERT INTO hot VALUES (%d, 'hot', '%s', 1, 7)", -h.inserted, at.Format(time.RFC3339)))
}

// deletion takes away the event that was inserted last.
func (h *hotRun) deletion() string {
	return fmt.Sprintf("DELETE FROM hot WHERE event_id = %d", -h.inserted)
}

func (h *hotRun) timed(ctx context.Context, name, sql string) {
	if h.err != nil {
		return
	}
	began := time.Now()
	if _, err := h.conn.Exec(ctx, sql); err != nil {
		h.err = fmt.Errorf("%s: %w", sql, err)
	}
	if name != "" {
		h.times.add(name, time.Since(began).Seconds()*1000)
	}
}

// expect refuses the figures of what was not done.
func (h *hotRun) expect(ctx context.Context, sessions int) {
	if h.err != nil {
		return
	}
	var n int
	if h.err = h.conn.QueryRow(ctx, "SELECT count(*) FROM hot_visits").Scan(&n); h.err == nil && n != sessions {
		h.err = fmt.Errorf("%d sessions, not %d", n, sessions)
	}
}
