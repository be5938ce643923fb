package planner

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// Statements that write to a table. Where maintained views read the table,
// the rows that they change are captured with them: DuckDB evaluates each
// view's projection in the RETURNING list of an INSERT or a DELETE; an UPDATE
// is computed first and then applied by row; for MERGE and upserts the table
// is compared with what it was.

// planDML plans INSERT, UPDATE, DELETE, MERGE and TRUNCATE.
func (s *session) planDML(ctx context.Context, st *Statement, oids []uint32) (*plan, error) {
	if err := s.refuses(st); err != nil {
		return nil, err
	}
	if err := refuseCurrentOf(st); err != nil {
		return nil, err
	}
	if truncate, ok := st.Node.(*TruncateStmt); ok {
		return s.planTruncate(truncate), nil
	}
	if p, ok := s.planValues(ctx, st, oids); ok {
		return p, nil
	}
	text, err := s.rewrite(ctx, st)
	if err != nil {
		return nil, err
	}
	stmt, err := s.prepareText(ctx, text, oids)
	if err != nil {
		return nil, err
	}
	st = text.statement
	d := &dml{session: s, statement: st, text: text, stmt: stmt, target: dmlTarget(st)}
	p := &plan{params: paramTypes(stmt.Params(), oids), close: stmt.Close}
	p.run = func(ctx context.Context, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
		if s.outdated(ctx, text) {
			return s.runAnew(ctx, p, text.original, oids, args, out)
		}
		return d.run(ctx, args, out)
	}
	if returning := dmlReturning(st); !returning.Empty() {
		p.columns = s.describeColumns(st, false, stmt.Columns())
	}
	d.columns = len(p.columns)
	return p, nil
}

// dml is a planned statement that writes to one table.
type dml struct {
	session   *session
	statement *Statement
	text      *rewritten
	stmt      *catalog.Stmt // the statement as DuckDB would run it alone; nil: it reads a feed
	target    Name
	columns   int // that the client sees
}

func dmlTarget(st *Statement) Name {
	switch n := st.Node.(type) {
	case *InsertStmt:
		return n.Target
	case *UpdateStmt:
		return n.Target
	case *DeleteStmt:
		return n.Target
	case *MergeStmt:
		return n.Target
	case *CopyStmt:
		return n.Target
	default:
		return Name{}
	}
}

func dmlReturning(st *Statement) Range {
	switch n := st.Node.(type) {
	case *InsertStmt:
		return n.Returning
	case *UpdateStmt:
		return n.Returning
	case *DeleteStmt:
		return n.Returning
	case *MergeStmt:
		return n.Returning
	default:
		return Range{}
	}
}

// run executes the statement in the writing transaction; on a temporary table
// no lock is needed.
func (d *dml) run(ctx context.Context, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
	s := d.session
	s.notices = append(s.notices, d.text.notices...)
	nested, text, err := s.prepareNested(ctx, d.text, d.stmt.Params(), args)
	if err != nil {
		return nil, err
	}
	if nested != nil {
		defer nested.Close()
		again := *d
		again.text, again.stmt = text, nested
		d = &again
	}
	values, err := bindArgs(args, d.stmt.Params())
	if err != nil {
		return nil, err
	}
	var views []*catalog.View
	if !s.isTemp(d.target) {
		write, err := s.beginWrite(ctx)
		if err != nil {
			return nil, err
		}
		views = write.SourceViews(tableName(d.target))
	}
	if err := s.beginRead(ctx, d.text.original); err != nil {
		return nil, err
	}
	after, err := d.once(ctx, values)
	if err != nil {
		return nil, err
	}
	n, err := d.apply(ctx, views, values, out)
	if err != nil {
		return nil, translate(err, d.text.Rewritten)
	}
	if err := after(n); err != nil {
		return nil, err
	}
	if n > 0 && s.txn.write != nil && !s.isTemp(d.target) {
		s.txn.write.Changed()
	}
	return &execution{tag: tagOf(d.statement, n)}, nil
}

// apply runs the statement and returns how many rows it changed.
func (d *dml) apply(ctx context.Context, views []*catalog.View, args []any, out *wire.ResultWriter) (int64, error) {
	for _, v := range views {
		if err := d.session.txn.write.Track(ctx, v); err != nil {
			return 0, err
		}
	}
	if len(views) == 0 {
		return d.plain(ctx, args, out)
	}
	st, err := d.parsed()
	if err != nil {
		return 0, err
	}
	switch n := st.Node.(type) {
	case *InsertStmt:
		if n.Conflict == ConflictUpdate || n.Conflict == ConflictReplace {
			return d.compare(ctx, st, views, args, out)
		}
		return d.capture(ctx, views, args, out, d.session.txn.write.Arrive)
	case *DeleteStmt:
		return d.delete(ctx, st, n, views, args, out)
	case *UpdateStmt:
		if n.simple() {
			return d.update(ctx, st, n, views, args, out)
		}
	}
	return d.compare(ctx, st, views, args, out)
}

