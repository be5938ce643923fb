package planner

// An outputItem is one entry of a select list, as far as its name goes.
type outputItem struct {
	name     string // Postgres's name of the column; "" is ?column?
	weak     bool   // the name is only that of the type it is cast to
	star     bool   // * or t.*, which stands for any number of columns
	aliased  bool   // the name is written
	alias    int    // then its place in the tokens, if it is unquoted
	column   bool   // it is a plain column, whose name DuckDB gives too
	compound bool   // an operator is applied, so there is no name
	first    int    // place of its first token
	exprEnd  int    // place after the last token of its expression
	end      int    // place after its last token
}

// outputName is the column's name in a result.
func (o *outputItem) outputName() string {
	if o.name == "" {
		return "?column?"
	}
	return o.name
}

// strong is the name that an expression keeps through casts; "" if it has none.
func (o *outputItem) strong() string {
	if o.weak || o.compound {
		return ""
	}
	return o.name
}

// outputItem reads one item of a select list, up to the comma or the clause
// after it, by the rules that Postgres names columns by (FigureColname).
func (p *parser) outputItem() *outputItem {
	o := &outputItem{first: p.pos, alias: -1}
	operand := false
	for !p.done() && !p.itemEnds() {
		before := p.pos
		if operand {
			operand = p.afterOperand(o)
		} else {
			operand = p.operand(o)
		}
		if p.pos == before {
			p.next()
		}
	}
	if o.compound && !o.aliased {
		o.name = ""
	}
	if o.end = p.pos; !o.aliased {
		o.exprEnd = o.end
	}
	return o
}

// itemEnds reports whether the item of a select list ends here.
func (p *parser) itemEnds() bool {
	t := p.peek()
	if t.Kind == TokenPunct {
		return t.Text == "," || t.Text == ")" || t.Text == "]" || t.Text == ";"
	}
	if t.Kind != TokenWord || p.ahead(-1).isPunct(".") || p.ahead(-1).is("as") {
		return false
	}
	switch t.Text {
	case "from", "where", "group", "having", "window", "order", "limit", "offset", "fetch", "union", "intersect", "except",
		"for", "qualify", "into", "using", "returning", "when":
		return !p.ahead(-1).is("distinct") || t.Text != "from"
	}
	return false
}

// operand reads what can stand where a value is expected and reports whether
// the value is complete.
func (p *parser) operand(o *outputItem) bool {
	t := p.peek()
	switch t.Kind {
	case TokenOperator:
		if t.Text == "*" && p.pos == o.first {
			o.star = true
			p.next()
			return true
		}
		o.compound = true
		p.next()
		return false
	case TokenPunct:
		if t.Text == "(" {
			p.group(o)
			return true
		}
		p.skipGroup()
		return true
	case TokenWord, TokenQuoted:
		return p.wordOperand(o)
	default:
		p.next()
		return true
	}
}

