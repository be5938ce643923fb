package planner

import (
	"slices"
	"strconv"
	"strings"
)

// A setFunction is a function that returns rows, as the function of ours that
// returns a list of them.
type setFunction struct {
	list    string   // the function that returns the list
	columns []string // the names of its columns; none: that of the alias
}

// setFunctionNamed is the function of that name; ok is false if it is none.
func setFunctionNamed(name string) (f setFunction, ok bool) {
	switch name {
	case "string_to_table":
		return setFunction{list: "memory.pgf.string_to_array"}, true
	case "regexp_split_to_table":
		return setFunction{list: "memory.pgf.regexp_split_to_array"}, true
	case "regexp_matches":
		return setFunction{list: "memory.pgf._regexp_matches"}, true
	case "pg_listening_channels", "json_object_keys", "jsonb_object_keys":
		return setFunction{list: "memory.pgf._" + name}, true
	case "json_array_elements", "jsonb_array_elements", "json_array_elements_text", "jsonb_array_elements_text":
		return setFunction{list: "memory.pgf._" + name, columns: []string{"value"}}, true
	case "json_each", "jsonb_each", "json_each_text", "jsonb_each_text":
		return setFunction{list: "memory.pgf._" + name, columns: []string{"key", "value"}}, true
	}
	return setFunction{}, false
}

// setFunctions are their names.
func setFunctions() []string {
	return []string{
		"string_to_table", "regexp_split_to_table", "regexp_matches", "pg_listening_channels", "json_object_keys", "jsonb_object_keys",
		"json_array_elements", "jsonb_array_elements", "json_array_elements_text", "jsonb_array_elements_text",
		"json_each", "jsonb_each", "json_each_text", "jsonb_each_text",
	}
}

// returningSet unnests the list of a function that returns rows. In FROM it
// names the columns.
func (r *rewriter) returningSet(i int) {
	name := r.toks[i].Text
	f, ok := setFunctionNamed(name)
	if !ok || !r.tok(i+1).isPunct("(") {
		return
	}
	end := r.close(i + 1)
	inFrom := r.frames[i] == clauseFrom
	if name == "regexp_matches" && !inFrom && !r.allMatches(i) {
		return // DuckDB's, which tells whether it matches
	}
	if name == "json_each" && len(r.arguments(i+1)) > 1 {
		return // DuckDB's, which takes a path
	}
	r.replace(i, i, f.list)
	switch {
	case !inFrom:
		r.edits.Wrap(r.toks[i].Start, r.toks[end].End, "unnest(", ")")
	case len(f.columns) > 1:
		r.edits.Wrap(r.toks[i].Start, r.toks[end].End, "(SELECT unnest(", ", recursive := true))")
		r.nameFunction(end+1, name, f.columns)
	default:
		r.edits.Wrap(r.toks[i].Start, r.toks[end].End, "unnest(", ")")
		r.nameFunction(end+1, name, f.columns)
	}
}

// allMatches reports whether the call of regexp_matches at token i has the
// option g, which DuckDB's has not.
func (r *rewriter) allMatches(i int) bool {
	args := r.arguments(i + 1)
	return len(args) == 3 && r.toks[args[2].first].Kind == TokenString && strings.Contains(r.toks[args[2].first].Text, "g")
}

// nameFunction names the columns of a function in FROM, whose alias may start
// at token i.
func (r *rewriter) nameFunction(i int, name string, columns []string) {
	ordinality := r.tok(i).is("with") && r.tok(i+1).is("ordinality")
	last := i - 1
	if ordinality {
		i += 2
		last = i - 1
	}
	at := i
	if r.tok(at).is("as") {
		at++
	}
	alias := r.tok(at)
	given := alias.isIdent() && (alias.Kind == TokenQuoted || !followsTable(alias.Text) && alias.Text != "with")
	if given && r.tok(at+1).isPunct("(") {
		return
	}
	if given {
		name = alias.Text
	}
	single := len(columns) == 0
	if single {
		columns = []string{name}
	}
	if ordinality {
		columns = append(slices.Clip(columns), "ordinality")
	}
	list := "(" + quoteList(columns) + ")"
	if given {
		r.edits.Insert(alias.End, list)
		if !single && len(columns) == 1 {
			r.wholeRow(at, name, columns[0])
		}
		return
	}
	r.edits.Insert(r.toks[last].End, " AS "+quoteIdent(name)+list)
}

func quoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteIdent(n)
	}
	return strings.Join(quoted, ", ")
}

// wholeRow makes the alias of a function with one column, which stands for the
// value where it is used as one, that column. The alias is at token at.
func (r *rewriter) wholeRow(at int, alias, column string) {
	for i, t := range r.toks {
		if i == at || !t.isIdent() || t.Text != alias || r.tok(i-1).isPunct(".") || r.tok(i-1).is("as") || r.tok(i+1).isPunct(".") || r.tok(i+1).isPunct("(") {
			continue
		}
		if r.frames[i] == clauseFrom && !r.inCall(i) {
			continue
		}
		r.edits.Insert(t.End, "."+quoteIdent(column))
	}
}

// inCall reports whether token i lies within parentheses that follow a name.
func (r *rewriter) inCall(i int) bool {
	depth := 0
	for j := i - 1; j > 0; j-- {
		switch t := r.toks[j]; {
		case t.isPunct(")"), t.isPunct("]"):
			depth++
		case t.isPunct("("), t.isPunct("["):
			if depth--; depth < 0 {
				return r.toks[j-1].isIdent()
			}
		}
	}
	return false
}

// severalLists makes unnest of several arrays in FROM a query that unnests them
// side by side.
func (r *rewriter) severalLists(i int) {
	open := i + 1
	args := r.arguments(open)
	if len(args) < 2 || r.frames[i] != clauseFrom || r.tok(args[1].first).is("recursive") || r.tok(args[1].first).is("max_depth") {
		return
	}
	for _, a := range args {
		r.edits.Wrap(r.toks[a.first].Start, r.toks[a.last].End, "unnest(", ")")
	}
	r.edits.Delete(r.toks[i].Start, r.toks[i].End)
	end := r.close(open)
	if !r.tok(end+1).is("with") || !r.tok(end+2).is("ordinality") {
		r.edits.Insert(r.toks[open].End, "SELECT ")
		return
	}
	r.edits.Insert(r.toks[open].End, "SELECT *, row_number() OVER () AS ordinality FROM (SELECT ")
	r.edits.Insert(r.toks[end].Start, ")")
	r.edits.Delete(r.toks[end+1].Start, r.toks[end+2].End)
}

// rowsFrom writes ROWS FROM (f(…), g(…)) as a query that reads the functions
// side by side.
func (r *rewriter) rowsFrom(i int) {
	if r.frames[i] != clauseFrom || !r.tok(i+1).is("from") || !r.tok(i+2).isPunct("(") {
		return
	}
	end := r.close(i + 2)
	list := "*"
	if r.tok(end+1).is("with") && r.tok(end+2).is("ordinality") {
		list = "*, row_number() OVER () AS ordinality"
		r.edits.Delete(r.toks[end+1].Start, r.toks[end+2].End)
	}
	r.replace(i, i+2, "(SELECT "+list+" FROM ")
	for n, a := range r.arguments(i + 2) {
		if n > 0 {
			r.replace(a.first-1, a.first-1, " POSITIONAL JOIN ")
		}
		r.edits.Insert(r.toks[a.last].End, " AS _f"+strconv.Itoa(n+1))
	}
}

// numericSeries unnests a list of ours for generate_series of numerics, which
// DuckDB has not; ok is false where no argument is plainly one.
func (r *rewriter) numericSeries(i, end int) (ok bool) {
	args := r.arguments(i + 1)
	if len(args) < 2 || len(args) > 3 || !slices.ContainsFunc(args, r.plainNumeric) {
		return false
	}
	if len(args) == 2 {
		r.edits.Insert(r.toks[end].Start, ", 1")
	}
	r.replace(i, i, "memory.pgf._series")
	r.edits.Wrap(r.toks[i].Start, r.toks[end].End, "unnest(", ")")
	if r.frames[i] == clauseFrom {
		r.nameFunction(end+1, "generate_series", nil)
	}
	return true
}

// plainNumeric reports whether an argument is a number with a point, or is cast
// to numeric.
func (r *rewriter) plainNumeric(a callArg) bool {
	for i := a.first; i <= a.last; i++ {
		t := r.toks[i]
		if t.Kind == TokenNumber && strings.Contains(t.Text, ".") || r.tok(i-1).isPunct("::") && (t.is("numeric") || t.is("decimal")) {
			return true
		}
	}
	return false
}
