package planner

import (
	"context"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// The type int[] of a parameter is that of arrays of any number of dimensions
// in Postgres. The statement is planned for one of them; where an array of more
// is bound, it is planned again with the lengths of that one.

// prepareNested prepares a statement again for the arrays of arrays among its
// arguments; nil if there are none, or the parameters take them as they are.
func (s *session) prepareNested(ctx context.Context, text *rewritten, params []catalog.Type, args []wire.Value) (*catalog.Stmt, *rewritten, error) {
	lengths := map[int]string{} // the brackets of its type, by the number of a parameter
	for i, arg := range args {
		a, ok := arg.(wire.Array)
		if !ok || i >= len(params) || params[i].Elem == nil || params[i].Elem.Elem != nil {
			continue
		}
		if dims := arrayDims(a); len(dims) > 1 {
			lengths[i+1] = sizes(dims)
		}
	}
	if len(lengths) == 0 {
		return nil, nil, nil
	}
	again, err := withLengths(text.Rewritten, params, lengths)
	if err != nil {
		return nil, nil, err
	}
	retry := *text
	retry.Rewritten = again
	stmt, err := s.prepareText(ctx, &retry, nil)
	return stmt, &retry, err
}

// withLengths casts each parameter that lengths has brackets for to an array
// with them, and gives a cast that is there already the same.
func withLengths(text *Rewritten, params []catalog.Type, lengths map[int]string) (*Rewritten, error) {
	tokens, err := Lex(text.SQL)
	if err != nil {
		return nil, err
	}
	edits := NewEdits(text.SQL)
	r := &rewriter{st: &Statement{SQL: text.SQL}, toks: significant(tokens), edits: edits}
	for i, t := range r.toks {
		if t.Kind != TokenParam || lengths[parameterNumber(t)] == "" {
			continue
		}
		n := parameterNumber(t)
		p := r.parserAt(i + 2)
		if !r.tok(i+1).isPunct("::") && !r.tok(i+1).is("as") {
			edits.Replace(t.Start, t.End, "CAST("+text.SQL[t.Start:t.End]+" AS "+params[n-1].Elem.Name+lengths[n]+")")
			continue
		}
		if p.typeRef(); r.tok(p.pos-1).isPunct("]") && r.tok(p.pos-2).isPunct("[") {
			r.replace(p.pos-2, p.pos-1, lengths[n])
		}
	}
	again := edits.Apply()
	again.from = text
	return again, nil
}
