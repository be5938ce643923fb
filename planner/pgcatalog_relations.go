package planner

import (
	"fmt"
	"strconv"
	"strings"
)

// A pgRelation is one relation of Postgres's catalogs.
type pgRelation struct {
	schema    string // pg_catalog or information_schema
	schemaOID int
	name      string
	oid       int
	kind      string // relkind
	columns   []pgColumn
	empty     bool // no view stands for it: it is written out where it is named
}

// A pgColumn is a column of a pgRelation.
type pgColumn struct {
	name, pgType string
	notNull      bool
}

// key is how PGCatalog knows the relation.
func (r *pgRelation) key() string {
	if r.schema == "pg_catalog" {
		return r.name
	}
	return r.schema + "." + r.name
}

// target is the name of our relation.
func (r *pgRelation) target() string {
	return pgSchemaTarget(r.schema) + "." + r.name
}

// pgSchemaTarget is the schema of ours that stands for one of Postgres's.
func pgSchemaTarget(schema string) string {
	if schema == "pg_catalog" {
		return "memory.pgc"
	}
	return "memory.pgi"
}

// parsePGRelations reads relations.txt. Its lines are
//
//	schema name oid
//	relation oid relkind column:type column:!type …
func parsePGRelations(text string) []*pgRelation {
	var list []*pgRelation
	var schema string
	var schemaOID int
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) < 3 || f[0] == "#":
		case f[0] == "schema":
			schema, schemaOID = f[1], atoi(f[2])
		default:
			list = append(list, &pgRelation{
				schema: schema, schemaOID: schemaOID, name: f[0], oid: atoi(f[1]), kind: f[2], columns: parsePGColumns(f[3:]),
			})
		}
	}
	return list
}

func parsePGColumns(fields []string) []pgColumn {
	columns := make([]pgColumn, len(fields))
	for i, f := range fields {
		name, pgType, _ := strings.Cut(f, ":")
		plain := strings.TrimPrefix(pgType, "!")
		columns[i] = pgColumn{name: name, pgType: plain, notNull: plain != pgType}
	}
	return columns
}

// atoi reads a number of an embedded file; 0 stands for what is none.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// duckType is the DuckDB type of a catalog column.
func duckType(pgType string) string {
	if elem, ok := strings.CutPrefix(pgType, "_"); ok {
		return duckType(elem) + "[]"
	}
	switch pgType {
	case "oid", "regproc", "regtype", "xid":
		return "INTEGER"
	case "int2":
		return "SMALLINT"
	case "int4":
		return "INTEGER"
	case "int8":
		return "BIGINT"
	case "bool":
		return "BOOLEAN"
	case "float4":
		return "FLOAT"
	case "float8":
		return "DOUBLE"
	case "numeric":
		return "DECIMAL(38,6)"
	case "timestamptz":
		return "TIMESTAMPTZ"
	case "interval":
		return "INTERVAL"
	case "bytea":
		return "BLOB"
	case "int2vector":
		return "SMALLINT[]"
	case "oidvector":
		return "INTEGER[]"
	case "anyarray":
		return "VARCHAR[]"
	}
	return "VARCHAR"
}

// pgTypeOID is the OID of a catalog column's type; 0 for those whose DuckDB
// type says it all.
func pgTypeOID(pgType string) uint32 {
	switch pgType {
	case "char":
		return 18
	case "name":
		return 19
	case "int2vector":
		return 22
	case "regproc":
		return 24
	case "oid":
		return 26
	case "xid":
		return 28
	case "oidvector":
		return 30
	case "_oid":
		return 1028
	case "regtype":
		return 2206
	}
	return 0
}

// systemTablesSQL lists the catalogs' own relations and columns, which
// pg_class and pg_attribute show too.
func systemTablesSQL(list []*pgRelation) []string {
	relations := make([]string, 0, len(list))
	var columns []string
	for _, r := range list {
		relations = append(relations, fmt.Sprintf("(%d, '%s', %d, '%s', '%s', %d)", r.oid, r.name, r.schemaOID, r.schema, r.kind, len(r.columns)))
		for i, c := range r.columns {
			columns = append(columns, fmt.Sprintf("(%d, '%s', %d, '%s', %t)", r.oid, c.name, i+1, c.pgType, c.notNull))
		}
	}
	return []string{
		"CREATE TABLE memory.pgc._relation(oid INTEGER, relname VARCHAR, relnamespace INTEGER, nspname VARCHAR, relkind VARCHAR, natts INTEGER)",
		"INSERT INTO memory.pgc._relation VALUES " + strings.Join(relations, ", "),
		"CREATE TABLE memory.pgc._system_column(attrelid INTEGER, attname VARCHAR, attnum SMALLINT, atttypid INTEGER, attnotnull BOOLEAN)",
		"INSERT INTO memory.pgc._system_column SELECT v.attrelid, v.attname, v.attnum, coalesce(t.oid, 25), v.attnotnull FROM (VALUES " +
			strings.Join(columns, ", ") + ") AS v(attrelid, attname, attnum, atttype, attnotnull) LEFT JOIN memory.pgc._type AS t ON t.typname = v.atttype",
	}
}

// restSQL creates the relations that a SQL file gives some columns of, and
// marks those that hold nothing.
func (c *PGCatalog) restSQL(list []*pgRelation) []string {
	made := map[string]bool{}
	for _, q := range c.setup {
		if rest, ok := strings.CutPrefix(q, "CREATE VIEW "); ok {
			name, _, _ := strings.Cut(rest, " ")
			made[name] = true
		}
	}
	var out []string
	for _, r := range list {
		some := pgSchemaTarget(r.schema) + "._some_" + r.name
		switch {
		case made[r.target()]:
		case made[some]:
			out = append(out, "CREATE VIEW "+r.target()+" AS "+r.emptySQL()+" UNION ALL BY NAME SELECT * FROM "+some)
		default:
			r.empty = true
		}
	}
	return out
}

// fromItem is what stands for the relation in a FROM clause. Views for all the
// empty ones would make every look into DuckDB's own catalog slower.
func (r *pgRelation) fromItem() string {
	if r.empty {
		return "(" + r.emptySQL() + ")"
	}
	return r.target()
}

// emptySQL is a query with the columns of the relation and no rows.
func (r *pgRelation) emptySQL() string {
	items := make([]string, len(r.columns))
	for i, c := range r.columns {
		items[i] = "NULL::" + duckType(c.pgType) + " AS " + quoteIdent(c.name)
	}
	return "SELECT " + strings.Join(items, ", ") + " WHERE false"
}
