package catalog

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

var (
	seeds     = flag.Int("seeds", 0, "how many random histories (default 2,000 where the variable CI is set, otherwise 300)")
	firstSeed = flag.Int("seed", 1, "the number of the first random one")
	careful   = flag.Bool("careful", false, "compare everything after each step of a history, not only at its end")
)

// Random histories over the store. At the end of each, everything that the
// view keeps of it is compared with the model: each revision that any commit
// published or retired, each line of the rejected, the changelog summed up to
// each commit, the watermark after each. -careful does so after each step,
// which finds the step that a failure is of.
//
// Some seeds share a database and a contract, one after the other: plans are
// kept that way, which is most of the work. What the histories of a run have
// in them is counted, so that it cannot be lost unnoticed.
func TestHistories(t *testing.T) {
	all := &tally{histories: map[string]int{}}
	count := seedCount()
	last := *firstSeed + count
	t.Run("seeds", func(t *testing.T) {
		for seed := *firstSeed; seed < last; {
			first, end := seed, min(seed-seed%seedsPerRule+seedsPerRule, last)
			t.Run(fmt.Sprintf("%d-%d", first, end-1), func(t *testing.T) {
				t.Parallel()
				if deadline, ok := t.Deadline(); ok && time.Until(deadline) < reserve {
					t.Skip("out of time: go test -timeout 30m runs all seeds")
				}
				runHistories(t, first, end, all)
			})
			seed = end
		}
	})
	all.report(t, count)
}

// seedCount is how many histories there are: as many as take minutes only where
// nobody waits for them.
func seedCount() int {
	switch {
	case *seeds > 0:
		return *seeds
	case os.Getenv("CI") != "":
		return 2000
	default:
		return 300
	}
}

// reserve is the time that the histories leave to other tests, on a machine that
// is too slow for all seeds.
const reserve = 2 * time.Minute

// seedsPerRule is how many seeds share a contract.
const seedsPerRule = 20

func runHistories(t *testing.T, first, end int, all *tally) {
	t.Helper()
	h := newHistory(t, randomRule(rand.New(rand.NewPCG(uint64(first/seedsPerRule), 2))))
	for seed := first; seed < end; seed++ {
		h.begins(uint64(seed))
		steps := 3 + h.rand.IntN(4)
		if h.rule.eventRetention > 0 {
			steps += 7 // something happens after the rows are gone
		}
		for range steps {
			h.step()
			if *careful {
				h.check(1)
			}
			if t.Failed() {
				break
			}
		}
		h.check(3)
		if t.Failed() {
			t.Fatalf("seed %d, %+v\n%s", seed, h.rule, strings.Join(h.log, "\n"))
		}
		all.add(h.model.seen)
	}
}

// base is minute 0 of the histories.
func base() time.Time { return time.Date(2026, 10, 6, 9, 0, 0, 0, time.UTC) }

type history struct {
	*testing.T

	rule  modelRule  // as the first of the seeds has it
	rand  *rand.Rand // decides what happens
	looks *rand.Rand // decides what is looked at
	db    *DB
	conn  *Conn
	store *Store
	clock time.Time
	model *model
	log   []string

	nextRow, nextID int
	nextAmount      int64
	back            bool        // rows come that are older than others, since a reset
	rows            map[int]row // as committed
	gone            []row       // that event_retention let go of

	tx     *WriteTx
	now    map[int]row // as the transaction sees them
	marks  []modelMark
	before held // when it began
}

func randomRule(random *rand.Rand) modelRule {
	pick := func(of ...int64) int64 { return of[random.IntN(len(of))] }
	r := modelRule{
		byID: random.IntN(4) > 0, explicit: random.IntN(4) == 0, partitioned: random.IntN(2) == 0, twoKeys: random.IntN(3) == 0,
		gap: pick(3, 5), lateness: pick(none, 0, 0, 4, 4, 10), delay: pick(0, 0, 2), maxAhead: pick(none, none, 4),
		idle: pick(0, 0, 2), retention: pick(0, 0, 0, 1),
	}
	if r.lateness != none {
		r.eventRetention = pick(0, 0, 0, 1, 6)
	}
	r.unique = r.byID && random.IntN(5) == 0
	r.twoIDs = r.byID && random.IntN(3) == 0
	if r.partitioned && random.IntN(2) == 0 {
		r.declared = []string{"p0", "p1"}
	}
	// DuckDB's measures take most of the time where there are some.
	r.measures = []int{0}
	some := random.IntN(3) == 0
	for _, m := range random.Perm(len(testMeasures()))[:7] {
		if m != 0 && (some || testMeasures()[m].measure.Carried) {
			r.measures = append(r.measures, m)
		}
	}
	return r
}

