package planner

import "strconv"

// OutputNames returns the names that Postgres gives the columns of a query's
// result, or of the rows that RETURNING lists. ok is false where the names
// cannot be told from the text alone, as with *; see outputNames.
func OutputNames(sql string) (names []string, ok bool) {
	s, err := Parse(sql)
	if err != nil {
		return nil, false
	}
	items, ok := s.outputItems()
	for _, o := range items {
		if o.star {
			return nil, false
		}
		names = append(names, o.outputName())
	}
	return names, ok
}

// outputNames is OutputNames for a result that is known to have n columns. The
// columns that a * stands for get "": their names are the relation's. Where it
// cannot be told which columns those are, all are "".
func (s *Statement) outputNames(n int) []string {
	names := make([]string, n)
	items, ok := s.outputItems()
	if !ok {
		return names
	}
	stars := 0
	for _, o := range items {
		stars += boolInt(o.star)
	}
	if stars > 1 || stars == 0 && len(items) != n || len(items)-stars > n {
		return names
	}
	at, wide := 0, n-len(items)+1
	for _, o := range items {
		if o.star {
			at += wide
			continue
		}
		names[at] = o.outputName()
		at++
	}
	return names
}

// outputItems are the items of the list that names the result's columns.
func (s *Statement) outputItems() ([]*outputItem, bool) {
	p := &parser{sql: s.SQL, toks: s.Tokens, pos: s.Verb}
	switch n := s.Node.(type) {
	case *InsertStmt:
		return s.returningItems(n.Returning)
	case *UpdateStmt:
		return s.returningItems(n.Returning)
	case *DeleteStmt:
		return s.returningItems(n.Returning)
	case *MergeStmt:
		return s.returningItems(n.Returning)
	}
	if s.Kind != KindSelect {
		return nil, false
	}
	return p.outputList()
}

func (s *Statement) returningItems(list Range) ([]*outputItem, bool) {
	if list.Empty() {
		return nil, false
	}
	p := s.parserIn(list)
	return p.items(), true
}

// outputList reads the list that names the columns of the query here: the
// select list of its first SELECT, or the columns of VALUES.
func (p *parser) outputList() ([]*outputItem, bool) {
	for p.acceptPunct("(") {
	}
	if p.at("with") {
		if _, err := p.commonTables(); err != nil {
			return nil, false
		}
		for p.acceptPunct("(") {
		}
	}
	switch {
	case p.accept("select"):
		p.selectHead()
		return p.items(), true
	case p.accept("values"):
		return p.valuesItems(), true
	}
	return nil, false
}

// selectHead reads ALL, DISTINCT and DISTINCT ON (…).
func (p *parser) selectHead() {
	if p.acceptAny("all", "distinct") == "distinct" && p.accept("on") {
		p.skipGroup()
	}
}

// emptyList reports whether the statement is a SELECT without a list, whose rows
// have no columns.
func (s *Statement) emptyList() bool {
	if s.Kind != KindSelect {
		return false
	}
	p := &parser{sql: s.SQL, toks: s.Tokens, pos: s.Verb}
	for p.acceptPunct("(") {
	}
	if !p.accept("select") {
		return false
	}
	p.selectHead()
	return p.done() || p.itemEnds() && !p.peek().isPunct(",")
}

func (p *parser) items() []*outputItem {
	if p.done() || p.itemEnds() {
		return nil // SELECT without a list
	}
	var list []*outputItem
	for {
		list = append(list, p.outputItem())
		if !p.acceptPunct(",") || p.itemEnds() {
			return list
		}
	}
}

// valuesItems are column1, column2, … as many as the first row of VALUES has.
func (p *parser) valuesItems() []*outputItem {
	var list []*outputItem
	if !p.acceptPunct("(") {
		return nil
	}
	for !p.done() {
		p.scanItem()
		list = append(list, &outputItem{name: valuesColumn(len(list)), alias: -1})
		if !p.acceptPunct(",") {
			break
		}
	}
	p.acceptPunct(")")
	return list
}

func valuesColumn(i int) string { return "column" + strconv.Itoa(i+1) }
