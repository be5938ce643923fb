package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// lockedBuffer collects a log from many goroutines.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestCancelRequest(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	cancel := func(secret []byte) {
		other := dial(t, addr)
		other.send(&pgproto3.CancelRequest{ProcessID: c.key.ProcessID, SecretKey: secret})
		if _, err := other.socket.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("answer to a cancel request: %v", err)
		}
	}
	cancel(c.key.SecretKey) // idle: nothing happens
	c.send(&pgproto3.Query{String: "wait"})
	<-backend.waiting
	cancel([]byte{c.key.SecretKey[0] ^ 1, c.key.SecretKey[1], c.key.SecretKey[2], c.key.SecretKey[3]})
	cancel(nil)
	cancel(c.key.SecretKey)
	got := strings.Join(c.untilReady(1), "\n")
	if want := "ErrorResponse ERROR 57014 canceling statement due to user request\nReadyForQuery I"; got != want {
		t.Errorf("got %s", got)
	}
	if got := c.query("rows 0"); !strings.HasSuffix(got, "SELECT 0\nReadyForQuery I") {
		t.Errorf("after a cancel: %s", got)
	}
}

func TestCancelDuringCopyIn(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	c.send(&pgproto3.Query{String: "copyin text 1"}, &pgproto3.CopyData{Data: []byte("1\n")})
	c.next() // CopyInResponse
	other := dial(t, addr)
	other.send(&pgproto3.CancelRequest{ProcessID: c.key.ProcessID, SecretKey: c.key.SecretKey})
	if line, _ := c.next(); line != "ErrorResponse ERROR 57014 canceling statement due to user request" {
		t.Error(line)
	}
	c.untilReady(1)
	c.send(&pgproto3.CopyData{Data: []byte("2\n")}, &pgproto3.CopyDone{})
	if got := c.query("insert 1"); got != "CommandComplete INSERT 0 1\nReadyForQuery I" {
		t.Errorf("after a cancelled COPY: %s", got)
	}
}

// A client that does not read blocks its statement, which can be cancelled;
// the stream that it then reads is whole.
func TestCancelSlowReader(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	c.send(&pgproto3.Query{String: "flood 100000000"})
	time.Sleep(200 * time.Millisecond) // until the socket's buffers are full
	other := dial(t, addr)
	other.send(&pgproto3.CancelRequest{ProcessID: c.key.ProcessID, SecretKey: c.key.SecretKey})
	_, _ = other.socket.Read(make([]byte, 1))
	lines := c.untilReady(1)
	tail := strings.Join(lines[len(lines)-2:], "\n")
	if tail != "ErrorResponse ERROR 57014 canceling statement due to user request\nReadyForQuery I" {
		t.Errorf("got … %s", tail)
	}
}

func TestLostClient(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{}, backend)
	for _, sql := range []string{"wait", "flood 100000000", "copyin text 1", "begin"} {
		opened := backend.opened.Load()
		c := connect(t, addr)
		c.send(&pgproto3.Query{String: sql})
		if sql == "wait" {
			<-backend.waiting
		}
		_ = c.socket.Close()
		waitFor(t, func() bool { return backend.closed.Load() == opened+1 })
	}
}

// What a client has sent ahead while its statement was watched is not lost.
func TestReadAhead(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	c.send(&pgproto3.Query{String: "wait"})
	<-backend.waiting
	time.Sleep(2 * watchDelay)
	c.send(&pgproto3.Query{String: "insert 1"})
	time.Sleep(watchDelay)
	c.send(&pgproto3.Query{String: "notice " + strings.Repeat("x", 3*readAhead)})
	other := dial(t, addr)
	other.send(&pgproto3.CancelRequest{ProcessID: c.key.ProcessID, SecretKey: c.key.SecretKey})
	got := c.untilReady(3)
	if len(got) != 7 || got[2] != "CommandComplete INSERT 0 1" || got[5] != "CommandComplete NOTICE" {
		t.Errorf("got %.200q", got)
	}
}

