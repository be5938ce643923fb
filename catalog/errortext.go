package catalog

import (
	"fmt"
	"strings"
)

// This file and errorvalue.go are the only places that read DuckDB's messages:
// here those about names and clauses, there those about values, constraints
// and transactions. A test provokes each of them on the engine, so that a
// version which words one differently fails there.

// refine gives e the SQLSTATE and the words of Postgres where DuckDB's class
// alone does not tell them.
func refine(e *Error, r *report) {
	if strings.Contains(e.Message, "expression depth limit") {
		e.set("54001", "stack depth limit exceeded")
		e.hint = "Nest fewer than 1000 expressions."
		return
	}
	switch e.Type {
	case "Catalog":
		refineCatalog(e, r)
	case "Binder":
		refineBinder(e, r)
	case "Parser", "Invalid type", "Mismatch Type":
		applyRules(e, parserRules())
	case "Constraint":
		refineConstraint(e)
	case "Conversion":
		refineConversion(e)
	case "Out of Range":
		refineRange(e)
	case "TransactionContext":
		refineTransaction(e)
	case "Sequence":
		if strings.HasPrefix(e.Message, "currval: ") {
			e.set("55000", "currval of this sequence is not yet defined in this session")
		}
	case "Invalid Input", "Not implemented", "IO", "Dependency":
		refineOther(e)
	}
}

// isRefusal reports whether e says only that the database was invalid before.
func isRefusal(e *Error) bool { return strings.Contains(e.Message, "database has been invalidated") }

// set gives e a state and, unless the format is empty, a message.
func (e *Error) set(state, format string, args ...any) {
	e.state = state
	if format != "" {
		e.Message = fmt.Sprintf(format, args...)
	}
}

func refineCatalog(e *Error, r *report) {
	kind, name := r.Object, r.Name
	missing := r.Subtype == "MISSING_ENTRY"
	exists := r.Subtype == "ENTRY_ALREADY_EXISTS"
	if !missing && !exists {
		var rest string
		kind, rest, _ = strings.Cut(e.Message, " with name ")
		name, missing = strings.CutSuffix(rest, " does not exist!")
		if !missing {
			name, exists = strings.CutSuffix(rest, " already exists!")
		}
		name = strings.Trim(name, `"`)
	}
	switch {
	case missing && kind != "":
		missingEntry(e, kind, name)
	case exists:
		existingEntry(e, kind, name)
	case strings.Contains(e.Message, " does not exist because schema "):
		e.Name = between(e.Message, `name "`, `"`)
		e.set("42P01", `relation "%s" does not exist`, e.Name)
	case strings.HasPrefix(e.Message, "Could not drop the table because"):
		e.set("2BP01", "cannot drop the table because a foreign key of another table refers to it")
		e.hint = "Drop the other table first."
	case strings.HasPrefix(e.Message, "Could not rename ") && strings.Contains(e.Message, "already exists"):
		e.Name = between(e.Message, ` to "`, `"`)
		e.set("42P07", `relation "%s" already exists`, e.Name)
	case strings.HasPrefix(e.Message, "Existing object"):
		wrongKind(e)
	default:
		applyRules(e, catalogRules())
	}
}

// wrongKind has: Existing object v is of type View, trying to drop type Table.
func wrongKind(e *Error) {
	is := strings.ToLower(between(e.Message, "is of type ", ","))
	e.set("42809", `"%s" is not a %s`, between(e.Message, "Existing object ", " is of type"), strings.ToLower(between(e.Message, "trying to drop type ", "\n")))
	e.hint = "Use DROP " + strings.ToUpper(is) + " to remove a " + is + "."
}

