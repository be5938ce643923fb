package planner

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/sessionop"
	"github.com/sessiondb/sessiondb/wire"
)

// TestSessionize reads testdata/sessionize. Its commands:
//
//	table NAME [key=(COLUMN, …)]   a table: one column and its type a line, and
//	                               options of the table as session_x=…
//	resolve                        the contract that the call of a statement has
//	maintain                       the same for CREATE MATERIALIZED VIEW
func TestSessionize(t *testing.T) {
	tables := map[string]*fakeTable{}
	datadriven.RunTest(t, "testdata/sessionize", func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		if d.Cmd == "table" {
			tables[d.CmdArgs[0].Key] = readTable(t, d)
			return ""
		}
		s, err := Parse(d.Input)
		if err != nil {
			return showError(err) + "\n"
		}
		out, err := resolveText(s, d.Cmd, fakeEnv(tables))
		if err != nil {
			return showError(err) + "\n"
		}
		return out
	})
}

type fakeTable struct {
	columns []catalog.Column
	facts   SourceFacts
}

func readTable(t *testing.T, d *datadriven.TestData) *fakeTable {
	t.Helper()
	table := &fakeTable{facts: SourceFacts{
		Table: catalog.TableName{Schema: "main", Name: d.CmdArgs[0].Key}, Writable: true, Options: map[string]string{},
	}}
	for _, a := range d.CmdArgs[1:] {
		table.facts.PrimaryKey = append(table.facts.PrimaryKey, a.Vals...)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(d.Input), "\n") {
		if name, value, ok := strings.Cut(line, "="); ok {
			table.facts.Options[name] = value
			continue
		}
		name, kind, _ := strings.Cut(line, " ")
		table.columns = append(table.columns, catalog.Column{Name: name, Type: typeNamed(kind)})
	}
	return table
}

func typeNamed(name string) catalog.Type {
	switch name {
	case "text":
		return catalog.Simple(catalog.TypeVarchar)
	case "timestamptz":
		return catalog.Simple(catalog.TypeTimestampTZ)
	case "timestamp":
		return catalog.Simple(catalog.TypeTimestamp)
	case "date":
		return catalog.Simple(catalog.TypeDate)
	case "bigint":
		return catalog.Simple(catalog.TypeBigInt)
	case "double":
		return catalog.Simple(catalog.TypeDouble)
	case "uuid":
		return catalog.Simple(catalog.TypeUUID)
	default:
		return catalog.DecimalType(12, 2)
	}
}

// fakeEnv describes queries over one table: all its columns for *, and for a
// list the type of the one column that an item names, else BIGINT.
func fakeEnv(tables map[string]*fakeTable) SessionizeEnv {
	find := func(query string) *fakeTable {
		s, err := Parse(query)
		if err != nil {
			return nil
		}
		for _, c := range s.Identifiers() {
			if table := tables[c.Last()]; table != nil {
				return table
			}
		}
		return nil
	}
	return SessionizeEnv{
		Catalog: NewPGCatalog(),
		Describe: func(_ context.Context, query string) ([]catalog.Column, error) {
			table := find(query)
			if table == nil {
				return nil, wire.Errorf("42P01", "relation does not exist: %s", query)
			}
			return table.describe(query), nil
		},
		Table: func(_ context.Context, n Name) (*SourceFacts, error) {
			if table := tables[n.Last()]; table != nil {
				return &table.facts, nil
			}
			return nil, nil
		},
	}
}

// describe gives the columns of the query's outermost select list, which reads
// the table, or a query over it, or a common table expression over it.
func (f *fakeTable) describe(query string) []catalog.Column {
	s, err := Parse(query)
	if err != nil {
		return nil
	}
	p := &parser{sql: query, toks: s.Tokens, pos: s.Verb}
	items, _ := p.outputList()
	from := f.columns
	if p.accept("from") && p.peek().isPunct("(") && queryAhead(p) {
		inner, _ := p.parens()
		from = f.describe(query[inner.Start:inner.End])
	}
	var out []catalog.Column
	for _, o := range items {
		if o.star {
			out = append(out, from...)
			continue
		}
		col := catalog.Column{Name: o.outputName(), Type: catalog.Simple(catalog.TypeBigInt)}
		text := strings.Trim(query[s.Tokens[o.first].Start:s.Tokens[o.end-1].End], `()"`)
		for _, c := range from {
			if text == c.Name || strings.HasSuffix(text, "."+c.Name) {
				col.Type = c.Type
			}
		}
		out = append(out, col)
	}
	return out
}

