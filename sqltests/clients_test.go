package sqltests

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// need ends a test that needs a program which this machine lacks. Where CI is
// set nothing may be lacking.
func need(t *testing.T, program string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil && len(args) > 0 {
		err = exec.Command(path, args...).Run()
	}
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatalf("%s %v: %v", program, args, err)
	default:
		t.Skipf("needs %s %v, which is not installed here: %v", program, args, err)
	}
	return path
}

// everything is one table with a column of each type.
func everything() (create string, cases []typeCase, rows int) {
	cases = typeCases()
	columns := make([]string, len(cases))
	for i, c := range cases {
		columns[i] = fmt.Sprintf("c%d %s", i, c.ddl)
		rows = max(rows, len(c.values))
	}
	return "CREATE TABLE everything (n int, " + strings.Join(columns, ", ") + ")", cases, rows
}

// psql creates, loads, queries and reads back every type.
func TestPsqlTypes(t *testing.T) { testPsqlTypes(t, serve(t).url()) }

func testPsqlTypes(t *testing.T, url string) {
	t.Helper()
	psql := need(t, "psql")
	create, cases, rows := everything()
	var script strings.Builder
	fmt.Fprintf(&script, "SET TimeZone = 'UTC';\nDROP TABLE IF EXISTS everything;\n%s;\nCOPY everything FROM STDIN;\n", create)
	var want [][]string
	for n := range rows {
		line, cells := []string{fmt.Sprint(n)}, []string{fmt.Sprint(n)}
		for _, c := range cases {
			value := c.values[n%len(c.values)]
			cells = append(cells, value)
			line = append(line, strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`).Replace(value))
		}
		want = append(want, cells)
		script.WriteString(strings.Join(line, "\t") + "\n")
	}
	script.WriteString("\\.\n\\pset format csv\n\\pset tuples_only on\nSELECT * FROM everything ORDER BY n;\n")
	cmd := exec.Command(psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", url)
	cmd.Stdin = strings.NewReader(script.String())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	got, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d rows, want %d (%v)", len(got), len(want), err)
	}
	for i, row := range want {
		for j, value := range row {
			if got[i][j] != value {
				t.Errorf("row %d, column %d: %q came back as %q", i, j, value, got[i][j])
			}
		}
	}
}

// psycopg2 does the same with Python's values.
func TestPsycopg2Types(t *testing.T) { testPsycopg2Types(t, serve(t).url()) }

func testPsycopg2Types(t *testing.T, url string) {
	t.Helper()
	python := need(t, "/usr/bin/python3", "-c", "import psycopg2")
	out, err := exec.Command(python, "clients/types_psycopg2.py", url).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// The late bridge, types, COPY, cursors, transactions, notifications and errors
// as other clients meet them. Each program ends with how many checks passed.
func TestClients(t *testing.T) {
	const modules = "for (const m of ['pg', 'pg-cursor', 'pg-copy-streams']) require('./clients/node_modules/' + m)"
	for _, client := range []struct{ name, program, option, needs, script string }{
		{"psycopg 3", "/usr/bin/python3", "-c", "import psycopg", "clients/psycopg3.py"},
		{"SQLAlchemy", "/usr/bin/python3", "-c", "import sqlalchemy, psycopg2", "clients/sqlalchemy_orm.py"},
		{"node-postgres", "node", "-e", modules, "clients/node_postgres.mjs"},
	} {
		t.Run(client.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(need(t, client.program, client.option, client.needs), client.script, serve(t).url())
			cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasSuffix(string(out), " checks passed\n") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

// What psql's backslash commands show of a small database.
func TestPsqlDescribes(t *testing.T) {
	psql := need(t, "psql")
	s := serve(t)
	must(t, s.connect(t),
		"CREATE TABLE events (event_id text, account_id text, event_at timestamptz, amount numeric(12,2))",
		"CREATE VIEW big AS SELECT * FROM events WHERE amount > 100",
		"CREATE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, gap => '11 min')")
	for _, test := range []struct {
		command    string
		with, miss []string
	}{
		{`\d`, []string{"public|events|table", "public|big|view", "public|visits|materialized view"}, []string{"pg_class"}},
		{`\dt`, []string{"public|events|table"}, []string{"|big|", "|visits|"}},
		{`\dv`, []string{"public|big|view"}, []string{"|events|"}},
		{`\dm`, []string{"public|visits|materialized view"}, []string{"|events|"}},
		{`\d events`, []string{"event_at|timestamp with time zone", "amount|numeric(12,2)"}, nil},
		{`\d visits`, []string{"account_id|text", "session_id|uuid", "revision|", "session_start|timestamp with time zone", "session_state|text", "event_count|bigint"}, nil},
		{`\dn`, []string{"public"}, nil},
		{`\l`, []string{"events"}, nil},
		{`\conninfo`, []string{"connected"}, nil},
	} {
		out, err := exec.Command(psql, "-X", "-q", "-A", "-v", "ON_ERROR_STOP=1", "-c", test.command, s.url()).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", test.command, err, out)
			continue
		}
		for _, part := range test.with {
			if !strings.Contains(string(out), part) {
				t.Errorf("%s does not show %q:\n%s", test.command, part, out)
			}
		}
		for _, part := range test.miss {
			if strings.Contains(string(out), part) {
				t.Errorf("%s shows %q:\n%s", test.command, part, out)
			}
		}
	}
}

// A client that names no database just works.
func TestPsqlNamesNoDatabase(t *testing.T) {
	psql := need(t, "psql")
	address, err := url.Parse(serve(t).url())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(psql, "-X", "-A", "-t", "-h", address.Hostname(), "-p", address.Port(), "-c", "SELECT 1")
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Errorf("%v\n%s", err, out)
	}
}

// Ctrl-C in psql cancels the statement. It is pressed again and again, because
// psql ignores it until the statement runs.
func TestPsqlCancel(t *testing.T) {
	psql := need(t, "psql")
	cmd := exec.Command(psql, "-X", "-A", "-t", serve(t).url())
	cmd.Stdin = strings.NewReader(endless + ";\n")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for waiting := true; waiting; {
		select {
		case <-ended:
			waiting = false
		case <-time.After(300 * time.Millisecond):
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
	if text := out.String(); !strings.Contains(text, "canceling statement due to user request") {
		t.Errorf("psql says %s", text)
	}
}