// skipGroup takes a bracketed text, or one token.
func (p *parser) skipGroup() {
	depth := 0
	for !p.done() {
		t := p.next()
		if t.Kind == TokenPunct {
			switch t.Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
		if depth <= 0 {
			return
		}
	}
}

// group reads a parenthesised expression, row or query.
func (p *parser) group(o *outputItem) {
	inner := *p
	inner.pos++
	if queryAhead(p) {
		if list, ok := inner.outputList(); ok && len(list) == 1 {
			o.name, o.weak = list[0].outputName(), false
		}
		p.skipGroup()
		return
	}
	in := inner.outputItem()
	o.name, o.weak, o.column = in.name, in.weak, in.column
	if inner.peek().isPunct(",") {
		o.name, o.weak, o.column = "row", false, false
	}
	p.skipGroup()
}

// wordOperand reads an operand that starts with a word or a quoted name.
func (p *parser) wordOperand(o *outputItem) bool {
	t := p.peek()
	if t.Kind == TokenWord {
		if ends, ok := p.keywordOperand(o, t.Text); ok {
			return ends
		}
		if name, ok := p.typedLiteral(); ok {
			o.name, o.weak = name, true
			return true
		}
	}
	p.next()
	o.name = t.Text
	o.column = true
	for p.peek().isPunct(".") {
		p.next()
		if p.peek().isPunct("*") {
			o.star = true
		}
		o.name = p.next().Text
	}
	if p.peek().isPunct("(") {
		o.column = false
		o.name = p.functionName(o.name)
		p.skipGroup()
	}
	return true
}

// functionName is the name of a call's column: of the function, by the name
// that Postgres's grammar knows it by.
func (p *parser) functionName(name string) string {
	if name != "trim" {
		return name
	}
	switch p.ahead(1).Text {
	case "leading":
		return "ltrim"
	case "trailing":
		return "rtrim"
	}
	return "btrim"
}

// keywordOperand reads an operand that a keyword opens; ok is false when the
// word is a name.
func (p *parser) keywordOperand(o *outputItem, word string) (ends, ok bool) {
	next := p.ahead(1)
	switch {
	case word == "case":
		p.caseOperand(o)
	case word == "cast" && next.isPunct("("):
		p.castOperand(o)
	case word == "array" && (next.isPunct("[") || next.isPunct("(")):
		p.next()
		p.skipGroup()
		o.name = "array"
	case word == "true", word == "false", word == "null":
		p.next()
	case word == "not", word == "operator" && next.isPunct("("), prefixable(word):
		p.next()
		o.compound = true
		return false, true
	default:
		return false, false
	}
	return true, true
}

// caseOperand reads CASE … END, which is named by its ELSE if that has a name.
func (p *parser) caseOperand(o *outputItem) {
	o.name, o.weak = "case", true
	p.next()
	for !p.done() && !p.at("end") {
		if !p.accept("else") {
			p.scan(func(p *parser) bool { return p.atAny("else", "end") })
			if p.peek().isPunct(")") {
				return
			}
			continue
		}
		inner := *p
		inner.toks = p.toks[:p.caseEnd()]
		if in := inner.outputItem(); in.strong() != "" {
			o.name, o.weak = in.strong(), false
		}
		p.scan(func(p *parser) bool { return p.at("end") })
	}
	p.accept("end")
}

// caseEnd is the place of the END of the CASE that the parser is in.
func (p *parser) caseEnd() int {
	look := *p
	look.scan(func(p *parser) bool { return p.at("end") })
	return look.pos
}

// castOperand reads CAST(value AS type).
func (p *parser) castOperand(o *outputItem) {
	inner := *p
	inner.pos += 2
	value := &outputItem{first: inner.pos, alias: -1}
	operand := false
	for !inner.done() && !inner.at("as") && !inner.peek().isPunct(")") {
		before := inner.pos
		if operand {
			operand = inner.afterOperand(value)
		} else {
			operand = inner.operand(value)
		}
		if inner.pos == before {
			inner.next()
		}
	}
	inner.accept("as")
	o.name, o.weak = inner.typeRef(), true
	if value.strong() != "" {
		o.name, o.weak = value.strong(), false
	}
	p.next()
	p.skipGroup()
}

// afterOperand reads what can follow a complete value and reports whether
// there still is one.
func (p *parser) afterOperand(o *outputItem) bool {
	t := p.peek()
	switch {
	case t.isPunct("::"):
		p.next()
		if name := p.typeRef(); o.strong() == "" && !o.compound {
			o.name, o.weak = name, true
		}
		o.column = false
	case t.isPunct("["):
		p.skipGroup()
		o.column = false
	case t.isPunct("."):
		p.next()
		o.star = o.star || p.peek().isPunct("*")
		o.name, o.weak, o.column = p.next().Text, false, false
	case t.Kind == TokenQuoted, t.Kind == TokenWord:
		return p.wordAfter(o, t)
	case t.Kind == TokenOperator:
		p.next()
		o.compound, o.column = true, false
		return false
	default:
		p.skipGroup()
	}
	return true
}

// wordAfter reads a word after a complete value: a clause of the call, an
// infix operator, or the column's alias.
func (p *parser) wordAfter(o *outputItem, t Token) bool {
	switch {
	case p.at("as"):
		o.exprEnd = p.pos
		p.next()
		p.takeAlias(o)
	case t.Kind == TokenQuoted:
		o.exprEnd = p.pos
		p.takeAlias(o)
	case p.at("over"), p.at("filter"), p.at("within", "group"):
		p.accept("within")
		p.next()
		p.skipGroup()
	case p.accept("collate"):
		p.next()
		for p.acceptPunct(".") {
			p.next()
		}
	case p.accept("at", "time", "zone"):
		o.name, o.weak, o.column = "timezone", false, false
		p.zoneOperand()
	case p.accept("overlaps"):
		o.name, o.weak, o.column = "overlaps", false, false
		p.skipGroup()
	case p.accept("is"):
		return p.isTest(o)
	case p.acceptAny("isnull", "notnull") != "":
		o.compound, o.column = true, false
	case infixOperator(t.Text):
		p.next()
		o.compound, o.column = true, false
		return false
	case o.star:
		p.next() // EXCLUDE, REPLACE, RENAME of DuckDB
	case o.aliased:
		p.next() // the clause that follows the list
	default:
		o.exprEnd = p.pos
		p.takeAlias(o)
	}
	return true
}

// zoneOperand reads the time zone after AT TIME ZONE, which names nothing.
func (p *parser) zoneOperand() {
	zone := &outputItem{first: -1, alias: -1}
	p.operand(zone)
}

// isTest reads what follows IS.
func (p *parser) isTest(o *outputItem) bool {
	o.compound, o.column = true, false
	p.accept("not")
	if p.accept("distinct", "from") {
		return false
	}
	p.next()
	return true
}

func (p *parser) takeAlias(o *outputItem) {
	t := p.peek()
	if !t.isIdent() && t.Kind != TokenString {
		return
	}
	o.aliased, o.name, o.weak = true, t.Text, false
	if t.Kind == TokenWord {
		o.alias = p.pos
	}
	p.next()
}

// prefixable reports whether the word, which stands where a value is expected,
// is an operator: one that follows NOT or a comparison. The others are names
// there.
func prefixable(word string) bool {
	switch word {
	case "overlaps", "glob", "escape", "operator":
		return false
	}
	return infixOperator(word)
}

// infixOperator reports whether the word is an operator between two values.
func infixOperator(word string) bool {
	switch word {
	case "and", "or", "not", "in", "like", "ilike", "similar", "to", "between", "symmetric", "asymmetric", "overlaps", "glob", "escape", "any", "all", "some", "operator":
		return true
	}
	return false
}
