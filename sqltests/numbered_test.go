package sqltests

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// An error in COPY while many lines are under way is told once, and the next
// query is answered at once (case 18 of testdata/differential/numbered.sql).
func TestCase18(t *testing.T) {
	conn := connectTo(t, serve(t).url())
	must(t, conn, "CREATE TABLE t (a int)")
	lines := "1\n2\nx\n" + strings.Repeat("4\n", 10_000)
	_, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(lines), "COPY t (a) FROM STDIN")
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "22P02" || !strings.Contains(refused.Where, "line 3") {
		t.Fatalf("COPY = %v, want 22P02 in line 3", err)
	}
	var rows int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM t").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("after the error: %d rows, %v", rows, err)
	}
}

// The first packets of a client that would like encryption and a newer
// protocol are answered as PostgreSQL answers them (case 30).
func TestCase30(t *testing.T) {
	ours, theirs := serve(t).addr.String(), startPostgres(t).socket()
	for _, first := range []pgproto3.FrontendMessage{&pgproto3.SSLRequest{}, &pgproto3.GSSEncRequest{}} {
		for _, startup := range []*pgproto3.StartupMessage{
			{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{}},
			{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"_pq_.b": "1", "_pq_.a": "x"}},
			{ProtocolVersion: pgproto3.ProtocolVersion32, Parameters: map[string]string{}},
			{ProtocolVersion: pgproto3.ProtocolVersion32, Parameters: map[string]string{"_pq_.new": "1"}},
		} {
			startup.Parameters["user"], startup.Parameters["database"] = "tester", "postgres"
			got, want := firstAnswers(t, "tcp", ours, first, startup), firstAnswers(t, "unix", theirs, first, startup)
			if !slices.Equal(got, want) {
				t.Errorf("%T, then %#x with %v: %q, PostgreSQL %q", first, startup.ProtocolVersion, startup.Parameters, got, want)
			}
		}
	}
}

// firstAnswers are the byte that answers the first packet, what comes before the
// parameters, and how long the key for cancelling is.
func firstAnswers(t *testing.T, network, address string, first pgproto3.FrontendMessage, startup *pgproto3.StartupMessage) []string {
	t.Helper()
	socket, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()
	send := func(m pgproto3.FrontendMessage) {
		packet, err := m.Encode(nil)
		if err == nil {
			_, err = socket.Write(packet)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	send(first)
	answer := make([]byte, 1)
	if _, err := io.ReadFull(socket, answer); err != nil {
		t.Fatal(err)
	}
	send(startup)
	answers := []string{string(bytes.Clone(answer))}
	front := pgproto3.NewFrontend(socket, socket)
	for {
		message, err := front.Receive()
		if err != nil {
			t.Fatal(err)
		}
		switch m := message.(type) {
		case *pgproto3.NegotiateProtocolVersion:
			options := slices.Sorted(slices.Values(m.UnrecognizedOptions))
			answers = append(answers, fmt.Sprintf("negotiate %#x %q", m.NewestMinorProtocol, options))
		case *pgproto3.BackendKeyData:
			answers = append(answers, fmt.Sprintf("a key of %d bytes", len(m.SecretKey)))
		case *pgproto3.ErrorResponse:
			return append(answers, m.Code)
		case *pgproto3.ReadyForQuery:
			return append(answers, "ready")
		}
	}
}
