package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"
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

	changed  bool
	views    map[int64]*viewTx
	order    []*viewTx          // views in the order of their first change
	rebuilds map[int64]*rebuild // views that are recomputed as a whole
	created  map[int64]*View    // registered by Commit, in the place of those there
	dropped  map[int64]struct{} // unregistered by Commit
	passedBy map[int64]struct{} // suspended views whose source was written
	notices  []Notice
	after    []func() // run when the transaction is durable
}

// A Notice is a warning for the client whose statement caused it.
type Notice struct{ Message, Hint string }

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
		views: map[int64]*viewTx{}, rebuilds: map[int64]*rebuild{}, created: map[int64]*View{}, dropped: map[int64]struct{}{}, passedBy: map[int64]struct{}{},
	}, nil
}

// Number is the number that the transaction's commit will have.
func (t *WriteTx) Number() int64 { return t.number }

// Changed says that the transaction changed something durable, so that its
// end is a commit.
func (t *WriteTx) Changed() { t.changed = true }

// SourceViews returns the views to maintain when the table is written, as the
// transaction sees them. A suspended view is passed by, with a warning.
func (t *WriteTx) SourceViews(table TableName) []*View {
	var out []*View
	for _, v := range t.ViewsOf(table) {
		switch {
		case !v.Populated:
		case v.counters.sourceChanged:
			t.passBy(v)
		default:
			out = append(out, v)
		}
	}
	return out
}

// ViewsOf returns all views that read the table, as the transaction sees them.
func (t *WriteTx) ViewsOf(table TableName) []*View {
	var out []*View
	for _, v := range t.Views() {
		if v.Contract.Base.equal(table) {
			out = append(out, v)
		}
	}
	return out
}

// passBy warns, once in a transaction, that a view does not follow its source.
func (t *WriteTx) passBy(v *View) {
	if _, warned := t.passedBy[v.ID]; warned {
		return
	}
	t.passedBy[v.ID] = struct{}{}
	t.notices = append(t.notices, Notice{
		Message: v.Name.Name + " does not follow " + v.Contract.Base.Name + ": another program changed the table while the server was stopped",
		Hint:    "REFRESH MATERIALIZED VIEW " + QuoteIdent(v.Name.Name) + " puts it right.",
	})
}

// View returns the maintained view of that name, as the transaction sees it.
func (t *WriteTx) View(name TableName) (*View, bool) {
	for _, v := range t.Views() {
		if v.Name.equal(name) {
			return v, true
		}
	}
	return nil, false
}

// Views returns all maintained views, as the transaction sees them.
func (t *WriteTx) Views() []*View {
	var out []*View
	for _, v := range t.store.Views() {
		if _, gone := t.dropped[v.ID]; !gone && t.created[v.ID] == nil {
			out = append(out, v)
		}
	}
	for _, v := range t.created {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// Unpublished reports whether there is something to Publish.
func (t *WriteTx) Unpublished() bool {
	for _, b := range t.rebuilds {
		if b.dirty {
			return true
		}
	}
	return slices.ContainsFunc(t.order, func(vt *viewTx) bool { return vt.dirty })
}

// Publish publishes what the transaction did so far provisionally, so that
// its own statements can read it. It does nothing where nothing is new.
func (t *WriteTx) Publish(ctx context.Context) error {
	for _, v := range t.Views() {
		if b := t.rebuilds[v.ID]; b != nil && b.dirty {
			if err := t.rebuild(ctx, b); err != nil {
				return err
			}
		}
	}
	for _, vt := range t.order {
		if !vt.dirty {
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
	durable := false
	defer func() {
		if !durable { // after a panic too: nobody else would give the lock back
			t.Rollback(context.WithoutCancel(ctx))
		}
	}()
	res, err := t.commit(ctx)
	if err != nil {
		return CommitResult{}, err
	}
	durable = true
	t.apply()
	t.release()
	return res, nil
}

// release frees what the transaction gathered, and the lock.
func (t *WriteTx) release() {
	for _, vt := range t.order {
		vt.close()
	}
	t.store.Lock.Release()
}

func (t *WriteTx) commit(ctx context.Context) (CommitResult, error) {
	if err := t.Publish(ctx); err != nil {
		return CommitResult{}, err
	}
	var res CommitResult
	for _, vt := range t.order {
		if len(vt.pending) == 0 {
			continue
		}
		t.tellParts(&res, vt)
	}
	for _, v := range t.Views() {
		if b := t.rebuilds[v.ID]; b != nil {
			t.tell(&res, v, b.rejections, b.published, b.retired)
		}
	}
	if t.changed {
		res.Commit = t.number
		if _, err := t.conn.Exec(ctx, "INSERT INTO sessiondb.commit_log SELECT CAST(? AS BIGINT), make_timestamptz(CAST(? AS BIGINT))", t.number, t.now.UnixMicro()); err != nil {
			return CommitResult{}, err
		}
	}
	if _, err := t.conn.Exec(ctx, "COMMIT"); err != nil {
		return CommitResult{}, fmt.Errorf("commit: %w", err)
	}
	res.Notices = t.notices
	return res, nil
}

// tellParts adds what the commit did to one view, in however many parts.
func (t *WriteTx) tellParts(res *CommitResult, vt *viewTx) {
	rejections, published, retired := map[string]int{}, 0, 0
	for _, p := range vt.pending {
		t.changed = t.changed || p.moved
		published, retired = published+len(p.delta.Published), retired+len(p.delta.Retired)
		for reason, n := range p.rejections {
			rejections[reason] += n
		}
	}
	t.tell(res, vt.view, rejections, published, retired)
}

// tell adds what the commit did to one view.
func (t *WriteTx) tell(res *CommitResult, v *View, rejections map[string]int, published, retired int) {
	t.notices = append(t.notices, v.rejectionNotices(rejections)...)
	if published+retired > 0 {
		res.Views = append(res.Views, ViewCommit{v.Name, published, retired})
	}
}

// apply lets memory follow what is durable now.
func (t *WriteTx) apply() {
	s := t.store
	s.states.Lock()
	for _, vt := range t.order {
		if len(vt.pending) > 0 {
			vt.view.apply(vt.pending)
		}
	}
	for _, f := range t.after {
		f()
	}
	s.states.Unlock()
	t.register()
	s.plan()
}

// register makes the views known that the transaction created or changed.
func (t *WriteTx) register() {
	s := t.store
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range t.dropped {
		delete(s.views, id)
	}
	maps.Copy(s.views, t.created)
	if t.changed {
		s.lastCommit, s.lastTime = t.number, t.now
	}
}

// Rollback undoes the transaction and releases the lock.
func (t *WriteTx) Rollback(ctx context.Context) {
	// A transaction that an error ended already has nothing to roll back.
	_, _ = t.conn.Exec(ctx, "ROLLBACK")
	t.release()
}

// ViewsOfSchema returns the views that stand in a schema or read a table of it.
func (t *WriteTx) ViewsOfSchema(schema string) []*View {
	var out []*View
	for _, v := range t.Views() {
		if strings.EqualFold(v.Name.Schema, schema) || strings.EqualFold(v.Contract.Base.Schema, schema) {
			out = append(out, v)
		}
	}
	return out
}
