package catalog

import (
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// Lengths are lengths of time of a Contract that are known only when the query
// runs: SQL expressions of microseconds. An empty one is the contract's own.
type Lengths struct{ Gap, Lateness, Delay, MaxAhead string }

// AdHocSQL is the query that computes the contract's sessions from its source
// there and then, as one commit: nothing is late, and every revision is 1. Its
// columns are those of SESSIONIZE. Nothing in it is looked up in the catalog
// but the source, which is read once:
//
//	_sz_rows      the source's rows that can count, with the columns that the
//	              contract names and _t, _member, _partition
//	_sz_counted   of an id the earliest row; without an id, every row, each
//	              with its ordinal among equals in _member
//	_sz_islands   the same with _start, the number of its session in its key
//	_sz_sessions  one row per session
//
// The source's columns keep their names, so that measures read as they were
// written.
func (c *Contract) AdHocSQL(l Lengths) string {
	a := adHoc{Contract: c, lengths: c.lengths(l)}
	return "WITH _sz_rows AS (" + a.rows() + "), _sz_counted AS (" + a.counted() + "), _sz_islands AS (" + c.islandsSQL("_sz_counted", a.lengths.Gap) +
		"), _sz_sessions AS (" + c.groupSQL("_sz_islands") + ") " + a.result()
}

// adHoc builds one ad hoc query.
type adHoc struct {
	*Contract
	lengths Lengths
}

// lengths fills in the contract's own lengths of time; an unlimited one stays
// empty.
func (c *Contract) lengths(l Lengths) Lengths {
	fill := func(expr string, micros int64) string {
		if expr != "" || micros == sessionop.Unlimited {
			return expr
		}
		return strconv.FormatInt(micros, 10)
	}
	return Lengths{
		Gap: fill(l.Gap, c.Gap), Lateness: fill(l.Lateness, c.Lateness),
		Delay: fill(l.Delay, c.Delay), MaxAhead: fill(l.MaxAhead, c.MaxAhead),
	}
}

func (a adHoc) rows() string {
	named := a.named()
	cols := make([]string, 0, len(named)+3)
	for _, n := range named {
		cols = append(cols, n.SQL)
	}
	cols = append(cols, a.microsSQL()+" AS _t", a.memberSQL()+" AS _member")
	if a.Partition != nil {
		cols = append(cols, partitionSQL(a.Contract)+" AS _partition")
	}
	where := []string{"_t IS NOT NULL"}
	for _, n := range append(append([]ContractColumn{}, a.Keys...), a.IDs...) {
		where = append(where, n.SQL+" IS NOT NULL")
	}
	if a.lengths.MaxAhead != "" {
		where = append(where, "_t <= epoch_us(now()) + "+a.lengths.MaxAhead)
	}
	return "SELECT * FROM (SELECT " + strings.Join(cols, ", ") + " FROM " + a.Source + " AS source) WHERE " + strings.Join(where, " AND ")
}

// named are the columns that the contract names, each once.
func (a adHoc) named() []ContractColumn {
	seen := map[string]bool{}
	var out []ContractColumn
	for _, col := range append(a.valueColumns(), a.IDs...) {
		if !seen[col.SQL] {
			seen[col.SQL] = true
			out = append(out, col)
		}
	}
	return out
}

// counted leaves one row of each id. Without an id every row counts, and its
// ordinal tells it from its equals.
func (a adHoc) counted() string {
	switch {
	case len(a.IDs) == 0:
		return a.ordinalsSQL("_sz_rows")
	case a.UniqueIDs:
		return "SELECT * FROM _sz_rows"
	}
	return "SELECT * FROM _sz_rows QUALIFY row_number() OVER (PARTITION BY _member ORDER BY _t, " + valueOrder(a.Contract) + ") = 1"
}

// result are the columns of SESSIONIZE.
func (a adHoc) result() string {
	cols := []string{}
	for _, k := range a.Keys {
		cols = append(cols, k.SQL)
	}
	cols = append(cols, "session_id", "CAST(1 AS BIGINT) AS revision", a.fromMicros("_start")+" AS session_start",
		a.fromMicros("_end")+" AS session_end", a.state()+" AS session_state", "event_count")
	for i, m := range a.Measures {
		cols = append(cols, batchMeasure(i)+" AS "+QuoteIdent(m.Name))
	}
	return "SELECT " + strings.Join(cols, ", ") + " FROM _sz_sessions"
}

// state is the session_state under the watermark that the events give. An
// explicit watermark was never set, so everything is open.
func (a adHoc) state() string {
	if a.Explicit {
		return "'open'"
	}
	watermark := "(CAST(max(_end) OVER () AS HUGEINT) - " + a.lengths.Delay + ")"
	if a.Partition != nil {
		watermark = "(" + a.partitionWatermark() + ")"
	}
	closes := "(CAST(_end AS HUGEINT) + " + a.lengths.Gap + ")"
	final := ""
	if a.lengths.Lateness != "" {
		final = " WHEN " + watermark + " - " + a.lengths.Lateness + " > " + closes + " THEN 'final'"
	}
	return "CASE WHEN " + watermark + " IS NULL OR " + watermark + " <= " + closes + " THEN 'open'" + final + " ELSE 'closed' END"
}

// partitionWatermark is the least watermark of the partitions; NULL while a
// declared one is silent.
func (a adHoc) partitionWatermark() string {
	least := "min(latest) - " + a.lengths.Delay
	if len(a.Partitions) > 0 {
		names := make([]string, len(a.Partitions))
		for i, p := range a.Partitions {
			names[i] = QuoteLiteral(p)
		}
		least = "CASE WHEN count(*) FILTER (_partition IN (" + strings.Join(names, ", ") + ")) = " + strconv.Itoa(len(names)) + " THEN " + least + " END"
	}
	return "SELECT " + least + " FROM (SELECT _partition, CAST(max(_t) AS HUGEINT) AS latest FROM _sz_counted GROUP BY _partition)"
}
