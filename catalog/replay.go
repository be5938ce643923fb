package catalog

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// A ReplayFilter narrows a replay to rejected events of a key, or of a range
// of event time: SQL expressions without parameters, empty for no bound.
type ReplayFilter struct {
	Key  string // a value of the key, or (one, another)
	From string // the first event time
	To   string // the event time before which the range ends
}

// A ReplayReport is what a replay did about the events of one reason.
type ReplayReport struct {
	Reason   string
	Events   int // that asked for it
	Replayed int // that count now, or are duplicates of rows that do
	Missing  int // whose source row is gone
	// Published and Retired are the sessions that the replayed events of this
	// reason are in now, and those that these supersede.
	Published, Retired int
}

// replay is what a transaction took up again of one view.
type replay struct {
	rows    *eventRows
	reasons []string // by row
}

// Replay takes up the rejected events that ask for it and whose source rows
// still stand, and publishes what they change as part of the transaction. The
// watermark turns none of them away. The transaction must not have written to
// the view's source before, and cannot do so afterwards. Nothing to replay is
// no change.
func (t *WriteTx) Replay(ctx context.Context, v *View, f ReplayFilter) ([]ReplayReport, error) {
	if err := v.ready(); err != nil {
		return nil, err
	}
	asking, err := t.askingLines(ctx, v, f)
	if err != nil || asking.lines() == 0 {
		return nil, err
	}
	vt, err := t.viewTx(ctx, v)
	if err != nil {
		return nil, err
	}
	if t.rebuilds[v.ID] != nil || vt.written() {
		return nil, v.errorf(stateNotReady, "COMMIT first, then replay.", "this transaction has changes of %s of its own: a replay is a commit of its own", v.Name.Name)
	}
	if vt.replayed, err = t.standingRows(ctx, vt, asking); err != nil {
		return nil, err
	}
	if err := t.publish(ctx, vt); err != nil {
		return nil, err
	}
	reports := vt.replayReports(asking)
	if !slices.ContainsFunc(reports, func(r ReplayReport) bool { return r.Replayed > 0 }) {
		err := t.unpublish(ctx, vt)
		t.forget(vt)
		return reports, err
	}
	t.changed = true
	return reports, nil
}

// written says whether rows, marks or a replay were gathered.
func (vt *viewTx) written() bool {
	return vt.inMemory()+len(vt.marks) > 0 || vt.replayed != nil || vt.spill != nil
}

// askingLines are the rejected lines that ask for a replay: their reasons by
// row, and the columns that find their rows in the source.
type askingLines struct {
	reasons map[rowKey][]string
	columns []ContractColumn
	values  *ColumnSet
	lo, hi  int64 // the bounds of their event times
}

func (a *askingLines) lines() int { return a.values.Rows() }

