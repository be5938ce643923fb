package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// fakeBackend speaks a language of one-word commands, enough to bring the
// server into each of its states:
//
//	rows N            N rows of a bigint n
//	echo TYPE…        one row of text: the parameters, which have these types
//	insert N          keeps N when its transaction commits
//	begin, commit, rollback, deferred (a commit that fails)
//	fail CODE         an error at position 6;  bare: one without a code
//	halfway N         N rows, then an error
//	notice TEXT, set NAME VALUE, panic, wait (until stopped)
//	copyin FORMAT N   reads rows of N columns;  stingy: reads none of them
//	copyout FORMAT N  writes N rows of a bigint and a text
//	deallocate NAME|all, has NAME, zone NAME
type fakeBackend struct {
	mu       sync.Mutex
	kept     []string
	lastRows [][]string
	sessions []*fakeSession
	opened   atomic.Int64
	closed   atomic.Int64
	live     atomic.Int64 // statements and portals that are not closed
	refuse   error
	txIdle   time.Duration
	idle     time.Duration
	waiting  chan struct{} // gets a value when wait begins
}

func newFakeBackend() *fakeBackend {
	return &fakeBackend{waiting: make(chan struct{}, 100)}
}

func (b *fakeBackend) Open(_ context.Context, c *Client) (Session, error) {
	if b.refuse != nil {
		return nil, b.refuse
	}
	b.opened.Add(1)
	s := &fakeSession{backend: b, client: c}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions = append(b.sessions, s)
	if tz := c.Params["timezone"]; tz != "" {
		c.Report("TimeZone", tz)
	}
	return s, nil
}

func (b *fakeBackend) rows() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.kept...)
}

type fakeSession struct {
	backend  *fakeBackend
	client   *Client
	explicit bool
	failed   bool
	deferred bool
	pending  []string
}

func (s *fakeSession) IdleTimeout() time.Duration        { return s.backend.txIdle }
func (s *fakeSession) IdleSessionTimeout() time.Duration { return s.backend.idle }

func (s *fakeSession) Split(sql string) ([]Piece, error) {
	if strings.Contains(sql, "unterminated") {
		return nil, Errorf("42601", "unterminated quoted string").WithPosition(3)
	}
	var pieces []Piece
	offset := 0
	for part := range strings.SplitSeq(sql, ";") {
		trimmed := strings.TrimLeft(part, " ")
		if strings.TrimSpace(trimmed) != "" {
			pieces = append(pieces, Piece{SQL: trimmed, Offset: offset + len(part) - len(trimmed)})
		}
		offset += len(part) + 1
	}
	return pieces, nil
}

func (s *fakeSession) Prepare(_ context.Context, sql string, oids []uint32, _ bool) (Statement, error) {
	words := strings.Fields(sql)
	if len(words) == 0 {
		words = []string{""}
	}
	if s.failed && words[0] != "rollback" && words[0] != "commit" {
		return nil, Errorf("25P02", "current transaction is aborted")
	}
	st := &fakeStatement{session: s, words: words, oids: oids}
	switch words[0] {
	case "rows", "halfway", "insert", "begin", "commit", "rollback", "deferred", "notice", "set", "panic",
		"wait", "copyin", "has", "zone", "stingy", "copyout", "deallocate", "fail", "bare", "flood", "":
	case "echo":
		for i, word := range words[1:] {
			if i >= len(st.oids) {
				st.oids = append(st.oids, 0)
			}
			if st.oids[i] == 0 {
				st.oids[i] = fakeOID(word)
			}
		}
	default:
		return nil, Errorf("42601", `syntax error at or near "%s"`, words[0]).WithPosition(1)
	}
	s.backend.live.Add(1)
	return st, nil
}

func fakeOID(word string) uint32 {
	n, err := strconv.ParseUint(word, 10, 32)
	if err != nil {
		return OIDText
	}
	return uint32(n)
}

func (s *fakeSession) Sync(context.Context) error {
	if s.explicit {
		return nil
	}
	return s.commit()
}

func (s *fakeSession) commit() error {
	defer func() { s.pending, s.deferred = nil, false }()
	if s.deferred {
		s.client.Notice(Warningf("", "about to fail"))
		return Errorf("23503", "deferred constraint")
	}
	s.backend.mu.Lock()
	defer s.backend.mu.Unlock()
	s.backend.kept = append(s.backend.kept, s.pending...)
	return nil
}

