package planner

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// stringForm is how a quoted string treats its characters.
type stringForm uint8

const (
	plainString   stringForm = iota // '' is a quote, nothing else is special
	escapeString                    // E'': backslash escapes too
	unicodeString                   // U&'': \0041 and \+000041
)

// quotedString reads a string whose opening quote is at i. A string goes on
// after white space that holds a line break, as SQL has it.
func (l *lexer) quotedString(i int, form stringForm) (Token, error) {
	var parts []string
	for {
		end, ok := l.closingQuote(i, '\'', form == escapeString)
		if !ok {
			return Token{}, l.unterminated("unterminated quoted string")
		}
		parts = append(parts, l.src[i+1:end-1])
		more := l.continuation(end)
		if more < 0 {
			return l.stringToken(strings.Join(parts, ""), end, form)
		}
		i = more
	}
}

func (l *lexer) stringToken(body string, end int, form stringForm) (Token, error) {
	var err error
	switch form {
	case escapeString:
		body, err = l.unescape(body)
	case unicodeString:
		body, err = l.unicode(body, end)
	case plainString:
	}
	if err != nil {
		return Token{}, err
	}
	t := l.take(TokenString, end)
	t.Text = strings.ReplaceAll(body, "''", "'")
	return t, nil
}

// closingQuote is the offset after the quote that ends the text opened at i.
func (l *lexer) closingQuote(i int, quote byte, backslash bool) (int, bool) {
	for i++; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\\' && backslash:
			i++
		case c == quote && l.at(i+1) == quote:
			i++
		case c == quote:
			return i + 1, true
		}
	}
	return 0, false
}

// continuation is the offset of the quote that continues a string which ended
// at i, or -1.
func (l *lexer) continuation(i int) int {
	newline := false
	for i < len(l.src) {
		switch c := l.src[i]; {
		case c == '\n' || c == '\r':
			newline = true
			i++
		case isSpace(c):
			i++
		case c == '-' && l.at(i+1) == '-' && newline:
			i = l.lineEnd(i)
		case c == '\'' && newline:
			return i
		default:
			return -1
		}
	}
	return -1
}

func (l *lexer) bitString() (Token, error) {
	end, ok := l.closingQuote(l.pos+1, '\'', false)
	if !ok {
		return Token{}, l.unterminated("unterminated bit string literal")
	}
	prefix := foldCase(l.src[l.pos : l.pos+1])
	body := l.src[l.pos+2 : end-1]
	t := l.take(TokenBits, end)
	t.Text = prefix + body
	return t, nil
}

// quotedIdent reads an identifier whose opening quote is at i.
func (l *lexer) quotedIdent(i int, unicode bool) (Token, error) {
	end, ok := l.closingQuote(i, '"', false)
	if !ok {
		return Token{}, l.unterminated("unterminated quoted identifier")
	}
	name := strings.ReplaceAll(l.src[i+1:end-1], `""`, `"`)
	if name == "" {
		return Token{}, errorAt(l.src, l.pos, codeSyntax, "zero-length delimited identifier at or near \"%s\"", l.src[l.pos:end])
	}
	if unicode {
		var err error
		if name, err = l.unicode(name, end); err != nil {
			return Token{}, err
		}
	}
	t := l.take(TokenQuoted, end)
	t.Text = name
	return t, nil
}

// dollar reads a parameter, a dollar-quoted string, or a lone dollar sign.
func (l *lexer) dollar() (Token, error) {
	if isDigit(l.at(l.pos + 1)) {
		t := l.take(TokenParam, l.run(l.pos+1, isDigit))
		t.Text = t.Text[1:]
		return t, nil
	}
	i := l.pos + 1
	if isIdentStart(l.at(i)) {
		i = l.run(i, func(c byte) bool { return c != '$' && isIdentPart(c) })
	}
	if l.at(i) != '$' {
		return l.punct(), nil
	}
	tag := l.src[l.pos : i+1]
	n := strings.Index(l.src[i+1:], tag)
	if n < 0 {
		return Token{}, l.unterminated("unterminated dollar-quoted string")
	}
	body := l.src[i+1 : i+1+n]
	t := l.take(TokenString, i+1+n+len(tag))
	t.Text = body
	return t, nil
}

