package planner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// Rewrite adds to edits what a statement needs to be answered by the catalogs
// of c, and reports whether it added anything. Names of catalog relations and
// functions become ours; casts to and from the types that stand for an object's
// OID become calls; subscripts that count from 0 count from 1. own reports
// whether the user has a relation of that unqualified name, which then goes
// before a catalog's; nil stands for none.
//
// The edits are complete for what pg_catalog qualifies, OPERATOR(…) and COLLATE
// included. Where other rewrites follow, they work on the text that these give.
func (c *PGCatalog) Rewrite(s *Statement, edits *Edits, own func(name string) bool) (changed bool) {
	r := &pgRewriter{c: c, toks: s.Tokens, edits: edits, own: own, ctes: map[string]bool{}, opened: map[int]string{}, operand: map[int]int{}}
	if !r.concerned() {
		return false
	}
	before := len(edits.list)
	r.scope = scopeOf(r.toks)
	r.findCTEs()
	r.findTables()
	for r.i < len(r.toks) {
		r.step()
	}
	for at, text := range r.opened {
		edits.Insert(at, text)
	}
	return len(edits.list) > before
}

// A pgRewriter goes once through the tokens of a statement.
type pgRewriter struct {
	c     *PGCatalog
	toks  []Token
	i     int
	edits *Edits
	own   func(string) bool
	scope *pgScope
	ctes  map[string]bool
	// tables are the catalog relations that the statement reads.
	tables []pgTable
	// opened is what is put before the token at an offset: the openings of
	// calls that casts become, the outer ones first.
	opened map[int]string
	// operand is where the operand of a cast begins, by the index after its
	// type: a cast of a cast begins there too.
	operand map[int]int
	// reads says that the statement reads a catalog or calls a function of ours.
	reads bool
}

// A pgTable is a FROM item that is a catalog relation.
type pgTable struct {
	at       int // index of its first token
	alias    string
	relation *pgRelation
}

// concerned reports whether any token can be a matter of the catalogs.
func (r *pgRewriter) concerned() bool {
	for i, t := range r.toks {
		if !t.isIdent() {
			continue
		}
		if strings.HasPrefix(t.Text, "pg_") || strings.HasPrefix(t.Text, "reg") || t.Text == "information_schema" || t.Text == "is_called" || t.Text == "operator" || t.Text == "collate" || sessionWord(t.Text) {
			return true
		}
		if next := r.token(i + 1); next.isPunct("(") && r.c.hasFunction(t.Text) {
			return true
		}
		if prev := r.token(i - 1); prev.isPunct("::") && plainCatalogType(t.Text) != "" {
			return true
		}
	}
	return false
}

// token is the token at i; a TokenEnd outside the statement.
func (r *pgRewriter) token(i int) Token {
	if i < 0 || i >= len(r.toks) {
		return Token{Kind: TokenEnd}
	}
	return r.toks[i]
}

// findCTEs collects the names that WITH defines: name [(columns)] AS (.
func (r *pgRewriter) findCTEs() {
	for i := range r.toks {
		if !r.toks[i].isIdent() || !r.token(i-1).is("with") && !r.token(i-1).is("recursive") && !r.token(i-1).isPunct(",") {
			continue
		}
		next := i + 1
		if r.token(next).isPunct("(") {
			next = r.closing(next) + 1
		}
		if r.token(next).is("as") {
			for next++; r.token(next).is("not") || r.token(next).is("materialized"); next++ {
			}
			if r.token(next).isPunct("(") {
				r.ctes[r.toks[i].Text] = true
			}
		}
	}
}

// findTables collects the catalog relations that FROM clauses name.
func (r *pgRewriter) findTables() {
	for i := range r.toks {
		if !r.scope.table[i] || !r.toks[i].isIdent() {
			continue
		}
		parts, end := r.chain(i)
		rel := r.relation(parts)
		if rel == nil || r.token(end).isPunct("(") {
			continue
		}
		t := pgTable{at: i, alias: rel.name, relation: rel}
		if a := tableAlias(r.toks, end); a >= 0 {
			t.alias = r.toks[a].Text
			r.quoteAlias(a)
		}
		r.tables = append(r.tables, t)
	}
	r.reads = len(r.tables) > 0 || r.callsCatalog()
}

// quoteAlias quotes an alias that DuckDB takes for a clause of its own.
func (r *pgRewriter) quoteAlias(i int) {
	if t := r.toks[i]; t.is("at") {
		r.edits.Replace(t.Start, t.End, quoteIdent(t.Text))
	}
}

// callsCatalog reports whether the statement calls one of our functions.
func (r *pgRewriter) callsCatalog() bool {
	for i, t := range r.toks {
		if t.isIdent() && r.token(i+1).isPunct("(") && r.c.hasFunction(t.Text) || t.Kind == TokenWord && sessionWord(t.Text) {
			return true
		}
	}
	return false
}

