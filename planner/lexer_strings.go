package planner

import (
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
	first := i + 1
	for {
		end, ok := l.closingQuote(i, '\'', form == escapeString)
		if !ok {
			return Token{}, l.unterminated("unterminated quoted string")
		}
		parts = append(parts, l.src[i+1:end-1])
		more := l.continuation(end)
		if more < 0 {
			return l.stringToken(strings.Join(parts, ""), first, end, form)
		}
		i = more
	}
}

// stringToken makes a token of a string whose text begins at start; its last
// quote is before end.
func (l *lexer) stringToken(body string, start, end int, form stringForm) (Token, error) {
	var err error
	switch form {
	case escapeString:
		body, err = l.unescape(body, start)
	case unicodeString:
		body, end, err = l.unicode(body, start, end)
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
	digits, kind := "01", "binary"
	if prefix == "x" {
		digits, kind = "0123456789abcdefABCDEF", "hexadecimal"
	}
	if wrong := strings.Trim(body, digits); wrong != "" {
		_, size := utf8.DecodeRuneInString(wrong)
		return Token{}, errorAt(l.src, l.pos, "22P02", "\"%s\" is not a valid %s digit", wrong[:size], kind)
	}
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
		if name, end, err = l.unicode(name, i+1, end); err != nil {
			return Token{}, err
		}
	}
	t := l.take(TokenQuoted, end)
	t.Text = name
	return t, nil
}

// dollar reads a parameter or a dollar-quoted string.
func (l *lexer) dollar() (Token, error) {
	if isDigit(l.at(l.pos + 1)) {
		end := l.run(l.pos+1, isDigit)
		if isIdentStart(l.at(end)) {
			return Token{}, l.junk("parameter", end)
		}
		t := l.take(TokenParam, end)
		t.Text = t.Text[1:]
		return t, nil
	}
	i := l.pos + 1
	if isIdentStart(l.at(i)) {
		i = l.run(i, func(c byte) bool { return c != '$' && isIdentPart(c) })
	}
	if l.at(i) != '$' {
		return Token{}, syntaxNear(l.src, l.pos, l.pos+1)
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
