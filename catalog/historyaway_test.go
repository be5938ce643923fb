package catalog

import (
	"fmt"
	"slices"

	"github.com/sessiondb/sessiondb/sessionop"
)

// held are the sessions in the operator's memory.
type held struct {
	seqs map[int64]bool
	ids  map[sessionop.Hash]bool
	// reopened says that sessions which have left are live again.
	reopened bool
}

func (h *history) held() held {
	h.Helper()
	m := held{seqs: map[int64]bool{}, ids: map[sessionop.Hash]bool{}}
	if h.view().state == nil { // it is suspended
		return m
	}
	for s := range h.view().state.All() {
		m.seqs[s.Seq], m.ids[s.SessionID] = true, true
	}
	_, _, m.reopened = h.view().state.Reopened()
	return m
}

// noteRecalled notes for what sessions came back into memory that had left when
// the transaction began.
func (h *history) noteRecalled() {
	h.Helper()
	if _, _, reopened := h.view().state.Reopened(); h.before.reopened && !reopened {
		h.model.seen.note("live again after a reset")
	}
	for _, vt := range h.tx.order {
		for _, p := range vt.pending {
			if p.commit != nil {
				h.noteRecalledBy(p)
			}
		}
	}
}

func (h *history) noteRecalledBy(p *publication) {
	for i := range p.delta.Retired {
		if !h.before.seqs[p.delta.Retired[i].Seq] {
			h.model.seen.note(p.cause())
		}
	}
	for _, v := range p.delta.Verdicts {
		for _, id := range v.Sessions {
			if !h.before.ids[id] {
				h.model.seen.note("read back for a rejected event")
			}
		}
	}
}

// cause says for what a publication changed sessions that had left. An event
// that counts reaches them only where a reset made them live again.
func (p *publication) cause() string {
	switch {
	case p.commit.Replay:
		return "read back for a replay"
	case len(p.commit.Removed) == 0:
		return "live again after a reset"
	case len(p.commit.Arrived) == 0:
		return "read back for rows that go"
	default:
		return "read back for rows that move"
	}
}

// checkHeld holds memory against what is stored: it has only current sessions,
// and only final ones are not there, unless a reset made them live again.
func (h *history) checkHeld() {
	h.Helper()
	m, state := h.held(), h.view().state
	at, defined := state.Watermark()
	for _, r := range values(h, h.conn, "SELECT seq, epoch_us(session_end) FROM "+h.view().revisionsTable()+" WHERE retired_commit IS NULL") {
		seq, end := r[0].(int64), r[1].(int64)
		if m.seqs[seq] {
			delete(m.seqs, seq)
			continue
		}
		h.model.seen.note("left memory")
		away, ok := state.Away()
		final := state.StateOf(end, sessionop.Watermark{Time: at, Defined: defined}) == sessionop.Final
		if !ok || end > away || !final && !m.reopened {
			h.Errorf("session %d is not held, final %t; what ended by %d (%t) has left", seq, final, away, ok)
		}
	}
	if len(m.seqs) > 0 {
		h.Error(fmt.Sprint("held, and not current: ", m.seqs))
	}
	h.checkLookups()
}

// checkLookups holds what lookups find of each key against what is stored.
func (h *history) checkLookups() {
	h.Helper()
	current := map[string][]int64{}
	for _, r := range values(h, h.conn, "SELECT "+canonicalSQL(h.view().Contract.sessionKeys(""))+", seq FROM "+h.view().revisionsTable()+" WHERE retired_commit IS NULL ORDER BY seq") {
		current[r[0].(string)] = append(current[r[0].(string)], r[1].(int64))
	}
	_, left := h.view().state.Away()
	for key, seqs := range current {
		found, ok := h.lookUp(key)
		if left && ok {
			h.model.seen.note("looked up what has left")
		}
		if !left && !ok || ok && slices.ContainsFunc(seqs, func(seq int64) bool { return !slices.Contains(found.seqs, seq) }) {
			h.Errorf("a lookup of %s finds %d (%t), and it has %d", key, found.seqs, ok, seqs)
		}
	}
}

// lookUp looks a key up, however few revisions there are.
func (h *history) lookUp(key string) (Found, bool) {
	h.store.lookupFrom = 1
	return h.store.Find(h.view(), []string{key})
}

// index looks a key up, and makes the index that this may want, as the store
// does on its own: what leaves from then on is added to it.
func (h *history) index() {
	h.Helper()
	h.lookUp("nobody")
	select {
	case v := <-h.store.unindexed:
		h.store.indexAway(h.Context(), v)
	default:
	}
}
