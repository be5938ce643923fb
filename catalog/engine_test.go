package catalog

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func openFile(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), Options{Path: path, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func closeAll(t *testing.T, closers ...io.Closer) {
	t.Helper()
	for _, c := range closers {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessiondb_data.duckdb") // named like the alias
	for i := range 3 {
		db := openFile(t, path)
		c := connect(t, db)
		mustExec(t, c, "CREATE TABLE IF NOT EXISTS t (i INTEGER)")
		mustExec(t, c, "INSERT INTO t VALUES (1)")
		var n int64
		if err := c.QueryRow(t.Context(), "SELECT count(*) FROM t", nil, &n); err != nil || n != int64(i+1) {
			t.Errorf("%d rows, %v", n, err)
		}
		closeAll(t, c, db, db)
		if _, err := os.Stat(path + ".wal"); err == nil {
			t.Error("closing left a write-ahead log")
		}
	}
}

func TestCloseWaitsForConnections(t *testing.T) {
	db, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, db)
	closed := make(chan error)
	go func() { closed <- db.Close() }()
	select {
	case err := <-closed:
		t.Fatalf("closed while a connection was open: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	mustExec(t, c, "SELECT 1")
	closeAll(t, c)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := db.Connect(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestLocked has another process hold the file.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "held.duckdb")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	holder := exec.CommandContext(t.Context(), self)
	holder.Env = append(os.Environ(), holdFile+"="+path)
	in, err1 := holder.StdinPipe()
	out, err2 := holder.StdoutPipe()
	if err := errors.Join(err1, err2, holder.Start()); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatal(line, err)
	}
	_, err = Open(t.Context(), Options{Path: path})
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), strconv.Itoa(holder.Process.Pid)) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	if err := errors.Join(in.Close(), holder.Wait()); err != nil {
		t.Fatal(err)
	}
	closeAll(t, openFile(t, path))
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.duckdb")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		path string
		kind error
	}{
		{text, ErrNotDuckDB},
		{dir, ErrNotDuckDB},
		{filepath.Join(dir, "missing", "x.duckdb"), ErrNotWritable},
	} {
		_, err := Open(t.Context(), Options{Path: want.path})
		var e *OpenError
		if !errors.As(err, &e) || !errors.Is(err, want.kind) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %v", want.path, err, want.kind)
		}
	}
	if _, err := Open(t.Context(), Options{MemoryLimit: "plenty"}); err == nil {
		t.Error("a memory limit that is none was taken")
	}
}

func TestOpenReadOnlyFile(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("everything can be written by root; what is refused is the directory /proc")
		_, err := Open(t.Context(), Options{Path: "/proc/x.duckdb"})
		if !errors.Is(err, ErrNotWritable) {
			t.Error(err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "x.duckdb")
	closeAll(t, openFile(t, path))
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Path: path}); !errors.Is(err, ErrNotWritable) {
		t.Error(err)
	}
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSettings checks what every connection starts with, and that none can
// change it for the others.
func TestSettings(t *testing.T) {
	db := testDB(t)
	a := connect(t, db)
	mustExec(t, a, "SET GLOBAL TimeZone = 'Asia/Tokyo'")
	b := connect(t, db)
	mustExec(t, a, "SET TimeZone = 'Asia/Tokyo'")
	mustExec(t, a, "SET search_path = 'main'")
	for sql, want := range map[string]string{
		"SELECT current_database()":          DatabaseName,
		"SELECT current_setting('TimeZone')": "UTC",
		"SELECT (3 / 2)::VARCHAR":            "1",
		"SELECT string_agg(coalesce(v, '-') ORDER BY v DESC) FROM (VALUES ('a'), (NULL)) t(v)": "-,a",
		"SELECT (TIMESTAMPTZ '2024-01-01 00:00:00+00')::VARCHAR":                               "2024-01-01 00:00:00+00",
	} {
		var got string
		if err := b.QueryRow(t.Context(), sql, nil, &got); err != nil || got != want {
			t.Errorf("%s: %q, %v", sql, got, err)
		}
	}
	for _, sql := range []string{
		"SET memory_limit = '100GB'",
		"SET errors_as_json = false",
		"RESET lock_configuration",
		"ATTACH '" + filepath.Join(t.TempDir(), "x.duckdb") + "'",
		"COPY (SELECT 1) TO '" + filepath.Join(t.TempDir(), "x.csv") + "'",
		"EXPORT DATABASE '" + t.TempDir() + "'",
		"SELECT * FROM read_csv('/etc/passwd')",
		"SELECT * FROM '/etc/passwd'",
	} {
		if _, err := a.Exec(t.Context(), sql); err == nil {
			t.Errorf("it executed %s", sql)
		}
	}
}

func TestCheckpointMovesLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.duckdb")
	db := openFile(t, path)
	c := connect(t, db)
	defer closeAll(t, c, db)
	mustExec(t, c, "CREATE TABLE t AS SELECT range AS i FROM range(1000)")
	if _, err := os.Stat(path + ".wal"); err != nil {
		t.Fatal(err)
	}
	if err := db.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + ".wal"); err == nil && info.Size() > 0 {
		t.Errorf("the log has still %d bytes", info.Size())
	}
	mustExec(t, c, "INSERT INTO t VALUES (1)")
}

// TestCheckpointWhenIdle writes a log that is worth a checkpoint, and waits
// for it.
func TestCheckpointWhenIdle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.duckdb")
	db := openFile(t, path)
	c := connect(t, db)
	defer closeAll(t, c, db)
	mustExec(t, c, "CREATE TABLE t (i BIGINT, s VARCHAR)")
	for range 9 { // in parts too small to go past the log
		mustExec(t, c, "INSERT INTO t SELECT range, md5(range::VARCHAR) FROM range(100000)")
	}
	info, err := os.Stat(path + ".wal")
	if err != nil || info.Size() < largeLog {
		t.Fatal(info, err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		if info, err := os.Stat(path + ".wal"); err != nil || info.Size() < largeLog {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no checkpoint was made")
		}
		time.Sleep(10 * time.Millisecond)
	}
	var n int64
	if err := c.QueryRow(t.Context(), "SELECT count(*) FROM t", nil, &n); err != nil || n != 900000 {
		t.Error(n, err)
	}
}

// TestSpill sorts more than the memory limit holds: the temporary directory
// must be reachable though no other is.
func TestSpill(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), Options{Path: filepath.Join(dir, "x.duckdb"), Threads: 1, MemoryLimit: "60MB", TempLimit: "1GB"})
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, db)
	defer closeAll(t, c, db)
	mustExec(t, c, "CREATE TEMP TABLE t AS SELECT md5(i::VARCHAR) AS s, i FROM range(1500000) r(i)")
	var n int64
	err = c.QueryRow(t.Context(), "SELECT count(*) FROM (SELECT s, lag(s) OVER (ORDER BY s) AS l FROM t) WHERE l > s", nil, &n)
	if err != nil || n != 0 {
		t.Error(n, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.duckdb.tmp")); err != nil {
		t.Error("nothing was spilled:", err)
	}
}
