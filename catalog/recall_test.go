package catalog

import (
	"fmt"
	"testing"

	"github.com/sessiondb/sessiondb/sessionop"
)

// call commits a CALL.
func (h *history) call(kind sessionop.MarkKind, minute int64) {
	h.Helper()
	h.begin()
	if err := h.tx.Mark(h.Context(), h.view(), sessionop.Mark{Kind: kind, Time: base().UnixMicro() + minutes(minute)}); err != nil {
		h.Fatal(err)
	}
	h.finish()
}

// holds compares how many sessions memory holds.
func (h *history) holds(when string, want int) {
	h.Helper()
	if got := h.view().state.Len(); got != want {
		h.Errorf("%s: %d sessions are held, want %d", when, got, want)
	}
	h.same(when+": live_sessions", h.ask("SELECT live_sessions FROM sessiondb.views"), []string{fmt.Sprint(want)})
}

// finds looks the sessions of key a up.
func (h *history) finds(when string, want bool) {
	h.Helper()
	found, ok := h.lookUp(KeyText([]string{"a"}))
	if ok != want {
		h.Errorf("%s: a lookup is answered: %t", when, ok)
	}
	if ok {
		h.same(when, h.ask("SELECT account_id, session_start FROM ("+h.view().FoundSQL(found)+") WHERE account_id = 'a'"), h.ask("SELECT account_id, session_start FROM visits WHERE account_id = 'a'"))
	}
}

// A final session leaves memory, and is there all the same for whatever can
// still touch it.
func TestFinalSessionsLeaveMemory(t *testing.T) {
	h := newStore(t, func(*Contract) {}) // gap 11 min, lateness 30 min
	sessions := "SELECT account_id, " + minutesOf("session_start") + ", " + minutesOf("session_end") + ", revision, event_count, session_state FROM visits WHERE account_id = 'a'"
	h.add("e1", "a", 0, "p")
	h.add("e2", "a", 5, "p")
	h.add("e3", "a", 40, "p")
	h.holds("before", 2)
	h.add("e4", "b", 90, "p")
	h.holds("once they are final", 1)
	h.finds("what has left", false)
	h.index()
	h.finds("once it is indexed", true)

	h.add("e5", "a", 16, "p")
	h.add("e1", "a", 0, "p") // another amount
	h.same("rejected", h.ask("SELECT event_id, reason, len(sessions) FROM visits_rejected"), []string{"e1 conflicting duplicate 1", "e5 final session 1"})
	h.holds("after rejected events", 1)

	h.open()
	h.holds("after a restart", 1)

	h.begin()
	h.delete([]int{1})
	h.tx.Rollback(t.Context())
	h.begin()
	h.delete([]int{1})
	h.finish()
	h.same("a row went", h.ask(sessions), []string{"a 40 40 1 1 final", "a 5 5 3 1 final"})
	h.holds("after a row went", 1)
	h.finds("after a restart", false)
	h.index()
	h.finds("indexed again", true)

	h.call(sessionop.Reset, 60)
	h.add("e6", "a", 45, "p")
	h.same("on time again", h.ask(sessions), []string{"a 40 45 2 2 closed", "a 5 5 3 1 final"})
	h.holds("after a reset", 2)
	h.add("e7", "a", 10, "p")
	h.same("still late", h.ask("SELECT reason, len(sessions) FROM visits_rejected WHERE event_id = 'e7'"), []string{"final session 1"})

	h.call(sessionop.Advance, 200)
	h.holds("after an advance", 0)
	h.finds("what left since", true)
	h.begin()
	if _, err := h.tx.Replay(t.Context(), h.view(), ReplayFilter{From: "'2026-10-06 09:10:00+00'", To: "'2026-10-06 09:11:00+00'"}); err != nil {
		t.Fatal(err)
	}
	h.finish()
	h.same("replayed", h.ask(sessions), []string{"a 40 45 2 2 final", "a 5 10 4 2 final"})

	h.alter(func(c *Contract) { c.Lateness = sessionop.Unlimited })
	h.holds("without a lateness", 3)
	h.alter(func(c *Contract) { c.Gap = minutes(30) })
	h.same("of a longer gap", h.ask(sessions), []string{"a 5 45 5 4 closed"})
	h.alter(func(c *Contract) { c.Lateness = minutes(30) })
	h.holds("with a lateness again", 0)
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
}

// Memory holds the sessions that can still change, however many there were:
// here 200,000 over two days. What sessiondb.views says of it is so.
func TestMemoryHoldsWhatIsLive(t *testing.T) {
	h := newStore(t, func(*Contract) {})
	const commits, rows = 200, 1000
	for n := range commits {
		h.begin()
		h.capture(fmt.Sprintf("INSERT INTO events SELECT i, 'e' || i, NULL, 'account-' || i %% 5000, NULL, make_timestamptz(%d + i * 1000000), 1, 'p' FROM range(%d, %d) AS t(i)",
			base().UnixMicro(), n*rows, (n+1)*rows), h.tx.Arrive)
		h.finish()
		if held := h.view().state.Len(); held > 41*60+1 {
			t.Fatalf("commit %d: %d sessions are held", n, held)
		}
	}
	h.holds("at the end", 41*60+1)
	h.same("sessions", h.ask("SELECT open_sessions + closed_sessions + final_sessions FROM sessiondb.views"), []string{fmt.Sprint(commits * rows)})
	stats := h.view().state.Stats()
	var told int64
	if err := h.conn.QueryRow(t.Context(), "SELECT CAST(state_bytes AS BIGINT) FROM sessiondb.views", nil, &told); err != nil {
		t.Fatal(err)
	}
	if taken := stats.Bytes - stats.IDBytes; told < taken*2/3 || told > taken*3/2 {
		t.Errorf("state_bytes is %d, where the sessions take %d", told, taken)
	}
	h.open()
	h.holds("after a restart", 41*60+1)
}
