package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// plan decides who answers a statement: the session itself (transactions,
// settings, cursors), the maintained views, or DuckDB.
func (s *session) plan(ctx context.Context, st *Statement, oids []uint32) (*plan, error) {
	switch st.Kind {
	case KindEmpty:
		return s.simplePlan("", func(context.Context, *wire.ResultWriter) error { return nil }), nil
	case KindInsert, KindUpdate, KindDelete, KindMerge, KindTruncate:
		return s.planDML(ctx, st, oids)
	case KindCopyFrom, KindCopyTo:
		return s.planCopy(ctx, st)
	case KindCreateMatView, KindRefresh:
		return s.planMatView(st)
	case KindCreateTable, KindCreateView, KindCreate, KindDrop, KindAlter, KindComment:
		return s.planDDL(ctx, st)
	case KindPrepare, KindExecute, KindDeallocate:
		return s.planPrepared(ctx, st)
	case KindDeclare, KindFetch, KindMove, KindCloseCursor:
		return s.planCursor(ctx, st)
	case KindSelect, KindExplain, KindOther:
		return s.planQuery(ctx, st, oids)
	default:
		return s.planSession(ctx, st, oids)
	}
}

// simplePlan runs f and answers tag, without rows.
func (s *session) simplePlan(tag string, f func(context.Context, *wire.ResultWriter) error) *plan {
	return &plan{run: func(ctx context.Context, _ []wire.Value, out *wire.ResultWriter) (*execution, error) {
		if err := f(ctx, out); err != nil {
			return nil, err
		}
		return &execution{tag: tag}, nil
	}}
}

// planQuery lets DuckDB answer, after the rewrites.
func (s *session) planQuery(ctx context.Context, st *Statement, oids []uint32) (*plan, error) {
	if err := s.refuses(st); err != nil {
		return nil, err
	}
	if err := s.refusesUnpopulated(st); err != nil {
		return nil, err
	}
	lookups := st.lookups(s.maintained)
	var found map[int]catalog.Found
	if st.Params == 0 {
		found = s.finds(lookups, nil)
	}
	text, err := s.rewriteWith(ctx, st, pruning(lookups, found))
	if err != nil {
		return nil, err
	}
	for i := range lookups {
		text.views = append(text.views, lookups[i].view)
	}
	stmt, err := s.prepareQuery(ctx, text, oids)
	if err != nil {
		return nil, err
	}
	if err := refuseKind(stmt.Kind()); err != nil {
		stmt.Close()
		return nil, err
	}
	described := stmt.Columns()
	if unresolved(stmt) && stmt.Kind() == catalog.KindSelect {
		if described, err = s.describeWithout(ctx, text.Rewritten); err != nil {
			stmt.Close()
			return nil, err
		}
	}
	p := &plan{params: paramTypes(stmt.Params(), oids), columns: s.describeColumns(st, text.catalogs, described), close: stmt.Close}
	columns := len(p.columns)
	if text.explained {
		p.params = declared(slices.Repeat([]uint32{wire.OIDText}, st.Params), oids)
	}
	if text.replay != nil {
		p.close = func() { stmt.Close(); text.replay.close() }
		if len(text.replay.params) > 0 {
			if p.params, err = text.replay.paramTypes(st, oids); err != nil {
				p.close()
				return nil, err
			}
		}
	}
	p.run = func(ctx context.Context, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
		if s.outdated(ctx, text) || st.Params == 0 && s.prunesBetter(lookups, found) {
			return s.runAnew(ctx, p, st, oids, args, out)
		}
		if st.Params > 0 && len(lookups) > 0 {
			if e, err := s.runPruned(ctx, p, st, lookups, args); e != nil || err != nil {
				return e, err
			}
		}
		if text.replay != nil {
			err := s.reporting(ctx, out, "the replay of "+text.replay.text, func() error { return text.replay.run(ctx, s, args) })
			if err != nil {
				return nil, err
			}
		}
		if text.explained || text.replay != nil && len(text.replay.params) > 0 {
			args = nil // DuckDB's statement has none of the parameters
		}
		return s.runQuery(ctx, text, stmt, columns, args)
	}
	return p, nil
}

// prepareText prepares a rewritten statement; positions in errors are those of
// the user's text.
func (s *session) prepareText(ctx context.Context, text *rewritten, oids []uint32) (*catalog.Stmt, error) {
	stmt, typed, err := s.prepareTyped(ctx, text.Rewritten, oids)
	if err != nil {
		return nil, translate(err, text.Rewritten)
	}
	text.Rewritten = typed
	return stmt, nil
}

