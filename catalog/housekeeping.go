package catalog

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// What the store does on its own: it makes partitions idle that have been
// quiet for idle_timeout, and lets go of what is older than revision_retention
// and event_retention. One goroutine does both, from Start to Close, in short
// transactions under the writer lock; a lock that is not free is tried again.
// Sessions that are to be indexed are read beside it.

const (
	// longestPause bounds how late a change of the system's clock is noticed.
	longestPause = time.Second
	// shortestPause bounds how often housekeeping runs.
	shortestPause = 5 * time.Millisecond
	// purgeEvery is how often retention is looked at, where nothing is left to do.
	purgeEvery = 5 * time.Second
	// housekeepingPatience is how long housekeeping waits for the lock.
	housekeepingPatience = time.Second
	// housekeeper names it to those who wait for the lock.
	housekeeper = "the server's housekeeping"
)

// never is a time that does not come.
const never = math.MaxInt64

// Start begins the housekeeping, which Close ends.
func (s *Store) Start() {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	s.running.Go(func() { s.keepHouse(ctx) })
}

// Close ends the housekeeping and waits until it has ended.
func (s *Store) Close() {
	if s.stop != nil {
		s.stop()
		s.running.Wait()
	}
}

func (s *Store) keepHouse(ctx context.Context) {
	timer := time.NewTimer(s.pause())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case v := <-s.unindexed:
			s.running.Go(func() { s.indexAway(ctx, v) })
		case <-timer.C:
			if err := s.Housekeep(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, ErrInvalidated) {
				s.logHousekeeping(err)
			}
		}
		timer.Reset(s.pause())
	}
}

func (s *Store) logHousekeeping(err error) {
	if _, ok := errors.AsType[*LockTimeoutError](err); ok {
		s.logger.Debug("housekeeping waits", "error", err)
		return
	}
	s.logger.Error("housekeeping failed", "error", err)
}

// pause is how long there is nothing to do.
func (s *Store) pause() time.Duration {
	next := min(s.nextIdle.Load(), s.nextPurge.Load())
	if next == never {
		return time.Hour // a commit that changes it wakes us
	}
	return min(max(time.Duration(next-s.clock().UnixMicro())*time.Microsecond, shortestPause), longestPause)
}

// Housekeep does what is due by the store's clock. Start does it in time.
func (s *Store) Housekeep(ctx context.Context) error {
	now := s.clock().UnixMicro()
	if s.nextIdle.Load() <= now {
		if err := s.inWriteTx(ctx, (*WriteTx).tick); err != nil {
			return err
		}
	}
	if s.nextPurge.Load() > now {
		return nil
	}
	s.nextPurge.Store(now + purgeEvery.Microseconds())
	began := time.Now()
	more, err := s.purge(ctx)
	if more { // writers have half of the time to themselves
		s.nextPurge.Store(now + 2*time.Since(began).Microseconds())
	}
	return err
}

// plan notes when housekeeping is due next. The caller holds the writer lock,
// or is the only one there is.
func (s *Store) plan() {
	idle, purges := int64(never), false
	s.mu.RLock()
	for _, v := range s.views {
		if v.ready() != nil {
			continue
		}
		if at, ok := v.state.IdleAt(); ok {
			idle = min(idle, at)
		}
		purges = purges || v.Contract.RevisionRetention > 0 || v.Contract.EventRetention > 0
	}
	s.mu.RUnlock()
	sooner := idle < s.nextIdle.Load()
	s.nextIdle.Store(idle)
	if purges == (s.nextPurge.Load() == never) {
		s.nextPurge.Store(never)
		if purges {
			s.nextPurge.Store(s.clock().UnixMicro())
		}
		sooner = true
	}
	if sooner {
		select {
		case s.wake <- struct{}{}:
		default: // it is awake
		}
	}
}

// inWriteTx runs f in a write transaction on a connection of its own, and
// commits unless nothing changed.
func (s *Store) inWriteTx(ctx context.Context, f func(*WriteTx, context.Context) error) error {
	conn, err := s.db.Connect(ctx)
	if err != nil {
		return err
	}
	t, err := s.BeginWrite(ctx, conn, housekeepingPatience, housekeeper)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	if err = f(t, ctx); err == nil {
		err = t.Publish(ctx)
	}
	if err != nil {
		t.Rollback(context.WithoutCancel(ctx))
		return errors.Join(err, conn.Close())
	}
	_, err = t.Commit(ctx)
	return errors.Join(err, conn.Close())
}

// tick makes partitions idle that have been quiet for long enough.
func (t *WriteTx) tick(ctx context.Context) error {
	for _, v := range t.Views() {
		if v.ready() != nil {
			continue
		}
		if at, ok := v.state.IdleAt(); !ok || at > t.now.UnixMicro() {
			continue
		}
		if err := t.addMarks(ctx, v, sessionop.Mark{Kind: sessionop.Tick}); err != nil {
			return err
		}
	}
	return nil
}
