package planner

import "slices"

// parse sets the statement's kind and node.
func (s *Statement) parse(p *parser) error {
	if p.done() {
		s.Kind = KindEmpty
		return nil
	}
	if p.peek().is("with") {
		if err := s.with(p); err != nil {
			return err
		}
	}
	s.Verb = p.pos
	if p.peek().isPunct("(") {
		s.Kind = KindSelect
		return nil
	}
	if p.peek().Kind != TokenWord {
		return p.unexpected()
	}
	parse := statementParser(p.peek().Text)
	if parse == nil {
		s.Kind = KindOther
		return nil
	}
	var err error
	s.Kind, s.Node, err = parse(p)
	return err
}

// A parseFunc reads a statement from its first word on.
type parseFunc func(*parser) (Kind, Node, error)

// statementParser is the parser of the statements that start with the word;
// nil for those that are DuckDB's alone.
func statementParser(word string) parseFunc {
	switch word {
	case "select":
		return parseSelect
	case "values", "table", "from", "pivot", "unpivot", "describe", "desc", "summarize":
		return plain(KindSelect)
	case "insert", "update", "delete", "merge", "truncate", "copy":
		return dmlParser(word)
	case "create", "drop", "alter", "refresh":
		return ddlParser(word)
	case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
		return transactionParser(word)
	case "set", "show", "reset", "discard":
		return settingParser(word)
	case "prepare", "execute", "deallocate", "declare", "fetch", "move", "close":
		return preparedParser(word)
	case "vacuum", "analyze", "analyse", "checkpoint", "reindex", "cluster":
		return plain(KindMaintenance)
	}
	return utilityParser(word)
}

func utilityParser(word string) parseFunc {
	switch word {
	case "listen", "unlisten", "notify":
		return parseNotify
	case "call":
		return parseCall
	case "explain":
		return parseExplain
	case "lock":
		return parseLock
	case "comment":
		return plain(KindComment)
	case "grant":
		return plain(KindGrant)
	case "revoke":
		return plain(KindRevoke)
	case "do":
		return plain(KindDo)
	}
	return nil
}

// parseSelect tells SELECT … INTO table, which makes a table, from the others.
func parseSelect(p *parser) (Kind, Node, error) {
	if !slices.ContainsFunc(p.toks, func(t Token) bool { return t.is("into") }) {
		return KindSelect, nil, nil
	}
	p.next()
	p.selectHead()
	p.items()
	first := p.pos
	if !p.accept("into") {
		return KindSelect, nil, nil
	}
	n := &CreateTableStmt{}
	if p.acceptAny("temp", "temporary", "local", "unlogged") != "" {
		n.Temp = !p.ahead(-1).is("unlogged")
		p.acceptAny("temp", "temporary")
	}
	p.accept("table")
	var err error
	if n.Name, err = p.name(); err != nil {
		return KindSelect, nil, err
	}
	n.Into = p.since(first)
	n.Query = Range{p.toks[0].Start, p.toks[len(p.toks)-1].End}
	return KindCreateTable, n, nil
}

// plain is the parser of a statement whose kind is all there is to know.
func plain(kind Kind) parseFunc {
	return func(*parser) (Kind, Node, error) { return kind, nil, nil }
}

// with reads WITH [RECURSIVE] name [(columns)] AS [[NOT] MATERIALIZED] (query), and more of them.
func (s *Statement) with(p *parser) error {
	var err error
	s.CTEs, err = p.commonTables()
	return err
}

func (p *parser) commonTables() ([]CTE, error) {
	if err := p.expect("with"); err != nil {
		return nil, err
	}
	p.accept("recursive")
	var list []CTE
	for {
		cte, err := p.commonTable()
		if err != nil {
			return nil, err
		}
		if list = append(list, cte); !p.acceptPunct(",") {
			return list, nil
		}
	}
}

func (p *parser) commonTable() (CTE, error) {
	id, err := p.ident()
	if err != nil {
		return CTE{}, err
	}
	if _, err := p.optionalIdentList(); err != nil {
		return CTE{}, err
	}
	if p.accept("using", "key") {
		if _, err := p.parens(); err != nil {
			return CTE{}, err
		}
	}
	if err := p.expect("as"); err != nil {
		return CTE{}, err
	}
	p.accept("not")
	p.accept("materialized")
	body, err := p.parens()
	return CTE{Name: id, Body: body, End: p.ahead(-1).End}, err
}
