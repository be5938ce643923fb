package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// Each calls f for every chunk that is left; the chunk dies when f returns.
func (r *Rows) Each(ctx context.Context, f func(*Chunk) error) error {
	for {
		chunk, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = f(chunk)
		}
		if err != nil {
			return err
		}
	}
}

// columnTypes are the types of a query's columns.
func (c *Conn) columnTypes(ctx context.Context, sql string) ([]Type, error) {
	stmt, err := c.Prepare(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	types := make([]Type, len(stmt.Columns()))
	for i, col := range stmt.Columns() {
		types[i] = col.Type
	}
	return types, nil
}

func joinExprs(exprs []string) string { return strings.Join(exprs, ", ") }

func typedExprs(p *projection) []string { return p.exprs[:len(p.typed)] }

// ProjectSQL is the view's Projection of the rows of relation, which has the
// base table's columns.
func (v *View) ProjectSQL(relation string) string {
	c := v.Contract
	source := relation
	if !c.Plain {
		source = strings.ReplaceAll(c.Project, BasePlaceholder, relation)
	}
	return "SELECT " + joinExprs(v.Projection()) + " FROM " + source + c.sourceAlias()
}

// ProjectRows sends rows of the base table through sql, which makes a query
// of a relation, and gives f the chunks of the result.
func (t *WriteTx) ProjectRows(ctx context.Context, columns []Column, rows *ColumnSet, sql func(relation string) string, f func(*Chunk) error) error {
	feed, err := t.store.db.AcquireFeed(rows.Types())
	if err != nil {
		return err
	}
	defer feed.Release()
	feed.Set(rows)
	res, err := t.conn.Query(ctx, sql(FeedRelation(feed, columns)))
	if err != nil {
		return err
	}
	defer res.Close()
	return res.Each(ctx, f)
}

// FeedRelation is a feed as a relation whose columns have the names given.
func FeedRelation(feed *Feed, columns []Column) string {
	named := make([]string, len(columns))
	for i, c := range columns {
		named[i] = fmt.Sprintf("c%d AS %s", i, QuoteIdent(c.Name))
	}
	return "(SELECT " + strings.Join(named, ", ") + " FROM " + feed.SQL() + ")"
}

// Track prepares the transaction for changes to the view's source. It must be
// called before a statement runs whose rows are given to Arrive, Remove or
// Replace, since those may not query.
func (t *WriteTx) Track(ctx context.Context, v *View) error {
	_, err := t.viewTx(ctx, v)
	return err
}

// partitionOf reads a row of partition_state.
func partitionOf(c *Chunk, i int) sessionop.PartitionState {
	mark := func(col int) int64 {
		if c.Col(col).IsNull(i) {
			return 0
		}
		return c.Col(col).Int64s()[i]
	}
	p := sessionop.PartitionState{
		Name: strings.Clone(c.Col(0).Strings()[i]), Watermark: mark(1), Defined: !c.Col(1).IsNull(i), LatestEvent: mark(2), LatestArrival: mark(3),
		ArrivedCommit: mark(5), AdvancedCommit: mark(6),
	}
	if c.Col(4).Strings()[i] == sessionop.PartitionIdle.String() {
		p.State = sessionop.PartitionIdle
	}
	return p
}
