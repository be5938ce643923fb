package sessionop

import (
	"sort"
	"strings"
)

// planner is one call of Plan.
type planner struct {
	s *State
	c *Commit
	d *Delta
	sorter
	chainer
	accs accArena

	// horizon divides the late events from those on time. It is undefined when
	// nothing is late: also in a replay.
	horizon Watermark
	rows    []rowState // of Commit.Arrived
	next    []int32    // the row of the same id that is judged if this one is rejected; -1 for none
	runs    []keyRun   // what may count, remains or goes, by key
	kept    []point    // scratch of live

	gone      map[Hash]int32 // member to row of Commit.Removed
	cancelled []bool         // of Commit.Removed: the same row arrived again
	movedFrom map[int32]int32
	lostBy    []int // of Commit.Removed: index of the session in Delta.Retired
	links     []link
	moves     []move
}

func newPlanner(s *State, c *Commit) *planner {
	p := &planner{
		s: s, c: c,
		d: &Delta{
			Verdicts: make([]Verdict, len(c.Arrived)),
			Before:   s.clocks.view,
			commit:   c.Number,
			version:  s.version,
		},
		sorter:  newSorter(c),
		chainer: chainer{gap: s.spec.Gap},
		accs:    newAccArena(len(s.spec.Measures), len(c.Arrived)+len(c.Members)),
		rows:    make([]rowState, len(c.Arrived)),
	}
	if c.Follows != nil {
		s.mustFit(c.Follows)
	}
	if !c.Replay {
		p.horizon = s.spec.Horizon(s.clocks.view)
	}
	if len(c.Removed) > 0 {
		p.cancelled = make([]bool, len(c.Removed))
		p.lostBy = make([]int, len(c.Removed))
		p.gone = make(map[Hash]int32, len(c.Removed))
		for i := range c.Removed {
			p.gone[c.Removed[i].Member] = int32(i)
		}
	}
	return p
}

// keyRun is what a commit has for one key.
type keyRun struct {
	points []point
	number int32     // of the key's timeline
	line   *timeline // nil if the key has no sessions
}

// group puts all that may become, is or was a member in order, and looks up
// the timelines. It does so for all keys at once, so that the processor waits
// for many of them at a time.
func (p *planner) group() {
	points := p.gather()
	p.runs = make([]keyRun, 0, p.countKeys(points))
	for len(points) > 0 {
		n := p.sameKey(points)
		number := p.s.keys.number(p.c.event(points[0]).Key)
		p.runs = append(p.runs, keyRun{points: points[:n], number: number, line: p.s.keys.line(number)})
		points = points[n:]
	}
}

func (p *planner) gather() []point {
	points := make([]point, 0, len(p.c.Arrived)+len(p.c.Members)+len(p.c.Removed))
	for i := range p.rows {
		if p.rows[i] != rowOut {
			points = append(points, p.point(arrived, i))
		}
	}
	for i := range p.c.Members {
		points = append(points, p.point(member, i))
	}
	for i := range p.c.Removed {
		points = append(points, p.point(removed, i))
	}
	p.sort(points)
	return points
}

func (p *planner) countKeys(points []point) int {
	n := 0
	for ; len(points) > 0; n++ {
		points = points[p.sameKey(points):]
	}
	return n
}

// keyPlan is the work on one key.
type keyPlan struct {
	*keyRun
	key    string // the state's copy, or one of its own
	hash   Hash
	broken []brokenSession
}

// begin finds the sessions of the key that lose members.
func (p *planner) begin(run *keyRun) (keyPlan, error) {
	r := keyPlan{keyRun: run}
	if r.line != nil {
		r.key, r.hash = r.line.key, r.line.hash
	} else {
		r.key = strings.Clone(p.c.event(r.points[0]).Key)
		r.hash = keyHash(r.key)
	}
	if len(p.gone) == 0 {
		return r, nil
	}
	return r, p.findBroken(&r)
}

// findBroken sets r.broken, in order of time.
func (p *planner) findBroken(r *keyPlan) error {
	var at cursor
	for _, pt := range r.points {
		if pt.from != removed || p.cancelled[pt.row] {
			continue
		}
		if r.line != nil {
			at = r.line.seek(at, pt.time)
		}
		if r.line == nil || !r.line.valid(at) || r.line.session(at).start > pt.time {
			return &UnknownEventError{Key: r.key, Time: pt.time}
		}
		if n := len(r.broken); n == 0 || r.broken[n-1].at != at {
			r.broken = append(r.broken, brokenSession{at: at, session: *r.line.session(at)})
		}
		b := &r.broken[len(r.broken)-1]
		b.removed++
		b.gone = b.gone.plus(p.c.event(pt).Member)
	}
	return nil
}

// brokenAt returns the broken session that spans the time, or nil.
func (r *keyPlan) brokenAt(time int64) *brokenSession {
	i := sort.Search(len(r.broken), func(i int) bool { return r.broken[i].session.end >= time })
	if i == len(r.broken) || r.broken[i].session.start > time {
		return nil
	}
	return &r.broken[i]
}

// live returns the points of the components: rows that stand, and what remains
// of the broken sessions, which it tallies. The result is valid until the next
// call.
func (p *planner) live(r *keyPlan) []point {
	if p.allStand(r.points) {
		return r.points
	}
	p.kept = p.kept[:0]
	for _, pt := range r.points {
		if p.isLive(r, pt) {
			p.kept = append(p.kept, pt)
		}
	}
	return p.kept
}

func (p *planner) allStand(points []point) bool {
	for _, pt := range points {
		if pt.from != arrived || !p.rows[pt.row].stands() {
			return false
		}
	}
	return true
}

func (p *planner) isLive(r *keyPlan, pt point) bool {
	if !p.remains(pt) {
		return pt.from == arrived && p.rows[pt.row].stands()
	}
	b := r.brokenAt(pt.time)
	if b == nil {
		return false
	}
	b.survived++
	b.stay = b.stay.plus(p.c.event(pt).Member)
	return true
}

// remains says whether the point is a member already: one that was given, or
// one that went and came back unchanged.
func (p *planner) remains(pt point) bool {
	return pt.from == member || pt.from == arrived && p.rows[pt.row] == rowUnchanged
}

// checkMembers compares what remains of the broken sessions with what they
// were made of.
func (r *keyPlan) checkMembers() error {
	for i := range r.broken {
		b := &r.broken[i]
		sum := r.hash.plus(b.gone).plus(b.stay)
		if have := b.removed + b.survived; have != b.session.count || sum != b.session.id {
			ref := SessionRef{Key: r.key, Start: b.session.start, End: b.session.end, Commit: b.session.commit}
			return &MembersError{Session: ref, Want: b.session.count, Have: have}
		}
	}
	return nil
}

// accArena cuts slices of stride accumulators from larger pieces of memory.
type accArena struct {
	stride, piece int
	free          []Acc
}

// newAccArena takes how many sessions there can be at most.
func newAccArena(stride, sessions int) accArena {
	return accArena{stride: stride, piece: stride * max(1, min(64, sessions))}
}

func (a *accArena) take() []Acc {
	if a.stride == 0 {
		return nil
	}
	if len(a.free) < a.stride {
		a.free = make([]Acc, a.piece)
	}
	accs := a.free[:a.stride:a.stride]
	a.free = a.free[a.stride:]
	return accs
}
