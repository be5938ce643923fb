// Package wire serves the Postgres protocol, version 3.0, and knows no engine.
// Whoever does implements Backend, Session, Statement and Portal; this package
// frames messages, keeps the protocol's state, and moves values between their
// Postgres formats and columns of plain Go slices.
//
// # Words
//
//	connection  a socket and the goroutine that owns it
//	session     what the backend opened for a connection that has started up
//	batch       the extended query messages up to a Sync
//	statement   prepared by Parse; lives until Close, or the connection's end
//	portal      a statement bound to arguments; lives until Close, or until
//	            a Sync or simple Query leaves the session outside a transaction
//
// # A connection's states
//
//	     accept
//	       │
//	       ▼      SSLRequest: S and TLS, or N      CancelRequest: done
//	    greeting ◀──────────────────────────┐   ────────────▶ closed
//	       │    GSSENCRequest: N ───────────┘
//	       │ start-up packet, within StartupTimeout
//	       ▼
//	    opening        Auth, Backend.Open, ParameterStatus…, BackendKeyData,
//	       │           within AuthTimeout
//	       │ ReadyForQuery
//	       ▼       Query: every statement up to the first error, Sync
//	 ┌── waiting ◀────────────────────────────────────────────┐
//	 │     │                                                  │
//	 │     │ Parse, Bind, Describe, Execute, Close            │ Sync:
//	 │     ▼                                                  │ ReadyForQuery
//	 │   in a batch ──────────────────────────────────────────┤
//	 │     │ error: ErrorResponse, Session.Fail               │
//	 │     ▼                                                  │
//	 │   skipping ────────────────────────────────────────────┘
//	 │             everything but Sync and Terminate is ignored
//	 │
//	 │ Terminate, end of stream, a fatal error, a time-out, Shutdown
//	 ▼
//	closed         portals, statements and the session are closed, in this order
//
// Its rules, for citation:
//
//	W1  Every Sync, Query and FunctionCall gets exactly one ReadyForQuery, with
//	    Session.Status, unless the connection ends first.
//	W2  An error in a batch is sent once; nothing after it is looked at before
//	    the Sync. An error in a Query leaves its later statements unrun.
//	W3  After an error the session hears Fail, and then Sync like after any
//	    batch. A failed Session.Sync is sent and needs no Fail.
//	W4  Parse of a name that exists is 42P05 and keeps the first; the unnamed
//	    statement is replaced, and gone if its Parse fails. Bind of a portal's
//	    name that exists is 42P03; the unnamed portal is replaced. A Query does
//	    away with both unnamed ones.
//	W5  Execute never describes rows: Describe does, and a Query.
//	W6  Replies are in the order of the messages. They are sent at
//	    ReadyForQuery, Flush, an error or notice, and whenever 48 KiB are ready.
//	W7  COPY messages outside a COPY are ignored; inside COPY FROM STDIN, Flush
//	    and Sync are.
//	W8  Notifications are sent outside transactions only: before ReadyForQuery,
//	    or at once to a client that waits.
//	W9  Every statement is closed once, every portal is closed once, whatever
//	    happens; a portal may be closed after its statement.
//
// # Stopping
//
// Each call into a session has a context of its own, a child of the
// connection's. A CancelRequest with the right key ends the running one
// (ErrCanceled, 57014); the loss of the client ends the connection's
// (ErrClientLost), and so do Shutdown, when its patience is over,
// Client.Terminate (ErrShutdown, 57P01) and Disconnect. What the session returns then, if it
// is only the echo of that, is replaced by the cause. A client that is gone is
// noticed within a statement by reading ahead on its socket, into a bounded
// buffer, from the statement's first 50 ms on; one that has closed only its
// writing half counts as gone.
//
// A write blocks while the client does not read. When its statement is stopped
// meanwhile, what is not yet written is kept, so that the client can still
// read whole messages, and the error behind them.
//
// A panic costs its connection only: it is logged with its stack and answered
// with a fatal XX000.
//
// # Values
//
// Results are Batches: columns of typed Go slices, with a bitmap for NULLs.
// For each column of a batch one function is chosen that appends a value to
// the send buffer, as text or in binary; rows are then written one after the
// other, without allocating. Parameters and the fields of COPY come the other
// way: ParseText and ParseBinary make a Value of them, and the ParseX functions
// on bytes make single types, without allocating where they succeed. The
// formats are those of Postgres 15 with its default settings (DateStyle ISO,
// IntervalStyle postgres, bytea_output hex), byte for byte.
//
// # Bounds
//
// Messages, rows, statements, portals, queued notifications, connections, and
// the time of a start-up are bounded: see Config. The send buffer holds
// 48 KiB and one row, COPY FROM STDIN one row and one message.
package wire
