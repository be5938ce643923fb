package planner

import (
	"slices"

	"github.com/sessiondb/sessiondb/wire"
)

// bareNumeric is the type that numeric without a precision becomes: DuckDB's
// own would be DECIMAL(18,3), which rounds in silence. Ten decimals leave 28
// digits before the point.
const bareNumeric = "DECIMAL(38,10)"

// rewritePostgres adds the edits that say in DuckDB's words what Postgres
// writes otherwise, or means otherwise by the same words. What DuckDB 1.5.6
// would do is in parentheses:
//
//	public.t                   schema main (no schema public)
//	a ~ b, ~*, !~, !~*         regexp_matches (~ matches the whole text only; no ~*)
//	a AND j->>'b' = c          (j->>'b') (binds weaker than AND)
//	a LIKE 'x\_'               ESCAPE '\' (no escape character)
//	a SIMILAR TO 'x%'          with a regular expression's .* (which DuckDB takes it for)
//	j #> '{a,b}', j ? 'a'      an arrow with a path; json_exists (errors)
//	j ?| keys, j #- path, …    calls of ours (errors)
//	a # b, |/ a, ||/ a         xor, sqrt, cbrt (errors)
//	initcap, json_agg, …       expressions of DuckDB's functions and ours (unknown)
//	json_each(j), …            unnest of a list of ours (unknown)
//	(a, b) OVERLAPS (c, d)     a call of ours (an error)
//	a LIKE ANY (array)         of a list of comparisons (an error)
//	BETWEEN SYMMETRIC          with the bounds in order (an error)
//	a / b, a % b, mod(a, b)    error 22012 for a divisor of 0 (NULL)
//	a ^ b, exp(a), round(a)    with tests of their domains and ranges (infinity, NaN)
//	x::numeric                 DECIMAL(38,10), or as many decimals as a literal has (DECIMAL(18,3))
//	'{1,2}'::int[], ANY('{…}') lists (no such literals)
//	ARRAY[[1,2],[3,4]]         array_value(…), which cannot be ragged (a list of lists)
//	'\x6162'::bytea            from_hex (only the first escape)
//	timestamptz '… 10:00+00'   with seconds (an error)
//	timestamptz(3), jsonb      without precision; json (no such types)
//	0x1F, X'1F', B'1', U&'…'   plain literals (0 AS x1F, 'x1F', 'b1', an error)
//	E'\u00e9'                  a plain literal (an error)
//	U&"…", names of 64 bytes   quoted as they are, and cut (an error, kept)
//	SELECT 1 name              quoted (an error)
//	extract(second FROM t)     numeric, with the fraction (whole seconds)
//	float, float(30)           double precision (real)
//	generate_series(1, 3)      unnest(…) in a select list (one list)
//	generate_series(1, 3) g    g(g) in FROM (g is the row)
//	VALUES in FROM             column1, column2 (col0, col1)
//	(SELECT count(*) …)        AS count in FROM and WITH (count_star())
//	AS Total, CREATE t (Id)    folded to lower case (kept)
//	id serial, … AS IDENTITY   DEFAULT nextval(…), with Sequences before (errors)
//	SELECT … INTO t            CREATE TABLE t AS (an error)
//	EXPLAIN (costs off)        without the options that it has not (an error)
//	CREATE INDEX ON t (a)      with the name t_a_idx (an error)
//	FOR UPDATE, USING btree    taken out (errors)
//	at, map, qualify, show, …  quoted where they are names (reserved)
//	date '44-03-15 BC'         '44-03-15 (BC)' (the year 44)
//	interval '-1 mon +2 days'  all in units and signs that DuckDB reads
//
// Edits that wrap something add text at its ends, so the order of the passes
// matters: what is wrapped comes before what wraps it.
//
// A number that no float can hold is an error.
func (s *Statement) rewritePostgres(edits *Edits, c *PGCatalog) error {
	r := &rewriter{st: s, toks: s.Tokens, edits: edits, catalog: c, frames: framesOf(s), shapes: map[int][]int{}}
	r.definitions()
	for i, t := range r.toks {
		switch t.Kind {
		case TokenWord, TokenQuoted:
			r.word(i)
		case TokenString, TokenNumber, TokenBits:
			r.literal(i)
		case TokenPunct:
			if t.Text == "::" {
				r.typeName(i+1, r.literalBefore(i))
				r.arrayCast(i)
			}
		default:
		}
	}
	r.backwards(r.extract, "extract")
	r.backwards(r.datePart, "date_part")
	r.backwards(r.setReturning, "generate_series", "unnest", "generate_subscripts")
	r.backwards(r.returningSet, setFunctions()...)
	r.backwards(r.function, specialFunctions()...)
	r.backwards(r.overlaps, "overlaps")
	r.forwards(r.arrow, "->", "->>", "#>", "#>>")
	r.forwards(r.hasKey, "?")
	r.forwards(r.jsonOperator, "?|", "?&", "#-", "||")
	r.backwards(r.root, "|/", "||/")
	r.forwards(r.power, "^")
	r.backwards(r.division, "/", "%")
	r.forwards(r.xor, "#")
	r.forwards(r.regexp, "~", "~*", "!~", "!~*")
	r.backwards(r.like, "like", "ilike")
	r.backwards(r.similar, "similar")
	r.backwards(r.domain, domainFunctions()...)
	r.backwards(r.selectList, "select")
	return r.err
}

