package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	lookupTable = `CREATE TABLE looked_up AS SELECT i AS event_id, 'account-' || (i %% %d)::text AS account_id,
		TIMESTAMPTZ '2026-10-06 09:00:00+00' + i // %[1]d * INTERVAL '1 hour' AS event_at FROM range(%d) AS t(i)`
	lookupView = `CREATE OR REPLACE MATERIALIZED VIEW lookups AS SELECT * FROM SESSIONIZE(looked_up, gap => '11 min'%s)`
	lookup     = `SELECT session_start, event_count FROM lookups WHERE account_id = $1`
	// scan asks the same in a way that gives no key.
	scan = `SELECT session_start, event_count FROM lookups WHERE account_id BETWEEN $1 AND $1`
)

// scannedUpTo is how many sessions are scanned whatever is asked.
const scannedUpTo = 122_880

// lookups measures queries for one key beside scans for it, in a view whose
// sessions are in memory, and in one whose sessions have left it.
func lookups(ctx context.Context, b *bench) (err error) {
	conn, err := b.sessiondb.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if err := execute(ctx, conn, []string{fmt.Sprintf(lookupTable, b.keys, b.sessions)}); err != nil {
		return err
	}
	for _, where := range []struct{ are, option string }{{"in memory", ""}, {"final", ", lateness => '0 min'"}} {
		if err := execute(ctx, conn, []string{fmt.Sprintf(lookupView, where.option)}); err != nil {
			return err
		}
		if err := b.compareLookups(ctx, conn, where.are); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) compareLookups(ctx context.Context, conn *pgx.Conn, are string) error {
	if b.sessions > scannedUpTo {
		if err := awaitLookups(ctx, conn); err != nil {
			return err
		}
	}
	var s series
	random := rand.New(rand.NewPCG(15, 6))
	for range b.runs {
		for _, contest := range []struct{ name, query string }{{"lookup", lookup}, {"scan", scan}} {
			took, err := b.look(ctx, conn, contest.query, random)
			if err != nil {
				return fmt.Errorf("%s: %w", contest.name, err)
			}
			s.add(contest.name, took)
		}
	}
	s.print(fmt.Sprintf("lookup: one key of %s sessions that are %s, p50 of %d", figure(float64(b.sessions)), are, b.looks), "ms")
	s.ratio("scan", "lookup", "no target")
	return nil
}

// awaitLookups waits until the plan of a lookup names revisions: sessions that
// have left memory are indexed after the first.
func awaitLookups(ctx context.Context, conn *pgx.Conn) error {
	for range 100 {
		rows, err := conn.Query(ctx, "EXPLAIN "+strings.ReplaceAll(lookup, "$1", "'account-1'"), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		plan, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (text string, err error) { return text, row.Scan(nil, &text) })
		if err != nil || strings.Contains(strings.Join(plan, "\n"), "seq>=") {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("lookups go on scanning")
}

// look returns the median time in milliseconds of a query for one key.
func (b *bench) look(ctx context.Context, conn *pgx.Conn, query string, random *rand.Rand) (p50 float64, err error) {
	want := b.sessions / b.keys
	var times []float64
	for range b.looks {
		key := fmt.Sprintf("account-%d", random.IntN(b.keys))
		began := time.Now()
		rows, err := conn.Query(ctx, query, key)
		if err != nil {
			return 0, err
		}
		n := 0
		for rows.Next() {
			n++
		}
		if err := rows.Err(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(began).Seconds()*1000)
		if n != want {
			return 0, fmt.Errorf("%s has %d sessions, not %d", key, n, want)
		}
	}
	return median(times), nil
}
