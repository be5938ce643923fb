package catalog

import (
	"context"
	"sync/atomic"
	"time"
)

// A watch interrupts a connection when a context ends, from watch to release.
// DuckDB forgets an interrupt that comes just before a statement begins, so it
// is repeated until the statement has ended.
type watch struct {
	stop  func() bool
	over  atomic.Bool
	ended chan struct{} // closed when the interrupting goroutine is gone
}

// interruptEvery is how long an interrupted statement is given before it is
// interrupted again.
const interruptEvery = time.Millisecond

// watch costs nothing for a context that cannot end.
func (c *Conn) watch(ctx context.Context) *watch {
	w := &watch{}
	if ctx.Done() == nil {
		return w
	}
	w.ended = make(chan struct{})
	w.stop = context.AfterFunc(ctx, func() {
		defer close(w.ended)
		for !w.over.Load() {
			c.Interrupt()
			time.Sleep(interruptEvery)
		}
	})
	return w
}

// release ends the watch: after it no interrupt reaches the connection. It
// reports whether one did.
func (w *watch) release() (interrupted bool) {
	if w.stop == nil || w.stop() {
		return false
	}
	w.over.Store(true)
	<-w.ended
	return true
}
