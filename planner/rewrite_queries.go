package planner

import (
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// locking takes FOR UPDATE and the other row locks out: one writer at a time
// makes them needless.
func (r *rewriter) locking(i int) {
	p := r.parserAt(i + 1)
	switch {
	case p.accept("update"), p.accept("no", "key", "update"), p.accept("share"), p.accept("key", "share"):
	default:
		return
	}
	if p.accept("of") {
		if _, err := p.names(); err != nil {
			return
		}
	}
	if !p.accept("nowait") {
		p.accept("skip", "locked")
	}
	r.edits.Delete(r.toks[i].Start, p.ahead(-1).End)
}

// setReturning deals with a function that returns rows: in a select list
// DuckDB makes one list of them, in FROM it names them differently.
func (r *rewriter) setReturning(i int) {
	if !r.tok(i + 1).isPunct("(") {
		return
	}
	end := r.close(i + 1)
	if r.toks[i].Text == "generate_series" {
		if step := r.tok(end - 1); step.Kind == TokenNumber && !nonZero(step) && len(r.arguments(i+1)) == 3 && r.tok(end-2).isPunct(",") {
			r.err = wire.Errorf("22023", "step size cannot equal zero")
		}
		if r.numericSeries(i, end) {
			return
		}
		r.seriesTypes(i+1, end)
	}
	if r.toks[i].Text == "unnest" {
		r.flatten(i+1, end)
		r.severalLists(i)
	}
	switch {
	case r.frames[i] == clauseList && r.toks[i].Text == "generate_series":
		r.edits.Wrap(r.toks[i].Start, r.toks[end].End, "unnest(", ")")
	case r.frames[i] == clauseFrom:
		r.columnOfFunction(end + 1)
	}
}

// flatten gives unnest the elements of an array of arrays that is written out
// between the brackets at open and end, and not its rows.
func (r *rewriter) flatten(open, end int) {
	for range len(r.shapes[end-1]) - 1 {
		r.edits.Wrap(r.toks[open].End, r.toks[end].Start, "flatten(", ")")
	}
}

// seriesTypes gives the strings among the arguments of generate_series the
// types that they have there: with a string for the step, it is a series of
// times.
func (r *rewriter) seriesTypes(open, end int) {
	step := r.tok(end - 1)
	if step.Kind != TokenString || !r.tok(end-2).isPunct(",") {
		return
	}
	name, strs := "TIMESTAMPTZ", []int{}
	for i := open + 1; i < end-2; i++ {
		switch t := r.toks[i]; {
		case t.isPunct("::") && r.tok(i+1).is("timestamp"), t.is("timestamp"):
			name = "TIMESTAMP"
		case t.Kind == TokenString && (i == open+1 || r.tok(i-1).isPunct(",")) && r.tok(i+1).isPunct(","):
			strs = append(strs, i)
		}
	}
	for _, i := range strs {
		r.edits.Insert(r.toks[i].End, "::"+name)
	}
	r.edits.Insert(step.End, "::INTERVAL")
}

// columnOfFunction gives the one column of a function in FROM the name of its
// alias, which starts at token i.
func (r *rewriter) columnOfFunction(i int) {
	if r.tok(i).is("with") && r.tok(i+1).is("ordinality") {
		return
	}
	if r.tok(i).is("as") {
		i++
	}
	t := r.tok(i)
	if !t.isIdent() || t.Kind == TokenWord && (followsTable(t.Text) || t.Text == "with") || r.tok(i+1).isPunct("(") {
		return
	}
	r.edits.Insert(t.End, "("+quoteIdent(t.Text)+")")
}

// values names the columns of a VALUES that is a relation.
func (r *rewriter) values(i int) {
	if !r.tok(i-1).isPunct("(") || !r.tok(i+1).isPunct("(") {
		return
	}
	p := r.parserAt(i + 1)
	n := len(p.valuesItems())
	names := make([]string, n)
	for j := range names {
		names[j] = valuesColumn(j)
	}
	columns := "(" + strings.Join(names, ", ") + ")"
	opener, end := r.tok(i-2), r.close(i-1)
	switch {
	case opener.is("as") || opener.is("materialized"):
		r.nameCTE(i-2, columns)
	case r.frames[i-1] == clauseFrom:
		r.nameValues(end+1, columns)
	}
}

// nameCTE names the columns of a common table expression whose AS is at or
// before token i.
func (r *rewriter) nameCTE(i int, columns string) {
	for i > 0 && !r.toks[i].is("as") {
		i--
	}
	if name := r.tok(i - 1); name.isIdent() && (r.tok(i-2).is("with") || r.tok(i-2).is("recursive") || r.tok(i-2).isPunct(",")) {
		r.edits.Insert(name.End, columns)
	}
}

// nameValues names the columns of a VALUES in FROM, whose alias may start at
// token i.
func (r *rewriter) nameValues(i int, columns string) {
	at := i
	if r.tok(at).is("as") {
		at++
	}
	switch t := r.tok(at); {
	case t.isIdent() && (t.Kind == TokenQuoted || !followsTable(t.Text)):
		if !r.tok(at + 1).isPunct("(") {
			r.edits.Insert(t.End, columns)
		}
	default:
		r.edits.Insert(r.toks[i-1].End, ` AS "*VALUES*"`+columns)
	}
}

// selectList names the columns of a query that is a relation as Postgres names
// them, where DuckDB would name them otherwise. Those of the statement itself
// are named when it is described.
func (r *rewriter) selectList(i int) {
	p := r.parserAt(i + 1)
	p.selectHead()
	relation := r.isRelation(i)
	items := p.items()
	if items == nil && r.opensQuery(i) && !p.peek().isPunct(",") && !r.tok(p.pos-1).is("distinct") && !r.fillsTable(i) {
		r.edits.Insert(r.toks[p.pos-1].End, " NULL") // which nobody sees
	}
	for _, o := range items {
		switch {
		case o.alias >= 0 && r.tok(o.alias-1).is("as"):
			r.foldAlias(o.alias)
		case o.alias >= 0 && o.end == o.alias+1 && !r.intervalField(o):
			r.replace(o.alias, o.alias, quoteIdent(r.toks[o.alias].Text))
		case relation && !o.aliased && !o.star && !o.column:
			r.edits.Insert(r.toks[o.end-1].End, " AS "+quoteIdent(o.outputName()))
		}
	}
}

// opensQuery reports whether the SELECT at i can only be the word that opens a
// query.
func (r *rewriter) opensQuery(i int) bool {
	before := r.tok(i - 1)
	return i == r.st.Verb || before.isPunct("(") || before.is("union") || before.is("intersect") || before.is("except") || before.is("all")
}

// fillsTable reports whether the rows of the SELECT at i are stored: then a
// list that is empty is not one of a column that nobody sees.
func (r *rewriter) fillsTable(i int) bool {
	switch n := r.st.Node.(type) {
	case *InsertStmt:
		return n.Body.Start == r.toks[i].Start
	case *CreateTableStmt:
		return n.Query.Start == r.toks[i].Start
	}
	return false
}

// intervalField reports whether what looks like the label of an item is the unit
// of DuckDB's interval 1 day.
func (r *rewriter) intervalField(o *outputItem) bool {
	last := r.tok(o.alias - 1)
	if last.isPunct(")") {
		return slices.ContainsFunc(r.toks[o.first:o.alias], func(t Token) bool { return t.is("interval") })
	}
	return (last.Kind == TokenString || last.Kind == TokenNumber || last.Kind == TokenParam) && r.tok(o.alias-2).is("interval")
}

// isRelation reports whether the SELECT at i names the columns of a relation:
// it stands in FROM, in WITH, or is what a table or view is created as.
func (r *rewriter) isRelation(i int) bool {
	j := i - 1
	for j > 0 && r.toks[j].isPunct("(") && (r.tok(j-1).isPunct("(") || r.tok(j-1).is("as")) {
		if r.toks[j-1].is("as") {
			return true
		}
		j--
	}
	before := r.tok(j)
	if before.is("as") {
		return true
	}
	if !before.isPunct("(") {
		return false
	}
	opener := r.tok(j - 1)
	return opener.is("from") || opener.is("join") || opener.is("lateral") || opener.is("materialized") ||
		(opener.isPunct(",") || opener.isPunct("(")) && r.frames[j] == clauseFrom
}

// foldAlias writes an unquoted alias in lower case.
func (r *rewriter) foldAlias(i int) {
	if t := r.tok(i); t.Kind == TokenWord && t.Text != r.st.SQL[t.Start:t.End] && !isReserved(t.Text) && !r.inCast(i) {
		r.replace(i, i, t.Text)
	}
}

// tableSample writes the percentage as one: TABLESAMPLE BERNOULLI (10).
func (r *rewriter) tableSample(i int) {
	if (r.tok(i+1).is("bernoulli") || r.tok(i+1).is("system")) && r.tok(i+3).Kind == TokenNumber && r.tok(i+4).isPunct(")") {
		r.edits.Insert(r.toks[i+3].End, " PERCENT")
	}
}
