package catalog

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"
)

// endless runs for minutes if nothing stops it.
const endless = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"

func TestContextEndsStatement(t *testing.T) {
	c := testConn(t)
	cause := errors.New("the client hung up")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	_, err := c.Exec(ctx, endless)
	wantInterrupted(t, err, cause)

	// The next statement is not touched by it.
	if got := values(t, c, "SELECT 1"); got[0][0] != int64(1) {
		t.Errorf("%v", got)
	}
	_, err = c.Exec(ctx, "SELECT 1")
	wantInterrupted(t, err, cause)
}

func TestDeadlineEndsStatement(t *testing.T) {
	c := testConn(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Query(ctx, endless)
	wantInterrupted(t, err, context.DeadlineExceeded)
	if err.Error() != "canceling statement due to statement timeout" {
		t.Error(err)
	}
}

func wantInterrupted(t *testing.T, err, cause error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.SQLState() != "57014" || !errors.Is(err, cause) {
		t.Errorf("not interrupted by %v: %v", cause, err)
	}
}

func TestContextEndsStream(t *testing.T) {
	c := testConn(t)
	rows, err := c.Query(t.Context(), "SELECT range FROM range(100000000)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rows.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = rows.Next(ctx)
	wantInterrupted(t, err, context.Canceled)
	if _, again := rows.Next(t.Context()); !errors.Is(again, err) {
		t.Errorf("after the end: %v", again)
	}
}

// TestCancelBetween ends contexts at every moment of short statements: each
// either succeeds or says that it was interrupted, and none reaches the next.
func TestCancelBetween(t *testing.T) {
	c := testConn(t)
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(i)*time.Microsecond, cancel)
		rows, err := c.Query(ctx, "SELECT range FROM range(20000)")
		for err == nil {
			_, err = rows.Next(ctx)
		}
		if !errors.Is(err, io.EOF) {
			wantInterrupted(t, err, context.Canceled)
		}
		if n := len(values(t, c, "SELECT range FROM range(5000)")); n != 5000 {
			t.Fatalf("%d rows after it", n)
		}
		cancel()
	}
}

func TestInterrupt(t *testing.T) {
	c := testConn(t)
	var wg sync.WaitGroup
	defer wg.Wait()
	done := make(chan struct{})
	defer close(done)
	wg.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				c.Interrupt()
				_ = c.Progress()
			}
		}
	})
	_, err := c.Exec(t.Context(), endless)
	var e *Error
	if !errors.As(err, &e) || e.SQLState() != "57014" {
		t.Errorf("%v", err)
	}
}

