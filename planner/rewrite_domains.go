package planner

import (
	"strconv"
	"strings"
)

// Where DuckDB answers infinity, NaN or NULL for a value outside of a
// function's domain or range, Postgres has an error. The calls stay DuckDB's,
// with a test beside them, so that a view of the file needs no function of ours.

// domainFunctions are the functions whose calls are tested.
func domainFunctions() []string {
	return []string{
		"exp", "power", "pow", "degrees", "atanh", "acosh", "cot", "round", "mod", "div",
		"chr", "to_hex", "split_part", "substr", "substring", "json_array_length", "jsonb_array_length",
	}
}

// tested is the call of a function with its tests; "" if it has none for so
// many arguments.
func tested(name string, args ...string) string {
	const inf, overflow = "'inf'::DOUBLE", "error('[22003] value out of range: overflow')"
	x := args[0]
	if len(args) > 1 {
		return testedMore(name, args)
	}
	switch call := name + "(" + x + ")"; name {
	case "exp":
		return "CASE WHEN " + call + " = " + inf + " AND " + x + " < " + inf + " THEN " + overflow +
			" WHEN " + call + " = 0 AND " + x + " > '-inf'::DOUBLE AND typeof(" + x + ") NOT LIKE 'DECIMAL%' THEN " + underflow + " ELSE " + call + " END"
	case "degrees":
		return "CASE WHEN abs(" + call + ") = " + inf + " AND abs(" + x + "::DOUBLE) < " + inf + " THEN " + overflow + " ELSE " + call + " END"
	case "atanh":
		return "CASE " + x + " WHEN 1 THEN " + inf + " WHEN -1 THEN '-inf'::DOUBLE ELSE " + call + " END"
	case "acosh":
		return "CASE WHEN " + x + " < 1 THEN error('[22003] input is out of range') ELSE " + call + " END"
	case "cot":
		return "CASE " + x + " WHEN 0 THEN " + inf + " ELSE " + call + " END"
	case "chr":
		return "CASE WHEN " + x + " < 0 THEN error('[22023] character number must be positive') WHEN " + x +
			" = 0 THEN error('[54000] null character not permitted') WHEN " + x + " > 1114111 THEN error('[54000] requested character too large for encoding') ELSE " + call + " END"
	case "to_hex":
		return "lower(CASE WHEN typeof(" + x + ") = 'INTEGER' THEN to_hex(" + x + "::BIGINT & 4294967295) ELSE " + call + " END)"
	case "json_array_length", "jsonb_array_length":
		return "CASE WHEN json_type(" + x + ") <> 'ARRAY' THEN error('[22023] cannot get array length of a non-array') ELSE json_array_length(" + x + ")::INTEGER END"
	case "round": // halves of floats to even
		return call + " - CASE WHEN typeof(" + x + ") IN ('DOUBLE', 'FLOAT') AND abs(" + x + " - trunc(" + x + ")) = 0.5 AND " +
			call + " / 2 <> trunc(" + call + " / 2) THEN sign(" + x + ") ELSE 0 END"
	}
	return ""
}

// testedMore is tested for several arguments.
func testedMore(name string, args []string) string {
	switch {
	case len(args) == 2 && (name == "power" || name == "pow"):
		return testedPower(args[0], args[1])
	case len(args) == 2 && strings.HasPrefix(name, "substr"):
		return "substring(" + args[0] + ", greatest(" + args[1] + ", 1))"
	case len(args) == 3 && strings.HasPrefix(name, "substr"):
		from := "greatest(" + args[1] + ", 1)"
		return "CASE WHEN " + args[2] + " < 0 THEN error('[22011] negative substring length not allowed') ELSE substring(" +
			args[0] + ", " + from + ", greatest(" + args[1] + " + " + args[2] + " - " + from + ", 0)) END"
	case len(args) == 3 && name == "split_part":
		return "CASE WHEN " + args[2] + " = 0 THEN error('[22023] field position must not be zero') ELSE split_part(" + strings.Join(args, ", ") + ") END"
	}
	return ""
}

