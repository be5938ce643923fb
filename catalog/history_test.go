package catalog

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

var (
	seeds     = flag.Int("seeds", 20, "how many random histories")
	firstSeed = flag.Int("seed", 1, "the number of the first random one")
)

// Random histories over the store: every commit is compared with the model,
// relation by relation, and the store is loaded anew in between.
func TestHistories(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := newHistory(t, uint64(seed))
			for range 14 {
				h.step()
				if t.Failed() {
					t.Fatalf("seed %d, %+v\n%s", seed, h.model.rule, strings.Join(h.log, "\n"))
				}
			}
		})
	}
}

// base is minute 0 of the histories.
func base() time.Time { return time.Date(2026, 10, 6, 9, 0, 0, 0, time.UTC) }

type history struct {
	*testing.T
	rand  *rand.Rand
	db    *DB
	conn  *Conn
	store *Store
	clock time.Time
	model *model
	log   []string

	nextRow, nextID int
	nextAmount      int64
	rows            map[int]row // as committed
	snapshots       map[int64][]string

	tx    *WriteTx
	now   map[int]row // as the transaction sees them
	marks []modelMark
}

func newHistory(t *testing.T, seed uint64) *history {
	t.Helper()
	h := &history{
		T: t, rand: rand.New(rand.NewPCG(seed, 1)), db: testDB(t), clock: base(),
		rows: map[int]row{}, snapshots: map[int64][]string{},
	}
	h.conn = connect(t, h.db)
	pick := func(of ...int64) int64 { return of[h.rand.IntN(len(of))] }
	r := modelRule{
		byID: h.rand.IntN(3) > 0, explicit: h.rand.IntN(3) == 0, partitioned: h.rand.IntN(2) == 0,
		gap: pick(3, 5), lateness: pick(-1, 0, 4, 4, 10), delay: pick(0, 0, 2),
	}
	r.unique = r.byID && h.rand.IntN(4) == 0
	if r.partitioned && h.rand.IntN(2) == 0 {
		r.declared = []string{"p0", "p1"}
	}
	h.model = newModel(r)
	h.open()
	mustExec(t, h.conn, "CREATE TABLE events (n BIGINT, event_id VARCHAR, account_id VARCHAR, event_at TIMESTAMPTZ, amount BIGINT, part VARCHAR)")
	h.create()
	return h
}

// open loads the store, as a server that starts.
func (h *history) open() {
	h.Helper()
	store, err := OpenStore(h.Context(), h.db, StoreOptions{Clock: func() time.Time { return h.clock }})
	if err != nil {
		h.Fatal(err)
	}
	h.store = store
	if h.rand != nil && h.rand.IntN(2) == 0 {
		store.rowsInMemory = 2
	}
}

func (h *history) contract() *Contract {
	column := func(name, of string) ContractColumn {
		return ContractColumn{Name: name, SQL: QuoteIdent(name), Type: of}
	}
	minutes := func(n int64) int64 { return n * time.Minute.Microseconds() }
	r := h.model.rule
	c := &Contract{
		Source: `"main"."events"`, Base: TableName{"main", "events"}, Plain: true,
		Keys: []ContractColumn{column("account_id", "VARCHAR")}, EventTime: column("event_at", "TIMESTAMP WITH TIME ZONE"),
		Values: []ContractColumn{column("amount", "BIGINT"), column("part", "VARCHAR")},
		Measures: []ContractMeasure{
			{Name: "amount", SQL: "sum(amount)", Type: "HUGEINT", Carried: true, Measure: sessionop.Sum, Input: "amount"},
			{Name: "path", SQL: "string_agg(CAST(amount AS VARCHAR), ',' ORDER BY event_at, amount)", Type: "VARCHAR"},
		},
		Gap: minutes(r.gap), Lateness: sessionop.Unlimited, Delay: minutes(r.delay), MaxAhead: sessionop.Unlimited,
		Explicit: r.explicit, Partitions: r.declared, UniqueIDs: r.unique,
	}
	if r.lateness >= 0 {
		c.Lateness = minutes(r.lateness)
	}
	if r.byID {
		c.IDs = []ContractColumn{column("event_id", "VARCHAR")}
	}
	if r.partitioned {
		part := column("part", "VARCHAR")
		c.Partition = &part
	}
	return c
}

func (h *history) create() {
	h.Helper()
	h.begin()
	v := &View{Name: TableName{"main", "visits"}, Definition: "…", Outer: "SELECT * FROM " + SessionizePlaceholder + " AS s", Contract: h.contract()}
	if err := h.tx.CreateView(h.Context(), v, true); err != nil {
		h.Fatal(err)
	}
	h.finish()
}

func (h *history) begin() {
	h.Helper()
	var err error
	if h.tx, err = h.store.BeginWrite(h.Context(), h.conn, 0, "test"); err != nil {
		h.Fatal(err)
	}
	h.now = map[int]row{}
	maps.Copy(h.now, h.rows)
	h.marks = nil
}

