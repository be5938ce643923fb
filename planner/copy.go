package planner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// copyBatch is how many rows of COPY FROM STDIN are inserted at a time.
const copyBatch = 20_480

// planCopy plans COPY … FROM STDIN and COPY … TO STDOUT.
func (s *session) planCopy(ctx context.Context, st *Statement) (*plan, error) {
	n := st.Node.(*CopyStmt)
	if !n.Stdio {
		return nil, wire.Errorf(codeUnsupported, "COPY reads and writes no files of the server").
			WithHint("Use COPY … FROM STDIN or TO STDOUT; psql's \\copy does so with files of the client.")
	}
	options, err := copyOptions(st, n)
	if err != nil {
		return nil, err
	}
	if err := s.refuses(st); err != nil {
		return nil, err
	}
	if st.Kind == KindCopyTo {
		return s.planCopyTo(ctx, st, n, options)
	}
	return s.planCopyFrom(ctx, st, n, options)
}

// planCopyTo streams a query, or a table, as COPY data.
func (s *session) planCopyTo(ctx context.Context, st *Statement, n *CopyStmt, options wire.CopyOptions) (*plan, error) {
	sql := st.Text(n.Query)
	if n.Query.Empty() {
		sql = "SELECT " + copyColumns(n) + " FROM " + n.Target.SQL()
	}
	query, err := Parse(sql)
	if err != nil {
		return nil, within(err, st, n.Query)
	}
	inner, err := s.plan(ctx, query, nil)
	if err != nil {
		return nil, within(err, st, n.Query)
	}
	if inner.columns == nil {
		return nil, wire.Errorf(codeUnsupported, "COPY TO STDOUT needs a query that returns rows")
	}
	columns := inner.columns
	inner.columns = nil
	run := inner.run
	if query.Kind != KindSelect {
		inner.run = func(ctx context.Context, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
			return copyReturned(ctx, run, args, out, forColumns(options, n, columns), columns)
		}
		return inner, nil
	}
	inner.run = func(ctx context.Context, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
		s.txn.limited = false
		exec, err := run(ctx, args, out)
		if err != nil {
			return nil, err
		}
		if exec.rows == nil {
			return nil, wire.Errorf(codeUnsupported, "COPY TO STDOUT needs a query that returns rows")
		}
		defer exec.rows.close()
		if err := out.CopyOut(forColumns(options, n, columns), columns); err != nil {
			return nil, err
		}
		rows, _, err := exec.rows.send(ctx, out, 0)
		return &execution{tag: tagOf(st, rows)}, err
	}
	return inner, nil
}

// copyReturned sends what an INSERT, UPDATE or DELETE returns as COPY data, as it
// comes.
func copyReturned(ctx context.Context, run planRun, args []wire.Value, out *wire.ResultWriter, options wire.CopyOptions, columns []wire.Column) (*execution, error) {
	if err := out.CopyOut(options, columns); err != nil {
		return nil, err
	}
	exec, err := run(ctx, args, out)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(exec.tag)
	return &execution{tag: "COPY " + words[len(words)-1]}, nil
}

func copyColumns(n *CopyStmt) string {
	if len(n.Columns) == 0 {
		return "*"
	}
	names := make([]string, len(n.Columns))
	for i, c := range n.Columns {
		names[i] = quoteIdent(c.Name)
	}
	return strings.Join(names, ", ")
}

// planCopyFrom inserts rows as they come, a batch at a time, the same way as
// an INSERT: where views read the table, they get their part of every row.
func (s *session) planCopyFrom(ctx context.Context, st *Statement, n *CopyStmt, options wire.CopyOptions) (*plan, error) {
	describe, err := Parse("SELECT " + copyColumns(n) + " FROM " + n.Target.SQL())
	if err != nil {
		return nil, err
	}
	stmt, err := s.conn.Prepare(ctx, describe.SQL)
	if err != nil {
		return nil, err
	}
	columns := stmt.Columns()
	stmt.Close()
	return &plan{run: func(ctx context.Context, _ []wire.Value, out *wire.ResultWriter) (*execution, error) {
		l := &copyLoad{statement: st, feedInsert: &feedInsert{session: s, target: n.Target, columns: columns, listed: len(n.Columns) > 0}}
		return l.run(ctx, n, out, options)
	}}, nil
}

