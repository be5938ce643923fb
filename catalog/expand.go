package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// DuckDB expands a PIVOT that does not list its columns to several statements:
// some that make a temporary ENUM of the values found, and the query itself,
// which has a column for each. They cannot be prepared as one, so those before
// the last run when the statement is prepared, and again each time it runs.

// expands reports whether err may come from that, and not from a text that
// has several statements.
func expands(sql string, err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Message == multipleStatements && !strings.Contains(strings.TrimRight(sql, "; \t\r\n"), ";")
}

func (c *Conn) prepareExpanded(ctx context.Context, sql string) (*Stmt, error) {
	var parts bindings.ExtractedStatements
	n := bindings.ExtractStatements(c.handle, sql, &parts)
	defer bindings.DestroyExtracted(&parts)
	if n == 0 {
		return nil, c.failure(ctx, sql, bindings.ExtractStatementsError(parts))
	}
	for i := range n {
		s := &Stmt{conn: c, sql: sql, expanded: true}
		if bindings.PrepareExtractedStatement(c.handle, parts, i, &s.handle) == bindings.StateError {
			defer bindings.DestroyPrepare(&s.handle)
			return nil, c.failure(ctx, sql, bindings.PrepareError(s.handle))
		}
		s.describe()
		c.stmts[s] = struct{}{}
		if i == n-1 {
			return s, nil
		}
		err := s.runOnce(ctx)
		if err != nil {
			return nil, err
		}
	}
	return nil, ErrClosed // not reached: n is positive
}

// runOnce runs one of the statements before the last, and closes it.
func (s *Stmt) runOnce(ctx context.Context) error {
	defer s.Close()
	rows, err := s.Run(ctx, make([]any, len(s.params)), Materialized)
	if err != nil {
		return err
	}
	return rows.Close()
}

// renew expands the statement anew. Its columns must be what they were.
func (s *Stmt) renew(ctx context.Context) error {
	fresh, err := s.conn.prepareExpanded(ctx, s.sql)
	if err != nil {
		return err
	}
	s.handle, fresh.handle = fresh.handle, s.handle
	defer fresh.Close()
	same := slices.EqualFunc(s.columns, fresh.columns, func(a, b Column) bool {
		return a.Name == b.Name && a.Type.Name == b.Type.Name
	})
	if !same {
		return &Error{
			Type: "Binder", Message: "cached plan must not change result type", Position: -1, state: "0A000",
			hint: "Prepare the statement anew.",
		}
	}
	return nil
}
