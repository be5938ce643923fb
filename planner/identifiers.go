package planner

// A Chain is an identifier or several joined by dots, as it stands in a
// statement. What it names is for the reader to find out: a relation, a
// column, a function, an alias.
type Chain struct {
	Name
	Call  bool // a parenthesis follows
	First int  // index in Statement.Tokens of its first token
}

// Identifiers returns every identifier chain of the statement, in order,
// without the keywords that Postgres reserves.
func (s *Statement) Identifiers() []Chain {
	var list []Chain
	p := &parser{sql: s.SQL, toks: s.Tokens}
	for !p.done() {
		if !p.peek().isIdent() {
			p.next()
		} else if chain, ok := p.chain(); ok {
			list = append(list, chain)
		}
	}
	return list
}

// chain reads the identifier chain that starts here; ok is false when it is a
// lone reserved word.
func (p *parser) chain() (c Chain, ok bool) {
	first := p.peek()
	c = Chain{First: p.pos, Name: Name{Parts: []string{first.Text}, Range: Range{first.Start, first.End}}}
	p.pos++
	for p.peek().isPunct(".") && p.ahead(1).isIdent() {
		part := p.ahead(1)
		c.Parts = append(c.Parts, part.Text)
		c.Range.End = part.End
		p.pos += 2
	}
	c.Call = p.peek().isPunct("(")
	return c, len(c.Parts) > 1 || first.Kind == TokenQuoted || !isReserved(first.Text)
}

// Mentions reports whether an identifier of the statement has name as one of
// its parts.
func (s *Statement) Mentions(name string) bool {
	for _, t := range s.Tokens {
		if t.isIdent() && t.Text == name {
			return true
		}
	}
	return false
}

// isReserved reports whether Postgres reserves the word fully, so that it is
// never a name unless it is quoted.
func isReserved(word string) bool {
	switch word {
	case "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "both", "case", "cast", "check",
		"collate", "column", "constraint", "create", "current_catalog", "current_date", "current_role", "current_time",
		"current_timestamp", "current_user", "default", "deferrable", "desc", "distinct", "do", "else", "end", "except",
		"false", "fetch", "for", "foreign", "from", "grant", "group", "having", "in", "initially", "intersect", "into",
		"lateral", "leading", "limit", "localtime", "localtimestamp", "not", "null", "offset", "on", "only", "or", "order",
		"placing", "primary", "references", "returning", "select", "session_user", "some", "symmetric", "table", "then",
		"to", "trailing", "true", "union", "unique", "user", "using", "variadic", "when", "where", "window", "with":
		return true
	}
	return false
}
