package planner

import "strings"

// definitions folds the names that DDL gives, and takes out what DuckDB has no
// use for.
func (r *rewriter) definitions() {
	switch n := r.st.Node.(type) {
	case *CreateTableStmt:
		r.selectInto(n)
		r.fold(n.Name.Range)
		r.columns(n.Columns)
		r.serial(n)
		if !n.OptionRange.Empty() {
			r.edits.Delete(n.OptionRange.Start, n.OptionRange.End)
		}
		if !n.OnCommitRange.Empty() {
			r.edits.Delete(n.OnCommitRange.Start, n.OnCommitRange.End)
		}
	case *CreateViewStmt:
		r.fold(n.Name.Range)
		for _, c := range n.Columns {
			r.fold(c.Range)
		}
	case *CreateStmt:
		r.fold(n.Name.Range)
		r.indexName(n)
	case *ExplainStmt:
		r.explainOptions(n)
	case *AlterStmt:
		for _, a := range n.Actions {
			r.altered(a.Range)
		}
	}
}

// fold writes the unquoted words in the range in lower case.
func (r *rewriter) fold(in Range) {
	for _, t := range r.st.tokensIn(in) {
		if t.Kind == TokenWord && t.Text != r.st.SQL[t.Start:t.End] {
			r.edits.Replace(t.Start, t.End, t.Text)
		}
	}
}

// columns deals with the columns that a CREATE TABLE defines: the first word
// of each is its name, the second its type.
func (r *rewriter) columns(in Range) {
	depth, starts := 0, true
	for i, t := range r.toks {
		if t.Start < in.Start || t.End > in.End {
			continue
		}
		if starts {
			r.fold(Range{t.Start, t.End})
			r.typeName(i+1, "")
			r.arrayDefault(i + 1)
		}
		if t.is("stored") && r.tok(i-1).isPunct(")") {
			r.edits.Delete(t.Start, t.End) // a generated column is computed when it is read
		}
		depth += nesting(t, Token{})
		starts = depth == 0 && t.isPunct(",")
	}
}

// arrayDefault writes the text of an array, which the column whose type starts
// at token i has for its default, as a list.
func (r *rewriter) arrayDefault(i int) {
	p := r.parserAt(i)
	if p.typeRef(); !r.tok(p.pos - 1).isPunct("]") {
		return
	}
	p.accept("not", "null")
	if !p.accept("default") || p.peek().Kind != TokenString || r.tok(p.pos+1).isPunct("::") {
		return
	}
	if list, _, ok := arrayLiteral(p.peek().Text); ok {
		r.replace(p.pos, p.pos, list)
	}
}

// altered deals with the action of an ALTER: the type of a column that it adds
// or alters.
func (r *rewriter) altered(in Range) {
	r.fold(in)
	for i, t := range r.toks {
		if in.Start < t.Start && t.End <= in.End && r.tok(i-1).isIdent() {
			r.typeName(i, "")
			r.arrayDefault(i)
		}
	}
}

// selectInto makes SELECT … INTO t a CREATE TABLE t AS.
func (r *rewriter) selectInto(n *CreateTableStmt) {
	if n.Into.Empty() {
		return
	}
	r.edits.Delete(n.Into.Start, n.Into.End)
	create := "CREATE TABLE "
	if n.Temp {
		create = "CREATE TEMP TABLE "
	}
	name := n.Name
	if name.Schema() == "public" {
		name.Parts = []string{"main", name.Last()}
	}
	r.edits.Insert(0, create+name.SQL()+" AS ")
}

// indexName names an index that has no name as Postgres does.
func (r *rewriter) indexName(n *CreateStmt) {
	if n.Object != "index" || len(n.Name.Parts) > 0 || len(n.On.Parts) == 0 {
		return
	}
	parts := []string{n.On.Last()}
	p := r.parserAt(0)
	for p.pos < len(p.toks) && p.peek().Start < n.On.Range.End {
		p.pos++
	}
	if p.accept("using") {
		p.next()
	}
	for p.acceptPunct("("); p.peek().isIdent(); p.acceptPunct(",") {
		parts = append(parts, p.next().Text)
		p.scanItem()
	}
	for i, t := range r.toks {
		if t.is("on") {
			r.edits.Insert(r.toks[i-1].End, " "+quoteIdent(strings.Join(append(parts, "idx"), "_")))
			return
		}
	}
}

// explainOptions keeps the options of EXPLAIN that DuckDB has: ANALYZE and
// FORMAT json.
func (r *rewriter) explainOptions(n *ExplainStmt) {
	if len(n.Options) == 0 {
		if r.tok(1).is("verbose") {
			r.edits.Delete(r.toks[1].Start, r.toks[1].End)
		} else if r.tok(2).is("verbose") && n.Analyze {
			r.edits.Delete(r.toks[2].Start, r.toks[2].End)
		}
		return
	}
	var keep []string
	if n.Analyze {
		keep = append(keep, "ANALYZE")
	}
	for _, o := range n.Options {
		if o.Name == "format" && strings.EqualFold(o.Value, "json") {
			keep = append(keep, "FORMAT json")
		}
	}
	text := ""
	if len(keep) > 0 {
		text = "(" + strings.Join(keep, ", ") + ")"
	}
	r.replace(1, r.close(1), text)
}
