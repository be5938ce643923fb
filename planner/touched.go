package planner

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// An upsert, a MERGE, or an UPDATE of a kind that must run whole, is compared
// with what the table was before. Of a large table only the rows that the
// statement can come to are kept for that, where they can be told: by a query
// that must give the same rows as the statement itself, so nothing in it may
// depend on chance.

// touched is a query for the numbers of the rows that are there and that the
// statement may change, between two texts; some is false where that may be any
// row.
func (d *dml) touched(ctx context.Context, st *Statement, columns []catalog.Column, before, after string) (q *query, some bool, err error) {
	if d.stmt == nil {
		return nil, false, nil
	}
	a := newAssembly(st, d.text.Rewritten)
	a.write(before)
	a.copy(st.withClause())
	decides, some := st.selectTouched(columns, a)
	for _, part := range append(decides, st.withClause()) {
		if some && err == nil {
			some, err = d.session.repeatable(ctx, st, part)
		}
	}
	if !some || err != nil {
		return nil, false, err
	}
	a.write(after)
	return a.query(), true, nil
}

// selectTouched writes the query behind its WITH, if it can, and returns the
// parts of the statement that decide what it selects.
func (s *Statement) selectTouched(columns []catalog.Column, a *assembly) (decides []Range, some bool) {
	switch n := s.Node.(type) {
	case *InsertStmt:
		return []Range{n.Body}, s.selectConflicting(n, columns, a)
	case *MergeStmt:
		return []Range{n.Using, n.On}, s.selectMatched(n, a)
	case *UpdateStmt:
		a.write("SELECT " + quoteIdent(aliasOf(n.Target, n.Alias)) + ".rowid FROM " + aliased(n.Target, n.Alias))
		a.clause(", ", n.From)
		a.clause(" WHERE ", n.Where)
		return []Range{n.From, n.Where}, n.CurrentOf == ""
	default:
		return nil, false
	}
}

// selectConflicting selects for an upsert the rows that are equal to a proposed
// one in the columns of ON CONFLICT. It reports whether it could.
func (s *Statement) selectConflicting(n *InsertStmt, columns []catalog.Column, a *assembly) bool {
	conflict := s.conflictColumns(n)
	if n.ByName || n.Source == InsertDefaults || len(conflict) == 0 || s.defaults(n.Body) {
		return false
	}
	types := map[string]string{}
	var given []string
	for _, c := range columns {
		types[strings.ToLower(c.Name)] = c.Type.Name
		if len(n.Columns) == 0 {
			given = append(given, strings.ToLower(c.Name))
		}
	}
	for _, c := range n.Columns {
		given = append(given, strings.ToLower(c.Name))
	}
	at := map[string]int{}
	named := make([]string, len(given))
	for i, name := range given {
		at[name], named[i] = i, "p"+strconv.Itoa(i)
	}
	var on []string
	for _, c := range conflict {
		name := strings.ToLower(c)
		i, ok := at[name]
		if !ok {
			return false // its default
		}
		on = append(on, "t."+quoteIdent(name)+" = CAST(p.p"+strconv.Itoa(i)+" AS "+types[name]+")")
	}
	a.write("SELECT t.rowid FROM " + tableName(n.Target).SQL() + " AS t JOIN (")
	a.copy(n.Body)
	a.write(") AS p(" + strings.Join(named, ", ") + ") ON " + strings.Join(on, " AND "))
	return true
}

// conflictColumns are those of ON CONFLICT (…), if it names columns only.
func (s *Statement) conflictColumns(n *InsertStmt) []string {
	if n.OnConflict.Empty() {
		return nil
	}
	p := s.parserIn(n.OnConflict)
	p.accept("on")
	p.accept("conflict")
	if !p.acceptPunct("(") {
		return nil
	}
	var names []string
	for {
		if !p.peek().isIdent() {
			return nil
		}
		names = append(names, p.next().Text)
		if !p.acceptPunct(",") {
			break
		}
	}
	if !p.acceptPunct(")") {
		return nil
	}
	return names
}

// defaults reports whether a value is the word DEFAULT.
func (s *Statement) defaults(body Range) bool {
	for _, t := range s.tokensIn(body) {
		if t.is("default") {
			return true
		}
	}
	return false
}

// selectMatched selects for a MERGE the rows that match one of the source. It
// reports whether it could.
func (s *Statement) selectMatched(n *MergeStmt, a *assembly) bool {
	toks := s.tokensIn(n.Whens)
	for i, t := range toks {
		if t.is("by") && i+1 < len(toks) && toks[i+1].is("source") {
			return false
		}
	}
	if n.On.Empty() {
		return false
	}
	a.write("SELECT " + quoteIdent(aliasOf(n.Target, n.Alias)) + ".rowid FROM " + aliased(n.Target, n.Alias) + " JOIN ")
	a.copy(n.Using)
	a.clause(" ON ", n.On)
	return true
}

// repeatable reports whether a part of a statement gives the same each time it
// is evaluated in one transaction: it takes no sample, no part of an unsorted
// whole, and calls only functions that DuckDB knows to be consistent.
func (s *session) repeatable(ctx context.Context, st *Statement, part Range) (bool, error) {
	toks := st.tokensIn(part)
	for i, t := range toks {
		switch {
		case t.is("limit"), t.is("fetch"), t.is("offset"), t.is("sample"), t.is("tablesample"), t.is("over"):
			return false, nil
		case t.is("distinct") && i+1 < len(toks) && toks[i+1].is("on"):
			return false, nil
		}
	}
	called := map[string]bool{}
	for _, c := range (&Statement{SQL: st.SQL, Tokens: toks}).Identifiers() {
		name := strings.ToLower(c.Last())
		switch {
		case !c.Call || c.First > 0 && (toks[c.First-1].is("as") || toks[c.First-1].isPunct(")")): // a column, or an alias with columns
		case len(c.Parts) > 1 || orderMatters(name):
			return false, nil
		case !isSyntax(name):
			called[quoteLiteral(name)] = true
		}
	}
	if len(called) == 0 {
		return true, nil
	}
	names := strings.Join(slices.Sorted(maps.Keys(called)), ", ")
	var same bool
	err := s.conn.QueryRow(ctx, "SELECT count(DISTINCT lower(function_name)) = "+strconv.Itoa(len(called))+
		" AND bool_and(coalesce(stability, '') LIKE 'CONSISTENT%') FROM duckdb_functions() WHERE lower(function_name) IN ("+names+")", nil, &same)
	return same, err
}

// isSyntax reports whether a word before a parenthesis is syntax or a type, and
// no function.
func isSyntax(word string) bool {
	switch word {
	case "values", "exists", "cast", "try_cast", "coalesce", "nullif", "row", "extract",
		"numeric", "decimal", "varchar", "char", "character", "timestamp", "timestamptz", "time", "interval":
		return true
	default:
		return false
	}
}