// parsed is the statement as DuckDB gets it, taken apart.
func (d *dml) parsed() (*Statement, error) {
	if d.stmt == nil { // the rows are fed
		return d.statement, nil
	}
	return Parse(d.text.SQL)
}

// withClause is the WITH that opens the statement.
func (s *Statement) withClause() Range { return Range{0, s.Tokens[s.Verb].Start} }

// numbersRows fails for a table with a column of the name by which DuckDB gives
// the number of a row: its rows cannot be told apart.
func (s *session) numbersRows(ctx context.Context, table catalog.TableName) error {
	columns, err := s.describeTable(ctx, table.SQL())
	if err != nil {
		return err
	}
	return rowsNumbered(table, columns)
}

// rowsNumbered is numbersRows where the columns are known.
func rowsNumbered(table catalog.TableName, columns []catalog.Column) error {
	for _, c := range columns {
		if strings.EqualFold(c.Name, "rowid") {
			return wire.Errorf(codeUnsupported, "a table under a materialized view cannot have a column called rowid").
				WithHint("ALTER TABLE %s RENAME COLUMN %s TO another_name.", quoteIdent(table.Name), quoteIdent(c.Name))
		}
	}
	return nil
}

// plain runs the statement as DuckDB would alone.
func (d *dml) plain(ctx context.Context, args []any, out *wire.ResultWriter) (int64, error) {
	if d.stmt == nil {
		return d.session.conn.Exec(ctx, d.text.SQL, args...)
	}
	mode := catalog.Streaming
	if d.stmt.Columns() == nil {
		mode = catalog.Materialized
	}
	rows, err := d.stmt.Run(ctx, args, mode)
	if err != nil {
		return 0, err
	}
	return d.send(ctx, rows, nil, out)
}

// send sends the client's columns of the rows that a statement returned, if it
// sees any, and returns how many rows there were; each is shown every chunk.
func (d *dml) send(ctx context.Context, rows *catalog.Rows, each func(*catalog.Chunk) error, out *wire.ResultWriter) (int64, error) {
	stream := &rowStream{rows: rows, columns: d.columns, each: each, fail: func(err error) error { return err }}
	defer stream.close()
	if len(rows.Columns()) == 0 {
		return rows.Changed(), nil
	}
	if d.columns == 0 {
		return stream.drain(ctx)
	}
	n, _, err := stream.send(ctx, out, 0)
	return n, err
}

// start runs a statement with more in its RETURNING list. That of rows from a
// feed has the same text each time, and its plan is kept by the connection.
func (d *dml) start(ctx context.Context, sql string, args []any) (rows *catalog.Rows, stop func(), err error) {
	if d.stmt == nil {
		rows, err = d.session.conn.Query(ctx, sql, args...)
		return rows, func() {}, err
	}
	stmt, err := d.session.conn.Prepare(ctx, sql)
	if err != nil {
		return nil, nil, err
	}
	if rows, err = stmt.Run(ctx, args, catalog.Streaming); err != nil {
		stmt.Close()
		return nil, nil, err
	}
	return rows, stmt.Close, nil
}

// capture runs an INSERT or DELETE with the views' projections added to its
// RETURNING list, and gives each view its part of every row.
func (d *dml) capture(ctx context.Context, views []*catalog.View, args []any, out *wire.ResultWriter, take func(context.Context, *catalog.View, *catalog.Chunk, int) error) (int64, error) {
	return d.captureFrom(ctx, d.withReturning, nil, views, args, out, take)
}

