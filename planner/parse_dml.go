package planner

// InsertStmt is INSERT.
type InsertStmt struct {
	Target     Name
	Alias      string
	Columns    []Ident // empty: all, in order
	ByName     bool    // DuckDB's BY NAME
	Source     InsertSource
	Body       Range // VALUES … or the query; empty for DEFAULT VALUES
	Conflict   ConflictAction
	OnConflict Range // the clause
	Returning  Range // the list after RETURNING
}

// InsertSource says where an INSERT's rows come from.
type InsertSource uint8

// The sources of an INSERT.
const (
	InsertValues InsertSource = iota
	InsertQuery
	InsertDefaults
)

// ConflictAction says what an INSERT does with a row whose key is there.
type ConflictAction uint8

// The conflict actions.
const (
	ConflictFails   ConflictAction = iota // no clause
	ConflictNothing                       // DO NOTHING, INSERT OR IGNORE
	ConflictUpdate                        // DO UPDATE
	ConflictReplace                       // INSERT OR REPLACE
)

// UpdateStmt is UPDATE.
type UpdateStmt struct {
	Target    Name
	Alias     string
	Set       []SetItem
	From      Range // the items after FROM
	Where     Range // the condition
	CurrentOf string
	Returning Range
}

// A SetItem is one assignment of an UPDATE: column = expression, or
// (columns) = (expressions or query).
type SetItem struct {
	Columns []Ident
	Multi   bool
	Expr    Range
}

// DeleteStmt is DELETE.
type DeleteStmt struct {
	Target    Name
	Alias     string
	Using     Range
	Where     Range
	CurrentOf string
	Returning Range
}

// MergeStmt is MERGE.
type MergeStmt struct {
	Target    Name
	Alias     string
	Using     Range // the source and its alias
	On        Range
	Whens     Range // from the first WHEN on
	Returning Range
}

// TruncateStmt is TRUNCATE.
type TruncateStmt struct {
	Targets []Name
	Restart bool
	Cascade bool
}

func (*InsertStmt) statementNode()   {}
func (*UpdateStmt) statementNode()   {}
func (*DeleteStmt) statementNode()   {}
func (*MergeStmt) statementNode()    {}
func (*TruncateStmt) statementNode() {}

func dmlParser(word string) parseFunc {
	switch word {
	case "insert":
		return parseInsert
	case "update":
		return parseUpdate
	case "delete":
		return parseDelete
	case "merge":
		return parseMerge
	case "truncate":
		return parseTruncate
	default:
		return parseCopy
	}
}

func parseInsert(p *parser) (Kind, Node, error) {
	p.next()
	n := &InsertStmt{}
	switch {
	case p.accept("or", "replace"):
		n.Conflict = ConflictReplace
	case p.accept("or", "ignore"):
		n.Conflict = ConflictNothing
	}
	if err := p.expect("into"); err != nil {
		return KindInsert, nil, err
	}
	var err error
	if n.Target, err = p.name(); err != nil {
		return KindInsert, nil, err
	}
	if p.accept("as") {
		alias, err := p.ident()
		if err != nil {
			return KindInsert, nil, err
		}
		n.Alias = alias.Name
	}
	return KindInsert, n, n.parseRest(p)
}

func (n *InsertStmt) parseRest(p *parser) (err error) {
	if p.peek().isPunct("(") && !queryAhead(p) {
		if n.Columns, err = p.identList(); err != nil {
			return err
		}
	}
	if p.accept("by", "name") {
		n.ByName = true
	} else {
		p.accept("by", "position")
	}
	if p.accept("overriding") {
		p.acceptAny("system", "user")
		p.accept("value")
	}
	if err := n.parseSource(p); err != nil {
		return err
	}
	if err := n.parseConflict(p); err != nil {
		return err
	}
	n.Returning = p.returning()
	return p.expectEnd()
}

func (n *InsertStmt) parseSource(p *parser) error {
	switch {
	case p.accept("default", "values"):
		n.Source = InsertDefaults
		return nil
	case p.at("values"):
		n.Source = InsertValues
	default:
		n.Source = InsertQuery
	}
	n.Body = p.scan(func(p *parser) bool { return p.at("on", "conflict") || p.clause("returning") })
	if n.Body.Empty() {
		return p.unexpected()
	}
	return nil
}

func (n *InsertStmt) parseConflict(p *parser) error {
	if !p.at("on", "conflict") {
		return nil
	}
	first := p.pos
	p.scanTo("do")
	if err := p.expect("do"); err != nil {
		return err
	}
	n.Conflict = ConflictUpdate
	if p.at("nothing") {
		n.Conflict = ConflictNothing
	}
	p.scanTo("returning")
	n.OnConflict = p.since(first)
	return nil
}

