package catalog

import (
	"context"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// A lookup of given keys reads few rows: the operator's state knows which
// revisions are their current sessions, and DuckDB skips the row groups of the
// revisions table that have none of these.

const (
	// defaultLookupFrom is how many revisions there must be for a lookup to read
	// less than a scan: more than one of DuckDB's row groups.
	defaultLookupFrom = 122_881
	// maxLookup bounds the sessions that a lookup names: more are scanned for.
	maxLookup = 1000
)

// Found are the current sessions of some keys as they were at one moment, with
// which any later snapshot of the database can be asked for them.
type Found struct {
	seqs []int64
	next int64 // revisions from this one on were published since, of any key
}

// Spares reports whether to ask with f reads much less than with what was found
// before it: a row group that was published since.
func (f Found) Spares(before Found) bool { return f.next-before.next >= defaultLookupFrom }

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
// where a scan is as good, while the view is suspended, or while the state is
// just changing: it never waits.
// The first lookup of a view whose final sessions have left memory is not
// answered either, but has them indexed. The snapshot that is asked for the
// sessions must be taken after the call.
func (s *Store) Find(v *View, keys []string) (f Found, ok bool) {
	if !s.states.TryRLock() {
		return Found{}, false
	}
	defer s.states.RUnlock()
	if v.ready() != nil { // there is no state
		return Found{}, false
	}
	if f.next = v.state.NextSeq(); f.next < s.lookupFrom {
		return Found{}, false
	}
	if v.state.WantsAwayIndex() {
		select {
		case s.unindexed <- v:
		default: // another view is about to be indexed: a later lookup asks again
		}
	}
	for _, key := range keys {
		seqs, ok := v.state.Seqs(key, maxLookup-len(f.seqs))
		if !ok {
			return Found{}, false
		}
		f.seqs = append(f.seqs, seqs...)
	}
	return f, true
}

// indexAway indexes the sessions of a view that have left memory.
func (s *Store) indexAway(ctx context.Context, v *View) {
	s.states.Lock()
	wanted := v.state.WantsAwayIndex()
	if wanted {
		v.state.BeginAwayIndex()
	}
	end, _ := v.state.Away()
	s.states.Unlock()
	if !wanted {
		return
	}
	index, err := s.readAway(ctx, v, end)
	if err != nil && ctx.Err() == nil {
		s.logger.Warn("lookups scan, since the sessions were not indexed by key", "view", v.Name.Name, "error", err)
	}
	s.states.Lock()
	defer s.states.Unlock()
	v.state.CompleteAwayIndex(index)
}

// readAway reads the current sessions that ended by end.
func (s *Store) readAway(ctx context.Context, v *View, end int64) (*sessionop.AwayIndex, error) {
	conn, err := s.db.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	rows, err := conn.Query(ctx, v.awaySQL(), finiteMicros(end))
	if err != nil {
		return nil, err
	}
	index := &sessionop.AwayIndex{}
	err = eachRow(ctx, rows, func(ch *Chunk, i int) error {
		index.Add(ch.Col(0).Uint64s()[i], ch.Col(1).Int64s()[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	return index, nil
}

// awaySQL reads what AwayIndex.Add takes of the current sessions that ended by a
// time, in microseconds.
func (v *View) awaySQL() string {
	return "SELECT md5_number_upper(" + canonicalSQL(v.Contract.sessionKeys("r.")) + "), r.seq FROM " + v.revisionsTable() + " AS r" +
		" WHERE r.retired_commit IS NULL AND r.session_end <= " + v.Contract.fromMicros(bigintArg)
}

// FoundSQL is the view's query over no more rows than hold the current sessions
// of the keys that were found. It has other rows too. There is no OR in it, by
// which DuckDB does not skip row groups.
func (v *View) FoundSQL(f Found) string {
	revisions := "(SELECT * FROM " + v.revisionsTable() + " WHERE seq >= " + strconv.FormatInt(f.next, 10)
	if len(f.seqs) > 0 {
		list := make([]string, len(f.seqs))
		for i, seq := range f.seqs {
			list[i] = strconv.FormatInt(seq, 10)
		}
		revisions += " UNION ALL SELECT * FROM " + v.revisionsTable() + " WHERE seq IN (" + joinExprs(list) + ")"
	}
	return v.outerSQL("(" + v.currentSQL(revisions+")") + ")")
}
