package catalog

import (
	"fmt"
	"testing"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// newStore is a history without partitions or random rows, whose clock the
// test moves.
func newStore(t *testing.T, change func(*Contract)) *history {
	t.Helper()
	rule := modelRule{byID: true, gap: 11, lateness: 30, maxAhead: none, measures: []int{0}}
	h := &history{T: t, rule: rule, db: testDB(t), clock: base(), rows: map[int]row{}, model: newModel(rule, 0)}
	h.conn = connect(t, h.db)
	h.open()
	h.createTable()
	c := h.contract()
	change(c)
	h.begin()
	h.createView(c, true)
	h.finish()
	return h
}

// add commits one row.
func (h *history) add(id, key string, at int64, part string) {
	h.Helper()
	h.nextRow++
	h.begin()
	r := row{n: h.nextRow, id: &id, key: &key, at: &at, amount: int64(h.nextRow), part: part}
	h.now[r.n] = r
	h.insertRows([]row{r}, h.tx.Arrive)
	h.finish()
}

func (h *history) alter(change func(*Contract)) {
	h.Helper()
	h.begin()
	c := *h.view().Contract
	change(&c)
	if err := h.tx.AlterView(h.Context(), h.view(), &c); err != nil {
		h.Fatal(err)
	}
	h.finish()
}

// tick does what the store's timer would do now, and in the next moments.
func (h *history) tick() {
	h.Helper()
	for {
		if err := h.store.Housekeep(h.Context()); err != nil {
			h.Fatal(err)
		}
		now := h.clock.UnixMicro()
		if next := h.store.nextPurge.Load(); next >= now+purgeEvery.Microseconds() {
			return
		}
		h.store.nextPurge.Store(now)
	}
}

func micros(d time.Duration) int64 { return d.Microseconds() }

// A commit that panics, which ends its connection, leaves neither its rows nor
// the lock behind.
func TestPanicGivesTheLockBack(t *testing.T) {
	h := newStore(t, func(*Contract) {})
	h.begin()
	id, key, at := "e1", "a", int64(0)
	h.insertRows([]row{{n: 1, id: &id, key: &key, at: &at, part: "p"}}, h.tx.Arrive)
	state := h.view().state
	h.view().state = nil
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the commit did not panic")
			}
		}()
		_, _ = h.tx.Commit(t.Context())
	}()
	h.view().state = state
	tx, err := h.store.BeginWrite(t.Context(), h.conn, time.Second, "test")
	if err != nil {
		t.Fatal(err)
	}
	h.same("rows", h.ask("SELECT n FROM events"), nil)
	tx.Rollback(t.Context())
}

// A partition that has been quiet for idle_timeout goes idle by a commit of
// the store's own; the clock starts anew when the store is opened.
func TestIdleTimeout(t *testing.T) {
	h := newStore(t, func(c *Contract) {
		c.Partition = &ContractColumn{Name: "part", SQL: `"part"`, Type: "VARCHAR"}
		c.IdleTimeout = micros(5 * time.Minute)
	})
	h.add("e1", "a", 0, "p0")
	h.add("e2", "a", 50, "p1")
	h.clock = h.clock.Add(4 * time.Minute)
	h.tick()
	watermark := "SELECT CAST(" + minutesOf("watermark") + " AS VARCHAR), (SELECT string_agg(state, ' ' ORDER BY partition) FROM sessiondb.watermarks) FROM sessiondb.views"
	h.same("before the timeout", h.ask(watermark), []string{"0 stalled active"})
	h.open()
	h.clock = h.clock.Add(4 * time.Minute)
	h.tick()
	h.same("since the restart", h.ask(watermark), []string{"0 stalled active"})
	h.add("e3", "b", 55, "p1")
	last := h.store.LastCommit()
	h.clock = h.clock.Add(2 * time.Minute)
	h.tick()
	h.same("after the timeout", h.ask(watermark), []string{"55 idle active"})
	if now := h.store.LastCommit(); now != last+1 {
		t.Errorf("commit %d after the tick, want %d", now, last+1)
	}
	h.tick()
	if now := h.store.LastCommit(); now != last+1 {
		t.Errorf("a second tick made commit %d", now)
	}
}

