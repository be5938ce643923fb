package catalog

import (
	"cmp"
	"slices"
)

// judge decides about the rows that arrived, and returns those that count.
func (m *model) judge(arrived []row, replay bool) []row {
	slices.SortStableFunc(arrived, m.order)
	var waiting, counted []row
	for _, r := range arrived {
		if reason := m.lacks(r); reason != "" {
			m.reject(r, reason)
		} else {
			waiting = append(waiting, r)
		}
	}
	base := m.countedRows()
	for {
		candidates := m.candidates(waiting, base)
		out := m.turnedAway(waiting, candidates, base, replay)
		if len(out) == 0 {
			for _, i := range candidates {
				m.count(waiting[i])
				counted = append(counted, waiting[i])
			}
			m.settle(waiting, candidates)
			return counted
		}
		var left []row
		for i, r := range waiting {
			if reason, gone := out[i]; gone {
				m.reject(r, reason)
			} else {
				left = append(left, r)
			}
		}
		waiting = left
	}
}

// order is that in which the rows of one id are judged.
func (m *model) order(a, b row) int {
	if a.exempt != b.exempt {
		if a.exempt {
			return -1
		}
		return 1
	}
	at := func(r row) int64 {
		if r.at == nil {
			return 0
		}
		return *r.at
	}
	part := 0
	if m.rule.partitioned {
		part = cmp.Compare(a.part, b.part)
	}
	return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(text(a.key), text(b.key)), part, compareAmounts(a, b), cmp.Compare(a.part, b.part), compareLines(a, b))
}

// compareAmounts puts NULL last.
func compareAmounts(a, b row) int {
	return cmp.Compare(uint64(a.amount), uint64(b.amount)) // noAmount is the greatest
}

// compareLines lets the oldest line of equal rows be the first.
func compareLines(a, b row) int {
	if a.line == nil || b.line == nil {
		return 0
	}
	return cmp.Compare(a.line.seq, b.line.seq)
}

func (m *model) lacks(r row) string {
	switch {
	case m.rule.byID && r.id == nil:
		return "no id"
	case r.key == nil:
		return "no key"
	case r.at == nil:
		return "no time"
	case m.rule.maxAhead != none && *r.at > m.now+m.rule.maxAhead:
		return "ahead of time"
	default:
		return ""
	}
}

// count lets a row be in a session.
func (m *model) count(r row) {
	m.group(r).counted++
	word := "counted"
	if m.replay {
		word = "replayed"
	}
	m.end(r.line, word)
	if m.late(r) {
		m.seen.note("late, and counted")
	}
	if r.exempt {
		m.seen.note("moved")
	}
}

// end lets a line stand no more.
func (m *model) end(l *modelLine, status string) {
	if l != nil {
		l.status = status
		m.seen.note("line " + status)
	}
}

// reject lets a row stand rejected. The line of one that stood so, for the same
// reason or before a replay, stays as it is.
func (m *model) reject(r row, reason string) {
	g, old := m.group(r), r.line
	if old == nil || !m.replay && old.reason != reason {
		m.end(old, "judged anew")
		old = &modelLine{seq: len(m.lines), row: g.row, reason: reason, status: "pending", watermark: m.clocks.view, sessions: m.touched(r)}
		m.lines = append(m.lines, old)
		m.seen.note(reason)
	}
	g.rejected = append(g.rejected, old)
	slices.SortFunc(g.rejected, func(a, b *modelLine) int { return cmp.Compare(a.seq, b.seq) })
}

// touched counts the sessions within the gap of a row.
func (m *model) touched(r row) int {
	n := 0
	for _, s := range m.before {
		if r.key != nil && r.at != nil && s.reaches(r, m.rule.gap) {
			n++
		}
	}
	return n
}

func (s *modelSession) reaches(r row, gap int64) bool {
	return s.key == *r.key && *r.at >= s.start-gap && *r.at <= s.end+gap
}

// late says whether a row is behind what the contract accepts from everyone.
func (m *model) late(r row) bool {
	view := m.clocks.view
	return !r.exempt && view != nil && m.rule.lateness != none && *r.at < *view-m.rule.lateness
}

// candidates are the first rows of each id that does not count yet.
func (m *model) candidates(waiting []row, base map[string]row) []int {
	var list []int
	taken := map[string]bool{}
	for i, r := range waiting {
		id := text(r.id)
		_, counts := base[id]
		if m.rule.byID && (counts || taken[id]) {
			continue
		}
		taken[id] = true
		list = append(list, i)
	}
	return list
}

// turnedAway are those of the candidates that the watermark rejects, with the
// reasons. Those near a final session are out at once; the late ones that
// remain are out where nothing that counts or is on time is connected to them.
func (m *model) turnedAway(waiting []row, candidates []int, base map[string]row, replay bool) map[int]string {
	out := map[int]string{}
	if replay {
		return out
	}
	for _, i := range candidates {
		r := waiting[i]
		if !r.exempt && slices.ContainsFunc(m.before, func(s modelSession) bool {
			return s.reaches(r, m.rule.gap) && m.final(s.end)
		}) {
			out[i] = "final session"
		}
	}
	good := map[string][]modelSession{} // by key, what holds others in
	hold := func(r row) { good[*r.key] = append(good[*r.key], modelSession{key: *r.key, start: *r.at, end: *r.at}) }
	for _, r := range base {
		hold(r)
	}
	for _, s := range m.released() {
		good[s.key] = append(good[s.key], s)
	}
	open := map[int]bool{}
	for _, i := range candidates {
		if _, gone := out[i]; gone {
			continue
		}
		if r := waiting[i]; m.late(r) {
			open[i] = true
		} else {
			hold(r)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range open {
			r := waiting[i]
			if slices.ContainsFunc(good[*r.key], func(s modelSession) bool { return s.reaches(r, m.rule.gap) }) {
				hold(r)
				delete(open, i)
				changed = true
			}
		}
	}
	for i := range open {
		out[i] = "too late"
	}
	return out
}

// settle decides about the other rows of ids that count.
func (m *model) settle(waiting []row, candidates []int) {
	for i, r := range waiting {
		if slices.Contains(candidates, i) {
			continue
		}
		if g := m.group(r); g.counted > 0 {
			g.dups++
			m.end(r.line, "duplicate")
			m.seen.note("duplicate")
		} else {
			m.reject(r, "conflicting duplicate")
		}
	}
}
