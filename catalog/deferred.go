package catalog

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
)

// deferred are statements that create what most statements do not name. They
// run, as one transaction, before the first statement that has the marker in
// its text is planned.
type deferred struct {
	marker     string
	statements []string

	mu   sync.Mutex // held while they run
	done atomic.Bool
}

// Defer lets statements wait until one is planned whose text has the marker,
// or RunDeferred is called. It must come before any that does.
func (db *DB) Defer(marker string, statements []string) {
	db.deferred = &deferred{marker: marker, statements: statements}
}

// Deferred reports whether there are statements that wait.
func (db *DB) Deferred() bool { return db.deferred != nil && !db.deferred.done.Load() }

// RunDeferred runs the statements that wait, once; it waits for whoever does.
func (db *DB) RunDeferred(ctx context.Context) error {
	d := db.deferred
	if !db.Deferred() {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done.Load() {
		return nil
	}
	c, err := db.Connect(ctx)
	if err != nil {
		return err
	}
	c.undeferred = true
	if err := errors.Join(d.run(ctx, c), c.Close()); err != nil {
		return err
	}
	d.done.Store(true)
	return nil
}

func (d *deferred) run(ctx context.Context, c *Conn) error {
	if _, err := c.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	for _, q := range d.statements {
		if _, err := c.Exec(ctx, q); err != nil {
			return err // closing the connection rolls back
		}
	}
	_, err := c.Exec(ctx, "COMMIT")
	return err
}

// needsDeferred reports whether sql may name what does not exist yet.
func (c *Conn) needsDeferred(sql string) bool {
	return !c.undeferred && c.db.Deferred() && strings.Contains(sql, c.db.deferred.marker)
}
