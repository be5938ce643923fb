package planner

import (
	"context"
	"errors"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/sessionop"
	"github.com/sessiondb/sessiondb/wire"
)

// SessionizeEnv is what resolving a SESSIONIZE call asks of its surroundings.
type SessionizeEnv struct {
	// Catalog knows the functions that are ours.
	Catalog *PGCatalog
	// Describe gives the columns of a query without running it.
	Describe func(ctx context.Context, query string) ([]catalog.Column, error)
	// Table gives what is known of a relation beside its columns; nil for one
	// about which nothing is.
	Table func(ctx context.Context, name Name) (*SourceFacts, error)
	// Answers gives the maintained view of the table whose rows a call with
	// the contract would compute now; nil for none.
	Answers func(ctx context.Context, table catalog.TableName, c *catalog.Contract) (*catalog.View, error)
}

// SourceFacts are what a table says of itself.
type SourceFacts struct {
	Table      catalog.TableName
	Writable   bool // a permanent table, which a maintained view can follow
	PrimaryKey []string
	Options    map[string]string // session_key, session_gap, … as ALTER TABLE … SET gave them
}

// A Resolved is a SESSIONIZE call with everything that was left out filled in.
type Resolved struct {
	Contract *catalog.Contract
	Lengths  catalog.Lengths // those that are parameters
	Notice   string          // one line that says what was taken from the source; may be empty
	// Table is the permanent table that the source is, if it is one, and
	// AnsweredBy the view that has the answer already.
	Table      *catalog.TableName
	AnsweredBy *catalog.View
}

