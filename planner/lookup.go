package planner

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// A query that asks a maintained view for given keys,
//
//	SELECT … FROM visits WHERE account_id = 'a' AND …
//	SELECT … FROM visits AS v JOIN … WHERE v.account_id IN ($1, $2)
//
// reads the rows of these keys alone: the view's name is replaced by its query
// over the sessions that the operator's state has of them. The condition stays
// where it is, so that a row too many does no harm.

// maxLookupKeys bounds the keys that a lookup is made for.
const maxLookupKeys = 100

// A lookup is a view in the FROM clause of a query whose WHERE gives its keys.
type lookup struct {
	view *catalog.View
	at   Range       // of the view's name
	tail int         // the token after it
	keys [][]Literal // the values of each key column
}

// lookups finds the views that the statement asks for given keys; views tells
// the maintained view that a name means.
func (s *Statement) lookups(views func(Name) (*catalog.View, bool)) []lookup {
	if !slices.ContainsFunc(s.Tokens, func(t Token) bool { return t.is("where") }) {
		return nil
	}
	var found []lookup
	scope := scopeOf(s.Tokens)
	for i := range s.Tokens {
		if !scope.table[i] || !s.Tokens[i].isIdent() {
			continue
		}
		p := &parser{sql: s.SQL, toks: s.Tokens, pos: i}
		name, err := p.name()
		if err != nil || s.definesCTE(name) {
			continue
		}
		if v, ok := views(name); ok {
			item := fromItem{st: s, scope: scope, first: i, end: p.pos, name: name.Last()}
			if keys, ok := item.keysGiven(v); ok {
				found = append(found, lookup{view: v, at: name.Range, tail: p.pos, keys: keys})
			}
		}
	}
	return found
}

// definesCTE reports whether the name may be that of a common table expression.
func (s *Statement) definesCTE(name Name) bool {
	if name.Schema() != "" {
		return false
	}
	for i, t := range s.Tokens {
		if i > 0 && t.isIdent() && t.Text == name.Last() && (s.Tokens[i-1].is("with") || s.Tokens[i-1].is("recursive") || s.Tokens[i-1].isPunct(",")) &&
			i+1 < len(s.Tokens) && (s.Tokens[i+1].is("as") && i+2 < len(s.Tokens) && opensBody(s.Tokens[i+2]) || s.Tokens[i+1].isPunct("(")) {
			return true
		}
	}
	return false
}

// opensBody reports whether the token after AS begins the query of a common
// table expression, and is no alias.
func opensBody(t Token) bool { return t.isPunct("(") || t.is("materialized") || t.is("not") }

// A fromItem is a relation in a FROM clause.
type fromItem struct {
	st         *Statement
	scope      *pgScope
	first, end int // its tokens
	name       string
}

// keysGiven returns the values that WHERE gives for every key column of the
// view.
func (f *fromItem) keysGiven(v *catalog.View) ([][]Literal, bool) {
	if !keepsKeys(v) || f.st.at(f.end).isPunct("(") || f.st.at(f.end).is("at") && f.st.at(f.end+1).isPunct("(") {
		return nil, false
	}
	if alias := tableAlias(f.st.Tokens, f.end); alias >= 0 {
		if f.name = f.st.Tokens[alias].Text; f.st.at(alias + 1).isPunct("(") {
			return nil, false
		}
	}
	conditions := f.conditions()
	keys, product := make([][]Literal, len(v.Contract.Keys)), 1
	for i, k := range v.Contract.Keys {
		for _, c := range conditions {
			if values := f.valuesOf(c, k.Name); len(values) > 0 {
				keys[i] = values
				break
			}
		}
		product *= len(keys[i])
		if product == 0 || product > maxLookupKeys {
			return nil, false
		}
	}
	return keys, true
}

// keepsKeys reports whether the query around the view's SESSIONIZE call gives
// the key columns as they are: it begins with SELECT * and names none again.
func keepsKeys(v *catalog.View) bool {
	toks, err := Lex(strings.ReplaceAll(v.Outer, catalog.SessionizePlaceholder, "sessions"))
	if err != nil {
		return false
	}
	toks = significant(toks)
	if len(toks) < 3 || !toks[0].is("select") || toks[1].Text != "*" || !toks[2].is("from") && !toks[2].isPunct(",") {
		return false
	}
	for i, t := range toks[3:] {
		aliases := t.isIdent() && !toks[i+2].isPunct(".")
		if aliases && slices.ContainsFunc(v.Contract.Keys, func(k catalog.ContractColumn) bool { return strings.EqualFold(k.Name, t.Text) }) {
			return false
		}
	}
	return true
}

