package planner

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
)

//go:embed pgcatalog/*.sql pgcatalog/relations.txt
var pgCatalogFiles embed.FS

// PGCatalog is Postgres 15's pg_catalog and information_schema over a DuckDB
// database: relations and functions of our own in the schemas memory.pgc and
// memory.pgi of the instance, and the rewriting that makes a statement read
// them. DuckDB's own catalogs of these names cannot be shadowed, so a
// statement must go through Rewrite. The functions that have nothing to do
// with the catalogs are in memory.pgf.
//
// Contract:
//   - SetupSQL runs once per instance, after the user's database is attached
//     as catalog.DatabaseName and the table sessiondb.view_definitions is in it.
//   - SessionSQL runs on every connection, and its settings part again whenever
//     a setting changes. Relations are views, so they show what the connection's
//     transaction sees.
//   - Catalog columns of type oid are INTEGER in DuckDB (no OID of ours needs
//     the 32nd bit), int2vector is SMALLINT[] and name and "char" are VARCHAR.
//     Finish gives result columns the form in which they are printed, then
//     ResultType says what they are on the wire. Both know a column by its name,
//     so an oid under an alias is an int4.
//   - An error raised by one of the functions carries its SQLSTATE in front of
//     its text; SplitError takes it off.
//
// A PGCatalog does not change once it is made.
type PGCatalog struct {
	setup     []string
	relations map[string]*pgRelation // by name for pg_catalog, by schema.name for information_schema
	functions map[string]bool        // true for those that return one value, false for tables
	general   map[string]bool        // the functions that have nothing to do with the catalogs
	columns   map[string][]string    // the types of the catalog columns of that name
}

// NewPGCatalog reads the embedded description of the catalogs.
func NewPGCatalog() *PGCatalog {
	c := &PGCatalog{relations: map[string]*pgRelation{}, functions: map[string]bool{}, general: map[string]bool{}, columns: map[string][]string{}}
	c.columns["tableoid"], c.columns["xmin"] = []string{"oid"}, []string{"xid"}
	list := parsePGRelations(pgCatalogFile("relations.txt"))
	for _, r := range list {
		c.addRelation(r)
	}
	c.setup = append(c.setup, "CREATE SCHEMA memory.pgc", "CREATE SCHEMA memory.pgf", "CREATE SCHEMA memory.pgi")
	for _, name := range []string{"types", "procs", "settings"} {
		c.addFile(name, c.functions)
	}
	c.setup = append(c.setup, tuningSQL())
	c.setup = append(c.setup, systemTablesSQL(list)...)
	for _, name := range []string{"base", "session", "views", "functions", "information_schema"} {
		c.addFile(name, c.functions)
	}
	for _, name := range []string{"text", "numbers", "times", "arrays", "json"} {
		c.addFile(name, c.general)
	}
	c.setup = append(c.setup, c.restSQL(list)...)
	return c
}

// tuningSQL lists the settings that are only kept, of which settings.sql says
// nothing.
func tuningSQL() string {
	var rows []string
	for line := range strings.FieldsSeq(tuning) {
		name, value, _ := strings.Cut(line, "=")
		rows = append(rows, "("+quoteLiteral(name)+", "+quoteLiteral(value)+")")
	}
	return "INSERT INTO memory.pgc._setting (name, reset, category, context, vartype, boot_val) SELECT name, value, 'Customized Options', 'user', 'string', value FROM (VALUES " +
		strings.Join(rows, ", ") + ") AS t(name, value) WHERE name NOT IN (SELECT name FROM memory.pgc._setting)"
}

// pgCatalogFile is the text of an embedded file, which a test holds to be
// there.
func pgCatalogFile(name string) string {
	text, err := pgCatalogFiles.ReadFile("pgcatalog/" + name)
	if err != nil {
		return ""
	}
	return string(text)
}

func (c *PGCatalog) addRelation(r *pgRelation) {
	c.relations[r.key()] = r
	for _, col := range r.columns {
		if !slices.Contains(c.columns[col.name], col.pgType) {
			c.columns[col.name] = append(c.columns[col.name], col.pgType)
		}
	}
}

// hasFunction reports whether the catalogs have a function of that name.
func (c *PGCatalog) hasFunction(name string) bool {
	_, ok := c.functions[name]
	return ok
}

// columnType is the type of the catalog columns of that name which DuckDB
// holds as duck; "" if there is none, or more than one.
func (c *PGCatalog) columnType(name, duck string) string {
	found := ""
	for _, t := range c.columns[strings.ToLower(name)] {
		if duckType(t) != duck {
			continue
		}
		if found != "" {
			return ""
		}
		found = t
	}
	return found
}

// generalFunction is our name of a function of Postgres's that has nothing to do
// with the catalogs, and that DuckDB lacks or has for fewer arguments; "" for
// any other.
func (c *PGCatalog) generalFunction(name string) string {
	if !c.general[name] || strings.HasPrefix(name, "_") {
		return ""
	}
	return "memory.pgf." + name
}

// addFile takes over the statements of a file, and the names of the functions
// that they create into the given set.
func (c *PGCatalog) addFile(name string, functions map[string]bool) {
	pieces, err := Split(pgCatalogFile(name + ".sql"))
	if err != nil {
		return
	}
	for _, p := range pieces {
		c.setup = append(c.setup, p.SQL)
		if rest, ok := strings.CutPrefix(p.SQL, "CREATE MACRO memory.pg"); ok {
			_, rest, _ = strings.Cut(rest, ".") // the schema
			macro, body, _ := strings.Cut(rest, "(")
			functions[strings.Trim(macro, `"`)] = !strings.Contains(body, " AS TABLE")
		}
	}
}

