package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Errors of using a connection. What DuckDB itself reports is an *Error.
var (
	// ErrNoRows is returned by QueryRow when there is no row.
	ErrNoRows = errors.New("the query returned no row")
	// ErrStreamEnded is returned by Rows.Next when another statement on the
	// same connection ended the stream.
	ErrStreamEnded = errors.New("the result was not read to its end before its connection ran another statement")
	// ErrClosed is returned by every use of what has been closed.
	ErrClosed = errors.New("the connection or the database is closed")
)

// classInterrupt is DuckDB's class of the errors of statements that were ended.
const classInterrupt = "INTERRUPT"

// An Error is what DuckDB reported, in the words and with the SQLSTATE that
// Postgres would use where it has the same error.
type Error struct {
	// Type is DuckDB's class of the error, such as "Binder" or "Constraint";
	// Subtype narrows it where DuckDB does, such as "COLUMN_NOT_FOUND".
	Type, Subtype string
	Message       string
	// Position is the offset in bytes, in the text given to DuckDB, of what
	// the error speaks of; -1 where there is none.
	Position int
	// Name is the name that was not found or exists already. Candidates are
	// the names that DuckDB would have known instead.
	Name       string
	Candidates []string
	// Columns are those of the violated key, where DuckDB tells them, and
	// Primary says that it is the primary key. Expression is a violated check.
	Columns    []string
	Primary    bool
	Expression string

	state  string
	hint   string
	detail string
	cause  error
}

func (e *Error) Error() string { return e.Message }

// SQLState is the five-character code of Postgres.
func (e *Error) SQLState() string { return e.state }

// Hint says what to write instead; it may be empty.
func (e *Error) Hint() string { return e.hint }

// Detail says more of what happened; it may be empty.
func (e *Error) Detail() string { return e.detail }

// Fatal says that the connection is of no more use.
func (e *Error) Fatal() bool { return errors.Is(e.cause, ErrInvalidated) }

// Unwrap is the cause of the context that ended the statement, if one did, or
// ErrInvalidated.
func (e *Error) Unwrap() error { return e.cause }

// report is the JSON that DuckDB writes under errors_as_json.
type report struct {
	Type       string `json:"exception_type"`
	Message    string `json:"exception_message"`
	Subtype    string `json:"error_subtype"`
	Position   string `json:"position"`
	Name       string `json:"name"`
	Object     string `json:"type"` // the kind of the thing that Name names
	Call       string `json:"call"`
	Candidates string `json:"candidates"`
}

// parseError makes an *Error of DuckDB's text.
func parseError(text string) *Error {
	r := readReport(text)
	e := &Error{
		Type: r.Type, Subtype: r.Subtype, Message: firstParagraph(r.Message),
		Position: -1, Name: r.Name, state: stateOfType(r.Type),
	}
	if n, err := strconv.Atoi(r.Position); err == nil {
		e.Position = n
	}
	if r.Candidates != "" && r.Call == "" {
		e.Candidates = strings.Split(r.Candidates, ", ")
	}
	refine(e, &r)
	return e
}

// readReport takes DuckDB's text apart, whether or not it is JSON: errors that
// arise outside of a statement are plain, with their class in front.
func readReport(text string) report {
	var r report
	if at := strings.IndexByte(text, '{'); at >= 0 && strings.Contains(text[at:], `"exception_type"`) {
		if json.Unmarshal([]byte(text[at:]), &r) == nil {
			return r
		}
	}
	r = report{Message: text}
	if class, rest, ok := strings.Cut(text, " Error: "); ok && len(class) <= len("Parameter Not Resolved") {
		r.Type, r.Message = class, rest
	}
	return r
}

// firstParagraph drops the pictures, lists and advice that follow a message.
func firstParagraph(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	return strings.TrimSpace(message)
}

// interrupted is the error of a statement that its context ended.
func interrupted(ctx context.Context) *Error {
	e := parseError("")
	e.Type, e.Message, e.state = classInterrupt, "canceling statement due to user request", "57014"
	if ctx != nil && ctx.Err() != nil {
		e.cause = context.Cause(ctx)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			e.Message = "canceling statement due to statement timeout"
		}
	}
	return e
}

// failure is the error of a statement that ran under ctx, from DuckDB's text.
func (c *Conn) failure(ctx context.Context, sql, text string) error {
	e := parseError(text)
	if e.Type == classInterrupt {
		return interrupted(ctx)
	}
	return c.db.judge(e, sql)
}

// stateOfType is the SQLSTATE of DuckDB's classes of errors, where nothing
// more is known.
func stateOfType(class string) string {
	switch class {
	case "Parser", "Syntax":
		return "42601"
	case "Binder", "Planner", "Expression", "Optimizer":
		return "42000"
	case "Catalog", "Settings":
		return "42704"
	case "Mismatch Type", "Invalid type", "Unknown Type", "Decimal":
		return "42804"
	case "Conversion":
		return "22P02"
	case "Invalid Input", "Invalid Configuration":
		return "22023"
	case "Out of Range":
		return "22003"
	case "Divide by Zero":
		return "22012"
	case "Constraint":
		return "23000"
	case "Dependency":
		return "2BP01"
	case "Not implemented", "Missing Extension", "Extension Autoloading":
		return "0A000"
	case "Parameter Not Resolved", "Parameter Not Allowed":
		return "42P18"
	default:
		return stateOfFailure(class)
	}
}

// stateOfFailure is the SQLSTATE of the classes that are not the statement's
// fault.
func stateOfFailure(class string) string {
	switch class {
	case "TransactionContext":
		return "25000"
	case "Serialization", "IO", "HTTP", "Network", "Connection":
		return "58030"
	case classInterrupt:
		return "57014"
	case "Out of Memory":
		return "53200"
	case "Permission":
		return "42501"
	case "Sequence":
		return "2200H"
	case "Object Size":
		return "54000"
	default:
		return "XX000"
	}
}
