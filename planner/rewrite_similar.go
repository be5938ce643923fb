package planner

import "strings"

// similar deals with a SIMILAR TO 'pattern': DuckDB takes the pattern for a
// regular expression, in which % and _ mean themselves.
func (r *rewriter) similar(i int) {
	pattern := r.tok(i + 2)
	if r.tok(i+1).is("to") && pattern.Kind == TokenString && !r.tok(i+3).is("escape") {
		r.replace(i+2, i+2, quoteLiteral(similarPattern(pattern.Text)))
	}
}

// similarPattern writes a pattern of SIMILAR TO as a regular expression.
func similarPattern(pattern string) string {
	var b strings.Builder
	inSet := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteByte('\\')
			b.WriteByte(pattern[i])
		case inSet:
			inSet = c != ']'
			b.WriteByte(c)
		case c == '[':
			inSet = true
			b.WriteByte(c)
		case c == '%':
			b.WriteString("(?s:.*)")
		case c == '_':
			b.WriteString("(?s:.)")
		case c == '.' || c == '^' || c == '$':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