// SetupSQL are the statements that create the relations and functions, one
// each.
func (c *PGCatalog) SetupSQL() []string { return c.setup }

// A PGSession is what the catalogs say of the connection that asks.
type PGSession struct {
	Database  string
	User      string
	ProcessID uint32
	Started   time.Time         // when the server started
	Settings  map[string]string // values by name; those that are missing have their default
}

// SessionSQL are the statements that make s known to a connection.
func (c *PGCatalog) SessionSQL(s PGSession) []string {
	return append([]string{
		"SET VARIABLE pgc_database = " + quoteLiteral(s.Database),
		"SET VARIABLE pgc_user = " + quoteLiteral(s.User),
		fmt.Sprintf("SET VARIABLE pgc_pid = %d", s.ProcessID),
		fmt.Sprintf("SET VARIABLE pgc_started = make_timestamptz(%d)", s.Started.UnixMicro()),
		"SET VARIABLE pgc_defaults = (SELECT map_from_entries(list((lower(name), reset))) FROM memory.pgc._setting)",
	}, c.SettingsSQL(s.User, s.Settings)...)
}

// SettingsSQL are the statements that make settings the ones that
// current_setting, pg_settings and everything that follows the search path show
// to a user's connection.
func (c *PGCatalog) SettingsSQL(user string, settings map[string]string) []string {
	entries := make([]string, 0, len(settings))
	path := `"$user", public`
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		lower := strings.ToLower(name)
		entries = append(entries, quoteLiteral(lower)+": "+quoteLiteral(settings[name]))
		if lower == "search_path" {
			path = settings[name]
		}
	}
	return []string{
		"SET VARIABLE pgc_settings = MAP {" + strings.Join(entries, ", ") + "}::MAP(VARCHAR, VARCHAR)",
		"SET VARIABLE pgc_path = [" + strings.Join(searchPath(path, user), ", ") + "]::VARCHAR[]",
	}
}

// searchPath are the schemas that a value of search_path names for a user, as
// literals.
func searchPath(value, user string) []string {
	tokens, err := Lex(value)
	if err != nil {
		return nil
	}
	var path []string
	for _, t := range tokens {
		switch {
		case t.isIdent() && t.Text == "$user":
			path = append(path, quoteLiteral(user))
		case t.isIdent() || t.Kind == TokenString:
			path = append(path, quoteLiteral(t.Text))
		}
	}
	return path
}

// SplitError takes apart the message of an error that a catalog function
// raised: "[42P01] relation …". ok is false for any other message.
func (c *PGCatalog) SplitError(message string) (sqlState, text string, ok bool) {
	const length = len("[42P01] ")
	if len(message) < length || message[0] != '[' || message[length-2:length] != "] " {
		return "", message, false
	}
	for _, b := range []byte(message[1 : length-2]) {
		if !isDigit(b) && (b < 'A' || b > 'Z') {
			return "", message, false
		}
	}
	return message[1 : length-2], message[length:], true
}

// ResultType is the OID of a result column of a finished statement (see
// Finish); ok is false where the column's DuckDB type decides.
func (c *PGCatalog) ResultType(name string, t *catalog.Type) (oid uint32, ok bool) {
	duck := ""
	switch t.ID {
	case catalog.TypeInteger:
		duck = "INTEGER"
	case catalog.TypeVarchar:
		duck = "VARCHAR"
	default:
	}
	switch pgType := c.columnType(name, duck); pgType {
	case "oid", "xid", "name", "char":
		return pgTypeOID(pgType), true
	}
	return 0, false
}

// Finish wraps a SELECT that reads the catalogs, where it has catalog columns
// that Postgres prints in another way: regproc and regtype as a name,
// int2vector and oidvector as "1 2". It returns sql itself if there are none.
func (c *PGCatalog) Finish(sql string, columns []catalog.Column) string {
	items, names := make([]string, len(columns)), make([]string, len(columns))
	changed := false
	for i, col := range columns {
		names[i] = fmt.Sprintf("_%d", i+1)
		expr, ok := c.printed(names[i], col)
		changed = changed || ok
		items[i] = expr + " AS " + quoteIdent(col.Name)
	}
	if !changed {
		return sql
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + sql + "\n) AS _finished(" + strings.Join(names, ", ") + ")"
}

// printed is the expression that prints a result column as Postgres does; ok
// is false if it is ref itself.
func (c *PGCatalog) printed(ref string, col catalog.Column) (expr string, ok bool) {
	switch col.Type.ID {
	case catalog.TypeInteger:
		if pgType := c.columnType(col.Name, "INTEGER"); pgType == "regproc" || pgType == "regtype" {
			return "memory.pgc." + pgType + "_name(" + ref + ")", true
		}
	case catalog.TypeList:
		if c.isVector(col.Name) {
			return "array_to_string(" + ref + ", ' ')", true
		}
	default:
	}
	return ref, false
}

// isVector reports whether catalog columns of that name are an int2vector or
// oidvector, whose subscripts count from 0.
func (c *PGCatalog) isVector(name string) bool {
	return c.columnType(name, "SMALLINT[]") == "int2vector" || c.columnType(name, "INTEGER[]") == "oidvector"
}