// chain is the identifier chain that starts at i, and the index after it.
func (r *pgRewriter) chain(i int) (parts []string, end int) {
	parts = []string{r.toks[i].Text}
	for end = i + 1; r.token(end).isPunct(".") && r.token(end+1).isIdent(); end += 2 {
		parts = append(parts, r.toks[end+1].Text)
	}
	return parts, end
}

// relation is the catalog relation that a whole chain names in a FROM clause.
func (r *pgRewriter) relation(parts []string) *pgRelation {
	switch len(parts) {
	case 1:
		if rel := r.c.relations[parts[0]]; rel != nil && strings.HasPrefix(parts[0], "pg_") && !r.ctes[parts[0]] && (r.own == nil || !r.own(parts[0])) {
			return rel
		}
	case 2, 3:
		if rel, used := r.qualified(parts[len(parts)-2:]); used == 2 {
			return rel
		}
	}
	return nil
}

// qualified is the relation that a chain starts with, if its schema is a
// catalog, and how many parts name it.
func (r *pgRewriter) qualified(parts []string) (rel *pgRelation, used int) {
	if len(parts) < 2 {
		return nil, 0
	}
	switch parts[0] {
	case "pg_catalog":
		rel = r.c.relations[parts[1]]
	case "information_schema":
		rel = r.c.relations["information_schema."+parts[1]]
	}
	if rel == nil || parts[0] != rel.schema {
		return nil, 0
	}
	return rel, 2
}

// step deals with the token at i, and whatever goes with it.
func (r *pgRewriter) step() {
	t := r.toks[r.i]
	switch {
	case t.isPunct("::"):
		r.cast()
	case t.is("cast") && r.token(r.i+1).isPunct("("):
		r.castCall()
	case t.is("operator") && r.token(r.i+1).isPunct("("):
		r.operator()
	case t.is("collate"):
		r.collate()
	case t.Kind == TokenString:
		r.arrayLiteral()
	case t.isPunct("=") && r.token(r.i+1).is("any"):
		r.anyOf()
	case t.isIdent() && !r.token(r.i-1).isPunct("."):
		r.name()
	default:
		r.i++
	}
}

// name deals with the identifier chain at i.
func (r *pgRewriter) name() {
	first := r.i
	parts, end := r.chain(first)
	r.i = end
	if r.token(end).Kind == TokenString && r.typedLiteral(first, end, parts) {
		return
	}
	if r.token(end).isPunct("(") {
		r.call(first, end, parts)
		return
	}
	r.subscript(end, parts[len(parts)-1])
	if len(parts) > 1 {
		r.quoteAlias(first)
	}
	start, to := r.toks[first].Start, r.toks[end-1].End
	if len(parts) == 1 {
		r.lone(first, end, parts[0])
		return
	}
	if len(parts) > 2 && (parts[1] == "pg_catalog" || parts[1] == "information_schema") {
		parts = parts[1:]
	}
	if rel, used := r.qualified(parts); rel != nil {
		if r.scope.table[first] {
			r.fromItem(first, end, rel)
		} else {
			r.edits.Replace(start, to, quoteName(parts[used-1:]))
		}
		return
	}
	switch {
	case parts[0] == "pg_catalog":
		r.edits.Replace(start, to, typeOrName(parts[1:]))
	case r.scope.table[first]:
		r.sequence(first, end, parts)
	default:
		r.systemColumn(first, end, parts)
	}
}

// sequence lets a sequence be read as the relation of one row that it is in
// Postgres; a query that asks for is_called is one.
func (r *pgRewriter) sequence(first, end int, parts []string) {
	if !slices.ContainsFunc(r.toks, func(t Token) bool { return t.is("is_called") }) {
		return
	}
	schema := "main"
	if len(parts) > 1 && parts[len(parts)-2] != "public" {
		schema = parts[len(parts)-2]
	}
	name := parts[len(parts)-1]
	text := "(SELECT coalesce(last_value, start_value) AS last_value, 0::BIGINT AS log_cnt, last_value IS NOT NULL AS is_called FROM duckdb_sequences()" +
		" WHERE database_name = " + quoteLiteral(catalog.DatabaseName) + " AND schema_name = " + quoteLiteral(schema) + " AND sequence_name = " + quoteLiteral(name) + ")"
	if tableAlias(r.toks, end) < 0 {
		text += " AS " + quoteIdent(name)
	}
	r.edits.Replace(r.toks[first].Start, r.toks[end-1].End, text)
}

// fromItem puts ours in the place of a relation named by toks[first:end].
func (r *pgRewriter) fromItem(first, end int, rel *pgRelation) {
	text := rel.fromItem()
	if rel.empty && tableAlias(r.toks, end) < 0 {
		text += " AS " + rel.name
	}
	start := r.toks[first].Start
	if before := r.token(first - 1); before.is("table") {
		start, text = before.Start, "FROM "+text
	}
	r.edits.Replace(start, r.toks[end-1].End, text)
}

