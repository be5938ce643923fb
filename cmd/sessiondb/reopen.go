package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sessiondb/sessiondb/planner"
	"github.com/sessiondb/sessiondb/wire"
)

const (
	// reopenPatience bounds how long the connections of a failed database, and
	// then the database itself, may take to end.
	reopenPatience = 30 * time.Second
	// reopenEvery keeps a database that fails as soon as it is open from being
	// opened all the time.
	reopenEvery = time.Second
)

// A backend hands sessions to the engine that is open. There is none while a
// database that has failed is opened again.
type backend struct {
	engine atomic.Pointer[planner.Engine]
	opened time.Time // of the owner, as are open, close and invalidated
}

// Open is wire.Backend's.
func (b *backend) Open(ctx context.Context, c *wire.Client) (wire.Session, error) {
	engine := b.engine.Load()
	if engine == nil {
		return nil, wire.Fatalf("57P03", "the database system is in recovery mode").WithHint("Try again in a moment.")
	}
	return engine.Open(ctx, c)
}

func (b *backend) open(ctx context.Context, options planner.Options) error {
	engine, err := planner.Open(ctx, options)
	if err == nil {
		b.engine.Store(engine)
		b.opened = time.Now()
	}
	return err
}

func (b *backend) close() error {
	if engine := b.engine.Swap(nil); engine != nil {
		return engine.Close()
	}
	return nil
}

// invalidated is the engine's, if one is open.
func (b *backend) invalidated() <-chan struct{} {
	if engine := b.engine.Load(); engine != nil {
		return engine.Invalidated()
	}
	return nil
}

// reopen ends all connections of a database that has failed, closes it, and
// opens it again, as a start after kill -9 does. After an error there is no
// database.
func (s *server) reopen(ctx context.Context) error {
	began := time.Now()
	failed := s.backend.engine.Swap(nil)
	if err := s.end(context.WithoutCancel(ctx), failed); err != nil {
		return err
	}
	if failed.InMemory() {
		return errors.New("the database in memory failed, and what it held is gone: the log names the statement that brought it")
	}
	select {
	case <-time.After(time.Until(s.backend.opened.Add(reopenEvery))):
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.backend.open(ctx, s.options); err != nil {
		return fmt.Errorf("the database failed and cannot be opened again: %w", err)
	}
	s.options.Logger.Info("the database is open again", "after", time.Since(began).Round(time.Millisecond))
	return nil
}

// end disconnects everybody from a failed database and closes it.
func (s *server) end(ctx context.Context, failed *planner.Engine) error {
	ctx, cancel := context.WithTimeout(ctx, reopenPatience)
	defer cancel()
	if err := s.wire.Disconnect(ctx, failed.Err()); err != nil {
		return fmt.Errorf("the database failed, and its connections do not end: %w", err)
	}
	closed := make(chan error, 1)
	go func() { closed <- failed.Close() }() //nolint:contextcheck // Close takes none: it is waited for as long as ctx says
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
		return fmt.Errorf("the database failed, and does not close: %w", ctx.Err())
	}
}
