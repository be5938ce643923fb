package sqltests

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// rowBytes is the width of the large result's rows as text.
const rowBytes = 1000

// largeQuery is a result of *rows rows, which is far larger than all buffers
// between its ends: the kernel keeps a few megabytes of a connection.
func largeQuery() string {
	return fmt.Sprintf("SELECT i, lpad(i::text, %d, 'x') FROM range(%d) r(i)", rowBytes-20, *rows)
}

// mayGrow bounds how much larger the server may be while a result passes that
// is twice as large at least: what the first large statement takes for good,
// and buffers.
const mayGrow = 128 << 20

// A receiver reads the large result in one of the ways that clients do. It
// calls seen as its rows come, in pieces.
type receiver struct {
	name string
	read func(ctx context.Context, conn *pgconn.PgConn, seen func(rows int64)) error
}

func receivers() []receiver {
	return []receiver{
		{"simple text", func(ctx context.Context, conn *pgconn.PgConn, seen func(int64)) error {
			results := conn.Exec(ctx, largeQuery())
			for results.NextResult() {
				readAll(results.ResultReader(), seen)
			}
			return results.Close()
		}},
		{"extended binary", func(ctx context.Context, conn *pgconn.PgConn, seen func(int64)) error {
			reader := conn.ExecParams(ctx, largeQuery(), nil, nil, nil, []int16{1})
			readAll(reader, seen)
			_, err := reader.Close()
			return err
		}},
		{"copy text", func(ctx context.Context, conn *pgconn.PgConn, seen func(int64)) error {
			_, err := conn.CopyTo(ctx, &lineCounter{seen: seen}, "COPY ("+largeQuery()+") TO STDOUT")
			return err
		}},
		{"copy binary", func(ctx context.Context, conn *pgconn.PgConn, seen func(int64)) error {
			sink := &byteCounter{seen: seen}
			_, err := conn.CopyTo(ctx, sink, "COPY ("+largeQuery()+") TO STDOUT (FORMAT binary)")
			return err
		}},
	}
}

func readAll(reader *pgconn.ResultReader, seen func(int64)) {
	for reader.NextRow() {
		seen(1)
	}
}

// A lineCounter counts what COPY in text sends.
type lineCounter struct{ seen func(int64) }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.seen(int64(bytes.Count(p, []byte("\n"))))
	return len(p), nil
}

// A byteCounter counts what COPY in binary sends, by the width of its rows:
// the count of fields, an int8 and the text, each with its length.
type byteCounter struct {
	seen  func(int64)
	bytes int64
}

func (c *byteCounter) Write(p []byte) (int, error) {
	const width = 2 + 4 + 8 + 4 + rowBytes - 20
	before := c.bytes / width
	c.bytes += int64(len(p))
	c.seen(c.bytes/width - before)
	return len(p), nil
}

// A large result passes through the server without being kept: its memory
// grows by a small part of it, whatever way the client reads.
func TestLargeResultsAreNotKept(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		t.Skip("needs Linux's /proc to see how much memory a process has")
	}
	p := startProcess(t, databasePath(t))
	t.Cleanup(func() { p.end(t, os.Interrupt) })
	conn := connectTo(t, p.url).PgConn()
	warm := conn.ExecParams(t.Context(), "SELECT i FROM range(10000) r(i)", nil, nil, nil, nil).Read()
	if warm.Err != nil {
		t.Fatal(describe(warm.Err))
	}
	for _, way := range receivers() {
		t.Run(way.name, func(t *testing.T) {
			before := residentMemory(t, p.cmd.Process.Pid, "VmRSS")
			forgetPeak(t, p.cmd.Process.Pid)
			var n int64
			if err := way.read(t.Context(), conn, func(rows int64) { n += rows }); err != nil {
				t.Fatal(describe(err))
			}
			if n != int64(*rows) {
				t.Errorf("%d rows, want %d", n, *rows)
			}
			grown := residentMemory(t, p.cmd.Process.Pid, "VmHWM") - before
			result := int64(*rows) * rowBytes
			t.Logf("%d MB passed, the server grew by %d MB", result>>20, grown>>20)
			if grown > mayGrow {
				t.Errorf("the server grew by %d MB for a result of %d MB", grown>>20, result>>20)
			}
		})
	}
}

