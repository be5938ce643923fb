// Package sqltests holds the tests that reach sessiondb as its users do: over
// TCP, through the Postgres protocol, and through the file that it leaves.
// It has no code of its own.
//
// Scripts (scripts/**/*.test, their language in README.md) run against a
// server started in this process, each in four ways that must answer the same:
// simple protocol, extended protocol with text results, extended protocol with
// binary results, and with restarts of the server in between.
//
// The other tests are Go, one file each:
//
//	random_test.go       random histories against a window query, with rollbacks
//	crash_test.go        kill -9 in the middle of a stream of commits
//	weblog_test.go       a real day, five ways to the same sessions, one of them
//	                     another program that opens the stopped server's file
//	differential_test.go the same messages to PostgreSQL and to us
//	duckdb_test.go       DuckDB's own SQL means what it means to DuckDB
//	referee_test.go      what PostgreSQL must answer alike, asked of it
//	types_test.go        every type, both protocols, both formats
//	clients_test.go      psql, psycopg2, psycopg 3, SQLAlchemy, node-postgres (clients/)
//	copy_test.go         COPY both ways, its options and its errors
//	progress_test.go     what a client hears of a long statement
//	locks_test.go        two connections at a time: the writer lock
//	cancel_test.go       cancelling, timing out, streaming
//	prepared_test.go     parameters, portals, cursors
//	file_test.go         files that another program made or changed
//	differential_test.go the same messages to PostgreSQL 15, message by message
//	duckdb_test.go       DuckDB's own SQL through the server and directly
//	documents_test.go    every SQL block of README.md and docs/ answers what it says
//	process_test.go      the command: flags, signals, errors, exit codes
//
// Tests that could run for hours are short by default; flags make them long:
// -seeds, -events, -kills (see README.md).
package sqltests
