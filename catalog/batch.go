package catalog

import (
	"fmt"
	"strconv"
	"strings"
)

// The batch computation of sessions in SQL: what ad hoc SESSIONIZE answers,
// what a first build stores, and what REFRESH and verify compare the
// maintained rows with. Event times are microseconds as integers throughout:
// subtracting TIMESTAMPTZ values is six times slower. Between the steps rows
// carry the source's columns under their own names, so that measures read as
// they were written, and
//
//	_t         the event time in microseconds
//	_member    the 128-bit hash of the row's identity
//	_island    the number of the row's session within its key

const (
	// lowHalf is the mask of the lower 64 bits, for the hashes of md5_number;
	// lowHalfSigned is the same for sums of them.
	lowHalf       = "18446744073709551615::UHUGEINT"
	lowHalfSigned = "18446744073709551615::HUGEINT"
)

// lowHalfOf and highHalfOf take a 128-bit hash apart.
func lowHalfOf(hash string) string  { return "CAST(" + hash + " & " + lowHalf + " AS UBIGINT)" }
func highHalfOf(hash string) string { return "CAST(" + hash + " >> 64 AS UBIGINT)" }

// keyList are the key columns.
func (c *Contract) keyList() string { return c.keyListOf("") }

// keyListOf are the key columns of a relation, given with its dot.
func (c *Contract) keyListOf(relation string) string { return joinExprs(c.keysUnder(relation)) }

// keysUnder are the key columns' names, each after a prefix.
func (c *Contract) keysUnder(prefix string) []string {
	keys := make([]string, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = prefix + QuoteIdent(k.Name)
	}
	return keys
}

// sameKeySQL compares the key columns of two relations.
func (c *Contract) sameKeySQL(a, b string) string {
	parts := make([]string, len(c.Keys))
	for i, k := range c.Keys {
		parts[i] = a + "." + QuoteIdent(k.Name) + " = " + b + "." + QuoteIdent(k.Name)
	}
	return strings.Join(parts, " AND ")
}

// ordinalsSQL are the rows of relation where the contract names no id: each
// with its number among equals in _member.
func (c *Contract) ordinalsSQL(relation string) string {
	return "SELECT * REPLACE (md5_number(" + canonicalSQL(c.valueColumns()) + " || '#' || row_number() OVER (PARTITION BY _member)) AS _member) FROM " + relation
}

// islandsSQL numbers the sessions of each key: a row opens one when the least
// time within the gap before it is its own. Rows of one time may be sorted
// otherwise by each window, so the count takes them all in (RANGE, not ROWS):
// whichever of them opens the session, all are in it. The bound is written so
// that it cannot leave the 64 bits.
func (c *Contract) islandsSQL(relation, gap string) string {
	window := " WINDOW w AS (PARTITION BY " + c.keyList() + " ORDER BY _t)"
	least := "greatest(_t, -9223372036854775807 + " + gap + ") - " + gap
	opens := "lag(_t) OVER w IS NULL OR " + least + " > lag(_t) OVER w"
	// Not count(*) FILTER (_opens): DuckDB then counts anew for each row.
	return "SELECT *, count(CASE WHEN _opens THEN 1 END) OVER (w RANGE UNBOUNDED PRECEDING) AS _island" +
		" FROM (SELECT *, " + opens + " AS _opens FROM " + relation + window + ")" + window
}

// groupSQL makes sessions of islands: the key, session_id, _start and _end in
// microseconds, event_count, and the measures as _m0, _m1 and so on.
func (c *Contract) groupSQL(islands string) string {
	cols := []string{c.keyList(), c.sessionIDSQL() + " AS session_id", "min(_t) AS _start", "max(_t) AS _end", "count(*) AS event_count"}
	for i, m := range c.Measures {
		cols = append(cols, m.SQL+" AS "+batchMeasure(i))
	}
	return "SELECT " + strings.Join(cols, ", ") + " FROM " + islands + c.sourceAlias() + " GROUP BY " + c.keyList() + ", _island"
}

