package sessionop

import (
	"fmt"
	"slices"
)

// Check walks the whole state and returns the first violation of an invariant
// of the package comment, by its number; nil if there is none. It is for tests
// and for doubtful days: it takes time and memory in proportion to the state.
func (s *State) Check() error {
	c := checker{s: s, seqs: map[int64]bool{}}
	for key, n := range s.keys.numbers {
		if err := c.line(key, s.keys.line(n)); err != nil {
			return err
		}
	}
	if err := c.totals(); err != nil {
		return err
	}
	if err := c.index(); err != nil {
		return err
	}
	if err := c.leaving(); err != nil {
		return err
	}
	return c.partitions()
}

// checker adds up what the invariants speak of.
type checker struct {
	s        *State
	seqs     map[int64]bool
	sessions int
	events   int64 // of sessions that have their rows
	members  Hash  // the sum of these sessions' members
}

func violated(number int, format string, args ...any) error {
	return fmt.Errorf("sessionop: I%d is violated: %s", number, fmt.Sprintf(format, args...))
}

func (c *checker) line(key string, line *timeline) error {
	if line.key != key || line.hash != keyHash(key) {
		return violated(1, "key %q leads to the timeline of %q", key, line.key)
	}
	if line.blocks() == 0 {
		return violated(1, "key %q has no sessions", key)
	}
	var before *session
	for i := range line.blocks() {
		b := line.block(i)
		if n := len(b.sessions); n == 0 || n > blockSize || len(b.accs) != n*len(c.s.spec.Measures) {
			return violated(2, "block %d of key %q has %d sessions and %d accumulators", i, key, n, len(b.accs))
		}
		for j := range b.sessions {
			if err := c.session(line, cursor{block: i, at: j}, before); err != nil {
				return err
			}
			before = &b.sessions[j]
		}
	}
	return nil
}

func (c *checker) session(line *timeline, at cursor, before *session) error {
	s := line.session(at)
	switch {
	case s.start > s.end || s.count < 1:
		return violated(3, "session %d..%d of key %q has %d events", s.start, s.end, line.key, s.count)
	case before != nil && addTime(before.end, c.s.spec.Gap) >= s.start:
		return violated(4, "sessions of key %q that end at %d and start at %d", line.key, before.end, s.start)
	case s.seq < 1 || s.seq >= c.s.nextSeq || c.seqs[s.seq] || s.revision < 1:
		return violated(5, "session %d..%d of key %q is number %d, revision %d", s.start, s.end, line.key, s.seq, s.revision)
	}
	for i, acc := range line.accs(at, len(c.s.spec.Measures)) {
		if m := c.s.spec.Measures[i]; acc.N < 0 || acc.N > s.count || m == CountRows && acc.N != s.count {
			return violated(6, "measure %d of session %d..%d of key %q has %d of %d inputs", i, s.start, s.end, line.key, acc.N, s.count)
		}
	}
	c.seqs[s.seq] = true
	c.sessions++
	if !c.s.Released(s.commit, s.end) {
		c.events += s.count
		c.members = c.members.plus(s.id).minus(line.hash)
	}
	return nil
}

func (c *checker) totals() error {
	lines := -len(c.s.keys.free)
	for range c.s.keys.all() {
		lines++
	}
	if lines != len(c.s.keys.numbers) {
		return violated(1, "%d timelines for %d keys", lines, len(c.s.keys.numbers))
	}
	if c.sessions != c.s.held {
		return violated(7, "%d sessions are held, %d are counted", c.sessions, c.s.held)
	}
	return nil
}

// index checks that the ids are those of the members of the sessions.
func (c *checker) index() error {
	var sum Hash
	var n int64
	for i := range c.s.ids.shards {
		t := &c.s.ids.shards[i]
		for j, id := range t.slots {
			if id.member == (Hash{}) {
				continue
			}
			if t.find(id.member) != j {
				return violated(8, "an id in slot %d of table %d cannot be found", j, i)
			}
			n++
			sum = sum.plus(id.member)
		}
	}
	switch {
	case n != int64(c.s.ids.count):
		return violated(8, "%d ids are held, %d are counted", n, c.s.ids.count)
	case c.s.spec.keepsIDs() && !c.s.away.Defined && len(c.s.releases) == 0 && (n != c.events || sum != c.members):
		return violated(9, "the %d ids are not those of the %d members", n, c.events)
	case c.s.spec.keepsIDs() && n < c.events:
		return violated(9, "%d ids are held for %d members", n, c.events)
	case !c.s.spec.keepsIDs() && n != 0:
		return violated(9, "ids are kept for a contract that needs none")
	}
	return nil
}

// leaving checks that every session which becomes final will be found.
func (c *checker) leaving() error {
	entries := map[due]bool{}
	for i, d := range c.s.queue.entries {
		if up := (i - 1) / 2; c.s.queue.entries[up].end > d.end {
			return violated(11, "entry %d of the queue ends at %d, the one above it at %d", i, d.end, c.s.queue.entries[up].end)
		}
		entries[d] = true
	}
	for key, n := range c.s.keys.numbers {
		line := c.s.keys.line(n)
		first := line.head.sessions[0].end
		if c.s.spec.Lateness != Unlimited && (line.due > first || !entries[due{end: line.due, number: n}]) {
			return violated(11, "key %q is due at %d, its first session ends at %d", key, line.due, first)
		}
	}
	if c.s.spec.Lateness == Unlimited && (len(entries) > 0 || c.s.away.Defined) {
		return violated(11, "sessions leave where none is ever final")
	}
	return nil
}

func (c *checker) partitions() error {
	parts := c.s.clocks.partitions
	for i := 1; i < len(parts); i++ {
		if parts[i-1].Name >= parts[i].Name {
			return violated(10, "partitions %q and %q", parts[i-1].Name, parts[i].Name)
		}
	}
	for _, name := range c.s.spec.Partitions {
		if !slices.ContainsFunc(parts, func(p partition) bool { return p.Name == name }) {
			return violated(10, "declared partition %q is missing", name)
		}
	}
	return nil
}
