package planner

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// maxCursors bounds the cursors that a session may have open.
const maxCursors = 1_000

// A cursor is a query that DECLARE named. Its rows are kept in a temporary
// table, numbered, so that it can move in both directions and outlive other
// statements and, WITH HOLD, its transaction.
type cursor struct {
	session *session
	columns []wire.Column
	table   string
	rows    int64
	at      int64 // the row that the cursor is on: 0 before the first
	hold    bool
	kept    bool // it has outlived the transaction that declared it
	depth   int  // savepoints that there were when it was declared
	forward bool // NO SCROLL
	scroll  bool // SCROLL
	text    string
	opened  time.Time
}

// planCursor plans DECLARE, FETCH, MOVE and CLOSE.
func (s *session) planCursor(ctx context.Context, st *Statement) (*plan, error) {
	switch n := st.Node.(type) {
	case *DeclareStmt:
		return s.planDeclare(ctx, st, n)
	case *FetchStmt:
		return s.planFetch(st, n)
	case *CloseStmt:
		return s.simplePlan(st.Tag(), func(ctx context.Context, _ *wire.ResultWriter) error { return s.closeNamed(ctx, n) }), nil
	default:
		return nil, wire.Errorf(codeUnsupported, "%s is not supported", st.Tag())
	}
}

func (s *session) planDeclare(ctx context.Context, st *Statement, n *DeclareStmt) (*plan, error) {
	query, err := Parse(st.Text(n.Query))
	if err != nil {
		return nil, within(err, st, n.Query)
	}
	if err := n.check(st, query); err != nil {
		return nil, err
	}
	text, err := s.rewrite(ctx, query)
	if err != nil {
		return nil, within(err, st, n.Query)
	}
	if len(text.notes) > 0 {
		return nil, within(refusedNote(query), st, n.Query)
	}
	stmt, err := s.prepareText(ctx, text, nil)
	if err != nil {
		return nil, within(err, st, n.Query)
	}
	c := &cursor{session: s, columns: s.describeColumns(query, text.catalogs, stmt.Columns()), hold: n.Hold, forward: n.NoScroll, scroll: n.Scroll, text: st.SQL}
	params := stmt.Params()
	stmt.Close()
	return &plan{params: paramTypes(params, nil), run: func(ctx context.Context, args []wire.Value, _ *wire.ResultWriter) (*execution, error) {
		if _, open := s.cursors[n.Name]; open {
			return nil, wire.Errorf("42P03", "cursor \"%s\" already exists", n.Name)
		}
		if !n.Hold && !s.txn.explicit && !s.txn.multiple {
			return nil, wire.Errorf("25P01", "DECLARE CURSOR can only be used in transaction blocks").WithHint("BEGIN first, or declare the cursor WITH HOLD.")
		}
		if len(s.cursors) >= maxCursors {
			return nil, wire.Errorf("53400", "too many open cursors").WithHint("CLOSE some.")
		}
		if err := s.beginRead(ctx, text.original); err != nil {
			return nil, err
		}
		values, err := bindArgs(args, params)
		if err != nil {
			return nil, err
		}
		if err := c.fill(ctx, text.SQL, values); err != nil {
			return nil, translate(err, text.Rewritten)
		}
		c.depth = len(s.txn.savepoints)
		c.opened = time.Now()
		s.cursors[n.Name] = c
		return &execution{tag: "DECLARE CURSOR"}, nil
	}}, nil
}

// check refuses what Postgres does of a DECLARE.
func (n *DeclareStmt) check(st, query *Statement) error {
	if query.Kind != KindSelect {
		return syntaxNear(st.SQL, n.Query.Start+query.Tokens[0].Start, n.Query.Start+query.Tokens[0].End)
	}
	if n.Scroll && n.NoScroll {
		return wire.Errorf("42P11", "cannot specify both SCROLL and NO SCROLL")
	}
	if !n.Scroll && !n.Hold {
		return nil
	}
	for i, t := range query.Tokens[:len(query.Tokens)-1] {
		if next := query.Tokens[i+1]; t.is("for") && (next.is("update") || next.is("share") || next.is("no") || next.is("key")) {
			return wire.Errorf(codeUnsupported, "DECLARE CURSOR ... FOR UPDATE with SCROLL or WITH HOLD is not supported").
				WithDetail("Such cursors must be READ ONLY.")
		}
	}
	return nil
}

// fill runs the query into the cursor's table.
func (c *cursor) fill(ctx context.Context, sql string, args []any) error {
	c.session.cursorNumber++
	c.table = fmt.Sprintf("temp.main.sessiondb_cursor_%d", c.session.cursorNumber)
	names := make([]string, len(c.columns))
	for i := range c.columns {
		names[i] = fmt.Sprintf("c%d", i)
	}
	query := "SELECT * FROM (" + sql + ") AS q(" + joinNames(names) + ")"
	if _, err := c.session.conn.Exec(ctx, "CREATE TEMP TABLE "+c.table[len("temp.main."):]+" AS SELECT row_number() OVER () AS n, * FROM ("+query+")", args...); err != nil {
		return err
	}
	return c.session.conn.QueryRow(ctx, "SELECT count(*) FROM "+c.table, nil, &c.rows)
}

