package planner

import (
	"context"
	"slices"

	"github.com/sessiondb/sessiondb/catalog"
)

// retypeSums gives the sums in the statement's select list the type that they
// have in Postgres: that of integers is bigint, where DuckDB's is a number of
// 128 bits. describe tells the columns of a query. It comes after all other
// edits, and changes nothing where the query cannot be described.
func (s *Statement) retypeSums(ctx context.Context, edits *Edits, describe func(context.Context, string) ([]catalog.Column, error)) {
	sums := s.sums()
	if len(sums) == 0 {
		return
	}
	probe := *edits
	probe.list = slices.Clone(edits.list)
	for _, o := range sums {
		t := s.Tokens[o.first]
		probe.Replace(t.Start, t.End, "any_value")
	}
	cols, err := describe(ctx, probe.Apply().SQL)
	if err != nil {
		return
	}
	for i, o := range sums {
		if i < len(cols) && isSmallInteger(cols[i].Type) {
			edits.Wrap(s.Tokens[o.first].Start, s.Tokens[o.exprEnd-1].End, "CAST(", " AS BIGINT)")
		}
	}
}

// sums are the columns of the statement's result that are a sum and nothing
// else, by their place; a column after a * has no certain place.
func (s *Statement) sums() map[int]*outputItem {
	items, ok := s.outputItems()
	if !ok || s.Kind != KindSelect {
		return nil
	}
	found := map[int]*outputItem{}
	for i, o := range items {
		if o.star {
			break
		}
		if o.first+1 < len(s.Tokens) && s.Tokens[o.first].is("sum") && s.Tokens[o.first+1].isPunct("(") && !o.compound && s.oneCall(o) {
			found[i] = o
		}
	}
	return found
}

// oneCall reports whether the item is a call with nothing but its FILTER and
// OVER.
func (s *Statement) oneCall(o *outputItem) bool {
	for i := o.first; i < o.exprEnd; i++ {
		if t := s.Tokens[i]; t.isPunct("(") {
			p := &parser{sql: s.SQL, toks: s.Tokens, pos: i}
			p.skipGroup()
			i = p.pos - 1
		} else if i > o.first && t.Kind != TokenWord {
			return false
		}
	}
	return true
}

// isSmallInteger holds for the integers whose sum is a bigint.
func isSmallInteger(t catalog.Type) bool {
	switch t.ID {
	case catalog.TypeTinyInt, catalog.TypeSmallInt, catalog.TypeInteger, catalog.TypeUTinyInt, catalog.TypeUSmallInt:
		return true
	default:
		return false
	}
}
