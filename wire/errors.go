package wire

import (
	"errors"
	"fmt"
)

// Severities of an Error. The empty severity stands for SeverityError.
const (
	SeverityError   = "ERROR"
	SeverityFatal   = "FATAL"
	SeverityWarning = "WARNING"
	SeverityNotice  = "NOTICE"
	SeverityInfo    = "INFO"
	SeverityLog     = "LOG"
	SeverityDebug   = "DEBUG"
)

// The SQLSTATEs that the protocol itself gives.
const (
	codeSuccess              = "00000"
	codeWarning              = "01000"
	codeConnectionFailure    = "08006"
	codeProtocolViolation    = "08P01"
	codeFeatureNotSupported  = "0A000"
	codeOutOfRange           = "22003"
	codeInvalidDatetime      = "22007"
	codeDatetimeOverflow     = "22008"
	codeIntervalOverflow     = "22015"
	codeNotInRepertoire      = "22021"
	codeInvalidParameter     = "22023"
	codeArraySubscript       = "2202E"
	codeInvalidText          = "22P02"
	codeInvalidBinary        = "22P03"
	codeBadCopyFormat        = "22P04"
	codeIdleInTransaction    = "25P03"
	codeUndefinedStatement   = "26000"
	codeInvalidAuthorization = "28000"
	codeUndefinedCursor      = "34000"
	codeSyntaxError          = "42601"
	codeDuplicateCursor      = "42P03"
	codeDuplicateStatement   = "42P05"
	codeTooManyConnections   = "53300"
	codeLimitExceeded        = "53400"
	codeProgramLimit         = "54000"
	codeQueryCanceled        = "57014"
	codeAdminShutdown        = "57P01"
	codeIdleSession          = "57P05"
	codeInternal             = "XX000"
)

// Why a connection or a statement is stopped from outside. A context that the
// server ends has one of them as its cause.
var (
	// ErrServerClosed is returned by Serve after Shutdown.
	ErrServerClosed = errors.New("wire: server closed")

	// ErrCanceled is the cause when a CancelRequest or Client.Cancel stopped
	// the running statement.
	ErrCanceled = Errorf(codeQueryCanceled, "canceling statement due to user request")

	// ErrStatementTimeout is for a session to give as the cause when its own
	// statement timeout ends a context.
	ErrStatementTimeout = Errorf(codeQueryCanceled, "canceling statement due to statement timeout")

	// ErrShutdown is the cause when the server goes down, or an administrator
	// ends the connection.
	ErrShutdown = Fatalf(codeAdminShutdown, "terminating connection due to administrator command")

	// ErrClientLost is the cause when the client's socket is gone.
	ErrClientLost = Fatalf(codeConnectionFailure, "connection to client lost")
)

// An Error is an ErrorResponse or NoticeResponse in the making. Sessions may
// return any error: one with a method SQLState() string gives its code, and
// may add Position() int, Detail(), Hint(), Where(), Schema(), Table(),
// Column() and Constraint() string; if it has Fatal() bool, which is true, the
// connection ends with it. An error without a code is internal: the
// client sees XX000 and nothing of its text, which goes to the log.
type Error struct {
	Severity   string // empty: SeverityError
	Code       string // SQLSTATE
	Message    string
	Detail     string
	Hint       string
	Position   int // of a character in the statement's text, from 1; 0: none
	Where      string
	Schema     string
	Table      string
	Column     string
	DataType   string
	Constraint string

	cause error
}

// Errorf makes an error with a SQLSTATE. The format may wrap a cause with %w,
// whose text then is part of the message.
func Errorf(code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Fatalf makes an error after which the connection is closed.
func Fatalf(code, format string, args ...any) *Error {
	e := Errorf(code, format, args...)
	e.Severity = SeverityFatal
	return e
}

// Noticef makes a notice.
func Noticef(format string, args ...any) *Error {
	e := Errorf(codeSuccess, format, args...)
	e.Severity = SeverityNotice
	return e
}

// Warningf makes a warning; without a code it is 01000.
func Warningf(code, format string, args ...any) *Error {
	if code == "" {
		code = codeWarning
	}
	e := Errorf(code, format, args...)
	e.Severity = SeverityWarning
	return e
}

// Error is the message alone, as a client shows it first.
func (e *Error) Error() string { return e.Message }

// SQLState is the error's five-character code.
func (e *Error) SQLState() string { return e.Code }

// Unwrap gives the cause that the constructor's format wrapped, if any.
func (e *Error) Unwrap() error { return e.cause }

// WithHint returns a copy of e with a hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// WithDetail returns a copy of e with a detail.
func (e *Error) WithDetail(format string, args ...any) *Error {
	c := *e
	c.Detail = fmt.Sprintf(format, args...)
	return &c
}

// WithPosition returns a copy of e that points at a character of the
// statement, counted from 1.
func (e *Error) WithPosition(position int) *Error {
	c := *e
	c.Position = position
	return &c
}

// WithWhere returns a copy of e with its context, such as the line of a COPY.
func (e *Error) WithWhere(format string, args ...any) *Error {
	c := *e
	c.Where = fmt.Sprintf(format, args...)
	return &c
}

// fatal says whether the connection ends with e.
func (e *Error) fatal() bool { return e.Severity == SeverityFatal }
