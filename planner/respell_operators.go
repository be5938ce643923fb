package planner

import (
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// An operator that DuckDB lacks for the types of its operands, but Postgres
// has, is written as a call once DuckDB says which types they are.

// respelledOperator writes the operator that err speaks of as a call; ok is
// false if err is about something else.
func respelledOperator(text *Rewritten, e *catalog.Error) (again *Rewritten, ok bool) {
	tokens, err := Lex(text.SQL)
	if err != nil {
		return nil, false
	}
	r := &rewriter{st: &Statement{SQL: text.SQL}, toks: significant(tokens), edits: NewEdits(text.SQL)}
	const template = "Function '@>' has a template parameter type"
	unresolved := strings.HasPrefix(e.Message, template) && strings.Count(text.SQL, "@>") == 1
	for i, t := range r.toks {
		if t.Start == e.Position || e.Position < 0 && unresolved && t.isPunct("@>") {
			r.respell(i, e.Message)
			if e.SQLState() == "42725" {
				r.literalOperand(i, e.Message)
			}
		}
	}
	if left, right, found := cutTypes(e.Message, "Cannot concatenate types ", "Cannot concatenate lists of types "); found {
		r.concatenate(e.Position, left, right)
	}
	if r.edits.Empty() {
		return nil, false
	}
	again = r.edits.Apply()
	again.from = text
	return again, true
}

// respell writes the operator or function at token i as a call of ours, where
// the message says that there is none for its types.
func (r *rewriter) respell(i int, message string) {
	operator, isOperator := strings.CutPrefix(message, "operator does not exist: ")
	first, ok := r.operandBefore(i)
	switch {
	case isOperator && strings.HasPrefix(operator, "interval /") && r.toks[i].Text == "/":
		r.callBetween(r.factorsBefore(i), i, r.divisor(i+1), "memory.pgf._interval_divided(")
	case isOperator && strings.HasPrefix(operator, "interval * "):
		r.callBetween(r.factorsBefore(i), i, r.divisor(i+1), "memory.pgf._interval_times(")
	case isOperator && ok && operator == "time - time":
		r.callBetween(first, i, r.operandWhile(i+1, multiplicative), "memory.pgf._time_minus(")
	case ok && (isOperator && strings.HasPrefix(operator, "json @> ") || !isOperator && r.toks[i].isPunct("@>")):
		r.callBetween(first, i, r.operandAfter(i+1), "memory.pgf._jsonb_contains(")
	case isOperator && ok && strings.HasPrefix(operator, "json <@ "), isOperator && ok && operator == "text <@ json":
		r.callBetween(first, i, r.operandAfter(i+1), "memory.pgf._jsonb_contained(")
	case isOperator && strings.HasPrefix(operator, "json - "):
		r.callBetween(r.factorsBefore(i), i, r.operandWhile(i+1, multiplicative), "memory.pgf._jsonb_minus(")
	case message == "function length(bytea) does not exist":
		r.replace(i, i, "memory.pgf._length")
	}
}

// callBetween writes the operator at token i, whose operands begin and end at
// first and last, as a call.
func (r *rewriter) callBetween(first, i, last int, call string) {
	if first >= 0 && first < i && last > i {
		r.replace(i, i, ",")
		r.edits.Wrap(r.toks[first].Start, r.toks[last].End, call, ")")
	}
}

func multiplicative(t Token) bool {
	return t.isPunct("*") || t.isPunct("/") || t.isPunct("%")
}

// factorsBefore is the first token of the left operand of a multiplication or
// division at token i.
func (r *rewriter) factorsBefore(i int) int {
	for {
		j := r.primaryBefore(i)
		if r.tok(j).Kind == TokenString {
			if name, first := r.typeBefore(j); name != "" {
				j = first
			}
		}
		if !multiplicative(r.tok(j - 1)) {
			return j
		}
		i = j - 1
	}
}

// cutTypes reads the two types in a message such as "Cannot concatenate types
// INTEGER[] and INTEGER - an explicit cast is required".
func cutTypes(message string, prefixes ...string) (left, right string, ok bool) {
	for _, prefix := range prefixes {
		if rest, found := strings.CutPrefix(message, prefix); found {
			types, _, _ := strings.Cut(rest, " - ")
			return strings.Cut(types, " and ")
		}
	}
	return "", "", false
}

// concatenate writes the array || element or element || array around the
// offset as a call. A string beside an array is an array's text, as in
// Postgres.
func (r *rewriter) concatenate(at int, left, right string) {
	depth, other := arrayDepth(left), arrayDepth(right)
	first, i, last := r.concatenation(at)
	if i < 0 {
		return
	}
	call := ""
	switch {
	case depth > 0 && last == i+1 && r.toks[last].Kind == TokenString:
		r.castArray(last, left)
	case other > 0 && first == i-1 && r.toks[first].Kind == TokenString:
		r.castArray(first, right)
	case depth == other+1:
		r.castElement(i+1, last, left, other)
		call = "list_append("
	case other == depth+1:
		r.castElement(first, i-1, right, depth)
		call = "list_prepend("
	}
	if call != "" {
		r.replace(i, i, ",")
		r.edits.Wrap(r.toks[first].Start, r.toks[last].End, call, ")")
	}
}

// concatenation finds the innermost || around the offset: its place is i, and
// its operands are the tokens from first to last. i is -1 if there is none. Of
// some concatenations DuckDB tells no offset (-1): one is found if it is the
// only one.
func (r *rewriter) concatenation(at int) (first, i, last int) {
	found, size := [3]int{-1, -1, -1}, len(r.st.SQL)
	if at < 0 && strings.Count(r.st.SQL, "||") > 1 {
		return -1, -1, -1
	}
	for i, t := range r.toks {
		if !t.isPunct("||") {
			continue
		}
		first, ok := r.operandBefore(i)
		last := r.operandAfter(i + 1)
		if !ok || last < 0 {
			continue
		}
		start, end := r.toks[first].Start, r.toks[last].End
		if (start <= at && at < end || at < 0) && end-start < size {
			found, size = [3]int{first, i, last}, end-start
		}
	}
	return found[0], found[1], found[2]
}

// castArray makes the string at token i an array of the type; it is an error if
// it is no array's text.
func (r *rewriter) castArray(i int, typeName string) {
	list, _, ok := arrayLiteral(r.toks[i].Text)
	if !ok {
		list = quoteLiteral(r.toks[i].Text)
	}
	r.replace(i, i, "CAST("+list+" AS "+typeName+")")
}

// castElement gives an array that becomes an element of another one the type
// that the elements of that have.
func (r *rewriter) castElement(first, last int, arrayType string, depth int) {
	if depth > 0 {
		r.edits.Wrap(r.toks[first].Start, r.toks[last].End, "CAST(", " AS "+arrayType[:strings.LastIndexByte(arrayType, '[')]+")")
	}
}

// arrayDepth is how many dimensions the name of a type of DuckDB has.
func arrayDepth(typeName string) int {
	n := 0
	for strings.HasSuffix(typeName, "]") {
		typeName = typeName[:strings.LastIndexByte(typeName, '[')]
		n++
	}
	return n
}
