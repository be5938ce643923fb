package catalog

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// What event_retention does, as the contract has it: rows of final sessions that
// ended longer ago, by the watermark, go; the sessions stay as they are. From
// then on they are a boundary: what would change one of them is refused.

// release lets go of rows, and returns how many of each values went. Rejected rows
// stay, and stand as they stood; the ids of those that went are new again.
func (m *model) release() map[string]int {
	gone := map[string]int{}
	if m.rule.eventRetention == 0 || m.rule.lateness == none || m.clocks.view == nil {
		return gone
	}
	for i := range m.before {
		s := &m.before[i]
		if s.released || !m.final(s.end) || *m.clocks.view-m.rule.eventRetention <= s.end {
			continue
		}
		s.released = true
		for _, values := range s.members {
			g := m.groups[values]
			gone[values] += g.counted + g.dups
			g.counted, g.dups = 0, 0
		}
	}
	return gone
}

// released are the current sessions that have no rows any more.
func (m *model) released() []modelSession {
	return slices.DeleteFunc(slices.Clone(m.before), func(s modelSession) bool { return !s.released })
}

// touchesReleased says whether, of the sessions, one that has no rows lies within the
// gap of another.
func (m *model) touchesReleased(list []modelSession) bool {
	for i, s := range list {
		for j, other := range list {
			if i != j && s.released && s.key == other.key && s.start-m.rule.gap <= other.end && s.end+m.rule.gap >= other.start {
				return true
			}
		}
	}
	return false
}

// refuses says whether the model refuses something, which it does to a copy.
func (m *model) refuses(f func(m *model)) bool {
	c := m.clone()
	f(c)
	return c.refused
}

// clone copies what a commit changes.
func (m *model) clone() *model {
	c := *m
	c.refused, c.seen = false, sightings{}
	lines := map[*modelLine]*modelLine{}
	c.lines = copies(m.lines, lines)
	c.groups = map[string]*group{}
	for values, g := range m.groups {
		copied := *g
		copied.rejected = make([]*modelLine, len(g.rejected))
		for i, l := range g.rejected {
			copied.rejected[i] = lines[l]
		}
		c.groups[values] = &copied
	}
	revisions := map[*modelRevision]*modelRevision{}
	c.revisions = copies(m.revisions, revisions)
	c.before = slices.Clone(m.before)
	for i := range c.before {
		c.before[i].of = revisions[c.before[i].of]
	}
	c.clocks.parts = map[string]*modelPartition{}
	for name, p := range m.clocks.parts {
		copied := *p
		c.clocks.parts[name] = &copied
	}
	return &c
}

func copies[T any](list []*T, to map[*T]*T) []*T {
	out := make([]*T, len(list))
	for i, old := range list {
		copied := *old
		out[i], to[old] = &copied, &copied
	}
	return out
}

// purges holds what the purge of the store let go of against the model.
func (h *history) purges() {
	h.Helper()
	want := h.model.release()
	if h.model.rule.eventRetention == 0 {
		return
	}
	stay := map[int]bool{}
	for _, r := range values(h, h.conn, "SELECT n FROM events") {
		stay[int(r[0].(int64))] = true
	}
	var gone []row
	for _, n := range sortedRows(h.rows) {
		if r := h.rows[n]; !stay[n] {
			gone = append(gone, r)
			delete(h.rows, n)
			h.note("  released %d %s", n, r.values())
		}
	}
	if len(gone) > 0 {
		h.model.seen.note("rows released")
	}
	have := map[string]int{}
	for _, r := range gone {
		have[r.values()]++
	}
	h.same("released", countLines(have), countLines(want))
	h.gone = append(h.gone, gone...)
}

func countLines(of map[string]int) []string {
	var lines []string
	for what, n := range of {
		lines = append(lines, fmt.Sprint(what, " ", n))
	}
	sort.Strings(lines)
	return lines
}

// refused holds an error against the model, which says whether there must be one
// because a session that has no rows would change.
func (h *history) refused(what string, err error, must bool) bool {
	h.Helper()
	is := released(err)
	switch {
	case err != nil && !is:
		h.Fatal(err, "\n", strings.Join(h.log, "\n"))
	case is && !must:
		h.Fatalf("%s: %v, and no session without its rows would change\n%s", what, err, strings.Join(h.log, "\n"))
	case !is && must:
		h.Fatalf("%s: a session without its rows changes\n%s", what, strings.Join(h.log, "\n"))
	case is:
		h.note("%s: %v", what, err)
		if what != "mark" { // it is seldom
			h.model.seen.note("refused " + what)
		}
	}
	return is
}

// refusesNet says whether the model refuses what the transaction did so far.
func (h *history) refusesNet() bool {
	removed, arrived := h.net()
	return len(h.model.released()) > 0 && h.model.refuses(func(m *model) { m.commit(h.tx.Number(), removed, arrived, h.marks, false) })
}

// returned is a row that has to do with one that was let go of: the same again,
// another of its id, or one of its key and about its time.
func (h *history) returned(r row) row {
	old := h.gone[h.rand.IntN(len(h.gone))]
	switch n := r.n; h.rand.IntN(4) {
	case 0:
		h.model.seen.note("a row again")
		r = old
		r.n = n
	case 1:
		h.model.seen.note("an id again")
		r.id = old.id
	default:
		r.key = old.key
		at := *old.at + int64(h.rand.IntN(17)) - 8
		r.at = &at
	}
	if h.rule.unique && slices.ContainsFunc(slices.Collect(maps.Values(h.now)), func(o row) bool { return text(o.id) == text(r.id) }) {
		r.id = h.newID()
	}
	return r
}
