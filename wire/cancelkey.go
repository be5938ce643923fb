package wire

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"sync"
)

// A cancelKey is the secret that lets another connection cancel this one's
// statements. Protocol 3.0 gives it four bytes.
type cancelKey [4]byte

func newCancelKey() cancelKey {
	var k cancelKey
	_, _ = rand.Read(k[:]) // never fails: crypto/rand ends the process instead
	return k
}

func (k cancelKey) matches(secret []byte) bool {
	return subtle.ConstantTimeCompare(k[:], secret) == 1
}

// running is the handle on the statement that a connection runs, for those
// who stop it from another goroutine.
type running struct {
	mu     sync.Mutex
	cancel context.CancelCauseFunc // nil between statements
}

func (r *running) set(cancel context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel = cancel
}

// stop ends the running statement; between statements it does nothing.
func (r *running) stop(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel(cause)
	}
}
