package planner

import (
	"slices"
	"strings"
)

// regexp makes a ~ b a call of regexp_matches. Postgres's dot matches a line
// break too, hence the option s.
func (r *rewriter) regexp(i int) {
	first, ok := r.operandBefore(i)
	last := r.operandAfter(i + 1)
	op := r.toks[i].Text
	if r.quantified(i + 1) {
		options, not := "'s'", ""
		if strings.HasSuffix(op, "*") {
			options = "'is'"
		}
		if op[0] == '!' {
			not = "NOT "
		}
		r.anyPattern(first, i, ok, func(x string) string { return not + "regexp_matches(" + x + ", _p, " + options + ")" })
		return
	}
	if !ok || last < 0 {
		return
	}
	open, options := "regexp_matches(", ", 's')"
	if op[0] == '!' {
		open, options = "(NOT regexp_matches(", ", 's'))"
	}
	if op[len(op)-1] == '*' {
		options = ", 'is'" + options[len(", 's'"):]
	}
	r.replace(i, i, ",")
	r.edits.Wrap(r.toks[first].Start, r.toks[last].End, open, options)
	if pattern := r.toks[i+1]; last == i+1 && pattern.Kind == TokenString {
		if text := wordBoundaries(pattern.Text); text != pattern.Text {
			r.replace(last, last, quoteLiteral(text))
		}
	}
}

// xor makes a # b a call. Without a left operand it is DuckDB's #1, a column by
// its place.
func (r *rewriter) xor(i int) {
	first, ok := r.operandBefore(i)
	last := r.operandAfter(i + 1)
	if !ok || last < 0 {
		return
	}
	r.replace(i, i, ",")
	r.edits.Wrap(r.toks[first].Start, r.toks[last].End, "xor(", ")")
}

// root makes |/ a and ||/ a calls.
func (r *rewriter) root(i int) {
	last := r.operandAfter(i + 1)
	if last < 0 {
		return
	}
	name := "sqrt"
	if r.toks[i].Text == "||/" {
		name = "cbrt"
	}
	r.replace(i, i, name+"(")
	r.edits.Insert(r.toks[last].End, ")")
}

// wordBoundaries writes \m, \M and \y as RE2 knows them.
func wordBoundaries(pattern string) string {
	b := []byte(pattern)
	for i := 0; i+1 < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		switch b[i+1] {
		case 'm', 'M', 'y':
			b[i+1] = 'b'
		case 'Y':
			b[i+1] = 'B'
		}
		i++
	}
	return string(b)
}

// division makes a divisor of 0 an error.
func (r *rewriter) division(i int) {
	if _, ok := r.operandBefore(i); !ok {
		return
	}
	last := r.divisor(i + 1)
	if last >= 0 {
		r.divideBy(i+1, last)
	}
}

// divideBy makes it an error that the divisor of tokens first to last is 0,
// where it is not plain that it is none. A parameter stays as it is: comparing
// it with 0 would give it a type.
func (r *rewriter) divideBy(first, last int) {
	t := r.toks[first]
	if first == last && t.Kind == TokenString {
		if isPlainNumber(t.Text) { // a number, as what it divides
			r.replace(first, last, "("+t.Text+")")
		}
		return
	}
	if first == last && (nonZero(t) || t.Kind == TokenParam) || t.is("nullif") {
		return
	}
	start, end := r.toks[first].Start, r.toks[last].End
	const raise = " = 0 THEN error('[22012] division by zero') ELSE "
	if text := r.edits.Slice(start, end); (len(text) <= 40 || r.inDefinition(first) && len(text) <= 1000) && !r.rewrittenLater(first, last) {
		r.edits.Wrap(start, end, "(CASE WHEN "+text+raise, " END)")
		return
	}
	// A long one is not written twice: divisions within divisions would grow
	// without bound, and a subquery would run twice.
	r.edits.Wrap(start, end, "list_transform([", "], lambda x: CASE WHEN x"+raise+"x END)[1]")
}