func missingEntry(e *Error, kind, name string) {
	e.Name = name
	e.hint = suggestion("", name, e.Candidates)
	switch kind {
	case "Table", "Sequence":
		e.set("42P01", `relation "%s" does not exist`, name)
	case "View":
		e.set("42P01", `view "%s" does not exist`, name)
	case "Schema":
		e.set("3F000", `schema "%s" does not exist`, name)
	case "Scalar Function", "Table Function", "Aggregate Function", "Macro Function", "Table Macro Function":
		if !isWord(name) {
			e.set("42883", "operator does not exist: %s", name)
			e.hint = "No operator matches the given name and argument types. You might need to add explicit type casts."
			return
		}
		e.set("42883", `function %s(...) does not exist`, name)
		if e.hint == "" {
			e.hint = "No function matches the given name and argument types. You might need to add explicit type casts."
		}
	case "configuration parameter":
		e.set("42704", `unrecognized configuration parameter "%s"`, name)
	default:
		e.set("42704", `%s "%s" does not exist`, strings.ToLower(kind), name)
	}
}

func existingEntry(e *Error, kind, name string) {
	e.Name = name
	switch kind {
	case "Table", "View", "Sequence", "Index":
		e.set("42P07", `relation "%s" already exists`, name)
	case "Schema":
		e.set("42P06", `schema "%s" already exists`, name)
	case "Column":
		e.set("42701", `column "%s" specified more than once`, name)
	case "Scalar Function", "Table Function", "Aggregate Function", "Macro Function", "Table Macro Function":
		e.set("42723", `function "%s" already exists`, name)
	default:
		e.set("42710", `%s "%s" already exists`, strings.ToLower(kind), name)
	}
}

// suggestion is a hint at the first candidate that could be what name was
// meant to be: DuckDB always has one.
func suggestion(kind, name string, candidates []string) string {
	for _, c := range candidates {
		c = strings.Trim(c, `"`)
		if distance(strings.ToLower(name), strings.ToLower(c)) <= len(name)/2 {
			return `Perhaps you meant ` + kind + `"` + c + `".`
		}
	}
	return ""
}

// distance is how many bytes must be put in, taken out or replaced to make b
// of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func refineBinder(e *Error, r *report) {
	switch m := e.Message; {
	case r.Subtype == "COLUMN_NOT_FOUND":
		e.set("42703", `column "%s" does not exist`, e.Name)
		e.hint = suggestion("the column ", e.Name, e.Candidates)
	case r.Subtype == "NO_MATCHING_FUNCTION" || strings.HasPrefix(m, "No function matches the given name"):
		noFunction(e, between(m, "argument types '", "'."))
	case strings.HasPrefix(m, "Could not choose a best candidate function"):
		e.set("42725", "function %s is not unique", postgresNames(between(m, `call "`, `". In order`)))
		e.hint = "Could not choose a best candidate function. You might need to add explicit type casts."
	case strings.HasPrefix(m, `Table "`):
		missingColumn(e, r)
	case strings.HasPrefix(m, "Referenced update column "):
		e.Name = between(m, "Referenced update column ", " not found")
		e.set("42703", `column "%s" does not exist`, e.Name)
		e.hint = suggestion("the column ", e.Name, didYouMean(r.Message))
	case strings.HasPrefix(m, "Referenced table "):
		e.Name = between(m, `table "`, `" not found`)
		e.set("42P01", `missing FROM-clause entry for table "%s"`, e.Name)
		e.hint = "Name the table in FROM, or use its alias."
	case strings.HasPrefix(m, "Ambiguous reference to table"):
		e.set("42712", `table name "%s" specified more than once`, lastPart(between(m, `table "`, `"`)))
	case strings.HasPrefix(m, "Ambiguous reference"):
		e.Name = between(m, `name "`, `"`)
		e.hint = "Write " + between(m, "(use: ", ")") + "."
		e.set("42702", `column reference "%s" is ambiguous`, e.Name)
	case strings.HasPrefix(m, "Duplicate column name"):
		e.Name = between(m, `name "`, `"`)
		e.set("42701", `column "%s" specified more than once`, e.Name)
	default:
		refineClause(e)
	}
}

// lastPart is the last of the names that dots join.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// A rule gives the errors whose message contains a text a state and, unless
// it is empty, a message.
type rule struct{ contains, state, message string }

