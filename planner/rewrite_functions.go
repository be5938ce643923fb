package planner

import (
	"slices"
	"strconv"
	"strings"
)

// specialFunctions are the functions whose calls are more than another name.
func specialFunctions() []string {
	return []string{
		"initcap", "json_typeof", "jsonb_typeof", "overlay", "substring", "normalize", "num_nulls", "num_nonnulls", "to_number",
		"regexp_replace", "date_trunc", "json_object", "json_build_object", "jsonb_build_object", "json_build_array", "jsonb_build_array",
		"json_agg", "jsonb_agg", "json_object_agg", "jsonb_object_agg",
		"encode", "get_byte", "set_byte", "get_bit", "set_bit",
		"json_extract_path", "json_extract_path_text", "jsonb_extract_path", "jsonb_extract_path_text",
	}
}

// function writes a call of a function that DuckDB lacks, or has with other
// arguments, with those that it has and ours.
func (r *rewriter) function(i int) {
	if !r.tok(i + 1).isPunct("(") {
		return
	}
	start, end := r.toks[i].Start, r.toks[r.close(i+1)].End
	switch name := r.toks[i].Text; name {
	case "initcap":
		r.replace(i, i, "regexp_extract_all")
		r.edits.Insert(r.toks[r.close(i+1)].Start, `, '[\p{L}\p{N}]+|[^\p{L}\p{N}]+'`)
		r.edits.Wrap(start, end, "array_to_string(list_transform(", ", lambda w: upper(w[1]) || lower(w[2:])), '')")
	case "json_typeof", "jsonb_typeof":
		r.replace(i, i, "json_type")
		r.edits.Wrap(start, end, "(CASE ", " WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean'"+
			" WHEN 'NULL' THEN 'null' WHEN 'UBIGINT' THEN 'number' WHEN 'BIGINT' THEN 'number' WHEN 'DOUBLE' THEN 'number' END)")
	case "overlay":
		r.commas(i+1, "placing", "from", "for")
	case "substring":
		r.substring(i)
	case "normalize":
		if form := r.close(i+1) - 1; r.tok(form).is("nfc") && r.tok(form-1).isPunct(",") {
			r.edits.Delete(r.toks[form-1].Start, r.toks[form].End)
		}
	case "num_nulls", "num_nonnulls":
		r.countNulls(i, name == "num_nulls")
	case "to_number":
		r.numberScale(i, start, end)
	case "regexp_replace":
		r.regexpReplace(i)
	case "date_trunc":
		r.dateTrunc(i)
	case "encode", "get_byte", "set_byte", "get_bit", "set_bit":
		if t := r.tok(i + 2); t.Kind == TokenString && r.tok(i+3).isPunct(",") {
			if b, ok := byteaLiteral(t.Text); ok {
				r.replace(i+2, i+2, fromHex(b))
			}
		}
	default:
		r.jsonFunction(i, name, start, end)
	}
}

// A callArg is where an argument of a call stands: its first and last token.
type callArg struct{ first, last int }

// arguments are those of the call whose parenthesis is at open.
func (r *rewriter) arguments(open int) []callArg {
	var list []callArg
	end := r.close(open)
	for at := open + 1; at < end; {
		p := r.parserAt(at)
		p.scanItem()
		last := min(p.pos, end) - 1
		list = append(list, callArg{at, last})
		at = max(p.pos, at) + 1
	}
	return list
}

// commas puts commas in the place of the words between the arguments of a call
// such as OVERLAY(s PLACING t FROM n).
func (r *rewriter) commas(open int, words ...string) {
	end := r.close(open)
	for i := open + 1; i < end; i++ {
		switch t := r.toks[i]; {
		case t.isPunct("("), t.isPunct("["):
			i = r.close(i)
		case t.Kind == TokenWord && slices.Contains(words, t.Text):
			r.replace(i, i, ",")
		}
	}
}

