package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

const insertEvent = `INSERT INTO events VALUES ($1, $2, $3, $4)`

// commit measures single-row commits with many sessions there.
func commit(ctx context.Context, b *bench) error {
	contests := []struct {
		name          string
		on            *contender
		before, after []string // around the load of the history
	}{
		{"postgres, row trigger", b.postgres, []string{triggersSQL}, []string{
			"INSERT INTO sessions SELECT account_id, event_at, event_at, 1, amount FROM events", rowTrigger, "VACUUM ANALYZE", "CHECKPOINT",
		}},
		{"sessiondb, maintained view", b.sessiondb, []string{sessiondbTable, sessiondbView}, nil},
	}
	// One event an hour of each key: as many sessions as events.
	history := hourlyBatches(b.sessions, b.keys, b.batch*10)
	for _, contest := range contests {
		if err := prepareCommits(ctx, contest.on, contest.before, contest.after, history); err != nil {
			return fmt.Errorf("%s: %w", contest.name, err)
		}
	}
	var s series
	random := rand.New(rand.NewPCG(15, 6))
	for run := range b.runs {
		for _, contest := range contests {
			took, err := b.insertOneByOne(ctx, contest.on, random, b.sessions+run*b.commits)
			if err != nil {
				return fmt.Errorf("%s: %w", contest.name, err)
			}
			s.add(contest.name, took.Seconds()*1000)
		}
	}
	for _, contest := range contests {
		if err := checkCounted(ctx, contest.on, b.sessions+b.runs*b.commits); err != nil {
			return err
		}
	}
	s.print(fmt.Sprintf("commit: INSERT of one row with %s sessions there, p50 of %d", figure(float64(b.sessions)), b.commits), "ms")
	s.ratio("sessiondb, maintained view", "postgres, row trigger", "target: below 3")
	return nil
}

func prepareCommits(ctx context.Context, c *contender, before, after []string, history [][]byte) (err error) {
	if _, err := copyBatches(ctx, c, before, history); err != nil {
		return err
	}
	conn, err := c.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	return execute(ctx, conn, after)
}

// insertOneByOne returns the median time of one committed INSERT.
func (b *bench) insertOneByOne(ctx context.Context, c *contender, random *rand.Rand, firstID int) (p50 time.Duration, err error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var times []float64
	for i := range b.commits {
		took, err := b.insertOne(ctx, conn, random, firstID+i)
		if err != nil {
			return 0, err
		}
		times = append(times, float64(took))
	}
	return time.Duration(median(times)), nil
}

func (b *bench) insertOne(ctx context.Context, conn *pgx.Conn, random *rand.Rand, id int) (time.Duration, error) {
	key, at := random.IntN(b.keys), moment(random.IntN(b.sessions/b.keys*3600))
	began := time.Now()
	_, err := conn.Exec(ctx, insertEvent, int64(id), int64(key), at, "9.50")
	return time.Since(began), err
}

// hourlyBatches gives every key one event an hour.
func hourlyBatches(events, keys, batch int) [][]byte {
	var batches [][]byte
	for from := 0; from < events; from += batch {
		var text []byte
		for i := from; i < min(from+batch, events); i++ {
			text = appendEvent(text, i, i%keys, i/keys*3600, i%10_000)
		}
		batches = append(batches, text)
	}
	return batches
}
