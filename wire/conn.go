package wire

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// A conn is one connection: its halves, its session and the state of its
// protocol. Its goroutine (serve) owns it; ctx, running, notes, gone and
// in.interrupt are what other goroutines may touch.
type conn struct {
	srv     *Server
	id      uint32
	key     cancelKey
	counted bool // among the sessions; guarded by srv.mu
	gone    chan struct{}
	log     *slog.Logger

	socket   net.Conn
	in       *inbound
	out      *outbound
	messages *pgproto3.Backend

	ctx     context.Context //nolint:containedctx // lives as long as the connection
	cancel  context.CancelCauseFunc
	running running
	notes   notes

	session Session
	batch   batch
	store   store
	rows    ResultWriter
	params  map[string]string // what ParameterStatus says at start-up; nil after it
}

func newConn(s *Server, socket net.Conn, id uint32) *conn {
	c := &conn{
		srv:    s,
		id:     id,
		key:    newCancelKey(),
		gone:   make(chan struct{}),
		socket: socket,
		in:     newInbound(socket),
		out:    newOutbound(socket),
		store:  newStore(s.cfg.MaxStatements, s.cfg.MaxPortals),
	}
	c.log = s.logger(c)
	c.ctx, c.cancel = context.WithCancelCause(s.ctx)
	c.messages = pgproto3.NewBackend(c.in, io.Discard)
	c.rows.init(c)
	return c
}

// serve is the connection's goroutine.
func (c *conn) serve() {
	defer func() { _ = c.socket.Close() }()
	defer c.cancel(nil)
	// When the connection is killed, an idle read wakes up and writes get a
	// last deadline.
	unhook := context.AfterFunc(c.ctx, func() {
		c.out.hurry(time.Now().Add(farewell))
		c.in.interrupt()
	})
	defer unhook()
	defer c.recoverPanic()
	c.part(c.talk())
}

// talk is the whole conversation.
func (c *conn) talk() error {
	startup, err := c.greet()
	if err != nil || startup == nil {
		return err
	}
	c.log.Debug("connection opened", "user", startup["user"], "database", startup["database"])
	if err := c.open(startup); err != nil {
		return err
	}
	defer c.session.Close()
	defer c.store.close()
	return c.loop()
}

// part tells the client why the connection ends, if it can still hear it.
func (c *conn) part(err error) {
	c.log.Debug("connection closed", "reason", err, "write", c.out.err)
	if err == nil || errors.Is(err, errHungUp) || errors.Is(err, ErrClientLost) || c.out.err != nil {
		return
	}
	e, internal := asError(err)
	if internal {
		c.log.Error("connection failed", "error", err)
	}
	last := *e
	last.Severity = SeverityFatal
	c.out.send(last.response())
	_ = c.out.flush()
}

// recoverPanic confines a panic to its connection.
func (c *conn) recoverPanic() {
	if r := recover(); r != nil {
		c.log.Error("panic", "value", r, "stack", string(debug.Stack()))
		c.part(Fatalf(codeInternal, "internal error").WithHint("The server's log has the details."))
	}
}

// run calls f with the context of a statement: it ends when the statement is
// cancelled, the connection is killed, or its client is gone.
func (c *conn) run(f func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(c.ctx)
	defer cancel(nil)
	c.running.set(cancel)
	defer c.running.set(nil)
	c.in.watch(c.lost)
	defer c.in.unwatch()
	return stopped(ctx, f(ctx))
}

// lost ends everything when the client's socket is gone.
func (c *conn) lost(error) { c.cancel(ErrClientLost) }

// tell sends an error. It returns the error if the connection cannot go on.
func (c *conn) tell(err error) error {
	if c.out.err != nil {
		return errHungUp
	}
	e, internal := asError(err)
	if internal {
		c.log.Error("statement failed", "error", err)
	}
	if e.fatal() {
		return e
	}
	c.out.send(e.response())
	return c.flush()
}

// flush sends what is buffered; its error only says that nobody is there.
func (c *conn) flush() error {
	if c.out.flush() != nil {
		return errHungUp
	}
	return nil
}

// fail tells the client about an error, and the session that its batch is
// lost.
func (c *conn) fail(err error) error {
	if err := c.tell(err); err != nil {
		return err
	}
	c.session.Fail(context.WithoutCancel(c.ctx))
	return nil
}

// notice buffers a NoticeResponse.
func (c *conn) notice(notice *Error) {
	n := *notice
	if n.Severity == "" {
		n.Severity = SeverityNotice
	}
	if n.Code == "" {
		n.Code = codeSuccess
	}
	response := pgproto3.NoticeResponse(*n.response())
	c.out.send(&response)
}

// report is ParameterStatus: collected during start-up, sent after it.
func (c *conn) report(name, value string) {
	if c.params != nil {
		c.params[name] = value
		return
	}
	c.out.send(&pgproto3.ParameterStatus{Name: clean(name), Value: clean(value)})
}
