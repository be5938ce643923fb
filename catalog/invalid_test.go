package catalog

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// invalidating makes DuckDB 1.5.6 declare the database invalid, in the second
// run of one plan. It reads a table a.
const invalidating = "SELECT count(*) FROM a WHERE NOT EXISTS (SELECT 1 FROM a AS x ASOF JOIN a AS y ON x.k = y.k AND x.t >= y.t WHERE x.k = a.k)"

// invalidate brings it about on c, and returns the error.
func invalidate(t *testing.T, c *Conn) *Error {
	t.Helper()
	mustExec(t, c, invalidating)
	_, err := c.Exec(t.Context(), invalidating)
	e, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(err, ErrInvalidated) {
		t.Fatalf("DuckDB survived: %v", err)
	}
	return e
}

const invalidTable = "CREATE TABLE a AS SELECT i % 10 AS k, i AS t FROM range(100) AS r(i)"

// A database that DuckDB has declared invalid says so to everybody, closes
// without a checkpoint, and has what was committed when it is opened again.
func TestInvalidated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.duckdb")
	var log bytes.Buffer
	db, err := Open(t.Context(), Options{Path: path, Threads: 2, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	c, reader, writer := connect(t, db), connect(t, db), connect(t, db)
	mustExec(t, c, invalidTable)
	stream, err := reader.Query(t.Context(), "SELECT i FROM range(10000000) AS r(i)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustExec(t, writer, "BEGIN")
	mustExec(t, writer, "INSERT INTO a VALUES (0, 1000)")
	if db.Err() != nil {
		t.Errorf("before: %v", db.Err())
	}

	e := invalidate(t, c)
	if e.SQLState() != "XX000" || !e.Fatal() || e.Hint() == "" {
		t.Errorf("the error is %s %q, hint %q", e.SQLState(), e.Message, e.Hint())
	}
	select {
	case <-db.Invalidated():
	default:
		t.Error("Invalidated is not closed")
	}
	for what, err := range map[string]error{
		"Err":     db.Err(),
		"COMMIT":  second(writer.Exec(t.Context(), "COMMIT")),
		"Connect": second(db.Connect(t.Context())),
	} {
		e, ok := errors.AsType[*Error](err)
		if !ok || e.SQLState() != "57P02" || !e.Fatal() || !errors.Is(err, ErrInvalidated) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, invalidating) {
		t.Errorf("the log has not one line with the statement:\n%s", said)
	}

	closeAll(t, c, reader, writer, db)
	if holds, err := holdsOpen(path); err != nil || holds {
		t.Errorf("the file is still open (%v)", err)
	}
	if _, err := os.Stat(path + ".wal"); err != nil {
		t.Errorf("memory that cannot be trusted was written to the file: %v", err)
	}
	again := openFile(t, path)
	c = connect(t, again)
	var rows int64
	if err := c.QueryRow(t.Context(), "SELECT count(*) FROM a", nil, &rows); err != nil || rows != 100 {
		t.Errorf("%d rows, %v", rows, err)
	}
	closeAll(t, c, again)
}

// Whoever comes after reports the end too, should the one who brought it not
// have learned of it.
func TestInvalidatedUnseen(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	refused := parseError("FATAL Error: Failed: database has been invalidated because of a previous fatal error.")
	if e := db.judge(refused, "SELECT 1"); e != refused || db.Err() != nil {
		t.Errorf("a database that answers is taken for invalid: %v", e)
	}
	mustExec(t, c, invalidTable)
	invalidate(t, c)
	db.invalid, db.invalidated = make(chan struct{}), sync.Once{}
	if _, err := c.Exec(t.Context(), "SELECT 1"); !errors.Is(err, ErrInvalidated) || db.Err() == nil {
		t.Errorf("the second statement: %v, %v", err, db.Err())
	}
}

func second[T any](_ T, err error) error { return err }

// holdsOpen reports whether this process has the file open.
func holdsOpen(path string) (bool, error) {
	const descriptors = "/proc/self/fd"
	entries, err := os.ReadDir(descriptors)
	for _, entry := range entries {
		if name, _ := os.Readlink(filepath.Join(descriptors, entry.Name())); name == path {
			return true, nil
		}
	}
	return false, err
}
