package sqltests

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func copyIn(t *testing.T, conn *pgx.Conn, sql, data string) error {
	t.Helper()
	_, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(data), sql)
	return err
}

func copyOut(t *testing.T, conn *pgx.Conn, sql string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := conn.PgConn().CopyTo(t.Context(), &out, sql); err != nil {
		t.Fatalf("%s: %v", sql, describe(err))
	}
	return out.String()
}

// What a COPY brings is read with its options.
func TestCopyOptions(t *testing.T) {
	conn := serve(t).connect(t)
	for _, test := range []struct{ name, options, data, want string }{
		{"text", "", "1\ta\n2\t\\N\n", "1:a 2:NULL"},
		{"text escapes", "", `1` + "\t" + `tab\tback\\slash\x41` + "\n", "1:tab\tback\\slashA"},
		{"text end mark", "", "1\ta\n\\.\n", "1:a"},
		{"text carriage returns", "", "1\ta\r\n2\tb\r\n", "1:a 2:b"},
		{"no last newline", "", "1\ta", "1:a"},
		{"text delimiter and null", "WITH (DELIMITER '|', NULL 'none')", "1|none\n2|x\n", "1:NULL 2:x"},
		{"csv", "WITH (FORMAT csv)", "1,a\n2,\n3,\"\"\n", "1:a 2:NULL 3:"},
		{"csv quotes", "WITH (FORMAT csv)", "1,\"a,\"\"b\"\"\nc\"\n", "1:a,\"b\"\nc"},
		{"csv header", "WITH (FORMAT csv, HEADER)", "id,word\n1,a\n", "1:a"},
		{"csv header match", "WITH (FORMAT csv, HEADER match)", "n,v\n1,a\n", "1:a"},
		{"csv quote and escape", `WITH (FORMAT csv, QUOTE '''', ESCAPE '\')`, `1,'it\'s'` + "\n", "1:it's"},
		{"csv force null", "WITH (FORMAT csv, FORCE_NULL (v))", "1,\"\"\n", "1:NULL"},
		{"csv force not null", "WITH (FORMAT csv, FORCE_NOT_NULL (v))", "1,\n", "1:"},
		{"old spelling", "CSV HEADER DELIMITER ';'", "n;v\n1;a\n", "1:a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			must(t, conn, "DROP TABLE IF EXISTS t", "CREATE TABLE t (n int, v text)")
			if err := copyIn(t, conn, "COPY t FROM STDIN "+test.options, test.data); err != nil {
				t.Fatal(describe(err))
			}
			got := scalar[string](t, conn, "SELECT string_agg(n || ':' || coalesce(v, 'NULL'), ' ' ORDER BY n) FROM t")
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// A bad line fails the whole COPY, says which line, and changes nothing; the
// connection goes on.
func TestCopyRefusesBadLines(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView)
	rest := strings.Repeat("9\ta\t2026-10-06 09:00:00+00\t1\n", 10_000)
	good := "1\ta\t2026-10-06 09:00:00+00\t1\n"
	for _, test := range []struct{ name, bad, code string }{
		{"not a number", "x\ta\t2026-10-06 09:00:00+00\t1\n", "22P02"},
		{"not a time", "1\ta\tsoon\t1\n", "22007"},
		{"too few columns", "1\ta\n", "22P04"},
		{"too many columns", "1\ta\t2026-10-06 09:00:00+00\t1\t2\n", "22P04"},
		{"out of range", "99999999999999999999\ta\t2026-10-06 09:00:00+00\t1\n", "22003"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := copyIn(t, conn, "COPY events FROM STDIN", good+good+test.bad+rest)
			wantState(t, err, test.code, "")
			if e := pgError(err); !strings.Contains(e.Where+e.Message, "line 3") {
				t.Errorf("the error does not name line 3: %v (where %q)", describe(err), e.Where)
			}
			if n := scalar[int64](t, conn, "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM s)"); n != 0 {
				t.Errorf("%d rows are there after a failed COPY", n)
			}
		})
	}
}

// A client that gives up loads nothing.
func TestCopyFail(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView)
	data := io.MultiReader(strings.NewReader("1\ta\t2026-10-06 09:00:00+00\t1\n"), failingReader{})
	_, err := conn.PgConn().CopyFrom(t.Context(), data, "COPY events FROM STDIN")
	wantState(t, err, "57014", "")
	if n := scalar[int64](t, conn, "SELECT count(*) FROM events"); n != 0 {
		t.Errorf("%d rows are there after CopyFail", n)
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("the client gives up") }

// What goes out by COPY comes in again, in every format.
func TestCopyRoundTrip(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView,
		"INSERT INTO events SELECT i, 'k' || i % 7, TIMESTAMPTZ '2026-10-06 09:00:00+00' + i * INTERVAL '90 seconds', CASE WHEN i % 5 > 0 THEN i END FROM range(5000) r(i)",
		"CREATE TABLE copied AS SELECT * FROM events LIMIT 0")
	for _, format := range []string{"text", "csv", "binary"} {
		t.Run(format, func(t *testing.T) {
			must(t, conn, "DELETE FROM copied")
			options := fmt.Sprintf(" (FORMAT %s)", format)
			out := copyOut(t, conn, "COPY (SELECT * FROM events ORDER BY event_id) TO STDOUT"+options)
			if err := copyIn(t, conn, "COPY copied FROM STDIN"+options, out); err != nil {
				t.Fatal(describe(err))
			}
			if n := scalar[int64](t, conn, "SELECT count(*) FROM ("+differences("SELECT * FROM events", "SELECT * FROM copied")+") d"); n != 0 {
				t.Errorf("%d rows differ", n)
			}
			if again := copyOut(t, conn, "COPY (SELECT * FROM copied ORDER BY event_id) TO STDOUT"+options); again != out {
				t.Error("the second COPY out differs from the first")
			}
		})
	}
}

// COPY reads SESSIONIZE and maintained views as any query.
func TestCopyOfSessions(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView,
		`INSERT INTO events VALUES (1, 'a', '2026-10-06 09:00:00+00', 74), (2, 'a', '2026-10-06 09:11:00+00', 9)`)
	for _, relation := range []string{"s", "SESSIONIZE(events, gap => '11 min')"} {
		got := copyOut(t, conn, "COPY (SELECT account_id, session_start, amount FROM "+relation+") TO STDOUT (FORMAT csv, HEADER)")
		if want := "account_id,session_start,amount\na,2026-10-06 09:00:00+00,83\n"; got != want {
			t.Errorf("%s: %q, want %q", relation, got, want)
		}
	}
}

// A COPY in a transaction is undone with it, and seen by it.
func TestCopyInTransaction(t *testing.T) {
	conn := serve(t).connect(t)
	must(t, conn, historyTable, historyView, "BEGIN")
	if err := copyIn(t, conn, "COPY events FROM STDIN", "1\ta\t2026-10-06 09:00:00+00\t74\n"); err != nil {
		t.Fatal(describe(err))
	}
	if n := scalar[int64](t, conn, "SELECT amount::bigint FROM s"); n != 74 {
		t.Errorf("the transaction sees %d, want its own 74", n)
	}
	must(t, conn, "ROLLBACK")
	if n := scalar[int64](t, conn, "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM s_revisions)"); n != 0 {
		t.Errorf("%d rows are left after the rollback", n)
	}
}
