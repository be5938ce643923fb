package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// A WriteTx is a transaction that writes: it holds the writer lock and a
// DuckDB transaction that began under it, gathers what the transaction did to
// the sources of maintained views, and publishes it at Commit as one commit.
// It must end in Commit or Rollback; both release the lock.
type WriteTx struct {
	store  *Store
	conn   *Conn
	number int64
	now    time.Time

	changed bool
	views   map[int64]*viewTx
	order   []*viewTx          // views in the order of their first change
	created map[int64]*View    // registered by Commit
	dropped map[int64]struct{} // unregistered by Commit
	notices []Notice
}

// A Notice is a warning for the client whose statement caused it.
type Notice struct{ Message, Hint string }

// viewTx is what a transaction did to the source of one view, and what it
// published provisionally.
type viewTx struct {
	view    *View
	proj    *projection
	arrived *eventRows
	removed *eventRows
	// gone marks arrived rows that this transaction took away again, and
	// removed rows that came back unchanged.
	goneArrived, goneRemoved map[int]bool
	// replaces holds, per arrived row, the removed row that an UPDATE turned
	// into it.
	replaces map[int]int
	arrivals map[rowKey][]int // arrived rows by identity and values; built when a row goes
	marks    []sessionop.Mark

	dirty   bool // changed since the last publication
	pending *publication
}

// rowKey recognises a row: equal rows have equal keys.
type rowKey struct {
	member sessionop.Hash
	values uint64
}

// BeginWrite takes the writer lock, waiting at most timeout (0: no bound),
// and begins a DuckDB transaction under it, so that its snapshot is of after
// the last commit. conn must have no transaction open. holder names the
// connection in the errors of those who wait.
func (s *Store) BeginWrite(ctx context.Context, conn *Conn, timeout time.Duration, holder string) (*WriteTx, error) {
	if err := s.Lock.Acquire(ctx, timeout, holder); err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		s.Lock.Release()
		return nil, err
	}
	now := s.clock()
	if now.Before(s.lastTime) {
		now = s.lastTime
	}
	return &WriteTx{
		store: s, conn: conn, number: s.lastCommit + 1, now: now,
		views: map[int64]*viewTx{}, created: map[int64]*View{}, dropped: map[int64]struct{}{},
	}, nil
}

// Number is the number that the transaction's commit will have.
func (t *WriteTx) Number() int64 { return t.number }

// Changed says that the transaction changed something durable, so that its
// end is a commit.
func (t *WriteTx) Changed() { t.changed = true }

// SourceViews returns the populated views that read the table, as the transaction
// sees them.
func (t *WriteTx) SourceViews(table TableName) []*View {
	var out []*View
	for _, v := range t.allViews() {
		if v.Populated && v.Contract.Base.equal(table) {
			out = append(out, v)
		}
	}
	return out
}

// View returns the maintained view of that name, as the transaction sees it.
func (t *WriteTx) View(name TableName) (*View, bool) {
	for _, v := range t.allViews() {
		if v.Name.equal(name) {
			return v, true
		}
	}
	return nil, false
}

func (t *WriteTx) allViews() []*View {
	var out []*View
	for _, v := range t.store.Views() {
		if _, gone := t.dropped[v.ID]; !gone && t.created[v.ID] == nil {
			out = append(out, v)
		}
	}
	for _, v := range t.created {
		out = append(out, v)
	}
	return out
}

func (t *WriteTx) viewTx(ctx context.Context, v *View) (*viewTx, error) {
	if vt := t.views[v.ID]; vt != nil {
		return vt, nil
	}
	proj := v.projection()
	types, err := t.conn.columnTypes(ctx, "SELECT "+joinExprs(typedExprs(proj))+" FROM "+v.Contract.Source)
	if err != nil {
		return nil, err
	}
	vt := &viewTx{
		view: v, proj: proj, arrived: newEventRows(types), removed: newEventRows(types),
		goneArrived: map[int]bool{}, goneRemoved: map[int]bool{}, replaces: map[int]int{},
	}
	t.views[v.ID] = vt
	t.order = append(t.order, vt)
	return vt, nil
}

