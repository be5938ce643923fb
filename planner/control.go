package planner

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// planSession plans the statements that speak to the session itself:
// transactions, settings, notifications.
func (s *session) planSession(ctx context.Context, st *Statement, oids []uint32) (*plan, error) {
	switch st.Kind {
	case KindBegin, KindCommit, KindRollback, KindSavepoint, KindRelease, KindRollbackTo, KindSetTransaction:
		return s.planTransaction(st), nil
	case KindSet, KindReset, KindDiscard:
		return s.planSetting(st), nil
	case KindShow:
		return s.planShow(st.Node.(*ShowStmt))
	case KindListen, KindUnlisten, KindNotify:
		return s.planNotify(st), nil
	case KindCall:
		return s.planCall(ctx, st, oids)
	case KindMaintenance:
		return s.planMaintenance(st), nil
	case KindLock:
		return s.simplePlan("LOCK TABLE", func(ctx context.Context, _ *wire.ResultWriter) error {
			if !s.txn.explicit {
				return wire.Errorf("25P01", "LOCK TABLE can only be used in transaction blocks")
			}
			if mode := strings.ToLower(st.Text(st.Node.(*LockStmt).Mode)); strings.Contains(mode, "access share") || strings.Contains(mode, "row share") {
				return nil // readers need no lock: their snapshot stands
			}
			_, err := s.beginWrite(ctx)
			return err
		}), nil
	case KindGrant, KindRevoke:
		return nil, wire.Errorf(codeUnsupported, "%s is not supported: there are no roles", st.Tag()).
			WithHint("Every connection of this server may do everything.")
	default:
		return nil, wire.Errorf(codeUnsupported, "%s is not supported", st.Tag())
	}
}

// planTransaction plans the control of transactions. The tags of a failed
// COMMIT differ, so they come from running it.
func (s *session) planTransaction(st *Statement) *plan {
	p := &plan{control: true}
	p.run = func(ctx context.Context, _ []wire.Value, _ *wire.ResultWriter) (*execution, error) {
		tag, err := s.control(ctx, st)
		return &execution{tag: tag}, err
	}
	return p
}

func (s *session) control(ctx context.Context, st *Statement) (string, error) {
	switch n := st.Node.(type) {
	case *BeginStmt:
		tag := "BEGIN"
		if len(st.Tokens) > 0 && st.Tokens[0].is("start") {
			tag = "START TRANSACTION"
		}
		return tag, s.begin(n.Modes)
	case *EndStmt:
		if n.Prepared {
			return "", wire.Errorf(codeUnsupported, "prepared transactions are not supported")
		}
		if st.Kind == KindCommit {
			return s.commit(ctx, n.Chain)
		}
		return s.rollback(ctx, n.Chain)
	case *SavepointStmt:
		return s.savepoint(ctx, st.Kind, n.Name)
	case *SetTransactionStmt:
		return "SET", s.setTransaction(ctx, n)
	default:
		return "", wire.Errorf(codeUnsupported, "%s is not supported", st.Tag())
	}
}

func (s *session) setTransaction(ctx context.Context, n *SetTransactionStmt) error {
	if n.Modes.Snapshot != "" {
		return wire.Errorf(codeUnsupported, "SET TRANSACTION SNAPSHOT is not supported")
	}
	if !n.Session {
		if !s.txn.explicit {
			s.notice(wire.SeverityWarning, "25P01", "", "SET TRANSACTION can only be used in transaction blocks")
			return nil
		}
		return s.setModes(n.Modes)
	}
	if n.Modes.Isolation != "" {
		if err := s.set(ctx, "default_transaction_isolation", n.Modes.Isolation, false); err != nil {
			return err
		}
	}
	if n.Modes.Access == "" {
		return nil
	}
	value := "off"
	if n.Modes.Access == "read only" {
		value = "on"
	}
	return s.set(ctx, "default_transaction_read_only", value, false)
}