// rewrittenLater reports whether a rule that comes after the divisions is about
// something in the tokens.
func (r *rewriter) rewrittenLater(first, last int) bool {
	for _, t := range r.toks[first : last+1] {
		if t.is("like") || t.is("ilike") || t.is("select") || t.Kind == TokenOperator && strings.Contains(t.Text, "~") {
			return true
		}
	}
	return false
}

// nonZero reports whether the token is a number other than zero.
func nonZero(t Token) bool {
	if t.Kind != TokenNumber {
		return false
	}
	for _, c := range []byte(t.Text) {
		switch {
		case '1' <= c && c <= '9':
			return true
		case c == 'e', c == 'E', c == 'x', c == 'X':
			return false
		}
	}
	return false
}

// divisor is the last token of the operand of a division that starts at i, or
// -1. Only an exponent binds tighter than a division.
func (r *rewriter) divisor(i int) int {
	for {
		for r.tok(i).isPunct("-") || r.tok(i).isPunct("+") {
			i++
		}
		last := r.primary(i)
		if last < 0 || !r.tok(last+1).isPunct("^") {
			return last
		}
		i = last + 2
	}
}

// primary is the last token of the value that starts at i, with its casts and
// subscripts; -1 when none does.
func (r *rewriter) primary(i int) int {
	p := r.parserAt(i)
	o := &outputItem{first: -1, alias: -1}
	if t := p.peek(); t.Kind == TokenEnd || t.Kind == TokenOperator || t.Kind == TokenPunct && t.Text != "(" && t.Text != "[" && t.Text != "{" {
		return -1
	}
	if !p.operand(o) || o.compound {
		return -1
	}
	for p.peek().isPunct("::") || p.peek().isPunct("[") || p.peek().isPunct(".") || p.at("over") || p.at("filter") || p.at("within", "group") {
		p.afterOperand(o)
	}
	return p.pos - 1
}

// operandAfter is the last token of the right operand of an operator like ~
// that starts at i: arithmetic binds tighter than it.
func (r *rewriter) operandAfter(i int) int { return r.operandWhile(i, arithmetic) }

// operandWhile is the last token of the operand that starts at i and goes on
// through the operators that bind tighter; -1 when there is none.
func (r *rewriter) operandWhile(i int, tighter func(Token) bool) int {
	for {
		last := r.divisor(i)
		if last < 0 || !tighter(r.tok(last+1)) {
			return last
		}
		i = last + 2
	}
}

// tighterThanLike holds for every operator but the comparisons.
func tighterThanLike(t Token) bool { return t.Kind == TokenOperator && !comparison(t.Text) }

func arithmetic(t Token) bool {
	if t.Kind != TokenOperator {
		return false
	}
	switch t.Text {
	case "+", "-", "*", "/", "%", "^":
		return true
	}
	return false
}

// operandBefore is the first token of the left operand that ends before token
// i: everything that binds at least as tightly as an operator like ~. ok is
// false when there is no left operand.
func (r *rewriter) operandBefore(i int) (first int, ok bool) {
	at := i
	for j := i - 1; j >= 0; j-- {
		t := r.toks[j]
		switch {
		case t.isPunct(")"), t.isPunct("]"), t.isPunct("}"), t.is("end"):
			j = r.openingOf(j)
		case t.isPunct("("), t.isPunct("["), t.isPunct("{"), t.isPunct(","), t.isPunct(";"), t.isPunct("=>"), t.isPunct(":="), t.isPunct(":"):
			return at, at < i
		case t.Kind == TokenOperator && comparison(t.Text):
			return at, at < i
		case t.Kind == TokenWord && !r.tok(j-1).isPunct(".") && !operandWord(t.Text):
			return at, at < i
		}
		at = j
	}
	return at, at < i
}

func comparison(op string) bool {
	switch op {
	case "=", "<", ">", "<=", ">=", "<>", "!=", "==":
		return true
	}
	return false
}

