package wire

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// errWoken is what a read returns after interrupt. It is no failure: reading
// may go on, at the byte where it stopped.
var errWoken = errors.New("wire: read interrupted")

// errIdle is what a read returns when its deadline has passed.
var errIdle = errors.New("wire: nothing received in time")

// watchDelay is how long a statement runs before its client's socket is
// watched: short statements do not pay for it.
const watchDelay = 50 * time.Millisecond

// readAhead bounds what is read past the running statement while looking for
// the end of the stream. A client that has sent more is not noticed to be
// gone until the statement ends.
const readAhead = 16 << 10

// inbound is the reading half of a connection. Between statements the
// connection's goroutine reads from it; while one runs, a watch may read ahead
// to learn that the client is gone. Reads can be woken from any goroutine.
type inbound struct {
	source io.Reader // the socket, or TLS over it
	socket net.Conn  // for deadlines only

	mu       sync.Mutex
	woken    bool // interrupt was called, and no Read has reported it
	dirty    bool // the socket's read deadline is set
	stopping bool // the watch is to end

	deadline time.Time // of the owner's reads; zero: none
	timer    *time.Timer
	watched  chan struct{} // closed by the watch when it ends; nil: none is armed
	lost     func(error)

	ahead []byte // read by the watch, not yet by Read
	err   error  // the end of the stream: nothing can be read any more
}

func newInbound(socket net.Conn) *inbound {
	return &inbound{source: socket, socket: socket}
}

// Read reads what the client sent. It returns errWoken once for any number of
// interrupts, and errIdle when deadline has passed.
func (in *inbound) Read(p []byte) (int, error) {
	if len(in.ahead) > 0 {
		n := copy(p, in.ahead)
		in.ahead = in.ahead[n:]
		return n, nil
	}
	if in.err != nil {
		return 0, in.err
	}
	if err := in.arm(); err != nil {
		return 0, err
	}
	n, err := in.source.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return n, in.expired()
	}
	in.err = err
	return n, err
}

// arm prepares the socket's deadline for one read.
func (in *inbound) arm() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.woken {
		in.woken = false
		return errWoken
	}
	if in.dirty || !in.deadline.IsZero() {
		in.dirty = !in.deadline.IsZero()
		return in.socket.SetReadDeadline(in.deadline)
	}
	return nil
}

// expired says why a read's deadline has passed.
func (in *inbound) expired() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.woken {
		in.woken = false
		return errWoken
	}
	return errIdle
}

// interrupt makes the present read, or else the next one, return errWoken.
func (in *inbound) interrupt() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.woken, in.dirty = true, true
	_ = in.socket.SetReadDeadline(longAgo())
}

// longAgo is a deadline that has passed.
func longAgo() time.Time { return time.Unix(1, 0) }

// watch calls lost, from another goroutine, when the stream ends before
// unwatch. The owner must not read in between.
func (in *inbound) watch(lost func(error)) {
	if in.err != nil {
		lost(in.err)
		return
	}
	done := make(chan struct{})
	in.watched, in.lost = done, lost
	in.timer = time.AfterFunc(watchDelay, func() {
		defer close(done)
		in.look()
	})
}

// unwatch ends the watch; it returns when the watch no longer reads.
func (in *inbound) unwatch() {
	if in.watched == nil {
		return
	}
	if !in.timer.Stop() {
		in.mu.Lock()
		in.stopping, in.dirty = true, true
		_ = in.socket.SetReadDeadline(longAgo())
		in.mu.Unlock()
		<-in.watched
		in.stopping = false
	}
	in.watched, in.lost = nil, nil
}

// look reads ahead until the stream ends, the bound is reached or unwatch is
// called. It runs in the timer's goroutine.
func (in *inbound) look() {
	held := append(make([]byte, 0, readAhead), in.ahead...)
	for len(held) < cap(held) && in.resume() {
		n, err := in.source.Read(held[len(held):cap(held)])
		held = held[:len(held)+n]
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			in.err = err
			in.lost(err)
			break
		}
	}
	in.ahead = held
}

// resume clears the deadline that an interrupt has set, which is for the
// owner, unless it is the watch that is to end.
func (in *inbound) resume() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.stopping {
		return false
	}
	if in.dirty {
		in.dirty = false
		return in.socket.SetReadDeadline(time.Time{}) == nil
	}
	return true
}