const underflow = "error('[22003] value out of range: underflow')"

func testedPower(x, y string) string {
	const inf = "'inf'::DOUBLE"
	call := "power(" + x + ", " + y + ")"
	finite := " AND abs(" + x + "::DOUBLE) < " + inf + " AND abs(" + y + "::DOUBLE) < " + inf
	domain := ""
	if strings.Trim(y, "0123456789") != "" { // no whole number
		domain = " WHEN " + x + " = 0 AND " + y + " < 0 THEN error('[2201F] zero raised to a negative power is undefined')" +
			" WHEN " + x + " < 0" + finite + " AND " + y + " <> floor(" + y + ") THEN error('[2201F] a negative number raised to a non-integer power yields a complex result')"
	}
	return "CASE" + domain + " WHEN abs(" + call + ") = " + inf + finite + " THEN error('[22003] value out of range: overflow')" +
		" WHEN " + call + " = 0 AND " + x + " <> 0" + finite + " AND typeof(" + x + ") NOT LIKE 'DECIMAL%' THEN " + underflow +
		" ELSE " + call + " END"
}

// domain tests the arguments or the result of the call at token i.
func (r *rewriter) domain(i int) {
	if !r.tok(i + 1).isPunct("(") {
		return
	}
	args := r.arguments(i + 1)
	name := r.toks[i].Text
	switch {
	case len(args) == 0:
	case name == "mod" || name == "div":
		if len(args) == 2 {
			r.divideBy(args[1].first, args[1].last)
		}
	case strings.HasPrefix(name, "substr"):
		r.substringBounds(name, i)
	case name == "split_part" && len(args) == 3 && r.plainlyPositive(args[2]), name == "chr" && r.plainlyPositive(args[0]) && len(r.toks[args[0].first].Text) < 6:
	case name == "round" && args[0].first == args[0].last && r.toks[args[0].first].Kind == TokenParam:
		// which has no type to ask for
	default:
		r.test(name, i, r.close(i+1), args)
	}
}

// substringBounds tests the bounds of a SUBSTRING that are not plainly positive,
// and counts those before the first character as Postgres does.
func (r *rewriter) substringBounds(name string, i int) {
	args := r.arguments(i + 1)
	if from := r.wordIn(i+1, "from"); from >= 0 {
		end := r.close(i + 1)
		args = []callArg{{i + 2, from - 1}, {from + 1, end - 1}}
		if length := r.wordIn(i+1, "for"); length > from {
			args[1].last = length - 1
			args = append(args, callArg{length + 1, end - 1})
		}
	}
	if len(args) < 2 || len(args) > 3 {
		return
	}
	positive := true
	for _, a := range args[1:] {
		if t := r.toks[a.first]; t.Kind == TokenString || t.Kind == TokenParam {
			return // a pattern, or of no type yet
		}
		positive = positive && r.plainlyPositive(a)
	}
	if !positive {
		r.test(name, i, r.close(i+1), args)
	}
}

// plainlyPositive reports whether an argument is a number above 0 that is written
// out, or none that can be told from a parameter.
func (r *rewriter) plainlyPositive(a callArg) bool {
	t := r.toks[a.first]
	return a.first == a.last && (nonZero(t) || t.Kind == TokenParam)
}

// power tests the operator ^, which binds tighter than everything but a sign.
func (r *rewriter) power(i int) {
	first := r.signed(r.factorBefore(i))
	for r.tok(first - 1).isPunct("^") {
		first = r.signed(r.factorBefore(first - 1))
	}
	operand := i + 1
	for r.tok(operand).isPunct("-") || r.tok(operand).isPunct("+") {
		operand++
	}
	last := r.primary(operand)
	if first < 0 || first >= i || last < 0 {
		return
	}
	r.test("power", first, last, []callArg{{first, i - 1}, {i + 1, last}})
}

// factorBefore is the first token of the value that ends before token i, a
// typed literal's type included.
func (r *rewriter) factorBefore(i int) int {
	j := r.primaryBefore(i)
	if r.tok(j).Kind == TokenString {
		if name, first := r.typeBefore(j); name != "" {
			return first
		}
	}
	return j
}

