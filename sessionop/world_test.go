package sessionop

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A row is one row of the source table, and what was made of it.
type row struct {
	id, key, partition   string
	time, amount         int64
	noID, noKey, noTime  bool
	serial               int // order of arrival
	member               Hash
	verdict              Verdict
	exempt, dead, judged bool
}

func (r *row) counted() bool { return r.judged && !r.dead && r.verdict.Outcome == Counted }

func (r *row) values() string {
	return fmt.Sprintf("%s/%t/%d/%t/%d/%s", r.key, r.noKey, r.time, r.noTime, r.amount, r.partition)
}

// event is the row as the operator takes it. An amount below zero is NULL.
func (r *row) event(spec *Spec) Event {
	e := Event{
		Key: r.key, Time: r.time, Member: r.member, Partition: r.partition, Exempt: r.exempt,
		Values: HashBytes([]byte(r.values())).Lo,
	}
	for range spec.Measures {
		e.Inputs = append(e.Inputs, Value{Valid: r.amount >= 0, Lo: uint64(max(r.amount, 0))})
	}
	for _, f := range []struct {
		set  bool
		flag EventFlags
	}{{r.noID, NoID}, {r.noKey, NoKey}, {r.noTime, NoTime}} {
		if f.set {
			e.Flags |= f.flag
		}
	}
	return e
}

// A world is a source table and the one view of it: it turns changes of rows
// into commits, as the owner of a State must.
type world struct {
	t       testing.TB
	state   *State
	rows    []*row
	serial  int
	number  int64
	now     int64
	dups    int
	pending change
	arrived []*row            // of the commit that is being made
	stored  map[int64]Session // the current sessions, by their numbers: what the owner keeps
	reopens bool              // after a Reset, what is live again is held again
	recalls int               // sessions that were read back
	keys    map[int64]string  // of every revision there was

	indexFrom int64 // what State.Away was when its index began
	lookups   int   // of a key, that were answered
}

// change is a transaction that is being put together.
type change struct {
	arrived, removed []*row // removed are copies, as they were
	freed            map[string]bool
	marks            []Mark
	replay           bool
}

func newWorld(tb testing.TB, spec Spec) *world {
	tb.Helper()
	state, err := New(spec)
	if err != nil {
		tb.Fatal(err)
	}
	return &world{t: tb, state: state, pending: change{freed: map[string]bool{}}, stored: map[int64]Session{}, keys: map[int64]string{}, reopens: true}
}

func (w *world) spec() *Spec { return &w.state.spec }

func (w *world) insert(r row) {
	w.serial++
	r.serial = w.serial
	w.rows = append(w.rows, &r)
	w.pending.arrived = append(w.pending.arrived, &r)
}

func (w *world) mark(m Mark) { w.pending.marks = append(w.pending.marks, m) }

// remove deletes a row. One that arrived in this very transaction never was.
func (w *world) remove(r *row) {
	w.retract(r)
	r.dead = true
	w.pending.arrived = slices.DeleteFunc(w.pending.arrived, func(o *row) bool { return o == r })
}

// update replaces a row's values.
func (w *world) update(r *row, to row) {
	if r.id == to.id && r.noID == to.noID && r.values() == to.values() {
		return
	}
	w.retract(r)
	to.serial, to.exempt, to.judged = r.serial, r.exempt || r.counted(), false
	*r = to
	if !slices.Contains(w.pending.arrived, r) {
		w.pending.arrived = append(w.pending.arrived, r)
	}
}

// retract notes that a counted row goes, as it is.
func (w *world) retract(r *row) {
	if r.counted() {
		old := *r
		w.pending.removed = append(w.pending.removed, &old)
		w.pending.freed[r.id] = true
	}
}

// commit ends the transaction: it plans, hands the delta to look, and applies.
func (w *world) commit(look func(*Commit, *Delta)) {
	w.t.Helper()
	w.number++
	c := w.build()
	d, err := w.state.Plan(c)
	if err != nil {
		w.t.Fatalf("commit %d: %v", c.Number, err)
	}
	look(c, d)
	w.state.Apply(w.inParts(c, d)...)
	w.store(c, d)
	for i, r := range w.arrived {
		r.judged, r.exempt, r.verdict = true, false, d.Verdicts[i]
	}
	w.dups = 0
	for _, r := range w.rows {
		if !r.dead && r.verdict.Outcome == Duplicate {
			w.dups++
		}
	}
	w.pending = change{freed: map[string]bool{}}
	if err := w.state.Check(); err != nil {
		w.t.Fatalf("commit %d: %v", c.Number, err)
	}
	w.checkHeld()
	w.checkSeqs()
	w.checkIDs()
}

