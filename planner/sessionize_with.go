package planner

// A withClause is a WITH whose common tables can be seen from a place.
type withClause struct {
	start  int // offset of the WITH
	tables []CTE
}

// withClauses are the WITH clauses that a name at offset at can refer to,
// innermost first: those of the queries around it, with the tables that stand
// before it.
func (s *Statement) withClauses(at int) []withClause {
	var stack []withClause
	var depths []int
	depth := 0
	for i, t := range s.Tokens {
		if t.Start >= at {
			break
		}
		switch {
		case t.isPunct("("):
			depth++
		case t.isPunct(")"):
			depth--
			for len(depths) > 0 && depths[len(depths)-1] > depth {
				stack, depths = stack[:len(stack)-1], depths[:len(depths)-1]
			}
		case t.is("with"):
			if w := s.withAt(i, at); len(w.tables) > 0 {
				stack, depths = append(stack, w), append(depths, depth)
			}
		}
	}
	for i, j := 0, len(stack)-1; i < j; i, j = i+1, j-1 {
		stack[i], stack[j] = stack[j], stack[i]
	}
	return stack
}

// withAt reads the common tables of the WITH at token i that end before at.
func (s *Statement) withAt(i, at int) withClause {
	p := &parser{sql: s.SQL, toks: s.Tokens, pos: i}
	w := withClause{start: s.Tokens[i].Start}
	p.next()
	p.accept("recursive")
	for {
		cte, err := p.commonTable()
		if err != nil || cte.End > at {
			return w
		}
		if w.tables = append(w.tables, cte); !p.acceptPunct(",") {
			return w
		}
	}
}
