package wire

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// pipe serves one connection over an in-memory pipe.
func pipe(t *testing.T, log io.Writer, backend Backend) (net.Conn, chan struct{}) {
	t.Helper()
	cfg := Config{MaxStatements: 4, MaxPortals: 4, MaxMessageSize: 1 << 16, Logger: slog.New(slog.NewTextHandler(log, nil))}
	server, err := New(cfg, backend)
	if err != nil {
		t.Fatal(err)
	}
	near, far := net.Pipe()
	done := make(chan struct{})
	c, err := server.register(far)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		defer server.remove(c)
		c.serve()
	}()
	_ = near.SetDeadline(time.Now().Add(10 * time.Second))
	return near, done
}

// vocabulary is what the fuzzer says, a byte for each.
var vocabulary = strings.Split(strings.TrimSpace(`
S
H
P - - rows 3
P a - rows 3
P a - insert 1
P b 20 echo 20 25
P - - wrong
P - - begin
P - - commit
P - - fail 22012
P - - halfway 2
P - - notice hello
P - - copyout csv 2
P - - deallocate a
P - - deferred
B - -
B p -
B p a
B q b /1,x
B q b /x,x
B - - //1
D S a
D S -
D P p
D P -
E - 0
E - 2
E p 1
C S a
C P p
C S -
d "data"
c
f reason
Q rows 2; insert 1
Q begin
Q commit
Q rollback
Q fail 22012
Q
F
Q copyin text 1
P - - copyin csv 2
`), "\n")

// FuzzLoop plays messages: there is no panic, every statement and portal is
// closed (W9), and there are as many ReadyForQuery as there should be (W1): one
// for each Sync; one for each Query or FunctionCall too, but for those skipped
// after an error or, with their Sync, swallowed by a COPY.
func FuzzLoop(f *testing.F) {
	f.Add([]byte{2, 15, 23, 25, 0})
	f.Add([]byte{0, 0, 6, 34, 0, 34})
	f.Add([]byte{41, 31, 32, 0})
	f.Add([]byte{42, 15, 25, 31, 0, 32, 0})
	f.Add([]byte{35, 3, 17, 27, 0, 27, 0, 36, 27, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 200 {
			return
		}
		var messages []pgproto3.FrontendMessage
		syncs, others, copies := 0, 0, false
		for _, b := range script {
			line := vocabulary[int(b)%len(vocabulary)]
			m, err := parseMessage(line)
			if err != nil {
				t.Fatal(err)
			}
			switch m.(type) {
			case *pgproto3.Sync:
				syncs++
			case *pgproto3.Query, *pgproto3.FunctionCall:
				others++
			}
			copies = copies || strings.Contains(line, "copyin")
			messages = append(messages, m)
		}
		ready, fatal := playScript(t, messages)
		switch {
		case fatal && copies:
			// A Query inside a COPY ends the connection.
		case fatal:
			t.Error("the connection ended")
		case copies && ready > syncs+others, !copies && (ready < syncs || ready > syncs+others), !copies && others == 0 && ready != syncs:
			t.Errorf("W1: %d Sync, %d Query, %d ReadyForQuery", syncs, others, ready)
		}
	})
}

// playScript sends messages and a Terminate, and counts the ReadyForQuery
// that come back after that of the start-up.
func playScript(t *testing.T, messages []pgproto3.FrontendMessage) (ready int, fatal bool) {
	t.Helper()
	var log lockedBuffer
	backend := newFakeBackend()
	near, done := pipe(t, &log, backend)
	front := pgproto3.NewFrontend(near, near)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		front.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "u"}})
		for _, m := range messages {
			front.Send(m)
		}
		front.Send(&pgproto3.Terminate{})
		_ = front.Flush()
	}()
	back := pgproto3.NewFrontend(near, io.Discard)
	for {
		m, err := back.Receive()
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("receive: %v", err)
			}
			break
		}
		switch m := m.(type) {
		case *pgproto3.ReadyForQuery:
			ready++
		case *pgproto3.ErrorResponse:
			fatal = fatal || m.Severity == SeverityFatal
		}
	}
	_ = near.Close()
	<-sent
	<-done
	if strings.Contains(log.String(), "msg=panic") {
		t.Errorf("panic: %s", log.String())
	}
	if live := backend.live.Load(); live != 0 {
		t.Errorf("W9: %d statements or portals were not closed", live)
	}
	return ready - 1, fatal
}

// FuzzBytes sends anything at all after the start-up: the connection ends, and
// nothing panics.
func FuzzBytes(f *testing.F) {
	f.Add([]byte("Q\x00\x00\x00\x0brows 2\x00S\x00\x00\x00\x04"))
	f.Add([]byte("P\x00\x00\x00\x0e\x00rows 2\x00\x00\x00B\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00S\x00\x00\x00\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if strings.Contains(string(data), "wait") || strings.Contains(string(data), "panic") {
			return
		}
		var log lockedBuffer
		near, done := pipe(t, &log, newFakeBackend())
		go func() {
			startup, _ := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "u"}}).Encode(nil)
			_, _ = near.Write(append(startup, data...))
			_, _ = near.Write([]byte("X\x00\x00\x00\x04"))
			_ = near.Close()
		}()
		_, _ = io.Copy(io.Discard, near)
		<-done
		// The fake itself panics on numbers that are none.
		if s := log.String(); strings.Contains(s, "msg=panic") && !strings.Contains(s, "fake_test.go") {
			t.Errorf("panic: %s", s)
		}
	})
}

// FuzzParse reads any text and any bytes as any type: nothing panics, and what
// is read from text is read the same from what is written for it.
func FuzzParse(f *testing.F) {
	for _, oid := range []uint32{OIDTimestampTZ, OIDInterval, OIDNumeric, OIDDate, 1007, 1009, OIDTime, OIDFloat8, OIDBytea} {
		f.Add(oid, "2024-01-01 12:00:00.5+02")
		f.Add(oid, "{1,NULL,\"a b\"}")
		f.Add(oid, "-1 mons +2 days -03:00:00.5")
	}
	f.Fuzz(func(t *testing.T, oid uint32, s string) {
		_, _ = ParseBinary(oid, []byte(s))
		v, err := ParseText(oid, s, time.UTC)
		if err != nil || validText(s) != nil || !canRewrite(v) {
			return
		}
		vec := vectorOf(oid, v)
		text := encodeOne(t, &vec, formatText, time.UTC)
		again, err := ParseText(oid, text, time.UTC)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(v) {
			t.Errorf("%d %q: read as %v, written as %q, read as %v, %v", oid, s, v, text, again, err)
		}
		bin := encodeOne(t, &vec, formatBinary, time.UTC)
		if again, err := ParseBinary(oid, []byte(bin)); err != nil || fmt.Sprint(again) != fmt.Sprint(v) {
			t.Errorf("%d %q: read as %v, from binary as %v, %v", oid, s, v, again, err)
		}
	})
}

// canRewrite leaves out what has no type to be written in: unknown types,
// arrays (which the vectors of these tests hold only in part), and intervals
// whose hours do not fit the text that Postgres reads.
func canRewrite(v Value) bool {
	switch v := v.(type) {
	case string, Array:
		return false
	case Interval:
		return v.Micros > math.MinInt64 && v.Days > math.MinInt32 && v.Months > math.MinInt32
	}
	return true
}
