package planner

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// Inside a transaction, a statement that reads sessions sees what the
// transaction itself wrote (contract, "A maintained view"): that is published
// provisionally before it. Any other statement must not publish: warnings and
// errors of measures come with COMMIT, and what many statements wrote is judged
// once.

// maxWords bounds what is looked up: a statement with more words is taken to
// read sessions.
const maxWords = 1000

// readsSessions reports whether the statement may read sessions that the
// transaction changed. It errs on the side of reading.
func (s *session) readsSessions(ctx context.Context, st *Statement) (bool, error) {
	write := s.txn.write
	if write == nil || !write.Unpublished() {
		return false, nil
	}
	words := st.words()
	if len(words) > maxWords {
		return true, nil
	}
	for _, word := range []string{"sessiondb", "sessionize", "query", "query_table"} {
		if words[word] {
			return true, nil
		}
	}
	for _, v := range write.Views() {
		for _, name := range append(v.Companions(), v.Name.Name) {
			if words[strings.ToLower(name)] {
				return true, nil
			}
		}
	}
	return s.namesDefinition(ctx, words)
}

// namesDefinition reports whether a word is the name of something that was
// defined by a query: a view or a macro, which may read anything.
func (s *session) namesDefinition(ctx context.Context, words map[string]bool) (bool, error) {
	names := make([]string, 0, len(words))
	for _, word := range slices.Sorted(maps.Keys(words)) {
		names = append(names, quoteLiteral(word))
	}
	list := "(" + strings.Join(names, ", ") + ")"
	const ours = " AND database_name IN ('" + catalog.DatabaseName + "', 'temp'))"
	var found bool
	err := s.conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM duckdb_views() WHERE lower(view_name) IN "+list+ours+
		" OR EXISTS (SELECT 1 FROM duckdb_functions() WHERE lower(function_name) IN "+list+ours, nil, &found)
	return found, err
}

// maxNameText bounds the strings that may name a relation: a database, a schema
// and a table.
const maxNameText = 256

// words are the identifiers of the statement and its strings, which DuckDB
// takes for names of relations in some places, in lower case.
func (s *Statement) words() map[string]bool {
	words := map[string]bool{}
	for _, t := range s.Tokens {
		switch {
		case t.isIdent():
			words[strings.ToLower(t.Text)] = true
		case t.Kind == TokenString && len(t.Text) <= maxNameText:
			for _, part := range strings.FieldsFunc(strings.ToLower(t.Text), func(r rune) bool { return r == '.' || r == '"' }) {
				words[part] = true
			}
		}
	}
	return words
}