// wordIn is the place of a word directly within the parentheses at open; -1 if
// it is not there.
func (r *rewriter) wordIn(open int, word string) int {
	end := r.close(open)
	for i := open + 1; i < end; i++ {
		switch t := r.toks[i]; {
		case t.isPunct("("), t.isPunct("["):
			i = r.close(i)
		case t.is(word):
			return i
		}
	}
	return -1
}

// substring deals with SUBSTRING by a pattern: FROM 'regexp', SIMILAR pattern
// ESCAPE e, and FROM pattern FOR e.
func (r *rewriter) substring(i int) {
	open := i + 1
	if at := r.wordIn(open, "similar"); at >= 0 {
		r.replace(i, i, "memory.pgf._substring_similar")
		r.commas(open, "similar", "escape")
		return
	}
	from, call := r.wordIn(open, "from"), "memory.pgf._substring_of"
	if from < 0 {
		if args := r.arguments(open); len(args) == 2 && args[1].first == args[1].last && r.toks[args[1].first].Kind == TokenString {
			r.replace(i, i, call)
		}
		return
	}
	if r.tok(from+1).Kind != TokenString {
		return
	}
	if r.wordIn(open, "for") >= 0 {
		call = "memory.pgf._substring_similar"
	}
	r.replace(i, i, call)
	r.commas(open, "from", "for")
}

// countNulls writes num_nulls and num_nonnulls as a sum.
func (r *rewriter) countNulls(i int, nulls bool) {
	test := " IS NOT NULL"
	if nulls {
		test = " IS NULL"
	}
	args := r.arguments(i + 1)
	if len(args) == 0 {
		return // an error in Postgres too
	}
	if first := args[0]; len(args) == 1 && r.tok(first.first).is("variadic") {
		r.edits.Delete(r.toks[first.first].Start, r.toks[first.first].End)
		r.edits.Wrap(r.toks[first.first+1].Start, r.toks[first.last].End, "len(list_filter(", ", lambda _e: _e"+test+"))::INTEGER")
		r.edits.Delete(r.toks[i].Start, r.toks[i].End)
		return
	}
	for n, a := range args {
		r.edits.Wrap(r.toks[a.first].Start, r.toks[a.last].End, "CAST((", ")"+test+" AS INTEGER)")
		if n > 0 {
			r.replace(a.first-1, a.first-1, " +")
		}
	}
	r.edits.Delete(r.toks[i].Start, r.toks[i].End)
}

// numberScale gives to_number the decimals that its template has.
func (r *rewriter) numberScale(i, start, end int) {
	args := r.arguments(i + 1)
	if len(args) != 2 || args[1].first != args[1].last || r.toks[args[1].first].Kind != TokenString {
		return
	}
	t, err := parseNumberTemplate(r.toks[args[1].first].Text)
	if err != nil || t.post+t.multi > maxDecimals {
		return
	}
	r.replace(i, i, "sessiondb_to_number")
	r.edits.Wrap(start, end, "CAST(", " AS DECIMAL(38,"+strconv.Itoa(t.post+t.multi)+"))")
}

// maxDecimals are as many as DuckDB's widest decimal has.
const maxDecimals = 38

// regexpReplace deals with the forms of regexp_replace that begin at a place,
// and with \& in the replacement.
func (r *rewriter) regexpReplace(i int) {
	args := r.arguments(i + 1)
	if len(args) > 4 || len(args) == 4 && r.toks[args[3].first].Kind == TokenNumber {
		r.replace(i, i, "memory.pgf._regexp_replace")
		return
	}
	if len(args) < 3 || args[2].first != args[2].last {
		return
	}
	if t := r.toks[args[2].first]; t.Kind == TokenString && strings.Contains(t.Text, `\&`) {
		r.replace(args[2].first, args[2].first, quoteLiteral(strings.ReplaceAll(t.Text, `\&`, `\0`)))
	}
}

