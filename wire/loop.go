package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// errHungUp ends a connection without a word: the client has said Terminate,
// or is not there any more.
var errHungUp = errors.New("wire: the client hung up")

// batch is where the connection stands between two Syncs.
type batch struct {
	open     bool // an extended query message came after the last Sync
	skipping bool // an error came after it: everything up to Sync is ignored
}

// loop answers messages until the connection ends, and says why it ended.
func (c *conn) loop() error {
	for {
		message, err := c.receive()
		if err != nil {
			return err
		}
		if err := c.dispatch(message); err != nil {
			return err
		}
	}
}

// receive waits for the next message.
func (c *conn) receive() (pgproto3.FrontendMessage, error) {
	c.in.deadline = c.idleDeadline()
	for {
		if err := c.leave(); err != nil {
			return nil, err
		}
		message, err := c.messages.Receive()
		if !errors.Is(err, errWoken) {
			return message, c.received(err)
		}
		if err := c.deliverIdle(); err != nil {
			return nil, err
		}
	}
}

// leave says why the connection is to end before it waits again.
func (c *conn) leave() error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	if c.srv.draining.Load() && c.idle() {
		return ErrShutdown
	}
	return nil
}

// received judges the error of a read.
func (c *conn) received(err error) error {
	var tooLong *pgproto3.ExceededMaxBodyLenErr
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errIdle):
		return c.idleError()
	case errors.As(err, &tooLong):
		return Fatalf(codeProgramLimit, "message of %d bytes is too long", tooLong.ActualBodyLen).
			WithHint("The server takes messages of up to %d bytes.", tooLong.MaxExpectedBodyLen)
	case c.in.err != nil:
		return errHungUp
	default:
		return Fatalf(codeProtocolViolation, "invalid message: %w", err)
	}
}

// idle says that nothing would be lost if the connection ended now.
func (c *conn) idle() bool {
	return !c.batch.open && c.session.Status() == TxIdle
}

// deliverIdle sends notifications to a client that waits for nothing else.
func (c *conn) deliverIdle() error {
	if !c.idle() {
		return nil
	}
	c.deliver()
	return c.flush()
}

// idleDeadline is when the session wants to give up waiting.
func (c *conn) idleDeadline() time.Time {
	if !c.idle() {
		return c.txDeadline()
	}
	if s, ok := c.session.(IdleLimiter); ok {
		return deadline(s.IdleSessionTimeout())
	}
	return time.Time{}
}

// txDeadline is the same inside a transaction.
func (c *conn) txDeadline() time.Time {
	if s, ok := c.session.(TxIdleLimiter); ok {
		return deadline(s.IdleTimeout())
	}
	return time.Time{}
}

func deadline(limit time.Duration) time.Time {
	if limit <= 0 {
		return time.Time{}
	}
	return time.Now().Add(limit)
}

func (c *conn) idleError() error {
	if c.idle() {
		return Fatalf(codeIdleSession, "terminating connection due to idle-session timeout")
	}
	return errIdleInTx()
}

func errIdleInTx() error {
	return Fatalf(codeIdleInTransaction, "terminating connection due to idle-in-transaction timeout")
}

// dispatch answers one message. Its error ends the connection.
func (c *conn) dispatch(message pgproto3.FrontendMessage) error {
	switch message.(type) {
	case *pgproto3.Terminate:
		return errHungUp
	case *pgproto3.Sync:
		return c.sync()
	}
	if c.batch.skipping {
		return nil
	}
	switch m := message.(type) {
	case *pgproto3.Query:
		return c.query(m.String)
	case *pgproto3.FunctionCall:
		return c.functionCall()
	case *pgproto3.Flush:
		return c.flush()
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return nil // what a client had under way when its COPY failed
	default:
		return c.extended(m)
	}
}

// sync ends a batch: the implicit transaction, the portals, the skipping.
func (c *conn) sync() error {
	c.batch = batch{}
	if err := c.run(c.session.Sync); err != nil {
		if err := c.tell(err); err != nil {
			return err
		}
	}
	return c.ready()
}

// ready is ReadyForQuery: the one place that sends it.
func (c *conn) ready() error {
	status := c.session.Status()
	if status == TxIdle {
		c.store.closePortals()
		c.deliver()
	}
	c.out.send(&pgproto3.ReadyForQuery{TxStatus: byte(status)})
	return c.flush()
}

func (c *conn) functionCall() error {
	err := Errorf(codeFeatureNotSupported, "the function call message is not supported").
		WithHint("Call the function in a SELECT.")
	if err := c.fail(err); err != nil {
		return err
	}
	return c.sync()
}

// extended answers the messages of the extended query protocol.
func (c *conn) extended(message pgproto3.FrontendMessage) error {
	var answer func(ctx context.Context) error
	switch m := message.(type) {
	case *pgproto3.Parse:
		answer = func(ctx context.Context) error { return c.parse(ctx, m) }
	case *pgproto3.Bind:
		answer = func(ctx context.Context) error { return c.bind(ctx, m) }
	case *pgproto3.Describe:
		answer = func(context.Context) error { return c.describe(m) }
	case *pgproto3.Execute:
		answer = func(ctx context.Context) error { return c.execute(ctx, m) }
	case *pgproto3.Close:
		answer = func(context.Context) error { return c.closeNamed(m) }
	default:
		return Fatalf(codeProtocolViolation, "unexpected message: %s", name(message))
	}
	c.batch.open = true
	if err := c.run(answer); err != nil {
		c.batch.skipping = true
		return c.fail(err)
	}
	if c.out.full() {
		return c.flush()
	}
	return nil
}

// name is a message's name, for an error.
func name(message pgproto3.FrontendMessage) string {
	return fmt.Sprintf("%T", message)[len("*pgproto3."):]
}
