package sqltests

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // an identifier, not a secret
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // the independent reader
	"github.com/jackc/pgx/v5"
)

const (
	webLogColumns = "(event_id text, host text, seen_at timestamptz, url text, bytes bigint)"
	webLogCall    = "SESSIONIZE(%s, key => host, event_time => seen_at, id => event_id, gap => '11 min', bytes => sum(bytes))"
	// sessionRows is what every way must agree on.
	sessionRows = `SELECT host, epoch_us(session_start)::bigint, epoch_us(session_end)::bigint, event_count::bigint,
		coalesce(bytes, 0)::bigint FROM %s ORDER BY 1, 2`
)

// A day of a real web server becomes the same sessions whichever way they come
// about: computed ad hoc, maintained from rows in file order, maintained from
// rows in random order in batches of 100, and by a plain window query of
// another program that opens the stopped server's file.
func TestWebLog(t *testing.T) {
	lines := webLogLines(t)
	s := startServer(t, databasePath(t))
	conn := s.connect(t)
	for _, table := range []string{"ordered", "shuffled"} {
		must(t, conn, "CREATE TABLE "+table+" "+webLogColumns,
			"CREATE MATERIALIZED VIEW "+table+"_visits AS SELECT * FROM "+fmt.Sprintf(webLogCall, table))
	}
	copyLines(t, conn, "ordered", lines)
	random := rand.New(rand.NewPCG(uint64(*firstSet), 0))
	random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	for len(lines) > 0 {
		n := min(100, len(lines))
		copyLines(t, conn, "shuffled", lines[:n])
		lines = lines[n:]
	}
	answers := map[string]string{
		"ad hoc":                     sessionsOf(t, conn, fmt.Sprintf(webLogCall, "ordered")),
		"maintained, file order":     sessionsOf(t, conn, "ordered_visits"),
		"maintained, shuffled":       sessionsOf(t, conn, "shuffled_visits"),
		"ad hoc over shuffled table": sessionsOf(t, conn, fmt.Sprintf(webLogCall, "shuffled")),
	}
	for _, view := range []string{"ordered_visits", "shuffled_visits"} {
		wantVerified(t, conn, view)
	}
	_ = conn.Close(context.Background())
	s.stop(t)
	answers["another program, window query"] = readIndependently(t, s.path, "main.ordered")
	answers["another program, shuffled"] = readIndependently(t, s.path, "main.shuffled")
	want := answers["another program, window query"]
	if n := strings.Count(want, "\n"); n != 3418 {
		t.Errorf("the window query finds %d sessions, not the 3418 that were counted by other means", n)
	}
	for name, got := range answers {
		if got != want {
			t.Errorf("%s: %d sessions that differ from the window query's %d", name, strings.Count(got, "\n"), strings.Count(want, "\n"))
		}
	}
}

// webLogLines reads the bundled log as lines of COPY's text format.
func webLogLines(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../cmd/sessiondb/nasa-1995-08-01.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))[1:] {
		f := strings.Split(strings.ReplaceAll(string(line), `\`, `\\`), "\t")
		var seconds int64
		if _, err := fmt.Sscan(f[2], &seconds); err != nil {
			t.Fatal(err)
		}
		if f[6] == "" {
			f[6] = `\N`
		}
		at := time.Unix(seconds, 0).UTC().Format(time.DateTime) + "+00"
		lines = append(lines, fmt.Sprintf("%x\t%s\t%s\t%s\t%s\n", md5.Sum(line), f[0], at, f[4], f[6])) //nolint:gosec // an identifier
	}
	return lines
}

func copyLines(t *testing.T, conn *pgx.Conn, table string, lines []string) {
	t.Helper()
	tag, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(strings.Join(lines, "")), "COPY "+table+" FROM STDIN")
	if err != nil {
		t.Fatal(describe(err))
	}
	if tag.RowsAffected() != int64(len(lines)) {
		t.Fatalf("%s for %d rows", tag, len(lines))
	}
}

func sessionsOf(t *testing.T, conn *pgx.Conn, relation string) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), fmt.Sprintf(sessionRows, relation))
	if err != nil {
		t.Fatal(describe(err))
	}
	var text strings.Builder
	var s session
	_, err = pgx.ForEachRow(rows, []any{&s.host, &s.start, &s.end, &s.events, &s.bytes}, func() error {
		fmt.Fprintln(&text, s)
		return nil
	})
	if err != nil {
		t.Fatal(describe(err))
	}
	return text.String()
}

type session struct {
	host                      string
	start, end, events, bytes int64
}

// readIndependently opens the file with DuckDB's own driver and cuts the plain
// table into sessions.
func readIndependently(t *testing.T, path, table string) string {
	t.Helper()
	db, err := sql.Open("duckdb", path+"?access_mode=read_only")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	window := fmt.Sprintf(windowQuery, "host", "event_id", "seen_at", "bytes", table, int64(660_000_000))
	rows, err := db.QueryContext(t.Context(), `SELECT k, t0::bigint, t1::bigint, c::bigint, coalesce(a, 0)::bigint FROM (`+window+`) ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var text strings.Builder
	for rows.Next() {
		var s session
		if err := rows.Scan(&s.host, &s.start, &s.end, &s.events, &s.bytes); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&text, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
