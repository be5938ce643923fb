package planner

// NotifyStmt is LISTEN, UNLISTEN or NOTIFY.
type NotifyStmt struct {
	Channel string
	All     bool // UNLISTEN *
	Payload string
}

// CallStmt is CALL name(arguments).
type CallStmt struct{ Call Call }

// ExplainStmt is EXPLAIN of a statement.
type ExplainStmt struct {
	Analyze bool
	Options []Option
	Body    Range
}

// LockStmt is LOCK TABLE.
type LockStmt struct {
	Names  []Name
	Mode   Range
	NoWait bool
}

func (*NotifyStmt) statementNode()  {}
func (*CallStmt) statementNode()    {}
func (*ExplainStmt) statementNode() {}
func (*LockStmt) statementNode()    {}

func parseNotify(p *parser) (Kind, Node, error) {
	kind := KindListen
	switch p.next().Text {
	case "unlisten":
		kind = KindUnlisten
	case "notify":
		kind = KindNotify
	}
	if kind == KindUnlisten && p.acceptPunct("*") {
		return kind, &NotifyStmt{All: true}, p.expectEnd()
	}
	n := &NotifyStmt{}
	var err error
	if n.Channel, err = p.identName(); err != nil {
		return kind, nil, err
	}
	if kind == KindNotify && p.acceptPunct(",") {
		if p.peek().Kind != TokenString {
			return kind, nil, p.unexpected()
		}
		n.Payload = p.next().Text
	}
	return kind, n, p.expectEnd()
}

func parseCall(p *parser) (Kind, Node, error) {
	p.next()
	if !p.peek().isIdent() {
		return KindCall, nil, p.unexpected()
	}
	call, err := p.call()
	if err == nil {
		err = p.expectEnd()
	}
	return KindCall, &CallStmt{call}, err
}

func parseExplain(p *parser) (Kind, Node, error) {
	p.next()
	n := &ExplainStmt{}
	if p.peek().isPunct("(") && !queryAhead(p) {
		var err error
		if n.Options, err = p.options(); err != nil {
			return KindExplain, nil, err
		}
		for _, o := range n.Options {
			if o.Name == "analyze" && o.Value != "false" && o.Value != "off" {
				n.Analyze = true
			}
		}
	} else {
		n.Analyze = p.acceptAny("analyze", "analyse") != ""
		p.accept("verbose")
	}
	n.Body = p.rest()
	return KindExplain, n, p.queryEnd(n.Body)
}

func parseLock(p *parser) (Kind, Node, error) {
	p.next()
	p.accept("table")
	n := &LockStmt{}
	for {
		name, _, err := p.target("in", "nowait")
		if err != nil {
			return KindLock, nil, err
		}
		if n.Names = append(n.Names, name); !p.acceptPunct(",") {
			break
		}
	}
	if p.accept("in") {
		n.Mode = p.scanTo("mode")
		if err := p.expect("mode"); err != nil {
			return KindLock, nil, err
		}
	}
	n.NoWait = p.accept("nowait")
	return KindLock, n, p.expectEnd()
}
