package sessionop

import (
	"slices"
	"strings"
)

// A State holds the current sessions of one view but those that have left, its
// watermarks, and, where the contract has ids, which ones are counted. It is used by one goroutine at
// a time; nothing it returns changes later.
type State struct {
	spec    Spec
	keys    timelines
	ids     idIndex
	clocks  *clocks
	nextSeq int64
	held    int   // sessions in keys
	version int64 // how many Deltas were applied

	away     Watermark // the greatest end of a session that left
	restored int       // sessions that came back since the last Apply
	queue    dueQueue  // of who leaves next; empty where nothing is ever final
	leavers  int       // see leavers; tests lower it
	index    *AwayIndex
	indexed  bool      // index has every session that left
	releases []release // none is of no more sessions than another
}

// New returns the state of a view that has seen nothing.
func New(spec Spec) (*State, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	spec.Partitions = slices.Clone(spec.Partitions)
	spec.Measures = slices.Clone(spec.Measures)
	return &State{
		spec:    spec,
		keys:    newTimelines(),
		clocks:  newClocks(spec.Partitions),
		nextSeq: 1,
		leavers: leavers,
	}, nil
}

// A SessionRef names a current session.
type SessionRef struct {
	Key        string
	Start, End int64
	Commit     int64 // that published it
}

// Touched returns the sessions that lose a member when c is planned, ordered
// by key, then start. Plan wants their remaining members in c.Members. A
// commit that removes nothing touches nothing. What is Missing must have been
// restored.
func (s *State) Touched(c *Commit) []SessionRef {
	var refs []SessionRef
	for i := range c.Removed {
		e := &c.Removed[i]
		line := s.keys.find(e.Key)
		if line == nil {
			continue
		}
		at := line.seek(cursor{}, e.Time)
		if !line.valid(at) {
			continue
		}
		found := line.session(at)
		refs = append(refs, SessionRef{Key: line.key, Start: found.start, End: found.end, Commit: found.commit})
	}
	slices.SortFunc(refs, func(a, b SessionRef) int {
		if c := strings.Compare(a.Key, b.Key); c != 0 {
			return c
		}
		return compareTime(a.Start, b.Start)
	})
	return slices.Compact(refs)
}

// Plan judges the events of c and returns what the commit changes. It leaves
// the state as it is: a Delta that is not applied leaves no trace. The error
// is a *MembersError, an *UnknownEventError, an *InputError or an
// *OverflowError.
func (s *State) Plan(c *Commit) (*Delta, error) {
	p := newPlanner(s, c)
	if err := p.judge(); err != nil {
		return nil, err
	}
	p.cancel()
	if err := p.revise(); err != nil {
		return nil, err
	}
	p.relate()
	p.takeIDs()
	p.moveWatermarks()
	p.seal()
	return p.d, nil
}

// Apply makes the state what the parts of one commit say, in the order in which
// they were planned; nearly always there is one. They must be the latest Plans
// of this very state: one made before another Apply panics. Sessions that are
// final leave.
func (s *State) Apply(parts ...*Delta) {
	for _, d := range parts {
		s.mustFit(d)
	}
	s.version++
	published := 0
	for _, d := range parts {
		s.apply(d)
		published += len(d.Published)
	}
	s.leave(published)
	s.repack()
}

// mustFit panics if d was planned before the latest Apply.
func (s *State) mustFit(d *Delta) {
	if d.version != s.version {
		panic("sessionop: a Delta that was planned for another state")
	}
}

func (s *State) apply(d *Delta) {
	for i := range d.groups {
		s.applyKey(d, &d.groups[i])
	}
	s.held += len(d.Published) - len(d.Retired)
	for _, id := range d.freed {
		s.ids.remove(id)
	}
	for _, id := range d.taken {
		s.ids.put(id)
	}
	s.nextSeq = d.nextSeq
	s.clocks = d.clocks
}

// applyKey replaces the retired sessions of one key. A published session takes
// the place of a retired one where the order allows it; so the commonest
// change, an event at the end of a session, moves nothing.
func (s *State) applyKey(d *Delta, g *keyGroup) {
	number := g.number
	if number == unknownKey {
		number = s.keys.add(g.key, g.hash)
	}
	line := s.keys.line(number)
	published := d.Published[g.published:g.publishedEnd]
	var at cursor
	for _, r := range d.Retired[g.retired:g.retiredEnd] {
		at = line.seek(at, r.Start)
		if len(published) > 0 && line.fits(at, published[0].Start, published[0].End) {
			line.set(at, published[0].session(d.commit), published[0].Accs)
			published = published[1:]
			continue
		}
		line.remove(at)
		at = cursor{}
	}
	for i := range published {
		at = line.seek(cursor{}, published[i].Start)
		line.insert(at, published[i].session(d.commit), published[i].Accs)
	}
	if line.blocks() == 0 {
		s.keys.drop(g.key)
	} else {
		s.enqueue(line, number)
	}
}

func (p *Published) session(commit int64) session {
	return session{
		start: p.Start, end: p.End, id: p.SessionID, count: p.Count,
		seq: p.Seq, revision: p.Revision, commit: commit,
	}
}
