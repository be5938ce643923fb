package planner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// expandSessionize puts the query that computes it in the place of every
// SESSIONIZE call of the statement. It returns what the calls were resolved to.
func (s *Statement) expandSessionize(ctx context.Context, edits *Edits, env SessionizeEnv) ([]*Resolved, error) {
	calls, err := s.SessionizeCalls()
	if err != nil {
		return nil, err
	}
	innermostFirst(calls)
	resolved := make([]*Resolved, 0, len(calls))
	for _, call := range calls {
		r, err := s.Resolve(ctx, call, edits, env)
		if err != nil {
			return nil, err
		}
		if r.AnsweredBy, err = s.answeringView(ctx, r, env); err != nil {
			return nil, err
		}
		resolved = append(resolved, r)
		query := r.Contract.AdHocSQL(r.Lengths)
		if r.AnsweredBy != nil {
			query = r.AnsweredBy.AnswerSQL()
		}
		edits.Replace(call.Range.Start, call.Range.End, "("+query+")"+s.defaultAlias(call))
	}
	return resolved, nil
}

// answeringView finds a maintained view whose rows are what the call computes;
// nil if there is none. What is stored, such as an ordinary view, computes.
func (s *Statement) answeringView(ctx context.Context, r *Resolved, env SessionizeEnv) (*catalog.View, error) {
	if env.Answers == nil || r.Table == nil || r.Lengths != (catalog.Lengths{}) || s.Kind != KindSelect && s.Kind != KindExplain {
		return nil, nil //nolint:nilnil // there is none
	}
	return env.Answers(ctx, *r.Table, r.Contract)
}

// innermostFirst orders the calls so that one within another, or one that a
// later one reads from, comes before it.
func innermostFirst(calls []*SessionizeCall) {
	slices.SortFunc(calls, func(a, b *SessionizeCall) int { return cmp.Compare(a.Range.End, b.Range.End) })
}

// defaultAlias names the result as Postgres names that of a function, by the
// function, unless an alias is written.
func (s *Statement) defaultAlias(call *SessionizeCall) string {
	p := &parser{sql: s.SQL, toks: s.Tokens, pos: call.Tail}
	if p.at("as") || p.peek().Kind == TokenQuoted || p.peek().Kind == TokenWord && !followsTable(p.peek().Text) {
		return ""
	}
	return " AS sessionize"
}

// followsTable reports whether the word goes on after a relation, so that it is no
// alias of it.
func followsTable(word string) bool {
	switch word {
	case "natural", "join", "inner", "left", "right", "full", "cross", "semi", "anti", "asof", "positional",
		"tablesample", "qualify", "pivot", "unpivot", "sample", "set":
		return true
	}
	return isReserved(word)
}

// A MaintainedQuery is the query of a CREATE MATERIALIZED VIEW, taken apart.
type MaintainedQuery struct {
	Contract *catalog.Contract
	Outer    string // the query with catalog.SessionizePlaceholder for the call
	Notice   string
}

// Maintained resolves the query of a materialized view, which reads one
// SESSIONIZE call whose source reads one table row by row. The edits are of
// this statement alone and empty; rewritePostgres's come first.
func (s *Statement) Maintained(ctx context.Context, query Range, edits *Edits, env SessionizeEnv) (*MaintainedQuery, error) {
	calls, err := s.SessionizeCalls()
	if err != nil {
		return nil, err
	}
	switch {
	case len(calls) == 0:
		return nil, errorAt(s.SQL, query.Start, codeUnsupported, "a materialized view must read from SESSIONIZE").
			WithHint("Write CREATE MATERIALIZED VIEW … AS SELECT * FROM SESSIONIZE(…), or CREATE VIEW for any other query.")
	case len(calls) > 1:
		return nil, errorAt(s.SQL, calls[1].Range.Start, codeUnsupported, "a materialized view reads from one SESSIONIZE call only").
			WithHint("Create one view for each, and an ordinary view that reads from both.")
	case s.Params > 0:
		return nil, errorAt(s.SQL, query.Start, "42P02", "a materialized view cannot have parameters").WithHint("Write the values.")
	}
	call := calls[0]
	base, err := s.baseOf(ctx, call, env)
	if err != nil {
		return nil, err
	}
	if err := s.rewritePostgres(edits, env.Catalog); err != nil {
		return nil, err
	}
	r, err := s.Resolve(ctx, call, edits, env)
	if err != nil {
		return nil, err
	}
	s.readBase(r.Contract, call, base, edits)
	edits.Replace(call.Range.Start, call.Range.End, catalog.SessionizePlaceholder+s.defaultAlias(call))
	return &MaintainedQuery{Contract: r.Contract, Outer: edits.Slice(query.Start, query.End), Notice: r.Notice}, nil
}

