package planner

// typedLiteral reads type 'string' and returns Postgres's name of the type.
func (p *parser) typedLiteral() (name string, ok bool) {
	look := *p
	name = look.typeRef()
	if look.pos == p.pos || look.peek().Kind != TokenString {
		return "", false
	}
	look.next()
	if name == "interval" {
		look.intervalFields()
	}
	p.pos = look.pos
	return name, true
}

// intervalFields takes DAY TO SECOND(3) and the like.
func (p *parser) intervalFields() {
	for p.atAny("year", "month", "day", "hour", "minute", "second", "to",
		"years", "months", "days", "hours", "minutes", "seconds", "week", "weeks", "millisecond", "milliseconds", "microsecond", "microseconds") {
		p.next()
	}
	if p.ahead(-1).is("second") && p.peek().isPunct("(") {
		p.skipGroup()
	}
}

// typeRef reads a type's name with its parameters and brackets, and returns
// the name that Postgres's catalog has for it (an array's is its element's).
func (p *parser) typeRef() string {
	t := p.peek()
	if !t.isIdent() {
		return ""
	}
	p.next()
	name := t.Text
	for p.peek().isPunct(".") && p.ahead(1).isIdent() {
		p.next()
		name = p.next().Text
	}
	if t.Kind == TokenWord {
		name = p.typeWords(name)
	}
	if p.peek().isPunct("(") {
		p.skipGroup()
	}
	if p.at("with", "time", "zone") {
		p.pos += 3
		name += "tz"
	} else if p.at("without", "time", "zone") {
		p.pos += 3
	}
	for p.peek().isPunct("[") {
		p.skipGroup()
	}
	if t.Kind == TokenWord && name == "interval" && p.peek().Kind != TokenString {
		p.intervalFields()
	}
	return name
}

// typeWords reads the further words of a type and gives its catalog name.
func (p *parser) typeWords(name string) string {
	switch {
	case name == "double" && p.accept("precision"):
		return "float8"
	case (name == "character" || name == "char") && p.accept("varying"):
		return "varchar"
	case name == "bit" && p.accept("varying"):
		return "varbit"
	}
	return catalogTypeName(name)
}

// catalogTypeName is the name in pg_type of a type that SQL names otherwise.
func catalogTypeName(name string) string {
	switch name {
	case "int", "integer":
		return "int4"
	case "bigint":
		return "int8"
	case "smallint", "tinyint":
		return "int2"
	case "boolean":
		return "bool"
	case "real":
		return "float4"
	case "float", "double":
		return "float8"
	case "decimal", "dec":
		return "numeric"
	case "character", "char":
		return "bpchar"
	case "string":
		return "text"
	case "blob":
		return "bytea"
	}
	return name
}