// prepareQuery prepares a query; where it reads Postgres's catalogs, what these
// print in a way of their own is wrapped.
func (s *session) prepareQuery(ctx context.Context, text *rewritten, oids []uint32) (*catalog.Stmt, error) {
	if text.catalogs {
		if err := s.engine.db.RunDeferred(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
		if err := s.refreshSettings(ctx); err != nil {
			return nil, err
		}
	} else if err := s.announce(ctx); err != nil {
		return nil, err
	}
	if err := s.refreshOwn(ctx, text.statement); err != nil {
		return nil, err
	}
	stmt, err := s.prepareText(ctx, text, oids)
	if err != nil || !text.catalogs || stmt.Kind() != catalog.KindSelect {
		return stmt, err
	}
	sql := s.engine.catalog.Finish(text.SQL, stmt.Columns())
	if sql == text.SQL {
		return stmt, nil
	}
	stmt.Close()
	return s.conn.Prepare(ctx, sql)
}

// runQuery starts a query. Its rows stream from the session's connection, but
// where only some are asked for, other statements may come between: they then
// stream from a connection of their own, or wait in memory where only this
// session can see what the query reads.
func (s *session) runQuery(ctx context.Context, text *rewritten, stmt *catalog.Stmt, columns int, args []wire.Value) (*execution, error) {
	s.notices = append(s.notices, text.notices...)
	for _, c := range text.config {
		if err := s.set(ctx, strings.ToLower(c.Name), c.Value, c.Local); err != nil {
			return nil, err
		}
	}
	if err := s.notes(text.notes, args); err != nil {
		return nil, err
	}
	if err := s.beginRead(ctx, text.original); err != nil {
		return nil, err
	}
	nested, again, err := s.prepareNested(ctx, text, stmt.Params(), args)
	if err != nil {
		return nil, err
	}
	if nested != nil {
		defer nested.Close()
		text, stmt = again, nested
	}
	values, err := bindArgs(args, stmt.Params())
	if err != nil {
		return nil, err
	}
	fail := func(err error) error { return translate(err, text.Rewritten) }
	stream := &rowStream{columns: columns, fail: fail}
	switch {
	case !s.txn.limited:
		stream.rows, err = stmt.Run(ctx, values, catalog.Streaming)
	case s.txn.write != nil || s.txn.snapshot || text.catalogs || s.readsTemp(text):
		stream.rows, err = stmt.Run(ctx, values, catalog.Materialized)
	default:
		err = s.runApart(ctx, stream, stmt.SQL(), values)
	}
	if again, ok := s.respelled(text.Rewritten, err); ok && s.txn.write == nil {
		retry := *text
		retry.Rewritten = again
		fresh, err := s.prepareText(ctx, &retry, nil)
		if err != nil {
			return nil, err
		}
		defer fresh.Close()
		return s.runQuery(ctx, &retry, fresh, columns, args)
	}
	if err != nil {
		return nil, fail(err)
	}
	if columns > 0 && reshaped(stmt, stream.rows) {
		stream.close()
		return nil, resultChanged()
	}
	if columns == 0 && !text.statement.emptyList() {
		defer stream.close()
		return &execution{tag: text.statement.Tag()}, nil
	}
	return &execution{tag: "SELECT", rows: stream}, nil
}

// runApart streams a query from a connection of its own.
func (s *session) runApart(ctx context.Context, stream *rowStream, sql string, args []any) error {
	conn, err := s.engine.db.Connect(ctx)
	if err != nil {
		return err
	}
	if _, err = conn.Exec(ctx, "SET TimeZone = "+quoteLiteral(s.settings.get("timezone"))); err == nil {
		stream.rows, err = conn.Query(ctx, sql, args...)
	}
	if err != nil {
		_ = conn.Close() // the query's error is the one that matters
		return err
	}
	stream.own = conn
	return nil
}

func (s *session) readsTemp(text *rewritten) bool {
	for name := range s.temp {
		if text.statement.Mentions(name) {
			return true
		}
	}
	return false
}

// paramTypes are the OIDs of the parameters: the client's, else DuckDB's.
func paramTypes(types []catalog.Type, oids []uint32) []uint32 {
	out := make([]uint32, len(types))
	for i, t := range types {
		out[i] = 25
		if o := oidOf(t); o != 0 && t.ID != catalog.TypeUnknown && t.ID != catalog.TypeAny && t.ID != catalog.TypeSQLNull {
			out[i] = o
		}
	}
	return declared(out, oids)
}

// declared puts the types that the client declared in the place of others.
func declared(types, oids []uint32) []uint32 {
	const unknown = 705
	for i, oid := range oids {
		if i < len(types) && oid != 0 && oid != unknown {
			types[i] = oid
		}
	}
	return types
}

// describeColumns names the columns as Postgres does.
func (s *session) describeColumns(st *Statement, catalogs bool, cols []catalog.Column) []wire.Column {
	if cols == nil {
		return nil
	}
	if st.emptyList() {
		return []wire.Column{}
	}
	names := st.outputNames(len(cols))
	nulls := st.nullItems(len(cols))
	out := make([]wire.Column, len(cols))
	for i, c := range cols {
		out[i] = wire.Column{Name: c.Name, Type: wireType(c.Type)}
		if i < len(names) && names[i] != "" {
			out[i].Name = names[i]
		}
		if catalogs {
			if oid, known := s.engine.catalog.ResultType(out[i].Name, &c.Type); known {
				out[i].Type.OID, out[i].Type.Size = oid, sizeOf(oid, out[i].Type.Size)
			}
		}
		if nulls[i] {
			out[i].Type.OID, out[i].Type.Size = wire.OIDText, -1 // DuckDB: an integer
		}
	}
	return out
}

// nullItems tells which of n result columns are but the word NULL.
func (s *Statement) nullItems(n int) []bool {
	out := make([]bool, n)
	items, ok := s.outputItems()
	if !ok || len(items) != n {
		return out
	}
	for i, o := range items {
		if o.first >= 0 && o.first < len(s.Tokens) && s.Tokens[o.first].is("null") {
			out[i] = o.end == o.first+1 || o.aliased && o.end <= o.first+3
		}
	}
	return out
}

// sizeOf is the size that Postgres reports of a type of its catalogs.
func sizeOf(oid uint32, size int16) int16 {
	switch oid {
	case wire.OIDChar:
		return 1
	case wire.OIDName:
		return 64
	default:
		return size
	}
}

// refuseKind refuses statements that reach out of the database.
func refuseKind(k catalog.StatementKind) error {
	switch k {
	case catalog.KindAttach, catalog.KindDetach, catalog.KindLoad, catalog.KindExport, catalog.KindCopy, catalog.KindTransaction:
		return wire.Errorf(codeUnsupported, "this statement reaches outside the database, which sessiondb does not allow").
			WithHint("Use COPY … FROM STDIN and COPY … TO STDOUT, or open the file with DuckDB while the server is stopped.")
	default:
		return nil
	}
}

// publicSchema is the schema that DuckDB calls main.
const publicSchema = "public"

// tableName is the table that a name means: without a schema, in public.
func tableName(n Name) catalog.TableName {
	schema := n.Schema()
	if schema == "" || schema == publicSchema {
		schema = "main"
	}
	return catalog.TableName{Schema: schema, Name: n.Last()}
}

// isTemp reports whether the name is that of a temporary relation.
func (s *session) isTemp(n Name) bool {
	return n.Schema() == "temp" || strings.HasPrefix(n.Schema(), "pg_temp") || n.Schema() == "" && s.temp[n.Last()]
}

// translate gives an engine's error the position in the user's text, unless it
// has it already.
func translate(err error, text *Rewritten) error {
	if _, done := errors.AsType[*positioned](err); done {
		return err
	}
	var located *catalog.Error
	if errors.As(err, &located) {
		if state, message, ok := (*PGCatalog)(nil).SplitError(located.Message); ok {
			message, hint, _ := strings.Cut(message, "\x1f")
			return wire.Errorf(state, "%s", message).WithHint("%s", hint)
		}
	}
	if text == nil || !errors.As(err, &located) || located.Position < 0 {
		return err
	}
	return &positioned{error: err, position: text.SourcePosition(castPlace(text.SQL, located))}
}

// castPlace is the place of an error in sql: of a constant that cannot be cast,
// the constant's, where DuckDB points at the cast.
func castPlace(sql string, e *catalog.Error) int {
	if !strings.HasPrefix(e.SQLState(), "22") || e.Position >= len(sql) || !strings.HasPrefix(sql[e.Position:], "::") {
		return e.Position
	}
	tokens, err := Lex(sql[:e.Position])
	if err != nil || len(tokens) == 0 {
		return e.Position
	}
	switch last := tokens[len(tokens)-1]; {
	case last.Kind == TokenString:
		return last.Start
	case last.isPunct("]"): // the list that an array's text became
		r := &rewriter{toks: tokens}
		return tokens[r.openingOf(len(tokens)-1)].Start
	}
	return e.Position
}

// within moves the position of an error in a part of a statement, which was
// planned by itself, to its place in the statement.
func within(err error, st *Statement, part Range) error {
	var e interface{ Position() int }
	if part.Empty() {
		return err // the text of the part is not the user's
	}
	if errors.As(err, &e) && e.Position() > 0 {
		return &positioned{error: err, position: e.Position() + charPosition(st.SQL, part.Start) - 1}
	}
	var w *wire.Error
	if errors.As(err, &w) && w.Position > 0 {
		return w.WithPosition(w.Position + charPosition(st.SQL, part.Start) - 1)
	}
	return err
}

// positioned is an error with its position in the user's text, in characters
// from 1.
type positioned struct {
	error
	position int
}

func (p *positioned) Unwrap() error { return p.error }

// Position is what the protocol reports.
func (p *positioned) Position() int { return p.position }

// tagOf is the tag of a statement that changed n rows.
func tagOf(st *Statement, n int64) string {
	switch st.Kind {
	case KindInsert:
		return fmt.Sprintf("INSERT 0 %d", n)
	case KindUpdate:
		return fmt.Sprintf("UPDATE %d", n)
	case KindDelete:
		return fmt.Sprintf("DELETE %d", n)
	case KindMerge:
		return fmt.Sprintf("MERGE %d", n)
	case KindTruncate:
		return "TRUNCATE TABLE"
	default:
		return fmt.Sprintf("COPY %d", n)
	}
}
