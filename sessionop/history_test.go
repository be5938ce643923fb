package sessionop

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRandomHistories drives the operator with random transactions over small
// ranges, where collisions are common, and compares every delta with the
// oracle's. On the way it checks that Plan changes nothing, that neither the
// order of rows within a commit nor the sessions that have left matter, and that
// a restored state goes on as the original would. Runs: 2,000; go test
// ./sessionop -rapid.checks=100000 makes more.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	left, recalled, lookups := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		spec := drawSpec(rt)
		h := &history{rt: rt, w: newWorld(t, spec), o: newOracle(spec)}
		h.w.t = tbOf{TB: t, rt: rt}
		h.w.reopens = rapid.Bool().Draw(rt, "reopens")
		h.w.state.leavers = rapid.SampledFrom([]int{0, 1, leavers}).Draw(rt, "leavers")
		for range rapid.IntRange(1, 12).Draw(rt, "commits") {
			h.step()
		}
		left += len(h.w.stored) - h.w.state.Len()
		recalled += h.w.recalls
		if _, away := h.w.state.Away(); away {
			lookups += h.w.lookups
		}
	})
	if t.Logf("%d sessions had left at the end, %d were read back, %d keys looked up", left, recalled, lookups); left == 0 || recalled == 0 || lookups == 0 {
		t.Error("no final session left, or none was read back or found")
	}
}

// tbOf lets a world fail the rapid run that it belongs to.
type tbOf struct {
	testing.TB
	rt *rapid.T
}

func (t tbOf) Helper()                      { t.rt.Helper() }
func (t tbOf) Fatal(args ...any)            { t.rt.Fatal(args...) }
func (t tbOf) Fatalf(f string, args ...any) { t.rt.Fatalf(f, args...) }

func drawSpec(rt *rapid.T) Spec {
	spec := Spec{
		Gap:      rapid.Int64Range(0, 8).Draw(rt, "gap"),
		Lateness: rapid.SampledFrom([]int64{0, 0, 3, 10, 25, Unlimited}).Draw(rt, "lateness"),
		Delay:    rapid.SampledFrom([]int64{0, 0, 4}).Draw(rt, "delay"),
		MaxAhead: rapid.SampledFrom([]int64{Unlimited, Unlimited, 40}).Draw(rt, "max ahead"),
		Explicit: rapid.Bool().Draw(rt, "explicit"),
		ByID:     rapid.IntRange(0, 3).Draw(rt, "by id") > 0,
	}
	if rapid.Bool().Draw(rt, "idles") {
		spec.IdleTimeout = 10
	}
	if rapid.Bool().Draw(rt, "declared") {
		spec.Partitions = []string{"p", "q"}
	}
	spec.Measures = rapid.Permutation([]Measure{Count, CountRows, Sum, Avg, Min, Max, FloatMin, FloatMax, And, Or}).Draw(rt, "measures")[:3]
	return spec
}

type history struct {
	rt *rapid.T
	w  *world
	o  *oracle
}

func (h *history) step() {
	h.w.now += rapid.Int64Range(0, 6).Draw(h.rt, "passes")
	if rapid.IntRange(0, 9).Draw(h.rt, "replay") == 0 {
		h.replay()
	} else {
		for range rapid.IntRange(0, 5).Draw(h.rt, "changes") {
			h.change()
		}
		h.marks()
	}
	if rapid.IntRange(0, 5).Draw(h.rt, "rolled back") == 0 { // what it restored stays until the next commit
		h.w.restoreWhere(func(*Session) bool { return rapid.Bool().Draw(h.rt, "restored") })
	}
	if rapid.IntRange(0, 2).Draw(h.rt, "index") == 0 {
		h.w.index(rapid.IntRange(0, 3).Draw(h.rt, "given") > 0)
	}
	h.w.commit(h.compare)
	if rapid.IntRange(0, 5).Draw(h.rt, "restart") == 0 {
		h.w.restart()
		h.w.state.StartClock(h.w.now)
		h.o.clock = new(h.w.now)
		for _, p := range h.o.partitions {
			p.heard = h.w.now
		}
	}
}

func (h *history) change() {
	living := slices.DeleteFunc(slices.Clone(h.w.rows), func(r *row) bool { return r.dead })
	kind := rapid.SampledFrom([]string{"insert", "insert", "insert", "insert", "delete", "update", "again"}).Draw(h.rt, "change")
	if kind == "insert" || len(living) == 0 {
		h.w.insert(h.row())
		return
	}
	r := rapid.SampledFrom(living).Draw(h.rt, "which")
	switch kind {
	case "delete":
		h.w.remove(r)
	case "update":
		to := h.row()
		if rapid.Bool().Draw(h.rt, "same id") {
			to.id, to.noID = r.id, r.noID
		}
		h.w.update(r, to)
	case "again": // deleted and inserted
		h.w.remove(r)
		h.w.insert(row{id: r.id, noID: r.noID, key: r.key, noKey: r.noKey, time: r.time, noTime: r.noTime, amount: r.amount, partition: r.partition})
	}
}