// A baseTable is the table that a maintained source reads, where it stands.
type baseTable struct {
	name  Name
	alias string
	facts *SourceFacts
}

// baseOf finds the one table that the source reads.
func (s *Statement) baseOf(ctx context.Context, call *SessionizeCall, env SessionizeEnv) (*baseTable, error) {
	base := &baseTable{name: call.Table, alias: call.Table.Last()}
	if !call.Query.Empty() {
		var err error
		if base, err = s.rowSource(call); err != nil {
			return nil, err
		}
	}
	facts, err := env.Table(ctx, base.name)
	if err != nil {
		return nil, err
	}
	if facts == nil || !facts.Writable {
		return nil, errorAt(s.SQL, base.name.Range.Start, codeUnsupported, "\"%s\" is not a table that a materialized view can follow", base.name.Last()).
			WithHint("The source of a materialized view is a permanent table, or (SELECT … FROM table WHERE …).")
	}
	base.facts = facts
	return base, nil
}

// readBase fills in where the contract's rows come from.
func (s *Statement) readBase(c *catalog.Contract, call *SessionizeCall, base *baseTable, edits *Edits) {
	c.Base = base.facts.Table
	if call.Query.Empty() {
		c.Plain, c.Source = true, c.Base.SQL()
		return
	}
	text := catalog.BasePlaceholder
	if base.alias == "" {
		text += " AS " + quoteIdent(base.name.Last())
	}
	inner := *edits
	inner.list = slices.Clone(edits.list)
	inner.Replace(base.name.Range.Start, base.name.Range.End, text)
	c.Project = inner.Slice(call.Source.Start, call.Source.End)
	c.Source = strings.ReplaceAll(c.Project, catalog.BasePlaceholder, c.Base.SQL())
}

// rowSource checks that the source's query reads one table row by row: each of
// its rows comes from one row of the table and depends on nothing else.
func (s *Statement) rowSource(call *SessionizeCall) (*baseTable, error) {
	p := s.parserIn(call.Query)
	refuse := func() (*baseTable, error) {
		return nil, errorAt(s.SQL, p.peek().Start, codeUnsupported, "a materialized view cannot follow this query").
			WithHint("Its source must read one table row by row: (SELECT expressions FROM table WHERE condition).")
	}
	if !p.accept("select") {
		return refuse()
	}
	if p.atAny("distinct") {
		return refuse()
	}
	p.scanTo("from", "where", "group", "union", "limit", "order")
	if !p.accept("from") {
		return refuse()
	}
	base := &baseTable{}
	var err error
	if base.name, err = p.name(); err != nil {
		return refuse()
	}
	if p.accept("as") || p.peek().isIdent() && !followsTable(p.peek().Text) {
		base.alias = p.next().Text
	}
	if p.accept("where") {
		p.scanTo("group", "having", "window", "union", "intersect", "except", "order", "limit", "offset", "fetch", "for", "qualify", "using")
	}
	if !p.done() {
		return refuse()
	}
	if at, ok := s.notRowByRow(call.Query); !ok {
		p.pos = at
		return refuse()
	}
	return base, nil
}

// notRowByRow finds a token of the query after which a row would depend on
// more than one row of the table: a subquery, an aggregate with OVER, a
// function that makes rows or differs from call to call. It returns the
// token's place within the query; ok is true when there is none.
func (s *Statement) notRowByRow(query Range) (at int, ok bool) {
	toks := s.tokensIn(query)
	for i, t := range toks[1:] {
		call := i+2 < len(toks) && toks[i+2].isPunct("(")
		switch {
		case t.is("select"), t.is("over"), t.isIdent() && call && volatileOrSet(t.Text):
			return i + 1, false
		case t.Kind == TokenWord && clockWord(t.Text) && !toks[i].isPunct("."):
			return i + 1, false
		}
	}
	return 0, true
}

// volatileOrSet reports whether the function makes several rows of one, makes
// one of several, or does not always give the same result.
func volatileOrSet(function string) bool {
	switch function {
	case "now", "clock_timestamp", "statement_timestamp", "transaction_timestamp", "timeofday", "today", "get_current_timestamp",
		"random", "setseed", "uuid", "gen_random_uuid", "uuidv4", "uuidv7", "nextval", "currval", "txid_current", "version",
		"unnest", "generate_series", "generate_subscripts", "range", "regexp_split_to_table", "json_each", "json_tree",
		"count", "sum", "avg", "min", "max", "list", "array_agg", "string_agg", "first", "last", "any_value":
		return true
	}
	return false
}

// clockWord reports whether the word alone depends on the session or the clock.
func clockWord(word string) bool {
	switch word {
	case "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "current_user", "session_user", "user", "current_role", "current_schema":
		return true
	}
	return false
}
