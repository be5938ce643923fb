package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// A Conn is a connection to the database: one transaction at a time, and one
// stream of rows. It is used by one goroutine at a time, except Interrupt and
// Progress, which any may call at any time.
type Conn struct {
	undeferred bool // it runs what is deferred itself
	db         *DB
	cache      stmtCache

	mu     sync.Mutex // guards handle and closed against Interrupt and Progress
	handle bindings.Connection
	closed bool

	interrupts atomic.Int64 // calls of Interrupt

	stream *Rows              // what is being streamed, if anything
	stmts  map[*Stmt]struct{} // prepared, and not closed yet
	rows   map[*Rows]struct{} // open results
}

// Connect opens a connection. Close it before the database is closed.
func (db *DB) Connect(ctx context.Context) (*Conn, error) {
	if !db.enter() {
		return nil, ErrClosed
	}
	c, err := db.connect(ctx)
	if err != nil {
		db.conns.Done()
		return nil, err
	}
	return c, nil
}

func (db *DB) connect(ctx context.Context) (*Conn, error) {
	c := &Conn{db: db, stmts: map[*Stmt]struct{}{}, rows: map[*Rows]struct{}{}}
	if bindings.Connect(db.handle, &c.handle) == bindings.StateError {
		return nil, errors.New("DuckDB refused a connection")
	}
	for _, sql := range sessionStart() {
		if _, err := c.Exec(ctx, sql); err != nil {
			c.release()
			return nil, err
		}
	}
	return c, nil
}

// sessionStart are the settings that a connection must make for itself. The
// time zone is one because SET GLOBAL, which cannot be taken from whoever may
// SET, moves that of new connections.
func sessionStart() []string {
	return []string{"USE " + DatabaseName, "SET SESSION TimeZone = 'UTC'", "SET enable_progress_bar_print = false"}
}

// Close rolls back what is open and frees the connection, with its statements
// and results. Closing twice does nothing.
func (c *Conn) Close() error {
	if c.release() {
		c.db.conns.Done()
	}
	return nil
}

// release frees the connection and reports whether it was open.
func (c *Conn) release() bool {
	for r := range c.rows {
		r.close()
	}
	for s := range c.stmts {
		s.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.closed = true
	bindings.Disconnect(&c.handle)
	return true
}

// Interrupt ends the statement that is running, if one is; it does nothing to
// those that come after it. The statement's error has SQLSTATE 57014.
func (c *Conn) Interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interrupts.Add(1)
	if !c.closed {
		bindings.Interrupt(c.handle)
	}
}

// MeasureProgress says whether Progress is measured from now on, which costs a
// little time in each statement.
func (c *Conn) MeasureProgress(ctx context.Context, on bool) error {
	_, err := c.Exec(ctx, fmt.Sprintf("SET enable_progress_bar = %t", on))
	return err
}

// Progress is how much of the running statement is done, from 0 to 100; -1
// where it is not measured, or DuckDB cannot tell.
func (c *Conn) Progress() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return -1
	}
	progress := bindings.QueryProgress(c.handle)
	percent, _, _ := bindings.QueryProgressTypeMembers(&progress)
	return percent
}

// Exec runs a statement to its end and returns how many rows it changed. The
// statement is prepared once and kept for the next call with the same text.
func (c *Conn) Exec(ctx context.Context, sql string, args ...any) (changed int64, err error) {
	rows, err := c.run(ctx, sql, args, Materialized)
	if err != nil {
		return 0, err
	}
	return rows.Changed(), rows.Close()
}

// Query runs a statement and streams its rows. The statement is prepared once
// and kept for the next call with the same text. Any other statement on the
// connection ends the stream.
func (c *Conn) Query(ctx context.Context, sql string, args ...any) (*Rows, error) {
	return c.run(ctx, sql, args, Streaming)
}

// QueryRow runs a statement and scans the first row into dest: *int64,
// *uint64, *string, *bool, *float64, *[]byte, *UUID, *Int128, or *any for the
// value that Vector.Value gives. NULL scans as the zero value. It returns
// ErrNoRows if there is no row.
func (c *Conn) QueryRow(ctx context.Context, sql string, args []any, dest ...any) error {
	rows, err := c.run(ctx, sql, args, Materialized)
	if err != nil {
		return err
	}
	chunk, err := rows.Next(ctx)
	if errors.Is(err, io.EOF) {
		err = ErrNoRows
	}
	if err == nil {
		err = scanRow(chunk, dest)
	}
	return errors.Join(err, rows.Close())
}

func scanRow(chunk *Chunk, dest []any) error {
	if len(dest) > chunk.Cols() {
		return fmt.Errorf("a row of %d columns was read into %d places", chunk.Cols(), len(dest))
	}
	for i, d := range dest {
		if err := chunk.Col(i).scan(0, d); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return nil
}

// run takes the statement from the cache, or prepares it, and runs it.
func (c *Conn) run(ctx context.Context, sql string, args []any, mode Mode) (*Rows, error) {
	s := c.cache.get(sql)
	if s == nil {
		var err error
		if s, err = c.Prepare(ctx, sql); err != nil {
			return nil, err
		}
		if s.expanded {
			defer s.Close() // its result does not need it
			return s.Run(ctx, args, mode)
		}
		c.cache.put(s)
	}
	return s.Run(ctx, args, mode)
}

// endStream makes way for the next statement, which would end the stream
// anyway; its reader is told so.
func (c *Conn) endStream() {
	if c.stream != nil {
		c.stream.end(ErrStreamEnded)
	}
}
