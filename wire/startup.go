package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// What the first packet of a connection may ask for. A start-up packet has its
// protocol version there: the major one in the upper half.
const (
	codeCancelRequest = 80877102
	codeSSLRequest    = 80877103
	codeGSSENCRequest = 80877104

	protocolMajor = 3
	protocolMinor = 0
)

// maxStartupPacket is Postgres's bound for the first packet.
const maxStartupPacket = 10_000

// greet reads first packets until one asks for a session. It returns the
// start-up parameters, or nil when the connection had another purpose.
func (c *conn) greet() (map[string]string, error) {
	timeout := c.expire(c.srv.cfg.StartupTimeout)
	defer timeout.Stop()
	asked := make(map[uint32]bool, 2) // what may be asked for once
	for {
		code, body, err := c.firstPacket()
		switch {
		case err != nil:
			return nil, c.greeted(err)
		case code == codeCancelRequest:
			c.cancelOther(body)
			return nil, nil //nolint:nilnil // no session was asked for, and nothing is wrong
		case (code == codeSSLRequest || code == codeGSSENCRequest) && !asked[code]:
			asked[code] = true
			if err := c.encrypt(code); err != nil {
				return nil, c.greeted(err)
			}
		case code>>16 == protocolMajor:
			return c.startupParams(code&0xffff, body)
		default:
			return nil, Fatalf(codeFeatureNotSupported, "unsupported frontend protocol %d.%d: server supports 3.0 to 3.0",
				code>>16, code&0xffff)
		}
	}
}

// greeted judges a failed read of a first packet: a client that says nothing,
// or only half a word, is a port scanner or a health check.
func (c *conn) greeted(err error) error {
	var e *Error
	if c.ctx.Err() == nil && errors.As(err, &e) {
		return e
	}
	return errHungUp
}

// expire kills the connection after a time, unless the timer is stopped.
func (c *conn) expire(after time.Duration) *time.Timer {
	return time.AfterFunc(after, func() {
		c.cancel(Fatalf(codeQueryCanceled, "canceling authentication due to timeout"))
	})
}

// firstPacket reads a packet without a message type.
func (c *conn) firstPacket() (code uint32, body []byte, err error) {
	var head [8]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(head[:4])
	if size < 8 || size > maxStartupPacket {
		return 0, nil, Fatalf(codeProtocolViolation, "invalid length of startup packet")
	}
	body = make([]byte, size-8)
	_, err = io.ReadFull(c.in, body)
	return binary.BigEndian.Uint32(head[4:]), body, err
}

// cancelOther carries out a CancelRequest.
func (c *conn) cancelOther(body []byte) {
	if len(body) > 4 {
		c.srv.cancelRequest(binary.BigEndian.Uint32(body), body[4:])
	}
}

// encrypt answers a request for encryption: N, or S and TLS from then on.
// Nothing that came before the handshake is used after it: first packets are
// read without reading ahead.
func (c *conn) encrypt(code uint32) error {
	if code == codeGSSENCRequest || c.srv.cfg.TLS == nil {
		_, err := c.socket.Write([]byte{'N'})
		return err
	}
	if _, err := c.socket.Write([]byte{'S'}); err != nil {
		return err
	}
	secure := tls.Server(c.socket, c.srv.cfg.TLS)
	if err := secure.HandshakeContext(c.ctx); err != nil {
		return err
	}
	c.in.source, c.out.sink = secure, secure
	return nil
}

// startupParams decodes a start-up packet and answers a version that is newer
// than ours, or an option of one, with what we speak.
func (c *conn) startupParams(minor uint32, body []byte) (map[string]string, error) {
	params, err := parseStartup(body)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for name := range params {
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
			delete(params, name)
		}
	}
	if minor > protocolMinor || len(unknown) > 0 {
		slices.Sort(unknown)
		c.out.send(&pgproto3.NegotiateProtocolVersion{
			NewestMinorProtocol: protocolMajor<<16 | protocolMinor,
			UnrecognizedOptions: unknown,
		})
	}
	return params, checkStartup(params)
}

// parseStartup reads the names and values of a start-up packet, and spreads
// its options among them. A parameter that is given by itself goes before an
// option of the same name.
func parseStartup(body []byte) (map[string]string, error) {
	params := make(map[string]string)
	fields := strings.Split(string(body), "\x00")
	for i := 0; ; i += 2 {
		if i >= len(fields) {
			return nil, Fatalf(codeProtocolViolation, "invalid startup packet layout: expected terminator as last byte")
		}
		if fields[i] == "" {
			break
		}
		if i+1 >= len(fields)-1 {
			return nil, Fatalf(codeProtocolViolation, "invalid startup packet layout: expected terminator as last byte")
		}
		params[fields[i]] = fields[i+1]
	}
	options, err := parseOptions(params["options"])
	if err != nil {
		return nil, err
	}
	maps.Copy(options, params)
	return options, nil
}

