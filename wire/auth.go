package wire

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/jackc/pgx/v5/pgproto3"
)

// An Authenticator proves who a client is. It returns nil when it is
// satisfied; the server then sends AuthenticationOk. Any error refuses the
// connection: one without a SQLSTATE as 28000, and its text does not leave the
// log.
type Authenticator func(ctx context.Context, x *AuthExchange) error

// An AuthExchange is the conversation of one authentication.
type AuthExchange struct {
	// User is the name that the client gave at start-up.
	User string
	// Params are the start-up parameters.
	Params     map[string]string
	RemoteAddr net.Addr
	// TLS is the state of the encrypted connection, nil without one.
	TLS *tls.ConnectionState

	conn *conn
}

// Ask sends a request (AuthenticationCleartextPassword, AuthenticationSASL,
// AuthenticationSASLContinue) and returns the client's answer, which stands
// until the next Ask. authType is the pgproto3.AuthType constant of the
// request: it says how the answer is to be read.
func (x *AuthExchange) Ask(request pgproto3.AuthenticationResponseMessage, authType uint32) (pgproto3.FrontendMessage, error) {
	if err := x.Tell(request); err != nil {
		return nil, err
	}
	if err := x.conn.messages.SetAuthType(authType); err != nil {
		return nil, err
	}
	return x.conn.messages.Receive()
}

// Tell sends a message that needs no answer (AuthenticationSASLFinal).
func (x *AuthExchange) Tell(message pgproto3.AuthenticationResponseMessage) error {
	x.conn.out.send(message)
	return x.conn.out.flush()
}
