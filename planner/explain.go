package planner

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/sessionop"
)

// EXPLAIN of a statement with SESSIONIZE says first, in words, what each call
// was resolved to, and then shows DuckDB's plan.

// explainSessionize turns such a statement into a query of the lines. EXPLAIN
// ANALYZE, which runs the statement, is left to DuckDB.
func (s *session) explainSessionize(ctx context.Context, st *Statement, r *rewritten) error {
	n, ok := st.Node.(*ExplainStmt)
	if !ok || n.Analyze || len(r.resolved) == 0 {
		return nil
	}
	var lines []string
	for _, resolved := range r.resolved {
		lines = append(lines, explainCall(resolved)...)
	}
	if st.Params == 0 {
		plan, err := s.enginePlan(ctx, r.Rewritten)
		if err != nil {
			return err
		}
		lines = append(lines, plan...)
	}
	quoted := make([]string, len(lines))
	for i, line := range lines {
		quoted[i] = quoteLiteral(line)
	}
	r.explained = true
	r.Rewritten = &Rewritten{SQL: "SELECT unnest([" + strings.Join(quoted, ", ") + `]) AS "QUERY PLAN"`, source: st.SQL}
	return nil
}

// enginePlan are the lines of DuckDB's plan.
func (s *session) enginePlan(ctx context.Context, text *Rewritten) ([]string, error) {
	rows, err := s.conn.Query(ctx, text.SQL)
	if err != nil {
		return nil, translate(err, text)
	}
	defer rows.Close()
	var lines []string
	err = rows.Each(ctx, func(c *catalog.Chunk) error {
		for i := range c.Rows() {
			plan := strings.TrimRight(strings.Clone(c.Col(c.Cols() - 1).Strings()[i]), "\n")
			lines = append(lines, strings.Split(plan, "\n")...)
		}
		return nil
	})
	return lines, err
}

// explainCall says what a call was resolved to, one line for each part.
func explainCall(r *Resolved) []string {
	c := r.Contract
	from := "computed from its rows"
	if r.AnsweredBy != nil {
		from = "answered from the materialized view " + r.AnsweredBy.Name.Name
	}
	lines := []string{"SESSIONIZE over " + oneLine(c.Source) + ", " + from}
	add := func(name, format string, args ...any) {
		lines = append(lines, "  "+name+": "+fmt.Sprintf(format, args...))
	}
	add("key", "%s", columnNames(c.Keys))
	add("event time", "%s", c.EventTime.Name)
	if len(c.IDs) > 0 {
		add("id", "%s: of the rows of one id, the earliest counts", columnNames(c.IDs))
	} else {
		add("id", "none: every row counts")
	}
	add("gap", "%s", spellLength(c.Gap))
	add("lateness", "%s", spellLength(c.Lateness))
	if c.Partition != nil {
		add("partition", "%s", c.Partition.Name)
	}
	if c.Explicit {
		add("watermark", "explicit")
	} else {
		add("watermark", "the latest event time, less %s", spellLength(c.Delay))
	}
	for _, m := range c.Measures {
		how := "computed by DuckDB from the members of the sessions that change"
		if m.Carried {
			how = "carried along with each session, exactly"
		}
		add("measure "+m.Name, "%s; in a maintained view %s", oneLine(m.SQL), how)
	}
	return lines
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// spellLength is a length of time in microseconds as text.
func spellLength(micros int64) string {
	if micros == sessionop.Unlimited {
		return "unlimited"
	}
	return (time.Duration(micros) * time.Microsecond).String()
}