// savepoint keeps the names of savepoints. DuckDB has none, so going back to
// one is honest only where nothing was written since, and refused elsewhere.
func (s *session) savepoint(ctx context.Context, kind Kind, name string) (string, error) {
	if !s.txn.explicit {
		return "", wire.Errorf("25P01", "%s can only be used in transaction blocks", kindTag(kind))
	}
	if kind == KindSavepoint {
		s.txn.savepoints = append(s.txn.savepoints, savepoint{name, s.txn.writes, s.settings.point(), len(s.listens), len(s.notify)})
		return "SAVEPOINT", nil
	}
	at := len(s.txn.savepoints) - 1
	for at >= 0 && s.txn.savepoints[at].name != name {
		at--
	}
	if at < 0 {
		return "", wire.Errorf("3B001", "savepoint \"%s\" does not exist", name)
	}
	if kind == KindRelease {
		s.cutCursors(ctx, kind, at)
		s.txn.savepoints = s.txn.savepoints[:at]
		return "RELEASE", nil
	}
	if err := s.goBack(ctx, &s.txn.savepoints[at]); err != nil {
		return "", err
	}
	if s.settings.before != nil {
		if err := s.restoreSettings(ctx, s.txn.savepoints[at].settings); err != nil {
			return "", err
		}
	}
	s.cutCursors(ctx, kind, at)
	s.listens, s.notify = s.listens[:s.txn.savepoints[at].listens], s.notify[:s.txn.savepoints[at].notify]
	s.txn.savepoints, s.txn.failed = s.txn.savepoints[:at+1], false
	return "ROLLBACK", nil
}

// goBack checks that the state of a savepoint is the present one: nothing was
// written since, and what was written before is still there.
func (s *session) goBack(ctx context.Context, p *savepoint) error {
	refusal := wire.Errorf(codeUnsupported, "cannot roll back to savepoint \"%s\": what was written since cannot be undone alone", p.name).
		WithHint("ROLLBACK undoes the whole transaction.")
	if s.txn.writes != p.writes {
		return refusal
	}
	if s.txn.write == nil && !s.txn.snapshot {
		return nil
	}
	if _, err := s.conn.Exec(ctx, "SELECT 1"); err == nil {
		return nil
	}
	if s.txn.write != nil {
		return refusal // an error while it ran ended DuckDB's transaction
	}
	s.txn.snapshot = false
	_, err := s.conn.Exec(ctx, "ROLLBACK")
	return err
}

func (s *session) planSetting(st *Statement) *plan {
	return s.simplePlan(st.Tag(), func(ctx context.Context, _ *wire.ResultWriter) error {
		switch n := st.Node.(type) {
		case *SetStmt:
			if n.Default {
				return s.reset(ctx, n.Name)
			}
			if n.Local && !s.txn.explicit {
				s.notice(wire.SeverityWarning, "25P01", "", "SET LOCAL can only be used in transaction blocks")
				return nil
			}
			if n.Current {
				return nil
			}
			if len(n.Values) > 1 && !listSetting(n.Name) {
				return wire.Errorf(codeInvalidParameter, "SET %s takes only one argument", n.Name)
			}
			return s.set(ctx, n.Name, n.Value(), n.Local)
		case *ShowStmt:
			if st.Kind == KindReset {
				return s.reset(ctx, n.Name)
			}
			return s.discard(ctx, n.Name)
		default:
			return nil
		}
	})
}

// discard forgets what the session holds.
func (s *session) discard(ctx context.Context, what string) error {
	if what == "all" && s.txn.explicit {
		return wire.Errorf("25001", "DISCARD ALL cannot run inside a transaction block")
	}
	if what == "all" || what == "plans" {
		s.deallocateAll()
	}
	if what == "all" || what == "temp" {
		for name := range s.temp {
			if _, err := s.conn.Exec(ctx, "DROP TABLE IF EXISTS temp.main."+quoteIdent(name)); err != nil {
				return err
			}
			delete(s.temp, name)
			s.engine.relations.Add(1)
		}
	}
	if what != "all" {
		return nil
	}
	s.closeCursors(ctx, func(*cursor) bool { return true })
	s.engine.hub.unlisten("", s)
	return s.reset(ctx, "")
}

// planShow answers SHOW; what is no setting is left to DuckDB (SHOW TABLES).
func (s *session) planShow(n *ShowStmt) (*plan, error) {
	if n.All {
		return s.planShowAll(), nil
	}
	if _, err := s.show(n.Name); err != nil {
		return nil, err
	}
	cols := fixedColumns(showColumn(n.Name))
	return &plan{columns: cols, run: func(_ context.Context, _ []wire.Value, out *wire.ResultWriter) (*execution, error) {
		value, err := s.show(n.Name)
		if err != nil {
			return nil, err
		}
		return &execution{tag: "SHOW"}, sendFixed(out, cols, [][]string{{value}})
	}}, nil
}

