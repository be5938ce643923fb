package planner

import (
	"context"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// A replayCall is sessiondb.replay(…) in a SELECT: the replay runs before the
// query, which then reads what it reports from a feed.
type replayCall struct {
	view   catalog.TableName
	text   string // the view's name as it was written
	filter catalog.ReplayFilter
	feed   *catalog.Feed
	params map[int]string // the types, as DuckDB spells them, of the parameters in the filter
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
	r := &replayCall{view: v.Name, text: v.Name.Name, params: map[int]string{}}
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
	text, typed := edits.Slice(a.Value.Start, a.Value.End), "TIMESTAMPTZ"
	switch a.Name.Name {
	case "key":
		r.filter.Key, typed = text, "VARCHAR"
	case "from":
		r.filter.From = text
	case "to":
		r.filter.To = text
	default:
		return errorAt(st.SQL, a.Value.Start, "42883", "sessiondb.replay takes a view, key, from and to").WithHint("%s", replayUsage)
	}
	for _, t := range st.tokensIn(a.Value) {
		if t.Kind == TokenParam {
			r.params[parameterNumber(t)] = typed
		}
	}
	return nil
}

// paramTypes are the types of the statement's parameters, where the call has
// some: there must be none outside of it then.
func (r *replayCall) paramTypes(st *Statement, oids []uint32) ([]uint32, error) {
	types := make([]uint32, st.Params)
	for i := range types {
		switch r.params[i+1] {
		case "TIMESTAMPTZ":
			types[i] = wire.OIDTimestampTZ
		case "VARCHAR":
			types[i] = wire.OIDText
		default:
			return nil, wire.Errorf(codeUnsupported, "parameter $%d stands beside sessiondb.replay", i+1).
				WithHint("Write its value: only the arguments of sessiondb.replay can be parameters.")
		}
	}
	return declared(types, oids), nil
}

// withArguments is the filter with the values of its parameters.
func (r *replayCall) withArguments(ctx context.Context, s *session, args []wire.Value) (f catalog.ReplayFilter, err error) {
	f = r.filter
	if len(r.params) == 0 {
		return f, nil
	}
	literals := map[int]string{}
	for n, typed := range r.params {
		if n > len(args) {
			return f, wire.Errorf("08P01", "parameter $%d has no value", n)
		}
		if literals[n], err = s.literal(ctx, args[n-1], typed); err != nil {
			return f, err
		}
	}
	for _, text := range []*string{&f.Key, &f.From, &f.To} {
		params, err := paramTokens(*text)
		if err != nil {
			return f, err
		}
		edits := NewEdits(*text)
		for _, t := range params {
			edits.Replace(t.Start, t.End, literals[parameterNumber(t)])
		}
		*text = edits.Apply().SQL
	}
	return f, nil
}

// literal writes a value as a literal of a type.
func (s *session) literal(ctx context.Context, value wire.Value, typed string) (string, error) {
	stmt, err := s.conn.Prepare(ctx, "SELECT CAST(CAST($1 AS "+typed+") AS VARCHAR)")
	if err != nil {
		return "", err
	}
	defer stmt.Close()
	bound, err := bindArgs([]wire.Value{value}, stmt.Params())
	if err != nil {
		return "", err
	}
	rows, err := stmt.Run(ctx, bound, catalog.Materialized)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	chunk, err := rows.Next(ctx)
	if err != nil {
		return "", err
	}
	if chunk.Col(0).IsNull(0) {
		return "NULL", nil
	}
	return quoteLiteral(chunk.Col(0).Strings()[0]), nil
}

// run replays in the writing transaction, and puts the report into the feed.
func (r *replayCall) run(ctx context.Context, s *session, args []wire.Value) error {
	filter, err := r.withArguments(ctx, s, args)
	if err != nil {
		return err
	}
	write, err := s.beginWrite(ctx)
	if err != nil {
		return err
	}
	v, ok := write.View(r.view)
	if !ok {
		return undefinedView(r.text)
	}
	reports, err := write.Replay(ctx, v, filter)
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
