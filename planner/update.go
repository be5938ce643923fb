package planner

import (
	"context"
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// rowUpdate is an UPDATE computed before it is applied: for every row that it
// touches, DuckDB's number of the row, its old columns and its new ones. A row
// that several rows of FROM match is updated by one of them, as in Postgres.
type rowUpdate struct {
	session *session
	table   string
	alias   string
	columns []catalog.Column
	query   *query
	rows    *catalog.ColumnSet // row number, old columns, new columns
	set     []int              // the columns that are assigned
}

// newUpdate plans an UPDATE; it returns nil for one that must be run whole.
func (d *dml) newUpdate(ctx context.Context, st *Statement, n *UpdateStmt) (*rowUpdate, error) {
	u := &rowUpdate{session: d.session, table: tableName(n.Target).SQL(), alias: aliasOf(n.Target, n.Alias)}
	columns, err := d.session.describeTable(ctx, u.table)
	if err != nil {
		return nil, err
	}
	if err := rowsNumbered(tableName(n.Target), columns); err != nil {
		return nil, err
	}
	u.columns = columns
	exprs := map[string]Range{}
	for _, item := range n.Set {
		if expr := st.tokensIn(item.Expr); len(expr) == 1 && expr[0].is("default") {
			return nil, nil //nolint:nilnil // no plan of this kind: the caller compares instead
		}
		exprs[strings.ToLower(item.Columns[0].Name)] = item.Expr
	}
	for i, c := range columns {
		if _, assigned := exprs[strings.ToLower(c.Name)]; assigned {
			u.set = append(u.set, i)
		}
	}
	u.query = u.selectRows(newAssembly(st, d.text.Rewritten), n, exprs)
	return u, nil
}

// selectRows is the query for the old and the new rows.
func (u *rowUpdate) selectRows(a *assembly, n *UpdateStmt, exprs map[string]Range) *query {
	alias := quoteIdent(u.alias)
	a.copy(a.source.withClause())
	a.write("SELECT " + alias + ".rowid")
	for _, c := range u.columns {
		a.write(", " + alias + "." + quoteIdent(c.Name))
	}
	for _, c := range u.columns {
		expr, assigned := exprs[strings.ToLower(c.Name)]
		if !assigned {
			a.write(", " + alias + "." + quoteIdent(c.Name))
			continue
		}
		a.write(", CAST((")
		a.copy(expr)
		a.write(") AS " + c.Type.Name + ")")
	}
	a.write(" FROM " + u.table + " AS " + alias)
	a.clause(", ", n.From)
	a.clause(" WHERE ", n.Where)
	if !n.From.Empty() {
		a.write(" QUALIFY row_number() OVER (PARTITION BY " + alias + ".rowid) = 1")
	}
	return a.query()
}

// describeTable are the columns of a table.
func (s *session) describeTable(ctx context.Context, table string) ([]catalog.Column, error) {
	stmt, err := s.conn.Prepare(ctx, "SELECT * FROM "+table)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	return stmt.Columns(), nil
}

func (u *rowUpdate) read(ctx context.Context, args []any) error {
	rows, err := u.session.conn.Query(ctx, u.query.SQL, pick(u.query, args)...)
	if err != nil {
		return translate(err, u.query.Rewritten)
	}
	defer rows.Close()
	types := []catalog.Type{catalog.Simple(catalog.TypeBigInt)}
	for range 2 {
		for _, c := range u.columns {
			types = append(types, c.Type)
		}
	}
	u.rows = catalog.NewColumns(types)
	err = rows.Each(ctx, func(c *catalog.Chunk) error {
		u.rows.AppendChunk(c)
		return u.rows.Err()
	})
	return translate(err, u.query.Rewritten)
}

// feedColumns are the columns of rows as c0, c1, ….
func (u *rowUpdate) relation(feed *catalog.Feed, first int) string {
	named := make([]string, len(u.columns))
	for i, c := range u.columns {
		named[i] = fmt.Sprintf("c%d AS %s", first+i, quoteIdent(c.Name))
	}
	return "(SELECT " + strings.Join(named, ", ") + " FROM " + feed.SQL() + ")"
}

// replace gives a view the old and the new versions.
func (u *rowUpdate) replace(ctx context.Context, v *catalog.View) error {
	feed, err := u.session.engine.db.AcquireFeed(u.rows.Types())
	if err != nil {
		return err
	}
	defer feed.Release()
	feed.Set(u.rows)
	before, after := v.ProjectSQL(u.relation(feed, 1)), v.ProjectSQL(u.relation(feed, 1+len(u.columns)))
	write, width := u.session.txn.write, len(v.Projection())
	if v.Contract.Plain {
		return u.each(ctx, "SELECT o.*, n.* FROM ("+before+") AS o POSITIONAL JOIN ("+after+") AS n", func(c *catalog.Chunk) error {
			return write.Replace(ctx, v, c, 0, width)
		})
	}
	if err := u.each(ctx, before, func(c *catalog.Chunk) error { return write.Remove(ctx, v, c, 0) }); err != nil {
		return err
	}
	return u.each(ctx, after, func(c *catalog.Chunk) error { return write.Arrive(ctx, v, c, 0) })
}

func (u *rowUpdate) each(ctx context.Context, sql string, f func(*catalog.Chunk) error) error {
	rows, err := u.session.conn.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(ctx, f)
}

// apply changes the table by row number.
func (u *rowUpdate) apply(ctx context.Context) (int64, error) {
	feed, err := u.session.engine.db.AcquireFeed(u.rows.Types())
	if err != nil {
		return 0, err
	}
	defer feed.Release()
	feed.Set(u.rows)
	set := make([]string, len(u.set))
	for i, col := range u.set {
		set[i] = fmt.Sprintf("%s = f.c%d", quoteIdent(u.columns[col].Name), 1+len(u.columns)+col)
	}
	return u.session.conn.Exec(ctx, "UPDATE "+u.table+" AS t SET "+strings.Join(set, ", ")+" FROM "+feed.SQL()+" AS f WHERE t.rowid = f.c0")
}

// returning evaluates the RETURNING list over the new rows.
func (u *rowUpdate) returning(ctx context.Context, d *dml, st *Statement, args []any, out *wire.ResultWriter) error {
	feed, err := u.session.engine.db.AcquireFeed(u.rows.Types())
	if err != nil {
		return err
	}
	defer feed.Release()
	feed.Set(u.rows)
	a := newAssembly(st, d.text.Rewritten)
	a.write("SELECT ")
	a.copy(dmlReturning(st))
	a.write(" FROM " + u.relation(feed, 1+len(u.columns)) + " AS " + quoteIdent(u.alias))
	q := a.query()
	rows, err := u.session.conn.Query(ctx, q.SQL, pick(q, args)...)
	if err != nil {
		return translate(err, q.Rewritten)
	}
	stream := &rowStream{rows: rows, columns: d.columns, fail: func(err error) error { return err }}
	defer stream.close()
	_, _, err = stream.send(ctx, out, 0)
	return err
}
