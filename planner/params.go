package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// DuckDB leaves the type of a parameter open where nothing in the statement
// decides it, and then says nothing about the result either. Postgres takes
// such a parameter for what the client says it is, else for text, or for what
// the only fitting operator wants. So the statement is planned again with a
// cast at each such parameter.

// prepareTyped prepares a rewritten statement so that all its parameters and
// result columns have types.
func (s *session) prepareTyped(ctx context.Context, text *Rewritten, oids []uint32) (*catalog.Stmt, *Rewritten, error) {
	stmt, err := s.conn.Prepare(ctx, text.SQL)
	if again, ok := s.respelled(text, err); ok {
		return s.prepareTyped(ctx, again, oids)
	}
	if err == nil {
		if again := s.spellArrays(ctx, text); again != text {
			stmt.Close()
			return s.prepareTyped(ctx, again, oids)
		}
	}
	if err == nil && !unresolved(stmt) {
		return stmt, text, nil
	}
	params, lexErr := paramTokens(text.SQL)
	if lexErr != nil || len(params) == 0 {
		return stmt, text, err
	}
	var known []catalog.Type
	if err == nil {
		known = openOnly(stmt.Params())
		stmt.Close()
	}
	for _, guess := range guesses() {
		typed, changed := withCasts(text, params, known, oids, guess)
		if !changed {
			break
		}
		retry, retryErr := s.conn.Prepare(ctx, typed.SQL)
		if retryErr == nil {
			return retry, typed, nil
		}
		if err == nil {
			err = retryErr
		}
	}
	return nil, text, err
}

// describeWithout finds the columns of a query whose parameters keep DuckDB
// from saying them, by putting NULL in their place.
func (s *session) describeWithout(ctx context.Context, text *Rewritten) ([]catalog.Column, error) {
	params, err := paramTokens(text.SQL)
	if err != nil {
		return nil, err
	}
	edits := NewEdits(text.SQL)
	for _, t := range params {
		edits.Replace(t.Start, t.End, "NULL")
	}
	stmt, err := s.conn.Prepare(ctx, edits.Apply().SQL)
	if err != nil {
		return nil, translate(err, text)
	}
	defer stmt.Close()
	return stmt.Columns(), nil
}

// byPlace is the guess that a parameter beside an arithmetic operator is an
// integer, and every other one a text.
const byPlace = ""

// guesses are the types that a parameter of no known type may have, in the
// order in which they are tried.
func guesses() []string {
	return []string{byPlace, "VARCHAR", "INTEGER", "BIGINT", "DOUBLE", "TIMESTAMP WITH TIME ZONE", "VARCHAR[]"}
}

// unresolved reports whether DuckDB left types open.
func unresolved(stmt *catalog.Stmt) bool {
	if slices.ContainsFunc(stmt.Params(), isOpen) {
		return true
	}
	for _, c := range stmt.Columns() {
		if c.Type.ID == catalog.TypeUnknown {
			return true
		}
	}
	return stmt.Kind() == catalog.KindSelect && len(stmt.Columns()) == 0 && len(stmt.Params()) > 0
}

// openOnly are the types of the parameters, unless none of them is open and
// it is for another reason that the result has no types: then all are cast.
func openOnly(params []catalog.Type) []catalog.Type {
	if slices.ContainsFunc(params, isOpen) {
		return params
	}
	return nil
}

func isOpen(t catalog.Type) bool {
	return t.ID == catalog.TypeUnknown || t.ID == catalog.TypeAny || t.ID == catalog.TypeSQLNull
}

// typeByPlace is what a parameter is taken for from the operators beside it.
func typeByPlace(sql string, t Token) string {
	before := strings.TrimRight(sql[:t.Start], " \t\r\n")
	after := strings.TrimLeft(sql[t.End:], " \t\r\n")
	if before != "" && strings.ContainsRune("+-*/%", rune(before[len(before)-1])) || after != "" && strings.ContainsRune("+-*/%", rune(after[0])) {
		return "INTEGER"
	}
	return "VARCHAR"
}

func paramTokens(sql string) ([]Token, error) {
	tokens, err := Lex(sql)
	if err != nil {
		return nil, err
	}
	var params []Token
	for _, t := range tokens {
		if t.Kind == TokenParam {
			params = append(params, t)
		}
	}
	return params, nil
}

// withCasts casts the parameters that are open: to the client's type, or to
// guess.
func withCasts(text *Rewritten, params []Token, known []catalog.Type, oids []uint32, guess string) (*Rewritten, bool) {
	edits := NewEdits(text.SQL)
	for _, t := range params {
		n := parameterNumber(t)
		if n <= len(known) && !isOpen(known[n-1]) {
			continue
		}
		as := guess
		if guess == byPlace {
			as = typeByPlace(text.SQL, t)
		}
		if n <= len(oids) && oids[n-1] != 0 {
			if name, ok := duckdbTypeOf(oids[n-1]); ok {
				as = name
			}
		}
		edits.Replace(t.Start, t.End, "CAST("+text.SQL[t.Start:t.End]+" AS "+as+")")
	}
	if edits.Empty() {
		return text, false
	}
	typed := edits.Apply()
	typed.from = text
	return typed, true
}
