package catalog

import (
	"errors"
	"strings"
	"testing"
)

// TestErrors provokes each error that errortext.go knows on the engine, so
// that a version of DuckDB that words one differently fails here.
func TestErrors(t *testing.T) {
	c := testConn(t)
	for _, sql := range []string{
		"CREATE TABLE t (i INTEGER PRIMARY KEY, s VARCHAR NOT NULL, d DECIMAL(5, 2), e TIMESTAMP, CHECK (i < 100))",
		"CREATE TABLE r (i INTEGER REFERENCES t (i))",
		"INSERT INTO t VALUES (1, 'a', 1, NULL)",
		"INSERT INTO r VALUES (1)",
		"CREATE TYPE en AS ENUM ('a', 'b')",
		"CREATE VIEW v AS SELECT 1 AS a",
		"CREATE SEQUENCE sq MAXVALUE 2",
		"CREATE SEQUENCE fresh",
		"CREATE MACRO m(a) AS a",
		"CREATE SCHEMA filled",
		"CREATE TABLE filled.t (i INTEGER)",
		"SELECT nextval('sq'), nextval('sq')",
	} {
		mustExec(t, c, sql)
	}
	for _, e := range errorCases() {
		t.Run(e.sql, func(t *testing.T) { checkError(t, c, e) })
	}
}

type errorCase struct{ sql, state, message, hint string }

func checkError(t *testing.T, c *Conn, want errorCase) {
	t.Helper()
	mark := strings.Index(want.sql, "¶") // where the error's position is
	sql := strings.ReplaceAll(want.sql, "¶", "")
	_, err := c.Exec(t.Context(), sql)
	var got *Error
	if !errors.As(err, &got) {
		t.Fatalf("no error of DuckDB, but %v", err)
	}
	if got.SQLState() != want.state || got.Message != want.message {
		t.Errorf("%s %s\nwant %s %s\n%+v", got.SQLState(), got.Message, want.state, want.message, got)
	}
	if got.Hint() != want.hint {
		t.Errorf("hint %q, want %q", got.Hint(), want.hint)
	}
	if got.Position != mark {
		t.Errorf("position %d, want %d", got.Position, mark)
	}
}