// store keeps what a commit published, as the owner of the state does.
func (w *world) store(c *Commit, d *Delta) {
	for i := range d.Retired {
		delete(w.stored, d.Retired[i].Seq)
	}
	for i := range d.Published {
		p := &d.Published[i]
		w.keys[p.Seq] = p.Key
		w.stored[p.Seq] = Session{
			Key: p.Key, Start: p.Start, End: p.End, SessionID: p.SessionID, Seq: p.Seq,
			Revision: p.Revision, Count: p.Count, PublishedCommit: c.Number, Accs: p.Accs,
		}
	}
}

// recall restores what the commit may miss, as the owner of the state does.
func (w *world) recall(c *Commit) {
	w.t.Helper()
	if from, to, ok := w.state.Reopened(); ok && w.reopens {
		w.restoreWhere(func(s *Session) bool { return from <= s.End && s.End <= to })
		w.state.Reopen()
		if _, _, again := w.state.Reopened(); again {
			w.t.Fatalf("commit %d: sessions are live again after Reopen", c.Number)
		}
	}
	for _, r := range w.state.Missing(c) {
		w.restoreWhere(func(s *Session) bool { return s.Key == r.Key && s.End >= r.From && s.Start <= r.To })
	}
}

func (w *world) restoreWhere(f func(*Session) bool) {
	w.t.Helper()
	held := w.state.Len()
	for _, seq := range slices.Sorted(maps.Keys(w.stored)) {
		s := w.stored[seq]
		if !f(&s) {
			continue
		}
		if err := w.state.Restore(s.Key, s.SessionID, s.Start, s.End, s.Count, s.Seq, s.Revision, s.PublishedCommit, s.Accs); err != nil {
			w.t.Fatal(err)
		}
	}
	w.recalls += w.state.Len() - held
}

// checkHeld holds the state against what is stored: every session that is held
// is, and every one that is not has left.
func (w *world) checkHeld() {
	w.t.Helper()
	held := map[int64]bool{}
	for s := range w.state.All() {
		held[s.Seq] = true
		if kept, ok := w.stored[s.Seq]; !ok || !sameSession(&s, &kept) {
			w.t.Fatalf("held: %+v\nstored: %+v", s, kept)
		}
	}
	at, defined := w.state.Watermark()
	away, left := w.state.Away()
	_, _, reopened := w.state.Reopened()
	for _, s := range w.stored {
		final := w.state.StateOf(s.End, Watermark{Time: at, Defined: defined}) == Final
		switch {
		case held[s.Seq] && final && w.state.leavers >= leavers:
			w.t.Fatalf("%+v is final, and held", s)
		case !held[s.Seq] && (!left || s.End > away):
			w.t.Fatalf("%+v has left, and what has ended by %d (%t)", s, away, left)
		case !held[s.Seq] && !final && !reopened:
			w.t.Fatalf("%+v has left, and is not final", s)
		}
	}
}

func sameSession(a, b *Session) bool {
	return a.Key == b.Key && a.Start == b.Start && a.End == b.End && a.SessionID == b.SessionID && a.Revision == b.Revision &&
		a.Count == b.Count && a.PublishedCommit == b.PublishedCommit && slices.Equal(a.Accs, b.Accs)
}

// checkIDs holds the ids against the rows that count, whose sessions may have
// left.
func (w *world) checkIDs() {
	w.t.Helper()
	counted := 0
	for _, r := range w.rows {
		if !r.counted() || !w.spec().keepsIDs() {
			continue
		}
		counted++
		if values, ok := w.state.CountedID(r.member); !ok || values != r.event(w.spec()).Values {
			w.t.Fatalf("row %s counts, and its id does not (%t)", r.id, ok)
		}
	}
	if n := w.state.Stats().IDs; n != counted {
		w.t.Fatalf("%d ids are held of %d rows that count", n, counted)
	}
}

