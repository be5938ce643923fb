package sqltests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// A mode is one of the ways in which every script runs.
type mode struct {
	name     string
	extended bool
	format   int16 // of results
	restarts restarts
}

// restarts says when the server restarts in a mode: only ever between steps,
// and where no transaction is open.
type restarts uint8

const (
	never       restarts = iota
	beforeReads          // in the middle of a script, and where it begins to read what was written
	afterWrites          // after each step but a query
)

func modes() []mode {
	return []mode{
		{name: "simple"},
		{name: "text", extended: true},
		{name: "binary", extended: true, format: pgtype.BinaryFormatCode},
		{name: "restart", restarts: beforeReads},
	}
}

// contractModes are those of the scripts of the session contract: whatever
// each of their statements left, a server that knows nothing but the file goes
// on from it. Between two queries nothing changes that a restart could lose.
func contractModes() []mode {
	list := modes()
	list[len(list)-1] = mode{name: "restart-always", restarts: afterWrites}
	return list
}

// A runner runs the steps of one script in one mode, on a server and a
// database of their own.
type runner struct {
	t      *testing.T
	mode   mode
	server *server // nil where the referee is asked
	url    string
	conns  map[string]*connection
}

// A connection keeps the notices that it received since the last step.
type connection struct {
	*pgconn.PgConn

	notices []*pgconn.Notice
}

// newRunner asks the server at url, or one of its own if that is empty.
func newRunner(t *testing.T, m mode, url string) *runner {
	t.Helper()
	r := &runner{t: t, mode: m, url: url, conns: map[string]*connection{}}
	if r.url == "" {
		r.server = startServer(t, databasePath(t))
		r.url = r.server.url()
	}
	t.Cleanup(func() {
		r.disconnect()
		if r.server != nil {
			r.server.stop(t)
		}
	})
	return r
}

// run runs every step, those after a failed one too.
func (r *runner) run(s *script) {
	for i := range s.steps {
		st := &s.steps[i]
		if s.restartsBefore(i, r.mode.restarts) && r.idle() {
			r.restart()
		}
		if err := r.step(st); err != nil {
			r.t.Errorf("%s:%d: %s: %v\n%s", s.path, st.line, st.verb, err, st.sql)
		}
	}
}

// restartsBefore says whether the server restarts before a step.
func (s *script) restartsBefore(i int, when restarts) bool {
	if i == 0 || when == never || s.steps[i].options["keep"] != "" {
		return false
	}
	wrote := s.steps[i-1].verb != "query"
	if when == afterWrites {
		return wrote
	}
	return wrote && s.steps[i].verb == "query" || i == len(s.steps)/2
}

// idle says that no connection is inside a transaction.
func (r *runner) idle() bool {
	for _, c := range r.conns {
		if c.TxStatus() != 'I' {
			return false
		}
	}
	return true
}

func (r *runner) restart() {
	r.disconnect()
	if r.server != nil {
		r.server.restart(r.t)
		r.url = r.server.url()
	}
}

func (r *runner) disconnect() {
	for name, c := range r.conns {
		_ = c.Close(r.t.Context())
		delete(r.conns, name)
	}
}

// connection finds or opens the connection that a step names.
func (r *runner) connection(name string) (*connection, error) {
	if c := r.conns[name]; c != nil {
		c.notices = nil
		return c, nil
	}
	config, err := pgconn.ParseConfig(r.url)
	if err != nil {
		return nil, err
	}
	c := &connection{}
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { c.notices = append(c.notices, n) }
	if c.PgConn, err = pgconn.ConnectConfig(context.Background(), config); err != nil {
		return nil, err
	}
	r.conns[name] = c
	return c, nil
}

func (r *runner) step(st *step) error {
	c, err := r.connection(st.options["on"])
	if err != nil {
		return err
	}
	got, err := r.send(c, st)
	if st.verb == "error" {
		return st.judgeError(err)
	}
	if err != nil {
		return describe(err)
	}
	if want := st.options["notice"]; want != "" && !noticed(c.notices, want) {
		return fmt.Errorf("no notice says %q; there were %d: %s", want, len(c.notices), noticeText(c.notices))
	}
	if st.verb == "query" {
		return st.judgeRows(got)
	}
	if want := st.options["tag"]; want != "" && got.tag != want {
		return fmt.Errorf("tag %q, want %q", got.tag, want)
	}
	return nil
}

