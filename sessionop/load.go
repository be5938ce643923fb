package sessionop

import "strings"

// What a server stored of its Deltas is loaded into a new State before the
// first Plan. A state restored in this way plans as the original would, but
// for the idle clocks.

// LoadSession adds a current session. Sessions of a key are added fastest in
// order of time. accs is copied. The error is a *SessionError, when the
// session lies within the gap of another or cannot be one.
func (s *State) LoadSession(key string, id Hash, start, end, count, seq, revision, publishedCommit int64, accs []Acc) error {
	loaded := session{start: start, end: end, id: id, count: count, seq: seq, revision: revision, commit: publishedCommit}
	if problem := s.problem(&loaded, accs); problem != "" {
		return &SessionError{Session: SessionRef{Key: key, Start: start, End: end, Commit: publishedCommit}, Problem: problem}
	}
	number := s.keys.number(key)
	if number == unknownKey {
		key = strings.Clone(key)
		number = s.keys.add(key, keyHash(key))
	}
	line := s.keys.line(number)
	at := line.seek(cursor{}, subTime(start, s.spec.Gap))
	if line.valid(at) && line.session(at).start <= addTime(end, s.spec.Gap) {
		return &SessionError{Session: SessionRef{Key: key, Start: start, End: end, Commit: publishedCommit}, Problem: "it lies within the gap of another"}
	}
	line.insert(at, loaded, accs)
	s.held++
	s.enqueue(line, number)
	s.nextSeq = max(s.nextSeq, seq+1)
	return nil
}

func (s *State) problem(loaded *session, accs []Acc) string {
	switch {
	case loaded.end < loaded.start:
		return "it ends before it starts"
	case loaded.count < 1:
		return "it has no events"
	case loaded.seq < 1 || loaded.revision < 1:
		return "it has no revision"
	case len(accs) != len(s.spec.Measures):
		return "its measures are not those of the contract"
	default:
		return ""
	}
}

// LoadID adds the id of a counted event with Event.Values. It does nothing
// where no ids are kept.
func (s *State) LoadID(member Hash, values uint64) {
	if s.spec.keepsIDs() {
		s.ids.put(countedID{member: member, values: values})
	}
}

// ForgetID lets go of the id of a counted event whose row the caller keeps no
// more: the session stays as it is.
func (s *State) ForgetID(member Hash) { s.ids.remove(member) }

// LoadAway says that sessions which ended at end or before it were not loaded.
func (s *State) LoadAway(end int64) { s.away = Watermark{Time: end, Defined: true} }

// LoadPartition adds or replaces a partition. Of State, only PartitionIdle is
// read: who is stalled is found out anew.
func (s *State) LoadPartition(p PartitionState) {
	c := s.clocks.clone()
	part := c.partition(p.Name)
	p.Name = part.Name
	part.PartitionState = p
	c.markStalled()
	s.clocks = c
}

// LoadWatermark sets the view's watermark.
func (s *State) LoadWatermark(time int64, defined bool) {
	c := s.clocks.clone()
	c.view = Watermark{}
	if defined {
		c.view = Watermark{Time: time, Defined: true}
	}
	s.clocks = c
}

// SetNextSeq sets the number of the next revision. It is otherwise one more
// than the greatest that was loaded.
func (s *State) SetNextSeq(seq int64) { s.nextSeq = seq }

// StartClock begins the idle clock of every partition anew, as at the start of
// a server; now is as Commit.Now. Without it the clock begins with the first
// commit that is applied.
func (s *State) StartClock(now int64) {
	c := s.clocks.clone()
	c.started = Watermark{Time: now, Defined: true}
	for i := range c.partitions {
		c.partitions[i].heard = now
	}
	s.clocks = c
}
