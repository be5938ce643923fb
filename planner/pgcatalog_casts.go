package planner

import "strings"

// objectType reports whether a type stands for an object by its OID: such a
// value is entered as a name or an OID, and printed as a name.
func objectType(name string) bool {
	switch name {
	case "regclass", "regtype", "regproc", "regprocedure", "regnamespace", "regrole", "regoper", "regoperator", "regcollation", "regconfig", "regdictionary":
		return true
	}
	return false
}

// plainCatalogType is the DuckDB type of a type that only Postgres's catalogs
// use; "" for the rest.
func plainCatalogType(name string) string {
	switch name {
	case "oid", "xid", "cid", "cardinal_number":
		return "INTEGER"
	case "name", "char", "cstring", "pg_node_tree", "aclitem", "pg_lsn", "sql_identifier", "character_data", "yes_or_no":
		return "VARCHAR"
	case "int2vector":
		return "SMALLINT[]"
	case "oidvector":
		return "INTEGER[]"
	case "time_stamp":
		return "TIMESTAMPTZ"
	}
	return ""
}

// A pgTypeName is a type as it stands in a cast: toks[first:end].
type pgTypeName struct {
	first, end int
	name       string // its last part; char is the quoted one
	array      bool
}

// typeAt reads the type that starts at i; ok is false if none does.
func (r *pgRewriter) typeAt(i int) (t pgTypeName, ok bool) {
	if !r.token(i).isIdent() {
		return t, false
	}
	parts, end := r.chain(i)
	t = pgTypeName{first: i, end: end, name: parts[len(parts)-1]}
	if last := r.toks[end-1]; t.name == "char" && last.Kind == TokenWord {
		t.name = "bpchar"
	}
	if len(parts) == 2 && parts[0] != "pg_catalog" && parts[0] != "information_schema" {
		t.name = ""
	}
	for r.token(t.end).is("varying") || r.token(t.end).is("precision") {
		t.end++
	}
	if r.token(t.end).isPunct("(") {
		t.end = r.closing(t.end) + 1
	}
	for r.token(t.end).isPunct("[") {
		t.end, t.array = r.closing(t.end)+1, true
	}
	return t, true
}

// isText reports whether a cast to the type prints its operand.
func (t pgTypeName) isText() bool {
	switch t.name {
	case "text", "varchar", "name", "bpchar", "character":
		return !t.array
	}
	return false
}

// isNumber reports whether a cast to the type takes an object's OID.
func (t pgTypeName) isNumber() bool {
	switch t.name {
	case "oid", "int4", "integer", "int", "int8", "bigint":
		return !t.array
	}
	return false
}

// cast deals with operand::type at the token ::.
func (r *pgRewriter) cast() {
	colons := r.i
	r.i++
	t, ok := r.typeAt(r.i)
	if !ok {
		return
	}
	operand := r.operandStart(colons)
	end := t.end
	switch function := r.columnPrinter(t, operand, colons); {
	case t.name == "regtype" && t.array && r.isTextArray(t.end):
		next, _ := r.typeAt(t.end + 1)
		end = next.end
		r.open(operand, "memory.pgc._type_names(")
		r.edits.Replace(r.toks[colons].Start, r.toks[end-1].End, ")")
	case objectType(t.name) && !t.array:
		o := r.objectCast(t, operand, t.end)
		end = o.end
		r.open(operand, "memory.pgc."+o.function+"(")
		r.edits.Replace(r.toks[colons].Start, r.toks[end-1].End, ")"+o.suffix)
	case function != "":
		r.open(operand, function)
		r.edits.Replace(r.toks[colons].Start, r.toks[end-1].End, ")")
	case t.isNumber() && r.isObjectColumn(operand):
		// An int8, since an INTEGER of this name would be printed as a name.
		r.edits.Replace(r.toks[t.first].Start, r.toks[end-1].End, "BIGINT")
	default:
		r.plainType(t)
	}
	r.operand[end] = operand
	r.i = end
}

// isObjectColumn reports whether the operand that starts at i is a catalog
// column that is printed as a name.
func (r *pgRewriter) isObjectColumn(i int) bool {
	if !r.isOIDColumn(i) {
		return false
	}
	parts, _ := r.chain(i)
	pgType := r.c.columnType(parts[len(parts)-1], "INTEGER")
	return pgType == "regproc" || pgType == "regtype"
}