func batchMeasure(i int) string { return "_m" + strconv.Itoa(i) }

// sessionIDSQL is the UUID of a session: the hash of its key plus those of its
// members, each 64-bit half modulo 2^64; see sessionop.
func (c *Contract) sessionIDSQL() string {
	key := "any_value(md5_number(" + canonicalSQL(c.Keys) + "))"
	half := func(cut func(string) string) string {
		return "CAST((CAST(" + cut(key) + " AS HUGEINT) + sum(" + cut("_member") + ")) & " + lowHalfSigned + " AS UBIGINT)"
	}
	return "CAST(format('{:016x}{:016x}', " + half(lowHalfOf) + ", " + half(highHalfOf) + ") AS UUID)"
}

// batchSQL computes the sessions over counted rows of the source.
func (v *View) batchSQL(counted, gap string) string {
	c := v.Contract
	rows := "(SELECT * FROM (" + counted + ") WHERE " + c.countableSQL() + ")"
	if len(c.IDs) == 0 {
		rows = "(" + c.ordinalsSQL(rows) + ")"
	}
	return c.groupSQL("(" + c.islandsSQL(rows, gap) + ")")
}

// countableSQL holds for rows that have a time and a key.
func (c *Contract) countableSQL() string {
	parts := []string{"_t IS NOT NULL"}
	for _, k := range c.Keys {
		parts = append(parts, QuoteIdent(k.Name)+" IS NOT NULL")
	}
	return strings.Join(parts, " AND ")
}

// helpersSQL are the helper columns of countedRowsSQL.
func (v *View) helpersSQL() string {
	c := v.Contract
	return c.microsSQL() + " AS _t, " + c.memberSQL() + " AS _member, " + c.valuesHashSQL() + " AS _values"
}

// uniqueRowsSQL are the source's rows as a batch would count them: of an id
// the earliest by time, key and values.
func (v *View) uniqueRowsSQL() string {
	c := v.Contract
	rows := "SELECT *, " + v.helpersSQL() + " FROM " + c.Source + c.sourceAlias() + " WHERE NOT (" + anyNullSQL(c.IDs) + ")"
	if len(c.IDs) == 0 || c.UniqueIDs {
		return rows
	}
	return rows + " AND " + c.microsSQL() + " IS NOT NULL AND NOT (" + anyNullSQL(c.Keys) + ")" +
		" QUALIFY row_number() OVER (PARTITION BY _member ORDER BY _t, " + valueOrder(c) + ") = 1"
}

func valueOrder(c *Contract) string {
	cols := c.valueColumns()
	out := make([]string, len(cols))
	for i, col := range cols {
		out[i] = col.SQL
	}
	return strings.Join(out, ", ")
}

// revisionRow is a row to insert into a view's revisions, column by column.
type revisionRow struct{ into, from []string }

func (r *revisionRow) add(column, expr string) {
	r.into, r.from = append(r.into, column), append(r.from, expr)
}

// batchRevision is the row that publishes a session of batchSQL, read as b.
func (c *Contract) batchRevision(seq string) *revisionRow {
	r := &revisionRow{}
	r.add("seq", seq)
	r.add("pt", PartitionSQL(c))
	for _, k := range c.Keys {
		r.add(QuoteIdent(k.Name), "b."+QuoteIdent(k.Name))
	}
	r.add("session_id", "b.session_id")
	r.add("session_start", c.fromMicros("b._start"))
	r.add("session_end", c.fromMicros("b._end"))
	r.add("event_count", "b.event_count")
	for i, m := range c.Measures {
		r.add(QuoteIdent(m.Name), "b."+batchMeasure(i))
	}
	return r
}

// insertSQL inserts the row for each row of from.
func (r *revisionRow) insertSQL(table, from string) string {
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s", table, joinExprs(r.into), joinExprs(r.from), from)
}
