package catalog

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A WriterLock is the one lock of a database that writes hold from their first
// write to the end of their transaction. Readers never take it.
type WriterLock struct {
	free chan struct{} // holds a token while nobody has the lock

	mu     sync.Mutex
	holder string
	since  time.Time
}

// NewWriterLock returns a lock that nobody holds.
func NewWriterLock() *WriterLock {
	l := &WriterLock{free: make(chan struct{}, 1)}
	l.free <- struct{}{}
	return l
}

// Acquire waits for the lock at most timeout (0: without a bound but the
// context's). holder is how an error of somebody else's wait names the caller.
// It returns a LockTimeoutError when the time is over.
func (l *WriterLock) Acquire(ctx context.Context, timeout time.Duration, holder string) error {
	select {
	case <-l.free:
	default:
		if err := l.wait(ctx, timeout); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder, l.since = holder, time.Now()
	return nil
}

func (l *WriterLock) wait(ctx context.Context, timeout time.Duration) error {
	var expired <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		expired = t.C
	}
	select {
	case <-l.free:
		return nil
	case <-expired:
		holder, since := l.Holder()
		return &LockTimeoutError{Holder: holder, Held: time.Since(since)}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Release gives the lock back. Only its holder calls it.
func (l *WriterLock) Release() {
	l.mu.Lock()
	l.holder = ""
	l.mu.Unlock()
	l.free <- struct{}{}
}

// Holder names who has the lock, and since when; empty if nobody.
func (l *WriterLock) Holder() (string, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holder, l.since
}

// A LockTimeoutError says that lock_timeout passed while somebody else held
// the writer lock.
type LockTimeoutError struct {
	Holder string
	Held   time.Duration
}

func (e *LockTimeoutError) Error() string {
	return fmt.Sprintf("canceling statement due to lock timeout: the writer lock is held by %s for %s", e.Holder, e.Held.Round(time.Millisecond))
}

// SQLState is lock_not_available.
func (e *LockTimeoutError) SQLState() string { return "55P03" }

// Hint says what to do.
func (e *LockTimeoutError) Hint() string {
	return "Wait for that connection to commit, end it, or SET lock_timeout to a longer time (0 waits without a bound)."
}
