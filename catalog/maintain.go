package catalog

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// A publication is what one transaction published of one view, or a part of
// it: made by publish, taken back by unpublish, and made final by Commit.
type publication struct {
	view       *View
	delta      *sessionop.Delta
	commit     *sessionop.Commit
	rows       *eventRows               // typed columns of every event of the commit
	counters   counters                 // after it
	ordinals   map[sessionop.Hash]int64 // new numbers of equals, for those that changed
	rejections map[string]int
	rejudged   map[int]bool
	resolved   []resolution
	tallied    bool // rows of the source came, went or were judged anew
	moved      bool // a watermark moved
}

// publish judges what the transaction did so far to the view's source and
// writes the outcome into the view's relations, in place of what it published
// provisionally before.
func (t *WriteTx) publish(ctx context.Context, vt *viewTx) error {
	again := len(vt.pending) > 0
	if err := t.unpublish(ctx, vt); err != nil {
		return err
	}
	err := t.eachPart(ctx, vt, func(part *viewTx, last bool) error {
		p, err := t.judge(ctx, part, vt.pending)
		if err != nil {
			return err
		}
		vt.pending = append(vt.pending, p)
		if err := t.write(ctx, p); err != nil {
			return err
		}
		if !last {
			p.forgetRows()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := t.writeMarks(ctx, vt.pending, again); err != nil {
		return err
	}
	if len(vt.pending) == 1 {
		return nil
	}
	return t.restate(ctx, vt.view)
}

// eachPart calls f with what the transaction did to the view's source: at once
// if all of it is in memory, else part by part.
func (t *WriteTx) eachPart(ctx context.Context, vt *viewTx, f func(part *viewTx, last bool) error) error {
	if vt.spill == nil {
		return f(vt, true)
	}
	if err := vt.spillRows(ctx, t.store.db); err != nil {
		return err
	}
	return vt.spill.eachPart(ctx, vt, t.store.rowsInMemory, f)
}

// forgetRows lets go of what is only needed to write the publication.
func (p *publication) forgetRows() {
	p.rows, p.commit, p.delta.Verdicts = nil, nil, nil
}

// unpublish takes back what the transaction published of the view.
func (t *WriteTx) unpublish(ctx context.Context, vt *viewTx) error {
	if len(vt.pending) == 0 {
		return nil
	}
	if err := t.clearPublished(ctx, vt.view); err != nil {
		return err
	}
	for _, part := range vt.movedPartitions() {
		if err := t.restorePartition(ctx, vt.view, part.Name); err != nil {
			return err
		}
	}
	vt.pending = nil
	return nil
}

// movedPartitions are those that changed by what was published provisionally.
func (vt *viewTx) movedPartitions() []sessionop.PartitionState {
	if n := len(vt.pending); n > 0 {
		return vt.pending[n-1].delta.Watermarks // of all parts
	}
	return nil
}

// restorePartition makes a stored partition what it was before the transaction.
func (t *WriteTx) restorePartition(ctx context.Context, v *View, name string) error {
	for _, p := range v.state.Partitions() {
		if p.Name == name {
			return t.storePartition(ctx, v, p)
		}
	}
	_, err := t.conn.Exec(ctx, "DELETE FROM sessiondb.partition_state WHERE view_id = ? AND partition = ?", v.ID, name)
	return err
}

// judge runs the operator over the net changes, after those of the parts before.
func (t *WriteTx) judge(ctx context.Context, vt *viewTx, before []*publication) (*publication, error) {
	v := vt.view
	p := &publication{view: v, counters: v.counters, ordinals: map[sessionop.Hash]int64{}, rejections: map[string]int{}}
	p.rows = newEventRows(vt.arrived.types)
	commit := &sessionop.Commit{Number: t.number, Now: t.now.UnixMicro(), Marks: vt.marks}
	if n := len(before); n > 0 {
		p.counters, commit.Follows = before[n-1].counters, before[n-1].delta
	}
	counters := p.counters
	net := &netChange{tx: t, vt: vt, p: p, commit: commit, lost: map[sessionop.Hash]int64{}}
	if err := net.collect(ctx); err != nil {
		return nil, err
	}
	if err := net.recall(ctx); err != nil {
		return nil, err
	}
	inputs := fallibleInputs{net: net}
	if err := inputs.compute(ctx); err != nil {
		return nil, err
	}
	if refs := v.state.Touched(commit); len(refs) > 0 {
		members, err := net.members(ctx, refs)
		if err != nil {
			return nil, err
		}
		commit.Members = members
		if err := inputs.compute(ctx); err != nil {
			return nil, err
		}
	}
	commit.Compare = func(i, j int) int { return net.compare(i, j) }
	delta, err := v.state.Plan(commit)
	if err != nil {
		return nil, inputs.explain(ctx, err)
	}
	for i := range delta.Retired {
		if err := v.released(delta.Retired[i].PublishedCommit, delta.Retired[i].End); err != nil {
			return nil, err
		}
	}
	p.delta, p.commit = delta, commit
	net.tally()
	p.tallied = len(commit.Arrived)+len(commit.Removed)+len(p.resolved) > 0 || p.counters != counters
	return p, nil
}

// write makes the rows of a publication part of the transaction.
func (t *WriteTx) write(ctx context.Context, p *publication) error {
	for _, step := range []func(context.Context, *publication) error{t.writeRejections, t.writeRevisions, t.retire} {
		if err := step(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// writeRevisions appends the published revisions, with the measures that
// DuckDB computes.
func (t *WriteTx) writeRevisions(ctx context.Context, p *publication) error {
	if len(p.delta.Published) == 0 {
		return nil
	}
	v := p.view
	types, err := t.revisionTypes(ctx, v)
	if err != nil {
		return err
	}
	feed, err := t.store.db.AcquireFeed(types)
	if err != nil {
		return err
	}
	defer feed.Release()
	feed.Set(p.revisionRows(types))
	_, err = t.conn.Exec(ctx, v.insertRevisionsSQL(feed.SQL(), p.counters.duplicates+p.counters.rejected > 0, spansOf(p.publishedKeys())), v.insertRevisionsArgs(p)...)
	if err != nil {
		return v.measureError(err, p.publishedKeys())
	}
	return nil
}

// revisionTypes are the types of the rows that writeRevisions feeds: seq, pt,
// the key, session_id, revision, start, end, event_count, the carried
// measures, change, supersedes, published_state.
func (t *WriteTx) revisionTypes(ctx context.Context, v *View) ([]Type, error) {
	if v.revTypes != nil {
		return v.revTypes, nil
	}
	cols := []string{"seq", "pt"}
	for _, k := range v.Contract.Keys {
		cols = append(cols, QuoteIdent(k.Name))
	}
	cols = append(cols, "session_id", "revision", "session_start", "session_end", "event_count")
	for _, m := range v.Contract.carried() {
		cols = append(cols, QuoteIdent(m.Name))
	}
	cols = append(cols, "change", "supersedes", "published_state", "published_commit")
	types, err := t.conn.columnTypes(ctx, "SELECT "+strings.Join(cols, ", ")+" FROM "+v.revisionsTable())
	if err != nil {
		return nil, err
	}
	v.revTypes = types
	return types, nil
}

func (p *publication) revisionRows(types []Type) *ColumnSet {
	v, out := p.view, NewColumns(types)
	keyRow := p.keyRows()
	keyCols := make([]int, len(v.Contract.Keys))
	proj := v.projection()
	for i, k := range v.Contract.Keys {
		keyCols[i] = proj.typedIndex(k)
	}
	carried := v.Contract.carried()
	for i := range p.delta.Published {
		r := &p.delta.Published[i]
		out.AppendInt64(0, r.Seq)
		out.AppendInt64(1, int64(PartitionOf(r.Key)))
		col := 2
		for _, k := range keyCols {
			out.AppendFrom(col, p.rows.typed, k, keyRow[r.Key])
			col++
		}
		out.AppendUUID(col, UUID(r.SessionID.UUID()))
		out.AppendInt64(col+1, r.Revision)
		out.AppendInt64(col+2, r.Start)
		out.AppendInt64(col+3, r.End)
		out.AppendInt64(col+4, r.Count)
		col += 5
		for j, m := range carried {
			appendAcc(out, col, types[col], m.Measure, r.Accs[j])
			col++
		}
		out.AppendString(col, r.Change.String())
		out.AppendUUIDList(col+1, p.revisionIDs(r.Supersedes))
		out.AppendString(col+2, r.State.String())
		out.AppendInt64(col+3, p.commit.Number)
	}
	return out
}

// keyRows finds for every key of the commit a row that has its columns.
func (p *publication) keyRows() map[string]int {
	rows := make(map[string]int, len(p.delta.Published))
	for i := range p.delta.Published {
		rows[p.delta.Published[i].Key] = -1
	}
	for i := range p.rows.events {
		if at, wanted := rows[p.rows.events[i].Key]; wanted && at < 0 {
			rows[p.rows.events[i].Key] = i
		}
	}
	return rows
}

// publishedKeys are the keys of the published sessions, which stand together by
// key.
func (p *publication) publishedKeys() iter.Seq[string] {
	return keysOf(p.delta.Published, func(s *sessionop.Published) string { return s.Key })
}

func (p *publication) revisionIDs(retired []int) []UUID {
	ids := make([]UUID, len(retired))
	for i, r := range retired {
		ids[i] = RevisionID(UUID(p.delta.Retired[r].SessionID.UUID()), p.delta.Retired[r].PublishedCommit)
	}
	return ids
}

// insertRevisionsSQL reads the rows of feed; where DuckDB computes measures,
// it joins them in from the members of the sessions. dirty says that not every
// row of the source counts.
func (v *View) insertRevisionsSQL(feed string, dirty bool, spans spanJoin) string {
	c := v.Contract
	into, from := []string{"seq", "pt"}, []string{"f.c0", "f.c1"}
	n := 2
	next := func(col string) {
		into, from = append(into, col), append(from, fmt.Sprintf("f.c%d", n))
		n++
	}
	for _, k := range c.Keys {
		next(QuoteIdent(k.Name))
	}
	start := n + 2
	for _, col := range []string{"session_id", "revision", "session_start", "session_end", "event_count"} {
		next(col)
	}
	for _, m := range c.carried() {
		next(QuoteIdent(m.Name))
	}
	next("change")
	next("supersedes")
	next("published_state")
	next("published_commit")
	join := ""
	if computed := c.computed(); len(computed) > 0 {
		for i, m := range computed {
			into, from = append(into, QuoteIdent(m.Name)), append(from, fmt.Sprintf("m.m%d", i))
		}
		join = " LEFT JOIN (" + v.measuresSQL(feed, start, dirty, spans) + ") AS m ON m.seq = f.c0"
	}
	return "INSERT INTO " + v.revisionsTable() + " (" + strings.Join(into, ", ") + ") SELECT " + strings.Join(from, ", ") + " FROM " + feed + " AS f" + join
}

func (v *View) insertRevisionsArgs(p *publication) []any {
	if len(v.Contract.computed()) == 0 {
		return nil
	}
	lo, hi := p.delta.Published[0].Start, p.delta.Published[0].End
	for i := range p.delta.Published {
		lo, hi = min(lo, p.delta.Published[i].Start), max(hi, p.delta.Published[i].End)
	}
	return []any{lo, hi}
}

// measuresSQL computes the measures of the sessions in feed, whose session
// start is column start and whose end is the next, from their members.
func (v *View) measuresSQL(feed string, start int, dirty bool, spans spanJoin) string {
	c := v.Contract
	sessions := []string{"c0 AS _f_seq", fmt.Sprintf("epoch_us(c%d) AS _span_from", start), fmt.Sprintf("epoch_us(c%d) AS _span_to", start+1)}
	members := timedRows{relation: "(" + v.membersSQL(dirty) + ")", alias: " AS e", at: "e._t", keys: c.keysUnder("e.")}
	for i := range c.Keys {
		sessions = append(sessions, fmt.Sprintf("c%d AS _span_k%d", i+2, i))
	}
	out := []string{"_f_seq AS seq"}
	for i, m := range c.computed() {
		out = append(out, fmt.Sprintf("%s AS m%d", m.SQL, i))
	}
	return "SELECT " + strings.Join(out, ", ") + " FROM " + spans.sql(members, "SELECT "+strings.Join(sessions, ", ")+" FROM "+feed) + " GROUP BY _f_seq"
}

// membersSQL are the counted rows between two event times in microseconds,
// given as parameters, with the helper columns of countedRowsSQL.
func (v *View) membersSQL(dirty bool) string {
	c := v.Contract
	within := "(SELECT * FROM " + c.Source + c.sourceAlias() + " WHERE " + c.timeRangeSQL() + ")"
	if dirty {
		return v.countedRowsSQL(within)
	}
	return "SELECT *, " + c.microsSQL() + " AS _t FROM " + within + " AS e"
}

// sourceAlias lets expressions name the table that the source is.
func (c *Contract) sourceAlias() string {
	if c.Plain {
		return " AS " + QuoteIdent(c.Base.Name)
	}
	return " AS source"
}

// timeRangeSQL holds the event time between two parameters in microseconds,
// in a form that DuckDB's zone maps prune by.
func (c *Contract) timeRangeSQL() string {
	return "(" + c.EventTime.SQL + ") BETWEEN " + c.fromMicros("CAST(? AS BIGINT)") + " AND " + c.fromMicros("CAST(? AS BIGINT)")
}

// retire marks the retired revisions.
func (t *WriteTx) retire(ctx context.Context, p *publication) error {
	retired := p.delta.Retired
	table := p.view.revisionsTable()
	switch len(retired) {
	case 0:
		return nil
	case 1:
		_, err := t.conn.Exec(ctx, "UPDATE "+table+" SET retired_commit = "+bigintArg+" WHERE seq = "+bigintArg, t.number, retired[0].Seq)
		return err
	}
	lo, hi := retired[0].Seq, retired[0].Seq
	for i := range retired {
		lo, hi = min(lo, retired[i].Seq), max(hi, retired[i].Seq)
	}
	changed, err := t.execFed(ctx, []Type{Simple(TypeBigInt)}, func(rows *ColumnSet) {
		for i := range retired {
			rows.AppendInt64(0, retired[i].Seq)
		}
	}, func(feed string) string {
		return "UPDATE " + table + " AS r SET retired_commit = " + bigintArg + " FROM " + feed + " AS f WHERE r.seq = f.c0 AND r.seq BETWEEN " + bigintArg + " AND " + bigintArg
	}, t.number, lo, hi)
	if err == nil && changed != int64(len(retired)) {
		err = fmt.Errorf("retired %d revisions of %s where %d were to go", changed, p.view.Name.Name, len(retired))
	}
	return err
}

// writeMarks keeps the counters and the watermarks after the parts of a commit.
// One that leaves them as they are, such as a CALL that would move a watermark
// back, stores nothing, unless something stands there that it takes the place
// of.
func (t *WriteTx) writeMarks(ctx context.Context, parts []*publication, again bool) error {
	p := parts[len(parts)-1]
	v, k, before, after := p.view, p.counters, p.delta.Before, p.delta.After
	p.moved = before != after || len(p.delta.Watermarks) > 0
	tallied := slices.ContainsFunc(parts, func(p *publication) bool { return p.tallied })
	if !p.moved && !tallied && !again {
		return nil
	}
	_, err := t.execFed(ctx, counterTypes(), func(row *ColumnSet) {
		appendMark(row, 0, after)
		for i, n := range []int64{k.received, k.counted, k.duplicates, k.rejected, t.number, p.delta.NextSeq()} {
			row.AppendInt64(1+i, n)
		}
		row.AppendUint64(7, k.hash)
	}, func(feed string) string {
		return "UPDATE sessiondb.view_state SET watermark = f.c0, received = f.c1, counted = f.c2, duplicates = f.c3, rejected = f.c4, last_commit = f.c5, next_seq = f.c6, " +
			"source_hash = f.c7 FROM " + feed + fmt.Sprintf(" AS f WHERE view_id = %d", v.ID)
	})
	if err != nil {
		return err
	}
	if after != before {
		if err := t.logWatermark(ctx, v, nil, optionalMicros(after)); err != nil {
			return err
		}
	}
	for _, part := range p.delta.Watermarks {
		if err := t.writePartition(ctx, v, part); err != nil {
			return err
		}
	}
	return nil
}

func (t *WriteTx) logWatermark(ctx context.Context, v *View, partition, watermark any) error {
	_, err := t.conn.Exec(ctx, "INSERT INTO sessiondb.watermark_log SELECT "+bigintArg+", "+bigintArg+", CAST(? AS VARCHAR), "+bigintArg, t.number, v.ID, partition, watermark)
	return err
}

// writePartition stores a partition and logs its watermark.
func (t *WriteTx) writePartition(ctx context.Context, v *View, p sessionop.PartitionState) error {
	if err := t.storePartition(ctx, v, p); err != nil || v.Contract.Partition == nil {
		return err
	}
	return t.logWatermark(ctx, v, p.Name, optionalMicros(sessionop.Watermark{Time: p.Watermark, Defined: p.Defined}))
}

func (t *WriteTx) storePartition(ctx context.Context, v *View, p sessionop.PartitionState) error {
	known := p.ArrivedCommit > 0
	fill := func(row *ColumnSet) {
		appendMark(row, 0, sessionop.Watermark{Time: p.Watermark, Defined: p.Defined})
		appendMark(row, 1, sessionop.Watermark{Time: p.LatestEvent, Defined: known})
		appendMark(row, 2, sessionop.Watermark{Time: p.LatestArrival, Defined: known})
		row.AppendInt64(3, p.ArrivedCommit)
		row.AppendInt64(4, p.AdvancedCommit)
		row.AppendString(5, p.State.String())
		row.AppendString(6, p.Name)
	}
	stored, err := t.execFed(ctx, partitionTypes(), fill, func(feed string) string {
		return "UPDATE sessiondb.partition_state SET watermark = f.c0, latest_event = f.c1, latest_arrival = f.c2, arrived_commit = f.c3, advanced_commit = f.c4, state = f.c5" +
			" FROM " + feed + fmt.Sprintf(" AS f WHERE view_id = %d AND partition = f.c6", v.ID)
	})
	if err != nil || stored > 0 {
		return err
	}
	_, err = t.execFed(ctx, partitionTypes(), fill, func(feed string) string {
		return "INSERT INTO sessiondb.partition_state (watermark, latest_event, latest_arrival, arrived_commit, advanced_commit, state, partition, view_id)" +
			fmt.Sprintf(" SELECT c0, c1, c2, c3, c4, c5, c6, %d FROM ", v.ID) + feed
	})
	return err
}

// counterTypes and partitionTypes are the rows that writeMarks and
// storePartition feed.
func counterTypes() []Type {
	n := Simple(TypeBigInt)
	return []Type{n, n, n, n, n, n, n, Simple(TypeUBigInt)}
}

func partitionTypes() []Type {
	n := Simple(TypeBigInt)
	return []Type{n, n, n, n, n, Simple(TypeVarchar), Simple(TypeVarchar)}
}

func appendMark(row *ColumnSet, col int, w sessionop.Watermark) {
	if w.Defined {
		row.AppendInt64(col, w.Time)
	} else {
		row.AppendNull(col)
	}
}

// execFed executes a statement that reads the rows that fill appends from a
// feed, and returns how many rows it changed: for DuckDB that is a third of the
// work of the same rows as parameters.
func (t *WriteTx) execFed(ctx context.Context, types []Type, fill func(*ColumnSet), sql func(feed string) string, args ...any) (int64, error) {
	feed, err := t.store.db.AcquireFeed(types)
	if err != nil {
		return 0, err
	}
	defer feed.Release()
	rows := NewColumns(types)
	fill(rows)
	feed.Set(rows)
	return t.conn.Exec(ctx, sql(feed.SQL()), args...)
}

// bigintArg is a parameter whose type is written: DuckDB plans a statement anew
// at each execution where it has to find it out.
const bigintArg = "CAST(? AS BIGINT)"

func optionalMicros(w sessionop.Watermark) any {
	if !w.Defined {
		return nil
	}
	return w.Time
}

// apply lets the view's memory follow the parts of its publication.
func (v *View) apply(parts []*publication) {
	deltas := make([]*sessionop.Delta, len(parts))
	for i, p := range parts {
		deltas[i] = p.delta
		for h, n := range p.ordinals {
			if n == 0 {
				delete(v.ordinals, h)
			} else {
				v.ordinals[h] = n
			}
		}
		v.counters = p.counters
	}
	v.state.Apply(deltas...)
}
