package planner

import "strings"

const lengthForms = "Write '11 min', INTERVAL '11 minutes', or a parameter."

// length reads a fixed length of time: as microseconds into value, or, where
// it is a parameter whose value comes later, as an expression into param.
func (a *argument) length(value *int64, param *string) error {
	if *value != 0 && a.unlimited() {
		return nil
	}
	p := &parser{sql: a.sql, toks: a.toks}
	text, isParam, ok := p.lengthText()
	switch {
	case a.option && !ok:
		text = a.sql
	case isParam && ok && p.done():
		*param = parameterMicros(a.text())
		return nil
	case !ok || !p.done():
		return a.badLength()
	}
	micros, err := parseDuration(text)
	if err != nil {
		return a.fail(a.at.Start, err.code, err.hint, "%s: %s", a.name, err.message)
	}
	*value = micros
	return nil
}

// unlimited reports whether the argument says that there is no limit.
func (a *argument) unlimited() bool {
	switch strings.ToLower(a.word()) {
	case "unlimited", "infinity":
		return true
	}
	return false
}

func (a *argument) badLength() error {
	toks := a.toks
	if len(toks) > 0 && (toks[0].isPunct("-") || toks[0].isPunct("+")) {
		toks = toks[1:]
	}
	if len(toks) == 1 && toks[0].Kind == TokenNumber {
		return a.fail(a.at.Start, codeInvalidParameter, "Write for example "+a.name+" => '"+toks[0].Text+" s' or '"+toks[0].Text+" min'.",
			"%s: a length of time needs a unit", a.name)
	}
	return a.fail(a.at.Start, codeInvalidParameter, lengthForms, "%s must be a fixed length of time", a.name)
}

// lengthText reads a string, an interval literal or a parameter, with casts.
func (p *parser) lengthText() (text string, param, ok bool) {
	switch t := p.peek(); {
	case t.Kind == TokenString:
		p.next()
		text, ok = t.Text, true
	case t.Kind == TokenParam:
		p.next()
		param, ok = true, true
	case p.at("interval"):
		p.next()
		text, ok = p.intervalText()
	case p.at("cast") && p.ahead(1).isPunct("("):
		p.pos += 2
		text, param, ok = p.lengthText()
		ok = ok && p.accept("as") && p.typeName() && p.acceptPunct(")")
	}
	for ok && p.acceptPunct("::") {
		ok = p.typeName()
	}
	return text, param, ok
}

// intervalText reads what follows INTERVAL: '11 minutes', '11' MINUTE,
// 11 MINUTES or (11) MINUTES.
func (p *parser) intervalText() (string, bool) {
	parens := p.acceptPunct("(")
	t := p.next()
	if t.Kind != TokenString && t.Kind != TokenNumber || parens && !p.acceptPunct(")") {
		return "", false
	}
	if unit := p.peek(); unit.Kind == TokenWord {
		p.next()
		return t.Text + " " + unit.Text, true
	}
	return t.Text, t.Kind == TokenString
}

// typeName reads a type that a length of time can be cast to.
func (p *parser) typeName() bool {
	n, err := p.name()
	return err == nil && (n.Last() == "interval" || n.Last() == "text" || n.Last() == "varchar")
}

// parameterMicros are the microseconds of a parameter's value, as an
// expression that fails on what parseDuration refuses.
func parameterMicros(text string) string {
	i := "CAST(" + text + " AS INTERVAL)"
	return "(CASE WHEN " + i + " IS NULL THEN error('[22023] a length of time cannot be NULL')" +
		" WHEN year(" + i + ") <> 0 OR month(" + i + ") <> 0 THEN error('[22023] a length of time cannot have months or years, which are not always equally long')" +
		" WHEN epoch_us(" + i + ") < 0 THEN error('[22023] a length of time cannot be negative')" +
		" ELSE epoch_us(" + i + ") END)"
}
