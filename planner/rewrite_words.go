package planner

// nameHere reports whether a word that only DuckDB keeps for its syntax is a
// name where it stands. After a dot and after AS every word is one to DuckDB
// too.
func (r *rewriter) nameHere(i int, word string) bool {
	next, before := r.tok(i+1), r.tok(i-1)
	switch word {
	case "at":
		return (!next.is("time") || !r.tok(i+2).is("zone")) && !next.isPunct("(")
	case "map", "struct", "columns", "unpack":
		return !next.isPunct("(") && !next.isPunct("{") && !next.isPunct("[")
	case "try_cast":
		return !next.isPunct("(")
	case "show", "describe", "summarize", "pivot", "unpivot", "pivot_wider", "pivot_longer":
		if before.isPunct("(") {
			return r.listOpens(i - 1)
		}
		return operandExpected(before)
	case "qualify", "glob", "by":
		return operandExpected(before)
	case "lambda":
		return operandExpected(before) && !r.lambdaArguments(i+1)
	case "anti", "semi", "asof", "positional":
		return !next.is("join") && !next.is("left") && !next.is("right") && !next.is("inner") && !next.is("outer") && !next.is("full")
	case "generated":
		return !next.is("always") && !next.is("by") && !next.is("as")
	}
	return false
}

// operandExpected reports whether what follows the token can only be a value
// or a name, and not a word that goes on with a clause.
func operandExpected(before Token) bool {
	switch before.Kind {
	case TokenOperator:
		return before.Text != "*" // which may be all columns
	case TokenPunct:
		return before.Text == "," || before.Text == "(" || before.Text == "["
	case TokenWord:
	default:
		return false
	}
	switch before.Text {
	case "select", "distinct", "where", "and", "or", "not", "on", "by", "set", "having", "returning", "case", "when", "then",
		"else", "between", "like", "ilike", "from", "join", "into", "update", "table", "only", "view", "add", "column", "exists":
		return true
	}
	return false
}

// listOpens reports whether the bracket at i opens the columns of a table or
// the arguments of a call: a query would follow another bracket or a word that
// is no name.
func (r *rewriter) listOpens(i int) bool {
	before := r.tok(i - 1)
	return before.Kind == TokenQuoted || before.Kind == TokenWord && !isReserved(before.Text) && before.Text != "materialized"
}

// lambdaArguments reports whether the names of a lambda stand here: x: or x, y:.
func (r *rewriter) lambdaArguments(i int) bool {
	for r.tok(i).isIdent() {
		if i++; r.tok(i).isPunct(":") {
			return true
		}
		if !r.tok(i).isPunct(",") {
			return false
		}
		i++
	}
	return r.tok(i).isPunct("(") // DuckDB reads lambda (x): too
}
