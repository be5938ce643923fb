package planner

import (
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// numberReader reads a number by a template: NUM_processor of formatting.c, the
// other way.
type numberReader struct {
	*numberTemplate
	in        string
	at        int
	negative  bool
	signed    bool // a sign was read
	digits    []byte
	point     bool
	pre, post int // digits read
}

// parseNumber is to_number: the number that the text has by the template.
func parseNumber(text, template string) (string, error) {
	t, err := parseNumberTemplate(template)
	if err != nil {
		return "", err
	}
	switch {
	case t.scientific:
		return "", wire.Errorf("0A000", `"EEEE" not supported for input`)
	case t.roman:
		return "", wire.Errorf("0A000", `"RN" not supported for input`)
	}
	r := &numberReader{numberTemplate: t, in: text}
	for _, n := range t.nodes {
		if r.done() {
			break
		}
		r.node(n)
	}
	if r.pre+r.post == 0 {
		return "", wire.Errorf("22P02", `invalid input syntax for type numeric: "%s"`, text)
	}
	number := strings.TrimSuffix(string(r.digits), ".")
	if r.hasMulti {
		number = shiftPoint(number, t.multi)
	}
	if r.negative {
		number = "-" + number
	}
	return number, nil
}

// shiftPoint divides a number by a power of ten.
func shiftPoint(number string, places int) string {
	number = strings.Repeat("0", max(places+1-len(number), 0)) + number
	return number[:len(number)-places] + "." + number[len(number)-places:]
}

func (r *numberReader) done() bool { return r.at >= len(r.in) }

// is reports whether c comes next.
func (r *numberReader) is(c byte) bool { return !r.done() && r.in[r.at] == c }

func (r *numberReader) node(n numberNode) {
	switch n.pattern {
	case "":
		r.at += len(n.text)
	case "9", "0", ".", "D":
		r.digit(n.pattern)
		r.at++
	case ",", "G":
		if !r.fill && r.is(',') {
			r.at++
		}
	case "L":
		r.skip(1)
	case "TH":
		r.skip(2)
	case "MI":
		r.signOr('-')
	case "PL":
		r.signOr('+')
	case "SG":
		if !r.sign() {
			r.skip(1)
		}
	}
}

// skip passes over characters that are no part of a number.
func (r *numberReader) skip(n int) {
	for ; n > 0 && !r.done() && !strings.ContainsRune("0123456789.,+-", rune(r.in[r.at])); n-- {
		for r.at++; !r.done() && r.in[r.at]&0xC0 == 0x80; r.at++ {
		}
	}
}

// signOr reads the sign, or else passes over a character.
func (r *numberReader) signOr(sign byte) {
	if r.is(sign) {
		r.sign()
		return
	}
	r.skip(1)
}

// sign reads a sign.
func (r *numberReader) sign() bool {
	if !r.is('-') && !r.is('+') {
		return false
	}
	r.negative, r.signed = r.in[r.at] == '-', true
	r.at++
	return true
}

// digit reads what stands for a digit or the point of the template: at what
// was read, or where nothing was, at what comes next.
func (r *numberReader) digit(pattern string) {
	if r.is(' ') {
		r.at++
	}
	if !r.signed && (pattern == "0" || pattern == "9") && r.pre+r.post == 0 {
		if !r.sign() && r.bracket && r.is('<') {
			r.negative, r.signed = true, true
			r.at++
		}
	}
	if r.done() {
		return
	}
	read := false
	switch c := r.in[r.at]; {
	case isDigit(c):
		if r.point && r.post == r.numberTemplate.post {
			return
		}
		r.digits = append(r.digits, c)
		r.pre, r.post = r.pre+boolInt(!r.point), r.post+boolInt(r.point)
		read = true
	case r.decimal && !r.point && c == '.':
		r.digits = append(r.digits, '.')
		r.point, read = true, true
	}
	if !r.signed && r.pre+r.post > 0 {
		r.signBehind(read)
	}
}

// signBehind reads the sign behind the last digit.
func (r *numberReader) signBehind(read bool) {
	switch {
	case r.numberTemplate.sign != signNone:
		if next := r.at + 1; read && next < len(r.in) && (r.in[next] == '-' || r.in[next] == '+') {
			r.negative, r.signed = r.in[next] == '-', true
			r.at++
		}
	case !read && (r.plus || r.minus) && (r.is('-') || r.is('+')):
		r.negative, r.signed = r.is('-'), true
	}
}