// signed is the place of the sign before the value at token i, or i.
func (r *rewriter) signed(i int) int {
	sign, before := r.tok(i-1), r.tok(i-2)
	if !sign.isPunct("-") && !sign.isPunct("+") {
		return i
	}
	if before.Kind == TokenEnd || operandExpected(before) || before.isPunct("*") {
		return i - 1
	}
	return i
}

// test writes the call or operation of tokens first to last, whose arguments
// are args, with the tests of the function. Arguments that are more than a name
// or a constant are computed once, as parts of a row.
func (r *rewriter) test(name string, first, last int, args []callArg) {
	plain := make([]string, len(args))
	row := make([]string, len(args))
	simple := true
	for n, a := range args {
		simple = simple && r.isPlain(a)
		plain[n] = r.edits.Slice(r.toks[a.first].Start, r.toks[a.last].End)
		if !simple {
			plain[n] = "(" + plain[n] + ")"
		}
		row[n] = "_v.x" + strconv.Itoa(n+1)
	}
	text := tested(name, row...)
	switch {
	case text == "":
		return
	case simple, r.inDefinition(first) && !r.rewrittenLater(first, last):
		r.replace(first, last, "("+tested(name, plain...)+")")
		return
	}
	start, end := r.toks[args[0].first].Start, r.toks[args[len(args)-1].last].End
	for n, a := range args[1:] {
		r.replace(a.first-1, a.first-1, ", 'x"+strconv.Itoa(n+2)+"': ") // a comma, or ^
	}
	if first < args[0].first {
		r.replace(first, args[0].first-1, "")
		r.replace(last, last, "")
	}
	r.edits.Wrap(start, end, "list_transform([{'x1': ", "}], lambda _v: "+text+")[1]")
}

// inDefinition reports whether token i lies in the definition of a column or a
// constraint.
func (r *rewriter) inDefinition(i int) bool {
	switch n := r.st.Node.(type) {
	case *CreateTableStmt:
		return n.Columns.Start <= r.toks[i].Start && r.toks[i].End <= n.Columns.End
	case *AlterStmt:
		return true
	}
	return false
}

// isPlain reports whether an argument is a name, a constant or a parameter.
func (r *rewriter) isPlain(a callArg) bool {
	for p := r.parserAt(a.first + 1); a.first < a.last && p.pos < a.last; p.next() {
		if p.peek().isPunct("::") { // with its cast
			first := p.pos
			if p.next(); p.typeRef() != "" && p.pos == a.last+1 {
				a.last = first - 1
			}
			break
		}
	}
	if t := r.toks[a.first]; a.first < a.last && (t.isPunct("-") || t.isPunct("+")) {
		a.first++
	}
	for n, t := range r.toks[a.first : a.last+1] {
		switch t.Kind {
		case TokenNumber, TokenParam, TokenString:
			if a.first != a.last {
				return false
			}
		case TokenWord, TokenQuoted:
			if n%2 != 0 {
				return false
			}
		default:
			if n%2 == 0 || !t.isPunct(".") {
				return false
			}
		}
	}
	return true
}

// floatType is the name of the type of floating point that pg_type calls
// name, and whether a text is a number beyond its range.
func floatType(name, text string) (words string, beyond bool) {
	text = strings.TrimSpace(text)
	switch name {
	case "float8":
		return "double precision", outOfRange(text, 64)
	case "float4":
		return "real", outOfRange(text, 32)
	}
	return "", false
}

// outOfRange reports whether a decimal number is beyond a float's range, at
// either end.
func outOfRange(text string, bits int) bool {
	f, err := strconv.ParseFloat(text, bits)
	switch {
	case strings.ContainsAny(text, "xXpP_iInN"):
		return false // no decimal number
	case err != nil:
		return f != 0 // infinite: out of range; 0: no number at all
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return f == 0 && strings.ContainsAny(mantissa, "123456789")
}
