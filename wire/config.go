package wire

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"maps"
	"time"
)

// The largest message of any configuration, as in Postgres: 1 GiB less one.
const maxMessage = 1<<30 - 1

// Config configures a Server. The zero value of every field means its
// default.
type Config struct {
	// MaxConnections bounds the sessions that are open at once; one more is
	// refused with 53300. Default 100. Connections that have not finished
	// their start-up have a bound of their own, of the same size.
	MaxConnections int

	// StartupTimeout bounds the time from accepting a connection to its
	// start-up message, TLS handshake included. Default 10 s.
	StartupTimeout time.Duration

	// AuthTimeout bounds the time from there to the first ReadyForQuery:
	// authentication and Backend.Open. Default 60 s, as in Postgres.
	AuthTimeout time.Duration

	// MaxMessageSize bounds, in bytes, a message from the client, a row of
	// COPY FROM STDIN and a row sent to the client. A longer message ends the
	// connection, because it cannot be skipped without reading it.
	// Default 64 MiB; at most 1 GiB less one.
	MaxMessageSize int

	// MaxStatements and MaxPortals bound the prepared statements and portals
	// of one connection; one more is refused with 53400.
	// Defaults 10,000 and 1,000.
	MaxStatements int
	MaxPortals    int

	// TLS, if set, answers an SSLRequest with S; without it the answer is N.
	TLS *tls.Config

	// Auth, if set, proves who the client is, before Backend.Open. Without it
	// everybody is who they say they are.
	Auth Authenticator

	// ServerParams are reported with ParameterStatus at start-up, over these
	// defaults: server_version 15.0, server_encoding UTF8, DateStyle
	// "ISO, MDY", IntervalStyle postgres, TimeZone UTC, integer_datetimes on,
	// standard_conforming_strings on, is_superuser off, in_hot_standby off,
	// default_transaction_read_only off. client_encoding is always UTF8;
	// application_name and session_authorization are the client's own. What
	// Client.Report says during Open goes before all of them.
	ServerParams map[string]string

	// Logger takes internal errors and panics (error level), lost
	// notifications (warning) and the coming and going of connections
	// (debug). Default: nothing is logged.
	Logger *slog.Logger
}

// complete returns a copy of c with its defaults filled in, or the first
// field that makes no sense.
func (c Config) complete() (Config, error) {
	setDefault(&c.MaxConnections, 100)
	setDefault(&c.StartupTimeout, 10*time.Second)
	setDefault(&c.AuthTimeout, 60*time.Second)
	setDefault(&c.MaxMessageSize, 64<<20)
	setDefault(&c.MaxStatements, 10_000)
	setDefault(&c.MaxPortals, 1_000)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.ServerParams = withDefaultParams(c.ServerParams)
	return c, c.validate()
}

func (c Config) validate() error {
	switch {
	case c.MaxConnections < 0:
		return fmt.Errorf("wire: Config.MaxConnections is negative: %d", c.MaxConnections)
	case c.StartupTimeout < 0:
		return fmt.Errorf("wire: Config.StartupTimeout is negative: %v", c.StartupTimeout)
	case c.AuthTimeout < 0:
		return fmt.Errorf("wire: Config.AuthTimeout is negative: %v", c.AuthTimeout)
	case c.MaxMessageSize < minMessageLimit || c.MaxMessageSize > maxMessage:
		return fmt.Errorf("wire: Config.MaxMessageSize is not in %d to %d: %d", minMessageLimit, maxMessage, c.MaxMessageSize)
	case c.MaxStatements < 0:
		return fmt.Errorf("wire: Config.MaxStatements is negative: %d", c.MaxStatements)
	case c.MaxPortals < 0:
		return fmt.Errorf("wire: Config.MaxPortals is negative: %d", c.MaxPortals)
	}
	return nil
}

// minMessageLimit leaves room for what a client sends before its first query.
const minMessageLimit = 1 << 10

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// withDefaultParams merges what is configured over the defaults.
func withDefaultParams(configured map[string]string) map[string]string {
	params := map[string]string{
		"server_version":                "15.0",
		"server_encoding":               "UTF8",
		"DateStyle":                     "ISO, MDY",
		"IntervalStyle":                 "postgres",
		"TimeZone":                      "UTC",
		"integer_datetimes":             "on",
		"standard_conforming_strings":   "on",
		"is_superuser":                  "off",
		"in_hot_standby":                "off",
		"default_transaction_read_only": "off",
	}
	maps.Copy(params, configured)
	params["client_encoding"] = "UTF8"
	return params
}
