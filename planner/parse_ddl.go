package planner

import "strings"

// CreateTableStmt is CREATE TABLE.
type CreateTableStmt struct {
	Name        Name
	Temp        bool
	OrReplace   bool
	IfNotExists bool
	Columns     Range    // inside the parentheses: columns and constraints
	Options     []Option // WITH (…)
	OptionRange Range    // that clause
	Query       Range    // after AS; of SELECT INTO, the whole statement
	NoData      bool
	Into        Range // the clause INTO … of a SELECT INTO
	// OnCommit is what happens to a temporary table at the end of a
	// transaction: drop, delete (its rows) or preserve; OnCommitRange is the clause.
	OnCommit      string
	OnCommitRange Range
}

// CreateViewStmt is CREATE [MATERIALIZED] VIEW.
type CreateViewStmt struct {
	Name        Name
	Temp        bool
	OrReplace   bool
	IfNotExists bool
	Columns     []Ident
	Options     []Option
	Query       Range
	NoData      bool
}

// CreateStmt is CREATE of anything else.
type CreateStmt struct {
	Object      string // in lower case: index, schema, sequence, type, macro, …
	Name        Name   // empty for an index without a name
	On          Name   // the table of an index
	Temp        bool
	OrReplace   bool
	IfNotExists bool
	// Concurrently is said of an index that is made while others write.
	Concurrently bool
}

// DropStmt is DROP.
type DropStmt struct {
	Object   string // in lower case: table, view, materialized view, index, …
	Names    []Name
	IfExists bool
	Cascade  bool
	// Concurrently is said of an index that goes while others write.
	Concurrently bool
}

// RefreshStmt is REFRESH MATERIALIZED VIEW.
type RefreshStmt struct {
	Name         Name
	Concurrently bool
	NoData       bool
}

// AlterStmt is ALTER.
type AlterStmt struct {
	Object   string // in lower case: table, materialized view, view, …
	Name     Name
	IfExists bool
	Actions  []AlterAction
}

// An AlterAction is one action of an ALTER.
type AlterAction struct {
	Kind    AlterKind
	Column  string   // the column that is added, dropped, altered or renamed
	NewName string   // of RENAME and SET SCHEMA
	Options []Option // of SET (…) and RESET (…)
	Range   Range
}

// AlterKind says what an action does.
type AlterKind uint8

// The actions of ALTER that matter to what depends on the relation.
const (
	AlterOther        AlterKind = iota
	AlterSet                    // SET (name = value, …)
	AlterResetOptions           // RESET (name, …)
	AlterRename                 // RENAME TO
	AlterRenameColumn           // RENAME [COLUMN] a TO b
	AlterAddColumn              // ADD [COLUMN]
	AlterDropColumn             // DROP [COLUMN]
	AlterColumnType             // ALTER [COLUMN] c [SET DATA] TYPE
	AlterColumn                 // everything else of ALTER [COLUMN]
	AlterSetSchema              // SET SCHEMA
)

func (*CreateTableStmt) statementNode() {}
func (*CreateViewStmt) statementNode()  {}
func (*CreateStmt) statementNode()      {}
func (*DropStmt) statementNode()        {}
func (*RefreshStmt) statementNode()     {}
func (*AlterStmt) statementNode()       {}

func ddlParser(word string) parseFunc {
	switch word {
	case "create":
		return parseCreate
	case "drop":
		return parseDrop
	case "refresh":
		return parseRefresh
	default:
		return parseAlter
	}
}

func parseCreate(p *parser) (Kind, Node, error) {
	p.next()
	replace := p.accept("or", "replace")
	temp := false
	for {
		word := p.acceptAny("temp", "temporary", "local", "global", "unlogged", "persistent", "unique", "recursive")
		if word == "" {
			break
		}
		temp = temp || word == "temp" || word == "temporary"
	}
	switch {
	case p.accept("table"):
		return parseCreateTable(p, replace, temp)
	case p.accept("view"):
		return parseCreateView(p, KindCreateView, replace, temp)
	case p.accept("materialized", "view"):
		return parseCreateView(p, KindCreateMatView, replace, temp)
	}
	return parseCreateOther(p, replace, temp)
}