func errorCases() []errorCase {
	const casts = "No function matches the given name and argument types. You might need to add explicit type casts."
	const operators = "No operator matches the given name and argument types. You might need to add explicit type casts."
	return []errorCase{
		{"SELECT " + strings.Repeat("1+", 1100) + "1", "54001", "stack depth limit exceeded", "Nest fewer than 1000 expressions."},
		{"SELECT currval('fresh')", "55000", "currval of this sequence is not yet defined in this session", ""},
		{"SELECT asin(2)", "22003", "input is out of range", ""},
		{"SELECT log(1, 10)", "22012", "division by zero", ""},
		{"SELECT 100000000000000000000::DECIMAL(38,0)::BIGINT", "22003", "bigint out of range", ""},
		// Names.
		{"SELECT * FROM ¶nosuch", "42P01", `relation "nosuch" does not exist`, ""},
		{"SELECT * FROM ¶tt", "42P01", `relation "tt" does not exist`, `Perhaps you meant "t".`},
		{"DROP TABLE nosuch", "42P01", `relation "nosuch" does not exist`, ""},
		{"DROP VIEW nosuch", "42P01", `view "nosuch" does not exist`, ""},
		{"SELECT * FROM ¶nosuch.t", "42P01", `relation "nosuch.t" does not exist`, ""},
		{"CREATE TABLE nosuch.t (i INTEGER)", "3F000", `schema "nosuch" does not exist`, ""},
		{"DROP SCHEMA nosuch", "3F000", `schema "nosuch" does not exist`, ""},
		{"CREATE SCHEMA nosuch.x", "3D000", `database "nosuch" does not exist`, ""},
		{"SELECT nextval('nosuch')", "42P01", `relation "nosuch" does not exist`, ""},
		{"DROP INDEX nosuch", "42704", `index "nosuch" does not exist`, ""},
		{"SELECT 'a'::¶nosuch", "42704", `type "nosuch" does not exist`, ""},
		{"SELECT ¶nosuchfunction(1)", "42883", "function nosuchfunction(...) does not exist", casts},
		{"SELECT ¶é, 1 FROM t", "42703", `column "é" does not exist`, ""},
		{"SELECT 'é', ¶nosuch FROM t", "42703", `column "nosuch" does not exist`, ""},
		{"SELECT ¶nosuch", "42703", `column "nosuch" does not exist`, ""},
		{"SELECT ¶t.nosuch FROM t", "42703", "column t.nosuch does not exist", ""},
		{"SELECT ¶x.i FROM t", "42P01", `missing FROM-clause entry for table "x"`, "Name the table in FROM, or use its alias."},
		{"SELECT ¶i FROM t, r", "42702", `column reference "i" is ambiguous`, `Write "t.i" or "r.i".`},
		{"INSERT INTO t (nosuch) VALUES (1)", "42703", `column "nosuch" of relation "t" does not exist`, ""},
		{"UPDATE t SET nosuch = 1", "42703", `column "nosuch" does not exist`, ""},
		{"ALTER TABLE t DROP COLUMN nosuch", "42703", `column "nosuch" of relation "t" does not exist`, ""},
		{"SELECT ¶suum FROM (SELECT 1 AS sum)", "42703", `column "suum" does not exist`, `Perhaps you meant the column "sum".`},
		{"SELECT ({'a': 1}).b", "42703", `Could not find key "b" in struct`, ""},
		{"EXECUTE nosuch", "26000", `prepared statement "nosuch" does not exist`, ""},
		{"SELECT current_setting('nosuch')", "42704", `unrecognized configuration parameter "nosuch"`, ""},
		// Names that exist.
		{"CREATE TABLE t (i INTEGER)", "42P07", `relation "t" already exists`, ""},
		{"CREATE SCHEMA filled", "42P06", `schema "filled" already exists`, ""},
		{"CREATE TYPE en AS ENUM ('q')", "42710", `type "en" already exists`, ""},
		{"CREATE MACRO m(a) AS a", "42723", `function "m" already exists`, ""},
		{"CREATE TABLE z (a INTEGER, a INTEGER)", "42701", `column "a" specified more than once`, ""},
		{"ALTER TABLE r ADD COLUMN i INTEGER", "42701", `column "i" specified more than once`, ""},
		{"INSERT INTO t (i, i) VALUES (1, 1)", "42701", `column "i" specified more than once`, ""},
		{"DROP VIEW t", "42809", `"t" is not a view`, "Use DROP TABLE to remove a table."},
		{"DROP TABLE t", "2BP01", "cannot drop the table because a foreign key of another table refers to it", "Drop the other table first."},
		{"DROP SCHEMA filled", "2BP01", `Cannot drop entry "filled" because there are entries that depend on it.`, "Use DROP ... CASCADE to drop the dependent objects too."},
		{"CREATE TABLE z (a VARCHAR REFERENCES t(s))", "42830", `Failed to create foreign key: referenced table "t" does not have a primary key or unique constraint on the columns s`, ""},
		{"UPDATE v SET a = 1", "42809", "Can only update base table", ""},
		{"SELECT lower(DISTINCT 'x')", "42809", `Function "lower" is a Scalar Function. "DISTINCT", "FILTER", and "ORDER BY" are only applicable to aggregate functions.`, ""},
		{"CREATE TABLE z (a INTEGER PRIMARY KEY, b INTEGER PRIMARY KEY)", "42P16", `table "z" has more than one primary key`, ""},
		{"SELECT 'a' SIMILAR TO '('", "2201B", "invalid regular expression: missing ): (", ""},
		{"SELECT now() AT TIME ZONE 'Nowhere/City'", "22023", `time zone "Nowhere/City" not recognized`, ""},
		// Syntax and clauses.
		{"¶selec 1", "42601", `syntax error at or near "selec"`, ""},
		{"SELECT * FROM¶", "42601", "syntax error at end of input", ""},
		{"SELECT 1; SELECT 2", "42601", "cannot insert multiple commands into a prepared statement", ""},
		{"VALUES (1), (1, 2)", "42601", "VALUES lists must all be the same length", ""},
		{"SELECT 1 UNION SELECT 1, 2", "42601", "each UNION, INTERSECT or EXCEPT query must have the same number of columns", ""},
		{"SELECT 5 ¶IN (SELECT 1, 2)", "42601", "subquery has too many columns", ""},
		{"INSERT INTO t VALUES (1)", "42601", "table t has 4 columns but 1 values were supplied", ""},
		{"SELECT ¶i FROM t GROUP BY s", "42803", `column "i" must appear in the GROUP BY clause or must be part of an aggregate function.`, ""},
		{"SELECT 1 FROM t WHERE ¶sum(i) > 1", "42803", "aggregate functions are not allowed in WHERE", ""},
		{"SELECT 1 FROM t WHERE ¶row_number() OVER () > 1", "42P20", "WHERE clause cannot contain window functions!", ""},
		{"INSERT INTO t VALUES (1, 'x', 1, NULL) ON CONFLICT (s) DO NOTHING", "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification", ""},
		{"SELECT * FROM t LIMIT -1", "2201W", "LIMIT must not be negative", ""},
		{"SELECT * FROM t AT (VERSION => 1)", "0A000", "Catalog type does not support time travel", ""},
		{"SELECT * FROM t ORDER BY ¶5", "42P10", "ORDER BY position is not in select list", ""},
		{"SELECT sum(¶sum(1))", "42803", "aggregate function calls cannot be nested", ""},
		{"SELECT * EXCLUDE (nosuch) FROM t", "42703", `Column "nosuch" in EXCLUDE list not found in FROM clause`, ""},
		{"SELECT 1::DECIMAL(50, 2)", "22023", "DECIMAL type width must be between 1 and 38", ""},
		{"SELECT * FROM generate_series(1, 2, 0)", "22023", "step size cannot equal zero", ""},
		// Types.
		{"SELECT ¶lower(1, 2)", "42883", "function lower(integer, integer) does not exist", casts},
		{"SELECT i ¶+ e FROM t", "42883", "operator does not exist: integer + timestamp without time zone", operators},
		{"SELECT 'a' ¶LIKE 1", "42883", "operator does not exist: text ~~ integer", operators},
		{"SELECT ¶- 'a'", "42725", "function -(text) is not unique", "Could not choose a best candidate function. You might need to add explicit type casts."},
		{"SELECT (1, 2) = ¶(1, 2, 3)", "42804", "Type STRUCT(INTEGER, INTEGER, INTEGER) does not match with STRUCT(INTEGER, INTEGER). Cannot cast STRUCTs of different size", ""},
		{"SELECT 1 ¶< 'a'::BLOB", "42804", "Cannot compare values of type INTEGER_LITERAL and type BLOB - an explicit cast is required", "Write an explicit cast."},
		{"SELECT ¶CASE WHEN true THEN [1] ELSE 1 END", "42804", "Cannot mix values of type INTEGER_LITERAL and INTEGER[] in CASE expression - an explicit cast is required", "Write an explicit cast."},
		{"SELECT ¶unnest(1)", "42804", "UNNEST() can only be applied to lists, structs and NULL, not INTEGER", ""},
		{"SELECT (1::INTEGER)¶::DATE", "42846", "cannot cast type integer to date", ""},
		// Values.
		{"SELECT 'abc'¶::INTEGER", "22P02", `invalid input syntax for type integer: "abc"`, ""},
		{"SELECT 'abc'¶::BIGINT", "22P02", `invalid input syntax for type bigint: "abc"`, ""},
		{"SELECT '99999999999'¶::INTEGER", "22003", `value "99999999999" is out of range for type integer`, ""},
		{"SELECT 'a'¶::UUID", "22P02", `invalid input syntax for type uuid: "a"`, ""},
		{"SELECT 'x'¶::BOOLEAN", "22P02", `invalid input syntax for type boolean: "x"`, ""},
		{"SELECT 'x'¶::DOUBLE", "22P02", `invalid input syntax for type double precision: "x"`, ""},
		{"SELECT '{'¶::JSON", "22P02", "invalid input syntax for type json", ""},
		{"SELECT 'abc'¶::DATE", "22007", `invalid input syntax for type date: "abc"`, ""},
		{"SELECT 'abc'¶::TIMESTAMP", "22007", `invalid input syntax for type timestamp: "abc"`, ""},
		{"SELECT '2024-13-45'¶::DATE", "22008", `date/time field value out of range: "2024-13-45"`, "Write a date as year-month-day."},
		{"SELECT 'x'¶::TIME", "22007", `invalid input syntax for type time: "x"`, ""},
		{"SELECT '25:00'¶::TIME", "22008", `date/time field value out of range: "25:00"`, ""},
		{"SELECT 'x'¶::DECIMAL(5, 2)", "22P02", `invalid input syntax for type numeric: "x"`, ""},
		{"SELECT TIMESTAMP '2020-01-01' + INTERVAL '300000 years'", "22008", "Date and time not in timestamp range", ""},
		{"SELECT '1 x'::INTERVAL", "22023", `unit "x" not recognized`, ""},
		{"SELECT 300::TINYINT", "22003", "value 300 is out of range for type smallint", ""},
		{"SELECT 12345.67::DECIMAL(5, 2)", "22003", "numeric field overflow", ""},
		{"SELECT 9223372036854775807 + 1", "22003", "bigint out of range", ""},
		{"SELECT 100000::INTEGER * 100000::INTEGER", "22003", "integer out of range", ""},
		{"SELECT sqrt(-1)", "2201F", "cannot take square root of a negative number", ""},
		{"SELECT ln(0)", "2201E", "cannot take logarithm of zero", ""},
		{"SELECT (SELECT i FROM (VALUES (1), (2)) v(i))", "21000", "more than one row returned by a subquery used as an expression", ""},
		{"SELECT nextval('sq')", "2200H", `nextval: reached maximum value of sequence "sq" (2)`, ""},
		// Constraints.
		{"INSERT INTO t VALUES (1, 'b', 1, NULL)", "23505", "duplicate key value violates unique constraint", ""},
		{"INSERT INTO t VALUES (3, NULL, 1, NULL)", "23502", `null value in column "s" of relation "t" violates not-null constraint`, ""},
		{"INSERT INTO t VALUES (200, 'x', 1, NULL)", "23514", `new row for relation "t" violates check constraint`, ""},
		{"INSERT INTO r VALUES (7)", "23503", "insert or update violates foreign key constraint", ""},
		{"DELETE FROM t WHERE i = 1", "23503", "update or delete violates foreign key constraint", ""},
		// What is forbidden or missing.
		{"SET threads = 4", "42501", `permission denied to set parameter "threads"`, ""},
		{"SELECT * FROM ¶read_text('/etc/hosts')", "42501", `Cannot access file "/etc/hosts" - file system operations are disabled by configuration`, ""},
		{"COMMIT", "25P01", "there is no transaction in progress", ""},
		{"ROLLBACK", "25P01", "there is no transaction in progress", ""},
	}
}