// newHistory opens a database with a source and its view, which has no data.
func newHistory(t *testing.T, r modelRule) *history {
	t.Helper()
	h := &history{T: t, rule: r, db: testDB(t), clock: base(), rows: map[int]row{}, model: newModel(r, 0)}
	h.conn = connect(t, h.db)
	t.Cleanup(func() {
		if holder, _ := h.store.Lock.Holder(); holder == "test" { // the test ended in a transaction
			h.tx.Rollback(context.WithoutCancel(t.Context()))
		}
	})
	h.open()
	h.createTable()
	h.begin()
	h.createView(h.contract(), true)
	h.finish()
	mustExec(t, h.conn, "CREATE TEMP TABLE old AS SELECT n AS _n, "+joinExprs(h.view().Projection())+" FROM events LIMIT 0")
	return h
}

func (h *history) createTable() {
	h.Helper()
	mustExec(h, h.conn, "CREATE TABLE events (n BIGINT, event_id VARCHAR, sub BIGINT, account_id VARCHAR, tenant VARCHAR, event_at TIMESTAMPTZ, amount BIGINT, part VARCHAR)")
}

// begins empties the database and starts the history of a seed: with the first
// build from a table that may have rows, or with an empty view.
func (h *history) begins(seed uint64) {
	h.Helper()
	h.rand, h.looks = rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 3))
	h.clock, h.log, h.rows, h.gone = base(), nil, map[int]row{}, nil
	h.nextRow, h.nextID, h.nextAmount, h.back = 0, 0, 0, false
	h.empty()
	h.model = newModel(h.rule, h.minute())
	h.model.seen.noteRule(h.rule)
	h.spills()
	if h.rand.IntN(5) > 0 {
		return
	}
	mustExec(h, h.conn, "UPDATE sessiondb.view_definitions SET populated = false")
	h.view().Populated = false
	h.begin()
	if h.rand.IntN(4) > 0 {
		h.insertRows(h.newRows(), nil)
		h.model.seen.note("built from rows")
	}
	if err := h.tx.Refresh(h.Context(), h.view()); err != nil {
		h.Fatal(err)
	}
	h.commits(nil)
}

// empty leaves the view as a first build from no rows does.
func (h *history) empty() {
	h.Helper()
	h.clear()
	was, contract := h.view().Contract, h.contract()
	if was.Gap != contract.Gap || was.Lateness != contract.Lateness || was.EventRetention != contract.EventRetention {
		h.begin()
		if err := h.tx.AlterView(h.Context(), h.view(), contract); err != nil {
			h.Fatal(err)
		}
		h.finish()
		h.clear()
	}
	h.store.nextPurge.Store(never) // the clock goes back
	h.store.plan()
}

func (h *history) clear() {
	h.Helper()
	v := h.view()
	for _, table := range []string{"events", v.revisionsTable(), v.rejectedTable(), "sessiondb.partition_state", "sessiondb.releases", "sessiondb.length_log", "sessiondb.watermark_log", "sessiondb.commit_log"} {
		mustExec(h, h.conn, "DELETE FROM "+table)
	}
	mustExec(h, h.conn, v.declaredPartitionsSQL())
	mustExec(h, h.conn, "UPDATE sessiondb.view_state SET watermark = NULL, received = 0, counted = 0, duplicates = 0, rejected = 0, last_commit = 0, next_seq = 1, "+
		"source_hash = 0, oldest_commit = 0, events_from = NULL")
	if err := h.store.loadCommits(h.Context(), h.conn); err != nil {
		h.Fatal(err)
	}
	if err := v.load(h.Context(), h.conn, h.clock); err != nil {
		h.Fatal(err)
	}
}

// open loads the store, as a server that starts.
func (h *history) open() {
	h.Helper()
	store, err := OpenStore(h.Context(), h.db, StoreOptions{Clock: func() time.Time { return h.clock }})
	if err != nil {
		h.Fatal(err)
	}
	h.store = store
}

// spills lets the rows of any transaction be too many for memory, and for one
// batch of a purge, in some histories.
func (h *history) spills() {
	h.store.rowsInMemory, h.store.purgeBatch = defaultRowsInMemory, defaultPurgeBatch
	if h.rand.IntN(3) == 0 {
		h.store.rowsInMemory, h.store.purgeBatch = 2, 2
	}
}