// unescape resolves the backslashes of an E-string; doubled quotes stay.
func (l *lexer) unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			i++
			continue
		}
		text, n, ok := escapeSequence(s[i+1:])
		if !ok {
			return "", errorAt(l.src, l.pos, "22025", "invalid Unicode escape").WithHint(`Unicode escapes must be \uXXXX or \UXXXXXXXX.`)
		}
		b.WriteString(text)
		i += 1 + n
	}
	return b.String(), l.validText(b.String())
}

// escapeSequence reads what follows a backslash in an E-string: its value
// and its length in bytes.
func escapeSequence(s string) (text string, n int, ok bool) {
	switch c := s[0]; c {
	case 'b':
		return "\b", 1, true
	case 'f':
		return "\f", 1, true
	case 'n':
		return "\n", 1, true
	case 'r':
		return "\r", 1, true
	case 't':
		return "\t", 1, true
	case 'u':
		return codePoint(s, 1, 4)
	case 'U':
		return codePoint(s, 1, 8)
	case '\'':
		return "''", 1, true
	case 'x':
		if text, n := byteEscape(s[1:], 16, 2); n > 0 {
			return text, 1 + n, true
		}
		return "x", 1, true
	case '0', '1', '2', '3', '4', '5', '6', '7':
		text, n := byteEscape(s, 8, 3)
		return text, n, true
	default:
		return s[:1], 1, true
	}
}

// byteEscape reads up to limit digits of the base as one byte.
func byteEscape(s string, base, limit int) (text string, n int) {
	value := 0
	for n < limit && n < len(s) {
		d, err := strconv.ParseUint(s[n:n+1], base, 8)
		if err != nil {
			break
		}
		value, n = value*base+int(d), n+1
	}
	return string([]byte{byte(value)}), n
}

// codePoint reads width hexadecimal digits of s after skip bytes.
func codePoint(s string, skip, width int) (text string, n int, ok bool) {
	if len(s) < skip+width {
		return "", 0, false
	}
	r, err := strconv.ParseUint(s[skip:skip+width], 16, 32)
	if err != nil || r > utf8.MaxRune {
		return "", 0, false
	}
	return string(rune(r)), skip + width, true
}

// unicode resolves the escapes of a U& literal that ends at end, with the
// escape character of a UESCAPE clause where one follows.
func (l *lexer) unicode(s string, end int) (string, error) {
	escape := l.uescape(end)
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != escape {
			b.WriteByte(s[i])
			i++
			continue
		}
		text, n, ok := unicodeEscape(s[i+1:], escape)
		if !ok {
			return "", errorAt(l.src, l.pos, codeSyntax, "invalid Unicode escape").WithHint(`Unicode escapes must be \XXXX or \+XXXXXX.`)
		}
		b.WriteString(text)
		i += 1 + n
	}
	return b.String(), l.validText(b.String())
}

func unicodeEscape(s string, escape byte) (text string, n int, ok bool) {
	switch {
	case s == "":
		return "", 0, false
	case s[0] == escape:
		return s[:1], 1, true
	case s[0] == '+':
		return codePoint(s, 1, 6)
	default:
		return codePoint(s, 0, 4)
	}
}

// uescape is the character of the UESCAPE clause that may follow at i.
func (l *lexer) uescape(i int) byte {
	i = l.run(i, isSpace)
	const word = "uescape"
	if len(l.src) < i+len(word) || foldCase(l.src[i:i+len(word)]) != word {
		return '\\'
	}
	i = l.run(i+len(word), isSpace)
	if l.at(i) == '\'' && l.at(i+2) == '\'' {
		return l.src[i+1]
	}
	return '\\'
}

// validText refuses bytes that are no text, as Postgres does for UTF-8.
func (l *lexer) validText(s string) error {
	if utf8.ValidString(s) && !strings.Contains(s, "\x00") {
		return nil
	}
	return errorAt(l.src, l.pos, codeBadCharacter, "invalid byte sequence for encoding \"UTF8\"")
}
