package catalog

import (
	"context"
	"errors"
	"os"
	"time"
)

// When the checkpointer acts, by the size of the write-ahead log and how long
// no statement has run.
const (
	checkpointEvery = 250 * time.Millisecond // how often it looks

	smallLog = 1 << 20 // worth a checkpoint when nothing has happened for
	longIdle = 5 * time.Second

	largeLog  = 32 << 20 // worth one in any pause
	shortIdle = 100 * time.Millisecond

	// forcedCheckpoint is DuckDB's own threshold, at which the commit that
	// reaches it waits for a checkpoint.
	forcedCheckpoint = "2GB"

	// retryAfter keeps a checkpoint that a reader of an older snapshot
	// prevents from being tried in vain all the time.
	retryAfter = 2 * time.Second
)

// A checkpointer moves the write-ahead log into the file while the database is
// idle, so that no commit has to.
type checkpointer struct {
	stop func()
	done chan struct{}
}

// startCheckpointer runs until close, whatever becomes of ctx.
func startCheckpointer(ctx context.Context, db *DB) *checkpointer {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &checkpointer{stop: cancel, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		if db.path != "" {
			db.checkpointWhenIdle(ctx)
		}
	}()
	return c
}

// close ends the checkpointer, interrupts what it does, and waits for it.
func (c *checkpointer) close() {
	c.stop()
	<-c.done
}

// Checkpoint moves the write-ahead log into the file now. It fails (55006)
// while another transaction is writing.
func (db *DB) Checkpoint(ctx context.Context) error {
	c, err := db.Connect(ctx)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, "CHECKPOINT "+DatabaseName)
	return errors.Join(err, c.Close())
}

func (db *DB) checkpointWhenIdle(ctx context.Context) {
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	var notBefore time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if now.Before(notBefore) || !db.worthCheckpoint(now) {
				continue
			}
			if err := db.Checkpoint(ctx); err != nil && ctx.Err() == nil {
				db.log.Debug("checkpoint put off", "error", err)
				notBefore = now.Add(retryAfter)
			}
		}
	}
}

// worthCheckpoint weighs the log against how long the database has been idle.
func (db *DB) worthCheckpoint(now time.Time) bool {
	if db.running.Load() > 0 {
		return false
	}
	info, err := os.Stat(db.path + ".wal")
	if err != nil {
		return false // no log, nothing to do
	}
	idle := now.Sub(time.Unix(0, db.last.Load()))
	return info.Size() >= largeLog && idle >= shortIdle ||
		info.Size() >= smallLog && idle >= longIdle
}
