package planner

import (
	"context"

	"github.com/sessiondb/sessiondb/catalog"
)

// A replayCall is sessiondb.replay(…) in a SELECT: the replay runs before the
// query, which then reads what it reports from a feed.
type replayCall struct {
	view   catalog.TableName
	text   string // the view's name as it was written
	filter catalog.ReplayFilter
	feed   *catalog.Feed
}

// replayColumns are those of the report.
func replayColumns() []catalog.Column {
	number := catalog.Simple(catalog.TypeBigInt)
	return []catalog.Column{
		{Name: "reason", Type: catalog.Simple(catalog.TypeVarchar)},
		{Name: "events", Type: number},
		{Name: "replayed", Type: number},
		{Name: "missing", Type: number},
		{Name: "sessions_published", Type: number},
		{Name: "sessions_retired", Type: number},
	}
}

func replayTypes() []catalog.Type {
	columns := replayColumns()
	types := make([]catalog.Type, len(columns))
	for i, c := range columns {
		types[i] = c.Type
	}
	return types
}

const replayUsage = "Write SELECT * FROM sessiondb.replay('view' [, key => value] [, from => time] [, to => time])."

// expandReplay puts a feed in the place of sessiondb.replay(…); nil if the
// statement has none.
func (s *session) expandReplay(st *Statement, edits *Edits) (*replayCall, error) {
	calls, err := st.Calls("sessiondb", "replay")
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	call := calls[0]
	if st.Kind != KindSelect || len(calls) > 1 {
		return nil, errorAt(st.SQL, call.Range.Start, codeUnsupported, "sessiondb.replay stands once, in a SELECT").WithHint("%s", replayUsage)
	}
	v, err := s.viewArgument(st, call)
	if err != nil {
		return nil, err
	}
	r := &replayCall{view: v.Name, text: v.Name.Name}
	for _, a := range call.Args[1:] {
		if err := r.argument(st, edits, a); err != nil {
			return nil, err
		}
	}
	if r.feed, err = s.engine.db.AcquireFeed(replayTypes()); err != nil {
		return nil, err
	}
	edits.Replace(call.Range.Start, call.Range.End, catalog.FeedRelation(r.feed, replayColumns())+st.aliasFor(call.Tail, "replay"))
	return r, nil
}

func (r *replayCall) argument(st *Statement, edits *Edits, a Arg) error {
	text := edits.Slice(a.Value.Start, a.Value.End)
	for _, t := range st.tokensIn(a.Value) {
		if t.Kind == TokenParam {
			return errorAt(st.SQL, t.Start, codeUnsupported, "sessiondb.replay takes no parameters").WithHint("Write the values.")
		}
	}
	switch a.Name.Name {
	case "key":
		r.filter.Key = text
	case "from":
		r.filter.From = text
	case "to":
		r.filter.To = text
	default:
		return errorAt(st.SQL, a.Value.Start, "42883", "sessiondb.replay takes a view, key, from and to").WithHint("%s", replayUsage)
	}
	return nil
}

// run replays in the writing transaction, and puts the report into the feed.
func (r *replayCall) run(ctx context.Context, s *session) error {
	write, err := s.beginWrite(ctx)
	if err != nil {
		return err
	}
	v, ok := write.View(r.view)
	if !ok {
		return undefinedView(r.text)
	}
	reports, err := write.Replay(ctx, v, r.filter)
	if err != nil {
		return err
	}
	rows := catalog.NewColumns(replayTypes())
	for _, report := range reports {
		rows.AppendString(0, report.Reason)
		for i, n := range []int{report.Events, report.Replayed, report.Missing, report.Published, report.Retired} {
			rows.AppendInt64(1+i, int64(n))
		}
	}
	r.feed.Set(rows)
	return nil
}

// close gives the feed back.
func (r *replayCall) close() {
	if r != nil {
		r.feed.Release()
	}
}
