package planner

import (
	"errors"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// placed gives an error the position that Postgres would: that of the target of
// a statement, or of one of the columns that it assigns, where DuckDB tells
// none, and none where Postgres has none.
func placed(err error, st *Statement) error {
	code, position := codeAndPosition(err)
	if namesObject(st) && (code == "42P01" || code == "42704") {
		return at(err, 0)
	}
	if position > 0 {
		return err
	}
	var e *catalog.Error
	errors.As(err, &e)
	if place := placeOf(err, e, code, st); place >= 0 {
		return at(err, charPosition(st.SQL, place))
	}
	return err
}

func codeAndPosition(err error) (code string, position int) {
	var (
		coded interface{ SQLState() string }
		known interface{ Position() int }
	)
	if w, ok := errors.AsType[*wire.Error](err); ok {
		return w.Code, w.Position
	}
	if errors.As(err, &coded) {
		code = coded.SQLState()
	}
	if errors.As(err, &known) {
		position = known.Position()
	}
	return code, position
}

// namesObject reports whether the statement is one of those in which Postgres
// looks for relations without keeping their place.
func namesObject(st *Statement) bool {
	switch n := st.Node.(type) {
	case *TruncateStmt, *DropStmt, *AlterStmt, *RefreshStmt, *LockStmt:
		return true
	case *CopyStmt:
		return len(n.Target.Parts) > 0
	case *CreateStmt:
		return n.Object == "index"
	default:
		return st.Kind == KindComment || st.Kind == KindMaintenance
	}
}

// placeOf is the offset of what an error speaks of, or -1. e is what DuckDB
// reported, nil if the error is our own.
func placeOf(err error, e *catalog.Error, code string, st *Statement) int {
	if e != nil {
		if place := st.clausePlace(e.Message); place >= 0 {
			return place
		}
	}
	target := dmlTarget(st)
	switch code {
	case "42P01":
		if e != nil && len(target.Parts) > 0 && e.Name == target.Last() {
			return target.Range.Start
		}
		if e != nil && strings.HasPrefix(e.Message, "missing FROM") {
			return qualifierAt(st, e.Name)
		}
	case codeUndefinedColumn, codeDuplicateColumn:
		if e != nil {
			return assignedAt(st, e.Name, code == codeDuplicateColumn)
		}
		return -1
	case "55P03":
		if len(target.Parts) > 0 {
			return target.Range.Start
		}
	case "3F000":
		if n, ok := st.Node.(*CreateTableStmt); ok {
			return n.Name.Range.Start
		}
	}
	switch {
	case code == "42P01" || code == "42704":
		return literalAt(st, err.Error())
	case e != nil && (code == "22P02" || code == "22007" || code == "22008"): // not of a function of ours, which has no place
		return literalAt(st, err.Error())
	default:
		return -1
	}
}

// literalAt is the offset of the string that an error's message quotes at its
// end, or as the name of something.
func literalAt(st *Statement, message string) int {
	for _, t := range st.Tokens {
		if t.Kind == TokenString && (strings.HasSuffix(message, `: "`+t.Text+`"`) || strings.HasSuffix(message, `"`+t.Text+`" does not exist`)) {
			return t.Start
		}
	}
	return -1
}

// qualifierAt is the offset of name. with a dot.
func qualifierAt(st *Statement, name string) int {
	for i, t := range st.Tokens[:max(0, len(st.Tokens)-1)] {
		if t.isIdent() && t.Text == name && st.Tokens[i+1].isPunct(".") {
			return t.Start
		}
	}
	return -1
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
		table = violatedTable(st)
	)
	if !errors.As(err, &e) || !strings.HasPrefix(e.SQLState(), "23") {
		return err
	}
	if st.Kind == KindTruncate && e.SQLState() == "23503" {
		return wire.Errorf(codeUnsupported, "cannot truncate a table referenced in a foreign key constraint").
			WithHint("DELETE checks the rows that refer to it.")
	}
	if table == "" {
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

// violatedTable is the table whose constraint a statement may violate.
func violatedTable(st *Statement) string {
	if n, ok := st.Node.(*AlterStmt); ok {
		return n.Name.Last()
	}
	return dmlTarget(st).Last()
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
			isType := c.First > 0 && st.Tokens[c.First-1].is("as") // of a cast
			if name := c.Last(); !c.Call && !isType && !slices.Contains(columns, name) {
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
