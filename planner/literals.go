package planner

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// Postgres reads more spellings of times than DuckDB: without seconds, with
// the name of a zone, in ISO week form. A literal that DuckDB cannot read as
// the time it is compared with or assigned to is written again in the form
// that both know, if Postgres would have read it.

// maxLiterals bounds the tokens of the statements whose literals are written
// again: longer ones are made by programs, which write the usual forms.
const maxLiterals = 1_000_000

// respelled is the text with the literal or the operator that err speaks of
// written as DuckDB reads it; ok is false if err is about something else.
func (s *session) respelled(text *Rewritten, err error) (*Rewritten, bool) {
	var e *catalog.Error
	if !errors.As(err, &e) {
		return nil, false
	}
	if again, ok := respelledOperator(text, e); ok {
		return again, true
	}
	if e.SQLState() != "22007" && e.SQLState() != "22P02" && e.SQLState() != "22008" {
		return nil, false
	}
	tokens, lexErr := Lex(text.SQL)
	if lexErr != nil {
		return nil, false
	}
	edits := NewEdits(text.SQL)
	for _, t := range tokens {
		if list, ok := listMeant(t, e.Message); ok {
			edits.Replace(t.Start, t.End, quoteLiteral(list))
			continue
		}
		if t.Kind != TokenString || !strings.Contains(e.Message, `"`+t.Text+`"`) {
			continue
		}
		if spelled, ok := timeLiteral(t.Text, timeTypeNamed(e.Message), s.settings.location()); ok && spelled != t.Text {
			edits.Replace(t.Start, t.End, quoteLiteral(spelled))
		}
	}
	if edits.Empty() {
		return nil, false
	}
	again := edits.Apply()
	again.from = text
	return again, true
}

// listMeant is the text of a list for a literal that a conversion error says is
// none; ok is false if it is no array to Postgres either.
func listMeant(t Token, message string) (list string, ok bool) {
	if t.Kind != TokenString || !strings.Contains(t.Text, "{") || !strings.Contains(message, "'"+t.Text+"' can't be cast to the destination type") {
		return "", false
	}
	list, err := listLiteral(false, t.Text)
	return list, err == nil
}

// timeTypeNamed is the OID of the time type that a conversion error names.
func timeTypeNamed(message string) uint32 {
	switch {
	case strings.Contains(message, "with time zone"):
		return wire.OIDTimestampTZ
	case strings.Contains(message, "timestamp"):
		return wire.OIDTimestamp
	case strings.Contains(message, "date"):
		return wire.OIDDate
	default:
		return 0
	}
}

// timeLiteral spells a time as DuckDB reads it.
func timeLiteral(text string, oid uint32, loc *time.Location) (string, bool) {
	if oid == wire.OIDTimestamp { // the message may mean either type
		if v, err := wire.ParseText(wire.OIDTimestampTZ, text, loc); err == nil && strings.ContainsAny(text[min(10, len(text)):], "+-Zz") {
			return spell(v)
		}
	}
	v, err := wire.ParseText(oid, text, loc)
	if err != nil {
		return "", false
	}
	return spell(v)
}

func spell(v wire.Value) (string, bool) {
	switch v.(type) {
	case wire.Timestamp, wire.Date:
		return valueText(v), true
	default:
		return "", false
	}
}

// spellValues writes the literals in the VALUES of an INSERT and those that an
// UPDATE assigns as DuckDB reads them: there a conversion would fail only when
// the statement runs, or mean something else.
func (s *session) spellValues(ctx context.Context, st *Statement, edits *Edits) error {
	switch n := st.Node.(type) {
	case *InsertStmt:
		return s.spellInserted(ctx, st, n, edits)
	case *UpdateStmt:
		s.spellAssigned(ctx, st, n, edits)
	}
	return nil
}

// spellAssigned writes the literals that an UPDATE assigns.
func (s *session) spellAssigned(ctx context.Context, st *Statement, n *UpdateStmt, edits *Edits) {
	for _, item := range n.Set {
		toks := st.tokensIn(item.Expr)
		if item.Multi || len(toks) != 1 || toks[0].Kind != TokenString {
			continue
		}
		columns, err := s.tables.describe(ctx, s, "SELECT "+quoteIdent(item.Columns[0].Name)+" FROM "+n.Target.SQL())
		if err != nil {
			return // DuckDB reports what is wrong with the table, with its position
		}
		if text, ok := s.literalFor(columns[0].Type, toks[0].Text); ok {
			edits.Replace(toks[0].Start, toks[0].End, quoteLiteral(text))
		}
	}
}

// spellInserted writes the literals in the VALUES of an INSERT.
func (s *session) spellInserted(ctx context.Context, st *Statement, n *InsertStmt, edits *Edits) error {
	if n.Source != InsertValues || n.Body.Empty() {
		return nil
	}
	toks := st.tokensIn(n.Body)
	if len(toks) > maxLiterals {
		return nil
	}
	columns, err := s.insertColumns(ctx, n)
	if err != nil {
		return nil //nolint:nilerr // DuckDB reports what is wrong with the table, with its position
	}
	if given := rowItems(toks); len(n.Columns) == 0 && !n.ByName && given < len(columns) {
		edits.Insert(n.Body.Start, "("+columnList(columns[:given])+") ")
	}
	depth, item := 0, 0
	for i, t := range toks {
		switch {
		case t.isPunct("("):
			if depth++; depth == 1 {
				item = 0
			}
		case t.isPunct(")"):
			depth--
		case t.isPunct(",") && depth == 1:
			item++
		case t.Kind == TokenString && depth == 1 && item < len(columns) && wholeItem(toks, i):
			if text, ok := s.literalFor(columns[item].Type, t.Text); ok {
				edits.Replace(t.Start, t.End, quoteLiteral(text))
			}
		}
	}
	return nil
}

