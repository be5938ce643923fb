package catalog

import (
	"fmt"
	"strings"
)

// VerifySQL compares the current rows with the batch recomputation over the
// source's unique rows: less what is rejected, or with it. Each difference is
// a row of the side that has it, "view" or "source". Sessions whose rows
// event_retention has let go of are not compared.
func (v *View) VerifySQL(includeRejected bool) string {
	c := v.Contract
	counted := v.countedRowsSQL(c.Source)
	if includeRejected {
		counted = v.uniqueRowsSQL()
	}
	join := fmt.Sprintf(" FROM (SELECT * FROM %s AS r WHERE retired_commit IS NULL AND NOT %s) AS r FULL JOIN b ON %s AND epoch_us(r.session_start) = b._start WHERE (%s)",
		v.revisionsTable(), v.releasedSQL(), c.sameKeySQL("r", "b"), v.differSQL())
	return "(WITH b AS MATERIALIZED (" + v.keptBatchSQL(counted, v.lengthSQL("gap", c.Gap, "")) + ") " +
		"SELECT 'view' AS side, " + c.verifyColumns("r", "r.session_start", "r.session_end", func(i int) string { return QuoteIdent(c.Measures[i].Name) }) + join + " AND r.session_id IS NOT NULL" +
		" UNION ALL SELECT 'source' AS side, " + c.verifyColumns("b", c.fromMicros("b._start"), c.fromMicros("b._end"), batchMeasure) + join + " AND b.session_id IS NOT NULL)"
}

// differSQL tells a current row r from a row b of the batch.
func (v *View) differSQL() string {
	differ := []string{"r.session_id IS DISTINCT FROM b.session_id", "epoch_us(r.session_end) IS DISTINCT FROM b._end", "r.event_count IS DISTINCT FROM b.event_count"}
	for i, m := range v.Contract.Measures {
		differ = append(differ, m.differs("r."+QuoteIdent(m.Name), "b."+batchMeasure(i)))
	}
	return strings.Join(differ, " OR ")
}

func (c *Contract) verifyColumns(alias, start, end string, measure func(int) string) string {
	cols := []string{c.keyListOf(alias + "."), alias + ".session_id", start + " AS session_start", end + " AS session_end", alias + ".event_count"}
	for i, m := range c.Measures {
		cols = append(cols, alias+"."+measure(i)+" AS "+QuoteIdent(m.Name))
	}
	return strings.Join(cols, ", ")
}

// differs compares a measure's two values; floating point within 1e-9.
func (m *ContractMeasure) differs(a, b string) string {
	distinct := a + " IS DISTINCT FROM " + b
	if m.Type == "DOUBLE" || m.Type == "FLOAT" {
		return "(" + distinct + " AND NOT coalesce(abs(" + a + " - " + b + ") <= 1e-9 * greatest(1, abs(" + b + ")), false))"
	}
	return distinct
}
