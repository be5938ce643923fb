package sessionop

import (
	"slices"
	"sort"
	"strings"
)

// partition is a source partition with its idle clock.
type partition struct {
	PartitionState
	heard int64 // Commit.Now of the latest counted event or advance
}

// clocks are the watermarks of a view. They are copied, not changed: a Delta
// carries the next ones.
type clocks struct {
	partitions []partition // by name
	view       Watermark
	// started is when the idle clock of every partition began: StartClock, or
	// else the first commit.
	started Watermark
}

func newClocks(declared []string) *clocks {
	c := &clocks{}
	for _, name := range declared {
		c.partition(name)
	}
	return c
}

func (c *clocks) clone() *clocks {
	n := *c
	n.partitions = slices.Clone(c.partitions)
	return &n
}

// partition returns the partition of the name, which it adds if it is new.
func (c *clocks) partition(name string) *partition {
	i := sort.Search(len(c.partitions), func(i int) bool { return c.partitions[i].Name >= name })
	if i == len(c.partitions) || c.partitions[i].Name != name {
		c.partitions = slices.Insert(c.partitions, i, partition{PartitionState: PartitionState{Name: strings.Clone(name)}})
	}
	return &c.partitions[i]
}

// moveWatermarks first lets the counted events speak, then the marks.
func (p *planner) moveWatermarks() {
	next := p.s.clocks.clone()
	if before := p.c.Follows; before != nil {
		next.partitions = slices.Clone(before.clocks.partitions)
	}
	if !next.started.Defined {
		next.started = Watermark{Time: p.c.Now, Defined: true}
	}
	next.countRows(p)
	for _, m := range p.c.Marks {
		next.mark(&p.s.spec, p.c, m)
	}
	next.advanceView()
	next.markStalled()
	p.d.clocks, p.d.After = next, next.view
	p.d.Watermarks = next.changedSince(p.s.clocks)
}

// countRows takes the counted events in. Rows of one partition tend to stand
// together, so it looks a partition up where the name changes.
func (c *clocks) countRows(p *planner) {
	var part *partition
	for i := range p.rows {
		if p.rows[i] == rowOut {
			continue
		}
		e := &p.c.Arrived[i]
		if part == nil || part.Name != e.Partition {
			part = c.partition(e.Partition)
		}
		part.count(&p.s.spec, p.c, e)
	}
}

// count takes in that an event was counted.
func (part *partition) count(spec *Spec, commit *Commit, e *Event) {
	if part.ArrivedCommit == 0 || e.Time > part.LatestEvent {
		part.LatestEvent = e.Time
	}
	part.ArrivedCommit, part.LatestArrival, part.heard = commit.Number, commit.Now, commit.Now
	if !spec.Explicit {
		part.State = PartitionActive
		part.advance(subTime(e.Time, spec.Delay), commit.Number)
	}
}

// advance moves the watermark forward; it reports false if that would be back.
func (part *partition) advance(time, commit int64) bool {
	switch {
	case part.Defined && time < part.Watermark:
		return false
	case !part.Defined || time > part.Watermark:
		part.Watermark, part.Defined, part.AdvancedCommit = time, true, commit
	}
	return true
}

func (c *clocks) mark(spec *Spec, commit *Commit, m Mark) {
	switch m.Kind {
	case Advance:
		part := c.partition(m.Partition)
		if !part.advance(m.Time, commit.Number) {
			return
		}
		part.heard = commit.Now
		if spec.Explicit {
			part.State = PartitionActive
		}
	case Reset:
		part := c.partition(m.Partition)
		part.Watermark, part.Defined = m.Time, true
		if c.view.Defined {
			c.view.Time = min(c.view.Time, m.Time)
		}
	case Idle:
		c.partition(m.Partition).State = PartitionIdle
	case Tick:
		c.tick(spec, commit.Now)
	}
}

func (c *clocks) tick(spec *Spec, now int64) {
	for i := range c.partitions {
		if at, ok := c.idleAt(spec, &c.partitions[i]); ok && at <= now {
			c.partitions[i].State = PartitionIdle
		}
	}
}

// idleAt returns when the partition goes idle if it stays quiet.
func (c *clocks) idleAt(spec *Spec, part *partition) (time int64, ok bool) {
	if spec.IdleTimeout == 0 || part.State == PartitionIdle || !c.started.Defined {
		return 0, false
	}
	return addTime(max(part.heard, c.started.Time), spec.IdleTimeout), true
}

// advanceView moves the view's watermark to the least of the active
// partitions, never back. It holds while none is active, or while one of them
// has no watermark.
func (c *clocks) advanceView() {
	least := Watermark{}
	for i := range c.partitions {
		p := &c.partitions[i]
		switch {
		case p.State == PartitionIdle:
		case !p.Defined:
			return
		case !least.Defined || p.Watermark < least.Time:
			least = Watermark{Time: p.Watermark, Defined: true}
		}
	}
	if least.Defined && (!c.view.Defined || least.Time > c.view.Time) {
		c.view = least
	}
}

// markStalled tells which active partitions hold the least watermark while
// another active one has advanced since their latest arrival.
func (c *clocks) markStalled() {
	least, first, second := Watermark{}, int64(0), int64(0) // the two latest commits that advanced
	for i := range c.partitions {
		p := &c.partitions[i]
		if p.State == PartitionIdle {
			continue
		}
		if p.Defined && (!least.Defined || p.Watermark < least.Time) {
			least = Watermark{Time: p.Watermark, Defined: true}
		}
		if p.AdvancedCommit > first {
			first, second = p.AdvancedCommit, first
		} else {
			second = max(second, p.AdvancedCommit)
		}
	}
	for i := range c.partitions {
		p := &c.partitions[i]
		if p.State == PartitionIdle {
			continue
		}
		other := first
		if p.AdvancedCommit == first {
			other = second
		}
		p.State = PartitionActive
		if p.Defined && p.Watermark == least.Time && other > p.ArrivedCommit {
			p.State = PartitionStalled
		}
	}
}

// changedSince returns the partitions that differ from those before.
func (c *clocks) changedSince(before *clocks) []PartitionState {
	var changed []PartitionState
	old := before.partitions
	for i := range c.partitions {
		p := &c.partitions[i].PartitionState
		if len(old) > 0 && old[0].Name == p.Name {
			same := old[0].PartitionState == *p
			old = old[1:]
			if same {
				continue
			}
		}
		changed = append(changed, *p)
	}
	return changed
}