// refuseCurrentOf refuses WHERE CURRENT OF: a cursor's rows are a copy, which
// does not know where they came from.
func refuseCurrentOf(st *Statement) error {
	for i, t := range st.Tokens {
		if t.is("current") && i > 0 && st.Tokens[i-1].is("where") && i+1 < len(st.Tokens) && st.Tokens[i+1].is("of") {
			return errorAt(st.SQL, t.Start, codeUnsupported, "WHERE CURRENT OF is not supported").
				WithHint("Name the row by its key: WHERE id = ….")
		}
	}
	return nil
}

func joinNames(names []string) string {
	var out strings.Builder
	for i, n := range names {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(n)
	}
	return out.String()
}

func (c *cursor) close(ctx context.Context) {
	// The table goes with the connection if it cannot be dropped now.
	_, _ = c.session.conn.Exec(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS "+c.table)
}

// Cursor describes a cursor for the protocol, which takes it for a portal.
func (s *session) Cursor(name string) ([]wire.Column, bool) {
	c, ok := s.cursors[name]
	if !ok {
		return nil, false
	}
	return c.columns, true
}

func (s *session) closeNamed(ctx context.Context, n *CloseStmt) error {
	if n.All {
		s.closeCursors(ctx, func(*cursor) bool { return true })
		return nil
	}
	c, ok := s.cursors[n.Name]
	if !ok {
		return wire.Errorf("34000", "cursor \"%s\" does not exist", n.Name)
	}
	c.close(ctx)
	delete(s.cursors, n.Name)
	return nil
}

// closeCursors closes the cursors for which ends holds.
func (s *session) closeCursors(ctx context.Context, ends func(*cursor) bool) {
	for name, c := range s.cursors {
		if ends(c) {
			c.close(ctx)
			delete(s.cursors, name)
		}
	}
}

// endCursors ends the cursors' part of a transaction: those WITH HOLD outlive
// one that commits.
func (s *session) endCursors(ctx context.Context, committed bool) {
	s.closeCursors(ctx, func(c *cursor) bool {
		c.kept = c.kept || c.hold && committed
		return !c.kept
	})
}

// cutCursors closes the cursors that were declared after a savepoint which is
// gone back to; those after one that is released belong to the one before it.
func (s *session) cutCursors(ctx context.Context, kind Kind, savepoint int) {
	s.closeCursors(ctx, func(c *cursor) bool {
		if c.kept || c.depth <= savepoint {
			return false
		}
		c.depth = savepoint
		return kind == KindRollbackTo
	})
}

func (s *session) planFetch(st *Statement, n *FetchStmt) (*plan, error) {
	c, ok := s.cursors[n.Cursor]
	if !ok {
		return nil, wire.Errorf("34000", "cursor \"%s\" does not exist", n.Cursor)
	}
	p := &plan{}
	if st.Kind == KindFetch {
		p.columns = c.columns
	}
	p.run = func(ctx context.Context, _ []wire.Value, _ *wire.ResultWriter) (*execution, error) {
		if c.forward && c.goesBack(n) {
			return nil, wire.Errorf("55000", "cursor can only scan forward").WithHint("Declare it with SCROLL option to enable backward scan.")
		}
		from, to, reverse := c.move(n)
		count := max(0, to-from+1)
		if st.Kind == KindMove || count == 0 {
			return &execution{tag: fmt.Sprintf("%s %d", st.Tag(), count)}, nil
		}
		return c.fetch(ctx, from, to, reverse)
	}
	return p, nil
}

// goesBack reports whether a FETCH or MOVE would read a row that was passed.
func (c *cursor) goesBack(n *FetchStmt) bool {
	switch n.Direction {
	case FetchAbsolute:
		return n.Count <= c.at
	case FetchRelative:
		return n.Count <= 0
	default:
		return n.Count < 0 || n.Count == 0 && !n.All
	}
}

// fetch streams rows from to to.
func (c *cursor) fetch(ctx context.Context, from, to int64, reverse bool) (*execution, error) {
	order := "n"
	if reverse {
		order = "n DESC"
	}
	rows, err := c.session.conn.Query(ctx, "SELECT * EXCLUDE (n) FROM "+c.table+" WHERE n BETWEEN ? AND ? ORDER BY "+order, from, to)
	if err != nil {
		return nil, err
	}
	return &execution{tag: "FETCH", rows: &rowStream{rows: rows, columns: len(c.columns), fail: func(err error) error { return err }}}, nil
}

// move moves the cursor and returns the rows that it passed, first and last,
// and whether they are to be read backwards.
func (c *cursor) move(n *FetchStmt) (from, to int64, reverse bool) {
	end := c.rows + 1
	switch n.Direction {
	case FetchAbsolute:
		at := n.Count
		if at < 0 {
			at = end + at
		}
		return c.goTo(at)
	case FetchRelative:
		return c.goTo(c.at + n.Count)
	case FetchForward:
	}
	switch {
	case n.All && n.Count < 0:
		from, to = 1, min(c.at-1, c.rows)
		c.at = 0
		return from, to, true
	case n.All:
		from, to = c.at+1, c.rows
		c.at = end
		return from, to, false
	case n.Count < 0:
		from, to = max(c.at+n.Count, 1), c.at-1
		c.at = max(c.at+n.Count, 0)
		return from, to, true
	case n.Count == 0:
		return c.goTo(c.at)
	default:
		from, to = c.at+1, min(c.at+n.Count, c.rows)
		c.at = min(c.at+n.Count, end)
		return from, to, false
	}
}

func (c *cursor) goTo(at int64) (from, to int64, reverse bool) {
	c.at = min(max(at, 0), c.rows+1)
	if c.at < 1 || c.at > c.rows {
		return 1, 0, false
	}
	return c.at, c.at, false
}
