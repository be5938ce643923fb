package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// Revisions that no retained commit sees are deleted, and AT says so.
func TestRevisionRetention(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.RevisionRetention = micros(time.Hour) })
	h.add("e1", "a", 0, "p")
	h.add("e2", "a", 5, "p")
	h.clock = h.clock.Add(2 * time.Hour)
	h.add("e3", "a", 10, "p")
	h.tick()
	last := h.store.LastCommit()
	h.same("oldest", h.ask("SELECT oldest_commit, (SELECT count(*) FROM visits_revisions) FROM sessiondb.views"), []string{"3 2"})
	h.same("then", h.ask("SELECT event_count FROM ("+h.view().AtSQL("3", true)+")"), []string{"2"})
	h.same("changes", h.ask("SELECT sum(weight), sum(amount * weight) FROM visits_changes WHERE commit <= 3"), []string{"1 3"})
	if rows, err := h.conn.Query(t.Context(), "SELECT * FROM ("+h.view().AtSQL("2", true)+")"); err == nil {
		_, err = rows.Next(t.Context())
		rows.Close()
		if err == nil {
			t.Error("a version older than the history was answered")
		}
	}
	if h.store.LastCommit() != last {
		t.Error("the purge made a commit")
	}
}

// Rows of final sessions go; the sessions stay, and what would change them is
// refused.
func TestEventRetention(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	h.add("e1", "a", 0, "p")
	h.add("e2", "a", 5, "p")
	h.add("e2", "a", 5, "p") // conflicting: another amount
	h.add("e3", "b", 300, "p")
	h.clock = h.clock.Add(time.Minute)
	h.tick()
	h.same("rows", h.ask("SELECT n FROM events"), []string{"3", "4"})
	h.same("sessions", h.ask("SELECT account_id, event_count FROM visits"), []string{"a 2", "b 1"})
	h.same("counters", h.ask("SELECT received, counted, duplicates, rejected FROM sessiondb.views"), []string{"2 1 0 1"})
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
	h.add("e9", "a", 7, "p")
	h.same("reason", h.ask("SELECT reason FROM visits_rejected WHERE event_id = 'e9'"), []string{"final session"})
	h.begin()
	if _, err := h.tx.Replay(t.Context(), h.view(), ReplayFilter{}); err == nil {
		t.Error("a session without its rows was replayed into")
	}
	h.tx.Rollback(t.Context())
	h.begin()
	if err := h.tx.Refresh(t.Context(), h.view()); err != nil {
		t.Fatal(err)
	}
	h.finish()
	h.same("refreshed", h.ask("SELECT account_id, event_count FROM visits"), []string{"a 2", "b 1"})
	h.same("counters", h.ask("SELECT received, counted, duplicates, rejected FROM sessiondb.views"), []string{"3 1 0 2"})
	h.open()
	h.same("after a restart", h.ask("SELECT source_changed FROM sessiondb.views"), []string{"false"})
}

// A longer gap that reaches a session without its rows is refused, and one
// that reaches none is not.
func TestEventRetentionBoundsTheGap(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	h.add("e1", "a", 0, "p")
	h.add("e2", "a", 185, "p")
	h.add("e3", "b", 300, "p")
	h.clock = h.clock.Add(time.Minute)
	h.tick()
	h.same("rows", h.ask("SELECT n FROM events"), []string{"2", "3"})
	c := *h.view().Contract
	c.Gap = micros(185 * time.Minute)
	h.begin()
	err := h.tx.AlterView(t.Context(), h.view(), &c)
	h.tx.Rollback(t.Context())
	if !released(err) {
		t.Errorf("a gap that reaches a session without rows: %v", err)
	}
	h.alter(func(c *Contract) { c.Gap = micros(184 * time.Minute) })
	h.same("sessions", h.ask("SELECT account_id, event_count FROM visits"), []string{"a 1", "a 1", "b 1"})
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
}

