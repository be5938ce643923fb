package planner

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// The templates of to_char and to_number for numbers, as section 9.8 of
// PostgreSQL's manual describes them and its formatting.c reads them, in the C
// locale.

// numberNode is a pattern of a template, or text that stands for itself.
type numberNode struct {
	pattern string // in upper case; "" for text
	lower   bool   // the pattern was written in lower case
	text    string
}

// A signPlace says where the locale's sign (S) is written.
type signPlace uint8

const (
	signNone signPlace = iota
	signBefore
	signAfter
)

// numberTemplate is a template that has been read.
type numberTemplate struct {
	nodes []numberNode
	// pre, post and multi count the digits before the point, after it, and
	// after a V.
	pre, post, multi int
	// zeroStart is the digit from which zeros are written, counted from 1; 0
	// for none. zeroEnd is the last one.
	zeroStart, zeroEnd int
	sign               signPlace
	signAt             int // pre, when the S was read

	zero, decimal, hasMulti, fill, bracket, minus, plus, roman, scientific bool
}

// numberPatterns are all patterns, the longer ones first.
func numberPatterns() []string {
	return []string{"EEEE", "FM", "MI", "PL", "PR", "RN", "SG", "SP", "TH", ",", ".", "0", "9", "B", "C", "D", "G", "L", "S", "V"}
}

// parseNumberTemplate reads a template.
func parseNumberTemplate(template string) (*numberTemplate, error) {
	t := &numberTemplate{}
	for rest := template; rest != ""; {
		if text, after, quoted := templateText(rest); quoted {
			t.nodes = append(t.nodes, numberNode{text: text})
			rest = after
			continue
		}
		n := numberNode{text: rest[:1]}
		for _, p := range numberPatterns() {
			if strings.HasPrefix(rest, p) || strings.HasPrefix(rest, strings.ToLower(p)) {
				n = numberNode{pattern: p, lower: rest[:len(p)] != p}
				break
			}
		}
		rest = rest[max(len(n.pattern), len(n.text)):]
		t.nodes = append(t.nodes, n)
		if err := t.add(n.pattern); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// templateText takes text in double quotes off a template, in which a
// backslash stands before a quote or a backslash; before a quote also outside
// of them.
func templateText(s string) (text, rest string, ok bool) {
	if strings.HasPrefix(s, `\"`) {
		return `"`, s[2:], true
	}
	if s[0] != '"' {
		return "", s, false
	}
	var b strings.Builder
	i := 1
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), s[min(i+1, len(s)):], true
}

// add counts a pattern.
func (t *numberTemplate) add(pattern string) error {
	if t.scientific && pattern != "" && pattern != "EEEE" {
		return wire.Errorf("42601", `"EEEE" must be the last pattern used`)
	}
	switch pattern {
	case "9", "0":
		return t.addDigit(pattern)
	case "D", ".":
		return t.addPoint()
	case "FM":
		t.fill = true
	case "S":
		return t.addSign()
	case "MI", "PL", "SG":
		if t.sign != signNone {
			return wire.Errorf("42601", `cannot use "S" and "%s" together`, pattern)
		}
		t.minus = t.minus || pattern != "PL"
		t.plus = t.plus || pattern != "MI"
	case "PR":
		if t.sign != signNone || t.plus || t.minus {
			return wire.Errorf("42601", `cannot use "PR" and "S"/"PL"/"MI"/"SG" together`)
		}
		t.bracket = true
	case "RN":
		t.roman = true
	case "V":
		if t.decimal {
			return wire.Errorf("42601", `cannot use "V" and decimal point together`)
		}
		t.hasMulti = true
	case "EEEE":
		if t.fill || t.sign != signNone || t.bracket || t.minus || t.plus || t.roman || t.hasMulti {
			return wire.Errorf("42601", `"EEEE" is incompatible with other formats`).
				WithDetail(`"EEEE" may only be used together with digit and decimal point patterns.`)
		}
		t.scientific = true
	}
	return nil
}

func (t *numberTemplate) addDigit(pattern string) error {
	if t.bracket {
		return wire.Errorf("42601", `"%s" must be ahead of "PR"`, pattern)
	}
	if pattern == "9" && t.hasMulti {
		t.multi++
		return nil
	}
	if pattern == "0" && !t.zero && !t.decimal {
		t.zero, t.zeroStart = true, t.pre+1
	}
	if t.decimal {
		t.post++
	} else {
		t.pre++
	}
	if pattern == "0" {
		t.zeroEnd = t.pre + t.post
	}
	return nil
}

func (t *numberTemplate) addPoint() error {
	switch {
	case t.decimal:
		return wire.Errorf("42601", "multiple decimal points")
	case t.hasMulti:
		return wire.Errorf("42601", `cannot use "V" and decimal point together`)
	}
	t.decimal = true
	return nil
}

func (t *numberTemplate) addSign() error {
	switch {
	case t.sign != signNone:
		return wire.Errorf("42601", `cannot use "S" twice`)
	case t.plus || t.minus || t.bracket:
		return wire.Errorf("42601", `cannot use "S" and "PL"/"MI"/"SG"/"PR" together`)
	case t.decimal:
		t.sign = signAfter
	default:
		t.sign, t.signAt = signBefore, t.pre
	}
	return nil
}

// formatNumber is to_char of a number. float is how many digits a floating
// point value is good for, at which it is cut; 0 for a decimal.
func formatNumber(number, template string, float int) (string, error) {
	t, err := parseNumberTemplate(template)
	if err != nil {
		return "", err
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok { // NaN or infinite
		return t.render(strings.Repeat("#", t.pre+t.post), '+', 0), nil
	}
	if t.roman {
		return t.render(roman(value), '+', 0), nil
	}
	if t.scientific {
		return t.exponent(value), nil
	}
	if t.hasMulti {
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.multi)), nil)
		value.Mul(value, new(big.Rat).SetInt(power))
		t.pre += t.multi
	}
	text := t.rounded(value, float)
	sign := byte('+')
	if text[0] == '-' {
		sign, text = '-', text[1:]
	}
	whole, _, _ := strings.Cut(text, ".")
	if len(whole) > t.pre {
		text = strings.Repeat("#", t.pre) + "." + strings.Repeat("#", t.post)
	}
	return t.render(text, sign, max(t.pre-len(whole), 0)), nil
}

