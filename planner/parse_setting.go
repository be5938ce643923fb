package planner

import "strings"

// SetStmt is SET name = value. The forms with words of their own are given
// under the name of the setting that they stand for: SET TIME ZONE is
// timezone, SET NAMES client_encoding, SET SCHEMA search_path, SET SESSION
// AUTHORIZATION session_authorization, SET ROLE role.
type SetStmt struct {
	Name    string
	Values  []string // the items of the value, without their quotes
	Default bool     // TO DEFAULT
	Current bool     // FROM CURRENT
	Local   bool     // SET LOCAL
}

// Value is the value as SHOW would print it.
func (n *SetStmt) Value() string { return strings.Join(n.Values, ", ") }

// ShowStmt is SHOW, RESET or DISCARD: of All, or of Name. SHOW of something
// that is no setting (SHOW TABLES) has it as its name too.
type ShowStmt struct {
	Name string
	All  bool
}

func (*SetStmt) statementNode()  {}
func (*ShowStmt) statementNode() {}

func settingParser(word string) parseFunc {
	switch word {
	case "set":
		return parseSet
	case "show":
		return parseShow
	case "reset":
		return parseReset
	default:
		return parseDiscard
	}
}

func parseSet(p *parser) (Kind, Node, error) {
	p.next()
	if p.at("variable") && p.ahead(1).isIdent() {
		return KindOther, nil, nil
	}
	if p.accept("session", "characteristics", "as", "transaction") {
		modes, err := p.txModes()
		return KindSetTransaction, &SetTransactionStmt{Session: true, Modes: modes}, err
	}
	if p.at("transaction") && p.ahead(1).isIdent() && !p.ahead(1).is("to") {
		return parseSetTransaction(p)
	}
	n := &SetStmt{Local: p.at("local") && p.ahead(1).isIdent() && !p.ahead(1).is("to")}
	if n.Local || (p.at("session") || p.at("global")) && p.ahead(1).isIdent() && !p.ahead(1).is("to") && !p.at("session", "authorization") {
		p.next()
	}
	if err := n.parseName(p); err != nil {
		return KindSet, nil, err
	}
	return KindSet, n, n.parseValues(p)
}

func parseSetTransaction(p *parser) (Kind, Node, error) {
	p.next()
	if p.accept("snapshot") {
		t := p.next()
		return KindSetTransaction, &SetTransactionStmt{Modes: TxModes{Snapshot: t.Text}}, p.expectEnd()
	}
	modes, err := p.txModes()
	return KindSetTransaction, &SetTransactionStmt{Modes: modes}, err
}

// parseName reads the name and the = or TO after it.
func (n *SetStmt) parseName(p *parser) error {
	if name := p.settingPhrase(); name != "" {
		n.Name = name
		p.acceptPunct("=")
		p.accept("to")
		return nil
	}
	name, err := p.name()
	if err != nil {
		return err
	}
	n.Name = strings.ToLower(strings.Join(name.Parts, "."))
	if n.Name == "all" {
		p.pos--
		return p.unexpected()
	}
	if p.at("from", "current") {
		return nil
	}
	if !p.acceptPunct("=") && !p.accept("to") {
		return p.unexpected()
	}
	return nil
}

// settingPhrase reads one of the names that are written as several words.
func (p *parser) settingPhrase() string {
	switch next := p.ahead(1); {
	case p.accept("time", "zone"):
		return "timezone"
	case p.accept("session", "authorization"):
		return "session_authorization"
	case p.at("names") && (next.Kind == TokenString || next.Kind == TokenEnd || next.isIdent() && !next.is("to")):
		p.next()
		return "client_encoding"
	case p.at("schema") && next.Kind == TokenString:
		p.next()
		return "search_path"
	case p.at("role") && (next.Kind == TokenString || next.isIdent() && !next.is("to")):
		p.next()
		return "role"
	}
	return ""
}

func (n *SetStmt) parseValues(p *parser) error {
	if p.accept("default") || n.Name == "timezone" && p.accept("local") {
		n.Default = true
		return p.expectEnd()
	}
	if n.Name == "client_encoding" && p.peek().Kind == TokenEnd { // SET NAMES
		n.Default = true
		return nil
	}
	if p.accept("from", "current") {
		n.Current = true
		return p.expectEnd()
	}
	offset := n.Name == "timezone" && (p.accept("interval") || p.peek().Kind != TokenString && !p.peek().isIdent())
	for {
		value, err := p.literal()
		if err != nil {
			return err
		}
		n.Values = append(n.Values, value)
		if !p.acceptPunct(",") {
			break
		}
	}
	if offset {
		n.Values[0] = offsetZone(n.Values[0])
	}
	if p.accept("hour") {
		p.accept("to", "minute")
	}
	return p.expectEnd()
}

func parseShow(p *parser) (Kind, Node, error) {
	p.next()
	if p.accept("transaction", "isolation", "level") {
		return KindShow, &ShowStmt{Name: "transaction_isolation"}, p.expectEnd()
	}
	if p.at("all", "tables") || p.ahead(1).is("from") {
		return KindOther, nil, nil
	}
	n, err := showName(p)
	return KindShow, n, err
}

func parseReset(p *parser) (Kind, Node, error) {
	p.next()
	if p.at("variable") && p.ahead(1).isIdent() {
		return KindOther, nil, nil
	}
	p.acceptAny("session", "local", "global")
	if p.accept("authorization") {
		return KindReset, &ShowStmt{Name: "session_authorization"}, p.expectEnd()
	}
	n, err := showName(p)
	return KindReset, n, err
}

func parseDiscard(p *parser) (Kind, Node, error) {
	p.next()
	what := p.acceptAny("all", "plans", "sequences", "temp", "temporary")
	switch what {
	case "":
		return KindDiscard, nil, p.unexpected()
	case "temporary":
		what = "temp"
	}
	return KindDiscard, &ShowStmt{Name: what, All: what == "all"}, p.expectEnd()
}

// showName reads ALL, TIME ZONE, SESSION AUTHORIZATION or a setting's name.
func showName(p *parser) (Node, error) {
	if p.at("all") && p.ahead(1).Kind == TokenEnd {
		p.next()
		return &ShowStmt{All: true}, nil
	}
	if name := p.settingPhrase(); name != "" {
		return &ShowStmt{Name: name}, p.expectEnd()
	}
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	return &ShowStmt{Name: strings.ToLower(strings.Join(name.Parts, "."))}, p.expectEnd()
}