func TestErrorDetail(t *testing.T) {
	c := testConn(t)
	mustExec(t, c, "CREATE TABLE t (i INTEGER, j VARCHAR, PRIMARY KEY (i, j))")
	mustExec(t, c, "INSERT INTO t VALUES (1, 'x')")
	_, err := c.Exec(t.Context(), "INSERT INTO t VALUES (1, 'x')")
	var e *Error
	if !errors.As(err, &e) || e.Detail() != "Key (i, j)=(1, x) already exists." {
		t.Errorf("%+v", err)
	}
}

// TestTransactionErrors has the errors that need a transaction, or two.
func TestTransactionErrors(t *testing.T) {
	db := testDB(t)
	a, b := connect(t, db), connect(t, db)
	mustExec(t, a, "CREATE TABLE t (i INTEGER PRIMARY KEY, n INTEGER)")
	mustExec(t, a, "INSERT INTO t VALUES (1, 0)")

	mustExec(t, a, "BEGIN")
	wantState(t, a, "BEGIN", "25001")
	mustExec(t, a, "ROLLBACK")

	mustExec(t, a, "BEGIN")
	mustExec(t, a, "UPDATE t SET n = 1")
	wantState(t, b, "UPDATE t SET n = 2", "40001")
	mustExec(t, a, "COMMIT")

	mustExec(t, a, "BEGIN")
	wantState(t, a, "INSERT INTO t VALUES (1, 0)", "23505")
	wantState(t, a, "SELECT 1", "25P02")
	mustExec(t, a, "ROLLBACK")

	mustExec(t, a, "BEGIN")
	mustExec(t, a, "INSERT INTO t VALUES (2, 0)")
	mustExec(t, b, "INSERT INTO t VALUES (2, 0)")
	wantState(t, a, "COMMIT", "23505")

	mustExec(t, a, "BEGIN")
	mustExec(t, a, "ALTER TABLE t ADD COLUMN x INTEGER")
	wantState(t, b, "ALTER TABLE t ADD COLUMN y INTEGER", "40001")
	mustExec(t, a, "ROLLBACK")

	mustExec(t, a, "BEGIN READ ONLY")
	wantState(t, a, "INSERT INTO t VALUES (9, 0)", "25006")
	mustExec(t, a, "ROLLBACK")
}

func wantState(t *testing.T, c *Conn, sql, state string) {
	t.Helper()
	_, err := c.Exec(t.Context(), sql)
	var e interface{ SQLState() string }
	if !errors.As(err, &e) {
		t.Errorf("%s: no SQLSTATE in %v", sql, err)
		return
	}
	if e.SQLState() != state {
		t.Errorf("%s: %s (%+v), want %s", sql, e.SQLState(), e, state)
	}
}

func TestOutOfMemory(t *testing.T) {
	db, err := Open(t.Context(), Options{Threads: 1, MemoryLimit: "20MB"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := connect(t, db)
	defer c.Close()
	wantState(t, c, "CREATE TABLE big AS SELECT i, repeat('x', 1000) AS s FROM range(1000000) r(i) ORDER BY hash(i)", "53200")
}
