package wire

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// start serves a backend on a loopback port until the test ends.
func start(tb testing.TB, cfg Config, backend Backend) (*Server, string) {
	tb.Helper()
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.NewTextHandler(tb.Output(), &slog.HandlerOptions{Level: slog.LevelInfo}))
	}
	server, err := New(cfg, backend)
	if err != nil {
		tb.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 0)
		defer cancel()
		_ = server.Shutdown(ctx)
		if err := <-served; !errors.Is(err, ErrServerClosed) {
			tb.Errorf("Serve: %v", err)
		}
	})
	return server, listener.Addr().String()
}

// rawClient speaks the protocol message by message.
type rawClient struct {
	t      testing.TB
	socket net.Conn
	front  *pgproto3.Frontend
	key    *pgproto3.BackendKeyData
	params map[string]string
}

func dial(tb testing.TB, addr string) *rawClient {
	tb.Helper()
	socket, err := (&net.Dialer{}).DialContext(tb.Context(), "tcp", addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = socket.Close() })
	_ = socket.SetDeadline(time.Now().Add(20 * time.Second))
	return &rawClient{t: tb, socket: socket, front: pgproto3.NewFrontend(socket, socket), params: map[string]string{}}
}

// connect dials and starts up.
func connect(tb testing.TB, addr string) *rawClient {
	tb.Helper()
	c := dial(tb, addr)
	c.startup(map[string]string{"user": "tester", "database": "db", "application_name": "test"})
	return c
}

func (c *rawClient) startup(params map[string]string) {
	c.t.Helper()
	c.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: params})
	c.untilReady(1)
}

func (c *rawClient) send(messages ...pgproto3.FrontendMessage) {
	c.t.Helper()
	for _, m := range messages {
		c.front.Send(m)
	}
	if err := c.front.Flush(); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// next reads one message and renders it.
func (c *rawClient) next() (string, pgproto3.BackendMessage) {
	c.t.Helper()
	m, err := c.front.Receive()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return "(closed)", nil // reset: the server had not read all that was sent
	}
	if err != nil {
		c.t.Fatalf("receive: %v", err)
	}
	switch m := m.(type) {
	case *pgproto3.BackendKeyData:
		c.key = &pgproto3.BackendKeyData{ProcessID: m.ProcessID, SecretKey: bytes.Clone(m.SecretKey)}
		return "BackendKeyData", m
	case *pgproto3.ParameterStatus:
		c.params[m.Name] = m.Value
	}
	return render(m), m
}

// untilReady reads up to the nth ReadyForQuery, or the end of the stream.
func (c *rawClient) untilReady(n int) []string {
	c.t.Helper()
	return c.until(func(m pgproto3.BackendMessage) bool {
		if _, ready := m.(*pgproto3.ReadyForQuery); ready {
			n--
		}
		return n == 0
	})
}

func (c *rawClient) until(done func(pgproto3.BackendMessage) bool) []string {
	c.t.Helper()
	var lines []string
	for {
		line, m := c.next()
		lines = append(lines, line)
		if m == nil || done(m) {
			return lines
		}
	}
}

// query sends a simple Query and returns the answer.
func (c *rawClient) query(sql string) string {
	c.t.Helper()
	c.send(&pgproto3.Query{String: sql})
	return strings.Join(c.untilReady(1), "\n")
}

// render shows a message on one line.
func render(m pgproto3.BackendMessage) string {
	switch m := m.(type) {
	case *pgproto3.RowDescription:
		return "RowDescription" + renderFields(m.Fields)
	case *pgproto3.DataRow:
		return "DataRow" + renderValues(m.Values)
	case *pgproto3.ErrorResponse:
		return "ErrorResponse" + renderError(*m)
	case *pgproto3.NoticeResponse:
		return "NoticeResponse" + renderError(pgproto3.ErrorResponse(*m))
	case *pgproto3.CommandComplete:
		return "CommandComplete " + string(m.CommandTag)
	case *pgproto3.ReadyForQuery:
		return "ReadyForQuery " + string(m.TxStatus)
	case *pgproto3.ParameterStatus:
		return "ParameterStatus " + m.Name + "=" + m.Value
	case *pgproto3.ParameterDescription:
		return fmt.Sprint("ParameterDescription ", m.ParameterOIDs)
	case *pgproto3.CopyData:
		return fmt.Sprintf("CopyData %q", m.Data)
	case *pgproto3.CopyInResponse:
		return fmt.Sprint("CopyInResponse ", m.OverallFormat, m.ColumnFormatCodes)
	case *pgproto3.CopyOutResponse:
		return fmt.Sprint("CopyOutResponse ", m.OverallFormat, m.ColumnFormatCodes)
	case *pgproto3.NotificationResponse:
		return fmt.Sprintf("NotificationResponse %d %s %q", m.PID, m.Channel, m.Payload)
	case *pgproto3.NegotiateProtocolVersion:
		return fmt.Sprintf("NegotiateProtocolVersion %#x %q", m.NewestMinorProtocol, m.UnrecognizedOptions)
	default:
		return strings.TrimPrefix(fmt.Sprintf("%T", m), "*pgproto3.")
	}
}

