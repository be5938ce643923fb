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
	return "WITH _sz_rows AS (" + a.rows() + "), _sz_counted AS (" + a.counted() + "), _sz_islands AS (" + a.islands() +
		"), _sz_sessions AS (" + a.sessions() + ") " + a.result()
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
		return "SELECT * REPLACE (md5_number(" + canonicalSQL(a.valueColumns()) + " || '#' || row_number() OVER (PARTITION BY _member)) AS _member) FROM _sz_rows"
	case a.UniqueIDs:
		return "SELECT * FROM _sz_rows"
	}
	return "SELECT * FROM _sz_rows QUALIFY row_number() OVER (PARTITION BY _member ORDER BY _t, " + valueOrder(a.Contract) + ") = 1"
}

// islands numbers the sessions of each key: a row opens one when the least
// time within the gap before it is its own. The bound is written so that it
// cannot leave the 64 bits.
func (a adHoc) islands() string {
	gap := a.lengths.Gap
	least := "greatest(_t, -9223372036854775807 + " + gap + ") - " + gap
	opens := "lag(_t) OVER w IS NULL OR " + least + " > lag(_t) OVER w"
	return "SELECT *, count(*) FILTER (_opens) OVER (w ROWS UNBOUNDED PRECEDING) AS _island FROM (SELECT *, " + opens +
		" AS _opens FROM _sz_counted WINDOW w AS (PARTITION BY " + a.keyList() + " ORDER BY _t)) WINDOW w AS (PARTITION BY " + a.keyList() + " ORDER BY _t)"
}

func (a adHoc) keyList() string {
	keys := make([]string, len(a.Keys))
	for i, k := range a.Keys {
		keys[i] = k.SQL
	}
	return strings.Join(keys, ", ")
}

func (a adHoc) sessions() string {
	cols := []string{a.keyList(), a.sessionID() + " AS session_id", "min(_t) AS _start", "max(_t) AS _end", "count(*) AS event_count"}
	for i, m := range a.Measures {
		cols = append(cols, m.SQL+" AS _m"+strconv.Itoa(i))
	}
	return "SELECT " + strings.Join(cols, ", ") + " FROM _sz_islands GROUP BY " + a.keyList() + ", _island"
}

// sessionID is the UUID of a session: the hash of its key plus those of its
// members, each 64-bit half modulo 2^64.
func (a adHoc) sessionID() string {
	const mask = "18446744073709551615"
	key := "any_value(md5_number(" + canonicalSQL(a.Keys) + "))"
	half := func(cut func(string) string) string {
		return "CAST((CAST(" + cut(key) + " AS HUGEINT) + sum(" + cut("_member") + ")) & " + mask + "::HUGEINT AS UBIGINT)"
	}
	first := half(func(n string) string { return "CAST(" + n + " & " + mask + "::UHUGEINT AS UBIGINT)" })
	second := half(func(n string) string { return "CAST(" + n + " >> 64 AS UBIGINT)" })
	return "CAST(format('{:016x}{:016x}', " + first + ", " + second + ") AS UUID)"
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
		cols = append(cols, "_m"+strconv.Itoa(i)+" AS "+QuoteIdent(m.Name))
	}
	return "SELECT " + strings.Join(cols, ", ") + " FROM _sz_sessions"
}

// state is the session_state under the watermark that the events give. An
// explicit watermark was never set, so everything is open.
func (a adHoc) state() string {
	if a.Explicit {
		return "'open'"
	}
	watermark := "(max(_end) OVER () - " + a.lengths.Delay + ")"
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
