package catalog

import "testing"

// A prepared statement answers for the rows that are there when it runs, not
// for those that were there when it was planned.
func TestPreparedPlansSeeLaterRows(t *testing.T) {
	ctx, conn := t.Context(), testConn(t)
	for _, sql := range []string{"CREATE TABLE u (a INTEGER, b INTEGER)", "INSERT INTO u VALUES (1, 1), (2, 2)"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int64{
		"SELECT count(*) FROM u WHERE b IS NULL":                     1,
		"SELECT count(*) FROM u WHERE a > 100":                       3,
		"SELECT count(*) FROM u":                                     6,
		"SELECT max(a) FROM u":                                       300,
		"SELECT min(b) FROM u WHERE a > 2":                           300,
		"SELECT count(*) FROM u JOIN u AS v USING (a) WHERE v.a=300": 4,
	}
	stmts := map[string]*Stmt{}
	for sql := range want {
		stmt, err := conn.Prepare(ctx, sql)
		if err != nil {
			t.Fatal(err)
		}
		stmts[sql] = stmt
	}
	remove, err := conn.Prepare(ctx, "DELETE FROM u WHERE a = 300")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(ctx, "INSERT INTO u VALUES (1, NULL), (200, 777), (300, 777), (300, 300)"); err != nil {
		t.Fatal(err)
	}
	for sql, stmt := range stmts {
		rows, err := stmt.Run(ctx, nil, Materialized)
		if err != nil {
			t.Fatal(err)
		}
		chunk, err := rows.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if got := chunk.Col(0).integer(0); got != want[sql] {
			t.Errorf("%s = %d, want %d", sql, got, want[sql])
		}
		rows.Close()
	}
	rows, err := remove.Run(ctx, nil, Materialized)
	if err != nil {
		t.Fatal(err)
	}
	if rows.Changed() != 2 {
		t.Errorf("the prepared DELETE removed %d rows, want 2", rows.Changed())
	}
}

// Statements that DuckDB can plan for one execution only can be run again.
func TestStatementsRunTwice(t *testing.T) {
	ctx, conn := t.Context(), testConn(t)
	for _, sql := range []string{
		"CREATE OR REPLACE TABLE u AS SELECT 1 AS a, 'x' AS b",
		"CREATE OR REPLACE TEMP TABLE t AS SELECT rowid AS r, * FROM u",
		"CREATE OR REPLACE VIEW v AS SELECT * FROM u",
		"EXPLAIN SELECT * FROM u",
		"SET TimeZone = 'UTC'",
		"ALTER TABLE u ADD COLUMN IF NOT EXISTS c INTEGER",
		"DROP TABLE IF EXISTS nothing",
	} {
		for range 3 {
			if _, err := conn.Exec(ctx, sql); err != nil {
				t.Errorf("%s: %v", sql, err)
			}
		}
	}
}
