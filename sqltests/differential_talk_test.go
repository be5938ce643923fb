package sqltests

import (
	"encoding/hex"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// A talker speaks the protocol to one server, message by message.
type talker struct {
	conn net.Conn
	*pgproto3.Frontend

	start *transcript // of the start-up
}

func dialTalker(t *testing.T, network, address, database string) *talker {
	t.Helper()
	conn, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	k := &talker{conn: conn, Frontend: pgproto3.NewFrontend(conn, conn)}
	k.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "tester", "database": database}})
	if k.start, err = k.exchange(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(k.start.settings)
	return k
}

// exchange sends what is queued and reads the answer up to ReadyForQuery.
func (k *talker) exchange() (*transcript, error) {
	if err := k.conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return nil, err
	}
	if err := k.Flush(); err != nil {
		return nil, err
	}
	tr := &transcript{}
	for {
		message, err := k.Receive()
		if err != nil {
			return tr, fmt.Errorf("after %s: %w", strings.Join(tr.flow, " "), err)
		}
		tr.add(message)
		if _, ready := message.(*pgproto3.ReadyForQuery); ready {
			return tr, nil
		}
	}
}

// say sends a case in the given mode.
func (k *talker) say(c *diffCase, mode string) (*transcript, error) {
	switch {
	case c.raw != nil:
		for _, message := range c.raw {
			if err := k.sendRaw(message); err != nil {
				return nil, err
			}
		}
	case mode == "simple":
		k.Send(&pgproto3.Query{String: c.sql})
		k.sendCopied(c)
	default:
		k.sendExtended(c, mode)
	}
	return k.exchange()
}

func (k *talker) sendExtended(c *diffCase, mode string) {
	formats := []int16{0}
	if mode == "binary" {
		formats = []int16{1}
	}
	k.Send(&pgproto3.Parse{Query: c.sql})
	k.Send(&pgproto3.Describe{ObjectType: 'S'})
	k.Send(&pgproto3.Bind{Parameters: textArguments(c.args), ResultFormatCodes: formats})
	k.Send(&pgproto3.Execute{})
	k.sendCopied(c)
	k.Send(&pgproto3.Sync{})
}

// sendCopied sends the data of COPY FROM STDIN, which a server that does not
// want them ignores.
func (k *talker) sendCopied(c *diffCase) {
	if !strings.Contains(strings.ToLower(c.sql), "from stdin") {
		return
	}
	for _, line := range c.copied {
		if data, err := hex.DecodeString(strings.TrimPrefix(line, "0x")); err == nil && strings.HasPrefix(line, "0x") {
			k.Send(&pgproto3.CopyData{Data: data})
		} else if line != `!fail` {
			k.Send(&pgproto3.CopyData{Data: []byte(line + "\n")})
		}
	}
	if slices.Contains(c.copied, `!fail`) {
		k.Send(&pgproto3.CopyFail{Message: "the client gives up"})
		return
	}
	k.Send(&pgproto3.CopyDone{})
}

func textArguments(args []string) [][]byte {
	var out [][]byte
	for _, a := range args {
		out = append(out, argument(a))
	}
	return out
}

// argument is NULL, bytes in hex as 0x01, or a text.
func argument(text string) []byte {
	if text == "NULL" {
		return nil
	}
	if data, err := hex.DecodeString(strings.TrimPrefix(text, "0x")); err == nil && strings.HasPrefix(text, "0x") {
		return data
	}
	return []byte(text)
}

// sendRaw sends one message, in the letters of the protocol:
//
//	Q sql             P name[:oid,…] sql      B portal name [arg|…] [in,…] [out,…]
//	D S|P name        E portal max            C S|P name         S, H
//	d data            c                       f reason           F (a function call)
//
// The unnamed statement and portal are written as -.
func (k *talker) sendRaw(message string) error {
	letter, rest, _ := strings.Cut(message, " ")
	first, tail, _ := strings.Cut(rest, " ")
	switch letter {
	case "Q":
		k.Send(&pgproto3.Query{String: rest})
	case "P":
		name, oids, _ := strings.Cut(first, ":")
		k.Send(&pgproto3.Parse{Name: unnamed(name), Query: tail, ParameterOIDs: numbers[uint32](oids)})
	case "B":
		k.Send(bindMessage(first, tail))
	case "D":
		k.Send(&pgproto3.Describe{ObjectType: first[0], Name: unnamed(tail)})
	case "C":
		k.Send(&pgproto3.Close{ObjectType: first[0], Name: unnamed(tail)})
	case "E":
		maxRows, _ := strconv.Atoi(tail)
		k.Send(&pgproto3.Execute{Portal: unnamed(first), MaxRows: uint32(maxRows)})
	case "S":
		k.Send(&pgproto3.Sync{})
	case "H":
		k.Send(&pgproto3.Flush{})
	case "d":
		k.Send(&pgproto3.CopyData{Data: []byte(rest + "\n")})
	case "c":
		k.Send(&pgproto3.CopyDone{})
	case "f":
		k.Send(&pgproto3.CopyFail{Message: rest})
	case "F":
		k.Send(&pgproto3.FunctionCall{Function: 1})
	default:
		return fmt.Errorf("no message is written %q", message)
	}
	return nil
}

func unnamed(name string) string { return strings.TrimPrefix(name, "-") }

func bindMessage(portal, rest string) *pgproto3.Bind {
	fields := strings.Split(rest, " ")
	b := &pgproto3.Bind{DestinationPortal: unnamed(portal), PreparedStatement: unnamed(fields[0])}
	parts := make([]string, 3)
	for i := range fields[1:] {
		parts[i] = strings.Trim(fields[i+1], "[]")
	}
	if parts[0] != "" {
		b.Parameters = textArguments(strings.Split(parts[0], "|"))
	}
	b.ParameterFormatCodes, b.ResultFormatCodes = numbers[int16](parts[1]), numbers[int16](parts[2])
	return b
}

// numbers reads 1,0,1.
func numbers[T int16 | uint32](list string) []T {
	var out []T
	for part := range strings.SplitSeq(list, ",") {
		if n, err := strconv.Atoi(part); err == nil {
			out = append(out, T(n))
		}
	}
	return out
}
