package planner

import (
	"context"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// rewritten is a statement in the words that DuckDB understands.
type rewritten struct {
	*Rewritten
	statement *Statement
	edits     *Edits
	notices   []*wire.Error
	original  *Statement      // as the client wrote it
	catalogs  bool            // it reads Postgres's catalogs
	config    []ConfigCall    // the settings that it changes
	resolved  []*Resolved     // its SESSIONIZE calls
	views     []*catalog.View // whose contract or numbers its text has
	notes     []noteCall      // the notifications that it sends
	replay    *replayCall
	relations int64 // the engine's count of changes when it was planned
	explained bool  // it is a text in the place of an EXPLAIN, without its parameters
}

// addNotices queues what the SESSIONIZE calls took from their sources.
func (r *rewritten) addNotices() {
	for _, resolved := range r.resolved {
		if resolved.Notice == "" {
			continue
		}
		n := wire.Errorf("00000", "%s", resolved.Notice)
		n.Severity = wire.SeverityNotice
		r.notices = append(r.notices, n)
	}
}

// rewrite puts in place what DuckDB does not know: SESSIONIZE and the functions
// of schema sessiondb, Postgres's catalogs, and Postgres's own spellings. A
// statement without any of these passes byte for byte.
func (s *session) rewrite(ctx context.Context, st *Statement) (*rewritten, error) {
	return s.rewriteWith(ctx, st, nil)
}

// rewriteWith is rewrite with the edits that more adds, if it is not nil.
func (s *session) rewriteWith(ctx context.Context, st *Statement, more func(*rewritten)) (*rewritten, error) {
	r := &rewritten{original: st, relations: s.engine.relations.Load()}
	config, err := st.ConfigCalls()
	if err != nil {
		return nil, err
	}
	r.config = config
	if r.notes, err = st.noteCalls(); err != nil {
		return nil, err
	}
	var first *Rewritten
	catalogs := NewEdits(st.SQL)
	if r.catalogs = s.engine.catalog.Rewrite(st, catalogs, nil); r.catalogs {
		// The other rewrites work on the text that reads our catalogs.
		first = catalogs.Apply()
		if st, err = Parse(first.SQL); err != nil {
			return nil, err
		}
	}
	r.statement, r.edits = st, NewEdits(st.SQL)
	if err := s.expand(ctx, r); err != nil {
		return nil, err
	}
	if more != nil {
		more(r)
	}
	r.Rewritten = r.edits.Apply()
	r.from = first
	return r, s.explainSessionize(ctx, st, r)
}

// expand adds the edits of everything but the catalogs.
func (s *session) expand(ctx context.Context, r *rewritten) (err error) {
	st := r.statement
	if err := st.rewritePostgres(r.edits, s.engine.catalog); err != nil {
		return err
	}
	if err := s.spellValues(ctx, st, r.edits); err != nil {
		return err
	}
	if r.resolved, err = st.expandSessionize(ctx, r.edits, s.env()); err != nil {
		return err
	}
	r.addNotices()
	if err := s.expandVerify(r); err != nil {
		return err
	}
	if err := s.expandHistory(r); err != nil {
		return err
	}
	if r.replay, err = s.expandReplay(st, r.edits); err != nil {
		return err
	}
	st.retypeSums(ctx, r.edits, s.env().Describe)
	return nil
}

// expandVerify puts queries in the place of sessiondb.verify(…).
func (s *session) expandVerify(r *rewritten) error {
	st := r.statement
	calls, err := st.Calls("sessiondb", "verify")
	if err != nil {
		return err
	}
	for _, call := range calls {
		view, err := s.viewArgument(st, call)
		if err != nil {
			return err
		}
		rejected := false
		for _, a := range call.Args[1:] {
			if a.Name.Name != "include_rejected" || a.Const == nil || a.Const.Kind != LiteralBool {
				return errorAt(st.SQL, a.Value.Start, "42883", "sessiondb.verify takes a view and include_rejected => true or false").
					WithHint("Write sessiondb.verify('view', include_rejected => true).")
			}
			rejected = a.Const.Text == "true"
		}
		r.views = append(r.views, view)
		r.edits.Replace(call.Range.Start, call.Range.End, view.VerifySQL(rejected)+st.aliasFor(call.Tail, "verify"))
	}
	return nil
}

// aliasFor names the relation before token tail, unless an alias is written.
func (s *Statement) aliasFor(tail int, name string) string {
	p := &parser{sql: s.SQL, toks: s.Tokens, pos: tail}
	if p.at("as") || p.peek().Kind == TokenQuoted || p.peek().Kind == TokenWord && !followsTable(p.peek().Text) {
		return ""
	}
	return " AS " + quoteIdent(name)
}

// viewArgument is the view that the first argument of a call names.
func (s *session) viewArgument(st *Statement, call Call) (*catalog.View, error) {
	if len(call.Args) == 0 || call.Args[0].Const == nil || call.Args[0].Const.Kind != LiteralString {
		return nil, errorAt(st.SQL, call.Range.Start, "42883", "sessiondb.%s takes the name of a materialized view", call.Name.Last()).
			WithHint("Write the name as a string: sessiondb.%s('visits').", call.Name.Last())
	}
	text := call.Args[0].Const.Text
	v, ok := s.findView(relationText(text))
	if !ok {
		return nil, undefinedView(text).WithPosition(charPosition(st.SQL, call.Args[0].Value.Start))
	}
	if !v.Populated {
		return nil, notPopulated(v)
	}
	return v, nil
}

func undefinedView(text string) *wire.Error {
	return wire.Errorf("42P01", "materialized view \"%s\" does not exist", text).
		WithHint("SELECT view_name FROM sessiondb.views lists them.")
}

// findView finds a maintained view, as the transaction sees it.
func (s *session) findView(name catalog.TableName) (*catalog.View, bool) {
	if s.txn.write != nil {
		return s.txn.write.View(name)
	}
	return s.engine.store.View(name)
}

func notPopulated(v *catalog.View) error {
	return wire.Errorf("55000", "materialized view \"%s\" has not been populated", v.Name.Name).
		WithHint("Use the REFRESH MATERIALIZED VIEW command.")
}

// env is what resolving a SESSIONIZE call may ask.
func (s *session) env() SessionizeEnv {
	return SessionizeEnv{
		Catalog: s.engine.catalog,
		Describe: func(ctx context.Context, query string) ([]catalog.Column, error) {
			stmt, err := s.conn.Prepare(ctx, query)
			if err != nil {
				return nil, err
			}
			defer stmt.Close()
			if len(stmt.Columns()) == 0 {
				return s.describeWithout(ctx, NewEdits(query).Apply())
			}
			return stmt.Columns(), nil
		},
		Table:   s.sourceFacts,
		Answers: s.answeringView,
	}
}

// sourceFacts says what a table is and what it states of itself.
func (s *session) sourceFacts(ctx context.Context, name Name) (*SourceFacts, error) {
	table := tableName(name)
	f := &SourceFacts{Table: table, Options: map[string]string{}}
	var tables int64
	err := s.conn.QueryRow(ctx, "SELECT count(*) FROM duckdb_tables() WHERE database_name = ? AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)",
		[]any{catalog.DatabaseName, table.Schema, table.Name}, &tables)
	if err != nil {
		return nil, err
	}
	if tables == 0 || s.isTemp(name) {
		return nil, nil //nolint:nilnil // nothing is known of it
	}
	f.Writable = table.Schema != "sessiondb"
	if f.PrimaryKey, err = s.primaryKey(ctx, table); err != nil {
		return nil, err
	}
	rows, err := s.conn.Query(ctx, "SELECT option, value FROM sessiondb.table_options WHERE lower(schema_name) = lower(?) AND lower(table_name) = lower(?)", table.Schema, table.Name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return f, rows.Each(ctx, func(c *catalog.Chunk) error {
		for i := range c.Rows() {
			f.Options[strings.Clone(c.Col(0).Strings()[i])] = strings.Clone(c.Col(1).Strings()[i])
		}
		return nil
	})
}

func (s *session) primaryKey(ctx context.Context, table catalog.TableName) (columns []string, err error) {
	rows, err := s.conn.Query(ctx, "SELECT unnest(constraint_column_names) FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY' AND database_name = ? AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)",
		catalog.DatabaseName, table.Schema, table.Name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return columns, rows.Each(ctx, func(c *catalog.Chunk) error {
		for i := range c.Rows() {
			columns = append(columns, strings.Clone(c.Col(0).Strings()[i]))
		}
		return nil
	})
}

// tableOptions are the session_… options that an ALTER TABLE … SET states; nil
// if it is another ALTER.
func tableOptions(n *AlterStmt) map[string]string {
	if n.Object != "table" || len(n.Actions) != 1 {
		return nil
	}
	a := n.Actions[0]
	if a.Kind != AlterSet && a.Kind != AlterResetOptions || len(a.Options) == 0 {
		return nil
	}
	options := map[string]string{}
	for _, o := range a.Options {
		if !strings.HasPrefix(o.Name, "session_") {
			return nil
		}
		options[o.Name] = o.Value
	}
	return options
}

func (s *session) planTableOptions(n *AlterStmt, options map[string]string) *plan {
	return s.simplePlan("ALTER TABLE", func(ctx context.Context, _ *wire.ResultWriter) error {
		table := tableName(n.Name)
		if _, err := s.describeTable(ctx, table.SQL()); err != nil {
			return err
		}
		write, err := s.beginWrite(ctx)
		if err != nil {
			return err
		}
		write.Changed()
		s.txn.relations = true
		s.engine.relations.Add(1)
		for name, value := range options {
			if _, err := s.conn.Exec(ctx, "DELETE FROM sessiondb.table_options WHERE schema_name = ? AND table_name = ? AND option = ?", table.Schema, table.Name, name); err != nil {
				return err
			}
			if n.Actions[0].Kind == AlterResetOptions {
				continue
			}
			if _, err := s.conn.Exec(ctx, "INSERT INTO sessiondb.table_options VALUES (?, ?, ?, ?)", table.Schema, table.Name, name, value); err != nil {
				return err
			}
		}
		return nil
	})
}
