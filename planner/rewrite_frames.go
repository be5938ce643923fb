package planner

// A clause is what part of a query a token lies in, at its own level of
// parentheses.
type clause uint8

const (
	clauseOther clause = iota
	clauseList         // a select list
	clauseFrom         // FROM and its joins
	clauseOn           // the condition of a join
)

// framesOf finds the clause of each token: an expression in parentheses is
// clauseOther, whatever it stands in.
func framesOf(s *Statement) []clause {
	out := make([]clause, len(s.Tokens))
	stack := []clause{clauseOther}
	for i, t := range s.Tokens {
		top := &stack[len(stack)-1]
		switch {
		case t.isPunct("("), t.isPunct("["):
			out[i] = *top
			inner := clauseOther
			if *top == clauseFrom && fromGroup(s.Tokens, i) {
				inner = clauseFrom
			}
			stack = append(stack, inner)
			continue
		case t.isPunct(")"), t.isPunct("]"):
			if len(stack) > 1 {
				stack = stack[:len(stack)-1]
			}
			out[i] = stack[len(stack)-1]
			continue
		case t.isPunct(",") && *top == clauseOn:
			*top = clauseFrom
		case t.Kind == TokenWord && (i == 0 || !s.Tokens[i-1].isPunct(".")):
			*top = clauseAfter(*top, s.Tokens, i)
		}
		out[i] = *top
	}
	return out
}

// fromGroup reports whether the parenthesis at i groups FROM items: it is not
// the argument list of a function, nor a list of columns.
func fromGroup(toks []Token, i int) bool {
	if i == 0 {
		return false
	}
	before := toks[i-1]
	return before.isPunct(",") || before.isPunct("(") || before.is("from") || before.is("join")
}

// clauseAfter is the clause that goes on after the word at i.
func clauseAfter(now clause, toks []Token, i int) clause {
	switch toks[i].Text {
	case "select", "returning":
		return clauseList
	case "from":
		if i > 0 && toks[i-1].is("distinct") || now == clauseOther && i > 0 && !toks[i-1].is("delete") && !startsQuery(toks, i) {
			return now
		}
		return clauseFrom
	case "using":
		return now
	case "join":
		return clauseFrom
	case "on":
		if now == clauseFrom {
			return clauseOn
		}
	case "where", "group", "having", "order", "limit", "offset", "window", "union", "intersect", "except", "set", "qualify", "values":
		return clauseOther
	}
	return now
}

// startsQuery reports whether the FROM at i opens a query, as in DuckDB's
// FROM-first form, or belongs to an UPDATE.
func startsQuery(toks []Token, i int) bool {
	if i == 0 || toks[0].is("update") {
		return true
	}
	before := toks[i-1]
	return before.isPunct("(") && (i < 2 || !toks[i-2].isIdent()) || before.is("as") || before.is("union") || before.is("all")
}
