package planner

import (
	"context"

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

// outdated reports whether a view that was to answer the statement, or gave the
// sessions of some keys, is another now.
func (s *session) outdated(ctx context.Context, text *rewritten) bool {
	for _, v := range text.lookedUp {
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

// runAnew plans an outdated statement again, and runs it.
func (s *session) runAnew(ctx context.Context, p *plan, st *Statement, oids []uint32, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
	fresh, err := s.planQuery(ctx, st, oids)
	if err != nil {
		return nil, err
	}
	old := p.close
	p.run, p.close = fresh.run, func() { fresh.close(); old() }
	return fresh.run(ctx, args, out)
}