func renderFields(fields []pgproto3.FieldDescription) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, " %s:%d/%d/%d", f.Name, f.DataTypeOID, f.DataTypeSize, f.Format)
	}
	return b.String()
}

func renderValues(values [][]byte) string {
	var b strings.Builder
	for _, v := range values {
		if v == nil {
			b.WriteString(" NULL")
			continue
		}
		fmt.Fprintf(&b, " %q", v)
	}
	return b.String()
}

func renderError(e pgproto3.ErrorResponse) string {
	s := fmt.Sprintf(" %s %s %s", e.Severity, e.Code, e.Message)
	if e.Position != 0 {
		s += fmt.Sprintf(" position=%d", e.Position)
	}
	if e.Detail != "" {
		s += fmt.Sprintf(" detail=%q", e.Detail)
	}
	if e.Hint != "" {
		s += fmt.Sprintf(" hint=%q", e.Hint)
	}
	if e.Where != "" {
		s += fmt.Sprintf(" where=%q", e.Where)
	}
	return s
}

// parseMessage reads one line of a transcript: a message's letter, then its
// parts.
//
//	Q sql            P name oids sql       B portal statement formats/args/results
//	D S|P name       E portal rows         C S|P name
//	S  H  F  X       d "data"              dx hex    c    f reason
func parseMessage(line string) (pgproto3.FrontendMessage, error) {
	letter, rest, _ := strings.Cut(line, " ")
	word := func() string {
		var w string
		w, rest, _ = strings.Cut(rest, " ")
		if w == "-" {
			return ""
		}
		return w
	}
	switch letter {
	case "Q":
		return &pgproto3.Query{String: rest}, nil
	case "P":
		m := &pgproto3.Parse{Name: word()}
		for _, oid := range parseNumbers(word()) {
			m.ParameterOIDs = append(m.ParameterOIDs, uint32(oid))
		}
		m.Query = rest
		return m, nil
	case "B":
		return parseBind(word(), word(), rest), nil
	case "D":
		return &pgproto3.Describe{ObjectType: word()[0], Name: word()}, nil
	case "E":
		m := &pgproto3.Execute{Portal: word()}
		if n := parseNumbers(rest); len(n) > 0 {
			m.MaxRows = uint32(n[0])
		}
		return m, nil
	case "C":
		return &pgproto3.Close{ObjectType: word()[0], Name: word()}, nil
	default:
		return parsePlainMessage(letter, rest)
	}
}

func parsePlainMessage(letter, rest string) (pgproto3.FrontendMessage, error) {
	switch letter {
	case "S":
		return &pgproto3.Sync{}, nil
	case "H":
		return &pgproto3.Flush{}, nil
	case "F":
		return &pgproto3.FunctionCall{}, nil
	case "X":
		return &pgproto3.Terminate{}, nil
	case "d":
		data, err := strconv.Unquote(rest)
		return &pgproto3.CopyData{Data: []byte(data)}, err
	case "dx":
		data, err := hex.DecodeString(strings.ReplaceAll(rest, " ", ""))
		return &pgproto3.CopyData{Data: data}, err
	case "c":
		return &pgproto3.CopyDone{}, nil
	case "f":
		return &pgproto3.CopyFail{Message: rest}, nil
	default:
		return nil, fmt.Errorf("unknown message %q", letter)
	}
}

// parseBind reads "formats/args/results": numbers, quoted text or NULL or
// \x…, and numbers, each list parted by commas.
func parseBind(portal, statement, rest string) *pgproto3.Bind {
	m := &pgproto3.Bind{DestinationPortal: portal, PreparedStatement: statement}
	parts := strings.SplitN(rest+"//", "/", 4)
	for _, n := range parseNumbers(parts[0]) {
		m.ParameterFormatCodes = append(m.ParameterFormatCodes, int16(n))
	}
	for _, n := range parseNumbers(parts[2]) {
		m.ResultFormatCodes = append(m.ResultFormatCodes, int16(n))
	}
	if parts[1] == "" {
		return m
	}
	for arg := range strings.SplitSeq(parts[1], ",") {
		raw := []byte(arg)
		if digits, ok := strings.CutPrefix(arg, `\x`); ok {
			raw, _ = hex.DecodeString(digits)
		}
		if arg == "NULL" {
			raw = nil
		}
		m.Parameters = append(m.Parameters, raw)
	}
	return m
}

func parseNumbers(list string) []int {
	var out []int
	for s := range strings.SplitSeq(list, ",") {
		if n, err := strconv.Atoi(s); err == nil {
			out = append(out, n)
		}
	}
	return out
}
