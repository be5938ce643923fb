package catalog

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// spilling is a store that keeps two rows of a transaction in memory.
func spilling(t *testing.T) *history {
	t.Helper()
	h := newStore(t, func(*Contract) {})
	h.store.rowsInMemory = 2
	return h
}

// load inserts rows of id, key and minute, three to a statement.
func (h *history) load(rows ...string) {
	h.Helper()
	for batch := range slices.Chunk(rows, 3) {
		list := make([]row, len(batch))
		for i, r := range batch {
			var id, key string
			var at int64
			if _, err := fmt.Sscan(r, &id, &key, &at); err != nil {
				h.Fatal(err)
			}
			h.nextRow++
			list[i] = row{n: h.nextRow, id: &id, key: &key, at: &at, amount: 1, part: "p"}
		}
		h.insertRows(list, h.tx.Arrive)
	}
}

func (h *history) sessions() []string {
	h.Helper()
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
	return h.ask("SELECT account_id, event_count FROM visits ORDER BY account_id, session_start")
}

// Rows that are spilled are judged together, whichever part they are in: of an
// id with two keys the earliest counts.
func TestSpilledRowsOfOneID(t *testing.T) {
	h := spilling(t)
	var rows, want []string
	for i := range 20 {
		rows = append(rows, fmt.Sprintf("e%d a%02d 20", i, i), fmt.Sprintf("e%d b%02d 10", i, i), fmt.Sprintf("f%d a%02d 25", i, i))
		want = append(want, fmt.Sprintf("a%02d 1", i))
	}
	for i := range 20 {
		want = append(want, fmt.Sprintf("b%02d 1", i))
	}
	h.begin()
	h.load(rows...)
	h.finish()
	h.same("sessions", h.sessions(), want)
	h.same("counters", h.ask("SELECT received, counted, duplicates, rejected FROM sessiondb.views"), []string{"60 40 0 20"})
	h.same("numbers", h.ask("SELECT count(DISTINCT seq), max(seq) FROM "+h.view().revisionsTable()), []string{"40 40"})
	h.open()
	h.add("g", "a00", 30, "p")
	h.same("goes on", h.ask("SELECT event_count, revision FROM visits WHERE account_id = 'a00'"), []string{"2 2"})
}

// What comes and goes in one transaction cancels out across batches, a row that
// an UPDATE moves to another key is one with what it was, and what is published
// provisionally is replaced.
func TestSpilledCorrections(t *testing.T) {
	h := spilling(t)
	h.begin()
	h.load("e1 a 0", "e2 a 5", "e3 b 0", "e4 c 0")
	h.finish()
	h.begin()
	h.load("e5 a 10", "e6 d 0", "e7 d 5", "e8 e 0")
	if err := h.tx.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.same("provisional", h.ask("SELECT account_id, event_count FROM visits ORDER BY account_id"), []string{"a 3", "b 1", "c 1", "d 2", "e 1"})
	h.capture("DELETE FROM events WHERE event_id IN ('e5', 'e6', 'e4')", h.tx.Remove)
	projection := joinExprs(h.view().Projection())
	mustExec(t, h.conn, "CREATE TEMP TABLE old AS SELECT "+projection+" FROM events WHERE event_id = 'e2'")
	mustExec(t, h.conn, "UPDATE events SET account_id = 'z' WHERE event_id = 'e2'")
	h.each("SELECT o.*, f.* FROM old AS o, (SELECT "+projection+" FROM events WHERE event_id = 'e2') AS f", func(ctx context.Context, v *View, c *Chunk, at int) error {
		return h.tx.Replace(ctx, v, c, at, at+len(v.Projection()))
	})
	h.load("e9 f 0", "e10 f 5", "e11 f 10")
	h.finish()
	h.same("sessions", h.sessions(), []string{"a 1", "b 1", "d 1", "e 1", "f 3", "z 1"})
	lineage := "SELECT account_id, change, len(supersedes), is_current FROM visits_revisions WHERE account_id IN ('a', 'z')"
	h.same("lineage", h.ask(lineage), []string{"a open 0 false", "a split 1 true", "z split 1 true"})
	h.same("commits", h.ask("SELECT commit, sum(weight) FROM visits_changes GROUP BY commit HAVING commit > 1"), []string{"2 3", "3 3"})
}