// castCall deals with CAST(operand AS type) at the word CAST. The operand is
// left for the steps that follow.
func (r *pgRewriter) castCall() {
	cast, open := r.i, r.i+1
	r.i += 2
	end := r.closing(open)
	as := r.castAs(open, end)
	t, ok := r.typeAt(as + 1)
	if as == open || !ok || t.end != end {
		return
	}
	if !objectType(t.name) || t.array {
		r.plainType(t)
		return
	}
	o := r.objectCast(t, cast, end+1)
	r.edits.Replace(r.toks[cast].Start, r.toks[cast].End, "memory.pgc."+o.function)
	r.edits.Replace(r.toks[as].Start, r.toks[o.end-1].End, ")"+o.suffix)
}

// castAs is the index of the AS of the CAST whose parentheses are at open and
// end; open if there is none.
func (r *pgRewriter) castAs(open, end int) int {
	depth := 0
	for i := end - 1; i > open; i-- {
		switch t := r.toks[i]; {
		case t.isPunct(")"):
			depth++
		case t.isPunct("("):
			depth--
		case depth == 0 && t.is("as"):
			return i
		}
	}
	return open
}

// typedLiteral deals with type 'string', as regclass 'pg_type'; literal is
// the index of the string.
func (r *pgRewriter) typedLiteral(first, literal int, parts []string) bool {
	name := parts[len(parts)-1]
	switch {
	case objectType(name):
		o := r.objectCast(pgTypeName{name: name}, first, literal+1)
		r.edits.Replace(r.toks[first].Start, r.toks[literal-1].End, "memory.pgc."+o.function+"(")
		r.edits.Replace(r.toks[literal].End, r.toks[o.end-1].End, ")"+o.suffix)
		r.operand[o.end] = first
		r.i = o.end
		return true
	case len(parts) == 2 && parts[0] == "pg_catalog":
		r.edits.Replace(r.toks[first].Start, r.toks[literal-1].End, name)
		r.i = literal + 1
		return true
	}
	return false
}

// isTextArray reports whether ::text[] stands at i.
func (r *pgRewriter) isTextArray(i int) bool {
	if !r.token(i).isPunct("::") {
		return false
	}
	t, ok := r.typeAt(i + 1)
	return ok && t.array && t.name == "text"
}

// plainType gives a type DuckDB's name.
func (r *pgRewriter) plainType(t pgTypeName) {
	name := plainCatalogType(t.name)
	if objectType(t.name) {
		name = "INTEGER"
	}
	last := t.end
	for i := t.first; i < t.end; i++ {
		if r.toks[i].isPunct("(") || r.toks[i].isPunct("[") || r.toks[i].is("varying") || r.toks[i].is("precision") {
			last = i
			break
		}
	}
	switch {
	case name != "":
		r.edits.Replace(r.toks[t.first].Start, r.toks[last-1].End, name)
	case r.toks[t.first].Text == "pg_catalog" && last > t.first+2:
		r.edits.Delete(r.toks[t.first].Start, r.toks[t.first+2].Start)
	}
}

// columnPrinter is the opening of the call that prints what is cast to text and
// has a type that DuckDB does not know: a catalog column that is a regproc,
// regtype or vector, and the result of a to_reg… function.
func (r *pgRewriter) columnPrinter(t pgTypeName, operand, colons int) string {
	if !r.reads || !t.isText() || !r.toks[operand].isIdent() {
		return ""
	}
	if parts, open := r.chain(operand); r.token(open).isPunct("(") && r.closing(open) == colons-1 && strings.HasPrefix(parts[len(parts)-1], "to_reg") {
		return namePrinter(parts[len(parts)-1])
	}
	if !r.toks[colons-1].isIdent() {
		return ""
	}
	column := r.toks[colons-1].Text
	if pgType := r.c.columnType(column, "INTEGER"); pgType == "regproc" || pgType == "regtype" {
		return "memory.pgc." + pgType + "_name("
	}
	if r.c.isVector(column) {
		return "memory.pgc._vector_text("
	}
	return ""
}

// A pgObjectCast is what a cast to an object's type becomes: function(operand)
// and the suffix. A cast that follows is taken over: end is the index after it.
type pgObjectCast struct {
	function, suffix string
	end              int
}

