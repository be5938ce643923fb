package catalog

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// step is one transaction, or something between two.
func (h *history) step() {
	h.Helper()
	h.clock = h.clock.Add(time.Minute)
	boundary := len(h.gone) > 0 // there is more of what it decides
	switch n := h.rand.IntN(40); {
	case n < 1 || boundary && n > 37:
		h.restart()
	case n < 4 || boundary && n >= 34:
		h.replay()
	case n < 5:
		h.refresh()
	case n < 6 || boundary && n >= 29:
		h.alterLength()
	default:
		h.transact()
	}
	if r := h.model.rule; r.eventRetention > 0 && !boundary || r.idle+r.retention+r.eventRetention > 0 && h.rand.IntN(2) == 0 {
		h.housekeep()
	}
}

func (h *history) restart() {
	h.Helper()
	h.note("restart")
	h.model.seen.note("restart")
	h.open()
	h.spills()
	h.model.clocks.started = h.minute()
	if len(h.model.before) > h.view().state.Len() {
		h.model.seen.note("restart without the final sessions")
	}
}

func (h *history) transact() {
	h.Helper()
	h.back = h.back && h.rand.IntN(6) > 0
	h.begin()
	for range 1 + h.rand.IntN(3) {
		if !h.statement() {
			return
		}
		if h.rand.IntN(4) == 0 {
			h.note("  publish")
			h.model.seen.note("published in between")
			if must := h.refusesNet(); h.refused("publish", h.tx.Publish(h.Context()), must) {
				h.tx.Rollback(h.Context())
				return
			}
		}
	}
	if h.rand.IntN(6) == 0 {
		h.note("rollback")
		h.model.seen.note("rollback")
		h.tx.Rollback(h.Context())
		return
	}
	if slices.ContainsFunc(h.tx.order, func(vt *viewTx) bool { return vt.spill != nil }) {
		h.model.seen.note("spilled")
	}
	h.commits(nil)
}

// net is what the transaction changed, after what cancels out.
func (h *history) net() (removed, arrived []row) {
	for _, n := range sortedRows(h.rows) {
		old := h.rows[n]
		fresh, there := h.now[n]
		if there && fresh.values() == old.values() {
			continue
		}
		removed = append(removed, old)
		if there {
			fresh.exempt = true // if the old one counted: see below
			arrived = append(arrived, fresh)
		}
	}
	for _, n := range sortedRows(h.now) {
		if _, there := h.rows[n]; !there {
			arrived = append(arrived, h.now[n])
		}
	}
	for i := 0; i < len(arrived); i++ {
		at := slices.IndexFunc(removed, func(r row) bool { return r.values() == arrived[i].values() })
		if at >= 0 {
			removed = slices.Delete(removed, at, at+1)
			arrived = slices.Delete(arrived, i, i+1)
			i--
		}
	}
	for i := range arrived {
		if arrived[i].exempt {
			old := h.rows[arrived[i].n].values()
			went := slices.ContainsFunc(removed, func(r row) bool { return r.values() == old })
			g := h.model.groups[old]
			arrived[i].exempt = went && g.dups == 0 && g.counted > 0
		}
	}
	return removed, arrived
}

// mark says whether the transaction goes on.
func (h *history) mark() bool {
	h.Helper()
	m := modelMark{kind: []string{"advance", "advance", "reset", "idle"}[h.rand.IntN(4)]}
	if h.rule.partitioned {
		m.part = []string{"p0", "p1"}[h.rand.IntN(2)]
	}
	m.at = h.minute()*2 - int64(h.rand.IntN(20))
	if len(h.gone) > 0 && h.rand.IntN(3) > 0 && !h.back {
		h.back = true // what comes is live, and older than what has no rows
		m.kind, m.at = "reset", longAgo-10
	}
	kinds := map[string]sessionop.MarkKind{"advance": sessionop.Advance, "reset": sessionop.Reset, "idle": sessionop.Idle}
	mark := sessionop.Mark{Kind: kinds[m.kind], Partition: m.part, Time: base().UnixMicro() + minutes(m.at)}
	must := h.rule.partitioned && h.refusesNet() // who asks which partitions there are reads what the transaction did
	err := h.tx.Mark(h.Context(), h.view(), mark)
	if m.kind == "idle" && err != nil && strings.Contains(err.Error(), "has no partition") {
		return true
	}
	if h.refused("mark", err, must) {
		h.tx.Rollback(h.Context())
		return false
	}
	h.note("  mark %s %s %d", m.kind, m.part, m.at)
	h.model.seen.note("mark " + m.kind)
	h.marks = append(h.marks, m)
	return true
}

