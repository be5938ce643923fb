package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// txn is the state of a session's transaction. DuckDB is given a transaction
// only where one is needed: from the first write on, under the writer lock
// (write), or from the start at REPEATABLE READ (snapshot). Until its first
// write a READ COMMITTED transaction reads each statement from a snapshot of
// its own, as in Postgres.
type txn struct {
	explicit  bool // BEGIN was said
	queried   bool // a statement of it has seen the database
	failed    bool // and a statement failed since
	multiple  bool // a simple message of several statements runs
	limited   bool // the statement that runs was asked for some of its rows
	published bool // the implicit transaction's first write was published

	readOnly   bool
	repeatable bool
	level      string // the isolation level that was asked for; "" is the default
	snapshot   bool   // a DuckDB transaction is open, without the lock
	asOf       int64  // the last commit that the snapshot sees
	write      *catalog.WriteTx
	writes     int  // statements that began to write
	relations  bool // a relation was changed: what other sessions know of it ends with the transaction
	savepoints []savepoint
}

// savepoint remembers how much was written when it was set, and the settings,
// LISTENs and NOTIFYs of that moment.
type savepoint struct {
	name     string
	writes   int
	settings settingsPoint
	listens  int
	notify   int
}

// admits refuses statements in a failed transaction.
func (t *txn) admits(st *Statement) error {
	if !t.failed {
		return nil
	}
	end, ends := st.Node.(*EndStmt)
	switch {
	case ends && !end.Prepared, st.Kind == KindRollbackTo, st.Kind == KindEmpty:
		return nil
	default:
		return wire.Errorf("25P02", "current transaction is aborted, commands ignored until end of transaction block")
	}
}

// beginWrite makes the session the writer: it takes the writer lock and begins
// the DuckDB transaction anew under it, so that nothing committed since can be
// missed.
func (s *session) beginWrite(ctx context.Context) (*catalog.WriteTx, error) {
	s.txn.writes++
	if s.txn.write != nil {
		return s.txn.write, nil
	}
	if s.readsOnly() {
		return nil, s.readOnlyError()
	}
	if s.txn.snapshot {
		if _, err := s.conn.Exec(ctx, "COMMIT"); err != nil {
			return nil, err
		}
		s.txn.snapshot = false
	}
	write, err := s.engine.store.BeginWrite(ctx, s.conn, s.settings.duration("lock_timeout"), s.describe())
	if err != nil {
		return nil, err
	}
	s.txn.write, s.txn.published = write, false
	if s.txn.repeatable && s.txn.explicit && write.Number() != s.txn.asOf+1 {
		return nil, wire.Errorf("40001", "could not serialize access due to concurrent update").
			WithHint("Roll back and run the transaction again.")
	}
	return write, nil
}

// readsOnly reports whether the transaction may not write.
func (s *session) readsOnly() bool {
	return s.txn.readOnly || !s.txn.explicit && s.settings.get("default_transaction_read_only") == "on"
}

func (s *session) readOnlyError() error {
	return wire.Errorf("25006", "cannot execute %s in a read-only transaction", s.running).
		WithHint("End the transaction and begin one without READ ONLY.")
}

// describe names the session in the errors of those who wait for it.
func (s *session) describe() string {
	name := s.settings.get("application_name")
	if name == "" {
		name = s.client.Params["user"]
	}
	return fmt.Sprintf("connection %d (%s)", s.client.ProcessID, name)
}

// beginRead prepares for a statement that may read: what the transaction itself
// wrote is published for it if it reads sessions, and at REPEATABLE READ its
// snapshot is taken.
func (s *session) beginRead(ctx context.Context, st *Statement) error {
	if s.txn.write != nil {
		reads, err := s.readsSessions(ctx, st)
		if err != nil || !reads {
			return err
		}
		return s.txn.write.Publish(ctx)
	}
	if !s.txn.explicit || !s.txn.repeatable || s.txn.snapshot {
		return nil
	}
	s.txn.asOf = s.engine.store.LastCommit()
	if _, err := s.conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	s.txn.snapshot = true
	return nil
}

// begin opens an explicit transaction.
func (s *session) begin(modes TxModes) error {
	if s.txn.explicit {
		s.notice(wire.SeverityWarning, "25001", "", "there is already a transaction in progress")
		return nil
	}
	s.txn.explicit = true
	s.txn.readOnly = s.settings.get("default_transaction_read_only") == "on"
	s.txn.level = s.settings.get("default_transaction_isolation")
	s.txn.repeatable = repeatableLevel(s.txn.level)
	return s.setModes(modes)
}

func repeatableLevel(level string) bool { return level == "repeatable read" || level == "serializable" }

