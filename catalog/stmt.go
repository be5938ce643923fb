package catalog

import (
	"context"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// Mode says how a statement hands out its rows.
type Mode uint8

const (
	// Streaming computes rows as they are read, until another statement runs
	// on the connection.
	Streaming Mode = iota
	// Materialized computes all rows before Run returns; they survive other
	// statements.
	Materialized
)

// StatementKind says what a statement does.
type StatementKind uint8

// The kinds of statements, by their number in DuckDB's C interface.
const (
	KindInvalid     = StatementKind(bindings.StatementTypeInvalid)
	KindSelect      = StatementKind(bindings.StatementTypeSelect)
	KindInsert      = StatementKind(bindings.StatementTypeInsert)
	KindUpdate      = StatementKind(bindings.StatementTypeUpdate)
	KindExplain     = StatementKind(bindings.StatementTypeExplain)
	KindDelete      = StatementKind(bindings.StatementTypeDelete)
	KindPrepare     = StatementKind(bindings.StatementTypePrepare)
	KindCreate      = StatementKind(bindings.StatementTypeCreate)
	KindExecute     = StatementKind(bindings.StatementTypeExecute)
	KindAlter       = StatementKind(bindings.StatementTypeAlter)
	KindTransaction = StatementKind(bindings.StatementTypeTransaction)
	KindCopy        = StatementKind(bindings.StatementTypeCopy)
	KindAnalyze     = StatementKind(bindings.StatementTypeAnalyze)
	KindVariableSet = StatementKind(bindings.StatementTypeVariableSet)
	KindCreateFunc  = StatementKind(bindings.StatementTypeCreateFunc)
	KindDrop        = StatementKind(bindings.StatementTypeDrop)
	KindExport      = StatementKind(bindings.StatementTypeExport)
	KindPragma      = StatementKind(bindings.StatementTypePragma)
	KindVacuum      = StatementKind(bindings.StatementTypeVacuum)
	KindCall        = StatementKind(bindings.StatementTypeCall)
	KindSet         = StatementKind(bindings.StatementTypeSet)
	KindLoad        = StatementKind(bindings.StatementTypeLoad)
	KindAttach      = StatementKind(bindings.StatementTypeAttach)
	KindDetach      = StatementKind(bindings.StatementTypeDetach)
	KindMulti       = StatementKind(bindings.StatementTypeMulti)
	KindMerge       = StatementKind(bindings.StatementTypeMergeInto)
)

// A Stmt is a prepared statement of one connection. DuckDB plans it anew by
// itself when the tables it names have changed, or when an argument's type is
// not its parameter's.
type Stmt struct {
	conn    *Conn
	sql     string
	handle  bindings.PreparedStatement
	kind    StatementKind
	params  []Type
	columns []Column

	expanded bool // see expand.go
	ran      bool
}

// Prepare parses and plans exactly one statement.
func (c *Conn) Prepare(ctx context.Context, sql string) (*Stmt, error) {
	if c.closed {
		return nil, ErrClosed
	}
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	if c.needsDeferred(sql) {
		if err := c.db.RunDeferred(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
	}
	c.endStream()
	s := &Stmt{conn: c, sql: sql}
	w := c.watch(ctx)
	state := bindings.Prepare(c.handle, sql, &s.handle)
	w.release()
	if state == bindings.StateError {
		defer bindings.DestroyPrepare(&s.handle)
		err := c.failure(ctx, sql, bindings.PrepareError(s.handle))
		if expands(sql, err) {
			return c.prepareExpanded(ctx, sql)
		}
		return nil, err
	}
	s.describe()
	c.stmts[s] = struct{}{}
	return s, nil
}

func (s *Stmt) describe() {
	s.kind = StatementKind(bindings.PreparedStatementType(s.handle))
	s.params = make([]Type, bindings.NParams(s.handle))
	for i := range s.params {
		s.params[i] = readOwned(bindings.ParamLogicalType(s.handle, bindings.IdxT(i+1)))
	}
	n := bindings.PreparedStatementColumnCount(s.handle)
	s.columns = make([]Column, n)
	for i := range s.columns {
		at := bindings.IdxT(i)
		s.columns[i] = Column{
			Name: bindings.PreparedStatementColumnName(s.handle, at),
			Type: readOwned(bindings.PreparedStatementColumnLogicalType(s.handle, at)),
		}
	}
	if !s.returnsRows() || !s.Resolved() {
		s.columns = nil
	}
}

// Resolved reports whether the types of all parameters are known. If not, the
// statement's columns are known from its Rows only.
func (s *Stmt) Resolved() bool {
	for i := range s.params {
		if s.params[i].ID == TypeUnknown {
			return false
		}
	}
	return true
}

// returnsRows tells the columns of a result from the count or the word of
// success that DuckDB describes other statements with. A statement that
// changes rows and returns one BIGINT called Count is taken for the former;
// Rows.Columns knows better.
func (s *Stmt) returnsRows() bool {
	switch s.kind {
	case KindSelect, KindExplain, KindExecute, KindPragma, KindCall:
		return true
	case KindInsert, KindUpdate, KindDelete, KindMerge:
		return len(s.columns) != 1 || s.columns[0].Name != countColumn || s.columns[0].Type.ID != TypeBigInt
	default:
		return false
	}
}

// SQL is the statement's text.
func (s *Stmt) SQL() string { return s.sql }

// Kind says what the statement does.
func (s *Stmt) Kind() StatementKind { return s.kind }

// Params are the types of the parameters; TypeUnknown where the statement
// leaves one open.
func (s *Stmt) Params() []Type { return s.params }

// Columns describes the rows that the statement returns; nil if it returns
// none, or is not Resolved.
func (s *Stmt) Columns() []Column { return s.columns }

// Close frees the statement. Results that it gave stay valid. Closing twice
// does nothing.
func (s *Stmt) Close() {
	if s.handle.Ptr == nil {
		return
	}
	bindings.DestroyPrepare(&s.handle)
	delete(s.conn.stmts, s)
	if e := s.conn.cache.byText[s.sql]; e != nil && e.Value == any(s) {
		s.conn.cache.remove(e)
	}
}

// Run executes the statement. There is one argument for each parameter (see
// bind for their types); they must not be changed before the rows are closed.
// When ctx ends, so does the statement, with an error that wraps the context's
// cause.
func (s *Stmt) Run(ctx context.Context, args []any, mode Mode) (*Rows, error) {
	if s.handle.Ptr == nil {
		return nil, ErrClosed
	}
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	if s.ran && (s.expanded || !s.repeatable()) {
		if err := s.renew(ctx); err != nil {
			return nil, err
		}
	}
	s.ran = true
	if err := s.bind(args); err != nil {
		return nil, err
	}
	c := s.conn
	c.endStream()
	r := &Rows{conn: c, stmt: s.sql, args: args, interrupts: c.interrupts.Load()}
	c.db.running.Add(1)
	w, help := c.watch(ctx), c.db.assistants.begin()
	text, failed := s.execute(r, mode)
	hit := w.release()
	help.end()
	c.db.ran()
	if failed {
		return nil, c.failure(ctx, s.sql, text)
	}
	r.open(s)
	if hit && r.streaming { // the next chunk would fail without its reason
		r.end(ErrClosed)
		return nil, interrupted(ctx)
	}
	return r, nil
}

// execute fills r's result, or returns DuckDB's text of the error.
func (s *Stmt) execute(r *Rows, mode Mode) (text string, failed bool) {
	if mode == Materialized {
		if bindings.ExecutePrepared(s.handle, &r.result) == bindings.StateError {
			defer bindings.DestroyResult(&r.result)
			return bindings.ResultError(&r.result), true
		}
		return "", false
	}
	var pending bindings.PendingResult
	defer bindings.DestroyPending(&pending)
	if bindings.PendingPreparedStreaming(s.handle, &pending) == bindings.StateError {
		return bindings.PendingError(pending), true
	}
	if bindings.ExecutePending(pending, &r.result) == bindings.StateError {
		defer bindings.DestroyResult(&r.result)
		if text := bindings.ResultError(&r.result); text != "" {
			return text, true
		}
		return bindings.PendingError(pending), true
	}
	return "", false
}

// repeatable reports whether DuckDB's plan of the statement outlives its
// execution. That of what creates or changes a relation does not: running it
// again crashes the process.
func (s *Stmt) repeatable() bool {
	switch s.kind {
	case KindSelect, KindInsert, KindUpdate, KindDelete, KindMerge, KindTransaction:
		return true
	default:
		return false
	}
}