func TestPanicCostsOneConnection(t *testing.T) {
	backend := newFakeBackend()
	var log lockedBuffer
	_, addr := start(t, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, backend)
	bystander := connect(t, addr)
	c := connect(t, addr)
	got := c.query("panic")
	if want := `ErrorResponse FATAL XX000 internal error hint="The server's log has the details."` + "\n(closed)"; got != want {
		t.Errorf("got %s", got)
	}
	waitFor(t, func() bool { return backend.closed.Load() == 1 })
	if !strings.Contains(log.String(), "the fake panics") || !strings.Contains(log.String(), "fake_test.go") {
		t.Errorf("the log says %s", log.String())
	}
	if got := bystander.query("rows 0"); !strings.Contains(got, "SELECT 0") {
		t.Errorf("bystander: %s", got)
	}
}

func TestInternalErrorIsLogged(t *testing.T) {
	var log lockedBuffer
	_, addr := start(t, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, newFakeBackend())
	connect(t, addr).query("bare")
	if !strings.Contains(log.String(), "a secret") {
		t.Errorf("the log says %s", log.String())
	}
}

func TestShutdownReleasesIdle(t *testing.T) {
	backend := newFakeBackend()
	server, addr := start(t, Config{}, backend)
	idle := connect(t, addr)
	silent := dial(t, addr) // says nothing at all
	waitFor(t, func() bool { server.mu.Lock(); defer server.mu.Unlock(); return len(server.conns) == 2 })
	if err := server.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if line, _ := idle.next(); line != "ErrorResponse FATAL 57P01 terminating connection due to administrator command" {
		t.Error(line)
	}
	if _, err := silent.socket.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("silent: %v", err)
	}
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr); err == nil {
		t.Error("still listening")
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Errorf("second Shutdown: %v", err)
	}
}

func TestShutdownLetsActiveFinish(t *testing.T) {
	backend := newFakeBackend()
	server, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	c.query("begin; insert 1")
	down := make(chan error, 1)
	go func() { down <- server.Shutdown(t.Context()) }()
	waitFor(t, server.draining.Load)
	if got := c.query("insert 2"); got != "CommandComplete INSERT 0 1\nReadyForQuery T" {
		t.Error(got)
	}
	if got := c.query("commit"); got != "CommandComplete COMMIT\nReadyForQuery I" {
		t.Error(got)
	}
	if line, _ := c.next(); !strings.Contains(line, "57P01") {
		t.Error(line)
	}
	if err := <-down; err != nil {
		t.Error(err)
	}
	if got := strings.Join(backend.rows(), " "); got != "1 2" {
		t.Error(got)
	}
}

func TestShutdownInterrupts(t *testing.T) {
	backend := newFakeBackend()
	server, addr := start(t, Config{}, backend)
	busy, idleInTx, flooded := connect(t, addr), connect(t, addr), connect(t, addr)
	idleInTx.query("begin")
	flooded.send(&pgproto3.Query{String: "flood 100000000"})
	busy.send(&pgproto3.Query{String: "wait"})
	<-backend.waiting
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	down := make(chan error, 1)
	go func() { down <- server.Shutdown(ctx) }()
	for _, c := range []*rawClient{busy, idleInTx, flooded} {
		lines := c.untilReady(1)
		if n := len(lines); n < 2 || !strings.Contains(lines[n-2], "FATAL 57P01") {
			t.Errorf("got %.200q", lines[max(n-2, 0):])
		}
	}
	if err := <-down; !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if backend.closed.Load() != 3 {
		t.Error("sessions are open")
	}
}

