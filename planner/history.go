package planner

import "slices"

// expandHistory puts the query of a view as it stood in the place of
// view AT (VERSION => n) and view AT (TIMESTAMP => t).
func (s *session) expandHistory(r *rewritten) error {
	st := r.statement
	clauses, err := st.AtClauses()
	if err != nil {
		return err
	}
	for _, at := range clauses {
		v, ok := s.findView(tableName(at.Relation))
		if !ok {
			return errorAt(st.SQL, at.AtRange.Start, "42809", "AT reads a materialized view, and \"%s\" is none", at.Relation.Last()).
				WithHint("SELECT view_name FROM sessiondb.views lists them.")
		}
		if !v.Populated {
			return notPopulated(v)
		}
		value := r.edits.Slice(at.Value.Start, at.Value.End)
		tail, _ := slices.BinarySearchFunc(st.Tokens, at.Range.End, func(t Token, end int) int { return t.Start - end })
		r.views = append(r.views, v)
		r.edits.Replace(at.Range.Start, at.Range.End, "("+v.AtSQL(value, at.Version)+")"+st.aliasFor(tail, at.Relation.Last()))
	}
	return nil
}