// copyLoad is a running COPY FROM STDIN.
type copyLoad struct {
	*feedInsert
	statement *Statement
	loaded    int64
}

func (l *copyLoad) run(ctx context.Context, n *CopyStmt, out *wire.ResultWriter, options wire.CopyOptions) (*execution, error) {
	names := make([]wire.Column, len(l.columns))
	for i, c := range l.columns {
		names[i].Name = c.Name
	}
	where := ""
	if !n.Where.Empty() {
		where = l.statement.Text(n.Where)
	}
	if err := l.open(ctx, options.Format == wire.CopyBinary, where); err != nil {
		return nil, err
	}
	defer l.close()
	reader, err := out.CopyIn(forColumns(options, n, names), len(l.columns))
	if err != nil {
		return nil, err
	}
	if err := l.load(ctx, reader, out); err != nil {
		return nil, err
	}
	l.changed(l.loaded)
	return &execution{tag: tagOf(l.statement, l.loaded)}, nil
}

func (l *copyLoad) load(ctx context.Context, reader wire.RowReader, out *wire.ResultWriter) error {
	first := int64(1)
	for {
		fields, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return l.flush(ctx, first, reader.Line(), out)
		}
		if err != nil {
			return err
		}
		if l.rows.Rows() == 0 {
			first = reader.Line()
		}
		if err := l.decode(fields, reader.Line()); err != nil {
			return err
		}
		if l.rows.Rows() >= copyBatch {
			if err := l.flush(ctx, first, reader.Line(), out); err != nil {
				return err
			}
		}
	}
}

// decode appends one row.
func (l *copyLoad) decode(fields [][]byte, line int64) error {
	if len(fields) < len(l.columns) {
		return l.locate(wire.Errorf("22P04", "missing data for column \"%s\"", l.columns[len(fields)].Name), line, -1, nil)
	}
	if len(fields) > len(l.columns) {
		return l.locate(wire.Errorf("22P04", "extra data after last expected column"), line, -1, nil)
	}
	for i, f := range fields {
		if f == nil {
			l.rows.AppendNull(i)
			continue
		}
		if err := l.decoders[i](l.rows, i, f); err != nil {
			return l.locate(err, line, i, f)
		}
	}
	if err := l.rows.Err(); err != nil {
		return l.locate(err, line, -1, nil)
	}
	return nil
}

// locate says in an error where in the data it is.
func (l *copyLoad) locate(err error, line int64, column int, field []byte) error {
	where := fmt.Sprintf("COPY %s, line %d", l.target.Last(), line)
	if column >= 0 {
		shown := string(field)
		if len(shown) > 100 {
			shown = shown[:100] + "…"
		}
		where += fmt.Sprintf(", column %s: \"%s\"", l.columns[column].Name, shown)
	}
	if e, ok := errors.AsType[*wire.Error](err); ok {
		located := *e
		located.Where = where
		return &located
	}
	return fmt.Errorf("%w (%s)", err, where)
}

// flush inserts what is gathered.
func (l *copyLoad) flush(ctx context.Context, first, last int64, out *wire.ResultWriter) error {
	if l.rows.Rows() == 0 {
		return nil
	}
	n, err := l.insert(ctx, out)
	if err != nil {
		where := fmt.Sprintf("COPY %s, lines %d to %d", l.target.Last(), first, last)
		if first == last {
			where = fmt.Sprintf("COPY %s, line %d", l.target.Last(), first)
		}
		return &copyError{error: err, where: where}
	}
	l.loaded += n
	return nil
}

// copyError is an error of the engine while it took a batch of COPY.
type copyError struct {
	error
	where string
}

func (e *copyError) Unwrap() error { return e.error }

// Where is the context that the protocol reports.
func (e *copyError) Where() string { return e.where }
