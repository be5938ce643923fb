package sqltests

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sessiondb/sessiondb/catalog"
)

// DuckDB's own SQL means through the server what it means to DuckDB: each
// statement of testdata/duckdb.sql runs on both, and answers the same rows.
// A line that begins with ! must be refused with the SQLSTATE after it.
func TestDuckDBsOwnSQL(t *testing.T) {
	text, err := os.ReadFile("testdata/duckdb.sql")
	if err != nil {
		t.Fatal(err)
	}
	conn := serve(t).connect(t).PgConn()
	direct := openDuckDB(t)
	ran := 0
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		ran++
		if refused, ok := strings.CutPrefix(line, "!"); ok {
			state, sql, _ := strings.Cut(refused, " ")
			wantRefused(t, conn, i+1, state, sql)
			continue
		}
		compareWithDuckDB(t, conn, direct, i+1, line)
	}
	if ran < 80 {
		t.Errorf("only %d statements ran", ran)
	}
}

// openDuckDB opens a database in memory that no server is in front of.
func openDuckDB(t *testing.T) *catalog.Conn {
	t.Helper()
	db, err := catalog.Open(t.Context(), catalog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		_ = db.Close()
	})
	return conn
}

func wantRefused(t *testing.T, conn *pgconn.PgConn, line int, state, sql string) {
	t.Helper()
	_, err := simple(t.Context(), conn, sql)
	if got := codeOf(err); got != state {
		t.Errorf("line %d: %s: got %v, want %s", line, sql, describe(err), state)
	}
}

func codeOf(err error) string {
	if e, ok := err.(*pgconn.PgError); ok { //nolint:errorlint // as pgconn returns it
		return e.Code
	}
	return ""
}

// compareWithDuckDB runs a statement on both sides. To DuckDB a query is given
// as text, so that its values are compared in one form.
func compareWithDuckDB(t *testing.T, conn *pgconn.PgConn, direct *catalog.Conn, line int, sql string) {
	t.Helper()
	if word, _, _ := strings.Cut(strings.ToLower(sql), " "); slices.Contains([]string{"create", "insert", "update", "delete"}, word) {
		if _, err := simple(t.Context(), conn, sql); err != nil {
			t.Errorf("line %d: %s: %v", line, sql, describe(err))
		}
		if _, err := direct.Exec(t.Context(), sql); err != nil {
			t.Fatalf("line %d: DuckDB: %s: %v", line, sql, err)
		}
		return
	}
	ours, err := simple(t.Context(), conn, "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ("+sql+")")
	if err != nil {
		t.Errorf("line %d: %s: %v", line, sql, describe(err))
		return
	}
	if _, err := simple(t.Context(), conn, sql); err != nil {
		t.Errorf("line %d: %s alone: %v", line, sql, describe(err))
	}
	theirs := duckdbRows(t, direct, line, sql)
	if got := ours.lines(); !slices.Equal(got, theirs) {
		t.Errorf("line %d: %s\n  sessiondb %q\n  DuckDB    %q", line, sql, got, theirs)
	}
}

// duckdbRows are a query's rows, as answer.lines writes them.
func duckdbRows(t *testing.T, direct *catalog.Conn, line int, sql string) []string {
	t.Helper()
	rows, err := direct.Query(t.Context(), "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ("+sql+")")
	if err != nil {
		t.Fatalf("line %d: DuckDB: %s: %v", line, sql, err)
	}
	defer rows.Close()
	var lines []string
	err = rows.Each(t.Context(), func(c *catalog.Chunk) error {
		for r := range c.Rows() {
			var out []string
			for i := range c.Cols() {
				out = append(out, duckdbCell(c, i, r))
			}
			lines = append(lines, strings.Join(out, " | "))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("line %d: DuckDB: %s: %v", line, sql, err)
	}
	return lines
}

func duckdbCell(c *catalog.Chunk, column, row int) string {
	switch {
	case c.Col(column).IsNull(row):
		return "NULL"
	case c.Col(column).Strings()[row] == "":
		return "''"
	default:
		return strings.Clone(c.Col(column).Strings()[row])
	}
}
