package planner

import (
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// formatText is format(): the template with its %s, %I and %L filled in. An
// argument that is nil is NULL.
func formatText(template string, args []any) (string, error) {
	f := &textFormat{args: args}
	for rest := template; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		f.out.WriteString(before)
		if !found {
			break
		}
		var err error
		if rest, err = f.specifier(after); err != nil {
			return "", err
		}
	}
	return f.out.String(), nil
}

type textFormat struct {
	out  strings.Builder
	args []any
	next int // the argument that comes next
}

// specifier fills in what follows a % and returns the rest of the template.
func (f *textFormat) specifier(s string) (rest string, err error) {
	unterminated := wire.Errorf("22023", "unterminated format() type specifier").WithHint(`For a single "%%" use "%%%%".`)
	position := -1
	if n, after, ok := leadingNumber(s); ok && strings.HasPrefix(after, "$") {
		if n == 0 {
			return "", wire.Errorf("22023", "format specifies argument 0, but arguments are numbered from 1")
		}
		position, s = n, after[1:]
	}
	left := false
	for strings.HasPrefix(s, "-") {
		left, s = true, s[1:]
	}
	width := 0
	if strings.HasPrefix(s, "*") {
		if width, s, err = f.widthArgument(s[1:]); err != nil {
			return "", err
		}
	} else if n, after, ok := leadingNumber(s); ok {
		width, s = n, after
	}
	if width < 0 {
		left, width = true, -width
	}
	if s == "" {
		return "", unterminated
	}
	kind := s[0]
	if kind == '%' {
		f.out.WriteByte('%')
		return s[1:], nil
	}
	if kind != 's' && kind != 'I' && kind != 'L' {
		return "", wire.Errorf("22023", `unrecognized format() type specifier "%c"`, kind).WithHint(`For a single "%%" use "%%%%".`)
	}
	arg, err := f.argument(position)
	if err != nil {
		return "", err
	}
	text, err := formatArgument(kind, arg)
	if err != nil {
		return "", err
	}
	f.pad(text, width, left)
	return s[1:], nil
}

// maxFormatWidth bounds what one specifier may fill up to.
const maxFormatWidth = 1 << 20

func leadingNumber(s string) (n int, rest string, ok bool) {
	end := 0
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	return n, s[end:], end > 0 && err == nil && n <= maxFormatWidth
}

// widthArgument takes the width from an argument: * or *n$.
func (f *textFormat) widthArgument(s string) (width int, rest string, err error) {
	position := -1
	if n, after, ok := leadingNumber(s); ok && strings.HasPrefix(after, "$") {
		position, s = n, after[1:]
	}
	arg, err := f.argument(position)
	if err != nil {
		return 0, "", err
	}
	text, _ := arg.(string)
	if text == "" {
		return 0, s, nil // NULL
	}
	if width, err = strconv.Atoi(text); err != nil || width > maxFormatWidth || width < -maxFormatWidth {
		return 0, "", wire.Errorf("22003", "number is out of range")
	}
	return width, s, nil
}

// argument is the one at a position from 1; -1: the next one.
func (f *textFormat) argument(position int) (any, error) {
	if position > 0 {
		f.next = position - 1
	}
	if f.next >= len(f.args) {
		return nil, wire.Errorf("22023", "too few arguments for format()")
	}
	f.next++
	return f.args[f.next-1], nil
}

func formatArgument(kind byte, arg any) (string, error) {
	text, given := arg.(string)
	switch kind {
	case 'I':
		if !given {
			return "", wire.Errorf("22004", "null values cannot be formatted as an SQL identifier")
		}
		return quoteIfNeeded(text), nil
	case 'L':
		if !given {
			return "NULL", nil
		}
		return escapedLiteral(text), nil
	}
	return text, nil
}

func (f *textFormat) pad(text string, width int, left bool) {
	blanks := strings.Repeat(" ", max(width-len([]rune(text)), 0))
	if left {
		f.out.WriteString(text + blanks)
	} else {
		f.out.WriteString(blanks + text)
	}
}

// escapedLiteral is quote_literal(): with E in front where there is a
// backslash.
func escapedLiteral(s string) string {
	if strings.Contains(s, `\`) {
		return "E" + quoteLiteral(strings.ReplaceAll(s, `\`, `\\`))
	}
	return quoteLiteral(s)
}

// parseIdentifier is parse_ident(): the parts of a qualified name.
func parseIdentifier(s string, strict bool) ([]any, error) {
	bad := func(detail string) error {
		return wire.Errorf("22023", `string is not a valid identifier: "%s"`, s).WithDetail("%s", detail)
	}
	var parts []any
	rest := strings.TrimSpace(s)
	for {
		var part string
		switch {
		case strings.HasPrefix(rest, `"`):
			end := 1
			for end < len(rest) && (rest[end] != '"' || strings.HasPrefix(rest[end:], `""`)) {
				end += 1 + boolInt(rest[end] == '"')
			}
			if end >= len(rest) {
				return nil, bad("String has unclosed double quotes.")
			}
			if part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]; part == "" {
				return nil, bad("Quoted identifier must not be empty.")
			}
		case rest != "" && isIdentStart(rest[0]):
			end := 1
			for end < len(rest) && isIdentPart(rest[end]) {
				end++
			}
			part, rest = foldCase(rest[:end]), rest[end:]
		default:
			return nil, bad("No valid identifier.")
		}
		parts = append(parts, part)
		rest = strings.TrimLeft(rest, " \t\n")
		after, more := strings.CutPrefix(rest, ".")
		if !more {
			break
		}
		rest = strings.TrimLeft(after, " \t\n")
	}
	if rest != "" && strict {
		return nil, bad("Trailing characters.")
	}
	return parts, nil
}
