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
	rule     modelRule
	measures []modelMeasure
	groups   map[string]*group
	clocks   modelClocks
	before   []modelSession // as the last commit left them
	replay   bool           // the commit that is judged is one
	now      int64          // its time

	// What was, for the histories that the view keeps.
	revisions []*modelRevision
	lines     []*modelLine
	commits   []modelCommit
	oldest    int64 // the first commit whose revisions are kept
	seen      sightings
}

// modelRule is the contract of a random history. Times are in minutes.
type modelRule struct {
	byID, unique, explicit, partitioned bool
	twoIDs, twoKeys                     bool
	gap, delay                          int64
	lateness, maxAhead                  int64 // none: unlimited
	idle, retention                     int64 // 0: none, for ever
	declared                            []string
	measures                            []int // of testMeasures
}

// none is a lateness or a distance ahead that has no limit.
const none = -1

// noAmount is an amount that is NULL.
const noAmount = -1

// row is a row of the source; nil pointers are NULL.
type row struct {
	n       int
	id, key *string // columns of two are written "one.two"
	at      *int64
	amount  int64
	part    string
	exempt  bool       // the new version of a counted row
	line    *modelLine // it stood rejected, and is judged anew
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
	rejected      []*modelLine // those that stand, the oldest first
}

// modelLine is what the contract says of one arrival that it turned away.
type modelLine struct {
	seq            int
	row            row
	reason, status string
	watermark      *int64
	sessions       int // that it would have touched
}

type modelSession struct {
	key        string
	start, end int64
	members    map[string]string // member to values
	measures   string
	revision   int
	commit     int64
	of         *modelRevision
}

// modelRevision is a published session, and what became of it.
type modelRevision struct {
	modelSession

	change, state string
	retired       int64 // the commit; 0 while it is current
}

// modelCommit is one line of sessiondb.commits.
type modelCommit struct {
	number, time int64
	view         *int64 // the watermark after it
}

func newModel(r modelRule, now int64) *model {
	m := &model{rule: r, groups: map[string]*group{}, clocks: newModelClocks(r, now), now: now, seen: sightings{}}
	for _, i := range r.measures {
		m.measures = append(m.measures, testMeasures()[i])
	}
	return m
}

func (m *model) group(r row) *group {
	g := m.groups[r.values()]
	if g == nil {
		r.n, r.exempt, r.line = 0, false, nil
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
}

func (e *expected) nothing() bool { return len(e.retired)+len(e.published) == 0 }

// commit takes the net change of a transaction.
func (m *model) commit(number int64, removed, arrived []row, marks []modelMark, replay bool) expected {
	m.replay = replay
	freed := m.remove(removed)
	arrived = append(slices.Clone(arrived), m.rejudge(freed)...)
	counted := m.judge(arrived, replay)
	e := m.difference(number, m.sessions(), replay)
	m.clocks.advance(m, counted, marks)
	m.publish(&e)
	return e
}

// recompute is a commit of the same rows under another gap.
func (m *model) recompute(number int64) expected {
	e := m.difference(number, m.sessions(), false)
	m.publish(&e)
	return e
}

// publish notes the state that the published sessions have after the commit.
func (m *model) publish(e *expected) {
	for i := range e.published {
		e.published[i].of.state = m.state(e.published[i].end)
		m.seen.note("published "+e.published[i].of.state, "change "+firstWord(e.published[i].of.change))
	}
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
			m.end(g.rejected[0], "withdrawn")
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
		again = append(again, g.takeUp(func(*modelLine) bool { return true })...)
	}
	return again
}

// takeUp lets the rejected rows that are chosen arrive again.
func (g *group) takeUp(chosen func(*modelLine) bool) []row {
	var again []row
	for _, l := range g.rejected {
		if chosen(l) {
			r := g.row
			r.line = l
			again = append(again, r)
		}
	}
	g.rejected = slices.DeleteFunc(g.rejected, chosen)
	return again
}

// askForReplay are the rejected rows that a replay takes up.
func (m *model) askForReplay() []row {
	var again []row
	for _, g := range m.groups {
		again = append(again, g.takeUp(func(l *modelLine) bool { return asksForReplay(l.reason) })...)
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
	good := map[string][]int64{} // by key, the times that hold others in
	for _, r := range base {
		good[*r.key] = append(good[*r.key], *r.at)
	}
	open := map[int]bool{}
	for _, i := range candidates {
		if _, gone := out[i]; gone {
			continue
		}
		if r := waiting[i]; m.late(r) {
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
			m.end(r.line, "duplicate")
			m.seen.note("duplicate")
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
	for i := range list {
		list[i].measures = m.measure(list[i].members, rows)
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
			old.of.retired = number
			if m.final(old.end) {
				m.seen.note("a final session changes")
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