func resolveText(s *Statement, cmd string, env SessionizeEnv) (string, error) {
	ctx, edits := context.Background(), NewEdits(s.SQL)
	var b strings.Builder
	if cmd == "maintain" {
		n := s.Node.(*CreateViewStmt)
		q, err := s.Maintained(ctx, n.Query, edits, env)
		if err != nil {
			return "", err
		}
		show := strings.NewReplacer(catalog.SessionizePlaceholder, "<sessions>", catalog.BasePlaceholder, "<base>")
		showContract(&b, q.Contract)
		fmt.Fprintf(&b, "base %s plain %t\n", q.Contract.Base.SQL(), q.Contract.Plain)
		if q.Contract.Project != "" {
			fmt.Fprintf(&b, "project %s\n", show.Replace(q.Contract.Project))
		}
		fmt.Fprintf(&b, "outer %s\n", show.Replace(q.Outer))
		return b.String() + noticeLine(q.Notice), nil
	}
	calls, err := s.SessionizeCalls()
	if err != nil {
		return "", err
	}
	innermostFirst(calls)
	for _, call := range calls {
		r, err := s.Resolve(ctx, call, edits, env)
		if err != nil {
			return "", err
		}
		showContract(&b, r.Contract)
		if r.Lengths != (catalog.Lengths{}) {
			fmt.Fprintf(&b, "lengths %+v\n", r.Lengths)
		}
		b.WriteString(noticeLine(r.Notice))
	}
	return b.String(), nil
}

func noticeLine(text string) string {
	if text == "" {
		return ""
	}
	return "NOTICE: " + text + "\n"
}

func showContract(b *strings.Builder, c *catalog.Contract) {
	names := func(cols []catalog.ContractColumn) string {
		list := make([]string, len(cols))
		for i, col := range cols {
			list[i] = col.SQL
		}
		return strings.Join(list, ", ")
	}
	fmt.Fprintf(b, "source %s\nkey %s id %s unique %t time %s", c.Source, names(c.Keys), names(c.IDs), c.UniqueIDs, c.EventTime.SQL)
	if c.Partition != nil {
		fmt.Fprintf(b, " partition %s of %q", c.Partition.SQL, c.Partitions)
	}
	fmt.Fprintf(b, " values %s\n", names(c.Values))
	length := func(n int64) string {
		if n == sessionop.Unlimited {
			return "unlimited"
		}
		return fmt.Sprint(n)
	}
	fmt.Fprintf(b, "gap %s lateness %s delay %s idle %s ahead %s explicit %t\n",
		length(c.Gap), length(c.Lateness), length(c.Delay), length(c.IdleTimeout), length(c.MaxAhead), c.Explicit)
	for _, m := range c.Measures {
		fmt.Fprintf(b, "measure %s = %s", m.Name, m.SQL)
		if m.Carried {
			fmt.Fprintf(b, " carried %d of %s", m.Measure, m.Input)
		}
		b.WriteString("\n")
	}
}

func TestTableOptions(t *testing.T) {
	cases := []struct{ option, want string }{
		{"session_key = 'a'", ""},
		{"session_gap = '11 min'", ""},
		{"session_lateness = 'unlimited'", ""},
		{"session_watermark = explicit", ""},
		{"session_gap = '1 month'", "22023 at 20: session_gap: a length of time cannot have months or years, which are not always equally long\nHINT: Write it in days, hours, minutes and seconds, such as '30 days'."},
		{"session_gap = 660", "22023 at 20: session_gap: a length of time needs a unit\nHINT: Write for example '660 s' or '660 min'."},
		{"session_watermark = 'manual'", "22023 at 20: \"manual\" is no kind of watermark\nHINT: Write session_watermark = 'event_time' or session_watermark = 'explicit'."},
		{"session_lateness_ = '1 s'", "22023 at 20: unrecognized parameter \"session_lateness_\"\nHINT: Did you mean \"session_lateness\"?"},
	}
	for _, c := range cases {
		s, err := Parse("alter table t set (" + c.option + ")")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := s.checkTableOption(s.Node.(*AlterStmt).Actions[0].Options[0]); err != nil {
			got = showError(err)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.option, got, c.want)
		}
	}
}
