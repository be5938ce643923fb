package planner

import (
	"context"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// maxPrepared bounds the statements that SQL's PREPARE may keep per session.
const maxPrepared = 10_000

// sqlPrepared is a statement that SQL's PREPARE named.
type sqlPrepared struct {
	statement *Statement
	plan      *plan
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
	oids := make([]uint32, len(n.Types))
	for i, t := range n.Types {
		if oids[i], err = s.typeOID(ctx, st.Text(t)); err != nil {
			return err
		}
	}
	p, err := s.plan(ctx, body, oids)
	if err != nil {
		return within(err, st, n.Body)
	}
	s.prepared[n.Name] = &sqlPrepared{body, p}
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
	p, ok := s.prepared[n.Name]
	if !ok {
		return nil, wire.Errorf("26000", "prepared statement \"%s\" does not exist", n.Name)
	}
	if len(n.Args) != len(p.plan.params) {
		return nil, wire.Errorf(codeSyntax, "wrong number of parameters for prepared statement \"%s\"", n.Name).
			WithDetail("Expected %d parameters but got %d.", len(p.plan.params), len(n.Args))
	}
	var args []wire.Value
	if len(n.Args) > 0 {
		var err error
		if args, err = s.evaluate(ctx, st, n.Args, p.plan.params); err != nil {
			return nil, err
		}
	}
	return &plan{columns: p.plan.columns, control: p.plan.control, run: func(ctx context.Context, _ []wire.Value, out *wire.ResultWriter) (*execution, error) {
		return p.plan.run(ctx, args, out)
	}}, nil
}

// evaluate computes the arguments of EXECUTE as text, and reads them as the
// parameters' types.
func (s *session) evaluate(ctx context.Context, st *Statement, args []Range, oids []uint32) ([]wire.Value, error) {
	exprs := make([]string, len(args))
	for i, a := range args {
		exprs[i] = "CAST((" + st.Text(a) + ") AS VARCHAR)"
	}
	rows, err := s.conn.Query(ctx, "SELECT "+strings.Join(exprs, ", "))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	chunk, err := rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	values := make([]wire.Value, len(args))
	for i := range args {
		if chunk.Col(i).IsNull(0) {
			continue
		}
		if values[i], err = wire.ParseText(oids[i], strings.Clone(chunk.Col(i).Strings()[0]), s.settings.location()); err != nil {
			return nil, err
		}
	}
	return values, nil
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