// Disconnect ends the connections that there are, whatever they do, and those
// that come after it are served.
func TestDisconnect(t *testing.T) {
	backend := newFakeBackend()
	server, addr := start(t, Config{}, backend)
	idle, busy, inTx, flooded := connect(t, addr), connect(t, addr), connect(t, addr), connect(t, addr)
	dial(t, addr) // says nothing at all
	inTx.query("begin")
	flooded.send(&pgproto3.Query{String: "flood 100000000"})
	busy.send(&pgproto3.Query{String: "wait"})
	<-backend.waiting
	disconnected := make(chan error, 1)
	go func() { disconnected <- server.Disconnect(t.Context(), lastError{}) }()
	for _, c := range []*rawClient{idle, busy, inTx, flooded} {
		lines := c.until(func(m pgproto3.BackendMessage) bool { _, ok := m.(*pgproto3.ErrorResponse); return ok })
		if got := lines[len(lines)-1]; got != `ErrorResponse FATAL 57P02 the end hint="try again"` {
			t.Errorf("got %.200q", got)
		}
	}
	if err := <-disconnected; err != nil {
		t.Error(err)
	}
	if n := backend.closed.Load(); n != 4 {
		t.Errorf("%d sessions are closed, not 4", n)
	}
	if got := connect(t, addr).query("rows 0"); !strings.HasSuffix(got, "ReadyForQuery I") {
		t.Errorf("after it: %s", got)
	}
	if err := server.Disconnect(t.Context(), lastError{}); err != nil {
		t.Error(err)
	}
}

// A session that does not mind its context bounds nobody's wait.
func TestDisconnectIsBounded(t *testing.T) {
	backend := newFakeBackend()
	server, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	server.mu.Lock()
	stuck := newConn(server, c.socket, server.nextID()) // nobody serves it
	server.conns[stuck.id] = stuck
	server.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := server.Disconnect(ctx, ErrShutdown); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	server.remove(stuck)
}

// lastError is what an engine returns when a connection is of no more use.
type lastError struct{}

func (lastError) Error() string    { return "the end" }
func (lastError) SQLState() string { return "57P02" }
func (lastError) Hint() string     { return "try again" }
func (lastError) Fatal() bool      { return true }

// A fatal error is the last one also where its connection is ended meanwhile.
func TestFatalErrorStands(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ErrShutdown)
	wrapped := fmt.Errorf("running: %w", lastError{})
	if err := stopped(ctx, wrapped); err != wrapped { //nolint:errorlint // the very error
		t.Errorf("it became %v", err)
	}
	if e, _ := asError(wrapped); !e.fatal() || e.Code != "57P02" {
		t.Errorf("the client is told %+v", e)
	}
}

func TestShutdownBeforeServe(t *testing.T) {
	server, err := New(Config{}, newFakeBackend())
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Serve(listener); !errors.Is(err, ErrServerClosed) {
		t.Error(err)
	}
}

func TestTerminateAndCancelByClientHandle(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	c.send(&pgproto3.Query{String: "wait"})
	<-backend.waiting
	backend.sessions[0].client.Cancel(ErrStatementTimeout)
	if line, _ := c.next(); line != "ErrorResponse ERROR 57014 canceling statement due to statement timeout" {
		t.Error(line)
	}
	c.untilReady(1)
	backend.sessions[0].client.Terminate(ErrShutdown)
	if line, _ := c.next(); !strings.Contains(line, "FATAL 57P01") {
		t.Error(line)
	}
}

func TestIdleTimeouts(t *testing.T) {
	backend := newFakeBackend()
	backend.idle, backend.txIdle = 300*time.Millisecond, 50*time.Millisecond
	_, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	if line, _ := c.next(); line != "ErrorResponse FATAL 57P05 terminating connection due to idle-session timeout" {
		t.Error(line)
	}
	for _, m := range []pgproto3.FrontendMessage{
		&pgproto3.Query{String: "begin"},
		&pgproto3.Query{String: "copyin text 1"},
		&pgproto3.Parse{Query: "rows 1"},
	} {
		c = connect(t, addr)
		c.send(m, &pgproto3.Flush{})
		lines := c.until(func(m pgproto3.BackendMessage) bool { return strings.HasPrefix(render(m), "ErrorResponse") })
		if got := lines[len(lines)-1]; got != "ErrorResponse FATAL 25P03 terminating connection due to idle-in-transaction timeout" {
			t.Errorf("%T: %s", m, got)
		}
	}
}

func TestNotifications(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{}, backend)
	c := connect(t, addr)
	client := backend.sessions[0].client
	client.Notify("visits", "idle", 7)
	if line, _ := c.next(); line != `NotificationResponse 7 visits "idle"` {
		t.Error(line)
	}
	c.query("begin")
	client.Notify("visits", "in tx", 7)
	if got := c.query("rows 0"); strings.Contains(got, "Notification") {
		t.Error("W8:", got)
	}
	if got := c.query("commit"); got != "CommandComplete COMMIT\nNotificationResponse 7 visits \"in tx\"\nReadyForQuery I" {
		t.Error(got)
	}
	c.query("begin")
	for range maxNotes {
		client.Notify("visits", "many", 7)
	}
	if client.Notify("visits", "one too many", 7) {
		t.Error("the queue has no bound")
	}
}

