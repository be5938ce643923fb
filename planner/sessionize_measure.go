package planner

import (
	"context"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/sessionop"
)

// A measure is one aggregate of a call. Its text is the user's, with the order
// of events put in where an aggregate depends on it.
type measure struct {
	name    string
	at      int   // where it stands in the statement
	expr    Range // its text; empty for an inferred one
	sql     string
	columns []catalog.Column // of the source that it names

	// Where the measure is exactly one aggregate that may be carried: its
	// name and what it takes of each row.
	aggregate string
	input     string
	fallible  bool // computing the input may fail
}

// readMeasures finds the columns that the measures name.
func (r *resolver) readMeasures(context.Context) error {
	for _, a := range r.call.Measures {
		m := &measure{name: a.Name.Name, at: a.Name.Range.Start, expr: a.Value}
		if err := r.checkMeasure(m); err != nil {
			return err
		}
		r.nameColumns(m)
		r.measures = append(r.measures, m)
	}
	return nil
}

// checkMeasure refuses what no aggregate of one session's rows can have.
func (r *resolver) checkMeasure(m *measure) error {
	toks := r.st.tokensIn(m.expr)
	for i, t := range toks {
		switch {
		case t.is("select"):
			return errorAt(r.st.SQL, t.Start, codeUnsupported, "a measure cannot have a subquery").
				WithHint("Join SESSIONIZE's result with the other relation instead.")
		case t.is("over") && i > 0 && toks[i-1].isPunct(")"):
			return errorAt(r.st.SQL, t.Start, "42P20", "a measure cannot be a window function").
				WithHint("Use window functions in the query around SESSIONIZE.")
		}
	}
	return nil
}

// nameColumns notes the columns that the measure names and takes the source's
// own name off them, since they are read from a subquery.
func (r *resolver) nameColumns(m *measure) {
	seen := map[string]bool{}
	for _, c := range r.chainsIn(m.expr) {
		i := 0
		if _, ok := r.find(c.Parts[0]); !ok {
			i = r.qualifiers(c)
		}
		if i < 0 || i == 0 && c.Call && len(c.Parts) == 1 {
			continue
		}
		col, ok := r.find(c.Parts[i])
		if !ok || seen[col.Name] {
			continue
		}
		seen[col.Name] = true
		r.measured[strings.ToLower(col.Name)] = true
		m.columns = append(m.columns, col)
	}
}

// chainsIn are the identifier chains within a range.
func (r *resolver) chainsIn(in Range) []Chain {
	part := &Statement{SQL: r.st.SQL, Tokens: r.st.tokensIn(in)}
	return part.Identifiers()
}

// qualifiers cuts the source's name off a column and returns the column's
// place in the chain, or -1 when the chain means something else.
func (r *resolver) qualifiers(c Chain) int {
	for i := 1; i < len(c.Parts); i++ {
		if _, ok := r.find(c.Parts[i]); ok && c.Parts[i-1] == r.call.Table.Last() {
			toks := r.st.tokensIn(c.Range)
			r.edits.Delete(c.Range.Start, toks[2*i].Start)
			return i
		}
	}
	return -1
}

// typeMeasures finishes the measures once the contract is known: their order,
// their types, and which of them can be carried.
func (r *resolver) typeMeasures(ctx context.Context) error {
	c := r.contract
	seen := map[string]bool{}
	for _, m := range r.measures {
		for _, col := range m.columns {
			if !seen[col.Name] {
				seen[col.Name] = true
				c.Values = append(c.Values, contractColumn(col))
			}
		}
	}
	for _, m := range r.measures {
		if m.sql == "" {
			r.finish(m)
		}
		c.Measures = append(c.Measures, catalog.ContractMeasure{Name: m.name, SQL: m.sql})
	}
	if len(c.Measures) == 0 {
		return nil
	}
	if err := r.resultTypes(ctx); err != nil {
		return err
	}
	return r.carry(ctx)
}

// finish writes the measure's SQL.
func (r *resolver) finish(m *measure) {
	order := r.orderSQL()
	for _, c := range r.chainsIn(m.expr) {
		if c.Call && orderMatters(c.Last()) {
			r.orderCall(c, order)
		}
	}
	m.sql = r.edits.Slice(m.expr.Start, m.expr.End)
	r.readAggregate(m)
}

// orderSQL is the order in which a session's events are seen: by event time,
// ties by id, or by the values that tell rows apart.
func (r *resolver) orderSQL() string {
	c := r.contract
	cols := append([]catalog.ContractColumn{c.EventTime}, c.IDs...)
	if len(c.IDs) == 0 {
		cols = append(cols, c.Keys...)
		if c.Partition != nil {
			cols = append(cols, *c.Partition)
		}
		cols = append(cols, c.Values...)
	}
	terms := make([]string, 0, len(cols))
	seen := map[string]bool{}
	for _, col := range cols {
		if !seen[col.SQL] {
			seen[col.SQL] = true
			terms = append(terms, col.SQL)
		}
	}
	return strings.Join(terms, ", ")
}

