package planner

import (
	"context"
	"errors"
	"io"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// rowStream sends the rows of a DuckDB result to the client as they come, some
// at a time if need be.
type rowStream struct {
	rows    *catalog.Rows
	own     *catalog.Conn // a connection that serves this stream alone, or nil
	columns int           // how many of the result's columns the client sees
	// each is shown every chunk before it is sent; nil: nothing is.
	each func(*catalog.Chunk) error
	fail func(error) error // translates the engine's errors

	batch wire.Batch
	left  int // rows of the present chunk that are not sent
	ended bool
}

// send sends at most limit rows (0: all) and reports how many it sent and
// whether there may be more.
func (r *rowStream) send(ctx context.Context, out *wire.ResultWriter, limit int64) (n int64, more bool, err error) {
	for limit == 0 || n < limit {
		if r.left == 0 {
			if err := r.next(ctx); errors.Is(err, io.EOF) {
				return n, false, nil
			} else if err != nil {
				return n, false, err
			}
		}
		rows := r.left
		if limit > 0 {
			rows = int(min(int64(rows), limit-n))
		}
		r.batch.Rows = rows
		if err := out.WriteBatch(&r.batch); err != nil {
			return n, false, err
		}
		r.batch.First += rows
		r.left -= rows
		n += int64(rows)
	}
	return n, true, nil
}

// drain reads the rest of the rows without sending them.
func (r *rowStream) drain(ctx context.Context) (n int64, err error) {
	for {
		if err := r.next(ctx); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
		n += int64(r.left)
	}
}

// next makes the next chunk the batch.
func (r *rowStream) next(ctx context.Context) error {
	if r.ended {
		return io.EOF
	}
	chunk, err := r.rows.Next(ctx)
	if err != nil {
		r.ended = true
		if !errors.Is(err, io.EOF) {
			err = r.fail(err)
		}
		return err
	}
	if r.each != nil {
		if err := r.each(chunk); err != nil {
			return err
		}
	}
	batch(chunk, &r.batch)
	r.batch.Cols = r.batch.Cols[:r.columns]
	r.batch.First, r.left = 0, chunk.Rows()
	return nil
}

func (r *rowStream) close() {
	r.ended = true
	// The result is given up: how closing it ends changes nothing.
	_ = r.rows.Close()
	if r.own != nil {
		_ = r.own.Close()
	}
}

// fixedRows are rows that sessiondb itself answers, all of them text.
func fixedColumns(names ...string) []wire.Column {
	cols := make([]wire.Column, len(names))
	for i, n := range names {
		cols[i] = wire.Column{Name: n, Type: textType()}
	}
	return cols
}

func textType() wire.Type {
	return wire.Type{OID: 25, Size: -1, Typmod: -1, Kind: wire.KindString}
}

// sendFixed sends rows of fixedColumns.
func sendFixed(out *wire.ResultWriter, columns []wire.Column, rows [][]string) error {
	b := wire.Batch{Rows: len(rows), Cols: make([]wire.Vector, len(columns))}
	for i := range columns {
		b.Cols[i].Type = &columns[i].Type
		for _, r := range rows {
			b.Cols[i].Strings = append(b.Cols[i].Strings, r[i])
		}
	}
	return out.WriteBatch(&b)
}
