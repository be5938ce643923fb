package planner

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// A session answers one connection. It owns a DuckDB connection, the state of
// the transaction, the settings, and what SQL-level PREPARE and DECLARE made.
type session struct {
	engine   *Engine
	client   *wire.Client
	conn     *catalog.Conn
	settings *settings
	txn      txn
	running  string // the tag of the statement that runs
	prepared map[string]*sqlPrepared
	cursors  map[string]*cursor
	tables   described
	temp     map[string]bool // temporary relations of this session
	onCommit []temporary     // those of them that the end of a transaction drops or empties

	cursorNumber int64         // of the latest cursor
	pieces       int           // statements of the running simple message that are to come
	notices      []*wire.Error // to send with the statement that runs
	announced    bool          // the catalogs know who asks
	notify       []pendingNote // NOTIFYs that wait for the commit
	listens      []string      // LISTENs that wait for the commit
}

type pendingNote struct{ channel, payload string }

// Split cuts a simple Query message into its statements.
func (s *session) Split(sql string) ([]wire.Piece, error) {
	pieces, err := Split(sql)
	s.pieces = len(pieces)
	if len(pieces) > 1 {
		s.txn.multiple = true
	}
	return pieces, err
}

// Prepare plans one statement.
func (s *session) Prepare(ctx context.Context, sql string, paramOIDs []uint32, simple bool) (wire.Statement, error) {
	if simple {
		s.pieces--
	}
	st, err := Parse(sql)
	if err != nil {
		return nil, oneCommand(sql, simple, err)
	}
	if !simple && slices.ContainsFunc(st.Tokens, func(t Token) bool { return t.isPunct(";") }) {
		return nil, severalCommands()
	}
	s.noticeShortened(st)
	if err := s.txn.admits(st); err != nil {
		return nil, err
	}
	if err := st.checkParams(paramOIDs, simple); err != nil {
		return nil, err
	}
	p, err := s.plan(ctx, st, paramOIDs)
	if err != nil {
		return nil, placed(err, st)
	}
	if simple && len(p.params) > 0 {
		if p.close != nil {
			p.close()
		}
		return nil, st.noParameter()
	}
	return &statement{session: s, parsed: st, plan: p, last: simple && s.pieces <= 0}, nil
}

// noticeShortened tells the client, at once as Postgres's lexer does, which
// names are too long.
func (s *session) noticeShortened(st *Statement) {
	for _, name := range st.Shortened {
		n := wire.Errorf("42622", "identifier \"%s\" will be truncated to \"%s\"", name, strings.ToValidUTF8(name[:maxName], ""))
		if n.Severity = wire.SeverityNotice; s.settings.showsNotice(n.Severity) {
			s.client.Notice(n)
		}
	}
}

// oneCommand is the error of a text that cannot be parsed: in a Parse message
// several statements are one thing wrong.
func oneCommand(sql string, simple bool, err error) error {
	if pieces, splitErr := Split(sql); simple || splitErr != nil || len(pieces) < 2 {
		return err
	}
	return severalCommands()
}

func severalCommands() error {
	return wire.Errorf(codeSyntax, "cannot insert multiple commands into a prepared statement")
}

// noParameter is the error of a parameter in a simple message, which brings no
// values.
func (s *Statement) noParameter() error {
	for _, t := range s.Tokens {
		if t.Kind == TokenParam {
			return errorAt(s.SQL, t.Start, "42P02", "there is no parameter $%s", t.Text).
				WithHint("Parameters need the extended query protocol: Parse and Bind.")
		}
	}
	return wire.Errorf("42P02", "there is no parameter $1").WithHint("Parameters need the extended query protocol: Parse and Bind.")
}

// checkParams refuses a statement that leaves out a number below its highest
// parameter's, so that nothing tells the type.
func (s *Statement) checkParams(oids []uint32, simple bool) error {
	if s.Params == 0 || s.Kind == KindPrepare || simple {
		return nil
	}
	used := map[string]bool{}
	for _, t := range s.Tokens {
		if t.Kind == TokenParam {
			used[t.Text] = true
		}
	}
	for n := 1; n < s.Params && len(used) < s.Params; n++ {
		if (n > len(oids) || oids[n-1] == 0) && !used[strconv.Itoa(n)] {
			return wire.Errorf("42P18", "could not determine data type of parameter $%d", n).
				WithHint("Use the parameters in order, or declare their types.")
		}
	}
	return nil
}

