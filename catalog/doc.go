// Package catalog owns DuckDB: it is the only package that names it. On top
// of the engine it keeps the maintained views; the files of the two layers do
// not mix.
//
// # The engine
//
// Open starts a DuckDB instance in memory, attaches the database's file to it
// under the fixed name DatabaseName, and locks it: from then on no connection
// can reach another file, load an extension, or change a setting other than
// its own time zone and search path. Open proves that by trying.
//
//	DB ──Connect──▶ Conn ──Prepare──▶ Stmt ──Run──▶ Rows ──Next──▶ Chunk ──Col──▶ Vector
//	 └──AcquireFeed──▶ Feed ◀──Set── ColumnSet
//
// A DB may be used by any goroutine. One process opens a file at a time, and
// once: DuckDB's lock on it is the process's.
//
// A Conn is used by one goroutine at a time, except for Interrupt and
// Progress. It has one transaction and at most one stream of rows, which its
// next statement ends (ErrStreamEnded). It keeps the statements that it ran
// last, by their text, as a statement costs 0.1 to 0.3 ms to plan and 0.02 to
// run.
//
// Rows are read a Chunk of up to 2048 rows at a time. Its Vectors alias
// DuckDB's memory: they end with the next call of Next, unless the chunk is
// detached. No value is read by a call into C.
//
// A Feed is the way in: rows that Go holds by column in a ColumnSet, which SQL
// reads as a table function. A prepared INSERT … SELECT from a feed takes
// about 30 µs for a row and 0.7 ms for 10,000.
//
// A context that ends interrupts what runs under it: the statement, or the
// call of Next. The error then has SQLSTATE 57014 and wraps the context's
// cause. An interrupt never reaches a later statement.
//
// Every error that DuckDB reports is an *Error with the SQLSTATE and, where it
// is simple, the wording of Postgres, with a position in bytes of the text
// that DuckDB was given. errortext.go and errorvalue.go are the only places
// that look at DuckDB's messages; a test provokes each on the engine.
//
// An internal error while a statement runs may leave the database invalid
// (invalid.go): nothing runs in it any more, Invalidated tells, and whoever opened
// it closes it and opens it anew.
//
// The write-ahead log is moved into the file by a goroutine of the DB while
// nothing runs (checkpoint.go), so that no commit waits for it.
//
// Statements that create what few others name can wait until one does, or until
// there is time (deferred.go).
//
// What DuckDB's Go bindings lack is in feed.c: the table function of the
// feeds, which copies a column at a time out of pinned Go memory and never
// calls back into Go. It declares the few functions of DuckDB's C interface
// that it uses.
//
// # The views
//
// A Store has the maintained views of one DB. A View is a Contract with two
// tables, the revisions and the rejected, and DuckDB views over them
// (viewsql.go). The operator's state of a view is in memory beside it: loaded
// by OpenStore, changed only after the commit that changes the tables.
//
//	WriteTx ──Arrive, Remove, Replace──▶ viewTx ──netChange──▶ sessionop.Commit ──Plan──▶ publication
//	   └──CreateView, Refresh, AlterView──▶ rebuild ──SQL──▶ the batch, or its differences
//
// A WriteTx is one transaction under the writer lock. For each view it either
// gathers rows (viewtx.go, netchange.go; spill.go if they are very many) and
// publishes what the operator makes of them (maintain.go, rejections.go; recall.go
// where final sessions that left its memory may be touched), or
// recomputes the view as a whole (rebuild.go, recompute.go): the view it
// creates, refreshes or alters. Both publish provisionally when the
// transaction reads, and again, in place of that, when it goes on. Replay
// (replay.go) is the third way, and the only one of its transaction.
//
// The batch computation (batch.go) serves builds, REFRESH, verify (verify.go)
// and ad hoc SESSIONIZE (sessionsql.go; answer.go where a view has the answer).
//
// Housekeeping (housekeeping.go, retention.go) is one goroutine from Start to
// Close: it makes quiet partitions idle and lets go of what is older than the
// retention. When the store opens, fingerprint.go finds out whether another
// program changed a source; such a view is suspended until REFRESH.
//
// # What the engine does not do
//
// It judges no statement. DuckDB has no privileges inside: whoever may run any
// SQL on a connection can call functions that harm others (enable_logging,
// for one), so callers must let through only what they know.
package catalog
