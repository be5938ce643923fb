package wire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math/big"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
)

func TestStartupReportsParameters(t *testing.T) {
	_, addr := start(t, Config{ServerParams: map[string]string{"server_version": "15.4"}}, newFakeBackend())
	c := dial(t, addr)
	c.startup(map[string]string{"user": "me", "application_name": "app", "options": `-c timezone=Asia/Tokyo --search-path=a\ b`})
	want := map[string]string{
		"application_name": "app", "client_encoding": "UTF8", "DateStyle": "ISO, MDY",
		"default_transaction_read_only": "off", "in_hot_standby": "off", "integer_datetimes": "on",
		"IntervalStyle": "postgres", "is_superuser": "off", "server_encoding": "UTF8", "server_version": "15.4",
		"session_authorization": "me", "standard_conforming_strings": "on", "TimeZone": "Asia/Tokyo",
	}
	if !maps.Equal(c.params, want) {
		t.Errorf("got %v", c.params)
	}
}

func TestParseOptions(t *testing.T) {
	for options, want := range map[string]map[string]string{
		"":                         {},
		"-c a=b":                   {"a": "b"},
		"-ca=b  --c-d=e":           {"a": "b", "c_d": "e"},
		`-c x=a\ b\\c`:             {"x": `a b\c`},
		"-c work_mem=1=2 --empty=": {"work_mem": "1=2", "empty": ""},
	} {
		got, err := parseOptions(options)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v %v", options, got, err)
		}
	}
	for _, options := range []string{"-c", "-x", "a=b", "--a", "-c a", "--=b"} {
		if got, err := parseOptions(options); err == nil {
			t.Errorf("%q: %v", options, got)
		}
	}
}

func TestStartupRefusals(t *testing.T) {
	backend := newFakeBackend()
	_, addr := start(t, Config{MaxConnections: 2}, backend)
	for _, tt := range []struct {
		params map[string]string
		want   string
	}{
		{map[string]string{"database": "x"}, "FATAL 28000 no PostgreSQL user name specified in startup packet"},
		{map[string]string{"user": "u", "replication": "database"}, "FATAL 0A000 replication connections are not supported"},
		{map[string]string{"user": "u", "client_encoding": "LATIN1"}, `FATAL 22023 invalid value for parameter "client_encoding": "LATIN1"`},
		{map[string]string{"user": "u", "options": "-z"}, "FATAL 42601 invalid command-line argument for server process: -z"},
		{map[string]string{"user": "u\xff"}, "FATAL 22021 startup parameter is not valid UTF-8"},
	} {
		c := dial(t, addr)
		c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: tt.params})
		if line, _ := c.next(); !strings.HasPrefix(line, "ErrorResponse "+tt.want) {
			t.Errorf("%v: %s", tt.params, line)
		}
	}
	waitFor(t, func() bool { return backend.opened.Load() == backend.closed.Load() })
	one, two := connect(t, addr), connect(t, addr)
	c := dial(t, addr)
	c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "u"}})
	if line, _ := c.next(); !strings.HasPrefix(line, "ErrorResponse FATAL 53300 sorry, too many clients already") {
		t.Error(line)
	}
	one.query("rows 0")
	two.query("rows 0")
	backend.refuse = Errorf("3D000", `database "x" does not exist`)
	one.send(&pgproto3.Terminate{})
	one.untilReady(1)
	waitFor(t, func() bool { return backend.closed.Load() == 1 })
	time.Sleep(10 * time.Millisecond)
	c = dial(t, addr)
	c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "u"}})
	if got := c.untilReady(1); !slices.Equal(got, []string{"AuthenticationOk", `ErrorResponse FATAL 3D000 database "x" does not exist`, "(closed)"}) {
		t.Error(got)
	}
}

// SSLRequest and GSSENCRequest without TLS, and a newer protocol (case 30).
func TestNegotiation(t *testing.T) {
	_, addr := start(t, Config{}, newFakeBackend())
	c := dial(t, addr)
	for _, m := range []pgproto3.FrontendMessage{&pgproto3.SSLRequest{}, &pgproto3.GSSEncRequest{}} {
		c.send(m)
		answer := make([]byte, 1)
		if _, err := io.ReadFull(c.socket, answer); err != nil || answer[0] != 'N' {
			t.Fatalf("%T: %q %v", m, answer, err)
		}
	}
	c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion32, Parameters: map[string]string{"user": "u", "_pq_.new": "1"}})
	if line, _ := c.next(); line != `NegotiateProtocolVersion 0x30000 ["_pq_.new"]` {
		t.Error(line)
	}
	c.untilReady(1)
	c.query("rows 0")
}

