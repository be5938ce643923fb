package planner

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// What the catalogs tell of the session itself stands in variables of its
// connection, which are set when a statement asks.

// refreshOwn sets the variables that the statement's catalogs read.
func (s *session) refreshOwn(ctx context.Context, st *Statement) error {
	var sets []string
	if st.Mentions("pg_prepared_statements") {
		sets = append(sets, "SET VARIABLE pgc_prepared = "+s.preparedList())
	}
	if st.Mentions("pg_cursors") {
		sets = append(sets, "SET VARIABLE pgc_cursors = "+s.cursorList())
	}
	if st.Mentions("pg_listening_channels") {
		names := s.engine.hub.channels(s)
		for i, name := range names {
			names[i] = quoteLiteral(name)
		}
		sets = append(sets, "SET VARIABLE pgc_channels = ["+strings.Join(names, ", ")+"]::VARCHAR[]")
	}
	for _, q := range sets {
		if _, err := s.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// preparedList are the statements that PREPARE named, as a list of DuckDB's.
func (s *session) preparedList() string {
	items := make([]string, 0, len(s.prepared))
	for _, name := range slices.Sorted(maps.Keys(s.prepared)) {
		p := s.prepared[name]
		oids := make([]string, len(p.plan.params))
		for i, oid := range p.plan.params {
			oids[i] = fmt.Sprint(oid)
		}
		items = append(items, fmt.Sprintf("{'name': %s, 'statement': %s, 'prepare_time': %s, 'parameter_types': [%s]::INTEGER[]}",
			quoteLiteral(name), quoteLiteral(p.text), momentSQL(p.at), strings.Join(oids, ", ")))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// cursorList are the open cursors, as a list of DuckDB's.
func (s *session) cursorList() string {
	items := make([]string, 0, len(s.cursors))
	for _, name := range slices.Sorted(maps.Keys(s.cursors)) {
		c := s.cursors[name]
		items = append(items, fmt.Sprintf("{'name': %s, 'statement': %s, 'is_holdable': %t, 'is_scrollable': %t, 'creation_time': %s}",
			quoteLiteral(name), quoteLiteral(c.text), c.hold, c.scroll, momentSQL(c.opened)))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func momentSQL(t time.Time) string { return fmt.Sprintf("make_timestamptz(%d)", t.UnixMicro()) }

// The bounds of what NOTIFY carries.
const (
	maxChannel = 63
	maxPayload = 7999
)

// A noteCall is a call of pg_notify(channel, payload).
type noteCall struct{ channel, payload *Literal }

// noteCalls are the statement's calls of pg_notify. It is not a row that
// notifies but the statement: it must be a query of one row, and the arguments
// constants or parameters.
func (s *Statement) noteCalls() ([]noteCall, error) {
	if !s.Mentions("pg_notify") {
		return nil, nil
	}
	calls, err := s.builtinCalls("pg_notify")
	if err != nil {
		return nil, err
	}
	var list []noteCall
	for _, call := range calls {
		if len(call.Args) != 2 {
			continue // DuckDB says that there is no such function
		}
		note := noteCall{call.Args[0].Const, call.Args[1].Const}
		if note.channel == nil || note.payload == nil || s.Kind != KindSelect || s.Mentions("from") {
			return nil, refusedNote(s)
		}
		list = append(list, note)
	}
	return list, nil
}

// refusedNote is the error of a statement that cannot notify.
func refusedNote(s *Statement) error {
	at := 0
	for _, t := range s.Tokens {
		if t.isIdent() && t.Text == "pg_notify" {
			at = t.Start
		}
	}
	return errorAt(s.SQL, at, codeUnsupported, "pg_notify takes constants and parameters, in a query without FROM").
		WithHint("Write SELECT pg_notify('channel', $1), or NOTIFY.")
}

// notes queues the notifications of a statement that runs.
func (s *session) notes(calls []noteCall, args []wire.Value) error {
	for _, c := range calls {
		channel, payload := literalValue(c.channel, args), literalValue(c.payload, args)
		switch {
		case channel == "":
			return wire.Errorf("22023", "channel name cannot be empty")
		case len(channel) > maxChannel:
			return wire.Errorf("22023", "channel name too long")
		case len(payload) > maxPayload:
			return wire.Errorf("22023", "payload string too long")
		}
		s.queueNote(channel, payload)
	}
	return nil
}

// literalValue is a constant, or the value of a parameter, as text; "" for NULL.
func literalValue(l *Literal, args []wire.Value) string {
	if l.Kind != LiteralParam {
		return l.Text
	}
	if l.Param < 1 || l.Param > len(args) || args[l.Param-1] == nil {
		return ""
	}
	return valueText(args[l.Param-1])
}