// Arrive takes rows that the transaction inserted into the view's source:
// from column offset on, chunk holds the view's Projection of them.
func (t *WriteTx) Arrive(ctx context.Context, v *View, chunk *Chunk, offset int) error {
	vt, err := t.viewTx(ctx, v)
	if err != nil || chunk.Rows() == 0 {
		return err
	}
	first := len(vt.arrived.events)
	vt.arrived.appendChunk(vt.proj, chunk, offset, v.Contract.carried())
	vt.touch(t)
	if vt.arrivals != nil {
		vt.indexArrivals(first)
	}
	return nil
}

// Remove takes rows that the transaction deleted from the view's source, with
// their old values.
func (t *WriteTx) Remove(ctx context.Context, v *View, chunk *Chunk, offset int) error {
	vt, err := t.viewTx(ctx, v)
	if err != nil || chunk.Rows() == 0 {
		return err
	}
	first := len(vt.removed.events)
	vt.removed.appendChunk(vt.proj, chunk, offset, v.Contract.carried())
	vt.touch(t)
	for i := first; i < len(vt.removed.events); i++ {
		if a, ok := vt.takeArrival(vt.removed.key(i)); ok {
			vt.goneArrived[a], vt.goneRemoved[i] = true, true
		}
	}
	return nil
}

// Replace takes rows that an UPDATE changed: the view's Projection of their
// old values from column oldAt on, of their new ones from newAt on. inOld and
// inNew are the columns that say whether the row is one of the source's rows
// before and after (-1: always).
func (t *WriteTx) Replace(ctx context.Context, v *View, chunk *Chunk, oldAt, newAt int) error {
	vt, err := t.viewTx(ctx, v)
	if err != nil || chunk.Rows() == 0 {
		return err
	}
	old, fresh := len(vt.removed.events), len(vt.arrived.events)
	carried := v.Contract.carried()
	vt.removed.appendChunk(vt.proj, chunk, oldAt, carried)
	vt.arrived.appendChunk(vt.proj, chunk, newAt, carried)
	vt.touch(t)
	for i := range chunk.Rows() {
		vt.pair(old+i, fresh+i)
	}
	if vt.arrivals != nil {
		vt.indexArrivals(fresh)
	}
	return nil
}

// pair notes that row old of the removed became row fresh of the arrived.
func (vt *viewTx) pair(old, fresh int) {
	if vt.removed.key(old) == vt.arrived.key(fresh) {
		vt.goneRemoved[old], vt.goneArrived[fresh] = true, true
		return
	}
	a, ok := vt.takeArrival(vt.removed.key(old))
	if !ok {
		vt.replaces[fresh] = old
		return
	}
	vt.goneArrived[a], vt.goneRemoved[old] = true, true
	if origin, moved := vt.replaces[a]; moved {
		vt.replaces[fresh] = origin
	}
}

func (vt *viewTx) touch(t *WriteTx) { t.changed, vt.dirty = true, true }

func (r *eventRows) key(i int) rowKey { return rowKey{r.events[i].Member, r.events[i].Values} }

// takeArrival finds a row that arrived in this transaction and is equal.
func (vt *viewTx) takeArrival(k rowKey) (int, bool) {
	if vt.arrivals == nil {
		vt.arrivals = map[rowKey][]int{}
		vt.indexArrivals(0)
	}
	rows := vt.arrivals[k]
	for len(rows) > 0 {
		last := rows[len(rows)-1]
		rows = rows[:len(rows)-1]
		vt.arrivals[k] = rows
		if !vt.goneArrived[last] {
			return last, true
		}
	}
	return 0, false
}