// residentMemory is a line of /proc/pid/status, in bytes.
func residentMemory(t *testing.T, pid int, line string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), line+":")
	kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// forgetPeak makes the peak of a process's memory what it has now.
func forgetPeak(t *testing.T, pid int) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}

// The first row is there while the query still runs: its reader has stopped,
// and what it has not read is more than all that lies between could hold. When
// the reader's socket is closed, the query ends, and its connection with it;
// so does one that has sent nothing yet.
func TestClosedSocketStopsTheQuery(t *testing.T) {
	for _, test := range []struct {
		name, sql string
		until     byte // the message that the reader waits for
	}{
		{"simple, in the middle of its rows", largeQuery(), 'D'},
		{"copy, in the middle of its rows", "COPY (" + largeQuery() + ") TO STDOUT", 'd'},
		{"before its first row", endless, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t)
			socket := startUp(t, s.addr.String())
			front := pgproto3.NewFrontend(nil, socket)
			front.Send(&pgproto3.Query{String: test.sql})
			if err := front.Flush(); err != nil {
				t.Fatal(err)
			}
			if test.until != 0 {
				awaitMessage(t, socket, test.until)
			}
			awaitCalls(t, runningStatement, 1)
			goesOn(t)
			if err := socket.Close(); err != nil {
				t.Fatal(err)
			}
			awaitCalls(t, runningStatement, 0)
			awaitCalls(t, openConnection, 0)
			must(t, s.connect(t), "SELECT 1")
		})
	}
}

// startUp opens a connection by hand, with a small receive buffer, and reads up
// to ReadyForQuery.
func startUp(t *testing.T, address string) net.Conn {
	t.Helper()
	socket, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	if err := socket.(*net.TCPConn).SetReadBuffer(64 << 10); err != nil {
		t.Fatal(err)
	}
	front := pgproto3.NewFrontend(nil, socket)
	front.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "tester", "database": "events"}})
	if err := front.Flush(); err != nil {
		t.Fatal(err)
	}
	awaitMessage(t, socket, 'Z')
	return socket
}

// awaitMessage reads messages up to the first of a kind, and not a byte more.
func awaitMessage(t *testing.T, socket net.Conn, kind byte) {
	t.Helper()
	if err := socket.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReaderSize(socket, 16) // what it holds is lost with it
	for {
		var header [5]byte
		if _, err := io.ReadFull(reader, header[:]); err != nil {
			t.Fatalf("before a message %c: %v", kind, err)
		}
		length := int(header[1])<<24 | int(header[2])<<16 | int(header[3])<<8 | int(header[4]) - 4
		if _, err := io.CopyN(io.Discard, reader, int64(length)); err != nil {
			t.Fatal(err)
		}
		if header[0] == kind {
			return
		}
	}
}

// What a server of this process does, as the stacks of its goroutines tell.
const (
	openConnection   = "wire.(*conn).serve("
	runningStatement = "planner.(*portal).Run("
)

// calls counts the goroutines in which a function runs.
func calls(function string) int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return strings.Count(string(stacks), function)
}

func awaitCalls(t *testing.T, function string, want int) {
	t.Helper()
	for range 500 {
		if calls(function) == want {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%d calls of %s, want %d", calls(function), function, want)
}

// goesOn fails the test if the statement ends, which has rows left that have no
// place to go, or an endless count before it.
func goesOn(t *testing.T) {
	t.Helper()
	for range 10 {
		if calls(runningStatement) != 1 {
			t.Fatal("the statement has ended")
		}
		time.Sleep(20 * time.Millisecond)
	}
}