// exponent is a value in scientific notation, with room for a sign.
func (t *numberTemplate) exponent(value *big.Rat) string {
	f, _ := value.Float64()
	text := strconv.FormatFloat(f, 'e', t.post, 64)
	if text[0] != '-' {
		return " " + text
	}
	return text
}

// rounded is a value with the digits after the point that the template has; of
// a floating point one no more than it is good for.
func (t *numberTemplate) rounded(value *big.Rat, float int) string {
	if float == 0 {
		return value.FloatString(t.post)
	}
	f, _ := value.Float64()
	whole := len(strconv.FormatFloat(math.Abs(f), 'f', 0, 64))
	t.post = min(t.post, max(float-whole, 0))
	return strconv.FormatFloat(f, 'f', t.post, 64)
}

// roman is a number from 1 to 3999 in Roman numerals.
func roman(value *big.Rat) string {
	rounded, err := strconv.Atoi(value.FloatString(0))
	if err != nil || rounded < 1 || rounded > 3999 {
		return strings.Repeat("#", 15)
	}
	var b strings.Builder
	for _, r := range []struct {
		value int
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; rounded >= r.value; rounded -= r.value {
			b.WriteString(r.text)
		}
	}
	return b.String()
}

// numberWriter writes a number by a template: NUM_processor of formatting.c.
type numberWriter struct {
	*numberTemplate
	out       []byte
	number    string
	at        int // in number
	sign      byte
	signDone  bool
	spaces    int // digits of the template before the first one of the number
	position  int // among the digits and points of the template
	started   bool
	relevant  int // the last digit in number that fill mode keeps; -1: all
	positions int // how many digits the template has, less one
}

func (t *numberTemplate) render(number string, sign byte, spaces int) string {
	w := &numberWriter{numberTemplate: t, number: number, sign: sign, spaces: spaces, relevant: -1}
	if w.zeroStart > 0 {
		w.zeroStart--
	}
	if w.roman {
		*t = numberTemplate{nodes: t.nodes, fill: t.fill, roman: true}
	}
	w.begin()
	for _, n := range t.nodes {
		w.node(n)
	}
	return string(w.out)
}

func (w *numberWriter) begin() {
	if w.plus || w.minus {
		w.signDone = w.minus
	} else {
		if w.sign != '-' && w.fill {
			w.bracket = false
		}
		w.signDone = w.sign == '+' && w.fill && w.numberTemplate.sign == signNone
		if w.numberTemplate.sign == signBefore && w.pre == w.signAt {
			w.numberTemplate.sign = signAfter
		}
	}
	w.positions = w.post + w.pre - 1
	if w.fill && w.decimal {
		w.relevant = w.lastRelevant()
	}
	if !w.signDone && w.spaces == 0 {
		w.positions++
	}
}

// lastRelevant is the place of the last digit that is kept: no zero at the end,
// unless the template has a 0 for it.
func (w *numberWriter) lastRelevant() int {
	point := strings.IndexByte(w.number, '.')
	if point < 0 {
		return -1
	}
	last := point + len(strings.TrimRight(w.number[point:], "0")) - 1
	if w.zeroEnd > w.spaces {
		last = max(last, min(len(w.number)-1, w.zeroEnd-w.spaces))
	}
	return last
}

