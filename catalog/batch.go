package catalog

import (
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// The batch recomputation in SQL: what a first build stores, and what REFRESH
// and verify compare the maintained rows with. Event times are microseconds
// as integers throughout: subtracting TIMESTAMPTZ values is six times slower.

const lowHalf = "18446744073709551615::UHUGEINT"

// batchSQL computes the sessions over the counted rows of the source: the key
// columns, session_id, _start and _end in microseconds, event_count and the
// measures.
func (v *View) batchSQL(counted string) string {
	c := v.Contract
	keys := keyHelpers(len(c.Keys))
	part := strings.Join(keys, ", ")
	member := "_member"
	numbered := counted
	if len(c.IDs) == 0 {
		member = "md5_number(_text || '#' || _ordinal)"
		numbered = "SELECT *, " + canonicalSQL(c.valueColumns()) + " AS _text, row_number() OVER (PARTITION BY _member) AS _ordinal FROM (" + counted + ")" + c.sourceAlias()
	}
	out := make([]string, 0, len(keys)+len(c.Measures)+4)
	for i, k := range c.Keys {
		out = append(out, fmt.Sprintf("_k%d AS %s", i, QuoteIdent(k.Name)))
	}
	out = append(out, sessionIDSQL(c, member)+" AS session_id", "min(_t) AS _start", "max(_t) AS _end", "count(*) AS event_count")
	for _, m := range c.Measures {
		out = append(out, m.SQL+" AS "+QuoteIdent(m.Name))
	}
	return "SELECT " + strings.Join(out, ", ") + " FROM (SELECT *, sum(_first) OVER (PARTITION BY " + part + " ORDER BY _t ROWS UNBOUNDED PRECEDING) AS _island" +
		" FROM (SELECT *, CASE WHEN _t - lag(_t) OVER (PARTITION BY " + part + " ORDER BY _t) <= " + fmt.Sprint(c.Gap) + " THEN 0 ELSE 1 END AS _first" +
		" FROM (" + numbered + ")))" + c.sourceAlias() + " GROUP BY " + part + ", _island"
}

func keyHelpers(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("_k%d", i)
	}
	return keys
}

// sessionIDSQL is the session_id of a group of members: see sessionop.
func sessionIDSQL(c *Contract, member string) string {
	keys := make([]ContractColumn, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = ContractColumn{SQL: fmt.Sprintf("_k%d", i), Type: k.Type}
	}
	hash := "any_value(md5_number(" + canonicalSQL(keys) + "))"
	half := func(of string) string {
		part := func(n string) string {
			if of == "hi" {
				return "CAST(" + n + " & " + lowHalf + " AS UBIGINT)"
			}
			return "CAST(" + n + " >> 64 AS UBIGINT)"
		}
		return "CAST((CAST(" + part(hash) + " AS HUGEINT) + sum(" + part(member) + ")) & 18446744073709551615::HUGEINT AS UBIGINT)"
	}
	return "CAST(format('{:016x}{:016x}', " + half("hi") + ", " + half("lo") + ") AS UUID)"
}

// ColumnsSQL lists what SESSIONIZE returns from a relation of batchSQL.
func (v *View) batchColumns(alias string) string {
	c := v.Contract
	cols := make([]string, 0, len(c.Keys)+len(c.Measures)+6)
	for _, k := range c.Keys {
		cols = append(cols, alias+"."+QuoteIdent(k.Name))
	}
	cols = append(cols, alias+".session_id", c.fromMicros(alias+"._start")+" AS session_start", c.fromMicros(alias+"._end")+" AS session_end", alias+".event_count")
	for _, m := range c.Measures {
		cols = append(cols, alias+"."+QuoteIdent(m.Name))
	}
	return strings.Join(cols, ", ")
}

// VerifySQL compares the current rows with the batch recomputation over the
// source's unique rows: less what is rejected, or with it. Each difference is
// a row of the side that has it, "view" or "source".
func (v *View) VerifySQL(includeRejected bool) string {
	c := v.Contract
	counted := v.countedRowsSQL(c.Source)
	if includeRejected {
		counted = v.uniqueRowsSQL()
	}
	on := make([]string, 0, len(c.Keys)+1)
	for _, k := range c.Keys {
		on = append(on, "r."+QuoteIdent(k.Name)+" = b."+QuoteIdent(k.Name))
	}
	on = append(on, "epoch_us(r.session_start) = b._start")
	differ := []string{"r.session_id IS DISTINCT FROM b.session_id", "epoch_us(r.session_end) IS DISTINCT FROM b._end", "r.event_count IS DISTINCT FROM b.event_count"}
	for _, m := range c.Measures {
		differ = append(differ, m.differs("r."+QuoteIdent(m.Name), "b."+QuoteIdent(m.Name)))
	}
	current := "(SELECT * FROM " + v.revisionsTable() + " WHERE retired_commit IS NULL)"
	join := " FROM " + current + " AS r FULL JOIN b ON " + strings.Join(on, " AND ") + " WHERE (" + strings.Join(differ, " OR ") + ")"
	return "(WITH b AS MATERIALIZED (" + v.batchSQL("SELECT * FROM ("+counted+") WHERE _t IS NOT NULL AND "+notNullKeys(len(c.Keys))) + ") " +
		"SELECT 'view' AS side, " + c.verifyColumns("r", "r.session_start", "r.session_end") + join + " AND r.session_id IS NOT NULL" +
		" UNION ALL SELECT 'source' AS side, " + c.verifyColumns("b", c.fromMicros("b._start"), c.fromMicros("b._end")) + join + " AND b.session_id IS NOT NULL)"
}