// minute is the clock's time.
func (h *history) minute() int64 { return int64(h.clock.Sub(base()) / time.Minute) }

func minutes(n int64) int64 { return n * time.Minute.Microseconds() }

func plainColumn(name, of string) ContractColumn {
	return ContractColumn{Name: name, SQL: QuoteIdent(name), Type: of}
}

func (h *history) contract() *Contract {
	r := h.rule
	c := &Contract{
		Source: `"main"."events"`, Base: TableName{"main", "events"}, Plain: true,
		Keys: []ContractColumn{plainColumn("account_id", "VARCHAR")}, EventTime: plainColumn("event_at", "TIMESTAMP WITH TIME ZONE"),
		Values: []ContractColumn{plainColumn("amount", "BIGINT"), plainColumn("part", "VARCHAR")},
		Delay:  minutes(r.delay), MaxAhead: limit(r.maxAhead),
		IdleTimeout: minutes(r.idle), RevisionRetention: minutes(r.retention),
		Explicit: r.explicit, Partitions: r.declared, UniqueIDs: r.unique,
	}
	r.lengths(c)
	for _, i := range r.measures {
		m := testMeasures()[i].measure
		m.SQL = strings.ReplaceAll(m.SQL, order, r.orderSQL())
		c.Measures = append(c.Measures, m)
	}
	if r.byID {
		c.IDs = []ContractColumn{plainColumn("event_id", "VARCHAR")}
	}
	if r.twoIDs {
		c.IDs = append(c.IDs, plainColumn("sub", "BIGINT"))
	}
	if r.twoKeys {
		c.Keys = append(c.Keys, plainColumn("tenant", "VARCHAR"))
	}
	if r.partitioned {
		part := plainColumn("part", "VARCHAR")
		c.Partition = &part
	}
	return c
}

func limit(n int64) int64 {
	if n == none {
		return sessionop.Unlimited
	}
	return minutes(n)
}

func (h *history) createView(c *Contract, withData bool) {
	h.Helper()
	v := &View{Name: TableName{"main", "visits"}, Definition: "…", Outer: "SELECT * FROM " + SessionizePlaceholder + " AS s", Contract: c}
	if err := h.tx.CreateView(h.Context(), v, withData); err != nil {
		h.Fatal(err)
	}
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
	h.before = held{}
	if _, ok := h.store.View(TableName{"main", "visits"}); ok {
		h.before = h.held()
	}
	h.model.now = h.minute()
}

func (h *history) finish() int64 {
	h.Helper()
	res, err := h.tx.Commit(h.Context())
	if err != nil {
		h.Fatal(err, "\n", strings.Join(h.log, "\n"))
	}
	h.rows = h.now
	return res.Commit
}

// commits commits, and holds what that published against what the model says
// of it: expect, or else that of the rows and marks of the transaction.
func (h *history) commits(expect func(m *model, number int64) expected) {
	h.Helper()
	removed, arrived := h.net()
	marks, number := h.marks, h.tx.Number()
	if expect == nil {
		expect = func(m *model, number int64) expected { return m.commit(number, removed, arrived, marks, false) }
	}
	must := len(h.model.released()) > 0 && h.model.refuses(func(m *model) { expect(m, number) })
	res, err := h.tx.Commit(h.Context())
	if h.refused("commit", err, must) {
		return
	}
	h.rows = h.now
	done := res.Commit
	h.note("commit %d", done)
	h.noteRecalled()
	before := h.model.clocks.view
	e := expect(h.model, number)
	if after := h.model.clocks.view; done == 0 && (!e.nothing() || numbersDiffer(before, after)) {
		h.Errorf("no commit, where %d sessions are published and %d retired, and the watermark goes from %v to %v", len(e.published), len(e.retired), before, after)
	}
	if done > 0 {
		h.model.commits = append(h.model.commits, modelCommit{done, h.model.now, h.model.clocks.view, h.model.rule})
	}
	if h.looks.IntN(3) == 0 {
		h.index()
	}
	if *careful {
		h.compare(number, e)
	}
}

func numbersDiffer(a, b *int64) bool { return number(a) != number(b) }

func (h *history) view() *View {
	h.Helper()
	v, ok := h.store.View(TableName{"main", "visits"})
	if !ok {
		h.Fatal("the view is gone")
	}
	return v
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

// capture runs a statement on the source, whose changed rows take gets.
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
