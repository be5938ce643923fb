package wire

import (
	"context"
	"time"
)

// A Backend opens one Session for each connection that has started up.
type Backend interface {
	// Open is called once per connection, after authentication. The context
	// ends when the connection does. An error refuses the connection.
	Open(ctx context.Context, c *Client) (Session, error)
}

// A Session answers the statements of one connection. The server calls it
// from one goroutine at a time; only the contexts that it passes may end
// from elsewhere (a CancelRequest, a shutdown, a lost connection). A Session
// may also be a TxIdleLimiter, an IdleLimiter or a CursorDescriber.
type Session interface {
	// Split cuts the text of a simple Query message into its statements.
	// It does not judge them: a statement that means nothing is refused by
	// Prepare, after those before it have run.
	Split(sql string) ([]Piece, error)

	// Prepare parses and plans one statement without running it. paramOIDs
	// are the types that the client gave; zero and missing ones are inferred.
	// simple says that the statement came in a simple Query message.
	// Empty text is a Statement whose portals complete with an empty Tag.
	Prepare(ctx context.Context, sql string, paramOIDs []uint32, simple bool) (Statement, error)

	// Sync ends an implicit transaction: at a Sync message, and at the end of
	// a simple Query. Its error is sent before ReadyForQuery. A statement
	// that must not run inside a multi-statement implicit transaction is the
	// session's own concern.
	Sync(ctx context.Context) error

	// Fail tells the session that the current message batch failed: an
	// implicit transaction is rolled back, an explicit one becomes TxFailed.
	Fail(ctx context.Context)

	// Status is the transaction status that ReadyForQuery reports.
	Status() TxStatus

	// Close rolls back what is open and frees the session.
	Close()
}

// A TxIdleLimiter is a Session that bounds how long its client may idle
// inside a transaction, which includes a batch without its Sync and a COPY
// that waits for data. Past it the connection ends with 25P03. Zero is no
// bound.
type TxIdleLimiter interface {
	IdleTimeout() time.Duration
}

// An IdleLimiter is a Session that bounds how long its client may idle outside
// a transaction. Past it the connection ends with 57P05. Zero is no bound.
type IdleLimiter interface {
	IdleSessionTimeout() time.Duration
}

// A CursorDescriber is a Session whose cursors, made by SQL's DECLARE, clients
// may describe like portals. ok is false if there is none of that name.
type CursorDescriber interface {
	Cursor(name string) (columns []Column, ok bool)
}

// A Piece is one statement of a simple Query message: its text and the offset
// of its first byte in the message.
type Piece struct {
	SQL    string
	Offset int
}

// TxStatus is the transaction status byte of ReadyForQuery.
type TxStatus byte

// The three transaction states of the protocol.
const (
	TxIdle   TxStatus = 'I'
	TxInside TxStatus = 'T'
	TxFailed TxStatus = 'E'
)

// A Statement is a prepared statement. It lives until Close, which the server
// calls exactly once. Portals made from it may live on, even one that runs:
// that is how a DEALLOCATE of its own statement looks.
type Statement interface {
	// ParamTypes are the OIDs of the parameters, in order.
	ParamTypes() []uint32
	// Columns describes the rows that the statement returns; nil if none.
	Columns() []Column
	// Bind makes a portal. The values are decoded already (see Value) and are
	// the portal's to keep.
	Bind(ctx context.Context, args []Value) (Portal, error)
	Close()
}

// A Portal is a statement bound to its arguments. The server calls Run until
// it reports done or fails, and Close exactly once.
type Portal interface {
	// Columns describes the rows that the portal returns; nil if none.
	Columns() []Column
	// Run executes the portal, or goes on with it, and sends at most maxRows
	// rows to out (0: all). done reports that it is complete, with the
	// command tag in tag; an empty tag of a done portal stands for
	// EmptyQueryResponse. Run on a completed portal sends no rows and
	// answers its tag again.
	Run(ctx context.Context, out *ResultWriter, maxRows int64) (tag string, done bool, err error)
	Close()
}

// A Column describes one result column.
type Column struct {
	Name     string
	TableOID uint32 // 0 if the column is not a plain table column
	AttNum   int16
	Type     Type
}

// A RowReader yields the rows of a COPY FROM STDIN, decoded from its format to
// fields. It holds one row and the network message that it came in.
type RowReader interface {
	// Next returns the fields of the next row, as many as CopyIn was told,
	// which stand until the next call. A nil field is NULL; an empty one is
	// not nil. It returns io.EOF after the last row. Text is valid UTF-8
	// without zero bytes; binary fields (Binary) are as the client sent them,
	// for ParseBinary. Any other error is for Run to return.
	Next() ([][]byte, error)
	// Line is the line (text, csv) or row (binary) that Next returned, from 1.
	// A row of csv that spans lines has the number of its last one.
	Line() int64
	// Binary says that the fields are in Postgres's binary format.
	Binary() bool
}