func TestStreamEndsWithNextStatement(t *testing.T) {
	c := testConn(t)
	rows, err := c.Query(t.Context(), "SELECT range FROM range(1000000)")
	if err != nil {
		t.Fatal(err)
	}
	chunk, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kept := chunk.Detach()
	defer kept.Close()
	mustExec(t, c, "SELECT 1")
	if _, err := rows.Next(t.Context()); !errors.Is(err, ErrStreamEnded) {
		t.Errorf("%v", err)
	}
	if got := kept.Col(0).Int64s()[2047]; got != 2047 {
		t.Errorf("the detached chunk holds %d", got)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}

func TestMaterializedSurvivesNextStatement(t *testing.T) {
	c := testConn(t)
	s, err := c.Prepare(t.Context(), "SELECT range FROM range(5000)")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Run(t.Context(), nil, Materialized)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	mustExec(t, c, "SELECT 1")
	n := 0
	for chunk, err := range chunks(rows) {
		if err != nil {
			t.Fatal(err)
		}
		n += chunk.Rows()
	}
	if n != 5000 {
		t.Errorf("%d rows", n)
	}
}

// TestErrorInStream has an error after rows were handed out, to a reader that
// is fast or slow: it must be the error itself, not that the others were
// interrupted by it.
func TestErrorInStream(t *testing.T) {
	c := testConn(t)
	mustExec(t, c, "CREATE TEMP TABLE t AS SELECT i::VARCHAR AS s FROM range(500000) r(i)")
	mustExec(t, c, "UPDATE t SET s = 'bad' WHERE s = '400000'")
	for _, pause := range []time.Duration{0, 100 * time.Microsecond, 5 * time.Millisecond} {
		err := streamSlowly(t, c, pause)
		var e *Error
		if !errors.As(err, &e) || e.SQLState() != "22P02" || e.Position != 8 {
			t.Fatalf("pause %v: %+v", pause, err)
		}
		if got := values(t, c, "SELECT 1"); got[0][0] != int64(1) {
			t.Errorf("%v", got)
		}
	}
}

// TestLostError gives a stream what DuckDB says when it has lost the error of
// one of its threads, which happens too seldom to be provoked.
func TestLostError(t *testing.T) {
	const lost = "INTERRUPT Error: Interrupted!"
	c := testConn(t)
	mustExec(t, c, "CREATE TABLE t AS SELECT 'bad' AS s")
	r := &Rows{conn: c, streaming: true, stmt: "SELECT s::INTEGER + $1 FROM t", args: []any{1}}
	wantLost := func(state string, position int) {
		t.Helper()
		r.fail(t.Context(), lost)
		var e *Error
		if !errors.As(r.finished, &e) || e.SQLState() != state || e.Position != position {
			t.Errorf("%+v, want %s", r.finished, state)
		}
	}
	wantLost("22P02", 8)

	mustExec(t, c, "BEGIN")
	wantState(t, c, "SELECT 'x'::INTEGER", "22P02")
	wantLost("22P02", 8)
	mustExec(t, c, "ROLLBACK")

	mustExec(t, c, "UPDATE t SET s = '1'")
	wantLost("XX000", -1)

	c.Interrupt()
	wantLost("57014", -1)
}

func streamSlowly(t *testing.T, c *Conn, pause time.Duration) error {
	t.Helper()
	rows, err := c.Query(t.Context(), "SELECT s::INTEGER + $1 FROM t", 1)
	for err == nil {
		time.Sleep(pause)
		_, err = rows.Next(t.Context())
	}
	return err
}

func TestPreparedStatement(t *testing.T) {
	c := testConn(t)
	mustExec(t, c, "CREATE TABLE t (i INTEGER, s VARCHAR, d DECIMAL(9, 2))")
	for _, want := range []struct {
		sql     string
		kind    StatementKind
		params  []string
		columns []string
	}{
		{"SELECT i, s AS text FROM t WHERE d = $1", KindSelect, []string{"DECIMAL(9,2)"}, []string{"i INTEGER", "text VARCHAR"}},
		{"SELECT $2::DATE, $1", KindSelect, []string{"UNKNOWN", "DATE"}, nil},
		{"INSERT INTO t VALUES (?, ?, ?)", KindInsert, []string{"INTEGER", "VARCHAR", "DECIMAL(9,2)"}, nil},
		{"INSERT INTO t VALUES (1, 'x', 2) RETURNING s", KindInsert, nil, []string{"s VARCHAR"}},
		{"UPDATE t SET i = 1", KindUpdate, nil, nil},
		{"DELETE FROM t", KindDelete, nil, nil},
		{"MERGE INTO t USING t AS u ON t.i = u.i WHEN MATCHED THEN DELETE", KindMerge, nil, nil},
		{"CREATE TABLE x (i INTEGER)", KindCreate, nil, nil},
		{"CREATE TABLE y AS SELECT 1 AS one", KindCreate, nil, nil},
		{"BEGIN", KindTransaction, nil, nil},
		{"SET TimeZone = 'UTC'", KindSet, nil, nil},
		{"EXPLAIN SELECT 1", KindExplain, nil, []string{"explain_key VARCHAR", "explain_value VARCHAR"}},
	} {
		s, err := c.Prepare(t.Context(), want.sql)
		if err != nil {
			t.Errorf("%s: %v", want.sql, err)
			continue
		}
		if s.Kind() != want.kind {
			t.Errorf("%s: kind %d", want.sql, s.Kind())
		}
		var params, columns []string
		for _, p := range s.Params() {
			params = append(params, p.Name)
		}
		for _, col := range s.Columns() {
			columns = append(columns, col.Name+" "+col.Type.Name)
		}
		wantStrings(t, want.sql, params, want.params)
		wantStrings(t, want.sql, columns, want.columns)
		s.Close()
		s.Close()
	}
}

// TestChangedRows counts what statements change, in both modes.
func TestChangedRows(t *testing.T) {
	c := testConn(t)
	mustExec(t, c, "CREATE TABLE t (i INTEGER PRIMARY KEY, n INTEGER)")
	for _, want := range []struct {
		sql     string
		changed int64
		rows    int
	}{
		{"INSERT INTO t SELECT range, 0 FROM range(5000)", 5000, 0},
		{"INSERT INTO t VALUES (1, 1) ON CONFLICT DO NOTHING", 0, 0},
		{"UPDATE t SET n = 1 WHERE i < 10", 10, 0},
		{"UPDATE t SET n = 2 WHERE i < 10 RETURNING i", 0, 10},
		{"DELETE FROM t WHERE i >= 4000", 1000, 0},
		{"CREATE TABLE u AS SELECT * FROM t", 4000, 0},
		{"CREATE INDEX x ON u (n)", 0, 0},
		{"DROP TABLE u", 0, 0},
		{"SELECT count(*) FROM t", 0, 1},
	} {
		for _, mode := range []Mode{Streaming, Materialized} {
			mustExec(t, c, "BEGIN")
			s, err := c.Prepare(t.Context(), want.sql)
			if err != nil {
				t.Fatal(want.sql, err)
			}
			rows, err := s.Run(t.Context(), nil, mode)
			if err != nil {
				t.Fatal(want.sql, err)
			}
			n := 0
			for chunk, err := range chunks(rows) {
				if err != nil {
					t.Fatal(want.sql, err)
				}
				n += chunk.Rows()
			}
			if rows.Changed() != want.changed || n != want.rows || (rows.Columns() != nil) != (want.rows > 0) {
				t.Errorf("%s: %d changed, %d rows of %d columns", want.sql, rows.Changed(), n, len(rows.Columns()))
			}
			s.Close()
			end := "ROLLBACK"
			if mode == Materialized {
				end = "COMMIT"
			}
			mustExec(t, c, end)
		}
	}
}

func wantStrings(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %q, want %q", what, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	c := testConn(t)
	u := UUID{0xf5, 0x0e, 0x84, 15: 1}
	for _, want := range []struct {
		sql  string
		arg  any
		text string
	}{
		{"SELECT $1::VARCHAR, typeof($1)", nil, "NULL \"NULL\""},
		{"SELECT $1::VARCHAR, typeof($1)", true, "true BOOLEAN"},
		{"SELECT $1::VARCHAR, typeof($1)", 7, "7 VARCHAR"},
		{"SELECT $1::VARCHAR, typeof($1)", uint64(1 << 63), "9223372036854775808 UBIGINT"},
		{"SELECT $1::VARCHAR, typeof($1)", Int128{Hi: -1 << 63}, "-170141183460469231731687303715884105728 HUGEINT"},
		{"SELECT $1::VARCHAR, typeof($1)", float32(1.5), "1.5 FLOAT"},
		{"SELECT $1::VARCHAR, typeof($1)", 2.5, "2.5 DOUBLE"},
		{"SELECT $1::VARCHAR, typeof($1)", "é\x00ü", "é\x00ü VARCHAR"},
		{"SELECT $1::VARCHAR, typeof($1)", []byte("a\xff"), `a\xFF BLOB`},
		{"SELECT $1::VARCHAR, typeof($1)", NumericText("-12.50"), "-12.50 DECIMAL(4,2)"},
		{"SELECT $1::VARCHAR, typeof($1)", NumericText("0.001"), ".001 DECIMAL(3,3)"},
		{"SELECT $1::VARCHAR, typeof($1)", NumericText("-12345678901234567890123456789012345678"), "-12345678901234567890123456789012345678 DECIMAL(38,0)"},
		{"SELECT $1::VARCHAR, typeof($1)", NumericText("-170141183460469231731687303715884105727"), "-170141183460469231731687303715884105727 HUGEINT"},
		{"SELECT $1::VARCHAR, typeof($1)", NumericText("-1234567890123456789012345678901234567890123"), "-1234567890123456789012345678901234567890123 BIGNUM"},
		{"SELECT $1::VARCHAR, typeof($1)", NumericText("NaN"), "nan DOUBLE"},
		{"SELECT $1::VARCHAR, typeof($1)", u, u.String() + " UUID"},
		{"SELECT $1::VARCHAR, typeof($1)", Date(-1), "1969-12-31 DATE"},
		{"SELECT $1::VARCHAR, typeof($1)", Time(1), "00:00:00.000001 TIME"},
		{"SELECT $1::VARCHAR, typeof($1)", TimeTZ{Micros: 1e6, Offset: -3600}, "00:00:01-01 TIME WITH TIME ZONE"},
		{"SELECT $1::VARCHAR, typeof($1)", Timestamp(-1), "1969-12-31 23:59:59.999999 TIMESTAMP"},
		{"SELECT $1::VARCHAR, typeof($1)", TimestampInfinity, "infinity TIMESTAMP"},
		{"SELECT $1::VARCHAR, typeof($1)", TimestampTZ(0), "1970-01-01 00:00:00+00 TIMESTAMP WITH TIME ZONE"},
		{"SELECT $1::VARCHAR, typeof($1)", TimestampNS(1), "1970-01-01 00:00:00.000000001 TIMESTAMP_NS"},
		{"SELECT $1::VARCHAR, typeof($1)", Interval{Months: 1, Days: -2, Micros: 3}, "1 month -2 days 00:00:00.000003 INTERVAL"},
		{"SELECT $1::VARCHAR, typeof($1)", BitString("10110"), "10110 BIT"},
		{"SELECT $1::VARCHAR, typeof($1)", List{Items: []any{1, nil, 3}}, "[1, NULL, 3] BIGINT[]"},
		{"SELECT $1::VARCHAR, typeof($1)", List{Items: []any{"a"}}, "[a] VARCHAR[]"},
		{"SELECT $1::VARCHAR, typeof($1)", List{Elem: Simple(TypeUUID), Items: []any{u}}, "[" + u.String() + "] UUID[]"},
		{"SELECT $1::VARCHAR, typeof($1)", List{}, "[] VARCHAR[]"},
		{"SELECT $1::VARCHAR, typeof($1)", List{Items: []any{List{Items: []any{1}}, List{}}}, "[[1], []] BIGINT[][]"},
		{"SELECT ($1::INTEGER[])::VARCHAR, 'x'", List{Items: []any{1, 2}}, "[1, 2] x"},
		{"SELECT ($1::SMALLINT)::VARCHAR, 'x'", 7, "7 x"},
		{"SELECT ($1::DECIMAL(5,2))::VARCHAR, 'x'", NumericText("7"), "7.00 x"},
		{"SELECT ($1::DECIMAL(5,2))::VARCHAR, 'x'", 7, "7.00 x"},
		{"SELECT ($1::VARCHAR)::VARCHAR, 'x'", 7, "7 x"},
		{"SELECT ($1::DOUBLE)::VARCHAR, 'x'", 7, "7.0 x"},
	} {
		got := values(t, c, want.sql, want.arg)[0]
		text, ok := got[0].(string)
		if !ok {
			text = "NULL"
		}
		if text += " " + got[1].(string); text != want.text {
			t.Errorf("%T %v: %s, want %s", want.arg, want.arg, text, want.text)
		}
	}
}

func TestWrongArguments(t *testing.T) {
	c := testConn(t)
	for _, want := range []struct {
		state string
		args  []any
	}{
		{"08P01", nil},
		{"08P01", []any{1, 2}},
		{"22021", []any{"\xff"}},
		{"22P02", []any{struct{}{}}},
		{"22P02", []any{NumericText("x")}},
		{"22P02", []any{List{Items: []any{1, "x"}}}},
	} {
		_, err := c.Exec(t.Context(), "SELECT $1", want.args...)
		var e interface{ SQLState() string }
		if !errors.As(err, &e) || e.SQLState() != want.state {
			t.Errorf("%v: %v, want %s", want.args, err, want.state)
		}
	}
}

func TestQueryRow(t *testing.T) {
	c := testConn(t)
	var (
		n int64
		s string
		b bool
		f float64
		u UUID
	)
	err := c.QueryRow(t.Context(), "SELECT $1 + 1, 'x', true, 0.5::DOUBLE, '00000000-0000-0000-0000-000000000001'::UUID", []any{41}, &n, &s, &b, &f, &u)
	if err != nil || n != 42 || s != "x" || !b || f != 0.5 || u != (UUID{15: 1}) {
		t.Error(err, n, s, b, f, u)
	}
	n = 1
	if err := c.QueryRow(t.Context(), "SELECT NULL::BIGINT", nil, &n); err != nil || n != 0 {
		t.Error(err, n)
	}
	if err := c.QueryRow(t.Context(), "SELECT 1 WHERE false", nil, &n); !errors.Is(err, ErrNoRows) {
		t.Error(err)
	}
	if err := c.QueryRow(t.Context(), "SELECT 'x'", nil, &n); err == nil {
		t.Error("a string was read into an int64")
	}
	if err := c.QueryRow(t.Context(), "SELECT 1", nil, &n, &s); err == nil {
		t.Error("one column was read into two places")
	}
}

// TestCacheIsBounded runs more statements than are kept, and some again.
func TestCacheIsBounded(t *testing.T) {
	c := testConn(t)
	for i := range cachedStatements * 2 {
		if err := c.QueryRow(t.Context(), "SELECT "+string(rune('a'+i%26))+" FROM (SELECT 1 AS "+string(rune('a'+i%26))+") -- "+time.Duration(i).String(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := c.cache.recent.Len(); n != cachedStatements || len(c.cache.byText) != n || len(c.stmts) != n {
		t.Errorf("%d statements are kept, %d by text, %d open", n, len(c.cache.byText), len(c.stmts))
	}
}

// TestCachedStatementFollowsTables runs one text before and after its table
// changes.
func TestCachedStatementFollowsTables(t *testing.T) {
	c := testConn(t)
	mustExec(t, c, "CREATE TABLE t AS SELECT 1 AS a")
	if got := values(t, c, "SELECT * FROM t"); len(got[0]) != 1 {
		t.Error(got)
	}
	mustExec(t, c, "ALTER TABLE t ADD COLUMN b VARCHAR DEFAULT 'x'")
	if got := values(t, c, "SELECT * FROM t"); len(got[0]) != 2 || got[0][1] != "x" {
		t.Error(got)
	}
	mustExec(t, c, "DROP TABLE t")
	wantState(t, c, "SELECT * FROM t", "42P01")
	mustExec(t, c, "CREATE TABLE t AS SELECT 'y' AS a")
	if got := values(t, c, "SELECT * FROM t"); got[0][0] != "y" {
		t.Error(got)
	}
}

func TestClosedConnection(t *testing.T) {
	db := testDB(t)
	c, err := db.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Prepare(t.Context(), "SELECT range FROM range(100000)")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Run(t.Context(), nil, Streaming)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	c.Interrupt()
	if _, err := rows.Next(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := s.Run(t.Context(), nil, Streaming); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := c.Exec(t.Context(), "SELECT 1"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if p := c.Progress(); p != -1 {
		t.Error(p)
	}
}

// TestTwoConnections reads on one connection while the other writes: readers
// do not wait, and see whole transactions only.
func TestTwoConnections(t *testing.T) {
	db := testDB(t)
	a, b := connect(t, db), connect(t, db)
	mustExec(t, a, "CREATE TABLE t (i BIGINT)")
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 50 {
			for _, sql := range []string{"BEGIN", "INSERT INTO t SELECT range FROM range(100)", "INSERT INTO t SELECT range FROM range(100)", "COMMIT"} {
				if _, err := a.Exec(t.Context(), sql); err != nil {
					t.Errorf("round %d, %s: %v", i, sql, err)
					return
				}
			}
		}
	})
	for range 100 {
		var n int64
		if err := b.QueryRow(t.Context(), "SELECT count(*) FROM t", nil, &n); err != nil || n%200 != 0 {
			t.Errorf("%d rows, %v", n, err)
		}
	}
	wg.Wait()
}