// build makes the Commit of the pending change.
func (w *world) build() *Commit {
	arrived := w.pending.arrived
	if w.spec().ByID {
		arrived = append(arrived, w.heirs()...)
	}
	w.identify(arrived)
	w.arrived = arrived
	c := &Commit{Number: w.number, Now: w.now, Marks: w.pending.marks, Replay: w.pending.replay}
	for _, r := range arrived {
		c.Arrived = append(c.Arrived, r.event(w.spec()))
	}
	for _, r := range w.pending.removed {
		c.Removed = append(c.Removed, r.event(w.spec()))
	}
	w.recall(c)
	for _, ref := range w.state.Touched(c) {
		c.Members = append(c.Members, w.members(ref)...)
	}
	c.Compare = func(i, j int) int { return compareRow(arrived[i], arrived[j]) }
	return c
}

func compareRow(a, b *row) int {
	return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.key, b.key), strings.Compare(a.values(), b.values()))
}

// heirs are the rows that a freed id leaves behind.
func (w *world) heirs() []*row {
	var heirs []*row
	for _, r := range w.rows {
		if !r.dead && !r.noID && w.pending.freed[r.id] && !r.counted() && !slices.Contains(w.pending.arrived, r) {
			heirs = append(heirs, r)
		}
	}
	return heirs
}

// identify gives arriving rows their members: hashes of ids, or of values and
// an ordinal among equals, exempt rows first.
func (w *world) identify(arrived []*row) {
	if w.spec().ByID {
		for _, r := range arrived {
			r.member = HashBytes([]byte(r.id))
		}
		return
	}
	w.renumber()
	next := map[string]int{}
	for _, r := range w.rows {
		if r.counted() && !slices.Contains(arrived, r) {
			next[r.values()]++
		}
	}
	for _, exempt := range []bool{true, false} {
		for _, r := range arrived {
			if r.exempt == exempt {
				r.member = ordinal(r, next[r.values()])
				next[r.values()]++
			}
		}
	}
}

// renumber lets the last of equal rows go in the place of whichever went:
// equals cannot be told apart.
func (w *world) renumber() {
	stay := map[string][]*row{}
	for _, r := range w.rows {
		if r.counted() {
			stay[r.values()] = append(stay[r.values()], r)
		}
	}
	for v, rows := range stay {
		for i, r := range rows {
			r.member = ordinal(r, i)
		}
		n := len(rows)
		for _, r := range w.pending.removed {
			if r.values() == v {
				r.member = ordinal(r, n)
				n++
			}
		}
	}
	gone := map[string]int{}
	for _, r := range w.pending.removed {
		if v := r.values(); len(stay[v]) == 0 {
			r.member = ordinal(r, gone[v])
			gone[v]++
		}
	}
}

func ordinal(r *row, n int) Hash { return HashBytes(fmt.Appendf(nil, "%s#%d", r.values(), n)) }

// members are the counted events of a session that stay.
func (w *world) members(ref SessionRef) []Event {
	var events []Event
	for _, r := range w.rows {
		if r.counted() && r.key == ref.Key && ref.Start <= r.time && r.time <= ref.End {
			events = append(events, r.event(w.spec()))
		}
	}
	return events
}

// complete is a state like the world's that no session has left.
func (w *world) complete() *State {
	w.t.Helper()
	all := newWorld(w.t, w.state.spec)
	all.stored = w.stored
	all.restoreWhere(func(*Session) bool { return true })
	all.state.ids, all.state.clocks, all.state.nextSeq = w.state.ids, w.state.clocks, w.state.nextSeq
	return all.state
}

// restart replaces the state by one that is loaded from what was stored, but
// for what is final.
func (w *world) restart() {
	old := w.state
	w.state = newWorld(w.t, old.spec).state
	w.state.leavers = old.leavers
	at, defined := old.Watermark()
	for _, s := range w.stored {
		if old.StateOf(s.End, Watermark{Time: at, Defined: defined}) == Final {
			if away, ok := w.state.Away(); !ok || s.End > away {
				w.state.LoadAway(s.End)
			}
			continue
		}
		if err := w.state.LoadSession(s.Key, s.SessionID, s.Start, s.End, s.Count, s.Seq, s.Revision, s.PublishedCommit, s.Accs); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, r := range w.rows {
		if r.counted() {
			w.state.LoadID(r.member, r.event(w.spec()).Values)
		}
	}
	for _, p := range old.Partitions() {
		w.state.LoadPartition(p)
	}
	w.state.LoadWatermark(at, defined)
	w.state.SetNextSeq(old.NextSeq())
}