// Resolve fills in the contract of a call: its arguments first, then what the
// table states of itself, then what the source's columns leave no doubt of.
// It adds edits for the measures; the source is read through the edits that
// are there already.
func (s *Statement) Resolve(ctx context.Context, call *SessionizeCall, edits *Edits, env SessionizeEnv) (*Resolved, error) {
	r := &resolver{st: s, call: call, edits: edits, env: env, contract: &catalog.Contract{}, used: map[string]bool{}, measured: map[string]bool{}}
	steps := []func(context.Context) error{
		r.readSource, r.readColumns, r.readWatermark, r.readLengths, r.readMeasures,
		r.inferID, r.inferTime, r.inferKey, r.inferMeasures,
		r.checkTypes, r.checkNames, r.typeMeasures,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	resolved := &Resolved{Contract: r.contract, Lengths: r.lengths, Notice: r.notice()}
	if r.facts != nil && r.facts.Writable {
		resolved.Table = &r.facts.Table
	}
	return resolved, nil
}

// A resolver is the work on one call.
type resolver struct {
	st    *Statement
	call  *SessionizeCall
	edits *Edits
	env   SessionizeEnv

	with     string // the common tables that the source's name may mean
	columns  []catalog.Column
	facts    *SourceFacts
	used     map[string]bool // columns that have a part already, in lower case
	measured map[string]bool // columns that measures name, in lower case
	took     []string        // what was inferred, for the notice
	contract *catalog.Contract
	lengths  catalog.Lengths
	measures []*measure
}

func (r *resolver) readSource(ctx context.Context) (err error) {
	at := r.call.Source
	if r.call.Query.Empty() {
		at = r.call.Table.Range
		r.with = r.commonTables()
		if r.with == "" && r.env.Table != nil {
			if r.facts, err = r.env.Table(ctx, r.call.Table); err != nil {
				return err
			}
		}
	}
	source := r.edits.apply(at.Start, at.End)
	r.contract.Source = source.SQL
	before := r.with + "SELECT * FROM "
	r.columns, err = r.env.Describe(ctx, before+source.SQL+" AS source")
	return relocate(err, len(before), source)
}

// relocate gives an error about a query the position in the user's text of
// what it is about; slice is the part of the text that stands at offset at in
// the query.
func relocate(err error, at int, slice *Rewritten) error {
	var e *catalog.Error
	if !errors.As(err, &e) || e.Position < at || e.Position > at+len(slice.SQL) {
		return err
	}
	located := wire.Errorf(e.SQLState(), "%s", e.Error())
	located.Position = slice.SourcePosition(e.Position - at)
	located.Hint = e.Hint()
	return located
}

// commonTables is the WITH clause that gives the source's name its meaning
// where it is a common table expression of the statement around the call.
func (r *resolver) commonTables() string {
	n := r.call.Table
	if len(n.Parts) != 1 {
		return ""
	}
	for _, w := range r.st.withClauses(r.call.Range.Start) {
		for _, c := range w.tables {
			if c.Name.Name == n.Last() {
				return r.edits.Slice(w.start, c.End) + " "
			}
		}
	}
	return ""
}

// arg is the argument of that name, or the option by which the table states
// it, as a small statement of its own.
func (r *resolver) arg(name string) *argument {
	if a, ok := r.call.Args[name]; ok {
		return &argument{name: name, sql: r.st.SQL, toks: r.st.tokensIn(a.Value), at: a.Value}
	}
	if r.facts == nil {
		return nil
	}
	text, ok := r.facts.Options[optionPrefix+name]
	if !ok {
		return nil
	}
	toks, err := Lex(text)
	if err != nil {
		toks = nil
	}
	return &argument{name: name, sql: text, toks: significant(toks), option: true, at: Range{0, len(text)}}
}

// An argument is the text of one argument of the call or of the table.
type argument struct {
	name   string
	sql    string // the text that at and the tokens are of
	toks   []Token
	at     Range
	option bool // stated by the table, not in the call
}

func (a *argument) text() string { return a.sql[a.at.Start:a.at.End] }

// fail is an error about the argument.
func (a *argument) fail(at int, code, hint, format string, args ...any) error {
	e := errorAt(a.sql, at, code, format, args...).WithHint("%s", hint)
	if a.option {
		return e.WithPosition(0).WithDetail("The table states %s%s = '%s'.", optionPrefix, a.name, a.sql)
	}
	return e
}

// readColumns reads the arguments that name columns.
func (r *resolver) readColumns(context.Context) (err error) {
	c := r.contract
	if c.Keys, err = r.columnList("key"); err != nil {
		return err
	}
	if c.IDs, err = r.columnList("id"); err != nil {
		return err
	}
	if c.EventTime, err = r.oneColumn("event_time"); err != nil {
		return err
	}
	partition, err := r.oneColumn("partition")
	if partition.SQL != "" {
		c.Partition = &partition
	}
	return err
}

func (r *resolver) oneColumn(name string) (catalog.ContractColumn, error) {
	list, err := r.columnList(name)
	if err != nil || len(list) == 0 {
		return catalog.ContractColumn{}, err
	}
	if len(list) > 1 {
		a := r.arg(name)
		return catalog.ContractColumn{}, a.fail(a.at.Start, codeSyntax, "Write one column.", "%s takes one column", name)
	}
	return list[0], nil
}

// columnList reads a column, or (column, column, …).
func (r *resolver) columnList(name string) ([]catalog.ContractColumn, error) {
	a := r.arg(name)
	if a == nil {
		return nil, nil
	}
	p := &parser{sql: a.sql, toks: a.toks}
	parens := p.acceptPunct("(")
	var list []catalog.ContractColumn
	for {
		at := p.peek()
		n, err := p.name()
		if err != nil || p.peek().isPunct("(") {
			return nil, r.noColumn(a, at)
		}
		col, err := r.column(a, n)
		if err != nil {
			return nil, err
		}
		list = append(list, col)
		if !p.acceptPunct(",") {
			break
		}
	}
	if parens && !p.acceptPunct(")") || !p.done() {
		return nil, r.noColumn(a, p.peek())
	}
	return list, nil
}

// noColumn is the error about an argument that should name columns.
func (r *resolver) noColumn(a *argument, at Token) error {
	if at.Kind == TokenEnd {
		at.Start = a.at.Start
	}
	return a.fail(at.Start, codeSyntax,
		"For an expression write SESSIONIZE((SELECT …, expression AS name FROM …), "+a.name+" => name, …).",
		"%s takes the name of a column, or (one, another)", a.name)
}

// column finds the column of the source that a name means.
func (r *resolver) column(a *argument, n Name) (catalog.ContractColumn, error) {
	col, ok := r.find(n.Last())
	if !ok {
		return catalog.ContractColumn{}, a.fail(n.Range.Start, codeUndefinedColumn, r.columnHint(n.Last()), "column \"%s\" does not exist", n.Last())
	}
	r.used[strings.ToLower(col.Name)] = true
	return contractColumn(col), nil
}

func contractColumn(col catalog.Column) catalog.ContractColumn {
	return catalog.ContractColumn{Name: col.Name, SQL: quoteIdent(col.Name), Type: col.Type.Name}
}

// find looks a column up as DuckDB does, without regard to case; an exact
// match goes before.
func (r *resolver) find(name string) (catalog.Column, bool) {
	found, ok := catalog.Column{}, false
	for _, col := range r.columns {
		switch {
		case col.Name == name:
			return col, true
		case !ok && strings.EqualFold(col.Name, name):
			found, ok = col, true
		}
	}
	return found, ok
}

func (r *resolver) columnHint(name string) string {
	names := make([]string, 0, len(r.columns))
	for _, col := range r.columns {
		if editDistance(strings.ToLower(name), strings.ToLower(col.Name)) <= 2 {
			return "Did you mean \"" + col.Name + "\"?"
		}
		names = append(names, col.Name)
	}
	const most = 20
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return "The source has the columns " + strings.Join(names, ", ") + "."
}

func (r *resolver) readWatermark(context.Context) error {
	if a := r.arg("watermark"); a != nil {
		switch strings.ToLower(a.word()) {
		case "event_time":
		case "explicit":
			r.contract.Explicit = true
		default:
			return a.fail(a.at.Start, codeInvalidParameter, "Write watermark => 'event_time' or watermark => 'explicit'.", "%s is no kind of watermark", a.text())
		}
	}
	return r.readPartitions()
}

// word is the value of an argument that is one string or word.
func (a *argument) word() string {
	if len(a.toks) == 1 && (a.toks[0].Kind == TokenString || a.toks[0].isIdent()) {
		return a.toks[0].Text
	}
	return ""
}

// readPartitions reads ARRAY['p0', 'p1'], ['p0'], '{p0,p1}' or, as the option
// of a table, p0, p1.
func (r *resolver) readPartitions() error {
	a := r.arg("partitions")
	if a == nil {
		return nil
	}
	const hint = "Write partitions => ARRAY['p0', 'p1']."
	if r.contract.Partition == nil {
		return a.fail(a.at.Start, codeInvalidParameter, "Write partition => the column that holds them too.", "partitions are declared, but no partition column is")
	}
	names, ok := a.strings()
	if !ok {
		return a.fail(a.at.Start, codeInvalidParameter, hint, "partitions takes an array of strings")
	}
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			return a.fail(a.at.Start, codeInvalidParameter, hint, "partition \"%s\" is declared twice", n)
		}
		seen[n] = true
	}
	r.contract.Partitions = names
	return nil
}

