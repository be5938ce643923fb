package catalog

import "strings"

func refineConstraint(e *Error) {
	switch m := e.Message; {
	case strings.Contains(m, "foreign key constraint"):
		refineForeignKey(e)
	case strings.HasPrefix(m, "Duplicate key"), strings.Contains(m, "constraint violat"):
		e.keyDetail(between(m, `key "`, `"`), "already exists")
		e.Primary = strings.Contains(m, "violates primary key")
		e.set("23505", "duplicate key value violates unique constraint")
	case strings.HasPrefix(m, "NOT NULL constraint failed: "):
		table, column, _ := strings.Cut(strings.TrimPrefix(m, "NOT NULL constraint failed: "), ".")
		e.Name = column
		e.set("23502", `null value in column "%s" of relation "%s" violates not-null constraint`, column, table)
	case strings.HasPrefix(m, "CHECK constraint failed"):
		table := between(m, "on table ", " with expression ")
		e.Expression = between(m, "with expression ", "\n")
		e.detail = "The expression is " + e.Expression + "."
		e.set("23514", `new row for relation "%s" violates check constraint`, table)
	}
}

func refineForeignKey(e *Error) {
	key := between(e.Message, `key "`, `"`)
	if strings.Contains(e.Message, "does not exist in the referenced table") {
		e.keyDetail(key, "is not present in the referenced table")
		e.set("23503", "insert or update violates foreign key constraint")
		return
	}
	e.keyDetail(key, "is still referenced from another table")
	e.set("23503", "update or delete violates foreign key constraint")
}

// keyDetail writes DuckDB's "i: 1, j: 2" as Postgres does.
func (e *Error) keyDetail(key, what string) {
	if !strings.Contains(key, ": ") {
		return // the values alone, or nothing
	}
	var values []string
	for part := range strings.SplitSeq(key, ", ") {
		name, value, _ := strings.Cut(part, ": ")
		e.Columns, values = append(e.Columns, name), append(values, value)
	}
	e.detail = "Key (" + strings.Join(e.Columns, ", ") + ")=(" + strings.Join(values, ", ") + ") " + what + "."
}

func refineConversion(e *Error) {
	switch m := e.Message; {
	case strings.HasPrefix(m, "Could not cast value ") && strings.Contains(m, " to DECIMAL("):
		e.detail = m + "."
		e.Position = -1
		e.set("22003", "numeric field overflow")
	case strings.HasPrefix(m, "Failed to cast decimal value "):
		e.Position = -1
		e.set("22003", "%s out of range", postgresName(m[strings.LastIndex(m, " ")+1:]))
	case strings.HasPrefix(m, "Invalid hex escape code"):
		e.set("22023", "")
	case strings.HasPrefix(m, "Could not convert string "):
		text := strings.TrimPrefix(m, "Could not convert string ")
		if at := strings.LastIndex(text, " to "); at >= len("''") {
			badText(e, text[1:at-1], text[at+len(" to "):])
		}
	case strings.Contains(m, " field format: "), strings.Contains(m, " field value out of range: "):
		badTime(e)
	case strings.HasPrefix(m, "Date out of range"), strings.HasPrefix(m, "Epoch "), strings.HasSuffix(m, "not in timestamp range"):
		e.set("22008", "")
	case strings.HasSuffix(m, "not recognized"):
		e.set("22023", `unit "%s" not recognized`, between(m, `"`, `"`))
	case strings.HasPrefix(m, "Malformed JSON"):
		e.detail = m
		e.set("22P02", "invalid input syntax for type json")
	case strings.HasPrefix(m, "Unimplemented type for cast"):
		from, to, _ := strings.Cut(between(m, "(", ")"), " -> ")
		e.set("42846", "cannot cast type %s to %s", postgresNames(from), postgresNames(to))
	case strings.Contains(m, "out of range"):
		refineRange(e)
	}
}

// badTime has: invalid date field format: "x", expected format is …, and: time
// field value out of range: "x", expected format is …, where only digits tell
// a value out of range from none at all.
func badTime(e *Error) {
	m, _, _ := strings.Cut(e.Message, ", expected format")
	kind, text, _ := strings.Cut(m, ": ")
	kind, _, _ = strings.Cut(strings.TrimPrefix(kind, "invalid "), " field")
	if strings.Contains(m, "out of range") && strings.ContainsAny(text, "0123456789") {
		e.set("22008", "date/time field value out of range: %s", text)
		if kind != "time" {
			e.hint = "Write a date as year-month-day."
		}
		return
	}
	e.set("22007", "invalid input syntax for type %s: %s", kind, text)
}