func TestFirstPacketGarbage(t *testing.T) {
	_, addr := start(t, Config{StartupTimeout: 100 * time.Millisecond}, newFakeBackend())
	packet := func(size, code uint32, body string) []byte {
		return append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, size), code), body...)
	}
	for name, tt := range map[string]struct {
		send []byte
		want string
	}{
		"too long":      {packet(1<<30, 3<<16, ""), "ErrorResponse FATAL 08P01 invalid length of startup packet"},
		"too short":     {packet(7, 3<<16, ""), "ErrorResponse FATAL 08P01 invalid length of startup packet"},
		"version 2":     {packet(8, 2<<16, ""), "ErrorResponse FATAL 0A000 unsupported frontend protocol 2.0: server supports 3.0 to 3.0"},
		"no terminator": {packet(13, 3<<16, "user\x00"), "ErrorResponse FATAL 08P01 invalid startup packet layout: expected terminator as last byte"},
		"no value":      {packet(12, 3<<16, "user"), "ErrorResponse FATAL 08P01 invalid startup packet layout: expected terminator as last byte"},
		"silence":       {nil, "(closed)"},
		"half a packet": {packet(100, 3<<16, "user"), "(closed)"},
		"two requests":  {slices.Concat(packet(8, codeGSSENCRequest, ""), packet(8, codeGSSENCRequest, "")), "?"},
	} {
		t.Run(name, func(t *testing.T) {
			c := dial(t, addr)
			if _, err := c.socket.Write(tt.send); err != nil {
				t.Fatal(err)
			}
			if tt.want == "?" {
				all, _ := io.ReadAll(c.socket)
				if len(all) == 0 || all[0] != 'N' || !strings.Contains(string(all), "unsupported frontend protocol") {
					t.Errorf("got %q", all)
				}
				return
			}
			if line, _ := c.next(); line != tt.want {
				t.Error(line)
			}
		})
	}
}

func TestTLS(t *testing.T) {
	cert := selfSigned(t)
	backend := newFakeBackend()
	_, addr := start(t, Config{TLS: &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}}, backend)
	conn, err := pgx.Connect(t.Context(), "postgres://u@"+addr+"/db?sslmode=require")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), "rows 50000", pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows.Next() {
		n++
	}
	if n != 50000 || rows.Err() != nil {
		t.Errorf("%d rows, %v", n, rows.Err())
	}
	// A statement that is watched, and then cancelled, leaves TLS intact.
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-backend.waiting; time.Sleep(2 * watchDelay); cancel() }()
	client := backend.sessions[0].client
	go func() { <-ctx.Done(); client.Cancel(ErrCanceled) }()
	if _, err := conn.Exec(t.Context(), "wait", pgx.QueryExecModeSimpleProtocol); err == nil || !strings.Contains(err.Error(), "57014") {
		t.Error(err)
	}
	if _, err := conn.Exec(t.Context(), "rows 1", pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Error(err)
	}
}

func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestAuthenticator(t *testing.T) {
	auth := func(_ context.Context, x *AuthExchange) error {
		answer, err := x.Ask(&pgproto3.AuthenticationCleartextPassword{}, pgproto3.AuthTypeCleartextPassword)
		if err != nil {
			return err
		}
		password, ok := answer.(*pgproto3.PasswordMessage)
		switch {
		case !ok:
			return errors.New("no password")
		case password.Password == "secret":
			return nil
		default:
			return Errorf("28P01", `password authentication failed for user "%s"`, x.User)
		}
	}
	_, addr := start(t, Config{Auth: auth, AuthTimeout: 200 * time.Millisecond}, newFakeBackend())
	for password, want := range map[string]string{
		"secret": "AuthenticationOk",
		"wrong":  `ErrorResponse FATAL 28P01 password authentication failed for user "me"`,
	} {
		c := dial(t, addr)
		c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "me"}})
		c.next()
		c.send(&pgproto3.PasswordMessage{Password: password})
		if line, _ := c.next(); line != want {
			t.Errorf("%s: %s", password, line)
		}
	}
	c := dial(t, addr)
	c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "me"}})
	c.next()
	c.send(&pgproto3.Query{String: "rows 1"})
	if line, _ := c.next(); line != `ErrorResponse FATAL 28000 authentication failed for user "me"` {
		t.Error(line)
	}
	c = dial(t, addr)
	c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "me"}})
	c.next()
	if line, _ := c.next(); line != "ErrorResponse FATAL 57014 canceling authentication due to timeout" {
		t.Error(line)
	}
}

func TestConfigValidation(t *testing.T) {
	for _, cfg := range []Config{
		{MaxConnections: -1},
		{StartupTimeout: -1},
		{AuthTimeout: -1},
		{MaxMessageSize: 10},
		{MaxMessageSize: 1 << 30},
		{MaxStatements: -1},
		{MaxPortals: -1},
	} {
		if _, err := New(cfg, newFakeBackend()); err == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
	if _, err := New(Config{}, nil); err == nil {
		t.Error("no backend is accepted")
	}
}
