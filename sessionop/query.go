package sessionop

import (
	"iter"
	"slices"
	"sort"
	"unsafe"
)

// A Session is one current session that is held.
type Session struct {
	Key             string
	Start, End      int64
	SessionID       Hash
	Seq, Revision   int64
	Count           int64
	PublishedCommit int64
	Accs            []Acc // a copy
}

// Spec returns the contract of the state.
func (s *State) Spec() Spec { return s.spec }

// NextSeq returns the number that the next revision gets.
func (s *State) NextSeq() int64 { return s.nextSeq }

// Len returns how many sessions are held.
func (s *State) Len() int { return s.held }

// Watermark returns the view's watermark.
func (s *State) Watermark() (time int64, defined bool) {
	return s.clocks.view.Time, s.clocks.view.Defined
}

// StateOf returns the state of a session that ends at end under the watermark.
func (s *State) StateOf(end int64, w Watermark) SessionState { return s.spec.StateOf(end, w) }

// Partitions returns every known partition, by name.
func (s *State) Partitions() []PartitionState {
	states := make([]PartitionState, len(s.clocks.partitions))
	for i := range s.clocks.partitions {
		states[i] = s.clocks.partitions[i].PartitionState
	}
	return states
}

// IdleAt returns the earliest Commit.Now at which a Tick makes a partition
// idle, if nothing is heard until then; ok is false if none will be.
func (s *State) IdleAt() (time int64, ok bool) {
	for i := range s.clocks.partitions {
		at, idles := s.clocks.idleAt(&s.spec, &s.clocks.partitions[i])
		if idles && (!ok || at < time) {
			time, ok = at, true
		}
	}
	return time, ok
}

// Sessions returns the sessions of a key that are held, in order of time. The state
// must not change during the iteration.
func (s *State) Sessions(key string) iter.Seq[Session] {
	return func(yield func(Session) bool) {
		if line := s.keys.find(key); line != nil {
			s.each(line, yield)
		}
	}
}

// All returns every session that is held: keys in no order, those of one key in
// order of time. The state must not change during the iteration.
func (s *State) All() iter.Seq[Session] {
	return func(yield func(Session) bool) {
		for line := range s.keys.all() {
			if !s.each(line, yield) {
				return
			}
		}
	}
}

func (s *State) each(line *timeline, yield func(Session) bool) bool {
	for at := (cursor{}); line.valid(at); at = line.next(at) {
		if !yield(s.export(line, at)) {
			return false
		}
	}
	return true
}

// SessionAt returns the session of the key that spans the time, if it is held.
func (s *State) SessionAt(key string, time int64) (found Session, ok bool) {
	line := s.keys.find(key)
	if line == nil {
		return Session{}, false
	}
	at := line.seek(cursor{}, time)
	if !line.valid(at) || line.session(at).start > time {
		return Session{}, false
	}
	return s.export(line, at), true
}

// CountedID returns Event.Values of the counted event with the id; ok is false
// if there is none, or no ids are kept.
func (s *State) CountedID(member Hash) (values uint64, ok bool) {
	return s.ids.get(member)
}

func (s *State) export(line *timeline, at cursor) Session {
	of := line.session(at)
	return Session{
		Key: line.key, Start: of.start, End: of.end, SessionID: of.id,
		Seq: of.seq, Revision: of.revision, Count: of.count, PublishedCommit: of.commit,
		Accs: slices.Clone(line.accs(at, len(s.spec.Measures))),
	}
}

// Stats are the sizes of a state.
type Stats struct {
	Keys, Sessions int
	IDs            int   // counted ids that are remembered
	Bytes          int64 // of memory, approximately
	IDBytes        int64 // of these, those of the ids
	AwayBytes      int64 // of these, those of the index of sessions that left
}

// Stats counts what the state holds. It takes time in proportion to the keys.
func (s *State) Stats() Stats {
	return Stats{
		Keys:      len(s.keys.numbers),
		Sessions:  s.held,
		IDs:       s.ids.count,
		IDBytes:   int64(s.ids.bytes()),
		AwayBytes: int64(s.index.bytes()),
		Bytes:     int64(s.ids.bytes() + s.keys.bytes() + s.queue.bytes() + s.index.bytes()),
	}
}

// mapEntry is what the map takes for a key, approximately.
const mapEntry = 32

// StateBytes estimates what a state takes for each key that has a session, and
// for each session.
func (s *Spec) StateBytes() (perKey, perSession int) {
	const keyText = 16
	perKey = mapEntry + keyText + int(unsafe.Sizeof(timeline{})+unsafe.Sizeof(due{}))
	return perKey, int(unsafe.Sizeof(session{})) + len(s.Measures)*int(unsafe.Sizeof(Acc{}))
}

// bytes adds up the timelines, and what the map takes for each key.
func (t *timelines) bytes() int {
	n := len(t.numbers) * mapEntry
	for line := range t.all() {
		n += int(unsafe.Sizeof(*line)) + len(line.key) + cap(line.tail)*int(unsafe.Sizeof(block{}))
		for i := range line.blocks() {
			b := line.block(i)
			n += cap(b.sessions)*int(unsafe.Sizeof(session{})) + cap(b.accs)*int(unsafe.Sizeof(Acc{}))
		}
	}
	return n
}

// CountStates counts the sessions that are held by their state under the view's
// watermark. It takes time in proportion to the keys.
func (s *State) CountStates() (open, closed, final int) {
	for line := range s.keys.all() {
		for i := range line.blocks() {
			sessions := line.block(i).sessions
			past, ended := s.reached(sessions, Final), s.reached(sessions, Closed)
			final += past
			closed += ended - past
			open += len(sessions) - ended
		}
	}
	return open, closed, final
}

// reached returns how many of the sessions, which are in order of time, have
// come to the state or past it.
func (s *State) reached(sessions []session, state SessionState) int {
	return sort.Search(len(sessions), func(i int) bool {
		return s.spec.StateOf(sessions[i].end, s.clocks.view) < state
	})
}
