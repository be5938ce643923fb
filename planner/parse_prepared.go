package planner

import "strconv"

// PrepareStmt is PREPARE name [(types)] AS statement.
type PrepareStmt struct {
	Name  string
	Types []Range
	Body  Range
}

// ExecuteStmt is EXECUTE name [(arguments)].
type ExecuteStmt struct {
	Name string
	Args []Range
}

// DeclareStmt is DECLARE … CURSOR FOR query.
type DeclareStmt struct {
	Name     string
	Binary   bool
	Scroll   bool
	NoScroll bool
	Hold     bool
	Query    Range
}

// FetchStmt is FETCH or MOVE.
type FetchStmt struct {
	Direction FetchDirection
	Count     int64 // of FetchForward, FetchAbsolute and FetchRelative; negative is backward
	All       bool  // of FetchForward: all that is left; with Count -1, backward
	Cursor    string
}

// FetchDirection says how the count of a FETCH is meant.
type FetchDirection uint8

// The directions: FIRST is absolute 1, LAST absolute -1, NEXT forward 1,
// PRIOR forward -1.
const (
	FetchForward FetchDirection = iota
	FetchAbsolute
	FetchRelative
)

// CloseStmt is CLOSE or DEALLOCATE: of All, or of Name.
type CloseStmt struct {
	Name string
	All  bool
}

func (*PrepareStmt) statementNode() {}
func (*ExecuteStmt) statementNode() {}
func (*DeclareStmt) statementNode() {}
func (*FetchStmt) statementNode()   {}
func (*CloseStmt) statementNode()   {}

func preparedParser(word string) parseFunc {
	switch word {
	case "prepare":
		return parsePrepare
	case "execute":
		return parseExecute
	case "deallocate":
		return parseDeallocate
	case "declare":
		return parseDeclare
	case "fetch":
		return parseFetch(KindFetch)
	case "move":
		return parseFetch(KindMove)
	default:
		return parseClose
	}
}

func parsePrepare(p *parser) (Kind, Node, error) {
	p.next()
	if p.at("transaction") && p.ahead(1).Kind == TokenString {
		return KindPrepare, nil, errorAt(p.sql, p.toks[0].Start, codeUnsupported, "PREPARE TRANSACTION is not supported")
	}
	n := &PrepareStmt{}
	var err error
	if n.Name, err = p.identName(); err != nil {
		return KindPrepare, nil, err
	}
	if n.Types, err = p.ranges(); err != nil {
		return KindPrepare, nil, err
	}
	if err := p.expect("as"); err != nil {
		return KindPrepare, nil, err
	}
	n.Body = p.rest()
	return KindPrepare, n, p.queryEnd(n.Body)
}

// ranges reads (item, …) if it stands here.
func (p *parser) ranges() ([]Range, error) {
	if !p.acceptPunct("(") {
		return nil, nil
	}
	var list []Range
	for !p.peek().isPunct(")") {
		item := p.scanItem()
		if item.Empty() {
			return nil, p.unexpected()
		}
		if list = append(list, item); !p.acceptPunct(",") {
			break
		}
	}
	return list, p.expectPunct(")")
}

func parseExecute(p *parser) (Kind, Node, error) {
	p.next()
	n := &ExecuteStmt{}
	var err error
	if n.Name, err = p.identName(); err != nil {
		return KindExecute, nil, err
	}
	if n.Args, err = p.ranges(); err != nil {
		return KindExecute, nil, err
	}
	return KindExecute, n, p.expectEnd()
}

func parseDeallocate(p *parser) (Kind, Node, error) {
	p.next()
	if p.at("prepare") && p.ahead(1).isIdent() {
		p.next()
	}
	n, err := closeTarget(p)
	return KindDeallocate, n, err
}

func parseClose(p *parser) (Kind, Node, error) {
	p.next()
	n, err := closeTarget(p)
	return KindCloseCursor, n, err
}

func closeTarget(p *parser) (Node, error) {
	if p.accept("all") {
		return &CloseStmt{All: true}, p.expectEnd()
	}
	name, err := p.identName()
	if err != nil {
		return nil, err
	}
	return &CloseStmt{Name: name}, p.expectEnd()
}

func parseDeclare(p *parser) (Kind, Node, error) {
	p.next()
	n := &DeclareStmt{}
	var err error
	if n.Name, err = p.identName(); err != nil {
		return KindDeclare, nil, err
	}
	for !p.accept("cursor") {
		switch {
		case p.accept("binary"):
			n.Binary = true
		case p.accept("no", "scroll"):
			n.NoScroll = true
		case p.accept("scroll"):
			n.Scroll = true
		case p.acceptAny("insensitive", "asensitive") != "":
		default:
			return KindDeclare, nil, p.unexpected()
		}
	}
	n.Hold = p.accept("with", "hold")
	p.accept("without", "hold")
	if err := p.expect("for"); err != nil {
		return KindDeclare, nil, err
	}
	n.Query = p.rest()
	return KindDeclare, n, p.queryEnd(n.Query)
}

func parseFetch(kind Kind) parseFunc {
	return func(p *parser) (Kind, Node, error) {
		p.next()
		n := &FetchStmt{Count: 1}
		if err := n.direction(p); err != nil {
			return kind, nil, err
		}
		p.acceptAny("from", "in")
		var err error
		if n.Cursor, err = p.identName(); err != nil {
			return kind, nil, err
		}
		return kind, n, p.expectEnd()
	}
}

// direction reads what stands between FETCH and the cursor. A direction word
// with nothing after it is the cursor's own name.
func (n *FetchStmt) direction(p *parser) error {
	if p.ahead(1).Kind == TokenEnd {
		return nil
	}
	switch {
	case p.accept("next"):
	case p.accept("prior"):
		n.Count = -1
	case p.accept("first"):
		n.Direction = FetchAbsolute
	case p.accept("last"):
		n.Direction, n.Count = FetchAbsolute, -1
	case p.accept("absolute"):
		n.Direction = FetchAbsolute
		return n.count(p)
	case p.accept("relative"):
		n.Direction = FetchRelative
		return n.count(p)
	case p.accept("all"):
		n.All = true
	case p.accept("forward"):
		return n.optionalCount(p, 1)
	case p.accept("backward"):
		return n.optionalCount(p, -1)
	case !p.atAny("from", "in") && !p.peek().isIdent():
		return n.count(p)
	}
	return nil
}

// optionalCount reads [ALL | count] in the direction of sign.
func (n *FetchStmt) optionalCount(p *parser, sign int64) error {
	n.Count = sign
	if p.accept("all") {
		n.All = true
		return nil
	}
	if p.atAny("from", "in") || p.peek().isIdent() {
		return nil
	}
	err := n.count(p)
	n.Count *= sign
	return err
}

func (n *FetchStmt) count(p *parser) error {
	first := p.peek()
	text, err := p.literal()
	if err != nil {
		return err
	}
	n.Count, err = strconv.ParseInt(text, 10, 64)
	if err != nil {
		return syntaxNear(p.sql, first.Start, first.End)
	}
	return nil
}