func (h *history) row() row {
	number := h.w.number
	r := row{
		id:        fmt.Sprint("i", rapid.IntRange(0, 9).Draw(h.rt, "id")),
		key:       rapid.SampledFrom([]string{"key-a", "key-a", "key-b", "key-bb"}).Draw(h.rt, "key"),
		time:      rapid.Int64Range(number, 40+2*number).Draw(h.rt, "time"),
		amount:    rapid.Int64Range(-1, 2).Draw(h.rt, "amount"),
		partition: rapid.SampledFrom([]string{"p", "q"}).Draw(h.rt, "partition"),
	}
	switch rapid.IntRange(0, 30).Draw(h.rt, "flaw") {
	case 28:
		r.noID, r.id = h.w.spec().ByID, "none"
	case 29:
		r.noKey = true
	case 30:
		r.noTime = true
	}
	return r
}

func (h *history) marks() {
	for range rapid.SampledFrom([]int{0, 0, 1, 1, 2}).Draw(h.rt, "marks") {
		h.w.mark(Mark{
			Kind:      rapid.SampledFrom([]MarkKind{Advance, Advance, Advance, Reset, Idle, Tick, Tick}).Draw(h.rt, "mark"),
			Partition: rapid.SampledFrom([]string{"p", "q"}).Draw(h.rt, "of"),
			Time:      rapid.Int64Range(0, 60).Draw(h.rt, "to"),
		})
	}
}

// replay takes up some of the rejected rows.
func (h *history) replay() {
	h.w.pending.replay = true
	for _, r := range h.w.rows {
		if !r.dead && r.verdict.Outcome == Rejected && rapid.Bool().Draw(h.rt, "take up") {
			h.w.pending.arrived = append(h.w.pending.arrived, r)
		}
	}
}

func (h *history) compare(c *Commit, d *Delta) {
	h.rt.Helper()
	h.rt.Logf("%+v", *c)
	h.permuted(c, d)
	h.equalToComplete(c, d)
	want := h.o.commit(c)
	h.equal("verdicts", d.Verdicts, want.verdicts)
	h.equal("retired", d.Retired, want.retired)
	h.equal("published", d.Published, want.published)
	h.equal("watermark", d.After, want.after)
	before := map[string]PartitionState{}
	for _, p := range h.w.state.Partitions() {
		before[p.Name] = p
	}
	for _, p := range d.Watermarks {
		if before[p.Name] == p {
			h.rt.Fatalf("partition %q is listed and did not change", p.Name)
		}
		before[p.Name] = p
	}
	h.equal("partitions", slices.SortedFunc(maps.Values(before), func(a, b PartitionState) int {
		return slices.Compare([]byte(a.Name), []byte(b.Name))
	}), h.o.states())
}

// permuted plans the commit again with its rows in another order.
func (h *history) permuted(c *Commit, d *Delta) {
	order := make([]int, len(c.Arrived))
	for i := range order {
		order[i] = i
	}
	order = rapid.Permutation(order).Draw(h.rt, "order")
	other := *c
	other.Arrived = nil
	for _, i := range order {
		other.Arrived = append(other.Arrived, c.Arrived[i])
	}
	other.Compare = func(i, j int) int { return c.Compare(order[i], order[j]) }
	other.Removed = slices.Clone(c.Removed)
	slices.Reverse(other.Removed)
	again, err := h.w.state.Plan(&other)
	if err != nil {
		h.rt.Fatal(err)
	}
	h.equal("retired, permuted", again.Retired, d.Retired)
	h.equal("published, permuted", again.Published, d.Published)
	h.equal("watermark, permuted", again.After, d.After)
	for i, j := range order {
		if again.Verdicts[i].Outcome != d.Verdicts[j].Outcome && d.Verdicts[j].Outcome == Rejected {
			h.rt.Fatalf("verdicts, permuted: %v and %v", again.Verdicts[i], d.Verdicts[j])
		}
	}
}

// equalToComplete plans the commit as if no session had ever left.
func (h *history) equalToComplete(c *Commit, d *Delta) {
	h.rt.Helper()
	whole, err := h.w.complete().Plan(c)
	if err != nil {
		h.rt.Fatal(err)
	}
	h.w.sameDelta(whole, d)
}

func (h *history) equal(what string, got, want any) {
	h.rt.Helper()
	if g, w := reflect.ValueOf(got), reflect.ValueOf(want); g.Kind() == reflect.Slice && g.Len() == 0 && w.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		h.rt.Fatalf("commit %d: %s:\n got %+v\nwant %+v", h.w.number, what, got, want)
	}
}