// parseOptions reads command-line options: -c name=value, -cname=value and
// --name=value, in words parted by blanks that a backslash escapes.
func parseOptions(options string) (map[string]string, error) {
	params := make(map[string]string)
	words := splitOptions(options)
	for i := 0; i < len(words); i++ {
		word, ok := strings.CutPrefix(words[i], "-c")
		if !ok {
			word, ok = strings.CutPrefix(words[i], "--")
		} else if word == "" && i+1 < len(words) {
			i++
			word = words[i]
		}
		name, value, assigns := strings.Cut(word, "=")
		if !ok || !assigns || name == "" {
			return nil, Fatalf(codeSyntaxError, "invalid command-line argument for server process: %s", words[i]).
				WithHint("Options are written as -c name=value or --name=value.")
		}
		params[strings.ReplaceAll(name, "-", "_")] = value
	}
	return params, nil
}

func splitOptions(options string) []string {
	var words []string
	var word []byte
	inside := false
	for i := 0; i < len(options); i++ {
		switch c := options[i]; {
		case c == '\\' && i+1 < len(options):
			i++
			word, inside = append(word, options[i]), true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inside {
				words = append(words, string(word))
			}
			word, inside = word[:0], false
		default:
			word, inside = append(word, c), true
		}
	}
	if inside {
		words = append(words, string(word))
	}
	return words
}

// checkStartup refuses what this server cannot be for a client.
func checkStartup(params map[string]string) error {
	for name, value := range params {
		if validText(name) != nil || validText(value) != nil {
			return Fatalf(codeNotInRepertoire, "startup parameter is not valid UTF-8")
		}
	}
	if params["user"] == "" {
		return Fatalf(codeInvalidAuthorization, "no PostgreSQL user name specified in startup packet")
	}
	if r := params["replication"]; r != "" && r != "false" && r != "off" && r != "no" && r != "0" {
		return Fatalf(codeFeatureNotSupported, "replication connections are not supported")
	}
	return checkEncoding(params["client_encoding"])
}

// checkEncoding accepts the names of UTF-8, and SQL_ASCII, which promises
// nothing about the bytes.
func checkEncoding(encoding string) error {
	plain := strings.NewReplacer("-", "", "_", "", "'", "", `"`, "").Replace(strings.ToUpper(encoding))
	switch plain {
	case "", "UTF8", "UNICODE", "SQLASCII":
		return nil
	}
	return Fatalf(codeInvalidParameter, `invalid value for parameter "client_encoding": "%s"`, encoding).
		WithHint("The server speaks UTF8 only.")
}

// open authenticates the client, opens its session, and sends all that comes
// before the first query.
func (c *conn) open(startup map[string]string) error {
	timeout := c.expire(c.srv.cfg.AuthTimeout)
	defer timeout.Stop()
	if err := c.srv.enter(c); err != nil {
		return err
	}
	c.messages.SetMaxBodyLen(maxStartupPacket)
	if err := c.authenticate(startup); err != nil {
		return err
	}
	c.messages.SetMaxBodyLen(c.srv.cfg.MaxMessageSize)
	if startup["database"] == "" {
		startup["database"] = startup["user"]
	}
	c.startParams(startup)
	client := &Client{Params: startup, RemoteAddr: c.socket.RemoteAddr(), ProcessID: c.id, conn: c}
	session, err := c.srv.backend.Open(c.ctx, client)
	if err != nil {
		return stopped(c.ctx, err)
	}
	c.session = session
	c.sendParams()
	c.out.send(&pgproto3.BackendKeyData{ProcessID: c.id, SecretKey: c.key[:]})
	if err := c.ready(); err != nil {
		session.Close()
		return err
	}
	return nil
}

func (c *conn) authenticate(startup map[string]string) error {
	if auth := c.srv.cfg.Auth; auth != nil {
		x := &AuthExchange{User: startup["user"], Params: startup, RemoteAddr: c.socket.RemoteAddr(), conn: c}
		if secure, ok := c.out.sink.(*tls.Conn); ok {
			state := secure.ConnectionState()
			x.TLS = &state
		}
		if err := auth(c.ctx, x); err != nil {
			return c.refused(err, x.User)
		}
	}
	c.out.send(&pgproto3.AuthenticationOk{})
	return nil
}

// refused is what a client learns about a failed authentication.
func (c *conn) refused(err error, user string) error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	c.log.Info("authentication failed", "user", user, "error", err)
	if e, internal := asError(err); !internal {
		return e
	}
	return Fatalf(codeInvalidAuthorization, `authentication failed for user "%s"`, user)
}

// startParams collects what ParameterStatus will say.
func (c *conn) startParams(startup map[string]string) {
	c.params = maps.Clone(c.srv.cfg.ServerParams)
	c.params["application_name"] = startup["application_name"]
	c.params["session_authorization"] = startup["user"]
	if loc, err := time.LoadLocation(c.params["TimeZone"]); err == nil {
		c.rows.SetLocation(loc)
	}
}

// sendParams reports the parameters in the order of their names.
func (c *conn) sendParams() {
	params := c.params
	c.params = nil
	names := slices.SortedFunc(maps.Keys(params), func(a, b string) int {
		return cmp.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	for _, name := range names {
		c.report(name, params[name])
	}
}
