package catalog

import (
	"fmt"
	"strconv"
	"strings"
)

// A lookup of given keys reads few rows: the operator's state knows which
// revisions are their current sessions, and DuckDB skips the row groups of the
// revisions table that have none of these.

const (
	// lookupFrom is how many sessions a view must have for a lookup to read
	// less than a scan: more than one of DuckDB's row groups.
	lookupFrom = 122_881
	// maxLookup bounds the sessions that a lookup names: more are scanned for.
	maxLookup = 1000
)

// Found are the current sessions of some keys as they were at one moment, with
// which any later snapshot of the database can be asked for them.
type Found struct {
	seqs []int64
	next int64 // revisions from this one on were published since, of any key
}

// KeyText is the canonical text of a key, given what DuckDB prints of the
// values of its columns.
func KeyText(values []string) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(strconv.Itoa(len(v)) + ":" + v)
	}
	return b.String()
}

// Find finds the current sessions of keys, given by their KeyText. ok is false
// where a scan is as good, where final sessions have left memory, or while the
// state is just changing: it never waits. The snapshot that is asked for them
// must be taken after the call.
func (s *Store) Find(v *View, keys []string) (f Found, ok bool) {
	if !v.Populated || !s.states.TryRLock() {
		return Found{}, false
	}
	defer s.states.RUnlock()
	if _, left := v.state.Away(); left || v.state.Len() < lookupFrom {
		return Found{}, false
	}
	f.next = v.state.NextSeq()
	for _, key := range keys {
		for session := range v.state.Sessions(key) {
			if len(f.seqs) == maxLookup {
				return Found{}, false
			}
			f.seqs = append(f.seqs, session.Seq)
		}
	}
	return f, true
}

// FoundSQL is the view's query over no more rows than hold the current sessions
// of the keys that were found. It has other rows too.
func (v *View) FoundSQL(f Found) string {
	where := fmt.Sprintf("r.seq >= %d", f.next)
	if len(f.seqs) > 0 {
		list := make([]string, len(f.seqs))
		for i, seq := range f.seqs {
			list[i] = strconv.FormatInt(seq, 10)
		}
		where = "(r.seq IN (" + joinExprs(list) + ") OR " + where + ")"
	}
	return v.outerSQL("(" + v.currentSQL() + " AND " + where + ")")
}
