package catalog

import (
	"errors"
	"strings"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// When an internal error comes up while a statement runs, DuckDB no longer
// trusts what it has in memory: it declares the database invalid and refuses
// every statement from then on. What is committed is in the file and its log,
// so the way on is that after kill -9: to close the database, without a
// checkpoint, and to open it anew.

// ErrInvalidated is wrapped by the errors of a database that DuckDB has
// declared invalid: that of the statement which brought it, and all later ones.
var ErrInvalidated = errors.New("DuckDB has declared the database invalid")

// DuckDB's classes of the errors that may leave the database invalid.
const (
	classInternal = "INTERNAL"
	classFatal    = "FATAL"
)

// culpritPatience is how long the statement which brought the end is given to
// say so, before one that only found it does.
const culpritPatience = 500 * time.Millisecond

// Invalidated is closed when DuckDB has declared the database invalid. All that
// is left to do then is to Close its connections, and it.
func (db *DB) Invalidated() <-chan struct{} { return db.invalid }

// Err is nil as long as the database is valid. After that it is the error of
// all statements but the one that brought it, and the reason why connections
// end.
func (db *DB) Err() error {
	if !db.isInvalid() {
		return nil
	}
	return db.refusal()
}

func (db *DB) isInvalid() bool {
	select {
	case <-db.invalid:
		return true
	default:
		return false
	}
}

// refusal is crash_shutdown, with the advice that Postgres gives.
func (db *DB) refusal() *Error {
	e := &Error{
		Type: classFatal, Position: -1, state: "57P02", cause: ErrInvalidated,
		Message: "terminating connection because of a failure of the database",
		detail:  "Another statement met an internal error of DuckDB, after which nothing can run. What was not committed is rolled back.",
		hint:    "In a moment you should be able to reconnect to the database and repeat your command.",
	}
	if db.path == "" {
		e.hint = "The database was in memory and is gone."
	}
	return e
}

// judge gives e its meaning if it comes of a database that is invalid now; sql
// is the statement that ended in it.
func (db *DB) judge(e *Error, sql string) *Error {
	if e.Type != classInternal && e.Type != classFatal || db.answers() {
		return e
	}
	if isRefusal(e) {
		select {
		case <-db.invalid:
		case <-time.After(culpritPatience):
			db.log.Error("a statement found the database invalid", "statement", shortened(sql))
			db.invalidate()
		}
		return db.refusal()
	}
	db.log.Error("DuckDB has declared the database invalid", "error", e.Message, "statement", shortened(sql))
	db.invalidate()
	e.cause = ErrInvalidated
	e.detail = "The statement met an internal error of DuckDB, which ended all connections. What was not committed is rolled back."
	e.hint = "Do not repeat the statement as it is: write it in another way, and report it."
	return e
}

// answers reports whether DuckDB still runs statements. Internal errors while a
// statement is planned do no harm.
func (db *DB) answers() bool {
	var (
		conn   bindings.Connection
		result bindings.Result
	)
	if bindings.Connect(db.handle, &conn) == bindings.StateError {
		return false
	}
	defer bindings.Disconnect(&conn)
	defer bindings.DestroyResult(&result)
	return bindings.Query(conn, "SELECT 1", &result) != bindings.StateError || readReport(bindings.ResultError(&result)).Type != classFatal
}

func (db *DB) invalidate() { db.invalidated.Do(func() { close(db.invalid) }) }

// shortened is a statement for the log.
func shortened(sql string) string {
	const longest = 2000
	if len(sql) <= longest {
		return sql
	}
	return strings.ToValidUTF8(sql[:longest], "") + " …"
}