// at is token i, or none.
func (s *Statement) at(i int) Token {
	if i < 0 || i >= len(s.Tokens) {
		return Token{}
	}
	return s.Tokens[i]
}

// conditions are the conditions that WHERE joins by AND; none if an OR makes
// one of all.
func (f *fromItem) conditions() [][]Token {
	depth := f.scope.depth[f.first]
	where := f.find(f.end, depth, func(t Token) bool { return t.is("where") || endsWhere(t) })
	if !f.st.at(where).is("where") {
		return nil
	}
	end := f.find(where+1, depth, endsWhere)
	var list [][]Token
	from, between, cases := where+1, 0, 0
	for i := where + 1; i < end; i++ {
		t := f.st.Tokens[i]
		switch {
		case f.scope.depth[i] > depth:
		case t.is("case"):
			cases++
		case t.is("end"):
			cases--
		case cases > 0:
		case t.is("or"):
			return nil
		case t.is("between"):
			between++
		case t.is("and") && between > 0:
			between--
		case t.is("and"):
			list = append(list, f.st.Tokens[from:i])
			from = i + 1
		}
	}
	return append(list, f.st.Tokens[from:end])
}

// find returns the first token from i on at the depth that stop holds for, or
// where its parentheses end.
func (f *fromItem) find(i, depth int, stop func(Token) bool) int {
	for ; i < len(f.st.Tokens) && (f.scope.depth[i] > depth || f.scope.depth[i] == depth && !stop(f.st.Tokens[i])); i++ {
		if f.scope.depth[i] == depth && f.st.Tokens[i].isPunct(")") {
			return i
		}
	}
	return i
}

// endsWhere reports whether the word begins what follows a WHERE clause.
func endsWhere(t Token) bool {
	switch t.Text {
	case "group", "having", "order", "limit", "offset", "fetch", "window", "qualify", "union", "intersect", "except", "returning", "for", "select":
		return t.Kind == TokenWord
	default:
		return t.isPunct(";")
	}
}

// valuesOf are the constants that the condition gives for a column of the item:
// column = constant, or column IN (constants).
func (f *fromItem) valuesOf(condition []Token, column string) []Literal {
	rest, ok := f.afterColumn(condition, column)
	switch {
	case !ok:
		return nil
	case len(rest) > 1 && rest[0].isPunct("="):
		return literals(rest[1:])
	case len(rest) > 3 && rest[0].is("in") && rest[1].isPunct("(") && rest[len(rest)-1].isPunct(")"):
		return literals(rest[2 : len(rest)-1])
	default:
		return nil
	}
}

// afterColumn is what follows the column in a condition that begins with it.
// Where the item is not alone in its FROM clause, the column must be qualified.
func (f *fromItem) afterColumn(condition []Token, column string) (rest []Token, ok bool) {
	if len(condition) > 2 && condition[1].isPunct(".") {
		if !condition[0].isIdent() || condition[0].Text != f.name {
			return nil, false
		}
		condition = condition[2:]
	} else if !f.alone() {
		return nil, false
	}
	if len(condition) == 0 || !condition[0].isIdent() || !strings.EqualFold(condition[0].Text, column) {
		return nil, false
	}
	return condition[1:], true
}

// alone reports whether the item is the only one of its FROM clause.
func (f *fromItem) alone() bool {
	depth, items := f.scope.depth[f.first], 0
	end := f.find(f.end, depth, func(t Token) bool { return t.is("where") })
	from := f.first
	for from > 0 && (f.scope.depth[from] != depth || !f.st.Tokens[from].is("from")) {
		from--
	}
	for i := from; i < end; i++ {
		if f.scope.table[i] {
			items++
		}
	}
	return items == 1
}

