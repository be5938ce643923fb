package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

//go:embed triggers.sql
var triggersSQL string

const (
	sessiondbTable = `CREATE TABLE events (event_id bigint, account_id bigint, event_at timestamptz, amount numeric(12,2))`
	sessiondbView  = `CREATE MATERIALIZED VIEW sessions AS SELECT * FROM SESSIONIZE(events, key => account_id,
		event_time => event_at, id => event_id, gap => '11 min', amount => sum(amount))`
	statementTrigger = `CREATE TRIGGER maintain AFTER INSERT ON events REFERENCING NEW TABLE AS arrived
		FOR EACH STATEMENT EXECUTE FUNCTION sessions_by_statement()`
	rowTrigger = `CREATE TRIGGER maintain AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION sessions_by_row()`
)

// spanSeconds is the stretch of event time that ingest's events spread over.
const spanSeconds = 6 * 3600

// ingest measures COPY with sessions maintained.
func ingest(ctx context.Context, b *bench) error {
	batches := eventBatches(b.events, b.keys, b.batch)
	var s series
	for range b.runs {
		for _, contest := range []struct {
			name       string
			on         *contender
			maintained bool
			setup      []string
		}{
			{"postgres, statement triggers", b.postgres, true, []string{triggersSQL, statementTrigger}},
			{"sessiondb, maintained view", b.sessiondb, true, []string{sessiondbTable, sessiondbView}},
			{"postgres, plain storing", b.postgres, false, []string{triggersSQL}},
			{"sessiondb, plain storing", b.sessiondb, false, []string{sessiondbTable}},
		} {
			took, err := copyBatches(ctx, contest.on, contest.setup, batches)
			if err != nil {
				return fmt.Errorf("%s: %w", contest.name, err)
			}
			s.add(contest.name, perSecond(b.events, took))
			if contest.maintained {
				if err := checkCounted(ctx, contest.on, b.events); err != nil {
					return err
				}
			}
		}
	}
	s.print(fmt.Sprintf("ingest: COPY of %s events, %s keys, 5 %% up to an hour late, commits of %s",
		figure(float64(b.events)), figure(float64(b.keys)), figure(float64(b.batch))), "events/s")
	s.ratio("sessiondb, maintained view", "postgres, statement triggers", "target: 2 or more")
	s.ratio("sessiondb, maintained view", "postgres, plain storing", "no target")
	return nil
}

// checkCounted refuses figures of a side that did not do its work: every event
// must be in a session.
func checkCounted(ctx context.Context, c *contender, events int) (err error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var counted int
	if err := conn.QueryRow(ctx, "SELECT sum(event_count)::bigint FROM sessions").Scan(&counted); err != nil {
		return err
	}
	if counted != events {
		return fmt.Errorf("%s: %d events are in sessions, not %d", c.name, counted, events)
	}
	return nil
}

// copyBatches makes the tables anew and commits one batch after the other.
func copyBatches(ctx context.Context, c *contender, setup []string, batches [][]byte) (took time.Duration, err error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if err := makeTables(ctx, c, conn, setup); err != nil {
		return 0, err
	}
	began := time.Now()
	for _, batch := range batches {
		if _, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(batch), "COPY events FROM STDIN"); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// makeTables drops what an earlier run left and runs the setup.
func makeTables(ctx context.Context, c *contender, conn *pgx.Conn, setup []string) error {
	drops := []string{"DROP MATERIALIZED VIEW IF EXISTS sessions", "DROP TABLE IF EXISTS events"}
	if c.name == "postgres" {
		drops = []string{"DROP TABLE IF EXISTS events, sessions", "DROP FUNCTION IF EXISTS sessions_by_row, sessions_by_statement", "CHECKPOINT"}
	}
	return execute(ctx, conn, append(drops, setup...))
}

func execute(ctx context.Context, conn *pgx.Conn, statements []string) error {
	for _, sql := range statements {
		if err := conn.PgConn().Exec(ctx, sql).Close(); err != nil {
			return fmt.Errorf("%.60s: %w", sql, err)
		}
	}
	return nil
}

// eventBatches makes the events in COPY's text format: times go forward over
// six hours, and 5 % of the events are up to an hour late. The seed is fixed.
func eventBatches(events, keys, batch int) [][]byte {
	random := rand.New(rand.NewPCG(15, 6))
	var batches [][]byte
	for from := 0; from < events; from += batch {
		var text []byte
		for i := from; i < min(from+batch, events); i++ {
			at := i * spanSeconds / events
			if random.IntN(20) == 0 {
				at -= random.IntN(3600)
			}
			text = appendEvent(text, i, random.IntN(keys), at, random.IntN(100_000))
		}
		batches = append(batches, text)
	}
	return batches
}

func appendEvent(text []byte, id, key, second, cents int) []byte {
	text = append(strconv.AppendInt(text, int64(id), 10), '\t')
	text = append(strconv.AppendInt(text, int64(key), 10), '\t')
	text = append(moment(second).AppendFormat(text, "2006-01-02 15:04:05-07"), '\t')
	return fmt.Appendf(text, "%d.%02d\n", cents/100, cents%100)
}

// moment is a second of the benchmark's time.
func moment(second int) time.Time {
	return time.Date(2026, 10, 6, 9, 0, second, 0, time.UTC)
}