// strings reads a list of strings in any of its spellings.
func (a *argument) strings() ([]string, bool) {
	if len(a.toks) == 1 && a.toks[0].Kind == TokenString {
		return strings.Split(strings.Trim(a.toks[0].Text, "{}"), ","), true
	}
	p := &parser{sql: a.sql, toks: a.toks}
	p.accept("array")
	brackets := p.acceptPunct("[")
	if !brackets && !a.option {
		return nil, false
	}
	var list []string
	for p.peek().Kind == TokenString || a.option && p.peek().isIdent() {
		if list = append(list, p.next().Text); !p.acceptPunct(",") {
			break
		}
	}
	if brackets && !p.acceptPunct("]") {
		return nil, false
	}
	return list, p.done() && len(list) > 0
}

// readLengths reads the gap, the lateness and the delays.
func (r *resolver) readLengths(context.Context) error {
	c := r.contract
	c.Lateness, c.MaxAhead = sessionop.Unlimited, sessionop.Unlimited
	for _, l := range []struct {
		name  string
		value *int64
		param *string
	}{
		{"gap", &c.Gap, &r.lengths.Gap},
		{"lateness", &c.Lateness, &r.lengths.Lateness},
		{"watermark_delay", &c.Delay, &r.lengths.Delay},
		{"idle_timeout", &c.IdleTimeout, new(string)},
		{"max_ahead", &c.MaxAhead, &r.lengths.MaxAhead},
	} {
		a := r.arg(l.name)
		switch {
		case a != nil:
			if err := a.length(l.value, l.param); err != nil {
				return err
			}
		case l.name == "gap":
			return errorAt(r.st.SQL, r.call.Range.Start, codeInvalidParameter, "SESSIONIZE needs a gap").
				WithHint("Write the longest pause within a session, such as SESSIONIZE(%s, gap => '11 min').", r.st.Text(r.call.Source))
		}
	}
	return nil
}

// notice is the line that says what was taken from the source.
func (r *resolver) notice() string {
	if len(r.took) == 0 {
		return ""
	}
	source := r.call.Table.Last()
	if source == "" {
		source = "the query"
	}
	return "SESSIONIZE took from " + source + ": " + strings.Join(r.took, ", ")
}
