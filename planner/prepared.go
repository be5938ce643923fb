package planner

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// maxPrepared bounds the statements that SQL's PREPARE may keep per session.
const maxPrepared = 10_000

// sqlPrepared is a statement that SQL's PREPARE named.
type sqlPrepared struct {
	statement *Statement
	plan      *plan
	params    []uint32 // of the parameters that it was declared with, used or not
	text      string   // of the PREPARE
	at        time.Time
}

func (p *sqlPrepared) close() {
	if p.plan.close != nil {
		p.plan.close()
	}
}

// planPrepared plans PREPARE, EXECUTE and DEALLOCATE.
func (s *session) planPrepared(ctx context.Context, st *Statement) (*plan, error) {
	switch n := st.Node.(type) {
	case *PrepareStmt:
		return s.simplePlan("PREPARE", func(ctx context.Context, _ *wire.ResultWriter) error { return s.prepareNamed(ctx, st, n) }), nil
	case *ExecuteStmt:
		return s.planExecute(ctx, st, n)
	case *CloseStmt:
		return s.simplePlan(st.Tag(), func(context.Context, *wire.ResultWriter) error { return s.deallocate(n) }), nil
	default:
		return nil, wire.Errorf(codeUnsupported, "%s is not supported", st.Tag())
	}
}

func (s *session) prepareNamed(ctx context.Context, st *Statement, n *PrepareStmt) error {
	if _, ok := s.prepared[n.Name]; ok {
		return wire.Errorf("42P05", "prepared statement \"%s\" already exists", n.Name).WithHint("DEALLOCATE it first.")
	}
	if len(s.prepared) >= maxPrepared {
		return wire.Errorf("53400", "too many prepared statements").WithHint("DEALLOCATE some, or DEALLOCATE ALL.")
	}
	body, err := Parse(st.Text(n.Body))
	if err != nil {
		return within(err, st, n.Body)
	}
	switch body.Kind {
	case KindSelect, KindInsert, KindUpdate, KindDelete, KindMerge:
	default:
		return syntaxNear(st.SQL, n.Body.Start+body.Tokens[0].Start, n.Body.Start+body.Tokens[0].End)
	}
	oids := make([]uint32, len(n.Types))
	for i, t := range n.Types {
		if oids[i], err = s.typeOID(ctx, st.Text(t)); err != nil {
			return at(err, charPosition(st.SQL, t.Start))
		}
	}
	if err := body.checkParams(oids, false); err != nil {
		return err
	}
	p, err := s.plan(ctx, body, oids)
	if err != nil {
		return within(err, st, n.Body)
	}
	if used := len(p.params); used > len(oids) {
		oids = append(oids, p.params[len(oids):]...)
	}
	s.prepared[n.Name] = &sqlPrepared{statement: body, plan: p, params: oids, text: st.SQL, at: time.Now()}
	return nil
}

// typeOID is the OID of a type that is written in SQL.
func (s *session) typeOID(ctx context.Context, text string) (uint32, error) {
	stmt, err := s.conn.Prepare(ctx, "SELECT CAST(NULL AS "+text+")")
	if err != nil {
		return 0, err
	}
	defer stmt.Close()
	return oidOf(stmt.Columns()[0].Type), nil
}

// planExecute evaluates the arguments, which must be constant, and runs the
// named statement with them.
func (s *session) planExecute(ctx context.Context, st *Statement, n *ExecuteStmt) (*plan, error) {
	p, err := s.preparedFor(n)
	if err != nil {
		return nil, err
	}
	var args []wire.Value
	if len(n.Args) > 0 {
		if args, err = s.evaluate(ctx, st, n.Args, p.params); err != nil {
			return nil, err
		}
	}
	return &plan{columns: p.plan.columns, control: p.plan.control, run: func(ctx context.Context, _ []wire.Value, out *wire.ResultWriter) (*execution, error) {
		exec, err := p.plan.run(ctx, args[:len(p.plan.params)], out)
		if err != nil {
			return nil, violated(err, p.statement)
		}
		return exec, nil
	}}, nil
}

