package planner

import (
	"unicode/utf8"

	"github.com/sessiondb/sessiondb/wire"
)

// The SQLSTATEs that the front gives itself; everything else is DuckDB's
// verdict, translated by package catalog.
const (
	codeSyntax           = "42601"
	codeUnsupported      = "0A000"
	codeInvalidParameter = "22023"
	codeBadInterval      = "22007"
	codeUndefinedColumn  = "42703"
	codeAmbiguous        = "42702"
	codeDuplicateColumn  = "42701"
	codeDatatype         = "42804"
	codeBadCharacter     = "22021"
	codeGrouping         = "42803"
)

// errorAt is an error about the text at byte offset at of sql.
func errorAt(sql string, at int, code, format string, args ...any) *wire.Error {
	e := wire.Errorf(code, format, args...)
	e.Position = charPosition(sql, at)
	return e
}

// syntaxNear is Postgres's syntax error about the token that starts at byte
// offset start and ends at end; at the end of the text it says so.
func syntaxNear(sql string, start, end int) *wire.Error {
	if start >= len(sql) || start == end {
		return errorAt(sql, len(sql), codeSyntax, "syntax error at end of input")
	}
	return errorAt(sql, start, codeSyntax, "syntax error at or near \"%s\"", sql[start:end])
}

// charPosition turns a byte offset into a position as Postgres reports it:
// counted in characters, from 1.
func charPosition(sql string, at int) int {
	return utf8.RuneCountInString(sql[:min(max(at, 0), len(sql))]) + 1
}

// errorOffset moves the place that DuckDB gives for a failed cast, that of the
// ::, to the string that cannot be cast, where Postgres sees the error. Both
// are byte offsets.
func (s *Statement) errorOffset(at int) int {
	for i, t := range s.Tokens {
		if t.Start >= at {
			if t.Start == at && t.isPunct("::") && i > 0 && s.Tokens[i-1].Kind == TokenString {
				return s.Tokens[i-1].Start
			}
			break
		}
	}
	return at
}