// refineClause has the errors of whole clauses.
func refineClause(e *Error) {
	if clause, ok := strings.CutSuffix(e.Message, " clause cannot contain aggregates!"); ok {
		e.set("42803", "aggregate functions are not allowed in %s", clause)
		return
	}
	if strings.Contains(e.Message, "LIMIT/OFFSET cannot be negative") {
		e.Position = -1 // which Postgres finds when it runs
	}
	if e.Subtype == "UNSUPPORTED" {
		e.state = "0A000"
	}
	if strings.Contains(e.Message, "an explicit cast is required") {
		e.hint = "Write an explicit cast."
	}
	if applyRules(e, clauseRules()) {
		return
	}
	if database, ok := strings.CutPrefix(e.Message, `Catalog "`); ok {
		e.set("3D000", `database "%s" does not exist`, between(database, "", `"`))
	}
	if name, ok := strings.CutPrefix(e.Message, `Prepared statement "`); ok {
		e.set("26000", `prepared statement "%s" does not exist`, between(name, "", `"`))
	}
}

// applyRules applies the first rule that fits, and reports whether one did.
func applyRules(e *Error, rules []rule) bool {
	for _, r := range rules {
		if strings.Contains(e.Message, r.contains) {
			e.state = r.state
			if r.message != "" {
				e.Message = r.message
			}
			return true
		}
	}
	return false
}

// parserRules has the errors that DuckDB's parser finds, and Postgres later.
func parserRules() []rule {
	return []rule{
		{"has more than one primary key", "42P16", ""},
		{"Duplicate CTE name", "42712", ""},
		{"window functions are not allowed in window definitions", "42P20", ""},
		{"frame start", "42P20", ""},
		{"frame end", "42P20", ""},
		{"is already defined", "42P20", ""},
		{`window "`, "42704", ""},
		{"Unrecognized sampling method", "42704", ""},
		{"subqueries prohibited", "0A000", ""},
		{"Table must have at least one column", "0A000", ""},
	}
}

// catalogRules has the errors about relations and functions of another kind
// than a statement wants.
func catalogRules() []rule {
	return []rule{
		{"Can only modify ", "42809", ""},
		{"is not an table", "42809", ""},
		{"is not an aggregate function", "42809", ""},
		{"does not have a column named", "42703", ""},
		{"is a Scalar Function", "42809", ""},
	}
}

func clauseRules() []rule {
	return []rule{
		{"must appear in the GROUP BY clause", "42803", ""},
		{"aggregate function calls cannot", "42803", ""},
		{"cannot contain window functions", "42P20", ""},
		{"Set operations can only apply", "42601", "each UNION, INTERSECT or EXCEPT query must have the same number of columns"},
		{"Subquery returns ", "42601", "subquery has too many columns"},
		{"values were supplied", "42601", ""},
		{"columns as conflict target", "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification"},
		{"ORDER term out of range", "42P10", "ORDER BY position is not in select list"},
		{"GROUP BY term out of range", "42P10", "GROUP BY position is not in select list"},
		{"LIMIT/OFFSET cannot be negative", "2201W", "LIMIT must not be negative"},
		{"Could not find key", "42703", ""},
		{"list not found in FROM clause", "42703", ""},
		{"Table does not contain column", "42703", ""},
		{"interval cannot be 0", "22023", "step size cannot equal zero"},
		{"DECIMAL type ", "22023", ""},
		{"Cannot deduce template type", "42804", ""},
		{"UNNEST() can only be applied", "42804", ""},
		{"Cannot mix values of type", "42804", ""},
		{"Cannot compare values of type", "42804", ""},
		{"Multiple assignments to same column", "42601", ""},
		{"does not exist on left side of join", "42703", ""},
		{"does not exist on right side of join", "42703", ""},
		{"does not support time travel", "0A000", ""},
		{"Cannot combine types of", "42804", ""},
		{"STAR expression is only allowed", "42601", ""},
		{"* expression without FROM clause", "42601", "SELECT * with no tables specified is not valid"},
		{"columns available but", "42P10", ""},
		{"ORDER BY non-integer literal", "42601", "non-integer constant in ORDER BY"},
		{"Could not ORDER BY column", "42703", ""},
		{"More VIEW aliases than columns", "42601", "CREATE VIEW specifies more column names than columns"},
		{"more colum names than query result", "42601", "too many column names were specified"},
		{"DEFAULT value cannot contain subqueries", "0A000", ""},
		{"DEFAULT value cannot contain aggregates", "42803", ""},
		{"can only create an index on a base table", "42809", ""},
		{"Can only update base table", "42809", ""},
		{"Can only delete from base table", "42809", ""},
		{"there is no primary key for referenced table", "42704", ""},
		{"does not have a primary key or unique constraint", "42830", ""},
		{"Failed to create foreign key: incompatible types", "42804", ""},
		{"Failed to create foreign key: referenced table", "42703", ""},
	}
}

