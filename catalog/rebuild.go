package catalog

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// A rebuild is a view that a transaction recomputes as a whole from its
// source: one that it creates, refreshes or gives other lengths of time. What
// else the transaction writes to the source becomes part of the same batch, so
// that its commit publishes each session once.
type rebuild struct {
	view  *View
	first bool // there were no sessions before; else the differences are published
	dirty bool // the source changed since
	// elsewhere says that another program changed the source, so that its
	// events have not moved the watermarks yet.
	elsewhere bool
	marks     []sessionop.Mark

	published, retired int
	rejections         map[string]int
}

// startRebuild recomputes the view now, and again before the transaction
// reads or commits if its source changes. What the transaction published of it
// row by row is taken back.
func (t *WriteTx) startRebuild(ctx context.Context, v *View, first bool) error {
	if vt := t.views[v.ID]; vt != nil {
		if err := t.unpublish(ctx, vt); err != nil {
			return err
		}
		t.forget(vt)
	}
	b := &rebuild{view: v, first: first, elsewhere: v.counters.sourceChanged}
	if old := t.rebuilds[v.ID]; old != nil {
		b.first, b.marks, b.elsewhere = old.first, old.marks, old.elsewhere
	}
	t.rebuilds[v.ID], t.created[v.ID] = b, v
	t.changed = true
	return t.rebuild(ctx, b)
}

// forget drops what was gathered of a view that is recomputed or dropped.
func (t *WriteTx) forget(vt *viewTx) {
	vt.close()
	delete(t.views, vt.view.ID)
	for i, other := range t.order {
		if other == vt {
			t.order = append(t.order[:i:i], t.order[i+1:]...)
			return
		}
	}
}

func (t *WriteTx) rebuild(ctx context.Context, b *rebuild) error {
	v := b.view
	if err := t.clearPublished(ctx, v); err != nil {
		return err
	}
	recompute := t.recompute
	if b.first {
		recompute = t.build
	}
	if err := recompute(ctx, b); err != nil {
		return err
	}
	if err := t.buildCounters(ctx, b); err != nil {
		return err
	}
	v.Populated, v.revTypes = true, nil
	if err := v.load(ctx, t.conn, t.now); err != nil {
		return err
	}
	b.dirty = false
	if err := t.rebuildMarks(ctx, b); err != nil {
		return err
	}
	return t.logMarks(ctx, v)
}

