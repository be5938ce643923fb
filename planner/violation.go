package planner

import (
	"errors"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// violated gives the error of a violated constraint the names that Postgres
// has for what it is about. DuckDB keeps no names of constraints, so they are
// those that Postgres would have chosen.
func violated(err error, table string) error {
	var e *catalog.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.SQLState(), "23") {
		return err
	}
	v := wire.Errorf(e.SQLState(), "%s", e.Message).WithHint("%s", e.Hint())
	v.Detail, v.Table = e.Detail(), table
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
