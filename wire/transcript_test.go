package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/jackc/pgx/v5/pgproto3"
)

// TestTranscripts plays testdata/transcripts: what a client sends, and all
// that it gets back. Commands:
//
//	connect             opens a new connection for what follows
//	send [until=NAME]   sends the messages in one packet (see parseMessage) and
//	                    shows the answer: up to as many ReadyForQuery as there
//	                    are Q, S and F, or up to a message of that name
//	kept                what the fake backend has committed
//	copied              the rows that the last COPY FROM STDIN has read
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) { //nolint:thelper // the test itself
		backend := newFakeBackend()
		_, addr := start(t, Config{MaxStatements: 3, MaxPortals: 3}, backend)
		client := connect(t, addr)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { //nolint:thelper // the test itself
			switch d.Cmd {
			case "connect":
				client = connect(t, addr)
				return ""
			case "send":
				return play(t, client, d)
			case "kept":
				return fmt.Sprintln(backend.rows())
			case "copied":
				var b strings.Builder
				for _, row := range backend.lastRows {
					fmt.Fprintln(&b, strings.Join(row, " "))
				}
				return b.String()
			default:
				t.Fatalf("unknown command %q", d.Cmd)
				return ""
			}
		})
		client.send(&pgproto3.Terminate{})
		client.untilReady(1)
		waitFor(t, func() bool { return backend.closed.Load() == backend.opened.Load() })
		if live := backend.live.Load(); live != 0 {
			t.Errorf("W9: %d statements or portals were not closed", live)
		}
	})
}

func play(t *testing.T, client *rawClient, d *datadriven.TestData) string {
	t.Helper()
	var messages []pgproto3.FrontendMessage
	ready := 0
	for line := range strings.Lines(d.Input) {
		m, err := parseMessage(strings.TrimRight(line, "\n"))
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		switch m.(type) {
		case *pgproto3.Query, *pgproto3.Sync, *pgproto3.FunctionCall:
			ready++
		}
		messages = append(messages, m)
	}
	var until string
	d.MaybeScanArgs(t, "until", &until)
	d.MaybeScanArgs(t, "ready", &ready)
	client.send(messages...)
	var lines []string
	if until == "" {
		lines = client.untilReady(ready)
	} else {
		lines = client.until(func(m pgproto3.BackendMessage) bool { return strings.HasPrefix(render(m), until) })
	}
	return strings.Join(lines, "\n") + "\n"
}
