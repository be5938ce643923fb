package planner

import (
	"errors"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// placed gives an error about the target of a statement, or about one of the
// columns that it assigns, the position that DuckDB does not tell.
func placed(err error, st *Statement) error {
	var (
		e     *catalog.Error
		known interface{ Position() int }
	)
	if !errors.As(err, &e) || e.Position >= 0 || errors.As(err, &known) {
		return err
	}
	target := dmlTarget(st)
	at := -1
	switch e.SQLState() {
	case "42P01":
		if st.Kind != KindCopyFrom && e.Name == target.Last() && len(target.Parts) > 0 {
			at = target.Range.Start
		}
	case codeUndefinedColumn, codeDuplicateColumn:
		at = assignedAt(st, e.Name, e.SQLState() == codeDuplicateColumn)
	}
	if at < 0 {
		return err
	}
	return &positioned{error: err, position: charPosition(st.SQL, at)}
}

// assignedAt is the offset of a column in the list of an INSERT or behind SET;
// of its second mention if again is set, and -1 if it is not there.
func assignedAt(st *Statement, name string, again bool) int {
	switch n := st.Node.(type) {
	case *InsertStmt:
		for _, c := range n.Columns {
			if c.Name == name && !again {
				return c.Range.Start
			}
			again = again && c.Name != name
		}
	case *UpdateStmt:
		for i, t := range st.Tokens {
			if i > 0 && t.isIdent() && t.Text == name && (st.Tokens[i-1].is("set") || st.Tokens[i-1].isPunct(",")) {
				return t.Start
			}
		}
	}
	return -1
}

// violated gives the error of a violated constraint the names that Postgres
// has for what it is about. DuckDB keeps no names of constraints, so they are
// those that Postgres would have chosen.
func violated(err error, st *Statement) error {
	var (
		e     *catalog.Error
		table = dmlTarget(st).Last()
	)
	if !errors.As(err, &e) || !strings.HasPrefix(e.SQLState(), "23") || table == "" {
		return err
	}
	v := wire.Errorf(e.SQLState(), "%s", e.Message).WithHint("%s", e.Hint())
	v.Detail, v.Table = e.Detail(), table
	var located interface{ Where() string }
	if errors.As(err, &located) {
		v.Where = located.Where()
	}
	switch e.SQLState() {
	case "23502":
		v.Column = e.Name
	case "23505":
		v.Constraint = keyName(table, e)
	case "23514":
		v.Constraint = checkName(table, e.Expression)
	case "23503":
		v.Constraint = foreignKeyName(table, e)
	}
	if v.Constraint != "" {
		v.Message += ` "` + v.Constraint + `"`
	}
	return v
}

// keyName is the name of a primary key or unique constraint.
func keyName(table string, e *catalog.Error) string {
	switch {
	case e.Primary:
		return table + "_pkey"
	case len(e.Columns) > 0:
		return table + "_" + strings.Join(e.Columns, "_") + "_key"
	default:
		return "" // DuckDB says only which values there are twice
	}
}

// checkName is the name of a check, which has its column in it if there is
// only one.
func checkName(table, expression string) string {
	var columns []string
	if st, err := Parse("SELECT " + expression); err == nil {
		for _, c := range st.Identifiers() {
			if name := c.Last(); !c.Call && !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	if len(columns) != 1 {
		return table + "_check"
	}
	return table + "_" + columns[0] + "_check"
}

// foreignKeyName is the name of a foreign key of the table that is written to;
// "" where it is the table that others refer to, since DuckDB does not say who.
func foreignKeyName(table string, e *catalog.Error) string {
	if len(e.Columns) == 0 || !strings.HasPrefix(e.Message, "insert or update") {
		return ""
	}
	return table + "_" + strings.Join(e.Columns, "_") + "_fkey"
}