func (s *fakeSession) Fail(context.Context) {
	s.pending, s.deferred = nil, false
	s.failed = s.explicit
}

func (s *fakeSession) Status() TxStatus {
	switch {
	case s.failed:
		return TxFailed
	case s.explicit:
		return TxInside
	default:
		return TxIdle
	}
}

// Cursor knows one cursor.
func (s *fakeSession) Cursor(name string) ([]Column, bool) {
	return []Column{{Name: "c", Type: Type{OID: OIDInt4, Size: 4, Kind: KindInt32}}}, name == "cur"
}

func (s *fakeSession) Close() { s.backend.closed.Add(1) }

type fakeStatement struct {
	session *fakeSession
	words   []string
	oids    []uint32
}

func (st *fakeStatement) ParamTypes() []uint32 { return st.oids }

func (st *fakeStatement) Columns() []Column {
	switch st.words[0] {
	case "rows", "halfway", "flood":
		return []Column{{Name: "n", Type: Type{OID: OIDInt8, Size: 8, Typmod: -1, Kind: KindInt64}}}
	case "echo":
		columns := make([]Column, len(st.oids))
		for i := range columns {
			columns[i] = Column{Name: fmt.Sprint("p", i+1), Type: Type{OID: OIDText, Size: -1, Typmod: -1, Kind: KindString}}
		}
		return columns
	}
	return nil
}

func (st *fakeStatement) Bind(_ context.Context, args []Value) (Portal, error) {
	st.session.backend.live.Add(1)
	return &fakePortal{fakeStatement: st, args: args}, nil
}

func (st *fakeStatement) Close() { st.session.backend.live.Add(-1) }

type fakePortal struct {
	*fakeStatement
	args []Value
	sent int64
}

func (p *fakePortal) Close() { p.session.backend.live.Add(-1) }

