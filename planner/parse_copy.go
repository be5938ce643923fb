package planner

// CopyStmt is COPY … FROM or COPY … TO.
type CopyStmt struct {
	Target  Name // of COPY table
	Columns []Ident
	Query   Range // of COPY (query) TO, inside the parentheses
	Stdio   bool  // STDIN or STDOUT
	File    string
	Program bool
	Where   Range // of COPY FROM
	Options []Option
}

func (*CopyStmt) statementNode() {}

// parseCopy reads COPY in the syntax of today, COPY … (FORMAT csv, …), and in
// both older ones, COPY BINARY … and COPY … WITH CSV HEADER ….
func parseCopy(p *parser) (Kind, Node, error) {
	p.next()
	n := &CopyStmt{}
	if p.at("from", "database") {
		return KindOther, nil, nil
	}
	if p.at("binary") && p.ahead(1).isIdent() {
		p.next()
		n.Options = append(n.Options, Option{Name: "format", Value: "binary", HasValue: true})
	}
	if err := n.parseSubject(p); err != nil {
		return KindCopyTo, nil, err
	}
	kind := KindCopyTo
	if p.accept("from") {
		kind = KindCopyFrom
	} else if err := p.expect("to"); err != nil {
		return kind, nil, err
	}
	if err := n.parseEndpoint(p); err != nil {
		return kind, nil, err
	}
	if err := n.parseOptions(p); err != nil {
		return kind, nil, err
	}
	if kind == KindCopyFrom && p.accept("where") {
		n.Where = p.rest()
	}
	return kind, n, p.expectEnd()
}

// parseSubject reads the table or the query.
func (n *CopyStmt) parseSubject(p *parser) (err error) {
	if p.peek().isPunct("(") {
		n.Query, err = p.parens()
		return err
	}
	if n.Target, err = p.name(); err != nil {
		return err
	}
	n.Columns, err = p.optionalIdentList()
	return err
}

// parseEndpoint reads STDIN, STDOUT, PROGRAM 'command' or a file's name.
func (n *CopyStmt) parseEndpoint(p *parser) error {
	if p.acceptAny("stdin", "stdout") != "" {
		n.Stdio = true
		return nil
	}
	n.Program = p.accept("program")
	t := p.peek()
	if t.Kind != TokenString {
		return p.unexpected()
	}
	n.File = p.next().Text
	return nil
}

func (n *CopyStmt) parseOptions(p *parser) error {
	if p.at("using", "delimiters") || p.at("delimiters") {
		p.accept("using")
		p.next()
		return n.oldValue(p, "delimiter")
	}
	p.accept("with")
	if p.peek().isPunct("(") {
		list, err := p.options()
		n.Options = append(n.Options, list...)
		return err
	}
	for !p.done() && !p.at("where") {
		if err := n.oldOption(p); err != nil {
			return err
		}
	}
	return nil
}

// oldOption reads one option of the syntax before 9.0.
func (n *CopyStmt) oldOption(p *parser) error {
	switch word := p.acceptAny("binary", "csv", "oids", "freeze", "header", "delimiter", "null", "quote", "escape", "encoding", "force"); word {
	case "binary", "csv":
		n.add(Option{Name: "format", Value: word, HasValue: true})
	case "oids", "freeze", "header":
		n.add(Option{Name: word})
	case "delimiter", "null", "quote", "escape", "encoding":
		p.accept("as")
		return n.oldValue(p, word)
	case "force":
		return n.oldForce(p)
	default:
		return p.unexpected()
	}
	return nil
}

func (n *CopyStmt) oldValue(p *parser, name string) error {
	p.accept("as")
	if p.peek().Kind != TokenString {
		return p.unexpected()
	}
	n.add(Option{Name: name, Value: p.next().Text, HasValue: true})
	return nil
}

// oldForce reads FORCE QUOTE, FORCE NOT NULL and FORCE NULL.
func (n *CopyStmt) oldForce(p *parser) error {
	o := Option{}
	switch {
	case p.accept("quote"):
		o.Name = "force_quote"
	case p.accept("not", "null"):
		o.Name = "force_not_null"
	case p.accept("null"):
		o.Name = "force_null"
	default:
		return p.unexpected()
	}
	if p.acceptPunct("*") {
		o.Value, o.HasValue = "*", true
		n.add(o)
		return nil
	}
	names, err := p.names()
	for _, name := range names {
		o.List = append(o.List, name.Last())
	}
	n.add(o)
	return err
}

func (n *CopyStmt) add(o Option) { n.Options = append(n.Options, o) }
