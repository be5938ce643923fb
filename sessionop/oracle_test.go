package sessionop

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// The oracle knows the contract and nothing of the operator: it keeps every
// counted event and recomputes all sessions from scratch after each commit. It
// is quadratic, and meant to be read.
type oracle struct {
	spec     Spec
	counted  map[Hash]Event
	sessions []oracleSession
	seq      int64

	view       Watermark
	partitions map[string]*oraclePartition
	clock      *int64
}

type oracleSession struct {
	key        string
	members    map[Hash]Event
	start, end int64
	seq        int64
	revision   int64
	commit     int64
}

type oraclePartition struct {
	PartitionState
	heard int64
}

// oracleDelta is what the oracle expects of a Delta, in the Delta's own types.
type oracleDelta struct {
	verdicts  []Verdict
	retired   []Retired
	published []Published
	after     Watermark
}

func newOracle(spec Spec) *oracle {
	o := &oracle{spec: spec, counted: map[Hash]Event{}, partitions: map[string]*oraclePartition{}}
	for _, p := range spec.Partitions {
		o.partition(p)
	}
	return o
}

func (o *oracle) commit(c *Commit) oracleDelta {
	verdicts := o.judge(c)
	for _, e := range c.Removed {
		delete(o.counted, e.Member)
	}
	for i, e := range c.Arrived {
		if verdicts[i].Outcome == Counted {
			o.counted[e.Member] = e
		}
	}
	d := oracleDelta{verdicts: verdicts}
	now := o.recompute()
	d.retired, d.published = o.difference(c, now)
	o.watermarks(c, verdicts)
	d.after = o.view
	for i := range d.published {
		d.published[i].State = o.stateOf(d.published[i].End)
	}
	return d
}

// recompute finds all sessions: events of one key are connected when they are
// at most the gap apart, and a session is what is connected.
func (o *oracle) recompute() []oracleSession {
	return connect(o.spec.Gap, slices.Collect(maps.Values(o.counted)))
}

func connect(gap int64, events []Event) []oracleSession {
	var sessions []oracleSession
	left := map[Hash]Event{}
	for _, e := range events {
		left[e.Member] = e
	}
	for _, first := range events {
		if _, ok := left[first.Member]; !ok {
			continue
		}
		s := oracleSession{key: first.Key, members: map[Hash]Event{}, start: first.Time, end: first.Time}
		delete(left, first.Member)
		for todo := []Event{first}; len(todo) > 0; {
			e := todo[0]
			todo = todo[1:]
			s.members[e.Member] = e
			s.start, s.end = min(s.start, e.Time), max(s.end, e.Time)
			for h, other := range left {
				if near(e, other.Key, other.Time, gap) {
					delete(left, h)
					todo = append(todo, other)
				}
			}
		}
		sessions = append(sessions, s)
	}
	slices.SortFunc(sessions, func(a, b oracleSession) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.start, b.start))
	})
	return sessions
}

func near(e Event, key string, time, gap int64) bool {
	return e.Key == key && max(e.Time-time, time-e.Time) <= gap
}

func (s *oracleSession) id() Hash {
	id := HashBytes([]byte(s.key))
	for h := range s.members {
		id.Hi += h.Hi
		id.Lo += h.Lo
	}
	return id
}

// sameAs says whether nothing happened to a session.
func (s *oracleSession) sameAs(o *oracleSession) bool {
	return s.key == o.key && maps.EqualFunc(s.members, o.members, func(a, b Event) bool {
		return a.Time == b.Time && a.Values == b.Values
	})
}

// difference makes the sessions of now current, and lists what changed.
func (o *oracle) difference(c *Commit, now []oracleSession) ([]Retired, []Published) {
	var gone []oracleSession
	var retired []Retired
	for _, old := range o.sessions {
		if !slices.ContainsFunc(now, func(s oracleSession) bool { return s.sameAs(&old) }) {
			gone = append(gone, old)
			retired = append(retired, Retired{
				Key: old.key, Start: old.start, End: old.end, SessionID: old.id(), Seq: old.seq,
				Revision: old.revision, Count: int64(len(old.members)), PublishedCommit: old.commit,
			})
		}
	}
	var fresh []int
	for i := range now {
		s := &now[i]
		if j := slices.IndexFunc(o.sessions, func(old oracleSession) bool { return old.sameAs(s) }); j >= 0 {
			s.seq, s.revision, s.commit = o.sessions[j].seq, o.sessions[j].revision, o.sessions[j].commit
		} else {
			fresh = append(fresh, i)
		}
	}
	var published []Published
	for _, i := range fresh {
		s := &now[i]
		supersedes := overlapping(s, gone)
		for _, g := range supersedes {
			s.revision = max(s.revision, gone[g].revision)
		}
		o.seq++
		s.seq, s.revision, s.commit = o.seq, s.revision+1, c.Number
		published = append(published, Published{
			Key: s.key, Start: s.start, End: s.end, SessionID: s.id(), Seq: s.seq, Revision: s.revision,
			Count: int64(len(s.members)), Accs: o.accs(s), Supersedes: supersedes,
			Change: o.change(c, s, supersedes, gone, now, fresh),
		})
	}
	o.sessions = now
	return retired, published
}

func overlapping(s *oracleSession, gone []oracleSession) []int {
	supersedes := []int{}
	for g := range gone {
		if common(s, &gone[g]) > 0 {
			supersedes = append(supersedes, g)
		}
	}
	return supersedes
}

func common(a, b *oracleSession) int {
	n := 0
	for h := range a.members {
		if _, ok := b.members[h]; ok {
			n++
		}
	}
	return n
}

