package catalog

import "fmt"

// A ViewError says why a maintained view cannot do what a statement asks of it.
type ViewError struct {
	View    string
	Message string
	state   string
	hint    string
}

func (e *ViewError) Error() string { return e.Message }

// SQLState is the five-character code of Postgres.
func (e *ViewError) SQLState() string { return e.state }

// Hint says what to do instead.
func (e *ViewError) Hint() string { return e.hint }

// The SQLSTATEs of a ViewError.
const (
	stateNotReady  = "55000" // object_not_in_prerequisite_state
	stateUndefined = "42704" // undefined_object
	stateInvalid   = "22023" // invalid_parameter_value
)

func (v *View) errorf(state, hint, format string, args ...any) *ViewError {
	return &ViewError{View: v.Name.Name, Message: fmt.Sprintf(format, args...), state: state, hint: hint}
}

// ready is nil for a view whose sessions can be relied upon.
func (v *View) ready() error {
	switch {
	case !v.Populated:
		return v.errorf(stateNotReady, "Use the REFRESH MATERIALIZED VIEW command.", "materialized view \"%s\" has not been populated", v.Name.Name)
	case v.counters.sourceChanged:
		return v.errorf(stateNotReady, "REFRESH MATERIALIZED VIEW "+QuoteIdent(v.Name.Name)+" puts it right.",
			"the source of materialized view \"%s\" was changed by another program while the server was stopped", v.Name.Name)
	default:
		return nil
	}
}