// logMarks keeps the watermarks after the commit, once.
func (t *WriteTx) logMarks(ctx context.Context, v *View) error {
	steps := []string{
		fmt.Sprintf("DELETE FROM sessiondb.watermark_log WHERE view_id = %d AND commit = %d", v.ID, t.number),
		fmt.Sprintf("INSERT INTO sessiondb.watermark_log SELECT %d, view_id, NULL, watermark FROM sessiondb.view_state WHERE view_id = %d", t.number, v.ID),
	}
	if v.Contract.Partition != nil {
		steps = append(steps, fmt.Sprintf("INSERT INTO sessiondb.watermark_log SELECT %d, view_id, partition, watermark FROM sessiondb.partition_state WHERE view_id = %d", t.number, v.ID))
	}
	for _, q := range steps {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// rebuildMarks moves the watermarks as the transaction's CALLs said, which the
// states of what it published follow.
func (t *WriteTx) rebuildMarks(ctx context.Context, b *rebuild) error {
	if len(b.marks) == 0 {
		return nil
	}
	v := b.view
	delta, err := v.state.Plan(&sessionop.Commit{Number: t.number, Now: t.now.UnixMicro(), Marks: b.marks})
	if err != nil {
		return err
	}
	parts := []*publication{{view: v, delta: delta, counters: v.counters}}
	if err := t.writeMarks(ctx, parts, false); err != nil {
		return err
	}
	v.apply(parts)
	return t.restate(ctx, v)
}

// restate gives what the transaction published the state by the watermark as it
// is now.
func (t *WriteTx) restate(ctx context.Context, v *View) error {
	state := v.Contract.stateSQL(v.watermarkSQL())
	_, err := t.conn.Exec(ctx, "UPDATE "+v.revisionsTable()+" AS r SET published_state = "+state+" WHERE published_commit = ? AND published_state <> "+state, t.number)
	return err
}

// clearPublished takes back all that the transaction published of a view.
func (t *WriteTx) clearPublished(ctx context.Context, v *View) error {
	for _, q := range []string{
		"DELETE FROM " + v.revisionsTable() + " WHERE published_commit = ?",
		"UPDATE " + v.revisionsTable() + " SET retired_commit = NULL WHERE retired_commit = ?",
		"DELETE FROM " + v.rejectedTable() + " WHERE rejected_commit = ?",
		"UPDATE " + v.rejectedTable() + " SET resolved_commit = NULL, resolution = NULL WHERE resolved_commit = ?",
		fmt.Sprintf("DELETE FROM sessiondb.watermark_log WHERE view_id = %d AND commit = ?", v.ID),
	} {
		if _, err := t.conn.Exec(ctx, q, t.number); err != nil {
			return err
		}
	}
	return nil
}

// build publishes the sessions of all rows of the source: nothing is late, and
// what lacks something or conflicts is rejected.
func (t *WriteTx) build(ctx context.Context, b *rebuild) error {
	v, c := b.view, b.view.Contract
	limit := int64(sessionop.Unlimited)
	if c.MaxAhead != sessionop.Unlimited {
		limit = t.now.UnixMicro() + c.MaxAhead
	}
	if err := t.restoreMarks(ctx, b); err != nil {
		return err
	}
	if _, err := t.conn.Exec(ctx, v.rejectAllSQL(), t.number, TimestampTZ(t.now.UnixMicro()), limit); err != nil {
		return err
	}
	if err := t.buildMarks(ctx, b); err != nil {
		return err
	}
	n, err := t.conn.Exec(ctx, v.buildSQL(v.watermarkSQL()), t.number)
	b.published, b.retired = int(n), 0
	return err
}

// restoreMarks takes back what an earlier build of the transaction derived.
func (t *WriteTx) restoreMarks(ctx context.Context, b *rebuild) error {
	if _, err := t.conn.Exec(ctx, "DELETE FROM sessiondb.partition_state WHERE view_id = ?", b.view.ID); err != nil {
		return err
	}
	_, err := t.conn.Exec(ctx, "UPDATE sessiondb.view_state SET watermark = NULL WHERE view_id = ?", b.view.ID)
	return err
}

// recompute publishes the differences between the current rows and a batch
// over the source less what is rejected. It rejects only what cannot count,
// and moves no watermark back.
func (t *WriteTx) recompute(ctx context.Context, b *rebuild) error {
	v := b.view
	if _, err := t.conn.Exec(ctx, v.withdrawMissingSQL(), t.number); err != nil {
		return err
	}
	if _, err := t.conn.Exec(ctx, v.rejectAllSQL(), t.number, TimestampTZ(t.now.UnixMicro()), int64(sessionop.Unlimited)); err != nil {
		return err
	}
	if err := t.buildMarks(ctx, b); err != nil {
		return err
	}
	if err := t.publishDifferences(ctx, b); err != nil {
		return err
	}
	return t.keepsReleased(ctx, v)
}

// keepsReleased refuses what would merge a session whose rows event_retention
// has let go of, such as a longer gap.
func (t *WriteTx) keepsReleased(ctx context.Context, v *View) error {
	if v.counters.eventsFrom == math.MinInt64 {
		return nil
	}
	var merges bool
	if err := t.conn.QueryRow(ctx, v.mergesReleasedSQL(), nil, &merges); err != nil || !merges {
		return err
	}
	return v.releasedError()
}

// buildMarks moves the watermarks forward to what the counted rows say that
// nobody has seen yet.
func (t *WriteTx) buildMarks(ctx context.Context, b *rebuild) error {
	v := b.view
	now := t.now.UnixMicro()
	steps := []string{v.knownPartitionsSQL(now, t.number), v.declaredPartitionsSQL()}
	if b.elsewhere {
		steps = append([]string{v.advancePartitionsSQL(now, t.number)}, steps...)
	}
	if len(b.marks) == 0 { // else rebuildMarks moves the view's, by the rows and the CALLs together
		steps = append(steps, v.lowestWatermarkSQL())
	}
	for _, q := range steps {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// buildCounters counts what the source holds and what became of it.
func (t *WriteTx) buildCounters(ctx context.Context, b *rebuild) error {
	for _, q := range b.view.countersSQL(t.number, !b.first && b.view.counters.eventsFrom > math.MinInt64) {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	rows, err := t.conn.Query(ctx, "SELECT reason, count(*) FROM "+b.view.rejectedTable()+" WHERE rejected_commit = ? GROUP BY reason", t.number)
	if err != nil {
		return err
	}
	b.rejections = map[string]int{}
	return eachRow(ctx, rows, func(c *Chunk, i int) error {
		b.rejections[strings.Clone(c.Col(0).Strings()[i])] = int(c.Col(1).Int64s()[i])
		return nil
	})
}
