package planner

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sessiondb/sessiondb/catalog"
)

// TestPGCatalogRewrite holds testdata/pgcatalog/rewrite: a statement, and what
// reads our catalogs in its place.
func TestPGCatalogRewrite(t *testing.T) {
	c := NewPGCatalog()
	own := func(name string) bool { return name == "pg_mine" || name == "pg_am" }
	datadriven.RunTest(t, "testdata/pgcatalog/rewrite", func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		s, err := Parse(d.Input)
		if err != nil {
			return showError(err) + "\n"
		}
		edits := NewEdits(s.SQL)
		if !c.Rewrite(s, edits, own) {
			return "unchanged\n"
		}
		return shortened(edits.Apply().SQL) + "\n"
	})
}

// shortened writes an empty relation as its first column.
func shortened(sql string) string {
	return regexp.MustCompile(`\(SELECT (NULL::[A-Z\[\]]+ AS "\w+")[^()]* WHERE false\)`).ReplaceAllString(sql, "(SELECT $1, …)")
}

// TestPGCatalogAnswers holds what clients ask of the catalogs and the answers
// of a small database. In the text, $oid(name) is the OID of a relation; in the
// answers, OIDs of the user's objects are the names in angle brackets.
func TestPGCatalogAnswers(t *testing.T) {
	f := newPGFixture(t)
	for _, file := range []string{"psql", "clients", "information_schema", "functions"} {
		t.Run(file, func(t *testing.T) {
			datadriven.RunTest(t, "testdata/pgcatalog/"+file, func(t *testing.T, d *datadriven.TestData) string {
				t.Helper()
				return f.answer(d.Input)
			})
		})
	}
}

// TestPGCatalogColumns holds every relation to the columns of PostgreSQL 15.
func TestPGCatalogColumns(t *testing.T) {
	f := newPGFixture(t)
	for _, r := range f.catalog.relations {
		stmt, err := f.conn.Prepare(t.Context(), "SELECT * FROM "+r.fromItem())
		if err != nil {
			t.Errorf("%s: %v", r.key(), err)
			continue
		}
		got := stmt.Columns()
		if len(got) != len(r.columns) {
			t.Errorf("%s has %d columns, want %d", r.key(), len(got), len(r.columns))
		}
		for i := range min(len(got), len(r.columns)) {
			want := strings.ReplaceAll(duckType(r.columns[i].pgType), "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE")
			if got[i].Name != r.columns[i].name || got[i].Type.Name != want {
				t.Errorf("%s: column %d is %s %s, want %s %s", r.key(), i+1, got[i].Name, got[i].Type.Name, r.columns[i].name, want)
			}
		}
		stmt.Close()
	}
}

// TestPGCatalogTypesAgree holds pg_attribute to the types that values are sent
// with.
func TestPGCatalogTypesAgree(t *testing.T) {
	f := newPGFixture(t)
	rows, err := f.conn.Query(t.Context(), "SELECT * FROM kinds")
	if err != nil {
		t.Fatal(err)
	}
	columns := rows.Columns()
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	for i, col := range columns {
		var oid, typmod int64
		err := f.conn.QueryRow(t.Context(), "SELECT atttypid::BIGINT, atttypmod::BIGINT FROM memory.pgc.pg_attribute WHERE attrelid = memory.pgc.regclass('kinds') AND attnum = ?",
			[]any{int64(i + 1)}, &oid, &typmod)
		if err != nil {
			t.Fatal(err)
		}
		if w := wireType(col.Type); int64(w.OID) != oid || int64(w.Typmod) != typmod {
			t.Errorf("%s %s: pg_attribute has type %d, typmod %d; it is sent as %d, %d", col.Name, col.Type.Name, oid, typmod, w.OID, w.Typmod)
		}
	}
}