func (h *history) replay() {
	h.Helper()
	h.begin()
	replayed := func(m *model, number int64) expected { return m.commit(number, nil, m.askForReplay(), nil, true) }
	must := h.model.refuses(func(m *model) { replayed(m, h.tx.Number()) })
	reports, err := h.tx.Replay(h.Context(), h.view(), ReplayFilter{})
	if h.refused("replay", err, must) {
		h.tx.Rollback(h.Context())
		return
	}
	h.note("replay: %+v", reports)
	h.commits(replayed)
}

// refresh changes nothing where nothing is wrong.
func (h *history) refresh() {
	h.Helper()
	h.note("refresh")
	h.model.seen.note("refresh")
	h.begin()
	if err := h.tx.Refresh(h.Context(), h.view()); err != nil {
		h.Fatal(err)
	}
	h.model.clocks.started = h.model.now
	h.commits(func(*model, int64) expected { return expected{} })
}

// alterLength gives the view another gap or lateness. What is there is cut anew, and
// nothing is judged anew.
func (h *history) alterLength() {
	h.Helper()
	rule, c := h.model.rule, *h.view().Contract
	what := rule.alter(h.rand)
	rule.lengths(&c)
	h.note("%s: gap %d, lateness %d, event_retention %d", what, rule.gap, rule.lateness, rule.eventRetention)
	h.begin()
	if h.refused(what, h.tx.AlterView(h.Context(), h.view(), &c), h.model.refuses(func(m *model) { m.alter(rule, h.tx.Number()) })) {
		h.tx.Rollback(h.Context())
		return
	}
	h.model.seen.note(what)
	h.commits(func(m *model, number int64) expected { return m.alter(rule, number) })
	if rule.lateness == none && len(h.before.seqs) < h.view().state.Len() {
		h.model.seen.note("held again by another lateness")
	}
}

// alter is one of the changes that ALTER MATERIALIZED VIEW can make.
func (r *modelRule) alter(random *rand.Rand) string {
	switch n := random.IntN(5); {
	case n < 2:
		r.gap = []int64{2, 3, 5, 8}[random.IntN(4)]
		return "another gap"
	case n < 4:
		r.lateness = []int64{none, 0, 4, 10}[random.IntN(4)]
		if r.lateness == none {
			r.eventRetention = 0
		}
		return "another lateness"
	default:
		r.eventRetention = []int64{0, 1, 6}[random.IntN(3)]
		if r.lateness == none {
			r.lateness = 10
		}
		return "another event_retention"
	}
}

// lengths gives a contract the lengths of time that ALTER can change.
func (r *modelRule) lengths(c *Contract) {
	c.Gap, c.Lateness, c.EventRetention = minutes(r.gap), limit(r.lateness), minutes(r.eventRetention)
}

// housekeep does what the store's timer would do now.
func (h *history) housekeep() {
	h.Helper()
	h.model.now = h.minute()
	due, last := h.model.due(), h.store.LastCommit()
	h.tick()
	if due {
		h.note("tick")
		h.model.commit(last+1, nil, nil, []modelMark{{kind: "tick"}}, false)
		h.model.commits = append(h.model.commits, modelCommit{last + 1, h.model.now, h.model.clocks.view, h.model.rule})
	}
	h.model.purge()
	h.purges()
}

// purge forgets the revisions that no commit within the retention sees.
func (m *model) purge() {
	if m.rule.retention == 0 {
		return
	}
	for _, c := range m.commits {
		if c.time <= m.now-m.rule.retention {
			m.oldest = max(m.oldest, c.number)
		}
	}
	kept := slices.DeleteFunc(m.revisions, func(r *modelRevision) bool { return r.retired > 0 && r.retired <= m.oldest })
	if len(kept) < len(m.revisions) {
		m.seen.note("revisions purged")
	}
	m.revisions = kept
}
