package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

const (
	readTable = `CREATE TABLE readings AS SELECT i::bigint AS id, 'account-' || (i %% 1000)::text AS account,
		TIMESTAMPTZ '2026-10-06 09:00:00+00' + i * INTERVAL '1 second' AS at, (i * 0.25)::float8 AS amount FROM %s`
	readQuery = `SELECT id, account, at, amount FROM readings`
)

// read measures how fast rows reach a client.
func read(ctx context.Context, b *bench) error {
	contests := []struct {
		name, series string
		on           *contender
	}{
		{"postgres", fmt.Sprintf("generate_series(0, %d) AS g(i)", b.rows-1), b.postgres},
		{"sessiondb", fmt.Sprintf("range(%d) AS g(i)", b.rows), b.sessiondb},
	}
	for _, c := range contests {
		if err := makeReadings(ctx, c.on, c.series); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	var psql, goReader, first series
	for range b.runs {
		for _, c := range contests {
			took, err := readWithPsql(ctx, c.on)
			if err != nil {
				return fmt.Errorf("%s, psql: %w", c.name, err)
			}
			psql.add(c.name, perSecond(b.rows, took))
		}
		for _, c := range contests {
			took, begins, err := readWithGo(ctx, c.on, b.rows)
			if err != nil {
				return fmt.Errorf("%s, Go: %w", c.name, err)
			}
			goReader.add(c.name, perSecond(b.rows, took))
			first.add(c.name, float64(begins.Microseconds())/1000)
		}
	}
	rows := figure(float64(b.rows))
	psql.print("read: SELECT of "+rows+" rows × 4 columns to psql", "rows/s")
	psql.ratio("sessiondb", "postgres", "target: 1.5 or more")
	goReader.print("read: the same to a reader in Go, text format", "rows/s")
	goReader.ratio("sessiondb", "postgres", "no target")
	first.print("read: time to the first of these rows", "ms")
	first.ratio("sessiondb", "postgres", "no target")
	return nil
}

func makeReadings(ctx context.Context, c *contender, series string) (err error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	return execute(ctx, conn, []string{"DROP TABLE IF EXISTS readings", fmt.Sprintf(readTable, series)})
}

// readWithPsql times the whole of psql, its start and its printing too.
func readWithPsql(ctx context.Context, c *contender) (time.Duration, error) {
	psql := exec.CommandContext(ctx, "psql", "-X", "-q", "-A", "-t", "-o", "/dev/null", "-c", readQuery, c.url)
	began := time.Now()
	if out, err := psql.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	return time.Since(began), nil
}

// readWithGo counts the rows as they come, and keeps none. It returns the time
// to the last row and to the first, from the moment of the question.
func readWithGo(ctx context.Context, c *contender, rows int) (took, first time.Duration, err error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	began := time.Now()
	reader := conn.PgConn().ExecParams(ctx, readQuery, nil, nil, nil, nil)
	n := 0
	for reader.NextRow() {
		if n++; n == 1 {
			first = time.Since(began)
		}
	}
	if _, err := reader.Close(); err != nil {
		return 0, 0, err
	}
	if n != rows {
		return 0, 0, fmt.Errorf("%d rows came, not %d", n, rows)
	}
	return time.Since(began), first, nil
}
