package sqltests

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// differences documents what stays different; each line of its tables begins
// with the name that the cases give as their reason.
const differencesPage = "../docs/POSTGRES.md"

// The same messages go to PostgreSQL 15 and to sessiondb, in simple messages
// and in extended ones with text and with binary results, and the answers must
// be equal, but for the differences that each case states.
func TestDifferential(t *testing.T) {
	paths, err := filepath.Glob("testdata/differential/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no cases: ", err)
	}
	reasons := documentedReasons(t)
	used := map[string]bool{}
	postgres := startPostgres(t)
	for _, path := range paths {
		cases := readCases(t, path)
		t.Run(strings.TrimSuffix(filepath.Base(path), ".sql"), func(t *testing.T) {
			found := map[*diffCase][]string{}
			for _, mode := range []string{"simple", "text", "binary"} {
				t.Run(mode, func(t *testing.T) { newDuel(t, postgres, mode).run(cases, found) })
			}
			wantStated(t, path, cases, found)
		})
		for _, c := range cases {
			if c.reason != "" && !reasons[c.reason] {
				t.Errorf("%s:%d: %s has no line for %q", path, c.line, differencesPage, c.reason)
			}
			used[c.reason] = true
		}
	}
	for reason := range reasons {
		if !used[reason] {
			t.Errorf("%s explains %q, which no case shows", differencesPage, reason)
		}
	}
}

// documentedReasons are the names in the first column of the page's tables.
func documentedReasons(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(differencesPage)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		reasons[m[1]] = true
	}
	return reasons
}

// wantStated fails for a stated difference that no mode showed.
func wantStated(t *testing.T, path string, cases []*diffCase, found map[*diffCase][]string) {
	t.Helper()
	for _, c := range cases {
		for _, aspect := range c.aspects {
			if !slices.Contains(found[c], aspect) {
				t.Errorf("%s:%d: the answers do not differ in %s any more: %s", path, c.line, aspect, c)
			}
		}
	}
}

// A duel is both servers with the connections that a file's cases use.
type duel struct {
	t        *testing.T
	mode     string
	postgres *postgres
	server   *server
	pairs    map[string][2]*talker
}

const duelDatabase = "events"

func newDuel(t *testing.T, p *postgres, mode string) *duel {
	t.Helper()
	admin, err := pgx.Connect(t.Context(), p.url("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close(t.Context()) }()
	must(t, admin, "DROP DATABASE IF EXISTS "+duelDatabase+" WITH (FORCE)", "CREATE DATABASE "+duelDatabase)
	return &duel{t: t, mode: mode, postgres: p, server: serve(t), pairs: map[string][2]*talker{}}
}

// pair is a connection to each server, ours first.
func (d *duel) pair(name string) [2]*talker {
	if p, ok := d.pairs[name]; ok {
		return p
	}
	p := [2]*talker{
		dialTalker(d.t, "tcp", d.server.addr.(*net.TCPAddr).String(), duelDatabase),
		dialTalker(d.t, "unix", d.postgres.socket(), duelDatabase),
	}
	d.pairs[name] = p
	list := differing(p[0].start.withoutVersion(), p[1].start.withoutVersion())
	if len(list) > 0 {
		d.t.Errorf("the start-up differs in\n%s", contrast(p[0].start, p[1].start, list))
	}
	return p
}

func (d *duel) run(cases []*diffCase, found map[*diffCase][]string) {
	for _, c := range cases {
		if c.hasArgs && d.mode == "simple" {
			continue
		}
		pair := d.pair(c.conn)
		ours, err := pair[0].say(c, d.mode)
		if err != nil {
			d.t.Fatalf("line %d: sessiondb: %v\n%s", c.line, err, c)
		}
		theirs, err := pair[1].say(c, d.mode)
		if err != nil {
			d.t.Fatalf("line %d: PostgreSQL: %v\n%s", c.line, err, c)
		}
		list := differing(ours, theirs)
		found[c] = append(found[c], list...)
		if !slices.ContainsFunc(list, func(aspect string) bool { return !c.accepts(aspect) }) {
			if len(list) > 0 {
				d.t.Logf("line %d, %s: %s\n%s", c.line, c.reason, c, contrast(ours, theirs, list))
			}
			continue
		}
		d.t.Errorf("line %d: %s\n  differs in %s\n%s", c.line, c, strings.Join(list, " "), contrast(ours, theirs, list))
	}
}
