package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// sessions connects the counted rows. Sessions that have none any more stay as
// they are.
func (m *model) sessions() []modelSession {
	byKey := map[string][]string{}
	rows := m.countedRows()
	for member, r := range rows {
		byKey[*r.key] = append(byKey[*r.key], member)
	}
	var list []modelSession
	for key, members := range byKey {
		sort.Slice(members, func(i, j int) bool { return *rows[members[i]].at < *rows[members[j]].at })
		for i, member := range members {
			at := *rows[member].at
			if i == 0 || at-list[len(list)-1].end > m.rule.gap {
				list = append(list, modelSession{key: key, start: at, members: map[string]string{}})
			}
			s := &list[len(list)-1]
			s.end = at
			s.members[member] = rows[member].values()
		}
	}
	for i := range list {
		list[i].measures = m.measure(list[i].members, rows)
	}
	list = append(list, m.released()...)
	m.refused = m.touchesReleased(list)
	slices.SortFunc(list, func(a, b modelSession) int {
		return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.start, b.start))
	})
	return list
}

// difference makes now the current sessions, and says what that publishes.
func (m *model) difference(number int64, now []modelSession, replay bool) expected {
	var e expected
	same := func(a, b modelSession) bool { return a.key == b.key && maps.Equal(a.members, b.members) }
	for _, old := range m.before {
		if !slices.ContainsFunc(now, func(s modelSession) bool { return same(s, old) }) {
			e.retired = append(e.retired, old)
			old.of.retired = number
			if m.final(old.end) {
				m.seen.note("a final session changes")
			}
			if slices.ContainsFunc(m.released(), func(s modelSession) bool { return s.end > old.end }) {
				m.seen.note("a session changes that is older than one without rows")
			}
		}
	}
	for i := range now {
		if at := slices.IndexFunc(m.before, func(s modelSession) bool { return same(s, now[i]) }); at >= 0 {
			now[i].revision, now[i].commit, now[i].of = m.before[at].revision, m.before[at].commit, m.before[at].of
			continue
		}
		now[i].revision, now[i].commit = 1, number
		for _, old := range e.retired {
			if shares(old, now[i]) {
				now[i].revision = max(now[i].revision, old.revision+1)
			}
		}
		now[i].of = &modelRevision{}
		e.published = append(e.published, now[i])
	}
	for _, s := range e.published {
		*s.of = modelRevision{modelSession: s, change: e.change(s, replay)}
		m.revisions = append(m.revisions, s.of)
	}
	m.before = now
	return e
}

func shares(a, b modelSession) bool {
	for member := range a.members {
		if _, ok := b.members[member]; ok {
			return true
		}
	}
	return false
}

// change says why a session was published, and how many it supersedes.
func (e *expected) change(s modelSession, replay bool) string {
	var parents []modelSession
	for _, old := range e.retired {
		if shares(old, s) {
			parents = append(parents, old)
		}
	}
	word := "correct"
	switch {
	case replay:
		word = "replay"
	case len(parents) == 0:
		word = "open"
	case len(parents) > 1:
		word = "merge"
	case e.heirs(parents[0]) > 1:
		word = "split"
	case len(s.members) > len(parents[0].members) && covers(s, parents[0]):
		word = "extend"
	}
	return fmt.Sprint(word, " ", len(parents))
}

func (e *expected) heirs(parent modelSession) int {
	n := 0
	for _, s := range e.published {
		if shares(parent, s) {
			n++
		}
	}
	return n
}

func covers(s, parent modelSession) bool {
	for member := range parent.members {
		if _, ok := s.members[member]; !ok {
			return false
		}
	}
	return true
}

func (m *model) state(end int64) string {
	switch {
	case m.clocks.view == nil || *m.clocks.view <= end+m.rule.gap:
		return "open"
	case m.final(end):
		return "final"
	default:
		return "closed"
	}
}

func (m *model) final(end int64) bool {
	view := m.clocks.view
	return view != nil && m.rule.lateness != none && *view-m.rule.lateness > end+m.rule.gap
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}