func (w *numberWriter) node(n numberNode) {
	switch n.pattern {
	case "":
		w.out = append(w.out, n.text...)
	case "9", "0", ".", "D":
		w.digit(n.pattern)
	case ",", "G":
		// The C locale has no separator of its own: a comma stands in.
		w.unlessFilled(w.started, ',')
	case "L":
		w.out = append(w.out, ' ')
	case "RN":
		w.romanText(n.lower)
	case "TH":
		if w.roman || w.number[0] == '#' || w.sign == '-' || w.decimal {
			return
		}
		w.out = append(w.out, ordinal(w.number, n.lower)...)
	case "MI":
		w.unlessFilled(w.sign == '-', '-')
	case "PL":
		w.unlessFilled(w.sign == '+', '+')
	case "SG":
		w.out = append(w.out, w.sign)
	}
}

// unlessFilled writes c if it is wanted, else a blank where blanks fill.
func (w *numberWriter) unlessFilled(wanted bool, c byte) {
	switch {
	case wanted:
		w.out = append(w.out, c)
	case !w.fill:
		w.out = append(w.out, ' ')
	}
}

func (w *numberWriter) romanText(lower bool) {
	text := w.number
	if lower {
		text = strings.ToLower(text)
	}
	if !w.fill {
		text = strings.Repeat(" ", max(15-len(text), 0)) + text
	}
	w.out = append(w.out, text...)
}

// ordinal is st, nd, rd or th after a number.
func ordinal(number string, lower bool) string {
	last := number[len(number)-1]
	if len(number) > 1 && number[len(number)-2] == '1' {
		last = '0'
	}
	text := "TH"
	switch last {
	case '1':
		text = "ST"
	case '2':
		text = "ND"
	case '3':
		text = "RD"
	}
	if lower {
		return strings.ToLower(text)
	}
	return text
}

// current is the character of the number that comes next; 0 after the last.
func (w *numberWriter) current() byte {
	if w.at < len(w.number) {
		return w.number[w.at]
	}
	return 0
}

// relevantPoint reports whether nothing is kept after the point.
func (w *numberWriter) relevantPoint() bool {
	return w.relevant >= 0 && w.number[w.relevant] == '.'
}

// hiddenZero reports whether the number's 0 before the point comes next, which
// a 9 does not show.
func (w *numberWriter) hiddenZero() bool {
	return !w.zero && w.at == 0 && w.current() == '0' && w.post != 0
}

// digit writes what stands for a digit or the point of the template.
func (w *numberWriter) digit(pattern string) {
	if w.roman {
		return
	}
	w.started = false
	if !w.signDone && (w.position >= w.spaces || w.zero && w.zeroStart == w.position) && (!w.hiddenZero() || w.relevantPoint()) {
		w.leadingSign()
	}
	switch {
	case w.position < w.spaces && (w.zeroStart > w.position || !w.zero):
		if !w.fill {
			w.out = append(w.out, ' ')
		}
	case w.position < w.spaces:
		w.out = append(w.out, '0')
		w.started = true
	default:
		w.digitOrPoint(pattern)
		if w.current() != 0 {
			w.at++
		}
	}
	end := w.positions + boolInt(w.spaces > 0) + boolInt(w.decimal)
	if w.relevant >= 0 && w.relevant == w.at {
		end = w.position
	}
	if w.position+1 == end {
		w.trailingSign()
	}
	w.position++
}

func (w *numberWriter) digitOrPoint(pattern string) {
	switch {
	case w.current() == '.':
		if !w.relevantPoint() || w.fill {
			w.out = append(w.out, '.')
		}
	case w.relevant >= 0 && w.at > w.relevant && pattern != "0":
	case w.hiddenZero():
		if !w.fill {
			w.out = append(w.out, ' ')
		} else if w.relevantPoint() {
			w.out = append(w.out, '0')
		}
	case w.current() != 0:
		w.out = append(w.out, w.current())
		w.started = true
	}
}

func (w *numberWriter) leadingSign() {
	switch {
	case w.numberTemplate.sign == signBefore:
		w.out = append(w.out, w.sign)
	case w.numberTemplate.sign == signAfter:
		return
	case w.bracket:
		w.out = append(w.out, bracketed(w.sign, '<'))
	case w.sign == '-':
		w.out = append(w.out, '-')
	case !w.fill:
		w.out = append(w.out, ' ')
	}
	w.signDone = true
}

func (w *numberWriter) trailingSign() {
	switch {
	case w.signDone && w.bracket:
		w.out = append(w.out, bracketed(w.sign, '>'))
	case w.numberTemplate.sign == signAfter:
		w.out = append(w.out, w.sign)
	}
}

func bracketed(sign, bracket byte) byte {
	if sign == '+' {
		return ' '
	}
	return bracket
}
