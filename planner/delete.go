package planner

import (
	"context"
	"math"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// delete first reads the rows that go, with the views' projections of them, and
// then deletes them by row number: DuckDB's DELETE … RETURNING fetches every
// row by itself, which takes a hundred times as long where the table is
// compressed. A DELETE that names other relations in ways that only DuckDB
// understands is captured by its RETURNING list nevertheless.
func (d *dml) delete(ctx context.Context, st *Statement, n *DeleteStmt, views []*catalog.View, args []any, out *wire.ResultWriter) (int64, error) {
	take := d.session.txn.write.Remove
	if len(d.statement.CTEs) > 0 || !n.Using.Empty() && d.columns > 0 {
		return d.capture(ctx, views, args, out, take)
	}
	if err := d.session.numbersRows(ctx, tableName(d.target)); err != nil {
		return 0, err
	}
	doomed := newRowNumbers()
	text := func(exprs []string) *query { return d.doomedRows(st, n, exprs) }
	if _, err := d.captureFrom(ctx, text, doomed, views, args, out, take); err != nil || doomed.rows.Rows() == 0 {
		return 0, err
	}
	return d.session.deleteRows(ctx, tableName(d.target).SQL(), doomed)
}

// rowNumbers are DuckDB's numbers of some rows, which hold until the
// transaction ends, and the least and greatest of them.
type rowNumbers struct {
	rows   *catalog.ColumnSet
	lo, hi int64
	column int // that has them in a result
}

func newRowNumbers() *rowNumbers {
	return &rowNumbers{rows: catalog.NewColumns([]catalog.Type{catalog.Simple(catalog.TypeBigInt)}), lo: math.MaxInt64}
}

// add takes those of a chunk; nil takes none.
func (r *rowNumbers) add(c *catalog.Chunk) {
	if r == nil {
		return
	}
	r.rows.AppendVector(0, c.Col(r.column), 0, c.Rows())
	for _, n := range c.Col(r.column).Int64s() {
		r.lo, r.hi = min(r.lo, n), max(r.hi, n)
	}
}

// doomedRows are the rows that the statement deletes: what it returns, then
// exprs.
func (d *dml) doomedRows(st *Statement, n *DeleteStmt, exprs []string) *query {
	alias, from := quoteIdent(aliasOf(n.Target, n.Alias)), aliased(n.Target, n.Alias)
	a := newAssembly(st, d.text.Rewritten)
	a.write("SELECT ")
	if !n.Returning.Empty() {
		a.copy(n.Returning)
		a.write(", ")
	}
	a.write(strings.Join(exprs, ", ") + " FROM " + from)
	if n.Using.Empty() {
		a.clause(" WHERE ", n.Where)
		return a.query()
	}
	a.write(" WHERE rowid IN (SELECT " + alias + ".rowid FROM " + from + ", ")
	a.copy(n.Using)
	a.clause(" WHERE ", n.Where)
	a.write(")")
	return a.query()
}

// deleteRows deletes rows by their numbers, and returns how many there were.
func (s *session) deleteRows(ctx context.Context, table string, numbers *rowNumbers) (int64, error) {
	feed, err := s.engine.db.AcquireFeed(numbers.rows.Types())
	if err != nil {
		return 0, err
	}
	defer feed.Release()
	feed.Set(numbers.rows)
	return s.conn.Exec(ctx, "DELETE FROM "+table+" WHERE rowid BETWEEN CAST(? AS BIGINT) AND CAST(? AS BIGINT) AND rowid IN (SELECT c0 FROM "+feed.SQL()+")", numbers.lo, numbers.hi)
}