// A plan is how one statement will be answered: its parameters and columns as
// the protocol describes them, and run, which executes it with arguments. A
// run that returns a cursor streams rows; the others complete at once.
type plan struct {
	params  []uint32
	columns []wire.Column
	run     planRun
	close   func()
	control bool // a statement of transaction control, which begins none itself
}

// A planRun runs a plan.
type planRun = func(ctx context.Context, args []wire.Value, out *wire.ResultWriter) (*execution, error)

// An execution is what running a plan left: the tag, and the rows that are
// still to be sent.
type execution struct {
	tag  string
	rows *rowStream // nil: there are none, or all are sent
}

// statement is a prepared statement of the protocol.
type statement struct {
	session *session
	parsed  *Statement
	plan    *plan
	last    bool // the last statement of a simple message: it commits itself
}

func (st *statement) ParamTypes() []uint32   { return st.plan.params }
func (st *statement) Columns() []wire.Column { return st.plan.columns }

func (st *statement) Bind(_ context.Context, args []wire.Value) (wire.Portal, error) {
	if err := st.session.txn.admits(st.parsed); err != nil {
		return nil, err
	}
	return &portal{statement: st, args: args}, nil
}

func (st *statement) Close() {
	if st.plan.close != nil {
		st.plan.close()
	}
}

// portal is a bound statement. It runs at its first Run; a row limit then
// leaves its rows open.
type portal struct {
	statement *statement
	args      []wire.Value
	exec      *execution
	sent      int64
	done      bool
}

func (p *portal) Columns() []wire.Column { return p.statement.plan.columns }

func (p *portal) Run(ctx context.Context, out *wire.ResultWriter, maxRows int64) (string, bool, error) {
	if p.done {
		return p.emptyTag(), true, nil
	}
	s := p.statement.session
	ctx, stop := s.statementContext(ctx)
	defer stop()
	out.SetContext(ctx)
	tag, done, err := p.advance(ctx, out, maxRows)
	s.sendNotices(out)
	if err != nil {
		p.finish()
		return "", false, err
	}
	return tag, done, nil
}

func (p *portal) advance(ctx context.Context, out *wire.ResultWriter, maxRows int64) (string, bool, error) {
	s := p.statement.session
	if p.exec == nil {
		exec, err := s.execute(ctx, p.statement, p.args, out, maxRows)
		if err != nil {
			return "", false, err
		}
		p.exec = exec
	}
	if p.exec.rows != nil {
		n, more, err := p.exec.rows.send(ctx, out, maxRows)
		p.sent += n
		if err != nil || more {
			return "", false, err
		}
		p.exec.tag = rowTag(p.exec.tag, n)
	}
	p.finish()
	if p.statement.last {
		if err := s.endImplicit(ctx, out); err != nil {
			return "", false, err
		}
	}
	return p.exec.tag, true, nil
}

// emptyTag is the tag of a portal that is run again after its end.
func (p *portal) emptyTag() string {
	word, _, counted := strings.Cut(p.exec.tag, " ")
	switch {
	case word == "INSERT" && counted:
		return "INSERT 0 0"
	case (word == "UPDATE" || word == "DELETE" || word == "MERGE") && counted:
		return word + " 0"
	default:
		return rowTag(word, 0)
	}
}

// rowTag puts the number of rows into a tag that has a place for it.
func rowTag(tag string, n int64) string {
	if tag == "SELECT" || tag == "FETCH" {
		return fmt.Sprintf("%s %d", tag, n)
	}
	return tag
}

func (p *portal) finish() {
	p.done = true
	if p.exec == nil {
		p.exec = &execution{}
	}
	if p.exec.rows != nil {
		p.exec.rows.close()
	}
}

