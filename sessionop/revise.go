package sessionop

import (
	"slices"
	"sort"
)

// link says that a published session shares members with a retired one.
type link struct {
	published, retired int
	shared             int64 // how many
}

// move says that a published session has a member that was removed elsewhere.
type move struct {
	published int
	removed   int32
}

// cancel takes out the rows that were removed and arrived again unchanged, and
// notes which other removed members live on, and as which rows.
func (p *planner) cancel() {
	if len(p.gone) == 0 {
		return
	}
	p.movedFrom = map[int32]int32{}
	for i := range p.rows {
		if !p.rows[i].stands() {
			continue
		}
		e := &p.c.Arrived[i]
		from, ok := p.gone[e.Member]
		switch old := &p.c.Removed[max(from, 0)]; {
		case !ok:
		case old.Key == e.Key && old.Time == e.Time && old.Values == e.Values:
			p.rows[i] = rowUnchanged
			p.cancelled[from] = true
		default:
			p.movedFrom[int32(i)] = from
		}
	}
}

// revise retires the sessions that change and publishes what takes their place.
func (p *planner) revise() error {
	n := len(p.runs)
	p.d.groups = make([]keyGroup, 0, n)
	p.d.Published = make([]Published, 0, n)
	p.d.Retired = make([]Retired, 0, n)
	p.links = make([]link, 0, n)
	for i := range p.runs {
		r, err := p.begin(&p.runs[i])
		if err != nil {
			return err
		}
		if err := p.reviseKey(&r); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) reviseKey(r *keyPlan) error {
	g := keyGroup{key: r.key, hash: r.hash, number: r.number, retired: len(p.d.Retired), published: len(p.d.Published)}
	points := p.live(r)
	if err := r.checkMembers(); err != nil {
		return err
	}
	components := p.chain(r.line, points, r.broken)
	if len(components)+len(r.broken) == 0 {
		return nil
	}
	p.retire(r, components, g.retired)
	for i := range components {
		if err := p.publish(r, &components[i], g.retired); err != nil {
			return err
		}
	}
	g.retiredEnd, g.publishedEnd = len(p.d.Retired), len(p.d.Published)
	p.d.groups = append(p.d.groups, g)
	return nil
}

// retire appends the sessions that the components absorb and those that lose
// members. The key's part of Delta.Retired begins at base.
func (p *planner) retire(r *keyPlan, components []component, base int) {
	for i := range components {
		for _, at := range components[i].absorbed {
			p.d.Retired = append(p.d.Retired, r.line.session(at).retired(r.key))
		}
	}
	if len(r.broken) == 0 {
		return
	}
	for i := range r.broken {
		p.d.Retired = append(p.d.Retired, r.broken[i].session.retired(r.key))
	}
	slices.SortFunc(p.d.Retired[base:], func(a, b Retired) int { return compareTime(a.Start, b.Start) })
	for i := range r.broken {
		r.broken[i].retired = p.retiredAt(base, r.broken[i].session.start)
	}
	for _, pt := range r.points {
		if pt.from == removed && !p.cancelled[pt.row] {
			p.lostBy[pt.row] = r.brokenAt(pt.time).retired
		}
	}
}

func (s *session) retired(key string) Retired {
	return Retired{
		Key: key, Start: s.start, End: s.end, SessionID: s.id,
		Seq: s.seq, Revision: s.revision, Count: s.count, PublishedCommit: s.commit,
	}
}

// retiredAt returns the index of the retired session that begins at start.
func (p *planner) retiredAt(base int, start int64) int {
	part := p.d.Retired[base:]
	return base + sort.Search(len(part), func(i int) bool { return part[i].Start >= start })
}

// publish appends the revision that a component becomes.
func (p *planner) publish(r *keyPlan, c *component, base int) error {
	pub := Published{
		Key: r.key, SessionID: r.hash,
		Start: c.start, End: c.end, Accs: p.accs.take(),
	}
	for _, at := range c.absorbed {
		if err := p.absorb(&pub, r, at, base); err != nil {
			return err
		}
	}
	for _, pt := range c.points {
		if err := p.include(&pub, r, pt); err != nil {
			return err
		}
	}
	p.d.Published = append(p.d.Published, pub)
	return nil
}

// absorb takes a stored session in whole.
func (p *planner) absorb(pub *Published, r *keyPlan, at cursor, base int) error {
	s := r.line.session(at)
	pub.SessionID = pub.SessionID.plus(s.id).minus(r.hash)
	pub.Count += s.count
	for i, acc := range r.line.accs(at, len(pub.Accs)) {
		if !p.s.spec.Measures[i].merge(&pub.Accs[i], acc) {
			return &OverflowError{Key: r.key, Measure: i}
		}
	}
	p.link(p.retiredAt(base, s.start), s.count)
	return nil
}

// include takes one event in.
func (p *planner) include(pub *Published, r *keyPlan, pt point) error {
	e := p.c.event(pt)
	pub.SessionID = pub.SessionID.plus(e.Member)
	pub.Count++
	for i := range pub.Accs {
		if e.Inputs[i].Failed {
			return &InputError{Key: r.key, Measure: i}
		}
		if !p.s.spec.Measures[i].add(&pub.Accs[i], e.Inputs[i]) {
			return &OverflowError{Key: r.key, Measure: i}
		}
	}
	if p.remains(pt) {
		p.link(r.brokenAt(pt.time).retired, 1)
	} else if from, ok := p.movedFrom[pt.row]; ok {
		p.moves = append(p.moves, move{published: len(p.d.Published), removed: from})
	}
	return nil
}

// link relates the session that is being published to a retired one.
func (p *planner) link(retired int, shared int64) {
	p.links = append(p.links, link{published: len(p.d.Published), retired: retired, shared: shared})
}