func (p *fakePortal) number(i int) int64 {
	n, err := strconv.ParseInt(p.words[i], 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func (p *fakePortal) Run(ctx context.Context, out *ResultWriter, maxRows int64) (string, bool, error) {
	s := p.session
	switch p.words[0] {
	case "":
		return "", true, nil
	case "rows", "halfway", "flood":
		return p.runRows(out, maxRows)
	case "echo":
		return p.runEcho(out)
	case "insert":
		s.pending = append(s.pending, p.words[1])
		return "INSERT 0 1", true, nil
	case "begin":
		s.explicit = true
		return "BEGIN", true, nil
	case "deferred":
		s.deferred = true
		return "DEFERRED", true, nil
	case "commit", "rollback":
		return p.runEnd()
	case "wait":
		s.backend.waiting <- struct{}{}
		<-ctx.Done()
		return "", false, ctx.Err()
	case "panic":
		panic("the fake panics")
	case "fail":
		return "", false, Errorf(p.words[1], "failed on purpose").WithPosition(6).WithHint("do not")
	case "bare":
		return "", false, errors.New("a secret")
	default:
		return p.runOther(out)
	}
}

func (p *fakePortal) runOther(out *ResultWriter) (string, bool, error) {
	switch p.words[0] {
	case "notice":
		out.Notice(Noticef("%s", strings.Join(p.words[1:], " ")))
	case "set":
		out.ParameterStatus(p.words[1], p.words[2])
	case "zone":
		loc, err := time.LoadLocation(p.words[1])
		if err != nil {
			return "", false, err
		}
		p.session.client.SetLocation(loc)
	case "has":
		_, ok := p.session.client.Statement(p.words[1])
		return fmt.Sprint("HAS ", ok), true, nil
	case "deallocate":
		if p.words[1] == "all" {
			p.session.client.DeallocateAll()
			break
		}
		if !p.session.client.Deallocate(p.words[1]) {
			return "", false, Errorf("26000", `prepared statement "%s" does not exist`, p.words[1])
		}
	case "copyin", "stingy":
		return p.runCopyIn(out)
	case "copyout":
		return p.runCopyOut(out)
	}
	return strings.ToUpper(p.words[0]), true, nil
}

func (p *fakePortal) runEnd() (string, bool, error) {
	s := p.session
	failed := s.failed
	s.explicit, s.failed = false, false
	if failed || p.words[0] == "rollback" {
		s.pending = nil
		return "ROLLBACK", true, nil
	}
	return "COMMIT", true, s.commit()
}

func (p *fakePortal) runRows(out *ResultWriter, maxRows int64) (string, bool, error) {
	total := p.number(1)
	if maxRows == 0 {
		maxRows = total
	}
	typ := p.Columns()[0].Type
	var sent int64
	for p.sent < total && sent < maxRows {
		n := min(total-p.sent, maxRows-sent, 1024)
		v := Vector{Type: &typ, Int64s: make([]int64, n)}
		for i := range v.Int64s {
			v.Int64s[i] = p.sent + int64(i)
		}
		if err := out.WriteBatch(&Batch{Rows: int(n), Cols: []Vector{v}}); err != nil {
			return "", false, err
		}
		p.sent += n
		sent += n
	}
	if p.words[0] == "halfway" {
		return "", false, Errorf("22012", "division by zero")
	}
	return fmt.Sprintf("SELECT %d", sent), p.sent == total && (sent < maxRows || sent == total), nil
}

func (p *fakePortal) runEcho(out *ResultWriter) (string, bool, error) {
	cols := make([]Vector, len(p.args))
	for i, arg := range p.args {
		typ := p.Columns()[i].Type
		cols[i] = Vector{Type: &typ, Strings: []string{fmt.Sprintf("%T:%v", arg, arg)}}
		if arg == nil {
			cols[i].Valid = []uint64{0}
		}
	}
	return "SELECT 1", true, out.WriteBatch(&Batch{Rows: 1, Cols: cols})
}

func fakeFormat(word string) CopyOptions {
	switch word {
	case "csv":
		return CopyOptions{Format: CopyCSV, Names: []string{"a", "b", "c", "d"}, Table: "t"}
	case "header":
		return CopyOptions{Format: CopyCSV, Header: HeaderMatch, Names: []string{"a", "b", "c", "d"}, Table: "t"}
	case "binary":
		return CopyOptions{Format: CopyBinary, Table: "t"}
	default:
		return CopyOptions{Names: []string{"a", "b", "c", "d"}, Table: "t"}
	}
}

func (p *fakePortal) runCopyIn(out *ResultWriter) (string, bool, error) {
	reader, err := out.CopyIn(fakeFormat(p.words[1]), int(p.number(2)))
	if err != nil || p.words[0] == "stingy" {
		return "COPY 0", true, err
	}
	var rows [][]string
	for {
		fields, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", false, err
		}
		row := make([]string, len(fields))
		for i, f := range fields {
			row[i] = fmt.Sprintf("%q", f)
			if f == nil {
				row[i] = "NULL"
			}
			if string(f) == "bad" {
				return "", false, Errorf("22P02", "bad field").WithWhere("COPY t, line %d", reader.Line())
			}
		}
		rows = append(rows, row)
	}
	p.session.backend.mu.Lock()
	p.session.backend.lastRows = rows
	p.session.backend.mu.Unlock()
	return fmt.Sprintf("COPY %d", len(rows)), true, nil
}

func (p *fakePortal) runCopyOut(out *ResultWriter) (string, bool, error) {
	n := p.number(2)
	columns := []Column{
		{Name: "n", Type: Type{OID: OIDInt8, Size: 8, Kind: KindInt64}},
		{Name: "s", Type: Type{OID: OIDText, Size: -1, Kind: KindString}},
	}
	if err := out.CopyOut(fakeFormat(p.words[1]), columns); err != nil {
		return "", false, err
	}
	batch := &Batch{Rows: int(n), Cols: []Vector{{Type: &columns[0].Type}, {Type: &columns[1].Type}}}
	for i := range n {
		batch.Cols[0].Int64s = append(batch.Cols[0].Int64s, i)
		batch.Cols[1].Strings = append(batch.Cols[1].Strings, "a\t\"b\",\\c")
	}
	if n > 1 {
		batch.Cols[1].Valid = []uint64{1}
	}
	return fmt.Sprintf("COPY %d", n), true, out.WriteBatch(batch)
}
