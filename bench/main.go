package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// A size says how much work each load is.
type size struct {
	runs     int
	events   int // of ingest
	keys     int
	batch    int // events per commit
	sessions int // there before commit measures
	commits  int // single-row commits per run
	rows     int // of read
	looks    int // per run of lookup
}

func fullSize() size {
	return size{runs: 3, events: 1_000_000, keys: 100_000, batch: 10_000, sessions: 1_000_000, commits: 2_000, rows: 2_000_000, looks: 200}
}

func smallSize() size {
	return size{runs: 1, events: 20_000, keys: 2_000, batch: 5_000, sessions: 10_000, commits: 50, rows: 50_000, looks: 20}
}

// A load measures both servers and reports.
type load struct {
	name string
	run  func(ctx context.Context, b *bench) error
}

func loads() []load {
	return []load{{"ingest", ingest}, {"commit", commit}, {"hot", hot}, {"lookup", lookups}, {"read", read}}
}

// A bench is the two servers and how much to ask of them.
type bench struct {
	size
	postgres, sessiondb *contender
}

func main() {
	small := flag.Bool("small", false, "a small run that shows that everything works; its figures mean nothing")
	only := flag.String("only", "", "one load: ingest, commit, hot, lookup or read")
	runs := flag.Int("runs", 0, "how many times each side runs (default 3)")
	binary := flag.String("sessiondb", "", "a sessiondb program; default: go build ./cmd/sessiondb")
	flag.Parse()
	sizes := fullSize()
	if *small {
		sizes = smallSize()
	}
	if *runs > 0 {
		sizes.runs = *runs
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := compare(ctx, sizes, *only, *binary)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, sizes size, only, binary string) (err error) {
	dir, err := os.MkdirTemp("", "sessiondb-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{size: sizes}
	if b.postgres, err = startPostgres(ctx, dir); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.postgres.stop()) }()
	if b.sessiondb, err = startSessiondb(ctx, dir, binary); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.sessiondb.stop()) }()
	return b.runLoads(ctx, only)
}

func (b *bench) runLoads(ctx context.Context, only string) error {
	names := make([]string, 0, len(loads()))
	for _, l := range loads() {
		names = append(names, l.name)
		if only != "" && only != l.name {
			continue
		}
		if err := l.run(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	if only != "" && !slices.Contains(names, only) {
		return fmt.Errorf("no load %q; there are %s", only, strings.Join(names, ", "))
	}
	return nil
}
