package catalog

import "iter"

// A spanJoin joins rows with spans of time of their key, of which each row is
// in one at most.
type spanJoin uint8

const (
	// spansByKey compares each row with every span of its key: the fastest
	// where a key has few.
	spansByKey spanJoin = iota
	// spansInOrder sorts rows and spans by time, so that the work does not grow
	// with the product of both.
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

// sql joins spans, which go from one time to another, to the rows before it:
// those that have the same keys and their time, at, within the span.
func (j spanJoin) sql(spans, sameKeys, at, from, to string) string {
	if j == spansInOrder {
		return " ASOF JOIN " + spans + " ON " + sameKeys + " AND " + at + " >= " + from + " WHERE " + at + " <= " + to
	}
	return " JOIN " + spans + " ON " + sameKeys + " AND " + at + " BETWEEN " + from + " AND " + to
}