// orderCall puts the order into an aggregate that the user gave none. Over
// DISTINCT values DuckDB orders by the values alone.
func (r *resolver) orderCall(c Chain, order string) {
	p := &parser{sql: r.st.SQL, toks: r.st.Tokens}
	for p.pos < len(p.toks) && p.peek().Start < c.Range.End {
		p.pos++
	}
	p.next()
	distinct := p.accept("distinct")
	first := p.scan(func(p *parser) bool { return p.peek().isPunct(",") || p.at("order", "by") })
	p.scan(func(p *parser) bool { return p.at("order", "by") })
	if first.Empty() || !p.peek().isPunct(")") || p.ahead(1).is("within") {
		return
	}
	if distinct {
		order = r.edits.Slice(first.Start, first.End)
	}
	r.edits.Insert(p.peek().Start, " ORDER BY "+order)
}

// orderMatters reports whether the aggregate's result depends on the order of
// its rows.
func orderMatters(name string) bool {
	switch name {
	case "list", "array_agg", "string_agg", "group_concat", "listagg",
		"first", "last", "any_value", "arbitrary", "mode",
		"arg_min", "argmin", "min_by", "arg_min_null", "arg_max", "argmax", "max_by", "arg_max_null",
		"json_group_array", "json_group_object", "json_group_structure", "jsonb_agg", "json_agg",
		"approx_quantile", "approx_top_k", "reservoir_quantile":
		return true
	}
	return false
}

// readAggregate recognises a measure that is one plain aggregate, with a
// FILTER at most.
func (r *resolver) readAggregate(m *measure) {
	p := r.st.parserIn(m.expr)
	n, err := p.name()
	if err != nil || !p.acceptPunct("(") {
		return
	}
	star := p.acceptPunct("*") || p.peek().isPunct(")")
	arg := p.scan(func(p *parser) bool { return p.peek().isPunct(",") || p.at("order", "by") })
	if !p.acceptPunct(")") || !star && (arg.Empty() || r.st.tokensIn(arg)[0].is("distinct")) || star && n.Last() != "count" {
		return
	}
	input := "1"
	if !star {
		input = "(" + r.edits.Slice(arg.Start, arg.End) + ")"
		m.fallible = !r.isColumn(arg)
	}
	if p.accept("filter") {
		if input = filtered(p, r.edits, input); input == "" {
			return
		}
		m.fallible = true
	}
	if p.done() && !orderMatters(n.Last()) {
		m.aggregate, m.input = n.Last(), input
	}
}

// isColumn reports whether an expression is a column of the source and no more.
func (r *resolver) isColumn(expr Range) bool {
	chains := r.chainsIn(expr)
	if len(chains) != 1 || chains[0].Call || chains[0].Range != expr {
		return false
	}
	last := len(chains[0].Parts) - 1
	_, ok := r.find(chains[0].Parts[last])
	return ok && (last == 0 || chains[0].Parts[last-1] == r.call.Table.Last())
}

// filtered reads (WHERE condition) and applies it to the input.
func filtered(p *parser, edits *Edits, input string) string {
	if !p.acceptPunct("(") || !p.accept("where") {
		return ""
	}
	condition := p.scan(nil)
	if condition.Empty() || !p.acceptPunct(")") {
		return ""
	}
	return "CASE WHEN " + edits.Slice(condition.Start, condition.End) + " THEN " + input + " END"
}

// resultTypes asks DuckDB for the types of the measures; an error points at
// the measure that it is about.
func (r *resolver) resultTypes(ctx context.Context) error {
	list := make([]string, len(r.measures))
	for i, m := range r.measures {
		list[i] = m.sql
	}
	cols, err := r.describe(ctx, append([]string{"count(*)"}, list...))
	if err != nil {
		return r.blame(ctx, err)
	}
	for i := range r.contract.Measures {
		r.contract.Measures[i].Type = cols[i+1].Type.Name
	}
	return nil
}

func (r *resolver) describe(ctx context.Context, exprs []string) ([]catalog.Column, error) {
	return r.env.Describe(ctx, r.with+"SELECT "+strings.Join(exprs, ", ")+" FROM "+r.contract.Source+" AS source")
}

// blame finds the measure that err is about and points at it.
func (r *resolver) blame(ctx context.Context, err error) error {
	for _, m := range r.measures {
		_, one := r.describe(ctx, []string{"count(*)", m.sql})
		switch {
		case one == nil:
		case m.expr.Empty():
			return one
		default:
			text := r.edits.apply(m.expr.Start, m.expr.End)
			return relocate(one, len(r.with+"SELECT count(*), "), text)
		}
	}
	return err
}

// carry marks the measures that the operator can carry.
func (r *resolver) carry(ctx context.Context) error {
	var inputs []string
	var of []int
	for i, m := range r.measures {
		if m.aggregate != "" && (!m.fallible || r.canFail(ctx, m)) {
			inputs, of = append(inputs, m.input), append(of, i)
		}
	}
	if len(inputs) == 0 {
		return nil
	}
	cols, err := r.describe(ctx, inputs)
	if err != nil {
		return err
	}
	for j, i := range of {
		kind, ok := catalog.CarriedMeasure(r.measures[i].aggregate, cols[j].Type)
		if !ok {
			continue
		}
		if inputs[j] == "1" {
			kind = sessionop.CountRows
		}
		out := &r.contract.Measures[i]
		out.Carried, out.Measure, out.Input, out.Fallible = true, kind, inputs[j], r.measures[i].fallible
	}
	return nil
}

// canFail reports whether the input can be computed so that its failure is one
// of its values: DuckDB refuses that of what is not the same each time.
func (r *resolver) canFail(ctx context.Context, m *measure) bool {
	_, err := r.describe(ctx, []string{"TRY({'input': " + m.input + "})"})
	return err == nil
}