// captureFrom does so with the rows that query returns, given the expressions
// that text adds to the client's columns. If numbers is not nil, it gathers the
// numbers of the rows.
func (d *dml) captureFrom(ctx context.Context, text func(exprs []string) *query, numbers *rowNumbers, views []*catalog.View, args []any, out *wire.ResultWriter,
	take func(context.Context, *catalog.View, *catalog.Chunk, int) error,
) (int64, error) {
	exprs, offsets := []string{}, make([]int, len(views))
	base := newBaseCapture(d.session, d.target, views)
	for i, v := range views {
		offsets[i] = d.columns + len(exprs)
		if v.Contract.Plain {
			exprs = append(exprs, v.Projection()...)
		}
	}
	if numbers != nil {
		numbers.column = d.columns + len(exprs)
		exprs = append(exprs, "rowid")
	}
	at := d.columns + len(exprs)
	if base.needed() {
		exprs = append(exprs, "*")
	}
	q := text(exprs)
	rows, stop, err := d.start(ctx, q.SQL, pick(q, args))
	if err != nil {
		return 0, translate(err, q.Rewritten)
	}
	defer stop()
	base.open(rows.Columns(), at)
	n, err := d.send(ctx, rows, func(c *catalog.Chunk) error {
		for i, v := range views {
			if !v.Contract.Plain {
				continue
			}
			if err := take(ctx, v, c, offsets[i]); err != nil {
				return err
			}
		}
		numbers.add(c)
		return base.add(c)
	}, out)
	if err != nil {
		return 0, translate(err, q.Rewritten)
	}
	return n, base.project(ctx, take)
}

// withReturning is the rewritten statement with expressions added to its
// RETURNING list.
func (d *dml) withReturning(exprs []string) *query {
	text := *d.text.Rewritten
	if d.columns > 0 {
		text.SQL += ", "
	} else {
		text.SQL += " RETURNING "
	}
	text.SQL += strings.Join(exprs, ", ")
	q := &query{Rewritten: &text}
	if d.stmt != nil {
		for i := range d.stmt.Params() {
			q.params = append(q.params, i+1)
		}
	}
	return q
}

// baseCapture keeps whole rows of the base table for views whose source is a
// query over it, and sends them through that query when the statement is done.
type baseCapture struct {
	session *session
	views   []*catalog.View
	target  Name
	offset  int
	rows    *catalog.ColumnSet
	columns []catalog.Column
}

func newBaseCapture(s *session, target Name, views []*catalog.View) *baseCapture {
	b := &baseCapture{session: s, target: target}
	for _, v := range views {
		if !v.Contract.Plain {
			b.views = append(b.views, v)
		}
	}
	return b
}

func (b *baseCapture) needed() bool { return len(b.views) > 0 }

// open says where in the result the base table's columns stand.
func (b *baseCapture) open(columns []catalog.Column, at int) {
	if !b.needed() {
		return
	}
	b.offset, b.columns = at, columns[at:]
	types := make([]catalog.Type, len(b.columns))
	for i, col := range b.columns {
		types[i] = col.Type
	}
	b.rows = catalog.NewColumns(types)
}

func (b *baseCapture) add(c *catalog.Chunk) error {
	if !b.needed() {
		return nil
	}
	for i := range b.columns {
		b.rows.AppendVector(i, c.Col(b.offset+i), 0, c.Rows())
	}
	return b.rows.Err()
}