// typeOrName is what pg_catalog qualified, if it is no relation: a type.
func typeOrName(parts []string) string {
	if t := plainCatalogType(parts[0]); t != "" {
		return t
	}
	return strings.Join(parts, ".")
}

// lone deals with an identifier that nothing qualifies.
func (r *pgRewriter) lone(first, end int, word string) {
	t := r.toks[first]
	switch {
	case r.scope.table[first]:
		if rel := r.relation([]string{word}); rel != nil {
			r.fromItem(first, end, rel)
		} else {
			r.sequence(first, end, []string{word})
		}
	case t.Kind == TokenWord && sessionWord(word) && r.expressionAt(first, end):
		r.edits.Replace(t.Start, t.End, pgFunction(word)+"()")
	default:
		r.systemColumn(first, end, []string{word})
	}
}

// sessionWord reports whether the reserved word is a function of the session
// that is written without parentheses.
func sessionWord(word string) bool {
	switch word {
	case "current_user", "session_user", "current_role", "user", "current_catalog", "current_schema":
		return true
	}
	return false
}

// expressionAt reports whether the word at first stands as an expression, not
// as a name that something gets.
func (r *pgRewriter) expressionAt(first, end int) bool {
	before, after := r.token(first-1), r.token(end)
	if before.is("as") || before.is("to") || before.is("authorization") || before.Kind == TokenEnd {
		return false
	}
	return !after.isIdent() || after.is("as") || after.is("from") || after.is("and") || after.is("or") || after.is("where") || after.is("then") || after.is("end")
}

// systemColumn gives the columns that every Postgres relation has beside its
// own: tableoid, as the catalog's own OID, and xmin.
func (r *pgRewriter) systemColumn(first, end int, parts []string) {
	column := parts[len(parts)-1]
	if column != "tableoid" && column != "xmin" || len(parts) > 2 || r.scope.table[first] || r.token(first-1).is("as") {
		return
	}
	rel := r.tableFor(first, parts)
	if rel == nil {
		return
	}
	value := "1::INTEGER"
	if column == "tableoid" {
		value = strconv.Itoa(rel.oid) + "::INTEGER"
	}
	before, after := r.token(first-1), r.token(end)
	if r.scope.list[first] && (before.isPunct(",") || before.is("select")) && (after.isPunct(",") || after.is("from")) {
		value += " AS " + column
	}
	r.edits.Replace(r.toks[first].Start, r.toks[end-1].End, value)
}

// tableFor is the catalog relation that a column at index first is of: the one
// with the alias that qualifies it, else the first of the FROM clause that
// follows at its depth of parentheses, else the first one.
func (r *pgRewriter) tableFor(first int, parts []string) *pgRelation {
	var found *pgRelation
	for _, t := range r.tables {
		switch {
		case len(parts) == 2:
			if t.alias == parts[0] {
				return t.relation
			}
		case t.at > first && r.scope.depth[t.at] == r.scope.depth[first]:
			return t.relation
		case found == nil:
			found = t.relation
		}
	}
	return found
}

// operator makes OPERATOR(pg_catalog.=) plain.
func (r *pgRewriter) operator() {
	end := r.closing(r.i + 1)
	if op := r.token(end - 1); op.Kind == TokenOperator {
		r.edits.Replace(r.toks[r.i].Start, r.toks[end].End, op.Text)
	}
	r.i = end + 1
}

// collate takes out the collations that are DuckDB's own order anyway.
func (r *pgRewriter) collate() {
	first := r.i
	r.i++
	if !r.token(r.i).isIdent() {
		return
	}
	parts, end := r.chain(r.i)
	r.i = end
	switch parts[len(parts)-1] {
	case "default", "C", "POSIX":
		r.edits.Delete(r.toks[first].Start, r.toks[end-1].End)
	}
}

// closing is the index of the parenthesis or bracket that closes the one at
// open; the last token if none does.
func (r *pgRewriter) closing(open int) int {
	depth := 0
	for i := open; i < len(r.toks); i++ {
		switch t := r.toks[i]; {
		case t.isPunct("("), t.isPunct("["):
			depth++
		case t.isPunct(")"), t.isPunct("]"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(r.toks) - 1
}

// subscript makes a subscript of an int2vector, oidvector or name, which
// counts from 0, count from 1.
func (r *pgRewriter) subscript(at int, column string) {
	if !r.reads || !r.token(at).isPunct("[") {
		return
	}
	if !r.c.isVector(column) && r.c.columnType(column, "VARCHAR") != "name" {
		return
	}
	end := r.closing(at)
	for _, t := range r.toks[at:end] {
		if t.isPunct(":") {
			return
		}
	}
	r.edits.Insert(r.toks[at].End, "(")
	r.edits.Insert(r.toks[end].Start, ")+1")
}
