package catalog

import (
	"context"
	"io"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// VectorSize is the most rows that a chunk has.
const VectorSize = 2048

// Rows is the result of a statement, read a chunk at a time.
type Rows struct {
	conn      *Conn
	result    bindings.Result
	columns   []Column
	changed   int64
	streaming bool
	help      *assistance // of a stream, until it ends
	finished  error       // what Next returns from now on
	chunk     *Chunk

	// Of a stream: what it came from, and how often the connection had been
	// interrupted by then.
	stmt       string
	args       []any
	interrupts int64
}

// open reads the description of the result and decides how it is read.
func (r *Rows) open(s *Stmt) {
	r.conn.rows[r] = struct{}{}
	switch bindings.ResultReturnType(r.result) {
	case bindings.ResultTypeQueryResult:
		r.columns = r.describe(s)
	case bindings.ResultTypeChangedRows:
		// Only a materialized result has the count; DuckDB does not check.
		if !bindings.ResultIsStreaming(r.result) {
			r.changed = int64(bindings.RowsChanged(&r.result))
		}
		r.end(io.EOF)
		return
	default:
		if s.kind == KindCreate && bindings.ColumnName(&r.result, 0) == countColumn {
			r.changed = r.count()
		}
		r.end(io.EOF)
		return
	}
	r.streaming = bindings.ResultIsStreaming(r.result)
	if r.streaming {
		r.conn.stream = r
		r.help = r.conn.db.assistants.begin()
	}
}

// countColumn is the name under which DuckDB returns the number of rows that a
// statement changed.
const countColumn = "Count"

// count reads the number that CREATE TABLE AS returns as a row, without saying
// that it does.
func (r *Rows) count() int64 {
	handle := bindings.FetchChunk(r.result)
	if handle.Ptr == nil {
		return 0
	}
	var c Chunk
	defer c.free()
	c.load(handle, []Column{{Type: Simple(TypeBigInt)}})
	if c.rows != 1 {
		return 0
	}
	return c.Col(0).Int64s()[0]
}

// describe returns the columns of the result, whose names and types are others
// than the statement's where planning with the arguments changed their types,
// or where what it reads has changed since.
func (r *Rows) describe(s *Stmt) []Column {
	n := int(bindings.ColumnCount(&r.result))
	fresh := make([]Column, n)
	same := n == len(s.columns)
	for i := range fresh {
		at := bindings.IdxT(i)
		fresh[i].Name = bindings.ColumnName(&r.result, at)
		if same && plainType(s.columns[i].Type.ID) && bindings.ColumnType(&r.result, at) == bindings.Type(s.columns[i].Type.ID) {
			fresh[i].Type = s.columns[i].Type
			continue
		}
		fresh[i].Type = readOwned(bindings.ColumnLogicalType(&r.result, at))
	}
	return fresh
}

// plainType reports whether the id says all about the type. A VARCHAR may be
// a JSON.
func plainType(id TypeID) bool {
	switch id {
	case TypeDecimal, TypeEnum, TypeList, TypeStruct, TypeMap, TypeArray, TypeUnion, TypeVarchar, TypeUnknown:
		return false
	default:
		return true
	}
}

// Columns describes the rows; nil for a statement that returns none.
func (r *Rows) Columns() []Column { return r.columns }

// Changed is how many rows the statement inserted, updated or deleted, or put
// into the table that it created; 0 for one that returns rows.
func (r *Rows) Changed() int64 { return r.changed }

// Next returns the next chunk, which is never empty, or io.EOF after the
// last. The chunk lives until the following call of Next or Close.
func (r *Rows) Next(ctx context.Context) (*Chunk, error) {
	r.dropChunk()
	if r.finished != nil {
		return nil, r.finished
	}
	if ctx.Err() != nil {
		err := interrupted(ctx)
		r.end(err)
		return nil, err
	}
	w := r.conn.watch(ctx)
	handle := bindings.FetchChunk(r.result)
	hit := w.release() && r.streaming
	r.conn.db.touch()
	text := ""
	if handle.Ptr == nil {
		text = bindings.ResultError(&r.result)
	}
	switch {
	case text != "":
		r.fail(ctx, text)
	case handle.Ptr == nil || bindings.DataChunkGetSize(handle) == 0:
		bindings.DestroyDataChunk(&handle)
		r.end(io.EOF)
	case hit:
		bindings.DestroyDataChunk(&handle)
		r.end(interrupted(ctx))
	default:
		if r.chunk == nil {
			r.chunk = &Chunk{}
		}
		r.chunk.load(handle, r.columns)
		return r.chunk, nil
	}
	return nil, r.finished
}

// fail ends the result with the error that DuckDB has the text of.
func (r *Rows) fail(ctx context.Context, text string) {
	e := parseError(text)
	switch {
	case e.Type != classInterrupt:
		r.end(r.conn.db.judge(e, r.stmt))
	case r.streaming && ctx.Err() == nil && r.interrupts == r.conn.interrupts.Load():
		r.end(e) // makes the connection free
		r.finished = r.lostError(ctx)
	default:
		r.end(interrupted(ctx))
	}
}

// Close ends the result. Closing twice does nothing.
func (r *Rows) Close() error {
	r.close()
	return nil
}

func (r *Rows) close() {
	r.dropChunk()
	if r.finished == nil {
		r.end(ErrClosed)
	}
}

// end frees the result; Next returns err from now on.
func (r *Rows) end(err error) {
	r.finished = err
	bindings.DestroyResult(&r.result)
	if r.conn.stream == r {
		r.conn.stream = nil
	}
	if r.help != nil {
		r.help.end()
		r.help = nil
	}
	delete(r.conn.rows, r)
}

func (r *Rows) dropChunk() {
	if r.chunk != nil {
		r.chunk.free()
	}
}

// A Chunk is up to VectorSize rows, by column.
type Chunk struct {
	handle bindings.DataChunk
	rows   int
	cols   []Vector
}

// Rows is how many rows there are.
func (c *Chunk) Rows() int { return c.rows }

// Cols is how many columns there are.
func (c *Chunk) Cols() int { return len(c.cols) }

// Col is the i-th column.
func (c *Chunk) Col(i int) *Vector { return &c.cols[i] }

// Detach hands the chunk's rows over to a chunk of its own, which lives until
// its Close, whatever becomes of the Rows. The chunk itself is empty then.
func (c *Chunk) Detach() *Chunk {
	own := &Chunk{}
	*own, *c = *c, *own
	return own
}

// Close frees a detached chunk. Closing twice does nothing.
func (c *Chunk) Close() { c.free() }

func (c *Chunk) free() {
	bindings.DestroyDataChunk(&c.handle)
	c.rows = 0
	for i := range c.cols {
		c.cols[i].rows, c.cols[i].decoded = 0, false
	}
}

// load reads what DuckDB hands out. Its vectors are flat throughout, as a
// result's rows are copies of what was computed; a test of nested values holds
// it to that.
func (c *Chunk) load(handle bindings.DataChunk, columns []Column) {
	c.handle = handle
	c.rows = int(bindings.DataChunkGetSize(handle))
	if len(c.cols) != len(columns) {
		c.cols = make([]Vector, len(columns))
	}
	for i := range columns {
		h := bindings.DataChunkGetVector(handle, bindings.IdxT(i))
		c.cols[i].load(h, &columns[i].Type, c.rows)
	}
}