func (c *Contract) verifyColumns(alias, start, end string) string {
	cols := make([]string, 0, len(c.Keys)+len(c.Measures)+4)
	for _, k := range c.Keys {
		cols = append(cols, alias+"."+QuoteIdent(k.Name))
	}
	cols = append(cols, alias+".session_id", start+" AS session_start", end+" AS session_end", alias+".event_count")
	for _, m := range c.Measures {
		cols = append(cols, alias+"."+QuoteIdent(m.Name))
	}
	return strings.Join(cols, ", ")
}

func notNullKeys(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf("_k%d IS NOT NULL", i)
	}
	return strings.Join(parts, " AND ")
}

// differs compares a measure's two values; floating point within 1e-9.
func (m *ContractMeasure) differs(a, b string) string {
	distinct := a + " IS DISTINCT FROM " + b
	if m.Type == "DOUBLE" || m.Type == "FLOAT" {
		return "(" + distinct + " AND NOT coalesce(abs(" + a + " - " + b + ") <= 1e-9 * greatest(1, abs(" + b + ")), false))"
	}
	return distinct
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

// helpersSQL are the helper columns of countedRowsSQL.
func (v *View) helpersSQL() string {
	c := v.Contract
	helpers := make([]string, 0, len(c.Keys)+3)
	for i, k := range c.Keys {
		helpers = append(helpers, fmt.Sprintf("(%s) AS _k%d", k.SQL, i))
	}
	helpers = append(helpers, c.microsSQL()+" AS _t", c.memberSQL()+" AS _member", c.valuesHashSQL()+" AS _values")
	return strings.Join(helpers, ", ")
}

// rejectAllSQL rejects, when a view is built from all rows as one commit,
// those that lack something, are ahead of time, or conflict with an earlier
// row of their id. Its parameters are the commit, its time, and the latest
// event time that is not ahead (NULL: none is).
func (v *View) rejectAllSQL() string {
	c := v.Contract
	cols := make([]string, 0, 4)
	for _, col := range c.identifying() {
		cols = append(cols, "("+col.SQL+")")
	}
	conflict := "false"
	if len(c.IDs) > 0 && !c.UniqueIDs {
		conflict = "_values <> first_value(_values) OVER (PARTITION BY _member, _lack IS NULL ORDER BY _t, " + valueOrder(c) + ")"
	}
	lack := "CASE WHEN " + anyNullSQL(c.IDs) + " THEN 'no id' WHEN " + anyNullSQL(c.Keys) + " THEN 'no key' WHEN " + c.microsSQL() +
		" IS NULL THEN 'no time' WHEN " + c.microsSQL() + " > CAST(? AS BIGINT) THEN 'ahead of time' END"
	return "INSERT INTO " + v.rejectedTable() + " SELECT CAST(_member & " + lowHalf + " AS UBIGINT), CAST(_member >> 64 AS UBIGINT), _values, " +
		strings.Join(cols, ", ") + ", coalesce(_lack, 'conflicting duplicate'), NULL, CAST([] AS UUID[]), ?, ?, NULL, NULL FROM (SELECT *, " +
		"_lack IS NULL AND " + conflict + " AS _conflict FROM (SELECT *, " + v.helpersSQL() + ", " + lack + " AS _lack FROM " + c.Source + c.sourceAlias() + "))" +
		c.sourceAlias() + " WHERE _lack IS NOT NULL OR _conflict"
}

// buildSQL publishes every session of the source as the first revision. Its
// parameter is the commit.
func (v *View) buildSQL(watermark string) string {
	c := v.Contract
	into := []string{"seq", "pt"}
	from := []string{"row_number() OVER (ORDER BY " + keyOrder(c) + ", _start)", PartitionSQL(c)}
	add := func(col, expr string) { into, from = append(into, col), append(from, expr) }
	for _, k := range c.Keys {
		add(QuoteIdent(k.Name), QuoteIdent(k.Name))
	}
	add("session_id", "session_id")
	add("revision", "1")
	add("session_start", c.fromMicros("_start"))
	add("session_end", c.fromMicros("_end"))
	add("event_count", "event_count")
	for _, m := range c.Measures {
		add(QuoteIdent(m.Name), QuoteIdent(m.Name))
	}
	add("change", "'open'")
	add("supersedes", "CAST([] AS UUID[])")
	add("published_state", c.stateMicrosSQL("_end", watermark))
	add("published_commit", "?")
	counted := "SELECT * FROM (" + v.countedRowsSQL(c.Source) + ") WHERE _t IS NOT NULL AND " + notNullKeys(len(c.Keys))
	return "INSERT INTO " + v.revisionsTable() + " (" + strings.Join(into, ", ") + ") SELECT " + strings.Join(from, ", ") + " FROM (" + v.batchSQL(counted) + ") ORDER BY 1"
}

func keyOrder(c *Contract) string {
	keys := make([]string, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = QuoteIdent(k.Name)
	}
	return strings.Join(keys, ", ")
}

// stateMicrosSQL is stateSQL for an end in microseconds.
func (c *Contract) stateMicrosSQL(end, watermark string) string {
	final := ""
	if c.Lateness != sessionop.Unlimited {
		final = fmt.Sprintf(" WHEN %s - %d > %s + %d THEN 'final'", watermark, c.Lateness, end, c.Gap)
	}
	return fmt.Sprintf("CASE WHEN %[1]s IS NULL OR %[1]s <= %[2]s + %[3]d THEN 'open'%[4]s ELSE 'closed' END", watermark, end, c.Gap, final)
}
