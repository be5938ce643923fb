package planner

import (
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// quoteIdent writes an identifier so that DuckDB and Postgres both read
// exactly it, whatever its characters are.
func quoteIdent(name string) string { return catalog.QuoteIdent(name) }

// quoteLiteral writes a string literal.
func quoteLiteral(s string) string { return catalog.QuoteLiteral(s) }

// quoteName writes a possibly qualified name.
func quoteName(parts []string) string {
	quoted := make([]string, len(parts))
	for i, p := range parts {
		quoted[i] = quoteIdent(p)
	}
	return strings.Join(quoted, ".")
}

// quoteIfNeeded writes an identifier as a person would: quoted only where it
// must be.
func quoteIfNeeded(name string) string {
	plain := name != "" && isIdentStart(name[0]) && foldCase(name) == name && !isReserved(name)
	for i := 0; plain && i < len(name); i++ {
		plain = isIdentPart(name[i])
	}
	if plain {
		return name
	}
	return quoteIdent(name)
}