// executed is the query that an EXECUTE runs, with its arguments written out.
func (s *session) executed(st *Statement, n *ExecuteStmt) (string, error) {
	p, err := s.preparedFor(n)
	if err != nil {
		return "", err
	}
	body := p.statement
	if body.Kind != KindSelect {
		return "", wire.Errorf("42809", "prepared statement is not a SELECT")
	}
	edits := NewEdits(body.SQL)
	for _, t := range body.Tokens {
		if i := parameterNumber(t) - 1; t.Kind == TokenParam && i < len(n.Args) {
			value := "(" + st.Text(n.Args[i]) + ")"
			if name, ok := duckdbTypeOf(p.params[i]); ok {
				value = "CAST(" + value + " AS " + name + ")"
			}
			edits.Replace(t.Start, t.End, value)
		}
	}
	return edits.Apply().SQL, nil
}

// preparedFor is the statement that an EXECUTE names, which has as many
// parameters as it gives.
func (s *session) preparedFor(n *ExecuteStmt) (*sqlPrepared, error) {
	p, ok := s.prepared[n.Name]
	if !ok {
		return nil, wire.Errorf("26000", "prepared statement \"%s\" does not exist", n.Name)
	}
	if len(n.Args) != len(p.params) {
		return nil, wire.Errorf(codeSyntax, "wrong number of parameters for prepared statement \"%s\"", n.Name).
			WithDetail("Expected %d parameters but got %d.", len(p.params), len(n.Args))
	}
	return p, nil
}

// evaluate computes the arguments of EXECUTE as text, and reads them as the
// parameters' types.
func (s *session) evaluate(ctx context.Context, st *Statement, args []Range, oids []uint32) ([]wire.Value, error) {
	query := "SELECT "
	starts := make([]int, len(args))
	for i, a := range args {
		if i > 0 {
			query += ", "
		}
		query += "CAST(("
		starts[i] = len(query)
		query += st.Text(a) + ") AS VARCHAR)"
	}
	rows, err := s.conn.Query(ctx, query)
	if err != nil {
		return nil, inArgument(err, st, args, starts)
	}
	defer rows.Close()
	chunk, err := rows.Next(ctx)
	if err != nil {
		return nil, inArgument(err, st, args, starts)
	}
	values := make([]wire.Value, len(args))
	for i, a := range args {
		if chunk.Col(i).IsNull(0) {
			continue
		}
		if values[i], err = wire.ParseText(oids[i], strings.Clone(chunk.Col(i).Strings()[0]), s.settings.location()); err != nil {
			return nil, at(err, charPosition(st.SQL, a.Start))
		}
	}
	return values, nil
}

// at gives an error a position.
func at(err error, position int) error {
	if w, ok := errors.AsType[*wire.Error](err); ok {
		return w.WithPosition(position)
	}
	return &positioned{error: err, position: position}
}

// inArgument moves the position of an error in the query that computes the
// arguments to that of the argument, which starts in the query at starts.
func inArgument(err error, st *Statement, args []Range, starts []int) error {
	var located *catalog.Error
	if !errors.As(err, &located) {
		return err
	}
	for i, a := range args {
		if offset := located.Position - starts[i]; offset >= 0 && offset <= a.End-a.Start {
			return &positioned{error: err, position: charPosition(st.SQL, a.Start+offset)}
		}
	}
	return err
}

func (s *session) deallocate(n *CloseStmt) error {
	if n.All {
		s.deallocateAll()
		return nil
	}
	if p, ok := s.prepared[n.Name]; ok {
		p.close()
		delete(s.prepared, n.Name)
		return nil
	}
	if s.client.Deallocate(n.Name) {
		return nil
	}
	return wire.Errorf("26000", "prepared statement \"%s\" does not exist", n.Name)
}

func (s *session) deallocateAll() {
	for name, p := range s.prepared {
		p.close()
		delete(s.prepared, name)
	}
	s.client.DeallocateAll()
}