// project gives each view its projection of the rows.
func (b *baseCapture) project(ctx context.Context, take func(context.Context, *catalog.View, *catalog.Chunk, int) error) error {
	if b.rows == nil {
		return nil
	}
	for _, v := range b.views {
		err := b.session.txn.write.ProjectRows(ctx, b.columns, b.rows, v.ProjectSQL, func(c *catalog.Chunk) error {
			return take(ctx, v, c, 0)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// simple reports whether every assignment sets one column to an expression.
func (n *UpdateStmt) simple() bool {
	for _, item := range n.Set {
		if item.Multi || len(item.Columns) != 1 {
			return false
		}
	}
	return n.CurrentOf == ""
}

// update computes the new rows beside the old ones, gives the views both, and
// applies them by row.
func (d *dml) update(ctx context.Context, st *Statement, n *UpdateStmt, views []*catalog.View, args []any, out *wire.ResultWriter) (int64, error) {
	u, err := d.newUpdate(ctx, st, n)
	if err != nil {
		return 0, err
	}
	if u == nil {
		return d.compare(ctx, st, views, args, out)
	}
	if err := u.read(ctx, args); err != nil {
		return 0, err
	}
	if u.rows.Rows() == 0 {
		return 0, nil
	}
	for _, v := range views {
		if err := u.replace(ctx, v); err != nil {
			return 0, err
		}
	}
	changed, err := u.apply(ctx)
	if err != nil {
		return 0, err
	}
	if d.columns == 0 {
		return changed, nil
	}
	return changed, u.returning(ctx, d, st, args, out)
}

// compare runs a statement that may change rows in several ways between a
// copy of the table and the table after it, and gives the views the difference.
func (d *dml) compare(ctx context.Context, st *Statement, views []*catalog.View, args []any, out *wire.ResultWriter) (int64, error) {
	conn, table := d.session.conn, tableName(d.target).SQL()
	columns, err := d.session.describeTable(ctx, table)
	if err != nil {
		return 0, err
	}
	if err := rowsNumbered(tableName(d.target), columns); err != nil {
		return 0, err
	}
	if err := d.keepBefore(ctx, st, columns, args); err != nil {
		return 0, err
	}
	var last int64 // number of a row
	if err := conn.QueryRow(ctx, "SELECT coalesce(max(rowid), -1) FROM "+table, nil, &last); err != nil {
		return 0, err
	}
	n, err := d.plain(ctx, args, out)
	if err != nil {
		return 0, err
	}
	for _, v := range views {
		if err := d.difference(ctx, v, table, last); err != nil {
			return 0, err
		}
	}
	_, err = conn.Exec(ctx, "DROP TABLE temp.main.sessiondb_before")
	return n, err
}

// keepBefore copies the rows that the statement may change, with their numbers.
func (d *dml) keepBefore(ctx context.Context, st *Statement, columns []catalog.Column, args []any) error {
	keep := "CREATE OR REPLACE TEMP TABLE sessiondb_before AS SELECT rowid AS _sessiondb_row, * FROM " + tableName(d.target).SQL()
	touched, some, err := d.touched(ctx, st, columns, keep+" WHERE rowid IN (", ")")
	if err != nil {
		return err
	}
	if some {
		_, err = d.session.conn.Exec(ctx, touched.SQL, pick(touched, args)...)
		return translate(err, touched.Rewritten)
	}
	_, err = d.session.conn.Exec(ctx, keep)
	return err
}

// difference gives a view the rows that went, came and changed. What came has
// numbers after last.
func (d *dml) difference(ctx context.Context, v *catalog.View, table string, last int64) error {
	write := d.session.txn.write
	before := v.ProjectSQL("(SELECT * EXCLUDE (_sessiondb_row) FROM temp.main.sessiondb_before AS b WHERE NOT EXISTS (FROM " + table + " AS t WHERE t.rowid = b._sessiondb_row))")
	after := v.ProjectSQL("(SELECT t.* FROM " + table + " AS t WHERE t.rowid > " + strconv.FormatInt(last, 10) + ")")
	stay := "t.rowid IN (SELECT _sessiondb_row FROM temp.main.sessiondb_before)"
	oldRows := v.ProjectSQL("(SELECT * EXCLUDE (_sessiondb_row) FROM temp.main.sessiondb_before AS b WHERE EXISTS (FROM " + table + " AS t WHERE t.rowid = b._sessiondb_row) ORDER BY _sessiondb_row)")
	newRows := v.ProjectSQL("(SELECT t.* FROM " + table + " AS t WHERE " + stay + " ORDER BY t.rowid)")
	if !v.Contract.Plain { // a WHERE may keep one side of a pair out
		if err := d.take(ctx, v, oldRows, write.Remove); err != nil {
			return err
		}
		if err := d.take(ctx, v, newRows, write.Arrive); err != nil {
			return err
		}
	} else {
		width := len(v.Projection())
		paired := "SELECT o.*, n.* FROM (" + oldRows + ") AS o POSITIONAL JOIN (" + newRows + ") AS n"
		err := d.take(ctx, v, paired, func(ctx context.Context, v *catalog.View, c *catalog.Chunk, at int) error {
			return write.Replace(ctx, v, c, at, at+width)
		})
		if err != nil {
			return err
		}
	}
	if err := d.take(ctx, v, before, write.Remove); err != nil {
		return err
	}
	return d.take(ctx, v, after, write.Arrive)
}

// take gives a view the rows of a query.
func (d *dml) take(ctx context.Context, v *catalog.View, sql string, f func(context.Context, *catalog.View, *catalog.Chunk, int) error) error {
	rows, err := d.session.conn.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(ctx, func(c *catalog.Chunk) error { return f(ctx, v, c, 0) })
}

// planTruncate deletes all rows of each table.
func (s *session) planTruncate(n *TruncateStmt) *plan {
	return s.simplePlan("TRUNCATE TABLE", func(ctx context.Context, _ *wire.ResultWriter) error {
		for _, target := range n.Targets {
			st, err := Parse("DELETE FROM " + target.SQL())
			if err != nil {
				return err
			}
			p, err := s.planDML(ctx, st, nil)
			if err != nil {
				return err
			}
			_, err = p.run(ctx, nil, nil)
			p.close()
			if err != nil {
				return fmt.Errorf("truncate %s: %w", target.Last(), err)
			}
		}
		return nil
	})
}
