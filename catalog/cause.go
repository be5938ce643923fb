package catalog

import (
	"context"
	"errors"
)

// When one of DuckDB's threads meets an error while no chunk is being fetched,
// the next fetch reports that it was interrupted, and the error is gone. So it
// is looked for by running the query once more, without its rows.

// lostError is the error that ended the stream, of which DuckDB reported only
// that it was interrupted.
func (r *Rows) lostError(ctx context.Context) error {
	c := r.conn
	err := rerun(ctx, c, r.stmt, r.args)
	var e *Error
	if errors.As(err, &e) && e.state == "25P02" { // the transaction ended with the stream
		err = r.rerunApart(ctx)
	}
	if err != nil {
		return err
	}
	return &Error{
		Type: "Executor", Position: -1, state: "XX000",
		Message: "the query failed while its rows were being read, and DuckDB does not say why",
	}
}

// rerunApart runs the query on a connection of its own, which sees what is
// committed.
func (r *Rows) rerunApart(ctx context.Context) error {
	c, err := r.conn.db.Connect(ctx)
	if err != nil {
		return err
	}
	return errors.Join(rerun(ctx, c, r.stmt, r.args), c.Close())
}

// rerun returns the error of running a statement, if it is one that a
// statement which could be planned can end in.
func rerun(ctx context.Context, c *Conn, sql string, args []any) error {
	const explain = "EXPLAIN ANALYZE "
	_, err := c.Exec(ctx, explain+sql, args...)
	var e *Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Type {
	case "Parser", "Catalog", "Binder":
		return nil // what the query named is not to be seen here
	}
	if e.Position >= len(explain) {
		e.Position -= len(explain)
	}
	return e
}
