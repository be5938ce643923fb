package planner

import (
	"slices"
	"strconv"
	"strings"
)

// The places of errors about whole clauses, of which DuckDB tells none: they
// are found again in the statement's tokens.

// clausePlace is the offset of what an error with that message is about, or -1.
func (s *Statement) clausePlace(message string) int {
	switch {
	case strings.HasSuffix(message, "values were supplied"):
		return s.aritySource(message)
	case strings.HasPrefix(message, "VALUES lists must all be"):
		return s.unevenRow()
	case strings.HasPrefix(message, "each UNION, INTERSECT or EXCEPT"):
		return s.unevenArm()
	case strings.HasPrefix(message, "GROUP BY position"):
		return s.groupOutOfRange()
	case strings.HasPrefix(message, "Could not ORDER BY column"):
		return s.lastAfter([]string{"order", "by"}, quotedLast(message))
	case strings.HasPrefix(message, `window "`) && strings.HasSuffix(message, "does not exist"):
		return s.lastAfter([]string{"over"}, quotedLast(message))
	case strings.HasPrefix(message, `Function "`) && strings.Contains(message, "is a Scalar Function"):
		return s.named(strings.Trim(strings.Fields(message)[1], `"`), func(next Token) bool { return next.isPunct("(") })
	case strings.HasPrefix(message, "SELECT * with no tables"):
		return s.named("*", func(Token) bool { return true })
	case strings.HasPrefix(message, "Duplicate CTE name"):
		return s.repeatedCTE()
	case strings.HasPrefix(message, "Unrecognized sampling method"):
		return s.lastAfter([]string{"tablesample"}, "")
	}
	return -1
}

// quotedLast is the last part of the name that a message quotes.
func quotedLast(message string) string {
	parts := strings.Split(message, `"`)
	if len(parts) < 3 {
		return ""
	}
	return parts[1][strings.LastIndexByte(parts[1], '.')+1:]
}

// lastAfter is the place of the name that follows the last of the words; "" is
// any name.
func (s *Statement) lastAfter(words []string, name string) int {
	for i := range slices.Backward(s.Tokens) {
		p := &parser{sql: s.SQL, toks: s.Tokens, pos: i}
		if !p.accept(words...) {
			continue
		}
		for ; !p.done(); p.next() {
			if t := p.peek(); t.isIdent() && (name == "" || t.Text == name) {
				return t.Start
			}
		}
	}
	return -1
}

// named is the place of the first token of that text which is followed so.
func (s *Statement) named(text string, followed func(next Token) bool) int {
	p := &parser{sql: s.SQL, toks: s.Tokens}
	for ; !p.done(); p.next() {
		if t := p.peek(); t.Text == text && followed(p.ahead(1)) {
			return t.Start
		}
	}
	return -1
}

// aritySource is the place of the first value of an INSERT that has no column,
// or of the first column that has no value.
func (s *Statement) aritySource(message string) int {
	n, ok := s.Node.(*InsertStmt)
	if !ok {
		return -1
	}
	columns, values := arity(message)
	if values < columns {
		if values < len(n.Columns) {
			return n.Columns[values].Range.Start
		}
		return -1
	}
	first, _ := slices.BinarySearchFunc(s.Tokens, n.Body.Start, func(t Token, at int) int { return t.Start - at })
	items := s.rowOf(first)
	if columns < len(items) {
		return items[columns]
	}
	return -1
}

// arity reads "… 2 columns but 1 values were supplied".
func arity(message string) (columns, values int) {
	fields := strings.Fields(message)
	for i, f := range fields[:len(fields)-1] {
		n, err := strconv.Atoi(f)
		switch {
		case err != nil:
		case strings.HasPrefix(fields[i+1], "column"):
			columns = n
		case strings.HasPrefix(fields[i+1], "value"):
			values = n
		}
	}
	return columns, values
}