func (vt *viewTx) indexArrivals(first int) {
	for i := first; i < len(vt.arrived.events); i++ {
		if !vt.goneArrived[i] {
			k := vt.arrived.key(i)
			vt.arrivals[k] = append(vt.arrivals[k], i)
		}
	}
}

// Mark adds a CALL that moves a watermark.
func (t *WriteTx) Mark(ctx context.Context, v *View, m sessionop.Mark) error {
	vt, err := t.viewTx(ctx, v)
	if err != nil {
		return err
	}
	vt.marks = append(vt.marks, m)
	vt.dirty = true
	return nil
}

// Publish publishes what the transaction did so far provisionally, so that
// its own statements can read it. It does nothing where nothing is new.
func (t *WriteTx) Publish(ctx context.Context) error {
	for _, vt := range t.order {
		if _, gone := t.dropped[vt.view.ID]; gone || !vt.dirty {
			continue
		}
		if err := t.publish(ctx, vt); err != nil {
			return err
		}
		vt.dirty = false
	}
	return nil
}

// A CommitResult says what a commit did.
type CommitResult struct {
	Commit  int64 // 0: the transaction changed nothing
	Notices []Notice
	Views   []ViewCommit // those that published
}

// ViewCommit counts what a commit published and retired of one view.
type ViewCommit struct {
	View               TableName
	Published, Retired int
}

// Commit publishes, commits durably, and only then lets the operator's state
// follow. After an error nothing has happened: the transaction is rolled back.
func (t *WriteTx) Commit(ctx context.Context) (CommitResult, error) {
	res, err := t.commit(ctx)
	if err != nil {
		t.Rollback(context.WithoutCancel(ctx))
		return CommitResult{}, err
	}
	t.apply()
	t.store.Lock.Release()
	return res, nil
}

func (t *WriteTx) commit(ctx context.Context) (CommitResult, error) {
	if err := t.Publish(ctx); err != nil {
		return CommitResult{}, err
	}
	var res CommitResult
	for _, vt := range t.order {
		if vt.pending == nil {
			continue
		}
		t.changed = t.changed || vt.pending.moved
		t.notices = append(t.notices, vt.pending.notices()...)
		if d := vt.pending.delta; len(d.Published)+len(d.Retired) > 0 {
			res.Views = append(res.Views, ViewCommit{vt.view.Name, len(d.Published), len(d.Retired)})
		}
	}
	if t.changed {
		res.Commit = t.number
		if _, err := t.conn.Exec(ctx, "INSERT INTO sessiondb.commit_log VALUES (?, ?)", t.number, TimestampTZ(t.now.UnixMicro())); err != nil {
			return CommitResult{}, err
		}
	}
	if _, err := t.conn.Exec(ctx, "COMMIT"); err != nil {
		return CommitResult{}, fmt.Errorf("commit: %w", err)
	}
	res.Notices = t.notices
	return res, nil
}

// apply lets memory follow what is durable now.
func (t *WriteTx) apply() {
	s := t.store
	for _, vt := range t.order {
		if vt.pending != nil {
			vt.pending.apply()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range t.dropped {
		delete(s.views, id)
	}
	for id, v := range t.created {
		s.views[id] = v
	}
	if t.changed {
		s.lastCommit, s.lastTime = t.number, t.now
	}
}

// Rollback undoes the transaction and releases the lock.
func (t *WriteTx) Rollback(ctx context.Context) {
	// A transaction that an error ended already has nothing to roll back.
	_, _ = t.conn.Exec(ctx, "ROLLBACK")
	t.store.Lock.Release()
}

// ViewsOfSchema returns the views that stand in a schema or read a table of it.
func (t *WriteTx) ViewsOfSchema(schema string) []*View {
	var out []*View
	for _, v := range t.allViews() {
		if strings.EqualFold(v.Name.Schema, schema) || strings.EqualFold(v.Contract.Base.Schema, schema) {
			out = append(out, v)
		}
	}
	return out
}