// missingColumn has: Table "t" does not have a column named "c", and … with
// name "c".
func missingColumn(e *Error, r *report) {
	table := between(e.Message, `Table "`, `"`)
	_, rest, ok := strings.Cut(e.Message, `does not have a column `)
	if !ok {
		return
	}
	e.Name = between(rest, `"`, `"`)
	e.set("42703", `column "%s" of relation "%s" does not exist`, e.Name, table)
	if e.Position >= 0 {
		e.set("42703", "column %s.%s does not exist", table, e.Name)
	}
	e.hint = suggestion("the column ", e.Name, didYouMean(r.Message))
}

// didYouMean are the names that a message which does not list them apart ends
// in.
func didYouMean(message string) []string {
	if _, rest, ok := strings.Cut(message, "Did you mean: "); ok {
		return strings.Split(rest, ", ")
	}
	if _, rest, ok := strings.Cut(message, "Candidate bindings: : "); ok {
		return strings.Split(rest, ", ")
	}
	return nil
}

// noFunction has a call such as sum(VARCHAR, VARCHAR) or +(DATE, DATE).
func noFunction(e *Error, call string) {
	name, args, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
	e.Name = name
	args = postgresNames(args)
	switch left, right, binary := strings.Cut(args, ", "); {
	case isWord(name):
		e.set("42883", "function %s(%s) does not exist", name, args)
		e.hint = "No function matches the given name and argument types. You might need to add explicit type casts."
		return
	case binary:
		e.set("42883", "operator does not exist: %s %s %s", left, name, right)
	default:
		e.set("42883", "operator does not exist: %s %s", name, args)
	}
	e.hint = "No operator matches the given name and argument types. You might need to add explicit type casts."
}

func isWord(name string) bool {
	return name != "" && (name[0] == '_' || name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z')
}

// between is what stands in s after the first start and before the next end;
// all that follows start if there is no end, and "" if there is no start.
func between(s, start, end string) string {
	_, rest, ok := strings.Cut(s, start)
	if !ok {
		return ""
	}
	inner, _, _ := strings.Cut(rest, end)
	return inner
}

// postgresNames writes a list of DuckDB's type names, or of the names of how
// it stores them, as Postgres does.
func postgresNames(list string) string {
	parts := strings.Split(list, ", ")
	for i, p := range parts {
		open := strings.LastIndexByte(p, '(') // a call's first argument
		parts[i] = p[:open+1] + postgresName(p[open+1:])
	}
	return strings.Join(parts, ", ")
}

func postgresName(name string) string {
	bare := strings.TrimRight(name, ")")
	switch bare {
	case "INT8", "INT16", "TINYINT", "SMALLINT":
		bare = "smallint"
	case "INT32", "INTEGER", "INTEGER_LITERAL":
		bare = "integer"
	case "INT64", "BIGINT":
		bare = "bigint"
	case "INT128", "HUGEINT", "DECIMAL":
		bare = "numeric"
	case "FLOAT":
		bare = "real"
	case "DOUBLE":
		bare = "double precision"
	case "BOOL", "BOOLEAN":
		bare = "boolean"
	case "VARCHAR", "STRING_LITERAL":
		bare = "text"
	case "BLOB":
		bare = "bytea"
	case "TIMESTAMP":
		bare = "timestamp without time zone"
	case "TIMESTAMP WITH TIME ZONE":
		bare = "timestamp with time zone"
	default:
		bare = strings.ToLower(bare)
	}
	return bare + name[len(strings.TrimRight(name, ")")):]
}
