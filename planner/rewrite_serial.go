package planner

// A serialColumn is a column of a CREATE TABLE that numbers its rows from a
// sequence: serial, or GENERATED … AS IDENTITY.
type serialColumn struct {
	name     string
	typeAt   int    // place of serial in the tokens; 0 for an identity
	typeName string // what serial stands for
	identity Range  // the clause GENERATED … AS IDENTITY [(…)]
}

// Sequences are the statements that make the sequences of a CREATE TABLE's
// serial and identity columns. They run before it, in its transaction.
func (s *Statement) Sequences() []string {
	n, ok := s.Node.(*CreateTableStmt)
	if !ok {
		return nil
	}
	var list []string
	for _, c := range s.serials(n) {
		create := "CREATE OR REPLACE SEQUENCE "
		if n.IfNotExists {
			create = "CREATE SEQUENCE IF NOT EXISTS "
		}
		list = append(list, create+sequenceName(n, c).SQL())
	}
	return list
}

// sequenceName is table_column_seq in the table's schema.
func sequenceName(n *CreateTableStmt, c serialColumn) Name {
	schema := n.Name.Schema()
	if schema == "" || schema == "public" {
		schema = "main"
	}
	return Name{Parts: []string{schema, n.Name.Last() + "_" + c.name + "_seq"}}
}

// serial makes the serial and identity columns plain ones with a default.
func (r *rewriter) serial(n *CreateTableStmt) {
	for _, c := range r.st.serials(n) {
		value := " DEFAULT nextval(" + quoteLiteral(sequenceName(n, c).SQL()) + ")"
		if c.typeAt > 0 {
			r.replace(c.typeAt, c.typeAt, c.typeName+value+" NOT NULL")
		} else {
			r.edits.Replace(c.identity.Start, c.identity.End, value[1:])
		}
	}
}

// serials finds the columns that number their rows.
func (s *Statement) serials(n *CreateTableStmt) []serialColumn {
	if n.Columns.Empty() {
		return nil
	}
	p := &parser{sql: s.SQL, toks: s.Tokens}
	for p.pos < len(p.toks) && p.peek().Start < n.Columns.Start {
		p.pos++
	}
	var list []serialColumn
	for !p.done() {
		c := serialColumn{name: p.next().Text, typeAt: p.pos, typeName: serialType(p.peek())}
		p.scan(func(p *parser) bool { return p.peek().isPunct(",") || p.at("generated") })
		if p.at("generated") {
			c.typeAt, c.typeName = 0, p.identity(&c.identity)
			p.scanItem()
		}
		if c.typeName != "" {
			list = append(list, c)
		}
		if !p.acceptPunct(",") {
			break
		}
	}
	return list
}

// identity reads GENERATED {ALWAYS | BY DEFAULT} AS IDENTITY [(options)].
func (p *parser) identity(clause *Range) string {
	first := p.pos
	p.next()
	if !p.accept("always") && !p.accept("by", "default") || !p.accept("as", "identity") {
		return ""
	}
	if p.peek().isPunct("(") {
		p.skipGroup()
	}
	*clause = p.since(first)
	return "identity"
}

func serialType(t Token) string {
	if t.Kind != TokenWord {
		return ""
	}
	switch t.Text {
	case "serial", "serial4":
		return "INTEGER"
	case "bigserial", "serial8":
		return "BIGINT"
	case "smallserial", "serial2":
		return "SMALLINT"
	}
	return ""
}
