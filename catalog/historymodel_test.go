package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// The model knows the contract page and nothing of the operator or the SQL: it
// keeps every row, judges a commit by trying, and recomputes all sessions after
// it. It is slow, and meant to be read.
type model struct {
	rule   modelRule
	groups map[string]*group
	marks  map[string]*modelPartition
	view   *int64 // the watermark; nil while undefined
	before []modelSession
	replay bool // the commit that is judged is one
}

// modelRule is the contract of a random history. Times are in minutes.
type modelRule struct {
	byID, unique, explicit, partitioned bool
	gap, lateness, delay                int64 // lateness -1: unlimited
	declared                            []string
}

// row is a row of the source; nil pointers are NULL.
type row struct {
	n        int
	id, key  *string
	at       *int64
	amount   int64
	part     string
	exempt   bool // the new version of a counted row
	rejudged string
}

// values recognises equal rows.
func (r row) values() string {
	return fmt.Sprint(text(r.id), "/", text(r.key), "/", number(r.at), "/", r.amount, "/", r.part)
}

func text(s *string) string {
	if s == nil {
		return "NULL"
	}
	return *s
}

func number(n *int64) string {
	if n == nil {
		return "NULL"
	}
	return fmt.Sprint(*n)
}

// group is what became of equal rows.
type group struct {
	row           row
	counted, dups int
	rejected      []string // reasons, the oldest first
}

type modelPartition struct {
	at   *int64
	idle bool
}

type modelSession struct {
	key        string
	start, end int64
	members    map[string]string // member to values
	revision   int
	commit     int64
}

func newModel(r modelRule) *model {
	m := &model{rule: r, groups: map[string]*group{}, marks: map[string]*modelPartition{}}
	for _, p := range r.declared {
		m.marks[p] = &modelPartition{}
	}
	return m
}

func (m *model) group(r row) *group {
	g := m.groups[r.values()]
	if g == nil {
		r.n, r.exempt, r.rejudged = 0, false, ""
		g = &group{row: r}
		m.groups[r.values()] = g
	}
	return g
}

// member is the identity of the k-th of equal counted rows.
func (m *model) member(g *group, k int) string {
	if m.rule.byID {
		return text(g.row.id)
	}
	return fmt.Sprint(g.row.values(), "#", k)
}

// countedRows are the rows that count, one per member.
func (m *model) countedRows() map[string]row {
	rows := map[string]row{}
	for _, g := range m.groups {
		for k := 1; k <= g.counted; k++ {
			rows[m.member(g, k)] = g.row
		}
	}
	return rows
}

// expected is what a commit must publish.
type expected struct {
	retired   []modelSession
	published []modelSession
	changes   []string
}

// commit takes the net change of a transaction.
func (m *model) commit(number int64, removed, arrived []row, marks []modelMark, replay bool) expected {
	m.replay = replay
	freed := m.remove(removed)
	arrived = append(slices.Clone(arrived), m.rejudge(freed)...)
	counted := m.judge(arrived, replay)
	now := m.sessions()
	e := m.difference(number, now, replay)
	m.advance(counted, marks)
	return e
}

// remove takes rows away: of equal ones a duplicate first, then the one that
// counts, then one that stands rejected. It returns the ids that are free.
func (m *model) remove(removed []row) map[string]bool {
	freed := map[string]bool{}
	for _, r := range removed {
		g := m.group(r)
		switch {
		case g.dups > 0:
			g.dups--
		case g.counted > 0:
			g.counted--
			freed[text(r.id)] = true
		case len(g.rejected) > 0:
			g.rejected = g.rejected[1:]
		default:
			panic("a row went that was never there: " + r.values())
		}
	}
	return freed
}

// rejudge takes the rejected rows of freed ids up again.
func (m *model) rejudge(freed map[string]bool) []row {
	var again []row
	if !m.rule.byID {
		return nil
	}
	for _, g := range m.groups {
		if !freed[text(g.row.id)] || g.row.id == nil {
			continue
		}
		for _, reason := range g.rejected {
			r := g.row
			r.rejudged = reason
			again = append(again, r)
		}
		g.rejected = nil
	}
	return again
}

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
				m.group(waiting[i]).counted++
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
	return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(text(a.key), text(b.key)), part, cmp.Compare(a.amount, b.amount), cmp.Compare(a.part, b.part))
}

