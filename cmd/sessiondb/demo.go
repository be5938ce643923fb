package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

type demoCommand struct {
	Exit bool `help:"End after the story instead of serving on."`

	engineFlags
}

const (
	demoTable = `CREATE TABLE requests (
    event_id uuid, host text, seen_at timestamptz, method text, url text, status int, bytes bigint)`
	demoView = `CREATE MATERIALIZED VIEW visits AS
  SELECT * FROM SESSIONIZE(requests, key => host, event_time => seen_at, id => event_id,
                           gap => '11 min', bytes => sum(bytes), pages => count(DISTINCT url))`
	demoCopy = `COPY requests (event_id, host, seen_at, method, url, status, bytes) FROM STDIN`
)

// demoPictures is how many of the merges are drawn.
const demoPictures = 3

// Run starts a server on a database in memory, connects to it as any client
// would, tells the story, and serves on until the context ends.
func (c *demoCommand) Run(ctx context.Context) error {
	if c.Exit && c.Listen == "127.0.0.1:5454" {
		c.Listen = "127.0.0.1:0" // nobody else will connect: any port will do
	}
	s, err := startServer(ctx, ":memory:", &c.engineFlags)
	if err != nil {
		return err
	}
	s.announce(os.Stdout, "a database in memory")
	err = tellStory(ctx, s, os.Stdout)
	if c.Exit || err != nil {
		return errors.Join(err, s.stop(context.WithoutCancel(ctx)))
	}
	fmt.Printf("\nServing until Ctrl-C. Look around from another terminal:\n\n  %s\n", s.psql())
	for _, query := range []string{
		"SELECT * FROM visits ORDER BY event_count DESC LIMIT 5;",
		"SELECT change, count(*) FROM visits_revisions GROUP BY change;",
		"SELECT * FROM sessiondb.views;",
	} {
		fmt.Println("    " + query)
	}
	return s.wait(ctx)
}

func tellStory(ctx context.Context, s *server, out io.Writer) error {
	conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://demo@127.0.0.1:%d/demo?sslmode=disable", s.addr.Port))
	if err != nil {
		return err
	}
	err = (&story{conn: conn, out: out}).tell(ctx)
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

// A story is told over one connection. Every number in it is an answer of the
// server.
type story struct {
	conn *pgx.Conn
	out  io.Writer
}

func (t *story) say(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

func (t *story) tell(ctx context.Context) error {
	requests, err := parseLog(webLog)
	if err != nil {
		return err
	}
	onTime, late := holdBack(requests, demoGap)
	if err := t.load(ctx, onTime, len(late)); err != nil {
		return err
	}
	if err := t.createView(ctx); err != nil {
		return err
	}
	if err := t.deliver(ctx, late); err != nil {
		return err
	}
	return t.pictures(ctx, late)
}

func (t *story) load(ctx context.Context, onTime []request, held int) error {
	t.say("\nOne day of requests to a NASA web server, 1 August 1995.\n%s;\n", demoTable)
	if _, err := t.conn.Exec(ctx, demoTable); err != nil {
		return err
	}
	loaded, took, err := t.copyIn(ctx, onTime)
	if err != nil {
		return err
	}
	t.say("COPY brought %d of them in %s. %d are held back: each alone bridges two visits.\n", loaded, took, held)
	return nil
}

func (t *story) createView(ctx context.Context) error {
	t.say("\n%s;\n", demoView)
	began := time.Now()
	if _, err := t.conn.Exec(ctx, demoView); err != nil {
		return err
	}
	t.say("Built in %s.\n", time.Since(began).Round(time.Millisecond))
	return t.summary(ctx)
}

// deliver brings the late events in one commit.
func (t *story) deliver(ctx context.Context, late []request) error {
	copied, took, err := t.copyIn(ctx, late)
	if err != nil {
		return err
	}
	t.say("\nNow COPY delivers the %d late requests, in one commit, in %s.\n", copied, took)
	if err := t.summary(ctx); err != nil {
		return err
	}
	return t.consequences(ctx)
}

func (t *story) copyIn(ctx context.Context, requests []request) (int64, time.Duration, error) {
	text := copyText(requests)
	began := time.Now()
	tag, err := t.conn.PgConn().CopyFrom(ctx, strings.NewReader(text), demoCopy)
	return tag.RowsAffected(), time.Since(began).Round(time.Millisecond), err
}

// summary prints what the view says now.
func (t *story) summary(ctx context.Context) error {
	var visits, events, bytes, received, duplicates int64
	err := t.conn.QueryRow(ctx, `SELECT count(*), sum(event_count)::bigint, sum(bytes)::bigint FROM visits`).
		Scan(&visits, &events, &bytes)
	if err != nil {
		return err
	}
	err = t.conn.QueryRow(ctx, `SELECT received, duplicates FROM sessiondb.views WHERE view_name = 'visits'`).
		Scan(&received, &duplicates)
	if err != nil {
		return err
	}
	t.say("  visits: %d sessions of %d requests, %d bytes (%d rows received, %d a duplicate)\n",
		visits, events, bytes, received, duplicates)
	return nil
}

// consequences prints what the last commit did, and that it is right.
func (t *story) consequences(ctx context.Context) error {
	rows, err := t.conn.Query(ctx, `SELECT change, count(*), sum(len(supersedes))::bigint FROM visits_revisions
		WHERE published_commit = (SELECT max(published_commit) FROM visits_revisions) GROUP BY change ORDER BY change`)
	if err != nil {
		return err
	}
	var (
		change              string
		published, replaced int64
	)
	_, err = pgx.ForEachRow(rows, []any{&change, &published, &replaced}, func() error {
		t.say("  %-7s %d sessions published, %d retired\n", change+":", published, replaced)
		return nil
	})
	if err != nil {
		return err
	}
	var differences int64
	if err := t.conn.QueryRow(ctx, `SELECT count(*) FROM sessiondb.verify('visits')`).Scan(&differences); err != nil {
		return err
	}
	t.say("  verify: %d differences from a batch recomputation\n", differences)
	return nil
}
