package wire

import (
	"context"
	"io"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	// flushSize is the size at which buffered rows are sent.
	flushSize = 48 << 10
	// keepSize bounds the buffer that is kept after one large message.
	keepSize = 256 << 10
)

// outbound is the writing half of a connection: one buffer of whole messages.
// Only the connection's goroutine uses it, but for hurry.
type outbound struct {
	sink   io.Writer // the socket, or TLS over it
	socket net.Conn  // for deadlines only

	buf  []byte
	sent int   // a prefix of buf that an interrupted write has sent
	err  error // the first failed write: nothing can be sent any more

	mu    sync.Mutex
	limit time.Time // write deadline of a connection that was killed
}

func newOutbound(socket net.Conn) *outbound {
	return &outbound{sink: socket, socket: socket, buf: make([]byte, 0, 1<<10)}
}

// send buffers a message. The messages of this package always encode; one
// that does not (too long, too many fields) breaks the connection.
func (o *outbound) send(message pgproto3.BackendMessage) {
	buf, err := message.Encode(o.buf)
	if err != nil {
		o.err = err
		return
	}
	o.buf = buf
}

// full says that it is time to flush.
func (o *outbound) full() bool { return len(o.buf) >= flushSize }

// flush sends what is buffered, and blocks while the client does not read.
// Only hurry bounds that.
func (o *outbound) flush() error {
	if o.err != nil || len(o.buf) == 0 {
		return o.err
	}
	return o.sentMore(o.sink.Write(o.buf[o.sent:]))
}

// flushUntil is flush for a running statement: when ctx ends it returns the
// cause and keeps what is not sent yet, so the stream of messages stays whole.
// A TLS stream would not survive an interrupted write, so there only the
// client and hurry end the wait.
func (o *outbound) flushUntil(ctx context.Context) error {
	if o.err != nil || len(o.buf) == 0 {
		return o.err
	}
	if o.sink != io.Writer(o.socket) {
		return o.flush()
	}
	resume := o.interruptible(ctx)
	n, err := o.sink.Write(o.buf[o.sent:])
	if resume() && err != nil {
		o.sent += n
		return context.Cause(ctx)
	}
	return o.sentMore(n, err)
}

// sentMore takes the result of a write.
func (o *outbound) sentMore(n int, err error) error {
	o.sent += n
	if err == nil && o.sent < len(o.buf) {
		err = io.ErrShortWrite
	}
	if err != nil {
		o.err = err
		return err
	}
	o.reset()
	return nil
}

// interruptible makes a write fail when ctx ends. The function that it
// returns ends that, and reports whether it happened.
func (o *outbound) interruptible(ctx context.Context) func() bool {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = o.socket.SetWriteDeadline(longAgo())
	})
	return func() bool {
		if stop() {
			return false
		}
		<-done
		o.mu.Lock()
		defer o.mu.Unlock()
		_ = o.socket.SetWriteDeadline(o.limit)
		return true
	}
}

// reset empties the buffer.
func (o *outbound) reset() {
	o.sent = 0
	if cap(o.buf) > keepSize {
		o.buf = make([]byte, 0, flushSize)
		return
	}
	o.buf = o.buf[:0]
}

// hurry gives all further writes a common deadline. Any goroutine may call it.
func (o *outbound) hurry(limit time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.limit = limit
	_ = o.socket.SetWriteDeadline(limit)
}
