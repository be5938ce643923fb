package planner

import (
	"slices"
	"strings"
)

// A parser reads the significant tokens of one statement by recursive
// descent. It knows our statements and the outline of DML and DDL;
// expressions it only measures, as ranges of the text.
type parser struct {
	sql  string
	toks []Token
	pos  int
}

// peek is the current token.
func (p *parser) peek() Token { return p.ahead(0) }

// ahead is the n-th token from the current one; past the last it is a
// TokenEnd.
func (p *parser) ahead(n int) Token {
	if i := p.pos + n; i >= 0 && i < len(p.toks) {
		return p.toks[i]
	}
	return Token{Kind: TokenEnd, Start: len(p.sql), End: len(p.sql)}
}

func (p *parser) next() Token {
	t := p.peek()
	if p.pos < len(p.toks) {
		p.pos++
	}
	return t
}

func (p *parser) done() bool { return p.pos >= len(p.toks) }

// at reports whether the words stand here, one after the other.
func (p *parser) at(words ...string) bool {
	for i, w := range words {
		if !p.ahead(i).is(w) {
			return false
		}
	}
	return true
}

// atAny reports whether one of the words stands here.
func (p *parser) atAny(words ...string) bool {
	t := p.peek()
	return slices.ContainsFunc(words, t.is)
}

// accept takes the words if they all stand here.
func (p *parser) accept(words ...string) bool {
	if !p.at(words...) {
		return false
	}
	p.pos += len(words)
	return true
}

// acceptAny takes one of the words and returns it, or "".
func (p *parser) acceptAny(words ...string) string {
	if !p.atAny(words...) {
		return ""
	}
	return p.next().Text
}

func (p *parser) expect(words ...string) error {
	for _, w := range words {
		if !p.accept(w) {
			return p.unexpected()
		}
	}
	return nil
}

func (p *parser) acceptPunct(s string) bool {
	if !p.peek().isPunct(s) {
		return false
	}
	p.pos++
	return true
}

func (p *parser) expectPunct(s string) error {
	if !p.acceptPunct(s) {
		return p.unexpected()
	}
	return nil
}

// expectEnd fails unless everything was read.
func (p *parser) expectEnd() error {
	if !p.done() {
		return p.unexpected()
	}
	return nil
}

// unexpected is the syntax error about the current token.
func (p *parser) unexpected() error {
	t := p.peek()
	return syntaxNear(p.sql, t.Start, t.End)
}

// ident reads one identifier.
func (p *parser) ident() (Ident, error) {
	t := p.peek()
	if !t.isIdent() {
		return Ident{}, p.unexpected()
	}
	p.pos++
	return Ident{Name: t.Text, Range: Range{t.Start, t.End}}, nil
}

// name reads a possibly qualified name.
func (p *parser) name() (Name, error) {
	first, err := p.ident()
	if err != nil {
		return Name{}, err
	}
	n := Name{Parts: []string{first.Name}, Range: first.Range}
	for p.peek().isPunct(".") {
		p.pos++
		part, err := p.ident()
		if err != nil {
			return Name{}, err
		}
		n.Parts = append(n.Parts, part.Name)
		n.Range.End = part.Range.End
	}
	return n, nil
}

// names reads a list of names.
func (p *parser) names() ([]Name, error) {
	var list []Name
	for {
		n, err := p.name()
		if err != nil {
			return nil, err
		}
		if list = append(list, n); !p.acceptPunct(",") {
			return list, nil
		}
	}
}

// identList reads (a, b, …).
func (p *parser) identList() ([]Ident, error) {
	if err := p.expectPunct("("); err != nil {
		return nil, err
	}
	var list []Ident
	for {
		id, err := p.ident()
		if err != nil {
			return nil, err
		}
		if list = append(list, id); !p.acceptPunct(",") {
			return list, p.expectPunct(")")
		}
	}
}

// optionalIdentList reads (a, b, …) if it stands here.
func (p *parser) optionalIdentList() ([]Ident, error) {
	if !p.peek().isPunct("(") {
		return nil, nil
	}
	return p.identList()
}

// parens takes a parenthesised text whole and returns what is inside.
func (p *parser) parens() (Range, error) {
	open := p.peek()
	if !open.isPunct("(") {
		return Range{}, p.unexpected()
	}
	p.pos++
	inner := p.scan(nil)
	end := p.peek()
	if err := p.expectPunct(")"); err != nil {
		return Range{}, err
	}
	if inner.Empty() {
		return Range{open.End, end.Start}, nil
	}
	return inner, nil
}