// objectCast decides what the cast of the operand at an index to t means; end
// is the index after it. It is the OID, but the name where it is cast on to
// text, and where it is a result column.
func (r *pgRewriter) objectCast(t pgTypeName, operand, end int) pgObjectCast {
	printer, oid := t.name+"_text", t.name
	if r.isOIDColumn(operand) {
		oid = "_oid"
		if r.c.hasFunction(t.name + "_name") {
			printer = t.name + "_name"
		}
	}
	if r.token(end).isPunct("::") {
		switch next, _ := r.typeAt(end + 1); {
		case next.isText():
			return pgObjectCast{function: printer, end: next.end}
		case next.name == "oid" && !next.array:
			return pgObjectCast{function: oid, suffix: "::INTEGER", end: next.end}
		case next.isNumber():
			return pgObjectCast{function: oid, suffix: "::BIGINT", end: next.end}
		}
	}
	if r.isResult(operand, end) {
		return pgObjectCast{function: printer, end: end}
	}
	return pgObjectCast{function: oid, end: end}
}

// isOIDColumn reports whether the operand that starts at i is a catalog column
// that holds an OID.
func (r *pgRewriter) isOIDColumn(i int) bool {
	if !r.reads || !r.token(i).isIdent() {
		return false
	}
	parts, end := r.chain(i)
	return r.token(end).isPunct("::") && r.c.columnType(parts[len(parts)-1], "INTEGER") != ""
}

// isResult reports whether toks[first:end] is a whole item of the outermost
// select list. The branches of a UNION must agree on a type, so there it is
// not taken for one.
func (r *pgRewriter) isResult(first, end int) bool {
	if !r.scope.list[first] || r.scope.depth[first] > 0 || r.scope.sets {
		return false
	}
	before, after := r.token(first-1), r.token(end)
	starts := before.isPunct(",") || before.is("select") || before.is("distinct") || before.is("all")
	ends := after.Kind == TokenEnd || after.isPunct(",") || after.isPunct(";") || after.is("from") || after.is("as") ||
		after.Kind == TokenQuoted || after.Kind == TokenWord && !isReserved(after.Text) && !infixWord(after.Text)
	return starts && ends
}

// infixWord reports whether the word, not a reserved one, goes on with an
// expression.
func infixWord(word string) bool {
	switch word {
	case "is", "like", "ilike", "between", "isnull", "notnull", "similar", "overlaps":
		return true
	}
	return false
}

// open puts text before the token at i, outside of what is there already.
func (r *pgRewriter) open(i int, text string) {
	at := r.toks[i].Start
	r.opened[at] = text + r.opened[at]
}

// operandStart is the index of the first token of the operand that ends before
// the token at end.
func (r *pgRewriter) operandStart(end int) int {
	if start, ok := r.operand[end]; ok {
		return start
	}
	i := end - 1
	switch t := r.token(i); {
	case t.isPunct(")"):
		return r.callStart(r.opening(i))
	case t.isPunct("]"):
		open := r.opening(i)
		if r.token(open - 1).is("array") {
			return open - 1
		}
		return r.operandStart(open)
	case t.is("end"):
		return r.caseStart(i)
	case t.isIdent():
		return r.chainStart(i)
	}
	return max(i, 0)
}

// callStart is the start of the call whose parenthesis is at open; open itself
// if it is none.
func (r *pgRewriter) callStart(open int) int {
	switch before := r.token(open - 1); {
	case before.is("array"), before.is("cast"), before.is("exists"):
		return open - 1
	case before.isIdent() && (before.Kind == TokenQuoted || !isReserved(before.Text)):
		return r.chainStart(open - 1)
	}
	return open
}

func (r *pgRewriter) chainStart(i int) int {
	for r.token(i-1).isPunct(".") && r.token(i-2).isIdent() {
		i -= 2
	}
	return i
}

func (r *pgRewriter) caseStart(end int) int {
	depth := 0
	for i := end; i > 0; i-- {
		switch {
		case r.toks[i].is("end"):
			depth++
		case r.toks[i].is("case"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// opening is the index of the parenthesis or bracket that the one at end
// closes; 0 if there is none.
func (r *pgRewriter) opening(end int) int {
	depth := 0
	for i := end; i > 0; i-- {
		switch t := r.toks[i]; {
		case t.isPunct(")"), t.isPunct("]"):
			depth++
		case t.isPunct("("), t.isPunct("["):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}
