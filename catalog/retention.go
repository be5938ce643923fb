package catalog

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// defaultPurgeBatch is how many rows one transaction of a purge deletes at most.
const defaultPurgeBatch = 10_000

// purge lets go of what is older than the views' retention, one batch of each
// kind of each view; more says that there may be others. It is no commit: nothing
// that is retained looks different.
func (s *Store) purge(ctx context.Context) (more bool, err error) {
	for _, v := range s.Views() {
		if v.Contract.RevisionRetention > 0 {
			others, err := s.purgeBatchOf(ctx, v, (*WriteTx).purgeRevisions)
			if err != nil {
				return false, err
			}
			more = more || others
		}
		if v.Contract.EventRetention > 0 {
			others, err := s.purgeBatchOf(ctx, v, (*WriteTx).purgeEvents)
			if err != nil {
				return false, err
			}
			more = more || others
		}
	}
	return more, nil
}

func (s *Store) purgeBatchOf(ctx context.Context, v *View, purge func(t *WriteTx, ctx context.Context, id int64) (more bool, err error)) (more bool, err error) {
	err = s.inWriteTx(ctx, func(t *WriteTx, ctx context.Context) (err error) {
		more, err = purge(t, ctx, v.ID)
		return err
	})
	return more, err
}

// byID returns a view that is registered and can be relied upon.
func (t *WriteTx) byID(id int64) *View {
	for _, v := range t.Views() {
		if v.ID == id && v.ready() == nil {
			return v
		}
	}
	return nil
}

// purgeRevisions deletes revisions that no commit within the retention sees.
// more says that there may be others.
func (t *WriteTx) purgeRevisions(ctx context.Context, id int64) (more bool, err error) {
	v := t.byID(id)
	if v == nil || v.Contract.RevisionRetention == 0 {
		return false, nil
	}
	var oldest int64
	err = t.conn.QueryRow(ctx, "SELECT coalesce(max(commit), 0) FROM sessiondb.commit_log WHERE committed_at <= make_timestamptz(CAST(? AS BIGINT))",
		[]any{t.now.UnixMicro() - v.Contract.RevisionRetention}, &oldest)
	if err != nil {
		return false, err
	}
	if _, err := t.conn.Exec(ctx, "UPDATE sessiondb.view_state SET oldest_commit = ? WHERE view_id = ? AND oldest_commit < ?", oldest, v.ID, oldest); err != nil {
		return false, err
	}
	table := v.revisionsTable()
	n, err := t.conn.Exec(ctx, fmt.Sprintf("DELETE FROM %[1]s WHERE rowid IN (SELECT rowid FROM %[1]s WHERE retired_commit <= ? LIMIT %[2]d)", table, t.store.purgeBatch), oldest)
	return n == int64(t.store.purgeBatch), err
}

// purgeEvents deletes source rows of sessions that are final, in every view of
// the table, and ended longer ago than the retention by the view's watermark:
// the oldest first, as many as a batch has. more says that there may be others.
// Rejected rows stay.
func (t *WriteTx) purgeEvents(ctx context.Context, id int64) (more bool, err error) {
	v := t.byID(id)
	if v == nil {
		return false, nil
	}
	views := t.ViewsOf(v.Contract.Base)
	limit, ok := releaseLimit(views)
	if !ok {
		return false, nil
	}
	// Of the oldest rows some stay for ever, and some are of sessions that end
	// later than these rows: where none can go, more are looked at.
	for oldest := t.store.purgeBatch; ; oldest *= 2 {
		e, ok, err := t.oldestRows(ctx, views[0].Contract, limit, oldest)
		if err != nil || !ok {
			return false, err
		}
		n, err := t.purgeEra(ctx, views, e)
		if err != nil || n > 0 || e.before == limit {
			return n == t.store.purgeBatch || n > 0 && e.before < limit, err
		}
	}
}

// An era is a stretch of event time, from inclusive.
type era struct{ from, before int64 }