func (h *history) finish() int64 {
	h.Helper()
	res, err := h.tx.Commit(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	h.rows = h.now
	return res.Commit
}

func (h *history) view() *View {
	v, ok := h.store.View(TableName{"main", "visits"})
	if !ok {
		h.Fatal("the view is gone")
	}
	return v
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

// step is one transaction, or something between two.
func (h *history) step() {
	h.Helper()
	h.clock = h.clock.Add(time.Minute)
	switch h.rand.IntN(12) {
	case 0:
		h.note("restart")
		h.open()
	case 1:
		h.replay()
	case 2:
		h.refresh()
	default:
		h.transact()
	}
	h.check()
}

func (h *history) transact() {
	h.Helper()
	h.begin()
	for range 1 + h.rand.IntN(3) {
		h.statement()
		if h.rand.IntN(4) == 0 {
			h.note("  publish")
			if err := h.tx.Publish(h.Context()); err != nil {
				h.Fatal(err, "\n", strings.Join(h.log, "\n"))
			}
		}
	}
	if h.rand.IntN(6) == 0 {
		h.note("rollback")
		h.tx.Rollback(h.Context())
		return
	}
	removed, arrived := h.net()
	marks, number := h.marks, h.tx.Number()
	h.note("commit %d", number)
	h.finish()
	h.compare(number, h.model.commit(number, removed, arrived, marks, false))
}

// net is what the transaction changed, after what cancels out.
func (h *history) net() (removed, arrived []row) {
	for n, old := range h.rows {
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
	for n, fresh := range h.now {
		if _, there := h.rows[n]; !there {
			arrived = append(arrived, fresh)
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

func (h *history) statement() {
	h.Helper()
	switch n := h.rand.IntN(10); {
	case n < 6 || len(h.now) == 0:
		h.insert()
	case n < 7:
		h.delete()
	case n < 9:
		h.update()
	default:
		h.mark()
	}
}

func (h *history) randomRow() row {
	h.nextRow++
	h.nextID++
	h.nextAmount++
	frontier := int64(h.clock.Sub(base()) / time.Minute)
	id, key, at := fmt.Sprint("e", h.nextID), []string{"a", "b"}[h.rand.IntN(2)], frontier*2-int64(h.rand.IntN(30))+4
	r := row{n: h.nextRow, id: &id, key: &key, at: &at, amount: h.nextAmount, part: []string{"p0", "p1"}[h.rand.IntN(2)]}
	switch h.rand.IntN(20) {
	case 0:
		r.key = nil
	case 1:
		r.at = nil
	case 2:
		if !h.model.rule.unique {
			r.id = nil
		}
	case 3, 4, 5, 6:
		if others := h.order(); len(others) > 0 && !h.model.rule.unique {
			other := h.now[others[h.rand.IntN(len(others))]]
			n := r.n
			if h.rand.IntN(2) == 0 {
				r = other // a duplicate
				r.n = n
			} else {
				r.id = other.id // a conflict
			}
		}
	}
	return r
}

func (h *history) order() []int {
	list := make([]int, 0, len(h.now))
	for n := range h.now {
		list = append(list, n)
	}
	sort.Ints(list)
	return list
}

func (h *history) values(r row) string {
	at := "NULL"
	if r.at != nil {
		at = fmt.Sprintf("make_timestamptz(%d)", base().Add(time.Duration(*r.at)*time.Minute).UnixMicro())
	}
	quote := func(s *string) string {
		if s == nil {
			return "NULL"
		}
		return QuoteLiteral(*s)
	}
	return fmt.Sprintf("(%d, %s, %s, %s, %d, '%s')", r.n, quote(r.id), quote(r.key), at, r.amount, r.part)
}

func (h *history) insert() {
	h.Helper()
	var list []string
	for range 1 + h.rand.IntN(4) {
		r := h.randomRow()
		h.now[r.n] = r
		list = append(list, h.values(r))
		h.note("  insert %d %s", r.n, r.values())
	}
	h.capture("INSERT INTO events VALUES "+strings.Join(list, ", "), h.tx.Arrive)
}

func (h *history) capture(sql string, take func(context.Context, *View, *Chunk, int) error) {
	h.Helper()
	h.each(sql+" RETURNING "+joinExprs(h.view().Projection()), take)
}

func (h *history) each(sql string, take func(context.Context, *View, *Chunk, int) error) {
	h.Helper()
	if err := h.tx.Track(h.Context(), h.view()); err != nil {
		h.Fatal(err)
	}
	rows, err := h.conn.Query(h.Context(), sql)
	if err != nil {
		h.Fatal(sql, err)
	}
	defer rows.Close()
	if err := rows.Each(h.Context(), func(c *Chunk) error { return take(h.Context(), h.view(), c, 0) }); err != nil {
		h.Fatal(err)
	}
}

// some picks rows that are there.
func (h *history) some() []int {
	list := h.order()
	h.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(len(list), 1+h.rand.IntN(3))]
}

func inList(of []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(of)), ", "), "[]")
}

func (h *history) delete() {
	h.Helper()
	gone := h.some()
	h.note("  delete %v", gone)
	for _, n := range gone {
		delete(h.now, n)
	}
	h.capture("DELETE FROM events WHERE n IN ("+inList(gone)+")", h.tx.Remove)
}

func (h *history) update() {
	h.Helper()
	list := slices.DeleteFunc(h.some(), h.hasEqual)
	if len(list) == 0 {
		return
	}
	projection, in := joinExprs(h.view().Projection()), inList(list)
	mustExec(h, h.conn, "CREATE OR REPLACE TEMP TABLE old AS SELECT n AS _n, "+projection+" FROM events WHERE n IN ("+in+")")
	for _, n := range list {
		h.updateOne(n)
	}
	h.each("SELECT o.* EXCLUDE (_n), f.* EXCLUDE (_n) FROM (SELECT * FROM old ORDER BY _n) AS o POSITIONAL JOIN (SELECT n AS _n, "+projection+
		" FROM events WHERE n IN ("+in+") ORDER BY n) AS f", func(ctx context.Context, v *View, c *Chunk, at int) error {
		return h.tx.Replace(ctx, v, c, at, at+len(v.Projection()))
	})
}

// hasEqual says whether a row has an equal, before or in the transaction: of
// those that an UPDATE changes nobody can say which one counted.
func (h *history) hasEqual(n int) bool {
	for _, rows := range []map[int]row{h.rows, h.now} {
		for m, r := range rows {
			if m != n && (r.values() == h.now[n].values() || r.values() == h.rows[n].values()) {
				return true
			}
		}
	}
	return false
}

func (h *history) updateOne(n int) {
	r := h.now[n]
	h.nextAmount++
	switch h.rand.IntN(4) {
	case 0:
		if r.at != nil {
			at := *r.at + int64(h.rand.IntN(15)) - 7
			r.at = &at
		}
		r.amount = h.nextAmount
	case 1:
		key := []string{"a", "b"}[h.rand.IntN(2)]
		r.key, r.amount = &key, h.nextAmount
	case 2:
		r.amount = h.nextAmount
	default: // to the same values
	}
	h.now[n] = r
	h.note("  update %d to %s", n, r.values())
	mustExec(h, h.conn, fmt.Sprintf("UPDATE events AS e SET account_id = f.c, event_at = f.d, amount = f.e FROM (VALUES %s) AS f(a, b, c, d, e, g) WHERE e.n = %d", h.values(r), n))
}

func (h *history) mark() {
	h.Helper()
	m := modelMark{kind: []string{"advance", "advance", "reset", "idle"}[h.rand.IntN(4)]}
	if h.model.rule.partitioned {
		m.part = []string{"p0", "p1"}[h.rand.IntN(2)]
	}
	m.at = int64(h.clock.Sub(base())/time.Minute)*2 - int64(h.rand.IntN(20))
	kinds := map[string]sessionop.MarkKind{"advance": sessionop.Advance, "reset": sessionop.Reset, "idle": sessionop.Idle}
	mark := sessionop.Mark{Kind: kinds[m.kind], Partition: m.part, Time: base().Add(time.Duration(m.at) * time.Minute).UnixMicro()}
	if err := h.tx.Mark(h.Context(), h.view(), mark); err != nil {
		if m.kind == "idle" && strings.Contains(err.Error(), "has no partition") {
			return
		}
		h.Fatal(err)
	}
	h.note("  mark %s %s %d", m.kind, m.part, m.at)
	h.marks = append(h.marks, m)
}

func (h *history) replay() {
	h.Helper()
	h.begin()
	number := h.tx.Number()
	reports, err := h.tx.Replay(h.Context(), h.view(), ReplayFilter{})
	if err != nil {
		h.Fatal(err)
	}
	h.note("replay %d: %+v", number, reports)
	h.finish()
	var again []row
	for _, g := range h.model.groups {
		kept := g.rejected[:0]
		for _, reason := range g.rejected {
			if asksForReplay(reason) {
				r := g.row
				r.rejudged = reason
				again = append(again, r)
			} else {
				kept = append(kept, reason)
			}
		}
		g.rejected = kept
	}
	h.compare(number, h.model.commit(number, nil, again, nil, true))
}

// refresh changes nothing where nothing is wrong.
func (h *history) refresh() {
	h.Helper()
	h.note("refresh")
	h.begin()
	number := h.tx.Number()
	if err := h.tx.Refresh(h.Context(), h.view()); err != nil {
		h.Fatal(err)
	}
	h.finish()
	h.compare(number, expected{})
}