func (o *oracle) change(c *Commit, s *oracleSession, supersedes []int, gone, now []oracleSession, fresh []int) Change {
	if c.Replay {
		return ChangeReplay
	}
	switch len(supersedes) {
	case 0:
		return ChangeOpen
	case 1:
	default:
		return ChangeMerge
	}
	old := &gone[supersedes[0]]
	for _, i := range fresh {
		if &now[i] != s && common(&now[i], old) > 0 {
			return ChangeSplit
		}
	}
	if common(s, old) == len(old.members) && len(s.members) > len(old.members) {
		return ChangeExtend
	}
	return ChangeCorrect
}

// accs aggregates small integers; nothing here overflows.
func (o *oracle) accs(s *oracleSession) []Acc {
	var accs []Acc
	for i, m := range o.spec.Measures {
		var inputs []uint64
		for _, e := range s.members {
			if e.Inputs[i].Valid {
				inputs = append(inputs, e.Inputs[i].Lo)
			}
		}
		accs = append(accs, oracleAcc(m, inputs, len(s.members)))
	}
	return accs
}

func oracleAcc(m Measure, inputs []uint64, rows int) Acc {
	switch {
	case m == CountRows:
		return Acc{N: int64(rows)}
	case m == Count || len(inputs) == 0:
		return Acc{N: int64(len(inputs))}
	}
	var sum uint64
	for _, v := range inputs {
		sum += v
	}
	switch m {
	case Sum:
		return Acc{N: 1, Lo: sum}
	case Avg:
		return Acc{N: int64(len(inputs)), Lo: sum}
	case Min, FloatMin, And:
		return Acc{N: 1, Lo: slices.Min(inputs)}
	case Max, FloatMax, Or:
		return Acc{N: 1, Lo: slices.Max(inputs)}
	default:
		panic(fmt.Sprint("unknown measure ", m))
	}
}

func (o *oracle) stateOf(end int64) SessionState {
	switch {
	case !o.view.Defined || o.view.Time <= end+o.spec.Gap:
		return Open
	case o.spec.Lateness == Unlimited || o.view.Time-o.spec.Lateness <= end+o.spec.Gap:
		return Closed
	default:
		return Final
	}
}

func (o *oracle) partition(name string) *oraclePartition {
	if o.partitions[name] == nil {
		o.partitions[name] = &oraclePartition{PartitionState: PartitionState{Name: name}}
	}
	return o.partitions[name]
}

func (o *oracle) watermarks(c *Commit, verdicts []Verdict) {
	if o.clock == nil {
		o.clock = &c.Now
	}
	for i, e := range c.Arrived {
		if verdicts[i].Outcome == Counted {
			o.hear(c, e)
		}
	}
	floor := o.view
	for _, m := range c.Marks {
		o.mark(c, m, &floor)
	}
	o.view = floor
	var marks []int64
	for _, p := range o.partitions {
		if p.State == PartitionIdle {
			continue
		}
		p.State = PartitionActive
		if !p.Defined {
			return
		}
		marks = append(marks, p.Watermark)
	}
	if len(marks) == 0 {
		return
	}
	if least := slices.Min(marks); !floor.Defined || least > floor.Time {
		o.view = Watermark{Time: least, Defined: true}
	}
}

func (o *oracle) hear(c *Commit, e Event) {
	p := o.partition(e.Partition)
	if p.ArrivedCommit == 0 || p.LatestEvent < e.Time {
		p.LatestEvent = e.Time
	}
	p.ArrivedCommit, p.LatestArrival, p.heard = c.Number, c.Now, c.Now
	if !o.spec.Explicit {
		p.State = PartitionActive
		o.raise(c, p, e.Time-o.spec.Delay)
	}
}

func (o *oracle) raise(c *Commit, p *oraclePartition, time int64) {
	if !p.Defined || time > p.Watermark {
		p.Watermark, p.Defined, p.AdvancedCommit = time, true, c.Number
	}
}

func (o *oracle) mark(c *Commit, m Mark, floor *Watermark) {
	switch m.Kind {
	case Advance:
		p := o.partition(m.Partition)
		if p.Defined && m.Time < p.Watermark {
			return
		}
		o.raise(c, p, m.Time)
		p.heard = c.Now
		if o.spec.Explicit {
			p.State = PartitionActive
		}
	case Reset:
		p := o.partition(m.Partition)
		p.Watermark, p.Defined = m.Time, true
		floor.Time = min(floor.Time, m.Time)
	case Idle:
		o.partition(m.Partition).State = PartitionIdle
	case Tick:
		for _, p := range o.partitions {
			if o.spec.IdleTimeout > 0 && c.Now-max(p.heard, *o.clock) >= o.spec.IdleTimeout {
				p.State = PartitionIdle
			}
		}
	}
}

// states returns every partition as the operator should report it.
func (o *oracle) states() []PartitionState {
	states := []PartitionState{}
	for _, name := range slices.Sorted(maps.Keys(o.partitions)) {
		p := o.partitions[name].PartitionState
		if p.State != PartitionIdle {
			p.State = PartitionActive
			if o.holdsLeast(&p) && o.overtaken(&p) {
				p.State = PartitionStalled
			}
		}
		states = append(states, p)
	}
	return states
}

func (o *oracle) holdsLeast(p *PartitionState) bool {
	for _, q := range o.partitions {
		if q.State != PartitionIdle && q.Defined && q.Watermark < p.Watermark {
			return false
		}
	}
	return p.Defined
}

func (o *oracle) overtaken(p *PartitionState) bool {
	for _, q := range o.partitions {
		if q.Name != p.Name && q.State != PartitionIdle && q.AdvancedCommit > p.ArrivedCommit {
			return true
		}
	}
	return false
}
