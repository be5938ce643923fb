package catalog

import (
	"context"

	"github.com/sessiondb/sessiondb/sessionop"
)

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
	replayed *replay // taken up by this transaction instead of rows of its own
	spill    *spill  // holds the rows before those above; nil: there are none

	dirty bool // changed since the last publication
	// pending is what was published provisionally, in parts where there is a
	// spill.
	pending []*publication
}

// rowKey recognises a row: equal rows have equal keys.
type rowKey struct {
	member sessionop.Hash
	values uint64
}

// rename lets what was gathered belong to the view under its new name.
func (vt *viewTx) rename(v *View) {
	vt.view = v
	for _, p := range vt.pending {
		p.view = v
	}
}

// gathers says whether the rows of a view are to be gathered: not where it is
// recomputed as a whole before the transaction ends.
func (t *WriteTx) gathers(v *View, rows int) bool {
	if b := t.rebuilds[v.ID]; b != nil {
		b.dirty = b.dirty || rows > 0
		return false
	}
	return rows > 0
}

// openView is viewTx for rows and marks of the transaction's own: none follow a
// replay, which is a commit of its own for the view.
func (t *WriteTx) openView(ctx context.Context, v *View) (*viewTx, error) {
	vt, err := t.viewTx(ctx, v)
	if err == nil && vt.replayed != nil {
		return nil, v.errorf(stateNotReady, "COMMIT first.", "this transaction has replayed %s: its source cannot be written before the commit", v.Name.Name)
	}
	return vt, err
}

func (t *WriteTx) viewTx(ctx context.Context, v *View) (*viewTx, error) {
	if vt := t.views[v.ID]; vt != nil {
		return vt, nil
	}
	proj := v.projection()
	if proj.types == nil {
		types, err := t.conn.columnTypes(ctx, "SELECT "+joinExprs(typedExprs(proj))+" FROM "+v.Contract.Source)
		if err != nil {
			return nil, err
		}
		proj.types = types
	}
	vt := &viewTx{view: v, proj: proj}
	vt.reset()
	t.views[v.ID] = vt
	t.order = append(t.order, vt)
	return vt, nil
}

// reset forgets the rows in memory.
func (vt *viewTx) reset() {
	types := vt.proj.types
	vt.arrived, vt.removed, vt.arrivals = newEventRows(types), newEventRows(types), nil
	vt.goneArrived, vt.goneRemoved, vt.replaces = map[int]bool{}, map[int]bool{}, map[int]int{}
}

// close frees what is spilled.
func (vt *viewTx) close() {
	if vt.spill != nil {
		vt.spill.close()
		vt.spill = nil
	}
}

// part is a viewTx without rows, for some of those of vt.
func (vt *viewTx) part() *viewTx {
	part := &viewTx{view: vt.view, proj: vt.proj}
	part.reset()
	return part
}

// Arrive takes rows that the transaction inserted into the view's source:
// from column offset on, chunk holds the view's Projection of them.
func (t *WriteTx) Arrive(ctx context.Context, v *View, chunk *Chunk, offset int) error {
	if !t.gathers(v, chunk.Rows()) {
		return nil
	}
	vt, err := t.openView(ctx, v)
	if err != nil {
		return err
	}
	first := len(vt.arrived.events)
	vt.arrived.appendChunk(vt.proj, chunk, offset, v.Contract.carried())
	vt.touch(t)
	if vt.arrivals != nil {
		vt.indexArrivals(first)
	}
	return t.bound(ctx, vt)
}

// Remove takes rows that the transaction deleted from the view's source, with
// their old values.
func (t *WriteTx) Remove(ctx context.Context, v *View, chunk *Chunk, offset int) error {
	if !t.gathers(v, chunk.Rows()) {
		return nil
	}
	vt, err := t.openView(ctx, v)
	if err != nil {
		return err
	}
	first := len(vt.removed.events)
	vt.removed.appendChunk(vt.proj, chunk, offset, v.Contract.carried())
	vt.touch(t)
	for i := first; i < len(vt.removed.events); i++ {
		vt.cancel(i)
	}
	return t.bound(ctx, vt)
}

// cancel lets removed row i cancel with an equal one that arrived in this
// transaction.
func (vt *viewTx) cancel(i int) {
	if a, ok := vt.takeArrival(vt.removed.key(i)); ok {
		vt.goneArrived[a], vt.goneRemoved[i] = true, true
	}
}

// Replace takes rows that an UPDATE changed: the view's Projection of their
// old values from column oldAt on, of their new ones from newAt on. inOld and
// inNew are the columns that say whether the row is one of the source's rows
// before and after (-1: always).
func (t *WriteTx) Replace(ctx context.Context, v *View, chunk *Chunk, oldAt, newAt int) error {
	if !t.gathers(v, chunk.Rows()) {
		return nil
	}
	vt, err := t.openView(ctx, v)
	if err != nil {
		return err
	}
	old, fresh := len(vt.removed.events), len(vt.arrived.events)
	carried := v.Contract.carried()
	vt.removed.appendChunk(vt.proj, chunk, oldAt, carried)
	vt.arrived.appendChunk(vt.proj, chunk, newAt, carried)
	vt.touch(t)
	vt.pairAll(old, fresh, chunk.Rows())
	return t.bound(ctx, vt)
}

// pairAll notes that n of the removed rows, from old on, became those of the
// arrived from fresh on. Rows that only change places with others of the
// transaction cancel out.
func (vt *viewTx) pairAll(old, fresh, n int) {
	var changed []int
	for i := range n {
		if vt.removed.key(old+i) == vt.arrived.key(fresh+i) {
			vt.goneRemoved[old+i], vt.goneArrived[fresh+i] = true, true
			continue
		}
		vt.replaces[fresh+i] = old + i
		changed = append(changed, i)
	}
	if vt.arrivals != nil {
		vt.indexArrivals(fresh)
	}
	for _, i := range changed {
		vt.pair(old+i, fresh+i)
	}
}

// pair lets row old cancel with an equal one that arrived in this transaction;
// row fresh then replaces what that one replaced, if anything.
func (vt *viewTx) pair(old, fresh int) {
	a, ok := vt.takeArrival(vt.removed.key(old))
	if !ok {
		return
	}
	vt.goneArrived[a], vt.goneRemoved[old] = true, true
	if origin, moved := vt.replaces[a]; moved {
		vt.replaces[fresh] = origin
	} else {
		delete(vt.replaces, fresh)
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