func parseCreateTable(p *parser, replace, temp bool) (Kind, Node, error) {
	n := &CreateTableStmt{OrReplace: replace, Temp: temp, IfNotExists: p.ifNotExists()}
	var err error
	if n.Name, err = p.name(); err != nil {
		return KindCreateTable, nil, err
	}
	if p.peek().isPunct("(") {
		if n.Columns, err = p.parens(); err != nil {
			return KindCreateTable, nil, err
		}
	}
	for !p.done() {
		switch {
		case p.at("with") && p.ahead(1).isPunct("("):
			first := p.pos
			p.next()
			if n.Options, err = p.options(); err != nil {
				return KindCreateTable, nil, err
			}
			n.OptionRange = p.since(first)
		case p.at("on", "commit"):
			first := p.pos
			p.pos += 2
			n.OnCommit = p.acceptAny("drop", "delete", "preserve")
			p.accept("rows")
			n.OnCommitRange = p.since(first)
		case p.accept("as"):
			n.Query, n.NoData = p.query()
			return KindCreateTable, n, p.queryEnd(n.Query)
		default:
			p.next()
		}
	}
	return KindCreateTable, n, nil
}

// query reads a query up to WITH [NO] DATA or the end.
func (p *parser) query() (query Range, noData bool) {
	query = p.scan(func(p *parser) bool {
		return p.at("with") && (p.ahead(1).is("data") || p.ahead(1).is("no") && p.ahead(2).is("data")) && p.endsAfterData()
	})
	return query, p.noData()
}

// endsAfterData reports whether nothing follows the WITH [NO] DATA that starts
// here, so that a common table expression called data stays one.
func (p *parser) endsAfterData() bool {
	n := 2
	if p.ahead(1).is("no") {
		n = 3
	}
	return p.ahead(n).Kind == TokenEnd
}

// noData takes WITH [NO] DATA.
func (p *parser) noData() bool {
	if p.accept("with", "no", "data") {
		return true
	}
	p.accept("with", "data")
	return false
}

func (p *parser) queryEnd(query Range) error {
	if query.Empty() {
		return p.unexpected()
	}
	return p.expectEnd()
}

func parseCreateView(p *parser, kind Kind, replace, temp bool) (Kind, Node, error) {
	n := &CreateViewStmt{OrReplace: replace, Temp: temp, IfNotExists: p.ifNotExists()}
	var err error
	if n.Name, err = p.name(); err != nil {
		return kind, nil, err
	}
	if n.Columns, err = p.optionalIdentList(); err != nil {
		return kind, nil, err
	}
	if p.accept("with") {
		if n.Options, err = p.options(); err != nil {
			return kind, nil, err
		}
	}
	if err := p.expect("as"); err != nil {
		return kind, nil, err
	}
	if kind == KindCreateView {
		n.Query = p.rest()
		return kind, n, p.queryEnd(n.Query)
	}
	n.Query, n.NoData = p.query()
	return kind, n, p.queryEnd(n.Query)
}

func parseCreateOther(p *parser, replace, temp bool) (Kind, Node, error) {
	object, err := p.ident()
	if err != nil {
		return KindCreate, nil, err
	}
	n := &CreateStmt{Object: object.Name, OrReplace: replace, Temp: temp}
	n.Concurrently = p.accept("concurrently")
	n.IfNotExists = p.ifNotExists()
	if p.peek().isIdent() && !p.at("on") {
		if n.Name, err = p.name(); err != nil {
			return KindCreate, nil, err
		}
	}
	if object.Name == "index" && p.accept("on") {
		p.accept("only")
		n.On, err = p.name()
	}
	return KindCreate, n, err
}

func parseDrop(p *parser) (Kind, Node, error) {
	p.next()
	object, err := p.object()
	if err != nil {
		return KindDrop, nil, err
	}
	n := &DropStmt{Object: object}
	n.Concurrently = p.accept("concurrently")
	n.IfExists = p.ifExists()
	if n.Names, err = p.names(); err != nil {
		return KindDrop, nil, err
	}
	if !p.done() {
		p.scanTo("cascade", "restrict")
		n.Cascade = p.at("cascade")
		p.acceptAny("cascade", "restrict")
	}
	return KindDrop, n, p.expectEnd()
}