// literals are constants between commas; nil if there is anything else.
func literals(toks []Token) []Literal {
	var list []Literal
	from := 0
	for i := range len(toks) + 1 {
		if i < len(toks) && !toks[i].isPunct(",") {
			continue
		}
		l := constant(toks[from:i])
		if l == nil {
			return nil
		}
		list, from = append(list, *l), i+1
	}
	return list
}

// maintained finds the view that a name means, as outdated does.
func (s *session) maintained(name Name) (*catalog.View, bool) {
	if s.isTemp(name) {
		return nil, false
	}
	return s.findView(tableName(name))
}

// find asks the operator's state for the sessions of the keys. It must be
// called before the statement's snapshot is taken. ok is false if the view had
// better be scanned.
func (s *session) find(l *lookup, args []wire.Value) (f catalog.Found, ok bool) {
	keys := []string{""}
	for i, k := range l.view.Contract.Keys {
		var longer []string
		for _, literal := range l.keys[i] {
			value, ok := keyValue(k.Type, literal, args)
			if !ok {
				return catalog.Found{}, false
			}
			for _, key := range keys {
				longer = append(longer, key+catalog.KeyText([]string{value}))
			}
		}
		keys = longer
	}
	slices.Sort(keys)
	return s.engine.store.Find(l.view, slices.Compact(keys))
}

// keyValue is a constant as DuckDB prints it in a key column of the type; ok is
// false where it is for DuckDB to compare them.
func keyValue(typ string, l Literal, args []wire.Value) (string, bool) {
	text, number := l.Text, l.Kind == LiteralNumber
	if l.Kind == LiteralParam {
		arg := args[l.Param-1]
		_, number = arg.(int64)
		if _, isText := arg.(string); !isText && !number && typ != "UUID" {
			return "", false
		}
		text = valueText(arg)
	} else if l.Kind != LiteralString && !number {
		return "", false
	}
	switch typ {
	case "VARCHAR":
		return text, !number
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT":
		n, err := strconv.ParseInt(text, 10, 64)
		return strconv.FormatInt(n, 10), err == nil
	case "UUID":
		u, err := wire.ParseUUID([]byte(text))
		return valueText(u), err == nil
	default:
		return "", false
	}
}

// finds asks for the keys of the lookups, by their positions; those that had
// better be scanned for are not in it. The statement's snapshot must be taken
// after the call: later is as good, as what was published since is read too.
func (s *session) finds(lookups []lookup, args []wire.Value) map[int]catalog.Found {
	found := map[int]catalog.Found{}
	if s.txn.write != nil || s.txn.snapshot {
		return found // the state may have gone on since
	}
	for i := range lookups {
		if f, ok := s.find(&lookups[i], args); ok {
			found[i] = f
		}
	}
	return found
}

// pruning returns the edits that make use of what was found; nil if nothing is
// gained.
func pruning(lookups []lookup, found map[int]catalog.Found) func(*rewritten) {
	if len(found) == 0 {
		return nil
	}
	return func(r *rewritten) {
		if r.catalogs {
			return // its text is not the one that was searched
		}
		for i, f := range found {
			l := &lookups[i]
			r.edits.Replace(l.at.Start, l.at.End, "("+l.view.FoundSQL(f)+")"+r.statement.aliasFor(l.tail, l.view.Name.Name))
		}
	}
}

// prunesBetter reports whether a statement without parameters, which was planned
// with what was found then, had better be planned anew.
func (s *session) prunesBetter(lookups []lookup, found map[int]catalog.Found) bool {
	for i, now := range s.finds(lookups, nil) {
		if then, ok := found[i]; !ok || now.Spares(then) {
			return true
		}
	}
	return false
}

// runPruned answers a statement that gives keys as parameters; nil if it is to
// be run as it is.
func (s *session) runPruned(ctx context.Context, p *plan, st *Statement, lookups []lookup, args []wire.Value) (*execution, error) {
	prune := pruning(lookups, s.finds(lookups, args))
	if prune == nil {
		return nil, nil //nolint:nilnil // nothing is gained
	}
	text, err := s.rewriteWith(ctx, st, prune)
	if err != nil {
		return nil, err
	}
	stmt, err := s.prepareQuery(ctx, text, p.params)
	if err != nil {
		return nil, err
	}
	defer stmt.Close() // its result does not need it
	return s.runQuery(ctx, text, stmt, len(p.columns), args)
}
