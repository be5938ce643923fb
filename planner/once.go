package planner

import (
	"context"

	"github.com/sessiondb/sessiondb/wire"
)

// An upsert or a MERGE that comes to a row a second time is an error in
// Postgres; DuckDB lets one of the changes win.

// once checks before an upsert or a MERGE runs that it can touch each row once,
// as far as that can be told, and returns the check that follows with the
// number of rows that it changed.
func (d *dml) once(ctx context.Context, args []any) (after func(changed int64) error, err error) {
	after = func(int64) error { return nil }
	switch n := d.statement.Node.(type) {
	case *InsertStmt:
		if n.Conflict != ConflictUpdate || d.stmt == nil {
			return after, nil
		}
	case *MergeStmt:
	default:
		return after, nil
	}
	st, err := d.parsed()
	if err != nil {
		return nil, err
	}
	if n, ok := st.Node.(*MergeStmt); ok {
		return after, d.mergesOnce(ctx, st, n, args)
	}
	n, ok := st.Node.(*InsertStmt)
	if !ok || st.hasCondition(n.OnConflict) {
		return after, nil // a condition may have left rows out
	}
	proposed, err := d.proposed(ctx, st, n, args)
	if err != nil {
		return nil, err
	}
	return func(changed int64) error {
		if changed >= proposed {
			return nil
		}
		return wire.Errorf("21000", "ON CONFLICT DO UPDATE command cannot affect row a second time").
			WithHint("Ensure that no rows proposed for insertion within the same command have duplicate constrained values.")
	}, nil
}

// hasCondition reports whether DO UPDATE has a WHERE.
func (s *Statement) hasCondition(onConflict Range) bool {
	depth, updates := 0, false
	for _, t := range s.tokensIn(onConflict) {
		depth += nesting(t, Token{})
		updates = updates || t.is("update")
		if depth == 0 && updates && t.is("where") {
			return true
		}
	}
	return false
}

// proposed is how many rows an INSERT is given.
func (d *dml) proposed(ctx context.Context, st *Statement, n *InsertStmt, args []any) (rows int64, err error) {
	switch n.Source {
	case InsertDefaults:
		return 1, nil
	case InsertValues:
		depth := 0
		for _, t := range st.tokensIn(n.Body) {
			if depth == 0 && t.isPunct("(") {
				rows++
			}
			depth += nesting(t, Token{})
		}
	case InsertQuery:
		a := newAssembly(st, d.text.Rewritten)
		a.copy(st.withClause())
		a.write("SELECT count(*) FROM (")
		a.copy(n.Body)
		a.write(")")
		err = d.count(ctx, a.query(), args, &rows)
	}
	return rows, err
}

// count runs a query for one number.
func (d *dml) count(ctx context.Context, q *query, args []any, n *int64) error {
	return translate(d.session.conn.QueryRow(ctx, q.SQL, pick(q, args), n), q.Rewritten)
}

// mergesOnce fails if two rows of the source would update or delete one row.
func (d *dml) mergesOnce(ctx context.Context, st *Statement, n *MergeStmt, args []any) error {
	if n.On.Empty() {
		return nil
	}
	a := newAssembly(st, d.text.Rewritten)
	a.copy(st.withClause())
	a.write("SELECT count(*) FROM (SELECT 1 FROM " + aliased(n.Target, n.Alias) + " JOIN ")
	a.copy(n.Using)
	a.clause(" ON ", n.On)
	a.write(" WHERE CASE")
	touches := false
	for _, w := range st.matchedActions(n.Whens) {
		a.write(" WHEN true")
		a.clause(" AND ", w.condition)
		if w.touches {
			a.write(" THEN true")
			touches = true
		} else {
			a.write(" THEN false")
		}
	}
	a.write(" ELSE false END GROUP BY " + quoteIdent(aliasOf(n.Target, n.Alias)) + ".rowid HAVING count(*) > 1)")
	if !touches {
		return nil
	}
	var rows int64
	if err := d.count(ctx, a.query(), args, &rows); err != nil || rows == 0 {
		return err
	}
	return wire.Errorf("21000", "MERGE command cannot affect row a second time").
		WithHint("Ensure that not more than one source row matches any one target row.")
}

// A matchedAction is one WHEN MATCHED of a MERGE.
type matchedAction struct {
	condition Range
	touches   bool // it updates or deletes
}

// matchedActions are the WHEN MATCHED of a MERGE, in order.
func (s *Statement) matchedActions(whens Range) []matchedAction {
	var list []matchedAction
	p := &parser{sql: s.SQL, toks: s.tokensIn(whens)}
	for p.accept("when") {
		w := matchedAction{}
		matched := p.accept("matched")
		if !matched {
			p.scan(func(p *parser) bool { return p.at("and") || p.at("then") })
		}
		if p.accept("and") {
			w.condition = p.scanTo("then")
		}
		p.accept("then")
		w.touches = p.at("update") || p.at("delete")
		p.scanTo("when")
		if matched {
			list = append(list, w)
		}
	}
	return list
}
