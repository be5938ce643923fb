package catalog

import (
	"context"
	"fmt"
)

// A sourceQuery asks for the rows of a view's source that equal, in some
// columns, one of the rows that fill appends.
type sourceQuery struct {
	columns []ContractColumn
	fill    func(feed *ColumnSet)
	// bounded says that the event times lie between lo and hi, in microseconds,
	// so that most of the source need not be read.
	bounded bool
	lo, hi  int64
	// ranges says that fill appends two more columns, microseconds between
	// which the event time must lie, and spans how they are joined. No row must
	// be in the ranges of two.
	ranges bool
	spans  spanJoin
}

// sourceRows reads the view's projection of the rows.
func (n *netChange) sourceRows(ctx context.Context, q sourceQuery) (*eventRows, error) {
	v := n.p.view
	types := make([]Type, 0, len(q.columns)+2)
	for _, col := range q.columns {
		types = append(types, n.vt.arrived.types[n.vt.proj.typedIndex(col)])
	}
	if q.ranges {
		types = append(types, Simple(TypeBigInt), Simple(TypeBigInt))
	}
	feed, err := n.tx.store.db.AcquireFeed(types)
	if err != nil {
		return nil, err
	}
	defer feed.Release()
	rows := NewColumns(types)
	q.fill(rows)
	feed.Set(rows)
	var args []any
	if q.bounded {
		args = []any{q.lo, q.hi}
	}
	res, err := n.tx.conn.Query(ctx, q.sql(v.Contract, n.vt.proj, feed), args...)
	if err != nil {
		return nil, err
	}
	defer res.Close()
	out := newEventRows(n.vt.arrived.types)
	return out, res.Each(ctx, func(ch *Chunk) error {
		out.appendChunk(n.vt.proj, ch, 0, v.Contract.carried())
		return nil
	})
}

func (q sourceQuery) sql(c *Contract, p *projection, feed *Feed) string {
	from := c.Source + c.sourceAlias()
	if q.bounded {
		from = "(SELECT * FROM " + from + " WHERE " + c.timeRangeSQL() + ")" + c.sourceAlias()
	}
	named, on := "", ""
	for i, col := range q.columns {
		named += fmt.Sprintf("c%d AS _f%d, ", i, i)
		on += fmt.Sprintf("(%s) = f._f%d AND ", col.SQL, i)
	}
	if n := len(q.columns); q.ranges {
		named += fmt.Sprintf("c%d AS _from, c%d AS _to, ", n, n+1)
	}
	asked, on := "(SELECT "+named[:len(named)-2]+" FROM "+feed.SQL()+") AS f", on[:len(on)-len(" AND ")]
	join := " SEMI JOIN " + asked + " ON " + on
	if q.ranges {
		join = q.spans.sql(asked, on, c.microsSQL(), "f._from", "f._to")
	}
	return "SELECT " + joinExprs(p.exprs) + " FROM " + from + join
}