// operandWord reports whether the word can lie within an operand.
func operandWord(word string) bool {
	switch word {
	case "null", "true", "false", "array", "collate", "current_date", "current_time", "current_timestamp", "current_user", "session_user",
		"user", "current_role", "current_catalog", "localtime", "localtimestamp", "over", "filter":
		return true
	case "is", "isnull", "notnull", "at", "escape", "glob", "return", "set", "by", "filter_":
		return false
	}
	return !isReserved(word) && !infixOperator(word)
}

// openingOf is the place of the bracket, or CASE, that the one at j closes.
func (r *rewriter) openingOf(j int) int {
	depth := 0
	for ; j > 0; j-- {
		depth += nesting(r.toks[j], r.tok(j-1))
		if depth == 0 {
			return j
		}
	}
	return 0
}

// like adds the escape character that a pattern has in Postgres.
func (r *rewriter) like(i int) {
	if r.quantified(i + 1) {
		op := i - boolInt(r.tok(i-1).is("not"))
		first, ok := r.operandBefore(op)
		words := r.st.SQL[r.toks[op].Start:r.toks[i].End]
		r.anyPattern(first, i, ok, func(x string) string { return x + " " + words + ` _p ESCAPE '\'` })
		return
	}
	last := r.operandWhile(i+1, tighterThanLike)
	if last < 0 || r.tok(last+1).is("escape") {
		return
	}
	if t := r.toks[i+1]; last == i+1 && t.Kind == TokenString {
		if slices.Contains([]byte(t.Text), '\\') {
			r.edits.Insert(t.End, ` ESCAPE '\'`)
			return
		}
		return
	}
	r.edits.Insert(r.toks[last].End, ` ESCAPE '\'`)
}

// quantified reports whether ANY, SOME or ALL of an array or a query stands at
// token i.
func (r *rewriter) quantified(i int) bool {
	t := r.tok(i)
	return (t.is("any") || t.is("some") || t.is("all")) && r.tok(i+1).isPunct("(")
}

// queryIn reports whether the parenthesis at token i opens a query.
func (r *rewriter) queryIn(i int) bool {
	inner := r.tok(i + 1)
	return inner.is("select") || inner.is("values") || inner.is("with") || inner.is("from") || inner.is("table")
}

// anyPattern compares the operand that begins at token first with each pattern
// of the array or query after the operator at token i: test writes one comparison, with
// the pattern _p.
func (r *rewriter) anyPattern(first, i int, ok bool, test func(x string) string) {
	if !ok {
		return
	}
	end := i - boolInt(r.tok(i-1).is("not"))
	x := r.edits.Slice(r.toks[first].Start, r.toks[end-1].End)
	open := i + 2
	last := r.close(open)
	list := r.edits.Slice(r.toks[open].End, r.toks[last].Start)
	if literal, _, isArray := arrayLiteral(r.tok(open + 1).Text); isArray && r.tok(open+1).Kind == TokenString && open+2 == last {
		list = literal
	}
	call := "memory.pgf._any"
	if r.toks[i+1].is("all") {
		call = "memory.pgf._all"
	}
	if r.queryIn(open) {
		r.replace(first, open, call+"(list_transform(coalesce(ARRAY(")
		r.replace(last, last, "), []), lambda _p: "+test(x)+"))")
		return
	}
	r.replace(first, last, call+"(list_transform("+list+", lambda _p: "+test(x)+"))")
}

// symmetric puts the bounds of BETWEEN SYMMETRIC in order.
func (r *rewriter) symmetric(i int) {
	if !r.tok(i - 1).is("between") {
		return
	}
	and := r.operandWhile(i+1, tighterThanLike) + 1
	last := r.operandWhile(and+1, tighterThanLike)
	if and == 0 || !r.tok(and).is("and") || last < 0 {
		return
	}
	a, b := r.edits.Slice(r.toks[i+1].Start, r.toks[and-1].End), r.edits.Slice(r.toks[and+1].Start, r.toks[last].End)
	ordered := "(CASE WHEN (" + a + ") < (" + b + ") THEN "
	r.replace(i, last, ordered+a+" ELSE "+b+" END) AND "+ordered+b+" ELSE "+a+" END)")
}
