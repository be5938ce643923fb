package planner

import (
	"context"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/sessionop"
	"github.com/sessiondb/sessiondb/wire"
)

// planCall plans CALL of the procedures of schema sessiondb: they move a
// view's watermark by hand.
func (s *session) planCall(st *Statement) (*plan, error) {
	call := st.Node.(*CallStmt).Call
	if call.Name.Schema() != "sessiondb" {
		return nil, errorAt(st.SQL, call.Name.Range.Start, "42883", "procedure %s does not exist", strings.Join(call.Name.Parts, ".")).
			WithHint("There are sessiondb.advance_watermark, sessiondb.reset_watermark and sessiondb.mark_idle.")
	}
	kind, least, most := markKind(call.Name.Last())
	if most == 0 {
		return nil, errorAt(st.SQL, call.Name.Range.Start, "42883", "procedure sessiondb.%s does not exist", call.Name.Last()).
			WithHint("There are sessiondb.advance_watermark, sessiondb.reset_watermark and sessiondb.mark_idle.")
	}
	if len(call.Args) < least || len(call.Args) > most {
		return nil, errorAt(st.SQL, call.Name.Range.Start, "42883", "procedure sessiondb.%s takes %d or %d arguments", call.Name.Last(), least, most).
			WithHint("Write CALL sessiondb.advance_watermark('view', TIMESTAMPTZ '…' [, 'partition']) or CALL sessiondb.mark_idle('view', 'partition').")
	}
	types := make([]uint32, st.Params)
	for i := range types {
		types[i] = wire.OIDText
	}
	return &plan{params: types, run: func(ctx context.Context, args []wire.Value, _ *wire.ResultWriter) (*execution, error) {
		return &execution{tag: "CALL"}, s.mark(ctx, st, call, kind, args)
	}}, nil
}

// markKind is what a procedure does, and how many arguments it takes.
func markKind(procedure string) (kind sessionop.MarkKind, least, most int) {
	switch procedure {
	case "advance_watermark":
		return sessionop.Advance, 2, 3
	case "reset_watermark":
		return sessionop.Reset, 2, 3
	case "mark_idle":
		return sessionop.Idle, 2, 2
	default:
		return 0, 0, 0
	}
}

func (s *session) mark(ctx context.Context, st *Statement, call Call, kind sessionop.MarkKind, args []wire.Value) error {
	exprs := make([]string, len(call.Args))
	for i, a := range call.Args {
		exprs[i] = st.Text(a.Value)
	}
	time := 1
	if kind == sessionop.Idle {
		time = -1
	}
	values, err := s.callArguments(ctx, exprs, time, args)
	if err != nil {
		return err
	}
	write, err := s.beginWrite(ctx)
	if err != nil {
		return err
	}
	v, ok := write.View(relationText(values[0].text))
	if !ok {
		return errorAt(st.SQL, call.Args[0].Value.Start, "42P01", "materialized view \"%s\" does not exist", values[0].text).
			WithHint("SELECT view_name FROM sessiondb.views lists them.")
	}
	mark := sessionop.Mark{Kind: kind}
	if kind == sessionop.Idle {
		mark.Partition = values[1].text
	} else {
		mark.Time = values[1].micros
		if len(values) < 3 {
			return write.MarkAll(ctx, v, kind, mark.Time)
		}
		mark.Partition = values[2].text
	}
	return write.Mark(ctx, v, mark)
}

// argument values of a CALL: text, or a time in microseconds.
type callValue struct {
	text   string
	micros int64
}

// callArguments evaluates the arguments; the one at index time is a time.
func (s *session) callArguments(ctx context.Context, exprs []string, time int, args []wire.Value) ([]callValue, error) {
	list := make([]string, len(exprs))
	for i, e := range exprs {
		list[i] = "CAST((" + e + ") AS VARCHAR)"
		if i == time {
			list[i] = "epoch_us(CAST((" + e + ") AS TIMESTAMPTZ))"
		}
	}
	stmt, err := s.conn.Prepare(ctx, "SELECT "+strings.Join(list, ", "))
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	bound, err := bindArgs(args, stmt.Params())
	if err != nil {
		return nil, err
	}
	rows, err := stmt.Run(ctx, bound, catalog.Materialized)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	chunk, err := rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	values := make([]callValue, len(exprs))
	for i := range exprs {
		switch {
		case chunk.Col(i).IsNull(0):
			return nil, wire.Errorf("22004", "an argument is null").WithHint("Every argument must have a value.")
		case i == time:
			values[i].micros = chunk.Col(i).Int64s()[0]
		default:
			values[i].text = strings.Clone(chunk.Col(i).Strings()[0])
		}
	}
	return values, nil
}

// relationText is the relation that a string names.
func relationText(text string) catalog.TableName {
	parts := strings.Split(text, ".")
	name := Name{}
	for _, p := range parts {
		if q := strings.Trim(p, `"`); q != p {
			name.Parts = append(name.Parts, q)
			continue
		}
		name.Parts = append(name.Parts, foldCase(p))
	}
	return tableName(name)
}
