package planner

import "strings"

// arrayLiteral writes Postgres's array text, such as {1,NULL,"a b",{2}}, as a
// list of strings.
func arrayLiteral(s string) (string, bool) {
	p := arrayParser{src: strings.TrimSpace(s)}
	if !strings.HasPrefix(p.src, "{") || !p.list() || strings.TrimSpace(p.src[p.pos:]) != "" {
		return "", false
	}
	return p.out.String(), true
}

// arrayParser reads the text of an array.
type arrayParser struct {
	src string
	pos int
	out strings.Builder
}

func (p *arrayParser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *arrayParser) spaces() {
	for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
		p.pos++
	}
}

// list reads {element, …}.
func (p *arrayParser) list() bool {
	p.pos++
	p.out.WriteByte('[')
	p.spaces()
	for p.peek() != '}' {
		if !p.element() {
			return false
		}
		p.spaces()
		if p.peek() == '}' {
			break
		}
		if p.peek() != ',' {
			return false
		}
		p.pos++
		p.out.WriteString(", ")
		p.spaces()
	}
	p.pos++
	p.out.WriteByte(']')
	return true
}

func (p *arrayParser) element() bool {
	switch p.peek() {
	case '{':
		return p.list()
	case '"':
		return p.quoted()
	}
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] != ',' && p.src[p.pos] != '}' {
		if c := p.src[p.pos]; c == '{' || c == '"' {
			return false
		} else if c == '\\' {
			p.pos++
		}
		p.pos++
	}
	if p.pos > len(p.src) {
		return false
	}
	text := strings.TrimSpace(p.src[start:p.pos])
	if text == "" {
		return false
	}
	if strings.EqualFold(text, "null") {
		p.out.WriteString("NULL")
		return true
	}
	p.out.WriteString(quoteLiteral(strings.ReplaceAll(text, `\`, "")))
	return true
}

func (p *arrayParser) quoted() bool {
	var b strings.Builder
	for p.pos++; p.pos < len(p.src); p.pos++ {
		switch c := p.src[p.pos]; c {
		case '"':
			p.pos++
			p.out.WriteString(quoteLiteral(b.String()))
			return true
		case '\\':
			if p.pos++; p.pos < len(p.src) {
				b.WriteByte(p.src[p.pos])
			}
		default:
			b.WriteByte(c)
		}
	}
	return false
}
