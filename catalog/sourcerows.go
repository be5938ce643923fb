package catalog

import (
	"context"
	"fmt"
	"strings"
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
	source := timedRows{relation: c.Source, alias: c.sourceAlias(), at: c.microsSQL()}
	if q.bounded {
		source.relation = "(SELECT * FROM " + c.Source + c.sourceAlias() + " WHERE " + c.timeRangeSQL() + ")"
	}
	var columns []string
	for i, col := range q.columns {
		columns = append(columns, fmt.Sprintf("c%d AS _span_k%d", i, i))
		source.keys = append(source.keys, "("+col.SQL+")")
	}
	if n := len(q.columns); q.ranges {
		columns = append(columns, fmt.Sprintf("c%d AS _span_from, c%d AS _span_to", n, n+1))
	}
	asked := "SELECT " + joinExprs(columns) + " FROM " + feed.SQL()
	if q.ranges {
		return "SELECT " + joinExprs(p.exprs) + " FROM " + q.spans.sql(source, asked)
	}
	var on []string
	for i, key := range source.keys {
		on = append(on, fmt.Sprintf("%s = f._span_k%d", key, i))
	}
	return "SELECT " + joinExprs(p.exprs) + " FROM " + source.relation + source.alias + " SEMI JOIN (" + asked + ") AS f ON " + strings.Join(on, " AND ")
}
