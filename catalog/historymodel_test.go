package catalog

import (
	"fmt"
	"slices"
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
	refused  bool           // it would change a session that has no rows any more
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
	idle, retention, eventRetention     int64 // 0: none, for ever
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
	released   bool // event_retention let go of its rows
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
	rule         modelRule
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

// alter is a commit of the same rows under another contract.
func (m *model) alter(to modelRule, number int64) expected {
	m.rule, m.clocks.started = to, m.now
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