func TestSmallMessageLimit(t *testing.T) {
	_, addr := start(t, Config{MaxMessageSize: 2000}, newFakeBackend())
	c := connect(t, addr)
	got := c.query("notice " + strings.Repeat("x", 3000))
	if !strings.HasPrefix(got, "ErrorResponse FATAL 54000 message of 3008 bytes is too long") || !strings.HasSuffix(got, "(closed)") {
		t.Error(got)
	}
	c = connect(t, addr)
	c.send(&pgproto3.Query{String: "copyin text 1"})
	c.next()
	for range 3 {
		c.send(&pgproto3.CopyData{Data: []byte(strings.Repeat("y", 1900))})
	}
	if line, _ := c.next(); line != "ErrorResponse ERROR 54000 a row of COPY data is longer than 2000 bytes" {
		t.Error(line)
	}
}

func TestGarbage(t *testing.T) {
	for _, garbage := range []string{
		"P\x00\x00\x00\x05\x00", "Z\x00\x00\x00\x04", "Q\x00\x00\x00\x03", "B\x00\x00\x00\x06\x00\x00", "p\x00\x00\x00\x05\x00",
	} {
		backend := newFakeBackend()
		_, addr := start(t, Config{}, backend)
		c := connect(t, addr)
		if _, err := c.socket.Write([]byte(garbage)); err != nil {
			t.Fatal(err)
		}
		if line, _ := c.next(); !strings.HasPrefix(line, "ErrorResponse FATAL 08P01") {
			t.Errorf("%q: %s", garbage, line)
		}
		waitFor(t, func() bool { return backend.closed.Load() == 1 })
	}
}

// Clients come, ask and go while the server goes down: everything ends.
func TestShutdownStress(t *testing.T) {
	for round := range 5 {
		backend := newFakeBackend()
		server, addr := start(t, Config{}, backend)
		var clients sync.WaitGroup
		for i := range 12 {
			clients.Go(func() { pester(addr, i) })
		}
		time.Sleep(time.Duration(round) * 5 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_ = server.Shutdown(ctx)
		cancel()
		clients.Wait()
		if backend.opened.Load() != backend.closed.Load() || backend.live.Load() != 0 {
			t.Error("something is still open")
		}
	}
}

// pester connects again and again, and sends queries, until nobody answers.
func pester(addr string, i int) {
	queries := []string{"rows 10", "begin; insert 1", "wait", "copyin text 1", "flood 1000000", "commit"}
	for {
		socket, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		front := pgproto3.NewFrontend(socket, socket)
		front.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "u"}})
		for n := range i%4 + 1 {
			front.Send(&pgproto3.Query{String: queries[(i+n)%len(queries)]})
		}
		if front.Flush() == nil {
			for range i {
				if _, err := front.Receive(); err != nil {
					break
				}
			}
		}
		_ = socket.Close()
	}
}

// tiredListener has no file descriptors left, twice; then it is closed.
type tiredListener struct {
	net.Listener
	accepts int
}

type tiredError struct{}

func (tiredError) Error() string   { return "too many open files" }
func (tiredError) Temporary() bool { return true }

func (l *tiredListener) Accept() (net.Conn, error) {
	if l.accepts++; l.accepts < 3 {
		return nil, tiredError{}
	}
	return nil, net.ErrClosed
}

func (l *tiredListener) Close() error { return nil }

func TestServeOutlivesShortage(t *testing.T) {
	server, err := New(Config{}, newFakeBackend())
	if err != nil {
		t.Fatal(err)
	}
	l := &tiredListener{}
	if err := server.Serve(l); !errors.Is(err, net.ErrClosed) || l.accepts != 3 {
		t.Errorf("%d accepts, %v", l.accepts, err)
	}
}