// object reads the kind of object that a DROP or ALTER is about.
func (p *parser) object() (string, error) {
	for _, two := range [][2]string{{"materialized", "view"}, {"foreign", "table"}, {"macro", "table"}, {"event", "trigger"}} {
		if p.accept(two[0], two[1]) {
			return strings.Join(two[:], " "), nil
		}
	}
	id, err := p.ident()
	return id.Name, err
}

func parseRefresh(p *parser) (Kind, Node, error) {
	if err := p.expect("refresh", "materialized", "view"); err != nil {
		return KindRefresh, nil, err
	}
	n := &RefreshStmt{}
	n.Concurrently = p.at("concurrently") && p.ahead(1).isIdent() && p.accept("concurrently")
	var err error
	if n.Name, err = p.name(); err != nil {
		return KindRefresh, nil, err
	}
	n.NoData = p.noData()
	return KindRefresh, n, p.expectEnd()
}

func parseAlter(p *parser) (Kind, Node, error) {
	p.next()
	object, err := p.object()
	if err != nil {
		return KindAlter, nil, err
	}
	n := &AlterStmt{Object: object, IfExists: p.ifExists()}
	if p.at("only") && p.ahead(1).isIdent() {
		p.next()
	}
	if n.Name, err = p.name(); err != nil {
		return KindAlter, nil, err
	}
	p.acceptPunct("*")
	for !p.done() {
		a, err := p.alterAction()
		if err != nil {
			return KindAlter, nil, err
		}
		n.Actions = append(n.Actions, a)
		if !p.acceptPunct(",") {
			return KindAlter, n, p.expectEnd()
		}
	}
	return KindAlter, n, nil
}

func (p *parser) alterAction() (a AlterAction, err error) {
	first := p.pos
	switch {
	case p.at("set") && p.ahead(1).isPunct("("):
		p.next()
		a.Kind = AlterSet
		a.Options, err = p.options()
	case p.at("reset") && p.ahead(1).isPunct("("):
		p.next()
		a.Kind = AlterResetOptions
		a.Options, err = p.options()
	case p.accept("set", "schema"):
		a.Kind = AlterSetSchema
		a.NewName, err = p.identName()
	case p.accept("rename", "to"):
		a.Kind = AlterRename
		a.NewName, err = p.identName()
	case p.accept("rename", "constraint"):
		p.scanItem()
	case p.accept("rename"):
		err = a.renameColumn(p)
	case p.accept("add"), p.accept("drop"), p.accept("alter"):
		err = a.column(p, p.ahead(-1).Text)
	default:
		p.scanItem()
	}
	a.Range = p.since(first)
	return a, err
}

func (p *parser) identName() (string, error) {
	id, err := p.ident()
	return id.Name, err
}

func (a *AlterAction) renameColumn(p *parser) (err error) {
	p.accept("column")
	a.Kind = AlterRenameColumn
	if a.Column, err = p.identName(); err != nil {
		return err
	}
	if err := p.expect("to"); err != nil {
		return err
	}
	a.NewName, err = p.identName()
	return err
}

// column reads what follows ADD, DROP or ALTER.
func (a *AlterAction) column(p *parser, verb string) error {
	if !p.accept("column") && p.atAny("constraint", "primary", "unique", "check", "foreign") {
		p.scanItem()
		return nil
	}
	if !p.ifNotExists() {
		p.ifExists()
	}
	name, err := p.identName()
	if err != nil {
		return err
	}
	a.Column = name
	switch verb {
	case "add":
		a.Kind = AlterAddColumn
	case "drop":
		a.Kind = AlterDropColumn
	default:
		a.Kind = AlterColumn
		if p.at("type") || p.at("set", "data", "type") {
			a.Kind = AlterColumnType
		}
	}
	p.scanItem()
	return nil
}
