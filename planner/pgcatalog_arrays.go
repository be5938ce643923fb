package planner

import (
	"strconv"
	"strings"
)

// anyOf makes x = ANY (array) a call of list_contains, which can stand in the
// ON of an outer join, where DuckDB takes no subquery.
func (r *pgRewriter) anyOf() {
	equals, open := r.i, r.i+2
	r.i++
	if !r.reads || !r.token(open).isPunct("(") || !r.token(open+1).isIdent() || r.token(open+1).is("select") || r.token(open+1).is("values") {
		return
	}
	operand := r.operandStart(equals)
	before := r.token(operand - 1)
	if before.Kind == TokenOperator || before.isPunct("::") || before.isPunct(".") {
		return
	}
	end := r.closing(open)
	start := r.toks[operand].Start
	x := r.edits.src[start:r.toks[equals-1].End]
	if _, edited := r.opened[start]; edited || r.editedSince(start) {
		return
	}
	r.edits.Replace(start, r.toks[open].End, "list_contains(")
	r.edits.Insert(r.toks[end].Start, ", "+x)
	r.i = open + 1
}

// editedSince reports whether an edit was made at offset at or after it.
func (r *pgRewriter) editedSince(at int) bool {
	for _, e := range r.edits.list {
		if e.end > at {
			return true
		}
	}
	return false
}

// arrayLiteral makes a list of '{a,b}' where an array must be meant: compared
// to one, in ANY or ALL, cast to an array type, or as an alternative to one.
func (r *pgRewriter) arrayLiteral() {
	t, before, after := r.toks[r.i], r.token(r.i-1), r.token(r.i+1)
	r.i++
	if !r.reads {
		return
	}
	list, ok := listOf(t.Text)
	if !ok {
		return
	}
	compared := before.isPunct("=") || before.isPunct("<>") || before.isPunct("!=") || before.is("else") || before.is("then")
	if compared || before.isPunct("(") && after.isPunct(")") || after.isPunct("::") {
		r.edits.Replace(t.Start, t.End, list)
	}
}

// listOf is a DuckDB list of the elements of an array literal with one
// dimension; ok is false for any other string.
func listOf(literal string) (list string, ok bool) {
	if len(literal) < 2 || literal[0] != '{' || literal[len(literal)-1] != '}' {
		return "", false
	}
	var items []string
	for rest := literal[1 : len(literal)-1]; rest != ""; {
		item, after, ok := arrayElement(rest)
		if !ok {
			return "", false
		}
		items = append(items, item)
		if rest, ok = strings.CutPrefix(after, ","); !ok && rest != "" {
			return "", false
		}
	}
	return "[" + strings.Join(items, ", ") + "]", true
}

// arrayElement reads the first element of text as an expression, and what
// follows it.
func arrayElement(text string) (item, after string, ok bool) {
	text = strings.TrimLeft(text, " ")
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexByte(text+",", ',')
		word := strings.TrimSpace(text[:end])
		if word == "" || strings.ContainsAny(word, `{}"\`) {
			return "", "", false
		}
		return arrayWord(word), text[end:], true
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return quoteLiteral(b.String()), strings.TrimLeft(text[i+1:], " "), true
		case '\\':
			i++
		}
		if i < len(text) {
			b.WriteByte(text[i])
		}
	}
	return "", "", false
}

// arrayWord is an element that is not quoted.
func arrayWord(word string) string {
	if _, err := strconv.ParseInt(word, 10, 64); err == nil {
		return word
	}
	if strings.EqualFold(word, "null") {
		return "NULL"
	}
	return quoteLiteral(word)
}