func (m *model) lacks(r row) string {
	switch {
	case m.rule.byID && r.id == nil:
		return "no id"
	case r.key == nil:
		return "no key"
	case r.at == nil:
		return "no time"
	default:
		return ""
	}
}

// reject lets a row stand rejected; what a replay cannot take up keeps its line.
func (m *model) reject(r row, reason string) {
	if m.replay {
		reason = r.rejudged
	}
	g := m.group(r)
	g.rejected = append(g.rejected, reason)
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
			return s.key == *r.key && m.final(s.end) && *r.at >= s.start-m.rule.gap && *r.at <= s.end+m.rule.gap
		}) {
			out[i] = "final session"
		}
	}
	late := func(r row) bool {
		return !r.exempt && m.view != nil && m.rule.lateness >= 0 && *r.at < *m.view-m.rule.lateness
	}
	good := map[string][]int64{} // by key, the times that hold others in
	for _, r := range base {
		good[*r.key] = append(good[*r.key], *r.at)
	}
	open := map[int]bool{}
	for _, i := range candidates {
		if _, gone := out[i]; gone {
			continue
		}
		if r := waiting[i]; late(r) {
			open[i] = true
		} else {
			good[*r.key] = append(good[*r.key], *r.at)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range open {
			r := waiting[i]
			if slices.ContainsFunc(good[*r.key], func(at int64) bool { return max(at-*r.at, *r.at-at) <= m.rule.gap }) {
				good[*r.key] = append(good[*r.key], *r.at)
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
		} else {
			m.reject(r, "conflicting duplicate")
		}
	}
}

// sessions connects the counted rows.
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
		}
	}
	for i := range now {
		if at := slices.IndexFunc(m.before, func(s modelSession) bool { return same(s, now[i]) }); at >= 0 {
			now[i].revision, now[i].commit = m.before[at].revision, m.before[at].commit
			continue
		}
		now[i].revision, now[i].commit = 1, number
		for _, old := range e.retired {
			if shares(old, now[i]) {
				now[i].revision = max(now[i].revision, old.revision+1)
			}
		}
		e.published = append(e.published, now[i])
	}
	for _, s := range e.published {
		e.changes = append(e.changes, e.change(s, replay))
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

// modelMark is a CALL.
type modelMark struct {
	kind, part string // advance, reset or idle
	at         int64
}

// advance moves the watermarks: first the rows that count, then the marks.
func (m *model) advance(counted []row, marks []modelMark) {
	for _, r := range counted {
		p := m.partition(r.part)
		if !m.rule.explicit {
			p.idle = false
			p.forward(*r.at - m.rule.delay)
		}
	}
	for _, mark := range marks {
		p := m.partition(mark.part)
		switch mark.kind {
		case "advance":
			if p.forward(mark.at) && m.rule.explicit {
				p.idle = false
			}
		case "reset":
			p.at = &mark.at
			if m.view != nil && *m.view > mark.at {
				m.view = &mark.at
			}
		case "idle":
			p.idle = true
		}
	}
	var least *int64
	for _, p := range m.marks {
		switch {
		case p.idle:
		case p.at == nil:
			return
		case least == nil || *p.at < *least:
			least = p.at
		}
	}
	if least != nil && (m.view == nil || *least > *m.view) {
		at := *least
		m.view = &at
	}
}

func (m *model) partition(name string) *modelPartition {
	if !m.rule.partitioned {
		name = ""
	}
	if m.marks[name] == nil {
		m.marks[name] = &modelPartition{}
	}
	return m.marks[name]
}

// forward moves a watermark forward; it reports false if that would be back.
func (p *modelPartition) forward(at int64) bool {
	if p.at != nil && at < *p.at {
		return false
	}
	p.at = &at
	return true
}

func (m *model) state(end int64) string {
	switch {
	case m.view == nil || *m.view <= end+m.rule.gap:
		return "open"
	case m.final(end):
		return "final"
	default:
		return "closed"
	}
}

func (m *model) final(end int64) bool {
	return m.view != nil && m.rule.lateness >= 0 && *m.view-m.rule.lateness > end+m.rule.gap
}
