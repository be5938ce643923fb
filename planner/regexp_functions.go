package planner

import (
	"regexp"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// The functions regexp_… of Postgres that DuckDB has not, over Go's regular
// expressions, which are those of DuckDB: without references to a group.

// A pgRegexp is a pattern with its options.
type pgRegexp struct {
	re     *regexp.Regexp
	global bool // the option g
}

// compileRegexp reads a pattern and the options of Postgres. As there, the
// longest match of those that begin first is taken, unless the pattern asks for
// short ones, and a dot matches a line break.
func compileRegexp(pattern, options string) (*pgRegexp, error) {
	r := &pgRegexp{}
	flags := map[byte]bool{'s': true}
	for _, o := range []byte(options) {
		switch o {
		case 'g':
			r.global = true
		case 'i':
			flags['i'] = true
		case 'c':
			flags['i'] = false
		case 'n', 'm':
			flags['s'], flags['m'] = false, true
		case 'p':
			flags['s'], flags['m'] = false, false
		case 'w':
			flags['s'], flags['m'] = true, true
		case 's':
			flags['s'], flags['m'] = true, false
		case 'q':
			pattern = regexp.QuoteMeta(pattern)
		case 'x':
			pattern = withoutBlanks(pattern)
		case 't', 'e', 'b':
		default:
			return nil, wire.Errorf("22023", `invalid regular expression option: "%c"`, o)
		}
	}
	prefix := ""
	for _, f := range []byte("ims") {
		if flags[f] {
			prefix += string(f)
		}
	}
	if prefix != "" {
		prefix = "(?" + prefix + ")"
	}
	re, err := regexp.Compile(prefix + wordBoundaries(regexpPrefix(pattern)))
	if err != nil {
		return nil, wire.Errorf("2201B", "invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if !strings.Contains(pattern, "*?") && !strings.Contains(pattern, "+?") && !strings.Contains(pattern, "??") && !strings.Contains(pattern, "}?") {
		re.Longest()
	}
	r.re = re
	return r, nil
}

// regexpPrefix reads what Postgres lets stand before a pattern.
func regexpPrefix(pattern string) string {
	if rest, ok := strings.CutPrefix(pattern, "***="); ok {
		return regexp.QuoteMeta(rest)
	}
	return strings.TrimPrefix(pattern, "***:")
}

// withoutBlanks takes blanks and comments out of an expanded pattern.
func withoutBlanks(pattern string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			b.WriteString(pattern[i : i+2])
			i++
			continue
		case c == '[':
			class = true
		case c == ']':
			class = false
		case class:
		case c == '#':
			for i+1 < len(pattern) && pattern[i] != '\n' {
				i++
			}
			continue
		case isSpace(c):
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// groups are the texts of the groups of a match, or of all of it if it has no
// group; nil is a group that took no part.
func (r *pgRegexp) groups(s string, match []int) []any {
	first := 0
	if len(match) > 2 {
		first = 2
	}
	var out []any
	for i := first; i < len(match); i += 2 {
		if match[i] < 0 {
			out = append(out, nil)
			continue
		}
		out = append(out, s[match[i]:match[i+1]])
	}
	return out
}

// matches are the groups of the first match, or of all of them.
func (r *pgRegexp) matches(s string) []any {
	n := 1
	if r.global {
		n = -1
	}
	var out []any
	for _, m := range r.re.FindAllStringSubmatchIndex(s, n) {
		out = append(out, r.groups(s, m))
	}
	return out
}

// split are the texts between the matches. A match of nothing at the ends, or
// just after another match, does not split.
func (r *pgRegexp) split(s string) []any {
	var out []any
	from := 0
	for _, m := range r.re.FindAllStringIndex(s, -1) {
		if m[0] == m[1] && (m[0] == from || m[0] >= len(s)) {
			continue
		}
		out = append(out, s[from:m[0]])
		from = m[1]
	}
	return append(out, s[from:])
}

// from is the part of s from character start on, which counts from 1.
func fromCharacter(s string, start int64) (part string, offset int, err error) {
	if start < 1 {
		return "", 0, wire.Errorf("22023", `invalid value for parameter "start": %d`, start)
	}
	for i := range s {
		if start--; start == 0 {
			return s[i:], i, nil
		}
	}
	return "", len(s), nil
}

// nth is the n-th match from character start on, or of it a group; nil if there
// is none. Its offsets are in s.
func (r *pgRegexp) nth(s string, start, n, group int64) ([]int, error) {
	switch {
	case n < 1:
		return nil, wire.Errorf("22023", `invalid value for parameter "n": %d`, n)
	case group < 0:
		return nil, wire.Errorf("22023", `invalid value for parameter "subexpr": %d`, group)
	}
	part, offset, err := fromCharacter(s, start)
	if err != nil {
		return nil, err
	}
	all := r.re.FindAllStringSubmatchIndex(part, -1)
	if int64(len(all)) < n || group > int64(r.re.NumSubexp()) {
		return nil, nil
	}
	m := all[n-1][2*group : 2*group+2]
	if m[0] < 0 {
		return nil, nil
	}
	return []int{m[0] + offset, m[1] + offset}, nil
}

// replace replaces the n-th match from character start on; all of them for 0.
func (r *pgRegexp) replace(s, with string, start, n int64) (string, error) {
	part, offset, err := fromCharacter(s, start)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(s[:offset])
	from := 0
	for i, m := range r.re.FindAllStringSubmatchIndex(part, -1) {
		if n > 0 && int64(i) != n-1 {
			continue
		}
		b.WriteString(part[from:m[0]])
		from = m[1]
		appendReplacement(&b, with, part, m)
	}
	b.WriteString(part[from:])
	return b.String(), nil
}

// appendReplacement writes the replacement of a match: \1 to \9 are its groups
// and \& is all of it.
func appendReplacement(b *strings.Builder, with, s string, match []int) {
	for i := 0; i < len(with); i++ {
		if with[i] != '\\' || i+1 == len(with) {
			b.WriteByte(with[i])
			continue
		}
		i++
		var group int
		switch c := with[i]; {
		case c == '&':
		case c >= '1' && c <= '9':
			group = int(c - '0')
		case c == '\\':
			b.WriteByte('\\')
			continue
		default:
			b.WriteString(with[i-1 : i+1])
			continue
		}
		if 2*group < len(match) && match[2*group] >= 0 {
			b.WriteString(s[match[2*group]:match[2*group+1]])
		}
	}
}

// similarPart is SUBSTRING(s SIMILAR pattern ESCAPE escape): the part that the
// pattern has between two escaped quotes, all of s if it has none; nil if s
// does not match. What stands before it matches as little as it can.
func similarPart(s, pattern, escape string) (any, error) {
	parts := []string{pattern}
	if escape != "" {
		parts = strings.Split(pattern, escape+`"`)
		for i := range parts {
			parts[i] = strings.ReplaceAll(parts[i], escape, `\`)
		}
	}
	switch len(parts) {
	case 1:
		parts = []string{"", parts[0], ""}
	case 3:
	default:
		return nil, wire.Errorf("2200C", "SQL regular expression may not contain more than two escape-double-quote separators")
	}
	before := strings.ReplaceAll(similarPattern(parts[0]), "*)", "*?)")
	re, err := regexp.Compile("^(?:" + before + ")(" + similarPattern(parts[1]) + ")(?:" + similarPattern(parts[2]) + ")$")
	if err != nil {
		return nil, wire.Errorf("2201B", "invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if m := re.FindStringSubmatch(s); m != nil {
		return m[1], nil
	}
	return nil, nil //nolint:nilnil // NULL
}
