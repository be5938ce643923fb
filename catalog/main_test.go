package catalog

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// holdFile, in the environment, makes the test binary a process that opens
// the file it names and holds it until its standard input ends.
const holdFile = "SESSIONDB_TEST_HOLD_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(holdFile); path != "" {
		os.Exit(holdOpen(path))
	}
	goleak.VerifyTestMain(m)
}

func holdOpen(path string) int {
	db, err := Open(context.Background(), Options{Path: path})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("open")
	_, _ = os.Stdin.Read(make([]byte, 1))
	if err := db.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// testDB opens a database in memory for a test.
func testDB(tb testing.TB) *DB {
	tb.Helper()
	db, err := Open(tb.Context(), Options{Threads: 2})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

// testConn opens a database in memory and a connection to it.
func testConn(tb testing.TB) *Conn {
	tb.Helper()
	return connect(tb, testDB(tb))
}

func connect(tb testing.TB, db *DB) *Conn {
	tb.Helper()
	c, err := db.Connect(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

func mustExec(tb testing.TB, c *Conn, sql string, args ...any) int64 {
	tb.Helper()
	n, err := c.Exec(tb.Context(), sql, args...)
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	return n
}

// values reads a whole result.
func values(tb testing.TB, c *Conn, sql string, args ...any) [][]any {
	tb.Helper()
	rows, err := c.Query(tb.Context(), sql, args...)
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	var out [][]any
	for chunk, err := range chunks(rows) {
		if err != nil {
			tb.Fatalf("%s: %v", sql, err)
		}
		for i := range chunk.Rows() {
			row := make([]any, chunk.Cols())
			for j := range row {
				row[j] = chunk.Col(j).Value(i)
			}
			out = append(out, row)
		}
	}
	return out
}
