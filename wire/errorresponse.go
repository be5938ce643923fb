package wire

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgproto3"
)

// asError turns whatever a session returned into what the client is told.
// internal reports that the error had no code, so that its text is withheld.
func asError(err error) (e *Error, internal bool) {
	if errors.As(err, &e) {
		return e, false
	}
	var coded interface{ SQLState() string }
	if !errors.As(err, &coded) || coded.SQLState() == "" {
		// A context that the session made itself, to bound its statement.
		if errors.Is(err, context.DeadlineExceeded) {
			return ErrStatementTimeout, false
		}
		hidden := Errorf(codeInternal, "internal error")
		return hidden.WithHint("The server's log has the details."), true
	}
	return describe(err, coded.SQLState(), coded), false
}

// describe copies what an error of another package tells about itself.
// The methods, but for Position and Fatal, are asked of the value that has the
// code, not of its wrappers.
func describe(err error, code string, coded any) *Error {
	e := &Error{Code: code, Message: err.Error(), cause: err}
	var placed interface{ Position() int } // who has the user's text may wrap who has the code
	if errors.As(err, &placed) {
		e.Position = placed.Position()
	}
	if m, ok := coded.(interface{ Detail() string }); ok {
		e.Detail = m.Detail()
	}
	if m, ok := coded.(interface{ Hint() string }); ok {
		e.Hint = m.Hint()
	}
	if m, ok := coded.(interface{ Where() string }); ok {
		e.Where = m.Where()
	}
	describeObject(e, coded)
	var last interface{ Fatal() bool }
	if errors.As(err, &last) && last.Fatal() {
		e.Severity = SeverityFatal
	}
	return e
}

// describeObject copies the names of the object that the error is about.
func describeObject(e *Error, coded any) {
	if m, ok := coded.(interface{ Schema() string }); ok {
		e.Schema = m.Schema()
	}
	if m, ok := coded.(interface{ Table() string }); ok {
		e.Table = m.Table()
	}
	if m, ok := coded.(interface{ Column() string }); ok {
		e.Column = m.Column()
	}
	if m, ok := coded.(interface{ Constraint() string }); ok {
		e.Constraint = m.Constraint()
	}
}

// stopped replaces an error by the reason why its context was ended, when the
// error is but the echo of that: a bare context error, an engine's word for
// being interrupted (57014), or one without a code. A fatal error stands.
func stopped(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	if e, _ := asError(err); e.fatal() {
		return err
	}
	cause := context.Cause(ctx)
	var coded interface{ SQLState() string }
	if errors.As(err, &coded) && coded.SQLState() != codeQueryCanceled && coded.SQLState() != codeInternal {
		return err
	}
	if errors.Is(err, ErrStatementTimeout) {
		return err
	}
	return cause
}

// response renders e for an ErrorResponse. A NoticeResponse has its fields too.
func (e *Error) response() *pgproto3.ErrorResponse {
	severity := e.Severity
	if severity == "" {
		severity = SeverityError
	}
	return &pgproto3.ErrorResponse{
		Severity:            severity,
		SeverityUnlocalized: severity,
		Code:                e.Code,
		Message:             clean(e.Message),
		Detail:              clean(e.Detail),
		Hint:                clean(e.Hint),
		Position:            int32(min(max(e.Position, 0), maxMessage)),
		Where:               clean(e.Where),
		SchemaName:          clean(e.Schema),
		TableName:           clean(e.Table),
		ColumnName:          clean(e.Column),
		DataTypeName:        clean(e.DataType),
		ConstraintName:      clean(e.Constraint),
	}
}
