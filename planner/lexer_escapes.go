package planner

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sessiondb/sessiondb/wire"
)

// unescape resolves the backslashes of an E-string whose text begins at start;
// doubled quotes stay.
func (l *lexer) unescape(s string, start int) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	w := escapeWriter{l: l}
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			if err := w.text(s[i:i+1], start+i); err != nil {
				return "", err
			}
			i++
			continue
		}
		n, err := w.escape(s[i+1:], start+i)
		if err != nil {
			return "", err
		}
		i += 1 + n
	}
	return w.result(start + len(s))
}

// An escapeWriter puts a string together of which characters are escaped, of
// those beyond 16 bits maybe as two surrogates.
type escapeWriter struct {
	l    *lexer
	b    strings.Builder
	high rune // the first of a pair of surrogates; 0 if none waits
}

// text adds what stands at an offset.
func (w *escapeWriter) text(s string, at int) error {
	if w.high != 0 {
		return w.unpaired(at)
	}
	w.b.WriteString(s)
	return nil
}

// rune adds the character whose escape is at an offset.
func (w *escapeWriter) rune(r rune, at int) error {
	low := r >= 0xDC00 && r <= 0xDFFF
	switch {
	case w.high != 0 != low:
		return w.unpaired(at)
	case low:
		w.b.WriteRune(utf16.DecodeRune(w.high, r))
		w.high = 0
	case utf16.IsSurrogate(r):
		w.high = r
	default:
		w.b.WriteRune(r)
	}
	return nil
}

func (w *escapeWriter) unpaired(at int) error {
	return errorAt(w.l.src, at, codeSyntax, "invalid Unicode surrogate pair")
}

// result is the whole string, which ends at an offset. Bytes that are no text
// are refused, as Postgres does for UTF-8.
func (w *escapeWriter) result(end int) (string, error) {
	if w.high != 0 {
		return "", w.unpaired(end)
	}
	s := w.b.String()
	if utf8.ValidString(s) && !strings.Contains(s, "\x00") {
		return s, nil
	}
	return "", wire.Errorf(codeBadCharacter, "invalid byte sequence for encoding \"UTF8\"")
}

// escape reads what follows the backslash at an offset of an E-string, and
// returns its length.
func (w *escapeWriter) escape(s string, at int) (n int, err error) {
	width := 0
	switch s[0] {
	case 'u':
		width = 4
	case 'U':
		width = 8
	}
	if width == 0 {
		text, n := escapeSequence(s)
		return n, w.text(text, at)
	}
	r, ok := codePoint(s[1:], width)
	if !ok {
		return 0, errorAt(w.l.src, at, "22025", "invalid Unicode escape").WithHint(`Unicode escapes must be \uXXXX or \UXXXXXXXX.`)
	}
	return 1 + width, w.rune(r, at)
}

// escapeSequence reads what follows a backslash in an E-string, less code
// points: its value and its length in bytes.
func escapeSequence(s string) (text string, n int) {
	switch c := s[0]; c {
	case 'b':
		return "\b", 1
	case 'f':
		return "\f", 1
	case 'n':
		return "\n", 1
	case 'r':
		return "\r", 1
	case 't':
		return "\t", 1
	case '\'':
		return "''", 1
	case 'x':
		if text, n := byteEscape(s[1:], 16, 2); n > 0 {
			return text, 1 + n
		}
		return "x", 1
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return byteEscape(s, 8, 3)
	default:
		return s[:1], 1
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

// codePoint reads width hexadecimal digits.
func codePoint(s string, width int) (r rune, ok bool) {
	if len(s) < width {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:width], 16, 32)
	return rune(n), err == nil && n <= utf8.MaxRune
}

// unicode resolves the escapes of a U& literal whose text begins at start, with
// the escape character of a UESCAPE clause where one follows its last quote,
// which is before end. The end that it returns is that of the clause.
func (l *lexer) unicode(s string, start, end int) (text string, after int, err error) {
	escape, after, err := l.uescape(end)
	if err != nil {
		return "", 0, err
	}
	w := escapeWriter{l: l}
	for i := 0; i < len(s); {
		if s[i] != escape {
			err = w.text(s[i:i+1], start+i)
			i++
		} else {
			var n int
			n, err = w.unicodeEscape(s[i+1:], escape, start+i)
			i += 1 + n
		}
		if err != nil {
			return "", 0, err
		}
	}
	text, err = w.result(end - 1)
	return text, after, err
}

// unicodeEscape reads what follows the escape character at an offset of a U&
// literal, and returns its length.
func (w *escapeWriter) unicodeEscape(s string, escape byte, at int) (n int, err error) {
	if s != "" && s[0] == escape {
		return 1, w.text(s[:1], at)
	}
	skip, width := 0, 4
	if s != "" && s[0] == '+' {
		skip, width = 1, 6
	}
	r, ok := codePoint(s[skip:], width)
	if !ok || r == 0 {
		return 0, errorAt(w.l.src, at, codeSyntax, "invalid Unicode escape").WithHint(`Unicode escapes must be \XXXX or \+XXXXXX.`)
	}
	return skip + width, w.rune(r, at)
}

// uescape is the character of the UESCAPE clause that may follow at end, and
// the offset after that clause.
func (l *lexer) uescape(end int) (escape byte, after int, err error) {
	i := l.run(end, isSpace)
	const word = "uescape"
	if len(l.src) < i+len(word) || foldCase(l.src[i:i+len(word)]) != word {
		return '\\', end, nil
	}
	i = l.run(i+len(word), isSpace)
	if l.at(i) != '\'' || l.at(i+2) != '\'' {
		return '\\', end, nil
	}
	c := l.src[i+1]
	if isHexDigit(c) && c != '_' || isSpace(c) || c == '+' || c == '\'' || c == '"' {
		return 0, 0, errorAt(l.src, i, codeSyntax, "invalid Unicode escape character at or near \"%s\"", l.src[i:i+3])
	}
	return c, i + 3, nil
}