// After reset_watermark sessions come to be that are as old as others which have
// no rows any more. They have theirs: they go on, are corrected and verified.
func TestSessionsAfterEventRetention(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	h.add("e1", "a", 0, "p")
	h.add("e2", "b", 1000, "p") // a clock that ran ahead
	h.clock = h.clock.Add(time.Minute)
	h.tick()
	h.same("rows", h.ask("SELECT n FROM events"), []string{"2"})
	h.reset(90)
	h.add("e3", "a", 100, "p")
	h.add("e4", "a", 105, "p")
	h.open()
	h.add("e5", "a", 108, "p")
	sessions := "SELECT account_id, event_count, revision FROM visits"
	h.same("sessions", h.ask(sessions), []string{"a 1 1", "a 3 3", "b 1 1"})
	h.begin()
	if err := h.tx.Refresh(t.Context(), h.view()); err != nil {
		t.Fatal(err)
	}
	h.finish()
	h.same("refreshed", h.ask(sessions), []string{"a 1 1", "a 3 3", "b 1 1"})
	mustExec(t, h.conn, "UPDATE "+h.view().revisionsTable()+" SET event_count = 9 WHERE revision = 3")
	h.same("verified", h.ask("SELECT side, event_count FROM "+h.view().VerifySQL(false)), []string{"source 3", "view 9"})

	h.reset(0)
	h.begin()
	at := int64(5)
	h.insertRows([]row{{n: 9, id: h.newID(), key: new("a"), at: &at}}, h.tx.Arrive)
	if _, err := h.tx.Commit(t.Context()); !released(err) {
		t.Errorf("an event changed a session that has no rows: %v", err)
	}
	h.same("sessions", h.ask("SELECT n FROM events"), []string{"2", "3", "4", "5"})
}