// oldestRows is the era of the n oldest rows of the source that are of before the
// limit, but those of its end; ok is false if there are no rows.
func (t *WriteTx) oldestRows(ctx context.Context, c *Contract, limit int64, n int) (e era, ok bool, err error) {
	var found int64
	err = t.conn.QueryRow(ctx, "SELECT count(_t), coalesce(min(_t), 0), coalesce(max(_t), 0) FROM (SELECT "+c.microsSQL()+" AS _t FROM "+c.Source+c.sourceAlias()+
		" WHERE ("+c.EventTime.SQL+") < "+c.fromMicros(fmt.Sprint(limit))+" ORDER BY _t LIMIT "+strconv.Itoa(n)+")", nil, &found, &e.from, &e.before)
	if found < int64(n) {
		e.before = limit
	}
	return e, found > 0, err
}

// purgeEra deletes a batch of rows of sessions that ended in an era, and returns
// how many.
func (t *WriteTx) purgeEra(ctx context.Context, views []*View, e era) (n int, err error) {
	releases := make([]*release, len(views))
	exprs := []string{}
	for i, w := range views {
		releases[i] = &release{view: w, proj: w.projection(), offset: len(exprs), counters: w.counters, gone: map[sessionop.Hash]int64{}}
		releases[i].counters.eventsFrom = max(e.before, w.counters.eventsFrom)
		exprs = append(exprs, w.Projection()...)
	}
	rows, err := t.conn.Query(ctx, "DELETE FROM "+views[0].Contract.Base.SQL()+" WHERE rowid IN ("+releasedRowsSQL(views, e, t.store.purgeBatch)+") RETURNING "+joinExprs(exprs))
	if err != nil {
		return 0, err
	}
	err = eachRow(ctx, rows, func(c *Chunk, i int) error {
		n++
		for _, r := range releases {
			r.take(c, i)
		}
		return nil
	})
	if err != nil || n == 0 {
		return 0, err
	}
	for _, r := range releases {
		if n == t.store.purgeBatch {
			if err := t.keepCounted(ctx, r, e.before); err != nil {
				return 0, err
			}
		}
		if err := t.storeRelease(ctx, r, e.before); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// releaseLimit is the event time before which sessions that ended let go of
// their rows: ok is false where a view of the table keeps them.
func releaseLimit(views []*View) (limit int64, ok bool) {
	limit = never
	for _, v := range views {
		c := v.Contract
		if v.ready() != nil || c.EventRetention == 0 || c.Lateness == sessionop.Unlimited || !c.Plain {
			return 0, false
		}
		mark, defined := v.state.Watermark()
		if !defined {
			return 0, false
		}
		limit = min(limit, max(mark, firstMicros+c.EventRetention)-c.EventRetention, v.state.LeastLive())
	}
	return limit, len(views) > 0 && limit > firstMicros
}

// releasedRowsSQL are the rowids of one batch of rows to delete, of most rows.
func releasedRowsSQL(views []*View, e era, most int) string {
	c := views[0].Contract
	from := make([]string, len(views))
	for i, v := range views {
		of := e
		if v.Contract.EventTime.SQL != c.EventTime.SQL {
			of.from = math.MinInt64
		}
		from[i] = "SELECT row FROM (" + v.releasedOfSQL(of) + ")"
	}
	return "SELECT row FROM (SELECT rowid AS row FROM " + c.Source + c.sourceAlias() + " WHERE (" + c.EventTime.SQL + ") < " + c.fromMicros(fmt.Sprint(e.before)) +
		") WHERE row IN (" + strings.Join(from, ") AND row IN (") + fmt.Sprintf(") LIMIT %d", most)
}

// releasedOfSQL are the rowids, as row, of the rows in sessions that ended in an
// era, counted or duplicates of those that are.
func (v *View) releasedOfSQL(e era) string {
	rows := timedRows{relation: "(" + v.acceptedSQL(e.before) + ")", alias: " AS e", at: "e._t", keys: v.Contract.keysUnder("e.")}
	ended := fmt.Sprintf("%s AND epoch_us(r.session_end) >= %d AND epoch_us(r.session_end) < %d", v.spansSQL(), e.from, e.before)
	return "SELECT row FROM " + spansInOrder.sql(rows, ended)
}

// acceptedSQL are the rows of before the limit that do not stand rejected, with
// their rowids as row and the helper columns of countedRowsSQL.
func (v *View) acceptedSQL(limit int64) string {
	c := v.Contract
	rows := "SELECT *, rowid AS row, " + v.helpersSQL() + " FROM " + c.Source + c.sourceAlias() + " WHERE (" + c.EventTime.SQL + ") < " + c.fromMicros(fmt.Sprint(limit))
	return "SELECT e.* FROM (" + rows + ") AS e LEFT JOIN " + v.standingSQL() + " AS x ON " + standsAs + " QUALIFY " + rankSQL + " > coalesce(x.standing, 0)"
}

// A release is what a batch of event retention takes from one view.
type release struct {
	view     *View
	proj     *projection
	offset   int // of its projection among the columns
	counters counters
	ids      []sessionop.Hash         // counted ids that went
	gone     map[sessionop.Hash]int64 // equal rows that went, where there is no id
}

// take notes that a row of the source went.
func (r *release) take(c *Chunk, i int) {
	k := &r.counters
	member := hashOf(c.Col(r.offset + r.proj.member).Int128s()[i])
	values := c.Col(r.offset + r.proj.values).Uint64s()[i]
	k.received--
	k.hash -= values
	switch contract := r.view.Contract; {
	case len(contract.IDs) == 0:
		r.gone[member]++
		k.counted--
	case contract.UniqueIDs:
		k.counted--
	default:
		if r.counts(member, values) {
			r.ids = append(r.ids, member)
			r.gone[member]++
			k.counted--
		} else {
			k.duplicates--
		}
	}
}

// counts says whether a row is the one that counts of its id.
func (r *release) counts(member sessionop.Hash, values uint64) bool {
	counted, ok := r.view.state.CountedID(member)
	return ok && counted == values && r.gone[member] == 0
}

// keepCounted finds the ids of which an equal row is left for the next batch: it
// is the one that counts, and those that went were its duplicates.
func (t *WriteTx) keepCounted(ctx context.Context, r *release, limit int64) error {
	if len(r.ids) == 0 || r.counters.duplicates == 0 {
		return nil
	}
	feed, err := t.store.db.AcquireFeed([]Type{Simple(TypeUBigInt)})
	if err != nil {
		return err
	}
	defer feed.Release()
	ids := NewColumns(feed.types)
	for _, id := range r.ids {
		ids.AppendUint64(0, id.Hi)
	}
	feed.Set(ids)
	rows, err := t.conn.Query(ctx, "SELECT DISTINCT _member, _values FROM ("+r.view.acceptedSQL(limit)+") WHERE "+lowHalfOf("_member")+" IN (SELECT c0 FROM "+feed.SQL()+")")
	if err != nil {
		return err
	}
	left := map[sessionop.Hash]bool{}
	err = eachRow(ctx, rows, func(c *Chunk, i int) error {
		member := hashOf(c.Col(0).Int128s()[i])
		if values, ok := r.view.state.CountedID(member); ok && values == c.Col(1).Uint64s()[i] {
			left[member] = true
		}
		return nil
	})
	gone := len(r.ids)
	r.ids = slices.DeleteFunc(r.ids, func(id sessionop.Hash) bool { return left[id] })
	kept := int64(gone - len(r.ids))
	r.counters.counted += kept
	r.counters.duplicates -= kept
	return err
}

// storeRelease keeps the counters and which sessions have no rows any more: those
// there are that ended before limit. Memory follows with the commit.
func (t *WriteTx) storeRelease(ctx context.Context, r *release, limit int64) error {
	v, k, last := r.view, r.counters, t.number-1
	t.after = append(t.after, func() {
		v.counters = k
		v.state.Release(last, limit)
		for _, id := range r.ids {
			v.state.ForgetID(id)
		}
		if len(v.Contract.IDs) > 0 {
			return
		}
		for h, n := range r.gone {
			if v.ordinals[h] -= n; v.ordinals[h] <= 0 {
				delete(v.ordinals, h)
			}
		}
	})
	_, err := t.conn.Exec(ctx, "UPDATE sessiondb.view_state SET received = ?, counted = ?, duplicates = ?, source_hash = CAST(? AS UBIGINT), events_from = ? WHERE view_id = ?",
		k.received, k.counted, k.duplicates, fmt.Sprint(k.hash), k.eventsFrom, v.ID)
	if err != nil {
		return err
	}
	// Nearly always this release takes the place of the one before.
	if _, err := t.conn.Exec(ctx, "DELETE FROM sessiondb.releases WHERE view_id = ? AND ended_before <= ?", v.ID, limit); err != nil {
		return err
	}
	_, err = t.conn.Exec(ctx, "INSERT INTO sessiondb.releases VALUES (?, ?, ?)", v.ID, last, limit)
	return err
}