// send runs a step's statement in the runner's mode. What stands under an
// exec's "----" is the data of its COPY FROM STDIN.
func (r *runner) send(c *connection, st *step) (*answer, error) {
	ctx := r.t.Context()
	switch {
	case st.verb == "exec" && st.judged:
		data := strings.Join(st.want, "\n") + "\n"
		tag, err := c.CopyFrom(ctx, strings.NewReader(data), st.sql)
		return &answer{tag: tag.String()}, err
	case r.mode.extended:
		return read(c.ExecParams(ctx, st.sql, nil, nil, nil, []int16{r.mode.format}), r.mode.format)
	default:
		return simple(ctx, c.PgConn, st.sql)
	}
}

// simple runs SQL in one simple Query message and returns its last result.
func simple(ctx context.Context, c *pgconn.PgConn, sql string) (*answer, error) {
	results := c.Exec(ctx, sql)
	last := &answer{}
	for results.NextResult() {
		a, err := read(results.ResultReader(), pgtype.TextFormatCode)
		if err != nil {
			return nil, errors.Join(err, results.Close())
		}
		last = a
	}
	return last, results.Close()
}

func read(reader *pgconn.ResultReader, format int16) (*answer, error) {
	a := &answer{format: format}
	for reader.NextRow() {
		row := make([][]byte, len(reader.Values()))
		for i, cell := range reader.Values() {
			row[i] = bytes.Clone(cell)
		}
		a.rows = append(a.rows, row)
	}
	a.fields = slices.Clone(reader.FieldDescriptions())
	tag, err := reader.Close()
	a.tag = tag.String()
	return a, err
}

func (st *step) judgeRows(got *answer) error {
	if names := st.options["names"]; names != "" && got.names() != names {
		return fmt.Errorf("columns %s, want %s", got.names(), names)
	}
	if types := st.options["types"]; types != "" && got.typeNames() != types {
		return fmt.Errorf("types %s, want %s", got.typeNames(), types)
	}
	if diff := got.difference(st.want, st.options["unordered"] != ""); diff != "" {
		return errors.New(diff)
	}
	return nil
}

// judgeError compares a failure with what the step says of it.
func (st *step) judgeError(err error) error {
	var failure *pgconn.PgError
	if !errors.As(err, &failure) {
		return fmt.Errorf("no error from the server, want %s: %w", st.args[0], err)
	}
	for _, check := range []struct {
		what, got, want string
		equal           bool
	}{
		{"SQLSTATE", failure.Code, st.args[0], true},
		{"position", fmt.Sprint(failure.Position), st.options["position"], true},
		{"message", failure.Message, st.options["message"], false},
		{"detail", failure.Detail, st.options["detail"], false},
		{"hint", failure.Hint, st.options["hint"], false},
	} {
		if check.want == "" || check.got == check.want || !check.equal && strings.Contains(check.got, check.want) {
			continue
		}
		return fmt.Errorf("%s %q, want %q: %w", check.what, check.got, check.want, describe(failure))
	}
	return nil
}

// describe shows all of a server's error.
func describe(err error) error {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("%s %s: %s (detail %q, hint %q, position %d)", e.Severity, e.Code, e.Message, e.Detail, e.Hint, e.Position)
}

func noticed(notices []*pgconn.Notice, want string) bool {
	return strings.Contains(noticeText(notices), want)
}

func noticeText(notices []*pgconn.Notice) string {
	lines := make([]string, len(notices))
	for i, n := range notices {
		lines[i] = n.Severity + " " + n.Code + ": " + n.Message
	}
	return strings.Join(lines, "\n")
}

// pgError is the server's error inside err, empty if there is none.
func pgError(err error) *pgconn.PgError {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return &pgconn.PgError{}
	}
	return e
}