// queryAhead reports whether the parenthesis here opens a query and not a list
// of columns.
func queryAhead(p *parser) bool {
	i := 1
	for p.ahead(i).isPunct("(") {
		i++
	}
	switch t := p.ahead(i); {
	case t.is("select"), t.is("with"), t.is("values"), t.is("from"), t.is("table"):
		after := p.ahead(i + 1)
		return !after.isPunct(",") && !after.isPunct(")")
	}
	return false
}

// returning reads RETURNING and the list after it.
func (p *parser) returning() Range {
	if !p.accept("returning") {
		return Range{}
	}
	return p.scan(nil)
}

// target reads [ONLY] name [*] [[AS] alias] of an UPDATE or DELETE.
func (p *parser) target(clauses ...string) (n Name, alias string, err error) {
	if p.at("only") && !p.ahead(1).isPunct(".") && !p.ahead(1).is(clauses[0]) {
		p.next()
	}
	if n, err = p.name(); err != nil {
		return n, "", err
	}
	p.acceptPunct("*")
	if p.accept("as") || p.peek().isIdent() && !p.atAny(clauses...) {
		id, err := p.ident()
		return n, id.Name, err
	}
	return n, "", nil
}

func parseUpdate(p *parser) (Kind, Node, error) {
	p.next()
	n := &UpdateStmt{}
	var err error
	if n.Target, n.Alias, err = p.target("set"); err != nil {
		return KindUpdate, nil, err
	}
	if err := p.expect("set"); err != nil {
		return KindUpdate, nil, err
	}
	for {
		item, err := p.setItem()
		if err != nil {
			return KindUpdate, nil, err
		}
		if n.Set = append(n.Set, item); !p.acceptPunct(",") {
			break
		}
	}
	if p.accept("from") {
		n.From = p.scanTo("where", "returning")
	}
	n.Where, n.CurrentOf, err = p.where()
	n.Returning = p.returning()
	if err == nil {
		err = p.expectEnd()
	}
	return KindUpdate, n, err
}

// setItem reads column = expression or (columns) = expressions.
func (p *parser) setItem() (item SetItem, err error) {
	if p.peek().isPunct("(") {
		item.Multi = true
		item.Columns, err = p.identList()
	} else {
		var n Name
		n, err = p.name()
		item.Columns = []Ident{{Name: n.Last(), Range: n.Range}}
	}
	if err != nil {
		return item, err
	}
	if err := p.expectPunct("="); err != nil {
		return item, err
	}
	item.Expr = p.scan(func(p *parser) bool {
		return p.peek().isPunct(",") || p.clause("from", "where", "returning")
	})
	if item.Expr.Empty() {
		return item, p.unexpected()
	}
	return item, nil
}

// where reads WHERE condition or WHERE CURRENT OF cursor.
func (p *parser) where() (condition Range, cursor string, err error) {
	if !p.accept("where") {
		return Range{}, "", nil
	}
	if p.accept("current", "of") {
		id, err := p.ident()
		return Range{}, id.Name, err
	}
	condition = p.scanTo("returning")
	if condition.Empty() {
		return Range{}, "", p.unexpected()
	}
	return condition, "", nil
}

func parseDelete(p *parser) (Kind, Node, error) {
	p.next()
	n := &DeleteStmt{}
	err := p.expect("from")
	if err != nil {
		return KindDelete, nil, err
	}
	if n.Target, n.Alias, err = p.target("using", "where", "returning"); err != nil {
		return KindDelete, nil, err
	}
	if p.accept("using") {
		n.Using = p.scanTo("where", "returning")
	}
	n.Where, n.CurrentOf, err = p.where()
	n.Returning = p.returning()
	if err == nil {
		err = p.expectEnd()
	}
	return KindDelete, n, err
}

func parseMerge(p *parser) (Kind, Node, error) {
	p.next()
	n := &MergeStmt{}
	err := p.expect("into")
	if err != nil {
		return KindMerge, nil, err
	}
	if n.Target, n.Alias, err = p.target("using"); err != nil {
		return KindMerge, nil, err
	}
	if err := p.expect("using"); err != nil {
		return KindMerge, nil, err
	}
	n.Using = p.scan(func(p *parser) bool { return p.clause("on", "when") || p.at("using") })
	if p.accept("on") {
		n.On = p.scanTo("when")
	} else {
		p.scanTo("when")
	}
	if !p.at("when") {
		return KindMerge, nil, p.unexpected()
	}
	n.Whens = p.scanTo("returning")
	n.Returning = p.returning()
	return KindMerge, n, p.expectEnd()
}

func parseTruncate(p *parser) (Kind, Node, error) {
	p.next()
	p.accept("table")
	n := &TruncateStmt{}
	for {
		name, _, err := p.target("restart", "continue", "cascade", "restrict")
		if err != nil {
			return KindTruncate, nil, err
		}
		if n.Targets = append(n.Targets, name); !p.acceptPunct(",") {
			break
		}
	}
	n.Restart = p.accept("restart", "identity")
	p.accept("continue", "identity")
	n.Cascade = p.acceptAny("cascade", "restrict") == "cascade"
	return KindTruncate, n, p.expectEnd()
}