func (s *session) setModes(m TxModes) error {
	if m.Isolation != "" && m.Isolation != s.txn.level {
		if s.txn.queried {
			return wire.Errorf("25001", "SET TRANSACTION ISOLATION LEVEL must be called before any query")
		}
		s.txn.repeatable, s.txn.level = repeatableLevel(m.Isolation), m.Isolation
	}
	switch m.Access {
	case "read only":
		s.txn.readOnly = true
	case "read write":
		if s.txn.readOnly && s.txn.queried {
			return wire.Errorf("25001", "transaction read-write mode must be set before any query")
		}
		s.txn.readOnly = false
	}
	return nil
}

// commit ends an explicit transaction; a failed one is rolled back, and says so.
func (s *session) commit(ctx context.Context, chain bool) (string, error) {
	tag, old := "COMMIT", s.txn
	switch {
	case s.txn.failed:
		s.abandon(ctx)
		tag = "ROLLBACK"
	case !s.txn.explicit && chain:
		return "", wire.Errorf("25P01", "COMMIT AND CHAIN can only be used in transaction blocks")
	case !s.txn.explicit:
		s.notice(wire.SeverityWarning, "25P01", "", "there is no transaction in progress")
		return tag, s.finish(ctx)
	default:
		if err := s.finish(ctx); err != nil {
			s.txn = txn{}
			return "", err
		}
	}
	s.restart(chain, &old)
	return tag, nil
}

func (s *session) rollback(ctx context.Context, chain bool) (string, error) {
	if !s.txn.explicit && chain {
		return "", wire.Errorf("25P01", "ROLLBACK AND CHAIN can only be used in transaction blocks")
	}
	if !s.txn.explicit {
		s.notice(wire.SeverityWarning, "25P01", "", "there is no transaction in progress")
	}
	old := s.txn
	s.abandon(ctx)
	s.restart(chain, &old)
	return "ROLLBACK", nil
}

// restart leaves no transaction, or one like the one that ended.
func (s *session) restart(chain bool, old *txn) {
	s.txn = txn{}
	if chain && old.explicit {
		s.txn = txn{explicit: true, readOnly: old.readOnly, repeatable: old.repeatable, level: old.level}
	}
}

// endImplicit commits what statements outside BEGIN did.
func (s *session) endImplicit(ctx context.Context, out *wire.ResultWriter) error {
	if s.txn.explicit {
		return nil
	}
	multiple := s.txn.multiple
	err := s.finish(ctx)
	s.txn = txn{multiple: multiple}
	if out != nil {
		s.sendNotices(out)
	}
	return err
}

// finish commits whatever DuckDB transaction there is.
func (s *session) finish(ctx context.Context) (err error) {
	defer s.forgetRelations()
	committed := false
	defer func() { s.endCursors(ctx, committed) }()
	defer func() { err = errors.Join(err, s.endSettings(context.WithoutCancel(ctx), committed)) }()
	switch {
	case s.txn.write != nil:
		write := s.txn.write
		s.txn.write = nil
		res, err := write.Commit(ctx)
		if err != nil {
			return err
		}
		s.afterCommit(res)
	case s.txn.snapshot:
		s.txn.snapshot = false
		if _, err := s.conn.Exec(ctx, "COMMIT"); err != nil {
			return err
		}
	}
	committed = true
	s.deliverNotes()
	return s.endTemporary(ctx)
}

// forgetRelations ends what sessions remember of tables, once more when a
// transaction that changed some has ended.
func (s *session) forgetRelations() {
	if s.txn.relations {
		s.txn.relations = false
		s.engine.relations.Add(1)
	}
}

// afterCommit tells the client and the listeners what the commit did.
func (s *session) afterCommit(res catalog.CommitResult) {
	for _, n := range res.Notices {
		s.notice(wire.SeverityWarning, "01000", n.Hint, "%s", n.Message)
	}
	for _, v := range res.Views {
		payload := fmt.Sprintf(`{"commit":%d,"published":%d,"retired":%d}`, res.Commit, v.Published, v.Retired)
		s.engine.hub.notify(v.View.Name, payload, s.client.ProcessID)
	}
}

// abandon rolls back whatever DuckDB transaction there is.
func (s *session) abandon(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	s.endCursors(ctx, false)
	s.notify, s.listens = nil, nil
	if s.txn.write != nil {
		s.txn.write.Rollback(ctx)
	} else if s.txn.snapshot {
		// A transaction that an error ended already has nothing to roll back.
		_, _ = s.conn.Exec(ctx, "ROLLBACK")
	}
	// What cannot be dropped here is dropped with the session.
	_ = s.endTemporary(ctx)
	if err := s.endSettings(ctx, false); err != nil {
		s.engine.logger.Error("cannot restore the settings", "error", err)
	}
	s.forgetRelations()
	s.txn = txn{multiple: s.txn.multiple}
}