// backwards applies a rule to the operators and words that it is about, the
// last one first: of two that nest, the inner one stands later.
func (r *rewriter) backwards(rule func(i int), texts ...string) {
	for i, t := range slices.Backward(r.toks) {
		if r.concerns(i, t, texts) {
			rule(i)
		}
	}
}

// forwards is for operators that associate to the left: of a ~ b ~ c the inner
// one stands first.
func (r *rewriter) forwards(rule func(i int), texts ...string) {
	for i, t := range r.toks {
		if r.concerns(i, t, texts) {
			rule(i)
		}
	}
}

func (r *rewriter) concerns(i int, t Token, texts []string) bool {
	return (t.Kind == TokenOperator || t.Kind == TokenWord) && slices.Contains(texts, t.Text) && !r.tok(i-1).isPunct(".")
}

// A rewriter adds the edits of one statement.
type rewriter struct {
	st    *Statement
	toks  []Token
	edits *Edits
	// catalog knows the functions that are ours.
	catalog *PGCatalog
	frames  []clause // of each token
	err     error
	shapes  map[int][]int // of arrays of arrays: the length of each dimension, by their last token
}

// tok is the token at i; a TokenEnd outside the statement.
func (r *rewriter) tok(i int) Token {
	if i < 0 || i >= len(r.toks) {
		return Token{Kind: TokenEnd}
	}
	return r.toks[i]
}

// parserAt reads from token i on.
func (r *rewriter) parserAt(i int) *parser {
	return &parser{sql: r.st.SQL, toks: r.toks, pos: i}
}

// replace puts text in the place of tokens first to last.
func (r *rewriter) replace(first, last int, text string) {
	r.edits.Replace(r.toks[first].Start, r.toks[last].End, text)
}

// close is the place of the bracket that closes the one at open; the last
// token if none does.
func (r *rewriter) close(open int) int {
	p := r.parserAt(open)
	p.skipGroup()
	return max(p.pos-1, open)
}

// word deals with a word or a quoted name.
func (r *rewriter) word(i int) {
	t := r.toks[i]
	switch raw := r.st.SQL[t.Start:t.End]; {
	case len(raw) > maxName, t.Kind == TokenQuoted && raw[0] != '"':
		r.replace(i, i, quoteIdent(t.Text))
	case t.Text == "public":
		r.schema(i)
	case r.tok(i - 1).isPunct("."):
	case r.tok(i+1).isPunct("(") && renamedCall(t.Text) != "":
		r.replace(i, i, renamedCall(t.Text))
	case r.tok(i+1).isPunct("(") && r.catalog.generalFunction(t.Text) != "":
		r.replace(i, i, r.catalog.generalFunction(t.Text))
	case t.Kind == TokenWord:
		r.keyword(i, t.Text)
	}
}

func (r *rewriter) keyword(i int, word string) {
	switch word {
	case "for":
		r.locking(i)
	case "values":
		r.values(i)
	case "as":
		r.foldAlias(i + 1)
	case "cast":
		r.cast(i)
	case "array":
		r.nestedArray(i)
	case "any", "some", "all":
		r.anyLiteral(i)
	case "tablesample":
		r.tableSample(i)
	case "symmetric":
		r.symmetric(i)
	case "interval":
		r.intervalFields(i)
	case "current_timestamp", "current_time", "localtimestamp", "localtime":
		r.roundedNow(i, word)
	case "rows":
		r.rowsFrom(i)
	case "offset":
		if r.tok(i+1).isPunct("-") && nonZero(r.tok(i+2)) {
			r.err = wire.Errorf("2201X", "OFFSET must not be negative")
		}
	case "at":
		if r.tok(i+1).is("time") && r.tok(i+2).is("zone") {
			r.atDistance(i)
		} else if r.nameHere(i, word) {
			r.replace(i, i, quoteIdent(word))
		}
	case "using":
		if r.st.Kind == KindCreate && r.tok(i+1).Kind == TokenWord && r.tok(i+2).isPunct("(") {
			r.edits.Delete(r.toks[i].Start, r.toks[i+1].End) // the access method of an index
		}
	default:
		if r.nameHere(i, word) {
			r.replace(i, i, quoteIdent(word))
		}
	}
}

// schema makes public the schema main.
func (r *rewriter) schema(i int) {
	if r.tok(i+1).isPunct(".") && (r.tok(i+2).isIdent() || r.tok(i+2).isPunct("*")) {
		r.replace(i, i, "main")
	}
}

// renamedCall is DuckDB's name of a function that it has under another one.
func renamedCall(name string) string {
	switch name {
	case "btrim":
		return "trim"
	case "clock_timestamp", "statement_timestamp":
		return "now"
	case "every":
		return "bool_and"
	}
	return ""
}
