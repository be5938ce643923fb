package catalog

import (
	"fmt"
	"iter"
	"strings"
)

// A spanJoin joins rows with spans of time of their key, of which each row is
// in one at most.
type spanJoin uint8

const (
	// spansByKey compares each row with every span of its key: the fastest
	// where a key has few.
	spansByKey spanJoin = iota
	// spansInOrder sorts rows and spans by time, so that the work does not grow
	// with the product of both. (DuckDB's ASOF JOIN is not it: planned for a
	// table that is still empty, it compares every row with every span.)
	spansInOrder
)

// manySpans is how many spans a key has before their order pays off.
const manySpans = 64

// spansOf chooses for spans of these keys, which stand together by key.
func spansOf(keys iter.Seq[string]) spanJoin {
	run, last := 0, ""
	for key := range keys {
		if key != last {
			run, last = 0, key
		}
		if run++; run > manySpans {
			return spansInOrder
		}
	}
	return spansByKey
}

// keysOf are the keys of some items, in their order.
func keysOf[T any](items []T, key func(*T) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range items {
			if !yield(key(&items[i])) {
				return
			}
		}
	}
}

// Timed rows are a relation, with its alias, whose rows have a key and a time
// in microseconds: expressions over its columns.
type timedRows struct {
	relation, alias, at string
	keys                []string
}

// spansSQL are the current sessions as the spans that spanJoin.sql takes: a query
// of the revisions as r that ends in its WHERE.
func (v *View) spansSQL() string {
	columns := []string{"epoch_us(r.session_start) AS _span_from", "epoch_us(r.session_end) AS _span_to"}
	for i, k := range v.Contract.keysUnder("r.") {
		columns = append(columns, fmt.Sprintf("%s AS _span_k%d", k, i))
	}
	return "SELECT " + joinExprs(columns) + " FROM " + v.revisionsTable() + " AS r WHERE r.retired_commit IS NULL"
}

// sql is a FROM item under the rows' alias: the rows that are in one of the
// spans, with the columns of that beside theirs. spans is a query for the
// columns _span_k0, _span_k1 and so on, _span_from and _span_to, in microseconds, and others.
func (j spanJoin) sql(rows timedRows, spans string) string {
	if j == spansByKey {
		on := []string{rows.at + " BETWEEN f._span_from AND f._span_to"}
		for i, k := range rows.keys {
			on = append(on, fmt.Sprintf("%s = f._span_k%d", k, i))
		}
		return "(SELECT * FROM " + rows.relation + rows.alias + " JOIN (" + spans + ") AS f ON " + strings.Join(on, " AND ") + ")" + rows.alias
	}
	var ofRow, ofSpan, keys []string
	for i, k := range rows.keys {
		ofRow = append(ofRow, fmt.Sprintf("%s AS _row_k%d", k, i))
		ofSpan = append(ofSpan, fmt.Sprintf("_span_k%d AS _row_k%d", i, i))
		keys = append(keys, fmt.Sprintf("_row_k%d", i))
	}
	key := joinExprs(keys)
	return "(WITH _spans AS MATERIALIZED (SELECT *, row_number() OVER () AS _number FROM (" + spans + "))," +
		" _both AS (SELECT *, " + rows.at + " AS _row_at, " + joinExprs(ofRow) + ", CAST(NULL AS BIGINT) AS _opens FROM " + rows.relation + rows.alias +
		" UNION ALL BY NAME SELECT _span_from AS _row_at, " + joinExprs(ofSpan) + ", _number AS _opens FROM _spans)," +
		" _within AS (SELECT *, last_value(_opens IGNORE NULLS) OVER (PARTITION BY " + key + " ORDER BY _row_at, _opens IS NULL ROWS UNBOUNDED PRECEDING) AS _in FROM _both)" +
		" SELECT r.* EXCLUDE (_row_at, " + key + ", _opens, _in), f.* FROM _within AS r JOIN _spans AS f ON r._in = f._number WHERE r._opens IS NULL AND r._row_at <= f._span_to)" + rows.alias
}
