package planner

import (
	"context"
	"errors"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/sessionop"
	"github.com/sessiondb/sessiondb/wire"
)

// planCall plans CALL of the procedures of schema sessiondb: they move a
// view's watermark by hand.
func (s *session) planCall(ctx context.Context, st *Statement, oids []uint32) (*plan, error) {
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
		return nil, errorAt(st.SQL, call.Name.Range.Start, "42883", "procedure sessiondb.%s does not take %d arguments", call.Name.Last(), len(call.Args)).
			WithHint("Write CALL sessiondb.advance_watermark('view', TIMESTAMPTZ '…' [, 'partition']) or CALL sessiondb.mark_idle('view', 'partition').")
	}
	values := st.callArguments(call, kind)
	params, err := s.callParams(ctx, st, values, oids)
	if err != nil {
		return nil, err
	}
	return &plan{params: params, run: func(ctx context.Context, args []wire.Value, _ *wire.ResultWriter) (*execution, error) {
		return &execution{tag: "CALL"}, s.mark(ctx, st, call, kind, values, args)
	}}, nil
}

// callArguments is the query for the arguments: texts, and a time in
// microseconds.
func (s *Statement) callArguments(call Call, kind sessionop.MarkKind) *query {
	a := newAssembly(s, nil)
	separator := "SELECT "
	for i, arg := range call.Args {
		a.write(separator)
		separator = ", "
		if i == timeArgument(kind) {
			a.write("epoch_us(CAST((")
			a.copy(arg.Value)
			a.write(") AS TIMESTAMPTZ))")
		} else {
			a.write("CAST((")
			a.copy(arg.Value)
			a.write(") AS VARCHAR)")
		}
	}
	return a.query()
}

// timeArgument is the place of the time among the arguments; -1: there is none.
func timeArgument(kind sessionop.MarkKind) int {
	if kind == sessionop.Idle {
		return -1
	}
	return 1
}

// callParams are the types of the parameters.
func (s *session) callParams(ctx context.Context, st *Statement, values *query, oids []uint32) ([]uint32, error) {
	types := make([]uint32, st.Params)
	for i := range types {
		types[i] = wire.OIDText
	}
	if st.Params == 0 {
		return types, nil
	}
	stmt, err := s.conn.Prepare(ctx, values.SQL)
	if err != nil {
		return nil, translate(err, values.Rewritten)
	}
	defer stmt.Close()
	for i, oid := range paramTypes(stmt.Params(), nil) {
		types[values.params[i]-1] = oid
	}
	return declared(types, oids), nil
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

func (s *session) mark(ctx context.Context, st *Statement, call Call, kind sessionop.MarkKind, arguments *query, args []wire.Value) error {
	values, err := s.callValues(ctx, st, call, arguments, timeArgument(kind), args)
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
	err = write.Mark(ctx, v, mark)
	var unknown interface{ SQLState() string }
	if errors.As(err, &unknown) && unknown.SQLState() == "42704" {
		return at(err, charPosition(st.SQL, call.Args[len(values)-1].Value.Start))
	}
	return err
}

// argument values of a CALL: text, or a time in microseconds.
type callValue struct {
	text   string
	micros int64
}

// callValues evaluates the arguments; the one at index time is a time.
func (s *session) callValues(ctx context.Context, st *Statement, call Call, arguments *query, time int, args []wire.Value) ([]callValue, error) {
	stmt, err := s.conn.Prepare(ctx, arguments.SQL)
	if err != nil {
		return nil, translate(err, arguments.Rewritten)
	}
	defer stmt.Close()
	bound, err := bindArgs(pick(arguments, args), stmt.Params())
	if err != nil {
		return nil, err
	}
	rows, err := stmt.Run(ctx, bound, catalog.Materialized)
	if err != nil {
		return nil, translate(err, arguments.Rewritten)
	}
	defer rows.Close()
	chunk, err := rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	values := make([]callValue, chunk.Cols())
	for i := range values {
		switch {
		case chunk.Col(i).IsNull(0) && i == time:
			return nil, errorAt(st.SQL, call.Args[i].Value.Start, "22023", "a watermark cannot be null or infinite").
				WithHint("Write a time, such as TIMESTAMPTZ '2026-10-06 09:00:00+00'.")
		case chunk.Col(i).IsNull(0):
			return nil, errorAt(st.SQL, call.Args[i].Value.Start, "22004", "an argument is null").WithHint("Every argument must have a value.")
		case i == time:
			values[i].micros = chunk.Col(i).Int64s()[0]
		default:
			values[i].text = strings.Clone(chunk.Col(i).Strings()[0])
		}
	}
	return values, nil
}

// relationText is the relation that a string names, as SQL would: parts may be in
// double quotes. A string that is no name in SQL is the relation's very name.
func relationText(text string) catalog.TableName {
	if toks, err := Lex(text); err == nil {
		p := &parser{sql: text, toks: significant(toks)}
		if name, err := p.name(); err == nil && p.done() {
			return tableName(name)
		}
	}
	return tableName(Name{Parts: []string{text}})
}