// dateTrunc deals with date_trunc in a zone, and with centuries and millennia,
// which begin a year earlier in DuckDB.
func (r *rewriter) dateTrunc(i int) {
	args := r.arguments(i + 1)
	switch field := r.tok(i + 2); {
	case len(args) == 3:
		r.replace(i, i, "memory.pgf._date_trunc")
	case field.Kind == TokenString && (strings.EqualFold(field.Text, "century") || strings.EqualFold(field.Text, "millennium")):
		r.replace(i, i, "memory.pgf._date_trunc_from_one")
	}
}

// jsonFunction deals with the functions that make json, or take any number of
// arguments.
func (r *rewriter) jsonFunction(i int, name string, start, end int) {
	kind, what, _ := strings.Cut(name, "_")
	switch what {
	case "build_object", "build_array":
		if what == "build_object" {
			for n, a := range r.arguments(i + 1) {
				if n%2 == 0 {
					r.edits.Wrap(r.toks[a.first].Start, r.toks[a.last].End, "CAST((", ") AS VARCHAR)")
				}
			}
		}
		r.replace(i, i, "json_"+strings.TrimPrefix(what, "build_"))
		r.edits.Wrap(start, end, "memory.pgf._"+kind+"_build(", ")")
	case "agg":
		r.replace(i, i, "list")
		r.wrapAggregate(i, "memory.pgf._"+kind+"_agg(")
	case "object_agg":
		r.objectAgg(i, kind)
	case "object":
		r.jsonObject(i)
	default:
		r.extractPath(i, kind, strings.HasSuffix(what, "_text"))
	}
}

// wrapAggregate puts a call around an aggregate with its FILTER and OVER.
func (r *rewriter) wrapAggregate(i int, call string) {
	last := r.primary(i)
	if last < 0 {
		last = r.close(i + 1)
	}
	r.edits.Wrap(r.toks[i].Start, r.toks[last].End, call, ")")
}

// objectAgg collects the pairs of json_object_agg in a list.
func (r *rewriter) objectAgg(i int, kind string) {
	args := r.arguments(i + 1)
	if len(args) != 2 {
		return
	}
	key, value := args[0], args[1]
	last := value.last
	if order := r.wordIn(i+1, "order"); order > 0 {
		last = order - 1
	}
	r.replace(i, i, "list")
	r.edits.Insert(r.toks[key.first].Start, "{'k': CAST((")
	r.replace(key.last+1, key.last+1, ") AS VARCHAR), 'v': ")
	r.edits.Insert(r.toks[last].End, "}")
	r.wrapAggregate(i, "memory.pgf._"+kind+"_object_agg(")
}

// jsonObject deals with json_object of one array of pairs, or of two arrays.
// DuckDB's takes the pairs as arguments.
func (r *rewriter) jsonObject(i int) {
	args := r.arguments(i + 1)
	isArray := func(a callArg) bool {
		t := r.toks[a.first]
		return t.Kind == TokenString && strings.HasPrefix(t.Text, "{") || t.is("array")
	}
	name := "memory.pgf._json_object"
	switch {
	case len(args) == 1:
	case len(args) == 2 && isArray(args[0]) && isArray(args[1]):
		name += "2"
	default:
		return
	}
	r.replace(i, i, name)
	for _, a := range args {
		if list, _, ok := arrayLiteral(r.toks[a.first].Text); ok && a.first == a.last && r.toks[a.first].Kind == TokenString {
			r.replace(a.first, a.first, list)
		}
	}
}

// extractPath makes a list of the steps of a path. A path that DuckDB writes in
// one argument ($.a, /a) stays.
func (r *rewriter) extractPath(i int, kind string, text bool) {
	args := r.arguments(i + 1)
	if len(args) < 2 {
		return
	}
	if step := r.toks[args[1].first]; len(args) == 2 && (step.Kind != TokenString || strings.HasPrefix(step.Text, "$") || strings.HasPrefix(step.Text, "/")) {
		return
	}
	call := "memory.pgf._" + kind + "_path"
	if text {
		call = "memory.pgf._json_path_text"
	}
	r.replace(i, i, call)
	r.edits.Wrap(r.toks[args[1].first].Start, r.toks[args[len(args)-1].last].End, "[", "]")
}
