package planner

import (
	"context"
	"slices"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// An ad hoc SESSIONIZE whose contract is that of a maintained view is answered
// from it, as long as nothing that the view's source holds stands rejected. A
// prepared statement asks again each time it runs.

// answeringView is SessionizeEnv.Answers.
func (s *session) answeringView(ctx context.Context, table catalog.TableName, c *catalog.Contract) (*catalog.View, error) {
	if s.txn.write != nil {
		return nil, nil //nolint:nilnil // what the transaction wrote may not be published yet
	}
	for _, v := range s.engine.store.ViewsOf(table) {
		if !v.MayAnswer(c) {
			continue
		}
		if ok, err := s.answers(ctx, v); ok || err != nil {
			return v, err
		}
	}
	return nil, nil //nolint:nilnil // none answers
}

func (s *session) answers(ctx context.Context, v *catalog.View) (ok bool, err error) {
	err = s.conn.QueryRow(ctx, v.AnswersSQL(), nil, &ok)
	return ok, err
}

// outdated reports whether a view that was to answer the statement, or that its
// text is about (it verifies it, reads its history, or gives the sessions of
// some keys), is another now, or whether a relation has changed since of a
// statement that was planned with the columns of some.
func (s *session) outdated(ctx context.Context, text *rewritten) bool {
	if text.describes() && text.relations != s.engine.relations.Load() {
		return true
	}
	for _, v := range text.views {
		if current, ok := s.findView(v.Name); !ok || current != v {
			return true
		}
	}
	for _, r := range text.resolved {
		if r.AnsweredBy == nil {
			continue
		}
		if s.txn.write != nil {
			return true
		}
		current, ok := s.findView(r.AnsweredBy.Name)
		if !ok || current.ID != r.AnsweredBy.ID || !current.MayAnswer(r.Contract) {
			return true
		}
		if ok, err := s.answers(ctx, current); err != nil || !ok {
			return true
		}
	}
	return false
}

// describes reports whether the text was written with what its relations were
// then: the columns that SESSIONIZE takes, the places of what DML returns.
func (r *rewritten) describes() bool {
	switch r.original.Kind {
	case KindInsert, KindUpdate, KindDelete, KindMerge:
		return true
	default:
		return len(r.resolved) > 0
	}
}

// runAnew plans an outdated statement again, and runs it.
func (s *session) runAnew(ctx context.Context, p *plan, st *Statement, oids []uint32, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
	fresh, err := s.plan(ctx, st, oids)
	if err != nil {
		return nil, err
	}
	if fresh.close == nil {
		fresh.close = func() {}
	}
	if !slices.Equal(fresh.columns, p.columns) {
		fresh.close()
		return nil, resultChanged()
	}
	old := p.close
	p.run, p.close = fresh.run, func() { fresh.close(); old() }
	return fresh.run(ctx, args, out)
}

// resultChanged is the error of a prepared statement whose columns the client
// knows, and that has others now.
func resultChanged() *wire.Error {
	return wire.Errorf(codeUnsupported, "cached plan must not change result type").WithHint("Prepare the statement anew.")
}

// reshaped reports whether a result has other columns than its statement had
// when it was prepared, because what it reads is another now.
func reshaped(stmt *catalog.Stmt, rows *catalog.Rows) bool {
	return !unresolved(stmt) && !slices.EqualFunc(stmt.Columns(), rows.Columns(), func(then, now catalog.Column) bool {
		return then.Name == now.Name && oidOf(then.Type) == oidOf(now.Type)
	})
}