// scan takes tokens up to the first one outside of parentheses and CASE for
// which stop holds, an unmatched closing one, or the end. It returns their
// range, which is empty when there are none.
func (p *parser) scan(stop func(*parser) bool) Range {
	first := p.pos
	depth := 0
	for !p.done() {
		if depth == 0 && stop != nil && stop(p) {
			break
		}
		step := nesting(p.peek(), p.ahead(-1))
		if depth+step < 0 {
			break
		}
		depth += step
		p.pos++
	}
	return p.since(first)
}

// scanTo is scan up to one of the words.
func (p *parser) scanTo(words ...string) Range {
	return p.scan(func(p *parser) bool { return p.clause(words...) })
}

// clause reports whether one of the words stands here and opens a clause,
// rather than being the FROM of IS DISTINCT FROM or a column after a dot.
func (p *parser) clause(words ...string) bool {
	if !p.atAny(words...) {
		return false
	}
	before := p.ahead(-1)
	return !before.isPunct(".") && (!p.at("from") || !before.is("distinct"))
}

// scanItem is scan up to a comma.
func (p *parser) scanItem() Range {
	return p.scan(func(p *parser) bool { return p.peek().isPunct(",") })
}

// since is the range of the tokens taken since position first.
func (p *parser) since(first int) Range {
	if first >= p.pos {
		return Range{}
	}
	return Range{p.toks[first].Start, p.toks[p.pos-1].End}
}

// rest takes everything that is left.
func (p *parser) rest() Range {
	first := p.pos
	p.pos = len(p.toks)
	return p.since(first)
}

// nesting is how much deeper the text is after t than before it.
func nesting(t, before Token) int {
	switch t.Kind {
	case TokenPunct:
		switch t.Text {
		case "(", "[", "{":
			return 1
		case ")", "]", "}":
			return -1
		}
	case TokenWord:
		switch {
		case before.isPunct("."):
		case t.Text == "case":
			return 1
		case t.Text == "end":
			return -1
		}
	case TokenSpace, TokenComment, TokenQuoted, TokenString, TokenBits, TokenParam, TokenNumber, TokenOperator, TokenEnd:
	}
	return 0
}

// literal reads a constant that may stand as an option's value: a string, a
// number with its sign, or a word.
func (p *parser) literal() (string, error) {
	switch t := p.peek(); {
	case t.Kind == TokenString, t.Kind == TokenNumber, t.isIdent():
		p.pos++
		return t.Text, nil
	case t.isPunct("-"), t.isPunct("+"):
		if n := p.ahead(1); n.Kind == TokenNumber {
			p.pos += 2
			return strings.TrimPrefix(t.Text, "+") + n.Text, nil
		}
	}
	return "", p.unexpected()
}

// options reads (name = value, name, …), with or without the equals signs.
func (p *parser) options() ([]Option, error) {
	if err := p.expectPunct("("); err != nil {
		return nil, err
	}
	var list []Option
	for {
		o, err := p.option()
		if err != nil {
			return nil, err
		}
		if list = append(list, o); !p.acceptPunct(",") {
			return list, p.expectPunct(")")
		}
	}
}

func (p *parser) option() (Option, error) {
	first := p.pos
	n, err := p.name()
	if err != nil {
		return Option{}, err
	}
	o := Option{Name: strings.ToLower(strings.Join(n.Parts, "."))}
	p.acceptPunct("=")
	switch t := p.peek(); {
	case t.isPunct("("):
		o.List, err = p.optionList()
	case t.isPunct("*"):
		p.pos++
		o.Value, o.HasValue = "*", true
	case !t.isPunct(",") && !t.isPunct(")"):
		o.Value, err = p.literal()
		o.HasValue = true
	}
	o.Range = p.since(first)
	return o, err
}

func (p *parser) optionList() ([]string, error) {
	ids, err := p.identList()
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id.Name
	}
	return list, err
}

// ifExists takes IF EXISTS.
func (p *parser) ifExists() bool { return p.accept("if", "exists") }

// ifNotExists takes IF NOT EXISTS.
func (p *parser) ifNotExists() bool { return p.accept("if", "not", "exists") }
