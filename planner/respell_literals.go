package planner

import "strings"

// A string beside an arithmetic operator is a constant of the other operand's
// type in Postgres. DuckDB finds no single operator for it.

// literalOperand gives the string beside the operator at token i its type; the
// message names those of the operands.
func (r *rewriter) literalOperand(i int, message string) {
	op := r.toks[i].Text
	types, ok := strings.CutPrefix(message, "function "+op+"(")
	if !ok {
		return
	}
	types, _, _ = strings.Cut(types, ") is not unique")
	left, right, binary := strings.Cut(types, ", ")
	if !binary {
		return
	}
	last, first := r.divisor(i+1), r.primaryBefore(i)
	switch {
	case last == i+1 && r.toks[last].Kind == TokenString:
		r.typeOperand(last, literalType(op, left))
	case first == i-1 && r.toks[first].Kind == TokenString:
		r.typeOperand(first, literalType(op, right))
	}
}

// literalType is DuckDB's name of the type that a string has beside an operand
// of the type that Postgres calls other; "" if several would do.
func literalType(op, other string) string {
	if strings.HasPrefix(other, "DECIMAL(") {
		other = "numeric"
	}
	switch other {
	case "smallint", "integer", "bigint":
		return other
	case "numeric":
		return bareNumeric
	case "real", "double precision":
		return "DOUBLE"
	case "timestamp with time zone", "timestamp without time zone":
		if op == "-" {
			return other
		}
		return "INTERVAL"
	case "interval":
		if op == "*" || op == "/" {
			return "DOUBLE"
		}
		return "INTERVAL"
	}
	return ""
}

// typeOperand makes the string at token i a constant of the type: a number is
// written without its quotes, so that it has its own digits.
func (r *rewriter) typeOperand(i int, typeName string) {
	text := strings.TrimSpace(r.toks[i].Text)
	whole := isWhole(text)
	switch {
	case typeName == "":
	case whole || typeName == bareNumeric && isPlainNumber(text):
		r.replace(i, i, "("+text+")")
	default:
		r.replace(i, i, "CAST("+quoteLiteral(text)+" AS "+typeName+")")
	}
}

// isWhole reports whether the text is an integer.
func isWhole(text string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// isPlainNumber reports whether the text is a decimal number without exponent.
func isPlainNumber(text string) bool {
	whole, fraction, _ := strings.Cut(text, ".")
	return isWhole(whole + fraction)
}
