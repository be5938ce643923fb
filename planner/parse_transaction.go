package planner

import "strings"

// BeginStmt is BEGIN or START TRANSACTION.
type BeginStmt struct{ Modes TxModes }

// EndStmt is COMMIT or ROLLBACK. Prepared names the transaction of COMMIT
// PREPARED and ROLLBACK PREPARED.
type EndStmt struct {
	Chain    bool
	Prepared bool
}

// SavepointStmt is SAVEPOINT, RELEASE or ROLLBACK TO.
type SavepointStmt struct{ Name string }

// SetTransactionStmt is SET TRANSACTION, or SET SESSION CHARACTERISTICS AS
// TRANSACTION where Session is set.
type SetTransactionStmt struct {
	Session bool
	Modes   TxModes
}

// TxModes are the modes of a transaction, each empty where it is not written.
type TxModes struct {
	Isolation  string // in lower case: read committed, repeatable read, …
	Access     string // read only or read write
	Deferrable string // deferrable or not deferrable
	Snapshot   string
}

func (*BeginStmt) statementNode()          {}
func (*EndStmt) statementNode()            {}
func (*SavepointStmt) statementNode()      {}
func (*SetTransactionStmt) statementNode() {}

func transactionParser(word string) parseFunc {
	switch word {
	case "begin", "start":
		return parseBegin
	case "commit", "end":
		return parseEnd(KindCommit)
	case "savepoint":
		return parseSavepoint
	case "release":
		return parseRelease
	default:
		return parseRollback
	}
}

func parseBegin(p *parser) (Kind, Node, error) {
	if p.next().Text == "start" {
		if err := p.expect("transaction"); err != nil {
			return KindBegin, nil, err
		}
	} else {
		p.acceptAny("work", "transaction")
	}
	modes, err := p.txModes()
	return KindBegin, &BeginStmt{modes}, err
}

// txModes reads transaction modes, with or without commas, up to the end.
func (p *parser) txModes() (TxModes, error) {
	var m TxModes
	for !p.done() {
		switch {
		case p.accept("isolation", "level"):
			level, err := p.isolation()
			if err != nil {
				return m, err
			}
			m.Isolation = level
		case p.at("read", "only"), p.at("read", "write"):
			m.Access = "read " + p.ahead(1).Text
			p.pos += 2
		case p.accept("deferrable"):
			m.Deferrable = "deferrable"
		case p.accept("not", "deferrable"):
			m.Deferrable = "not deferrable"
		default:
			return m, p.unexpected()
		}
		if p.acceptPunct(",") && p.done() {
			return m, p.unexpected()
		}
	}
	return m, nil
}

func (p *parser) isolation() (string, error) {
	for _, level := range []string{"serializable", "repeatable read", "read committed", "read uncommitted"} {
		if p.accept(strings.Fields(level)...) {
			return level, nil
		}
	}
	return "", p.unexpected()
}

func parseEnd(kind Kind) parseFunc {
	return func(p *parser) (Kind, Node, error) {
		p.next()
		if p.accept("prepared") {
			p.next()
			return kind, &EndStmt{Prepared: true}, p.expectEnd()
		}
		p.acceptAny("work", "transaction")
		chain := p.accept("and", "chain")
		p.accept("and", "no", "chain")
		return kind, &EndStmt{Chain: chain}, p.expectEnd()
	}
}

func parseRollback(p *parser) (Kind, Node, error) {
	first := p.pos
	p.next()
	p.acceptAny("work", "transaction")
	if !p.accept("to") {
		p.pos = first
		return parseEnd(KindRollback)(p)
	}
	p.accept("savepoint")
	return savepointName(p, KindRollbackTo)
}

func parseSavepoint(p *parser) (Kind, Node, error) {
	p.next()
	return savepointName(p, KindSavepoint)
}

func parseRelease(p *parser) (Kind, Node, error) {
	p.next()
	p.accept("savepoint")
	return savepointName(p, KindRelease)
}

func savepointName(p *parser, kind Kind) (Kind, Node, error) {
	id, err := p.ident()
	if err == nil {
		err = p.expectEnd()
	}
	return kind, &SavepointStmt{id.Name}, err
}