// rowOf are the places of what the query at token i gives: of the items of its
// SELECT, or of its first row of VALUES. A query with * has none.
func (s *Statement) rowOf(i int) (places []int) {
	p := &parser{sql: s.SQL, toks: s.Tokens, pos: i}
	for p.acceptPunct("(") {
	}
	if p.at("with") {
		if _, err := p.commonTables(); err != nil {
			return nil
		}
	}
	switch {
	case p.accept("values"):
		return s.rowAt(p.pos)
	case p.accept("select"):
		p.selectHead()
		for _, o := range p.items() {
			if o.star {
				return nil
			}
			places = append(places, s.Tokens[o.first].Start)
		}
	}
	return places
}

// rowAt are the places of the values between the parentheses at token i.
func (s *Statement) rowAt(i int) (places []int) {
	p := &parser{sql: s.SQL, toks: s.Tokens, pos: i}
	if !p.acceptPunct("(") {
		return nil
	}
	for !p.done() {
		first := *p
		for first.peek().isPunct("(") && !queryAhead(&first) {
			first.next()
		}
		places = append(places, first.peek().Start)
		p.scanItem()
		if !p.acceptPunct(",") {
			break
		}
	}
	return places
}

// unevenRow is the place of the first row of VALUES whose length is another
// than that of the first one.
func (s *Statement) unevenRow() int {
	for i, t := range s.Tokens {
		if !t.is("values") {
			continue
		}
		first := len(s.rowAt(i + 1))
		p := &parser{sql: s.SQL, toks: s.Tokens, pos: i + 1}
		for p.peek().isPunct("(") {
			if row := s.rowAt(p.pos); len(row) != first && len(row) > 0 {
				return row[0]
			}
			if p.skipGroup(); !p.acceptPunct(",") {
				break
			}
		}
	}
	return -1
}

// unevenArm is the place of the select list of the first query in a UNION or
// the like that has another number of columns than the one before it.
func (s *Statement) unevenArm() int {
	for i, t := range s.Tokens {
		if !t.is("union") && !t.is("intersect") && !t.is("except") {
			continue
		}
		p := &parser{sql: s.SQL, toks: s.Tokens, pos: i + 1}
		p.acceptAny("all", "distinct")
		left, right := s.rowOf(s.queryBefore(i)), s.rowOf(p.pos)
		if len(left) > 0 && len(right) > 0 && len(left) != len(right) {
			return right[0]
		}
	}
	return -1
}

// queryBefore is the token at which the query begins that the UNION at token i
// goes on with.
func (s *Statement) queryBefore(i int) int {
	depth := 0
	for j := i - 1; j >= 0; j-- {
		switch t := s.Tokens[j]; {
		case t.isPunct(")"):
			depth++
		case t.isPunct("("):
			if depth--; depth < 0 {
				return j + 1
			}
		}
	}
	return s.Verb
}

// groupOutOfRange is the place of the first number in a GROUP BY that is none of
// an item of its SELECT.
func (s *Statement) groupOutOfRange() int {
	count := 0
	for i, t := range s.Tokens {
		if t.is("select") {
			count = len(s.rowOf(i))
		}
		p := &parser{sql: s.SQL, toks: s.Tokens, pos: i}
		if !p.accept("group", "by") {
			continue
		}
		for !p.done() {
			first := p.peek()
			sign := p.acceptPunct("-")
			number := p.peek()
			n, err := strconv.Atoi(number.Text)
			if number.Kind == TokenNumber && err == nil && (sign || n < 1 || n > count) {
				return first.Start
			}
			p.scanItem()
			if !p.acceptPunct(",") {
				break
			}
		}
	}
	return -1
}

// repeatedCTE is the place of the second name in WITH that stood there before.
func (s *Statement) repeatedCTE() int {
	seen := map[string]bool{}
	for _, c := range s.CTEs {
		if seen[c.Name.Name] {
			return c.Name.Range.Start
		}
		seen[c.Name.Name] = true
	}
	return -1
}
