package sessionop

import "fmt"

// An OverflowError says that a sum of a session leaves 128 bits.
type OverflowError struct {
	Key     string // canonical
	Measure int    // index into Spec.Measures
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("measure %d of the session of key %q is out of range", e.Measure+1, e.Key)
}

// SQLState is numeric_value_out_of_range.
func (e *OverflowError) SQLState() string { return "22003" }

// Hint says what to write instead.
func (e *OverflowError) Hint() string {
	return "Sums of integers and decimals are kept in 128 bits; sum the values as double precision."
}

// An InputError says that a session counts an event of which an input Failed.
type InputError struct {
	Key     string // canonical
	Measure int    // index into Spec.Measures
}

func (e *InputError) Error() string {
	return fmt.Sprintf("an input of measure %d of the session of key %q could not be computed", e.Measure+1, e.Key)
}

// SQLState is data_exception.
func (e *InputError) SQLState() string { return "22000" }

// A MembersError says that the events which were given as a session's members
// are not those that it was made of: rows of the source are missing, or were
// changed behind the operator's back.
type MembersError struct {
	Session SessionRef
	// Want and Have count the members: of the session, and given. They may be
	// equal while other events were given.
	Want, Have int64
}

func (e *MembersError) Error() string {
	return fmt.Sprintf("the source no longer holds the events of the session of key %q at %d: %d of %d found",
		e.Session.Key, e.Session.Start, e.Have, e.Want)
}

// SQLState is object_not_in_prerequisite_state.
func (e *MembersError) SQLState() string { return "55000" }

// Hint says what is left to do.
func (e *MembersError) Hint() string {
	return "Rows past the event retention, or changed by another program, can no longer be corrected; REFRESH MATERIALIZED VIEW takes the source as it is."
}

// An UnknownEventError says that a removed event is in no session.
type UnknownEventError struct {
	Key  string // canonical
	Time int64
}

func (e *UnknownEventError) Error() string {
	return fmt.Sprintf("a removed event of key %q at %d is in no session", e.Key, e.Time)
}

// SQLState is internal_error.
func (e *UnknownEventError) SQLState() string { return "XX000" }

// A SessionError says that a session which was loaded cannot be one.
type SessionError struct {
	Session SessionRef
	Problem string
}

func (e *SessionError) Error() string {
	return fmt.Sprintf("stored session of key %q from %d to %d: %s", e.Session.Key, e.Session.Start, e.Session.End, e.Problem)
}

// SQLState is data_corrupted.
func (e *SessionError) SQLState() string { return "XX001" }
