// Package planner is SQL in, rows out: what a statement means, and who answers
// it. It ties package wire, which knows no engine, to package catalog, which
// knows no protocol.
//
// # A statement's way
//
//	text ── Lex, Parse ──> Statement ── session.plan ──> plan ── run ──> rows
//	                        kind, parts    │
//	                                       ├─ the session itself: transactions, SET and
//	                                       │  SHOW, PREPARE, cursors, LISTEN, COPY framing
//	                                       ├─ the maintained views: CREATE, REFRESH, DROP
//	                                       │  MATERIALIZED VIEW, CALL sessiondb.…
//	                                       ├─ a table that views follow: INSERT, UPDATE,
//	                                       │  DELETE, MERGE, TRUNCATE, COPY FROM
//	                                       └─ DuckDB, for everything else
//
// A Statement is classified from its tokens and taken apart only as far as
// sessiondb must understand it. What DuckDB does not know is put in its words
// by edits of the text (SESSIONIZE, the functions of schema sessiondb,
// Postgres's catalogs and spellings); they keep a map of offsets, so that the
// position of every error is one in the user's own text. A statement that
// needs no edit reaches DuckDB byte for byte, and DuckDB is the judge of it.
//
// # Transactions
//
// A session is idle, in a transaction block, or in a failed one. DuckDB is
// given a transaction only where one is needed:
//
//	                first write                         COMMIT
//	READ COMMITTED ─────────────> writer lock, BEGIN ───────────> publish, COMMIT,
//	reads each statement          all statements in it            state follows, unlock
//	from a snapshot of its own
//
// DuckDB takes its snapshot when a transaction begins, and an UPDATE under an
// older snapshot changes newer rows without effect and without an error. So the
// transaction begins under the lock, and whoever holds it sees all that is
// committed. REPEATABLE READ keeps the snapshot of its first statement, and
// fails with 40001 when it writes behind a later commit.
//
// # Writing to what a view follows
//
// The rows that a statement changes are captured with it: an INSERT or DELETE
// returns the views' projections beside the client's own RETURNING list, an
// UPDATE is computed with old and new rows side by side and then applied by
// row, MERGE and upserts compare the table before and after. catalog.WriteTx
// gathers them; a statement that may read sessions makes it publish what is
// there provisionally, and COMMIT publishes the net difference.
//
// # Failure
//
// An error says its SQLSTATE, its position and what to write instead. It ends
// an implicit transaction and fails an explicit one; nothing that failed has
// changed anything. A session is used by one goroutine, and its DuckDB
// connection ends with it.
package planner