// rowItems is how many values the first row of VALUES has: where they are fewer
// than the columns, the others get their defaults.
func rowItems(toks []Token) int {
	depth, items := 0, 1
	for _, t := range toks {
		switch {
		case t.isPunct("("), t.isPunct("["):
			depth++
		case t.isPunct(")"), t.isPunct("]"):
			if depth--; depth == 0 {
				return items
			}
		case t.isPunct(",") && depth == 1:
			items++
		}
	}
	return items
}

func columnList(columns []catalog.Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = quoteIdent(c.Name)
	}
	return strings.Join(names, ", ")
}

// literalFor spells a literal for a column whose type DuckDB reads in another
// form than Postgres.
func (s *session) literalFor(t catalog.Type, text string) (string, bool) {
	switch t.ID {
	case catalog.TypeTimestamp, catalog.TypeTimestampTZ, catalog.TypeDate, catalog.TypeInterval, catalog.TypeBlob, catalog.TypeBoolean, catalog.TypeTime:
	case catalog.TypeList, catalog.TypeArray:
		if !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return "", false
		}
	default:
		return "", false
	}
	oid := oidOf(t)
	if oid == wire.OIDJSON { // of lists that Postgres has no type for
		oid = textArrayOID
	}
	v, err := wire.ParseText(oid, text, s.settings.location())
	if err != nil {
		return "", false // DuckDB may read it, or says what is wrong
	}
	return valueText(v), true
}

// wholeItem reports whether the token is all of an item of a row.
func wholeItem(toks []Token, i int) bool {
	return i > 0 && i+1 < len(toks) && (toks[i-1].isPunct("(") || toks[i-1].isPunct(",")) && (toks[i+1].isPunct(",") || toks[i+1].isPunct(")"))
}

// insertColumns are the columns that an INSERT gives values for, in order.
func (s *session) insertColumns(ctx context.Context, n *InsertStmt) ([]catalog.Column, error) {
	list := "*"
	if len(n.Columns) > 0 {
		names := make([]catalog.Column, len(n.Columns))
		for i, c := range n.Columns {
			names[i].Name = c.Name
		}
		list = columnList(names)
	}
	return s.tables.describe(ctx, s, "SELECT "+list+" FROM "+n.Target.SQL())
}

// maxDescribed bounds the tables that a session remembers the columns of.
const maxDescribed = 256

// described remembers the columns of tables, as long as no statement of any
// session has changed a relation.
type described struct {
	version int64 // of the engine's relations
	columns map[string][]catalog.Column
}

func (d *described) describe(ctx context.Context, s *session, query string) ([]catalog.Column, error) {
	version := s.engine.relations.Load()
	if d.columns == nil || d.version != version || len(d.columns) >= maxDescribed {
		d.version, d.columns = version, map[string][]catalog.Column{}
	}
	if columns, ok := d.columns[query]; ok {
		return columns, nil
	}
	stmt, err := s.conn.Prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	d.columns[query] = stmt.Columns()
	return stmt.Columns(), nil
}

// spellArrays writes the texts of arrays as lists where the statement takes them
// for arrays: DuckDB says so of a parameter that stands in the place of such a
// text. The error of the text itself would come only when the statement runs.
func (s *session) spellArrays(ctx context.Context, text *Rewritten) *Rewritten {
	tokens, err := Lex(text.SQL)
	if err != nil || len(tokens) > maxLiterals {
		return text
	}
	toks := significant(tokens)
	var found []Token
	params := 0
	for i, t := range toks {
		switch {
		case t.Kind == TokenParam:
			params = max(params, parameterNumber(t))
		case t.Kind == TokenString && strings.HasPrefix(t.Text, "{") && (i+1 == len(toks) || !toks[i+1].isPunct("::")):
			if _, _, ok := arrayLiteral(t.Text); ok {
				found = append(found, t)
			}
		}
	}
	if len(found) == 0 {
		return text
	}
	probe := NewEdits(text.SQL)
	for i, t := range found {
		probe.Replace(t.Start, t.End, "$"+strconv.Itoa(params+i+1))
	}
	stmt, err := s.conn.Prepare(ctx, probe.Apply().SQL)
	if err != nil {
		return text // what is wrong with the statement is said of itself
	}
	types := stmt.Params()
	stmt.Close()
	edits := NewEdits(text.SQL)
	for i, t := range found {
		if n := params + i; n < len(types) && len(types) == params+len(found) && types[n].Elem != nil {
			list, _, _ := arrayLiteralOf(holdsBytes(types[n]), t.Text)
			edits.Replace(t.Start, t.End, "CAST("+list+" AS "+types[n].Name+")")
		}
	}
	if edits.Empty() {
		return text
	}
	again := edits.Apply()
	again.from = text
	return again
}

// aliased is a table with the name by which the statement knows it.
func aliased(table Name, alias string) string {
	return tableName(table).SQL() + " AS " + quoteIdent(aliasOf(table, alias))
}

// aliasOf is that name.
func aliasOf(table Name, alias string) string {
	if alias == "" {
		return table.Last()
	}
	return alias
}
