package planner

import "strings"

// call deals with the function whose name is toks[first:open] and whose
// arguments start with the parenthesis at open.
func (r *pgRewriter) call(first, open int, parts []string) {
	name := parts[len(parts)-1]
	if len(parts) > 2 || len(parts) == 2 && parts[0] != "pg_catalog" && parts[0] != "information_schema" {
		return
	}
	start, end := r.toks[first].Start, r.toks[open-1].End
	inFrom := r.scope.table[first]
	switch {
	case inFrom && name == "pg_partition_ancestors":
		// DuckDB numbers the rows of unnest only (WITH ORDINALITY).
		r.edits.Replace(start, r.toks[open].End, "unnest(list_filter([memory.pgc._oid(")
		r.edits.Insert(r.toks[r.closing(open)].Start, ")], lambda x: false)")
	case r.ofVector(open) && vectorFunction(name) != "":
		r.edits.Replace(start, end, vectorFunction(name))
	case strings.HasPrefix(name, "to_reg") && r.c.hasFunction(name) && r.isResult(first, r.closing(open)+1):
		r.edits.Replace(start, end, namePrinter(name)+pgFunction(name))
		r.edits.Insert(r.toks[r.closing(open)].End, ")")
	case r.c.hasFunction(name) && !strings.HasPrefix(name, "_") && r.means(name, open, len(parts) == 2):
		r.edits.Replace(start, end, pgFunction(name))
	case name == "_pg_expandarray":
		r.edits.Replace(start, end, "memory.pgc._pg_expandarray")
	case len(parts) == 2 && parts[0] == "pg_catalog":
		r.edits.Replace(start, end, name)
	}
	switch {
	case inFrom && (r.c.functions[name] || name == "string_to_array") && name != "pg_partition_ancestors":
		r.valueInFrom(start, open, name)
	case inFrom:
		r.columnOfAlias(open, name)
	}
}

// ofVector reports whether the first argument of the call is a catalog column
// whose subscripts count from 0.
func (r *pgRewriter) ofVector(open int) bool {
	if !r.reads || !r.token(open+1).isIdent() {
		return false
	}
	parts, end := r.chain(open + 1)
	return r.token(end).isPunct(",") && r.c.isVector(parts[len(parts)-1])
}

// vectorFunction is what a function of an array's bounds becomes for a vector
// that counts from 0.
func vectorFunction(name string) string {
	switch name {
	case "array_upper", "array_lower", "generate_subscripts":
		return "memory.pgc._vector_" + strings.TrimPrefix(strings.TrimPrefix(name, "array_"), "generate_")
	}
	return ""
}

// namePrinter opens the call that prints what a to_reg… function returns.
func namePrinter(function string) string {
	return "memory.pgc." + strings.TrimPrefix(function, "to_") + "_name("
}

// pgFunction is the name of our function; those that are reserved words must be
// quoted.
func pgFunction(name string) string {
	if sessionWord(name) {
		return "memory.pgc." + quoteIdent(name)
	}
	return "memory.pgc." + name
}

// A ConfigCall is a call of set_config(name, value, is_local).
type ConfigCall struct {
	Name, Value string
	Local       bool
}

// builtinCalls are the calls of a function of Postgres's, also with its schema.
func (s *Statement) builtinCalls(name string) ([]Call, error) {
	plain, err := s.Calls(name)
	if err != nil {
		return nil, err
	}
	qualified, err := s.Calls("pg_catalog", name)
	return append(plain, qualified...), err
}

// ConfigCalls are the statement's calls of set_config with constant arguments.
// What runs in DuckDB only returns the value: whoever runs the statement makes
// the changes. A call on columns changes nothing.
func (s *Statement) ConfigCalls() ([]ConfigCall, error) {
	calls, err := s.builtinCalls("set_config")
	if err != nil {
		return nil, err
	}
	var list []ConfigCall
	for _, call := range calls {
		if len(call.Args) != 3 || call.Args[0].Const == nil || call.Args[1].Const == nil || call.Args[2].Const == nil {
			continue
		}
		name, value, local := call.Args[0].Const, call.Args[1].Const, call.Args[2].Const
		if name.Kind == LiteralString && value.Kind == LiteralString && local.Kind == LiteralBool {
			list = append(list, ConfigCall{Name: name.Text, Value: value.Text, Local: local.Text == "true"})
		}
	}
	return list, nil
}

// means reports whether a call of the function is one of Postgres's: format
// exists in DuckDB too, with another notation.
func (r *pgRewriter) means(name string, open int, qualified bool) bool {
	if name != "format" || qualified {
		return true
	}
	f := r.token(open + 1)
	return f.Kind == TokenString && hasSpecifier(f.Text)
}

// hasSpecifier reports whether a template of format() has a specifier of
// Postgres's: %s, %I or %L, with a position, a flag and a width before the
// letter.
func hasSpecifier(template string) bool {
	for _, part := range strings.Split(template, "%")[1:] {
		if part = strings.TrimLeft(part, "0123456789$*-"); part != "" && strings.ContainsAny(part[:1], "sIL") {
			return true
		}
	}
	return false
}

// valueInFrom makes a subquery of a function in FROM that returns one value,
// since DuckDB takes only functions there that return tables.
func (r *pgRewriter) valueInFrom(start, open int, name string) {
	end := r.closing(open)
	r.opened[start] = "(SELECT " + r.opened[start]
	alias := tableAlias(r.toks, end+1)
	if alias < 0 {
		r.edits.Insert(r.toks[end].End, ") AS "+quoteIdent(name)+"("+quoteIdent(name)+")")
		return
	}
	r.edits.Insert(r.toks[end].End, ")")
	if t := r.toks[alias]; !r.token(alias + 1).isPunct("(") {
		r.edits.Insert(t.End, "("+quoteIdent(t.Text)+")")
	}
}

// columnOfAlias gives the one column of a function in FROM the name of its
// alias, as Postgres does: unnest(a) x is unnest(a) x(x).
func (r *pgRewriter) columnOfAlias(open int, name string) {
	switch name {
	case "unnest", "generate_series", "pg_partition_ancestors", "generate_subscripts":
	default:
		return
	}
	alias := tableAlias(r.toks, r.closing(open)+1)
	if alias < 0 || r.token(alias+1).isPunct("(") || !r.reads {
		return
	}
	t := r.toks[alias]
	r.edits.Insert(t.End, "("+quoteIdent(t.Text)+")")
}