// askingReasons is the SQL list of the reasons that ask for a replay.
func askingReasons() string {
	var list []string
	for r := sessionop.ReasonNoID; r <= sessionop.ReasonTooLate; r++ {
		if asksForReplay(r.String()) {
			list = append(list, QuoteLiteral(r.String()))
		}
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (t *WriteTx) askingLines(ctx context.Context, v *View, f ReplayFilter) (*askingLines, error) {
	c := v.Contract
	a := &askingLines{reasons: map[rowKey][]string{}, columns: c.finding()}
	cols := []string{"reason", "member_lo", "member_hi", "row_values", c.microsSQL()}
	for _, col := range a.columns {
		cols = append(cols, QuoteIdent(col.Name))
	}
	sql := "SELECT " + joinExprs(cols) + " FROM " + v.rejectedTable() + " WHERE resolved_commit IS NULL AND reason IN " + askingReasons() + f.where(c) + " ORDER BY rejected_commit"
	types, err := t.conn.columnTypes(ctx, sql)
	if err != nil {
		return nil, err
	}
	a.values = NewColumns(types[5:])
	rows, err := t.conn.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return a, rows.Each(ctx, func(ch *Chunk) error {
		a.take(ch)
		return nil
	})
}

func (a *askingLines) take(ch *Chunk) {
	if a.lines() == 0 && ch.Rows() > 0 {
		a.lo, a.hi = ch.Col(4).Int64s()[0], ch.Col(4).Int64s()[0]
	}
	for i := range ch.Rows() {
		k := rowKey{sessionop.Hash{Hi: ch.Col(1).Uint64s()[i], Lo: ch.Col(2).Uint64s()[i]}, ch.Col(3).Uint64s()[i]}
		a.reasons[k] = append(a.reasons[k], strings.Clone(ch.Col(0).Strings()[i]))
		a.lo, a.hi = min(a.lo, ch.Col(4).Int64s()[i]), max(a.hi, ch.Col(4).Int64s()[i])
	}
	for i := range a.columns {
		a.values.AppendVector(i, ch.Col(5+i), 0, ch.Rows())
	}
}

// finding are the columns that find a rejected event's row: its id, else its
// key and time.
func (c *Contract) finding() []ContractColumn {
	if len(c.IDs) > 0 {
		return c.IDs
	}
	return append(slices.Clone(c.Keys), c.EventTime)
}

// where holds for the lines that the filter means.
func (f ReplayFilter) where(c *Contract) string {
	sql := ""
	if f.Key != "" {
		sql += " AND (" + c.keyList() + ") = (" + f.Key + ")"
	}
	if f.From != "" {
		sql += " AND (" + c.EventTime.SQL + ") >= (" + f.From + ")"
	}
	if f.To != "" {
		sql += " AND (" + c.EventTime.SQL + ") < (" + f.To + ")"
	}
	return sql
}

// standingRows reads the source rows of the lines.
func (t *WriteTx) standingRows(ctx context.Context, vt *viewTx, a *askingLines) (*replay, error) {
	n := &netChange{tx: t, vt: vt, p: &publication{view: vt.view, counters: vt.view.counters}}
	found, err := n.sourceRows(ctx, sourceQuery{
		columns: a.columns, bounded: true, lo: a.lo, hi: a.hi,
		fill: func(feed *ColumnSet) {
			for line := range a.lines() {
				for col := range a.columns {
					feed.AppendFrom(col, a.values, col, line)
				}
			}
		},
	})
	if err != nil {
		return nil, err
	}
	left := make(map[rowKey][]string, len(a.reasons))
	maps.Copy(left, a.reasons)
	r := &replay{rows: newEventRows(vt.arrived.types)}
	for i := range found.events {
		k := found.key(i)
		if reasons := left[k]; len(reasons) > 0 {
			left[k] = reasons[1:]
			r.rows.appendRow(found, i)
			r.reasons = append(r.reasons, reasons[0])
		}
	}
	return r, nil
}

// collectReplay makes the rows of a replay those that arrive.
func (n *netChange) collectReplay(r *replay) {
	n.rejudged = make(map[int]bool, len(r.reasons))
	for i := range r.rows.events {
		n.p.rows.appendRow(r.rows, i)
		n.rejudged[i] = true
	}
	n.commit.Arrived, n.commit.Replay = slices.Clone(n.p.rows.events), true
	n.numberEquals(len(r.reasons))
}

// replayReports counts, by reason, what became of the lines.
func (vt *viewTx) replayReports(a *askingLines) []ReplayReport {
	byReason := map[string]*ReplayReport{}
	for _, reasons := range a.reasons {
		for _, reason := range reasons {
			if byReason[reason] == nil {
				byReason[reason] = &ReplayReport{Reason: reason}
			}
			byReason[reason].Events++
			byReason[reason].Missing++
		}
	}
	published, sessions := vt.pending[0], map[string]map[int]bool{}
	for i, reason := range vt.replayed.reasons {
		report := byReason[reason]
		report.Missing--
		if published.delta.Verdicts[i].Outcome == sessionop.Rejected {
			continue
		}
		report.Replayed++
		if s, ok := published.publishedAt(i); ok {
			if sessions[reason] == nil {
				sessions[reason] = map[int]bool{}
			}
			sessions[reason][s] = true
		}
	}
	reports := make([]ReplayReport, 0, len(byReason))
	for reason, report := range byReason {
		report.Published, report.Retired = published.countSessions(sessions[reason])
		reports = append(reports, *report)
	}
	sort.Slice(reports, func(i, j int) bool { return reports[i].Reason < reports[j].Reason })
	return reports
}

// publishedAt finds the session that arrival i is in now.
func (p *publication) publishedAt(i int) (int, bool) {
	e := &p.commit.Arrived[i]
	return sort.Find(len(p.delta.Published), func(j int) int {
		s := &p.delta.Published[j]
		switch {
		case e.Key != s.Key:
			return strings.Compare(e.Key, s.Key)
		case e.Time < s.Start:
			return -1
		case e.Time > s.End:
			return 1
		default:
			return 0
		}
	})
}

// countSessions counts some published sessions, and those that they supersede.
func (p *publication) countSessions(published map[int]bool) (int, int) {
	retired := map[int]bool{}
	for i := range published {
		for _, r := range p.delta.Published[i].Supersedes {
			retired[r] = true
		}
	}
	return len(published), len(retired)
}
