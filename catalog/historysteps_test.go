package catalog

import (
	"slices"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// step is one transaction, or something between two.
func (h *history) step() {
	h.Helper()
	h.clock = h.clock.Add(time.Minute)
	switch h.rand.IntN(40) {
	case 0:
		h.restart()
	case 1, 2, 3:
		h.replay()
	case 4:
		h.refresh()
	case 5:
		h.alterLength()
	default:
		h.transact()
	}
	if h.rule.idle+h.rule.retention > 0 && h.rand.IntN(2) == 0 {
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
	h.begin()
	for range 1 + h.rand.IntN(3) {
		h.statement()
		if h.rand.IntN(4) == 0 {
			h.note("  publish")
			h.model.seen.note("published in between")
			if err := h.tx.Publish(h.Context()); err != nil {
				h.Fatal(err, "\n", strings.Join(h.log, "\n"))
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

func (h *history) mark() {
	h.Helper()
	m := modelMark{kind: []string{"advance", "advance", "reset", "idle"}[h.rand.IntN(4)]}
	if h.rule.partitioned {
		m.part = []string{"p0", "p1"}[h.rand.IntN(2)]
	}
	m.at = h.minute()*2 - int64(h.rand.IntN(20))
	kinds := map[string]sessionop.MarkKind{"advance": sessionop.Advance, "reset": sessionop.Reset, "idle": sessionop.Idle}
	mark := sessionop.Mark{Kind: kinds[m.kind], Partition: m.part, Time: base().UnixMicro() + minutes(m.at)}
	if err := h.tx.Mark(h.Context(), h.view(), mark); err != nil {
		if m.kind == "idle" && strings.Contains(err.Error(), "has no partition") {
			return
		}
		h.Fatal(err)
	}
	h.note("  mark %s %s %d", m.kind, m.part, m.at)
	h.model.seen.note("mark " + m.kind)
	h.marks = append(h.marks, m)
}

func (h *history) replay() {
	h.Helper()
	h.begin()
	reports, err := h.tx.Replay(h.Context(), h.view(), ReplayFilter{})
	if err != nil {
		h.Fatal(err, "\n", strings.Join(h.log, "\n"))
	}
	h.note("replay: %+v", reports)
	h.commits(func(number int64) expected { return h.model.commit(number, nil, h.model.askForReplay(), nil, true) })
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
	h.commits(func(int64) expected { return expected{} })
}

// alterLength gives the view another gap or lateness. What is there is cut anew, and
// nothing is judged anew.
func (h *history) alterLength() {
	h.Helper()
	rule, c := &h.model.rule, *h.view().Contract
	if h.rand.IntN(2) == 0 {
		rule.gap = []int64{2, 3, 5, 8}[h.rand.IntN(4)]
		c.Gap = minutes(rule.gap)
		h.model.seen.note("another gap")
	} else {
		rule.lateness = []int64{none, 0, 4, 10}[h.rand.IntN(4)]
		c.Lateness = limit(rule.lateness)
		h.model.seen.note("another lateness")
	}
	h.note("gap %d, lateness %d", rule.gap, rule.lateness)
	h.begin()
	if err := h.tx.AlterView(h.Context(), h.view(), &c); err != nil {
		h.Fatal(err)
	}
	h.model.clocks.started = h.model.now
	h.commits(h.model.recompute)
	if rule.lateness == none && len(h.before.seqs) < h.view().state.Len() {
		h.model.seen.note("held again by another lateness")
	}
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
		h.model.commits = append(h.model.commits, modelCommit{last + 1, h.model.now, h.model.clocks.view})
	}
	h.model.purge()
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