// The goroutine that Start begins does the same in time, and ends with Close.
func TestHousekeepingRuns(t *testing.T) {
	h := newStore(t, func(c *Contract) { c.IdleTimeout = micros(time.Millisecond) })
	h.store.clock = time.Now
	h.store.Start()
	h.add("e1", "a", 0, "p0")
	for range 200 {
		if h.ask("SELECT state FROM sessiondb.watermarks")[0] == "idle" {
			h.store.Close()
			h.store.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("no partition went idle")
	h.store.Close()
}

// A load that is spilled is heard by the partitions as any other is: it wakes
// those that are idle, and the CALLs of its transaction come after all of its
// rows, before the view's watermark is taken.
func TestSpilledLoadIsHeard(t *testing.T) {
	for _, kept := range []int{1, defaultRowsInMemory} {
		h := newStore(t, func(c *Contract) {
			c.Partition = &ContractColumn{Name: "part", SQL: `"part"`, Type: "VARCHAR"}
			c.Partitions = []string{"p0", "p1"}
		})
		h.store.rowsInMemory = kept
		h.begin()
		if err := h.tx.Mark(t.Context(), h.view(), sessionop.Mark{Kind: sessionop.Idle, Partition: "p0"}); err != nil {
			t.Fatal(err)
		}
		h.finish()
		h.begin()
		id, key, at := "e1", "a", int64(10)
		h.insertRows([]row{
			{n: 1, id: &id, key: &key, at: &at, amount: 1, part: "p0"}, {n: 2, id: &id, key: &key, at: &at, amount: 1, part: "p0"},
		}, h.tx.Arrive)
		if err := h.tx.Mark(t.Context(), h.view(), sessionop.Mark{Kind: sessionop.Advance, Partition: "p1", Time: base().UnixMicro() + minutes(3)}); err != nil {
			t.Fatal(err)
		}
		h.finish()
		h.same(fmt.Sprint("partitions, beyond ", kept), h.ask("SELECT partition, state, "+minutesText("watermark")+", "+minutesText("latest_event")+
			", latest_arrival IS NOT NULL FROM sessiondb.watermarks"), []string{"p0 active 10 10 true", "p1 stalled 3 NULL false"})
		h.same("watermark", h.ask("SELECT "+minutesText("watermark")+" FROM sessiondb.views"), []string{"3"})
	}
}

// A source that another program changed is noticed when the store is opened:
// the view is passed by until REFRESH puts it right.
func TestSourceChanged(t *testing.T) {
	h := newStore(t, func(*Contract) {})
	h.add("e1", "a", 0, "p")
	h.add("e2", "a", 20, "p")
	mustExec(t, h.conn, "DELETE FROM events WHERE event_id = 'e1'")
	mustExec(t, h.conn, "INSERT INTO events VALUES (9, 'e9', NULL, 'a', NULL, make_timestamptz(1791277200000000 + 25 * 60000000), 5, 'p'), (10, 'e2', NULL, 'a', NULL, make_timestamptz(1791277200000000), 5, 'p')")
	h.open()
	h.same("marked", h.ask("SELECT source_changed, counted FROM sessiondb.views"), []string{"true 2"})
	h.begin()
	if views := h.tx.SourceViews(TableName{"main", "events"}); len(views) > 0 {
		t.Error("the view is maintained though its source was changed")
	}
	if err := h.tx.MarkAll(t.Context(), h.view(), sessionop.Advance, 1); err == nil {
		t.Error("the watermark of a suspended view moved")
	}
	if err := h.tx.Refresh(t.Context(), h.view()); err != nil {
		t.Fatal(err)
	}
	h.finish()
	h.same("refreshed", h.ask("SELECT source_changed, received, counted, duplicates, rejected FROM sessiondb.views"), []string{"false 3 2 0 1"})
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
	// e2 was at 20, and is now at 0, where e1 was.
	h.same("lineage", h.ask("SELECT "+minutesOf("session_start")+", change, len(supersedes), (SELECT "+minutesOf("session_start")+" FROM visits_revisions AS p WHERE p.revision_id = r.supersedes[1])"+
		" FROM visits_revisions AS r WHERE published_commit = ?", h.store.LastCommit()), []string{"0 correct 1 20", "25 open 0 <nil>"})
	h.open()
	h.same("after a restart", h.ask("SELECT source_changed FROM sessiondb.views"), []string{"false"})
	h.add("e10", "a", 30, "p")
	h.same("verified again", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
}

// Another gap publishes the differences, with what they supersede.
func TestAlterGap(t *testing.T) {
	h := newStore(t, func(*Contract) {})
	for i, at := range []int64{0, 8, 16, 40} {
		h.add([]string{"e1", "e2", "e3", "e4"}[i], "a", at, "p")
	}
	h.alter(func(c *Contract) { c.Gap = micros(5 * time.Minute) })
	changes := "SELECT change, len(supersedes), event_count FROM visits_revisions WHERE published_commit = ?"
	h.same("split", h.ask(changes, h.store.LastCommit()), []string{"split 1 1", "split 1 1", "split 1 1"})
	h.alter(func(c *Contract) { c.Gap = micros(30 * time.Minute) })
	h.same("merge", h.ask(changes, h.store.LastCommit()), []string{"merge 4 4"})
	h.add("e5", "a", 45, "p")
	h.same("goes on", h.ask(changes, h.store.LastCommit()), []string{"extend 1 5"})
	h.same("verified", h.ask("SELECT * FROM "+h.view().VerifySQL(false)), nil)
}
