package planner

// A Call is a function call: name(arguments), where an argument may be named
// (name => value, or name := value).
type Call struct {
	Name  Name
	Args  []Arg
	Range Range // from the name to the closing parenthesis
	Tail  int   // index in Statement.Tokens of the token after it
}

// An Arg is one argument of a call.
type Arg struct {
	Name  Ident // empty for a positional one
	Value Range
	Const *Literal // the value, where it is a constant
}

// A Literal is a constant argument.
type Literal struct {
	Kind  LiteralKind
	Text  string // the string, the digits with their sign, or true or false
	Param int    // n of $n
}

// LiteralKind says what a Literal is.
type LiteralKind uint8

// The kinds of literals.
const (
	LiteralString LiteralKind = iota
	LiteralNumber
	LiteralBool
	LiteralNull
	LiteralParam
	LiteralTyped // type 'string', as TIMESTAMPTZ '…': Text is the string
)

// Calls returns the calls of the function called by these parts, outermost
// first. A name with more qualifiers is another function.
func (s *Statement) Calls(parts ...string) ([]Call, error) {
	var list []Call
	for _, c := range s.Identifiers() {
		if !c.Call || !equalParts(c.Parts, parts) {
			continue
		}
		p := &parser{sql: s.SQL, toks: s.Tokens, pos: c.First}
		call, err := p.call()
		if err != nil {
			return nil, err
		}
		list = append(list, call)
	}
	return list, nil
}

func equalParts(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// call reads name(arguments).
func (p *parser) call() (Call, error) {
	n, err := p.name()
	if err != nil {
		return Call{}, err
	}
	c := Call{Name: n}
	if err := p.expectPunct("("); err != nil {
		return Call{}, err
	}
	for !p.peek().isPunct(")") {
		a, err := p.arg()
		if err != nil {
			return Call{}, err
		}
		if c.Args = append(c.Args, a); !p.acceptPunct(",") {
			break
		}
	}
	c.Range = Range{n.Range.Start, p.peek().End}
	if err := p.expectPunct(")"); err != nil {
		return Call{}, err
	}
	c.Tail = p.pos
	return c, nil
}

func (p *parser) arg() (Arg, error) {
	var a Arg
	if t := p.ahead(1); p.peek().isIdent() && (t.isPunct("=>") || t.isPunct(":=")) {
		id, err := p.ident()
		if err != nil {
			return a, err
		}
		a.Name = id
		p.next()
	}
	first := p.pos
	a.Value = p.scanItem()
	if a.Value.Empty() {
		return a, p.unexpected()
	}
	a.Const = constant(p.toks[first:p.pos])
	return a, nil
}

// constant reads tokens that are one literal; nil if they are not.
func constant(toks []Token) *Literal {
	if len(toks) == 0 {
		return nil
	}
	last := toks[len(toks)-1]
	switch {
	case len(toks) == 1:
		return oneLiteral(last)
	case last.Kind == TokenString && typeWords(toks[:len(toks)-1]):
		return &Literal{Kind: LiteralTyped, Text: last.Text}
	case toks[0].Kind == TokenString && toks[1].isPunct("::") && typeWords(toks[2:]):
		return &Literal{Kind: LiteralTyped, Text: toks[0].Text}
	case len(toks) == 2 && last.Kind == TokenNumber && toks[0].isPunct("-"):
		return &Literal{Kind: LiteralNumber, Text: "-" + last.Text}
	}
	return nil
}

func oneLiteral(t Token) *Literal {
	switch t.Kind {
	case TokenString:
		return &Literal{Kind: LiteralString, Text: t.Text}
	case TokenNumber:
		return &Literal{Kind: LiteralNumber, Text: t.Text}
	case TokenParam:
		return &Literal{Kind: LiteralParam, Param: parameterNumber(t)}
	case TokenWord:
		switch t.Text {
		case "true", "false":
			return &Literal{Kind: LiteralBool, Text: t.Text}
		case "null":
			return &Literal{Kind: LiteralNull}
		}
	default:
	}
	return nil
}

// typeWords reports whether the tokens can be a type's name.
func typeWords(toks []Token) bool {
	for _, t := range toks {
		if !t.isIdent() && !t.isPunct(".") && !t.isPunct("(") && !t.isPunct(")") && t.Kind != TokenNumber {
			return false
		}
	}
	return len(toks) > 0 && toks[0].isIdent()
}

// An AtClause is relation AT (VERSION => n) or AT (TIMESTAMP => t), which
// reads a maintained view as it stood.
type AtClause struct {
	Relation  Name
	Version   bool  // else a timestamp
	Value     Range // the expression
	Const     *Literal
	Range     Range // from the relation's name to the closing parenthesis
	AtRange   Range // from AT on
	AfterName int   // index in Statement.Tokens of the AT
}

// AtClauses returns the AT clauses of the statement, in order.
func (s *Statement) AtClauses() ([]AtClause, error) {
	var list []AtClause
	p := &parser{sql: s.SQL, toks: s.Tokens}
	for !p.done() {
		if !p.peek().isIdent() {
			p.next()
			continue
		}
		chain, ok := p.chain()
		if !ok || !p.atClauseAhead() {
			continue
		}
		at, err := p.atClause(chain.Name)
		if err != nil {
			return nil, err
		}
		list = append(list, at)
	}
	return list, nil
}

// atClauseAhead reports whether AT (VERSION => or AT (TIMESTAMP => stands here.
func (p *parser) atClauseAhead() bool {
	return p.at("at") && p.ahead(1).isPunct("(") && (p.ahead(2).is("version") || p.ahead(2).is("timestamp")) &&
		(p.ahead(3).isPunct("=>") || p.ahead(3).isPunct(":="))
}

func (p *parser) atClause(relation Name) (AtClause, error) {
	at := AtClause{Relation: relation, Version: p.ahead(2).is("version"), AfterName: p.pos}
	start := p.peek().Start
	p.pos += 4
	first := p.pos
	at.Value = p.scan(nil)
	at.Const = constant(p.toks[first:p.pos])
	end := p.peek().End
	if at.Value.Empty() {
		return at, p.unexpected()
	}
	if err := p.expectPunct(")"); err != nil {
		return at, err
	}
	at.Range = Range{relation.Range.Start, end}
	at.AtRange = Range{start, end}
	return at, nil
}