func TestPGCatalogErrors(t *testing.T) {
	f := newPGFixture(t)
	for sql, want := range map[string]string{
		"SELECT 'nosuch'::regclass":         `42P01: relation "nosuch" does not exist`,
		"SELECT 'nosuch'::regtype":          `42704: type "nosuch" does not exist`,
		"SELECT 'nosuch'::regproc":          `42883: function "nosuch" does not exist`,
		"SELECT 'nosuch'::regnamespace":     `3F000: schema "nosuch" does not exist`,
		"SELECT current_setting('no.such')": `42704: unrecognized configuration parameter "no.such"`,
	} {
		if got := strings.TrimSpace(f.answer(sql)); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
	for _, message := range []string{"", "[42P01]", "[42p01] x", "42P01 x", "[4 P01] x"} {
		if _, text, ok := f.catalog.SplitError(message); ok || text != message {
			t.Errorf("SplitError(%q) = %q, %t", message, text, ok)
		}
	}
}

func TestConfigCalls(t *testing.T) {
	s, err := Parse("SELECT pg_catalog.set_config('search_path', '', false), set_config('a.b', 'c', true), set_config(name, 'x', false) FROM pg_settings")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.ConfigCalls()
	want := []ConfigCall{{"a.b", "c", true}, {"search_path", "", false}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("ConfigCalls() = %v, %v; want %v", got, err, want)
	}
}

func TestPGResultTypes(t *testing.T) {
	c := NewPGCatalog()
	for _, tt := range []struct {
		name string
		id   catalog.TypeID
		want uint32
	}{
		{"oid", catalog.TypeInteger, 26},
		{"relname", catalog.TypeVarchar, 19},
		{"RELKIND", catalog.TypeVarchar, 18},
		{"typreceive", catalog.TypeVarchar, 0},
		{"relfrozenxid", catalog.TypeInteger, 28},
		{"reltuples", catalog.TypeFloat, 0},
		{"amount", catalog.TypeInteger, 0},
		{"relname", catalog.TypeInteger, 0},
	} {
		if oid, ok := c.ResultType(tt.name, &catalog.Type{ID: tt.id}); oid != tt.want || ok != (tt.want != 0) {
			t.Errorf("ResultType(%s, %d) = %d, %t; want %d", tt.name, tt.id, oid, ok, tt.want)
		}
	}
}

// FuzzPGCatalogRewrite holds the rewriting to text that lexes, whatever it is
// given.
func FuzzPGCatalogRewrite(f *testing.F) {
	f.Add("select a::regclass::text, indkey[1], tableoid from pg_index i join pg_catalog.pg_class at on x = any('{a}')")
	f.Add("select cast(x as regtype), format('%I', y) from unnest(a) u, pg_policy where pg_x operator(pg_catalog.~) 'a' collate \"C\"")
	f.Add("::regclass ) end [ cast(as regproc")
	c := NewPGCatalog()
	f.Fuzz(func(t *testing.T, sql string) {
		s, err := Parse(sql)
		if err != nil {
			return
		}
		edits := NewEdits(s.SQL)
		c.Rewrite(s, edits, nil)
		if _, err := Lex(edits.Apply().SQL); err != nil {
			t.Errorf("%q became %q: %v", sql, edits.Apply().SQL, err)
		}
	})
}

// A pgFixture is a database with the catalogs over it.
type pgFixture struct {
	ctx     context.Context //nolint:containedctx // a test's, which lives as long
	catalog *PGCatalog
	conn    *catalog.Conn
	oids    map[string]string // of the user's objects, by OID
}

func newPGFixture(t *testing.T) *pgFixture {
	t.Helper()
	ctx := context.Background()
	db, err := catalog.Open(ctx, catalog.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := registerFunctions(ctx, db); err != nil {
		t.Fatal(err)
	}
	f := &pgFixture{ctx: ctx, catalog: NewPGCatalog(), conn: conn, oids: map[string]string{}}
	settings := map[string]string{"search_path": `"$user", public`, "application_name": "psql", "server_version": "15.0"}
	setup := append(strings.Split(pgFixtureSQL, ";\n"), f.catalog.SetupSQL()...)
	setup = append(setup, f.catalog.SessionSQL(PGSession{Database: "shop", User: "ann", ProcessID: 42, Started: time.UnixMicro(0), Settings: settings})...)
	for _, q := range setup {
		if _, err := conn.Exec(ctx, q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	f.nameOIDs(t)
	return f
}

// nameOIDs learns the OIDs of the user's objects.
func (f *pgFixture) nameOIDs(t *testing.T) {
	t.Helper()
	names := f.run("SELECT oid::VARCHAR, relname FROM memory.pgc._class WHERE oid > 16384 UNION ALL SELECT oid::VARCHAR, conname FROM memory.pgc._constraint" +
		" UNION ALL SELECT oid::VARCHAR, proname FROM memory.pgc._function UNION ALL SELECT oid::VARCHAR, type_name FROM memory.pgc._enum" +
		" UNION ALL SELECT array_oid::VARCHAR, '_' || type_name FROM memory.pgc._enum UNION ALL SELECT oid::VARCHAR, nspname FROM memory.pgc.pg_namespace WHERE oid > 16384" +
		" UNION ALL SELECT oid::VARCHAR, 'default' FROM memory.pgc.pg_attrdef UNION ALL SELECT oid::VARCHAR, enumlabel FROM memory.pgc.pg_enum")
	for line := range strings.Lines(names) {
		oid, name, found := strings.Cut(strings.TrimSpace(line), " | ")
		if !found {
			t.Fatal(names)
		}
		f.oids[oid] = name
	}
}

// answer runs a statement as a session does, and shows its rows.
func (f *pgFixture) answer(sql string) string {
	for oid, name := range f.oids {
		sql = strings.ReplaceAll(sql, "$oid("+name+")", oid)
	}
	first := rewriteWith(sql, func(s *Statement, edits *Edits) { f.catalog.Rewrite(s, edits, nil) })
	second := rewriteWith(first, func(s *Statement, e *Edits) { _ = s.rewritePostgres(e, f.catalog) })
	stmt, err := f.conn.Prepare(f.ctx, second)
	if err != nil {
		return fmt.Sprintln(err)
	}
	finished := f.catalog.Finish(second, stmt.Columns())
	stmt.Close()
	out := f.run(finished)
	if !strings.Contains(strings.ToLower(sql), "order by") {
		out = strings.Join(slices.Sorted(strings.Lines(out)), "")
	}
	return out
}

func rewriteWith(sql string, rewrite func(*Statement, *Edits)) string {
	s, err := Parse(sql)
	if err != nil {
		return sql
	}
	edits := NewEdits(s.SQL)
	rewrite(s, edits)
	return edits.Apply().SQL
}

// run runs a statement of DuckDB's and shows its rows.
func (f *pgFixture) run(sql string) string {
	rows, err := f.conn.Query(f.ctx, sql)
	var out strings.Builder
	if err == nil {
		err = rows.Each(f.ctx, func(c *catalog.Chunk) error {
			for i := range c.Rows() {
				for j := range c.Cols() {
					if j > 0 {
						out.WriteString(" | ")
					}
					out.WriteString(f.shown(c.Col(j).Value(i)))
				}
				out.WriteByte('\n')
			}
			return nil
		})
		_ = rows.Close() // the rows' error is the one that matters
	}
	if err != nil {
		if state, text, ok := f.catalog.SplitError(err.Error()); ok {
			return state + ": " + text + "\n"
		}
		return fmt.Sprintln(err)
	}
	if out.Len() == 0 {
		return "no rows\n"
	}
	return out.String()
}

func (f *pgFixture) shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case catalog.List:
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			items[i] = f.shown(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	text := strings.ReplaceAll(fmt.Sprint(v), "\n", "⏎")
	if name, ok := f.oids[text]; ok {
		return "<" + name + ">"
	}
	if len(text) > len("12345") {
		text = oidInName.ReplaceAllString(text, "$1…$3")
	}
	return text
}

// oidInName matches the OIDs that information_schema makes names with.
var oidInName = regexp.MustCompile(`(^|_)\d{5}(_\d{5})?(_|$)`)

// pgFixtureSQL is the database that the tests ask about.
const pgFixtureSQL = `CREATE SCHEMA sessiondb;
CREATE TABLE sessiondb.view_definitions (view_id BIGINT NOT NULL, schema_name VARCHAR NOT NULL, view_name VARCHAR NOT NULL, definition VARCHAR NOT NULL, populated BOOLEAN NOT NULL);
CREATE TABLE sessiondb.revisions_1 (a INTEGER);
CREATE VIEW sessiondb.commits AS SELECT 1::BIGINT AS commit;
CREATE VIEW sessiondb.current_1 AS SELECT 1 AS a;
CREATE TABLE events (event_id BIGINT PRIMARY KEY, account_id VARCHAR NOT NULL DEFAULT 'x', event_at TIMESTAMPTZ, amount DECIMAL(12,2), tags VARCHAR[], ok BOOLEAN, j JSON, CHECK (amount >= 0));
CREATE TABLE child (id INTEGER PRIMARY KEY, ev BIGINT REFERENCES events (event_id), a INTEGER, "B b" INTEGER, g INTEGER GENERATED ALWAYS AS (a + 1), UNIQUE (a, "B b"), CHECK (a > 0), CHECK (a < 9));
CREATE INDEX child_a ON child (a, ("B b" + 1));
CREATE VIEW v AS SELECT event_id, amount FROM events;
CREATE VIEW visits AS SELECT count(*) AS n FROM events;
INSERT INTO sessiondb.view_definitions VALUES (1, 'main', 'visits', 'SELECT * FROM SESSIONIZE(events, gap => ''11 min'')', true);
CREATE SEQUENCE sq START 5;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE MACRO add1(i) AS i + 1;
COMMENT ON TABLE events IS 'the events';
COMMENT ON COLUMN events.account_id IS 'who';
CREATE SCHEMA s2;
CREATE TABLE s2.x (a INTEGER);
CREATE TABLE kinds (a BOOLEAN, b TINYINT, c UTINYINT, d SMALLINT, e USMALLINT, f INTEGER, g UINTEGER, h BIGINT, i UBIGINT, j HUGEINT, k UHUGEINT, l FLOAT, m DOUBLE, n DECIMAL(4,1), o DECIMAL(38,10), p VARCHAR, q BLOB, r UUID, s BIT, t DATE, u TIME, v TIMETZ, w TIMESTAMP, x TIMESTAMP_S, y TIMESTAMP_MS, z TIMESTAMP_NS, aa TIMESTAMPTZ, ab INTERVAL, ac JSON, ad STRUCT(a INTEGER), ae MAP(VARCHAR, INTEGER), af UNION(a INTEGER), ag mood, ah INTEGER[], ai VARCHAR[3], aj DECIMAL(5,2)[], ak INTEGER[][], al STRUCT(a INTEGER)[], am BIGNUM, an UBIGINT[], ao INTEGER[2][3]);
CREATE TEMP TABLE tt (a INTEGER)`