// showColumn is the name of the column that SHOW answers with.
func showColumn(name string) string {
	if n := reportedName(name); n != "" {
		return n
	}
	return name
}

func (s *session) planShowAll() *plan {
	cols := fixedColumns("name", "setting", "description")
	return &plan{columns: cols, run: func(_ context.Context, _ []wire.Value, out *wire.ResultWriter) (*execution, error) {
		var rows [][]string
		for name, value := range s.settings.all() {
			rows = append(rows, []string{showColumn(name), value, ""})
		}
		sort.Slice(rows, func(i, j int) bool { return strings.ToLower(rows[i][0]) < strings.ToLower(rows[j][0]) })
		return &execution{tag: "SHOW"}, sendFixed(out, cols, rows)
	}}
}

func (s *session) planNotify(st *Statement) *plan {
	n := st.Node.(*NotifyStmt)
	return s.simplePlan(st.Tag(), func(_ context.Context, _ *wire.ResultWriter) error {
		switch {
		case len(n.Payload) > maxPayload:
			return wire.Errorf(codeInvalidParameter, "payload string too long").WithHint("A payload has at most %d bytes.", maxPayload)
		case st.Kind == KindListen:
			s.listens = append(s.listens, n.Channel)
		case st.Kind == KindUnlisten && n.All:
			s.engine.hub.unlisten("", s)
		case st.Kind == KindUnlisten:
			s.engine.hub.unlisten(n.Channel, s)
		default:
			s.queueNote(n.Channel, n.Payload)
		}
		if !s.txn.explicit {
			s.deliverNotes()
		}
		return nil
	})
}

// queueNote queues a notification until the commit. Of equal ones of a
// transaction there is one.
func (s *session) queueNote(channel, payload string) {
	if note := (pendingNote{channel, payload}); !slices.Contains(s.notify, note) {
		s.notify = append(s.notify, note)
	}
}

// deliverNotes lets the LISTENs and NOTIFYs of a committed transaction count.
func (s *session) deliverNotes() {
	for _, channel := range s.listens {
		s.engine.hub.listen(channel, s)
	}
	for _, n := range s.notify {
		s.engine.hub.notify(n.channel, n.payload, s.client.ProcessID)
	}
	s.listens, s.notify = nil, nil
}

// planMaintenance answers VACUUM, ANALYZE and CHECKPOINT.
func (s *session) planMaintenance(st *Statement) *plan {
	return s.simplePlan(st.Tag(), func(ctx context.Context, _ *wire.ResultWriter) error {
		if s.txn.explicit {
			if st.Tokens[0].is("analyze") {
				return nil
			}
			return wire.Errorf("25001", "%s cannot run inside a transaction block", st.Tag())
		}
		for _, name := range st.maintained() {
			if s.missing(ctx, "SELECT * FROM "+tableName(name).SQL()) && s.missing(ctx, "SELECT * FROM "+name.SQL()) {
				return wire.Errorf("42P01", "relation \"%s\" does not exist", name.Last())
			}
		}
		err := s.engine.db.Checkpoint(ctx)
		var busy interface{ SQLState() string }
		if errors.As(err, &busy) && busy.SQLState() == "55006" && !st.Tokens[0].is("checkpoint") {
			return nil // others write; it is done once they do not
		}
		return err
	})
}

// maintained are the tables that VACUUM, ANALYZE, CLUSTER or REINDEX names.
func (s *Statement) maintained() []Name {
	p := &parser{sql: s.SQL, toks: s.Tokens}
	word := p.next().Text
	if p.peek().isPunct("(") {
		p.skipGroup()
	}
	for p.acceptAny("full", "freeze", "verbose", "analyze", "analyse") != "" {
	}
	if word == "reindex" && !p.accept("table") || word == "checkpoint" {
		return nil
	}
	p.accept("concurrently")
	var names []Name
	for p.peek().isIdent() {
		name, err := p.name()
		if err != nil {
			return names
		}
		names = append(names, name)
		if p.peek().isPunct("(") {
			p.skipGroup() // columns
		}
		if !p.acceptPunct(",") {
			break
		}
	}
	return names
}