// badText is a string that is no value of the type stored as kind.
func badText(e *Error, text, kind string) {
	if kind == "INT128" && !isNumber(text) {
		kind = "UUID"
	}
	if strings.HasPrefix(kind, "DECIMAL(") {
		if isNumber(text) {
			e.set("22003", "numeric field overflow")
			e.Position = -1 // it is the precision that fails, after the text was read
			return
		}
		kind = "DECIMAL"
	}
	name := postgresNames(kind)
	if isNumber(text) && kind != "BOOL" && !strings.HasPrefix(kind, "UUID") {
		e.set("22003", `value "%s" is out of range for type %s`, text, name)
		return
	}
	state := "22P02"
	if kind == "INTERVAL" {
		state = "22007"
	}
	e.set(state, `invalid input syntax for type %s: "%s"`, name, text)
}

func isNumber(s string) bool {
	digits := strings.Trim(strings.TrimLeft(s, "+-"), " ")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func refineRange(e *Error) {
	e.state = "22003"
	switch m := e.Message; {
	case strings.HasPrefix(m, "Overflow in "):
		e.detail = strings.TrimSuffix(m, "!") + "."
		kind := between(m, " of ", " (")
		e.set("22003", "%s out of range", postgresNames(kind))
	case strings.HasPrefix(m, "Type ") && strings.Contains(m, " with value "):
		value := between(m, "with value ", " can't be cast")
		e.Position = -1
		e.set("22003", "value %s is out of range for type %s", value, postgresNames(between(m, "destination type ", "\n")))
	case strings.HasPrefix(m, "Casting value "):
		e.detail = strings.TrimSuffix(m, "!") + "."
		e.Position = -1
		e.set("22003", "numeric field overflow")
	case strings.Contains(m, "square root"):
		e.set("2201F", "")
	case strings.Contains(m, "zero in based logarithm"):
		e.set("22012", "division by zero")
	case strings.Contains(m, "logarithm"):
		e.set("2201E", "")
	}
}

func refineTransaction(e *Error) {
	e.Message = strings.TrimPrefix(e.Message, "Failed to commit: ")
	switch m := e.Message; {
	case strings.Contains(m, "within a transaction"):
		e.set("25001", "there is already a transaction in progress")
	case strings.Contains(m, "no transaction"):
		e.set("25P01", "there is no transaction in progress")
	case strings.Contains(m, "is aborted"):
		e.set("25P02", "current transaction is aborted, commands ignored until end of transaction block")
	case strings.Contains(m, "constraint"):
		refineConstraint(e)
	case strings.Contains(m, "Cannot CHECKPOINT"):
		e.set("55006", "")
	case strings.Contains(m, "read-only"):
		e.set("25006", "")
	case strings.Contains(m, "single transaction can only write to a single"):
		e.set("0A000", "")
	case strings.Contains(m, "onflict"), strings.Contains(m, "another transaction"), strings.Contains(m, "has been"):
		e.detail = m
		e.set("40001", "could not serialize access due to concurrent update")
	}
}

// isRegexError reports whether a message is one of RE2's about an expression.
func isRegexError(m string) bool {
	for _, start := range []string{
		"missing )", "missing ]", "unexpected )", "no argument for repetition operator", "invalid escape sequence", "bad repetition operator",
		"invalid character class", "invalid repetition size", "trailing \\", "invalid perl operator", "invalid named capture group",
	} {
		if strings.HasPrefix(m, start) {
			return true
		}
	}
	return false
}

// multipleStatements is Postgres's message for a text of several statements.
const multipleStatements = "cannot insert multiple commands into a prepared statement"

func refineOther(e *Error) {
	switch m := e.Message; {
	case strings.HasPrefix(m, "Unknown TimeZone"):
		e.set("22023", `time zone "%s" not recognized`, between(m, "'", "'"))
	case e.Type == "Invalid Input" && isRegexError(m):
		e.set("2201B", "invalid regular expression: %s", m)
	case e.Type == "Invalid Input" && applyRules(e, catalogRules()):
	case strings.HasSuffix(m, " is undefined outside [-1,1]"):
		e.set("22003", "input is out of range")
	case strings.HasPrefix(m, "More than one row returned by a subquery"):
		e.set("21000", "more than one row returned by a subquery used as an expression")
	case strings.HasPrefix(m, "Values were not provided for the following prepared statement parameters"):
		e.set("42P02", "there is no parameter $%s", strings.TrimSpace(between(m, "parameters:", ",")))
	case strings.HasPrefix(m, "Cannot prepare multiple statements"):
		e.set("42601", multipleStatements)
	case strings.HasPrefix(m, "Cannot change configuration option"):
		e.set("42501", `permission denied to set parameter "%s"`, between(m, `"`, `"`))
	case strings.Contains(m, "read-only mode"):
		e.set("25006", "")
	case strings.Contains(m, "nvalid unicode"), strings.Contains(m, "nvalid UTF"), strings.Contains(m, "not valid UTF"):
		e.set("22021", `invalid byte sequence for encoding "UTF8"`)
	case e.Type == "Dependency":
		e.hint = "Use DROP ... CASCADE to drop the dependent objects too."
	case e.Type == "IO" && strings.Contains(m, "No space left"):
		e.set("53100", "")
	case e.Type == "IO" && (strings.Contains(m, "No such file") || strings.HasPrefix(m, "No files found")):
		e.set("58P01", "")
	}
}