func (p *portal) Close() {
	if !p.done {
		p.finish()
	}
}

// statementContext bounds a statement by statement_timeout.
func (s *session) statementContext(ctx context.Context) (context.Context, context.CancelFunc) {
	timeout := s.settings.duration("statement_timeout")
	if timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, timeout, wire.ErrStatementTimeout)
}

// execute runs a statement inside the transaction that it belongs to.
func (s *session) execute(ctx context.Context, st *statement, args []wire.Value, out *wire.ResultWriter, maxRows int64) (*execution, error) {
	if err := s.txn.admits(st.parsed); err != nil {
		return nil, err
	}
	s.txn.limited, s.running = maxRows > 0, st.parsed.Tag()
	s.txn.queried = s.txn.queried || st.parsed.Kind.looks()
	exec, err := st.plan.run(ctx, args, out)
	if err != nil {
		return nil, placed(violated(err, st.parsed), st.parsed)
	}
	if !st.plan.control && !s.txn.explicit && s.txn.write != nil && !st.last {
		err = s.publishFirst(ctx)
	}
	return exec, err
}

// publishFirst publishes the first write of an implicit transaction at once,
// so that its warnings and errors come with its statement; later writes of one
// pipeline are published when it ends.
func (s *session) publishFirst(ctx context.Context) error {
	if s.txn.published {
		return nil
	}
	s.txn.published = true
	return s.txn.write.Publish(ctx)
}

// notice queues a notice for the statement that runs.
func (s *session) notice(severity, code, hint, format string, args ...any) {
	n := wire.Errorf(code, format, args...)
	n.Severity, n.Hint = severity, hint
	s.notices = append(s.notices, n)
}

func (s *session) sendNotices(out *wire.ResultWriter) {
	for _, n := range s.notices {
		if s.settings.showsNotice(n.Severity) {
			out.Notice(n)
		}
	}
	s.notices = nil
}

// Sync ends an implicit transaction.
func (s *session) Sync(ctx context.Context) error {
	defer s.reportSettings()
	s.txn.multiple = false
	if s.txn.explicit || s.txn.failed {
		return nil
	}
	err := s.endImplicit(ctx, nil)
	for _, n := range s.notices {
		if s.settings.showsNotice(n.Severity) {
			s.client.Notice(n)
		}
	}
	s.notices = nil
	return err
}

// Fail undoes an implicit transaction and marks an explicit one as failed.
func (s *session) Fail(ctx context.Context) {
	s.notices, s.pieces = nil, 0
	s.txn.multiple = false
	if s.txn.explicit && len(s.txn.savepoints) > 0 {
		s.txn.failed = true // a savepoint may yet be gone back to
		return
	}
	old := s.txn
	s.abandon(ctx)
	s.txn.explicit, s.txn.failed = old.explicit, old.explicit
	s.txn.readOnly, s.txn.repeatable, s.txn.level = old.readOnly, old.repeatable, old.level
}

// Status is the transaction's status as the protocol knows it.
func (s *session) Status() wire.TxStatus {
	switch {
	case s.txn.failed:
		return wire.TxFailed
	case s.txn.explicit:
		return wire.TxInside
	default:
		return wire.TxIdle
	}
}

// IdleTimeout bounds how long the server waits for the next message inside a
// transaction: idle_in_transaction_session_timeout, or by default a minute for
// a session that holds the writer lock.
func (s *session) IdleTimeout() time.Duration {
	if !s.txn.explicit {
		return 0
	}
	if d, set := s.settings.explicitDuration("idle_in_transaction_session_timeout"); set {
		return d
	}
	if s.txn.write != nil {
		return time.Minute
	}
	return 0
}

// Close rolls back what is open and frees the connection.
func (s *session) Close() {
	s.abandon(context.Background())
	s.engine.hub.unlisten("", s)
	for _, c := range s.cursors {
		c.close(context.Background())
	}
	for _, p := range s.prepared {
		p.close()
	}
	// Nothing depends on the outcome: the connection is gone either way.
	_ = s.conn.Close()
}