// Where equal rows go in two batches, the one that is left in between counts.
func TestEventRetentionInBatches(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	at := int64(0)
	var equal []row
	for n := range 3 {
		equal = append(equal, row{n: n, id: new("e1"), key: new("a"), at: &at, amount: 5})
	}
	h.begin()
	h.insertRows(equal, h.tx.Arrive)
	h.finish()
	h.add("e2", "b", 300, "p")
	counters := "SELECT received, counted, duplicates, rejected FROM sessiondb.views"
	h.same("before", h.ask(counters), []string{"4 2 2 0"})
	h.store.purgeBatch = 2
	err := h.store.inWriteTx(t.Context(), func(tx *WriteTx, ctx context.Context) error {
		_, err := tx.purgeEvents(ctx, h.view().ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.same("in between", h.ask(counters), []string{"2 2 0 0"})
	h.same("events", h.ask("SELECT event_id FROM visits_events"), []string{"e1", "e2"})
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
	h.open()
	h.tick()
	h.same("after", h.ask(counters), []string{"1 1 0 0"})
	h.same("sessions", h.ask("SELECT account_id, event_count FROM visits"), []string{"a 1", "b 1"})
}

// Writers wait for one batch at a time, the oldest rows that can go: those that
// stay are passed by, and so is a session that ends later than its first rows.
func TestPurgeOfOneBatch(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	for _, at := range []int64{0, 0, 0} { // two conflict with the first: another amount
		h.add("e1", "a", at, "p")
	}
	for i, at := range []int64{10, 15, 20, 25, 30} {
		h.add(fmt.Sprint("long", i), "b", at, "p")
	}
	h.add("e2", "c", 22, "p")
	h.add("e3", "b", 300, "p")
	h.store.purgeBatch = 2
	h.clock = h.clock.Add(time.Minute)
	rows := "SELECT string_agg(event_id, ' ' ORDER BY n) FROM events"
	for _, want := range []string{
		"e1 e1 long0 long1 long2 long3 long4 e2 e3",
		"e1 e1 long0 long1 long2 long3 long4 e3",
	} {
		if err := h.store.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.same("after a batch", h.ask(rows), []string{want})
		if h.store.nextPurge.Load() >= h.clock.UnixMicro()+purgeEvery.Microseconds() {
			t.Error("the next batch is not due soon")
		}
		h.store.nextPurge.Store(h.clock.UnixMicro())
		h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
	}
	h.tick()
	h.same("at the end", h.ask(rows), []string{"e1 e1 e3"})
	h.same("counters", h.ask("SELECT received, counted, duplicates, rejected FROM sessiondb.views"), []string{"3 1 0 2"})
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
}

// Lengths that reach beyond all time keep everything.
func TestEventRetentionOfAllTime(t *testing.T) {
	for _, lateness := range []int64{micros(time.Hour), math.MaxInt64 - 1} {
		h := newStore(t, func(c *Contract) {
			c.EventRetention, c.Lateness = micros(2*time.Hour), lateness
			if lateness == micros(time.Hour) {
				c.EventRetention = math.MaxInt64
			}
		})
		h.add("e1", "a", 0, "p")
		h.add("e2", "b", 600, "p")
		h.clock = h.clock.Add(time.Minute)
		h.tick()
		h.same("rows", h.ask("SELECT count(*) FROM events"), []string{"2"})
	}
}

// An id is new again once its row is gone, and makes a session of the same
// session_id where it is alone again.
func TestReleasedIDAgain(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	h.add("e1", "a", 0, "p")
	h.add("e2", "b", 300, "p")
	h.clock = h.clock.Add(time.Minute)
	h.tick()
	h.add("e1", "a", 285, "p")
	h.add("e3", "a", 290, "p")
	h.alter(func(c *Contract) { c.Gap = micros(3 * time.Minute) })
	h.same("sessions", h.ask("SELECT account_id, event_count, change FROM visits_revisions WHERE is_current"), []string{"a 1 open", "a 1 split", "a 1 split", "b 1 open"})
	h.same("alike", h.ask("SELECT count(DISTINCT session_id) FROM visits WHERE account_id = 'a'"), []string{"2"})
	h.same("events", h.ask("SELECT event_id, revision FROM visits_events"), []string{"e1 3", "e2 1", "e3 3"})
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
}

// A view that keeps its rows from now on has not those that are gone: they do not
// count, and it does not answer for its source.
func TestEventRetentionEnds(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	h.add("e1", "a", 0, "p")
	h.add("e2", "b", 300, "p")
	h.alter(func(c *Contract) { c.EventRetention = 0 })
	h.same("answers", h.ask(h.view().AnswersSQL()), []string{"true"})
	h.alter(func(c *Contract) { c.EventRetention = micros(2 * time.Hour) })
	h.clock = h.clock.Add(time.Minute)
	h.tick()
	h.alter(func(c *Contract) { c.EventRetention = 0 })
	h.begin()
	if err := h.tx.Refresh(t.Context(), h.view()); err != nil {
		t.Fatal(err)
	}
	h.finish()
	h.same("counters", h.ask("SELECT received, counted, duplicates, rejected FROM sessiondb.views"), []string{"1 1 0 0"})
	h.same("answers", h.ask(h.view().AnswersSQL()), []string{"false"})
	h.same("sessions", h.ask("SELECT account_id, event_count FROM visits"), []string{"a 1", "b 1"})
}

// reset moves the watermark back.
func (h *history) reset(at int64) {
	h.Helper()
	h.begin()
	if err := h.tx.Mark(h.Context(), h.view(), sessionop.Mark{Kind: sessionop.Reset, Time: base().UnixMicro() + minutes(at)}); err != nil {
		h.Fatal(err)
	}
	h.finish()
}

// released says whether an error says that a session has no rows any more.
func released(err error) bool {
	var coded interface{ SQLState() string }
	return errors.As(err, &coded) && coded.SQLState() == stateNotReady && strings.Contains(err.Error(), "event_retention")
}
