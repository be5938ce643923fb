package planner

import (
	"context"
	"strings"
	"testing"

	"github.com/sessiondb/sessiondb/catalog"
)

// Which rows of a table a statement is compared in: those of a query that gives
// the same each time, or all.
func TestTouched(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := catalog.Open(ctx, catalog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for _, sql := range []string{"CREATE TABLE e (id INT PRIMARY KEY, a INT, b INT)", "CREATE TABLE s (id INT, a INT, b INT)"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	s := &session{conn: conn}
	columns, err := s.describeTable(ctx, "e")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ sql, some string }{
		{"INSERT INTO e VALUES (1, 2, 3) ON CONFLICT (id) DO UPDATE SET a = 1", "t.id = CAST(p.p0 AS INTEGER)"},
		{"INSERT INTO e (b, id) VALUES (1, coalesce(2, 3)) ON CONFLICT (id) DO UPDATE SET a = 1", "t.id = CAST(p.p1 AS INTEGER)"},
		{"INSERT INTO e SELECT abs(id), a, b FROM s ON CONFLICT (id) DO UPDATE SET a = 1", "JOIN (SELECT abs(id), a, b FROM s) AS p(p0, p1, p2)"},
		{"WITH w AS (SELECT * FROM s) INSERT INTO e SELECT * FROM w ON CONFLICT (id) DO UPDATE SET a = 1", "WITH w AS (SELECT * FROM s) SELECT t.rowid"},
		{"INSERT INTO e VALUES (1, DEFAULT, 3) ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"INSERT INTO e (a) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"INSERT INTO e BY NAME SELECT * FROM s ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"INSERT OR REPLACE INTO e VALUES (1, 2, 3)", ""},
		{"INSERT INTO e SELECT random(), a, b FROM s ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"INSERT INTO e SELECT * FROM s LIMIT 1 ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"INSERT INTO e SELECT DISTINCT ON (id) * FROM s ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"INSERT INTO e SELECT first(id), 1, 1 FROM s ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"INSERT INTO e SELECT unknown(id), 1, 1 FROM s ON CONFLICT (id) DO UPDATE SET a = 1", ""},
		{"MERGE INTO e USING s ON e.id = s.id WHEN MATCHED THEN DELETE", `SELECT e.rowid FROM main.e AS e JOIN s ON e.id = s.id`},
		{"MERGE INTO e AS x USING (VALUES (1)) AS s(id) ON x.id = s.id WHEN MATCHED THEN DELETE", `SELECT x.rowid FROM`},
		{"MERGE INTO e USING s ON e.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE", ""},
		{"MERGE INTO e USING (SELECT uuid() AS u, id FROM s) AS s ON e.id = s.id WHEN MATCHED THEN DELETE", ""},
		{"UPDATE e SET (a, b) = (1, 2) WHERE id = 1", "WHERE id = 1"},
		{"UPDATE e SET (a, b) = (1, 2) FROM s WHERE e.id = s.id", ", s WHERE e.id = s.id"},
		{"UPDATE e SET (a, b) = (1, 2) WHERE random() < 0.5", ""},
	} {
		st, err := Parse(test.sql)
		if err != nil {
			t.Fatalf("%s: %v", test.sql, err)
		}
		d := &dml{session: s, statement: st, text: &rewritten{Rewritten: NewEdits(test.sql).Apply()}, stmt: &catalog.Stmt{}}
		q, some, err := d.touched(ctx, st, columns, "", "")
		switch {
		case err != nil:
			t.Errorf("%s: %v", test.sql, err)
		case !some && test.some != "":
			t.Errorf("%s: all rows", test.sql)
		case some && (test.some == "" || !strings.Contains(strings.ReplaceAll(q.SQL, `"`, ""), test.some)):
			t.Errorf("%s: %s", test.sql, q.SQL)
		}
	}
}
