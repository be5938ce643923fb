package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// planDDL plans what creates, changes and drops relations. DuckDB does the
// work; what a maintained view depends on is protected first, since DuckDB
// would let it go.
func (s *session) planDDL(ctx context.Context, st *Statement) (*plan, error) {
	if n, ok := st.Node.(*DropStmt); ok && n.Object == "materialized view" {
		return s.planDropViews(st, n), nil
	}
	if n, ok := st.Node.(*AlterStmt); ok {
		if n.Object == "materialized view" {
			return s.planAlterView(st, n)
		}
		if options := tableOptions(n); options != nil {
			for _, o := range n.Actions[0].Options {
				if err := st.checkTableOption(o); err != nil && n.Actions[0].Kind == AlterSet {
					return nil, err
				}
			}
			return s.planTableOptions(n, options), nil
		}
	}
	if err := s.refuses(st); err != nil {
		return nil, err
	}
	if s.txn.explicit && st.concurrently() {
		return nil, wire.Errorf("25001", "%s CONCURRENTLY cannot run inside a transaction block", st.Tag())
	}
	if p, err := s.planSchema(st); p != nil || err != nil {
		return p, err
	}
	if n, ok := st.Node.(*CreateTableStmt); ok && !n.Query.Empty() {
		if toks := st.tokensIn(n.Query); toks[0].is("execute") {
			return s.planCreateAsExecute(ctx, st, n)
		}
	}
	if n, ok := st.Node.(*DropStmt); ok && len(n.Names) > 1 {
		return s.planDropEach(st, n), nil
	}
	if sequences := st.Sequences(); len(sequences) > 0 {
		return s.planSerial(st, sequences), nil
	}
	return s.planDDLAlone(ctx, st)
}

// planSchema plans what DuckDB would do wrong with a schema: public, which is
// there always, and the names that the catalogs keep for themselves. It is nil
// for every other statement.
func (s *session) planSchema(st *Statement) (*plan, error) {
	switch n := st.Node.(type) {
	case *CreateStmt:
		switch name := n.Name.Last(); {
		case n.Object != "schema":
		case name == publicSchema && n.IfNotExists:
			return s.simplePlan(st.Tag(), func(context.Context, *wire.ResultWriter) error {
				s.notice(wire.SeverityNotice, "42P06", "", "schema \"%s\" already exists, skipping", name)
				return nil
			}), nil
		case name == publicSchema:
			return nil, wire.Errorf("42P06", "schema \"%s\" already exists", name)
		case strings.HasPrefix(name, "pg_"):
			return nil, wire.Errorf("42939", "unacceptable schema name \"%s\"", name).WithDetail("The prefix \"pg_\" is reserved for system schemas.")
		}
	case *DropStmt:
		for _, name := range n.Names {
			if n.Object == "schema" && name.Last() == publicSchema {
				return nil, wire.Errorf("2BP01", "cannot drop schema %s because the server needs it", name.Last()).
					WithHint("Drop the relations in it instead.")
			}
		}
	}
	return nil, nil //nolint:nilnil // nothing is special about it
}

// planCreateAsExecute puts the query that PREPARE named, with its arguments, in
// the place of CREATE TABLE … AS EXECUTE name(arguments).
func (s *session) planCreateAsExecute(ctx context.Context, st *Statement, n *CreateTableStmt) (*plan, error) {
	inner, err := Parse(st.Text(n.Query))
	if err != nil {
		return nil, within(err, st, n.Query)
	}
	execute, ok := inner.Node.(*ExecuteStmt)
	if !ok {
		return nil, wire.Errorf(codeSyntax, "CREATE TABLE AS EXECUTE needs the name of a prepared statement")
	}
	query, err := s.executed(inner, execute)
	if err != nil {
		return nil, err
	}
	whole, err := Parse(st.SQL[:n.Query.Start] + query + st.SQL[n.Query.End:])
	if err != nil {
		return nil, err
	}
	return s.planDDL(ctx, whole)
}

// planSerial makes the sequences of a table's serial columns, and then the
// table, whose defaults DuckDB can only plan when they are there.
func (s *session) planSerial(st *Statement, sequences []string) *plan {
	return s.simplePlan(st.Tag(), func(ctx context.Context, out *wire.ResultWriter) error {
		if _, err := s.beginWrite(ctx); err != nil {
			return err
		}
		for _, q := range sequences {
			if _, err := s.conn.Exec(ctx, q); err != nil {
				return err
			}
		}
		p, err := s.planDDLAlone(ctx, st)
		if err != nil {
			return err
		}
		defer p.close()
		_, err = p.run(ctx, nil, out)
		return err
	})
}

// planDDLAlone plans a statement that DuckDB runs as one.
func (s *session) planDDLAlone(ctx context.Context, st *Statement) (*plan, error) {
	text, err := s.rewrite(ctx, st)
	if err != nil {
		return nil, err
	}
	stmt, err := s.prepareText(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	p := &plan{params: paramTypes(stmt.Params(), nil), close: stmt.Close}
	p.run = func(ctx context.Context, args []wire.Value, _ *wire.ResultWriter) (*execution, error) {
		s.notices = append(s.notices, text.notices...)
		values, err := bindArgs(args, stmt.Params())
		if err != nil {
			return nil, err
		}
		tag, err := s.runDDL(ctx, st, stmt, values)
		if err != nil {
			return nil, translate(err, text.Rewritten)
		}
		return &execution{tag: tag}, nil
	}
	return p, nil
}

// concurrently reports whether an index is made or dropped while others write,
// which Postgres does in transactions of its own.
func (s *Statement) concurrently() bool {
	switch n := s.Node.(type) {
	case *CreateStmt:
		return n.Concurrently
	case *DropStmt:
		return n.Concurrently
	}
	return false
}

// planDropEach drops several relations one by one, as DuckDB does not.
func (s *session) planDropEach(st *Statement, n *DropStmt) *plan {
	return s.simplePlan(st.Tag(), func(ctx context.Context, out *wire.ResultWriter) error {
		for _, name := range n.Names {
			text := "DROP " + n.Object
			if n.IfExists {
				text += " IF EXISTS"
			}
			text += " " + name.SQL()
			if n.Cascade {
				text += " CASCADE"
			}
			one, err := Parse(text)
			if err != nil {
				return err
			}
			p, err := s.planDDL(ctx, one)
			if err != nil {
				return err
			}
			_, err = p.run(ctx, nil, out)
			p.close()
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *session) runDDL(ctx context.Context, st *Statement, stmt *catalog.Stmt, args []any) (string, error) {
	if s.readsOnly() {
		return "", s.readOnlyError()
	}
	if !s.onTemp(st) {
		write, err := s.beginWrite(ctx)
		if err != nil {
			return "", err
		}
		if err := s.releaseDependents(ctx, write, st); err != nil {
			return "", err
		}
		write.Changed()
	}
	// It may change what the rows that wait to be judged are read with.
	if s.txn.write != nil {
		if err := s.txn.write.Publish(ctx); err != nil {
			return "", err
		}
	} else if err := s.beginRead(ctx, st); err != nil {
		return "", err
	}
	s.noticeSkipped(ctx, st)
	s.txn.relations = true
	s.engine.relations.Add(1)
	rows, err := stmt.Run(ctx, args, catalog.Materialized)
	if err != nil {
		return "", err
	}
	changed := rows.Changed()
	if err := rows.Close(); err != nil {
		return "", err
	}
	s.noteTemp(st)
	tag := st.Tag()
	if n, ok := st.Node.(*CreateTableStmt); ok && n.NoData {
		return "CREATE TABLE AS", nil
	}
	if tag == "SELECT" {
		tag = rowTag(tag, changed)
	}
	return tag, nil
}

// refusesUnpopulated is the error of reading a view that was created WITH NO
// DATA and never refreshed.
func (s *session) refusesUnpopulated(st *Statement) error {
	for _, v := range s.engine.store.Views() {
		if v.Populated {
			continue
		}
		if slices.ContainsFunc(append([]string{v.Name.Name}, v.Companions()...), st.Mentions) {
			return notPopulated(v)
		}
	}
	return nil
}

// onTemp reports whether the statement concerns temporary relations only.
func (s *session) onTemp(st *Statement) bool {
	switch n := st.Node.(type) {
	case *CreateTableStmt:
		return n.Temp || s.isTempSchema(n.Name)
	case *CreateViewStmt:
		return n.Temp || s.isTempSchema(n.Name)
	case *CreateStmt:
		return n.Temp || n.Object == "index" && s.isTemp(n.On)
	case *DropStmt:
		for _, name := range n.Names {
			if !s.isTemp(name) {
				return false
			}
		}
		return true
	case *AlterStmt:
		return s.isTemp(n.Name)
	default:
		return false
	}
}

func (s *session) isTempSchema(n Name) bool { return n.Schema() != "" && s.isTemp(n) }

// A temporary table that is dropped, or loses its rows, when a transaction ends.
type temporary struct {
	name string
	drop bool
}

// endTemporary drops and empties temporary tables as ON COMMIT says. A
// transaction that is rolled back drops those that it would have dropped.
func (s *session) endTemporary(ctx context.Context) error {
	tables := s.onCommit
	s.onCommit = nil
	for _, t := range tables {
		name := "temp.main." + quoteIdent(t.name)
		if !s.temp[t.name] {
			continue // dropped by hand
		}
		query := "DELETE FROM " + name
		if t.drop {
			query = "DROP TABLE IF EXISTS " + name
			delete(s.temp, t.name)
			s.engine.relations.Add(1)
		} else {
			s.onCommit = append(s.onCommit, t)
		}
		if _, err := s.conn.Exec(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// noteTemp remembers which relations are temporary.
func (s *session) noteTemp(st *Statement) {
	switch n := st.Node.(type) {
	case *CreateTableStmt:
		if s.onTemp(st) {
			s.temp[n.Name.Last()] = true
			if n.OnCommit == "drop" || n.OnCommit == "delete" {
				s.onCommit = append(s.onCommit, temporary{n.Name.Last(), n.OnCommit == "drop"})
			}
		}
	case *CreateViewStmt:
		if s.onTemp(st) {
			s.temp[n.Name.Last()] = true
		}
	case *DropStmt:
		for _, name := range n.Names {
			if s.isTemp(name) {
				delete(s.temp, name.Last())
			}
		}
	case *AlterStmt:
		for _, a := range n.Actions {
			if a.Kind == AlterRename && s.isTemp(n.Name) {
				delete(s.temp, n.Name.Last())
				s.temp[a.NewName] = true
			}
		}
	}
}

// refuses is the error of a statement that would change what sessiondb keeps:
// a maintained view, its companions, or the schema sessiondb.
func (s *session) refuses(st *Statement) error {
	for _, t := range writeTargets(st) {
		if s.isTemp(t) {
			continue
		}
		if len(t.Parts) > 2 && t.Parts[0] != catalog.DatabaseName {
			return errorAt(st.SQL, t.Range.Start, "42501", "permission denied for database %s", t.Parts[0]).WithHint("Only the connected database can be written.")
		}
		if t.Schema() == "sessiondb" || strings.EqualFold(t.Last(), "sessiondb") && isSchema(st) {
			return s.protected(st, t, "the schema sessiondb belongs to the server", "Read it; CREATE, ALTER and DROP MATERIALIZED VIEW change it.")
		}
		if v := s.viewOf(tableName(t)); v != nil {
			if n, ok := st.Node.(*DropStmt); ok {
				return errorAt(st.SQL, t.Range.Start, "42809", "\"%s\" is not a %s", t.Last(), n.Object).
					WithHint("Use DROP MATERIALIZED VIEW %s to remove the materialized view and its companions.", v.Name.Name)
			}
			return s.protected(st, t, "cannot change materialized view \""+v.Name.Name+"\"",
				"Change the table "+v.Contract.Base.Name+", which the view follows; DROP MATERIALIZED VIEW drops it.")
		}
	}
	return nil
}

func isSchema(st *Statement) bool {
	switch n := st.Node.(type) {
	case *DropStmt:
		return n.Object == "schema"
	case *CreateStmt:
		return n.Object == "schema"
	case *AlterStmt:
		return n.Object == "schema"
	default:
		return false
	}
}

func (s *session) protected(st *Statement, t Name, message, hint string) error {
	return errorAt(st.SQL, t.Range.Start, "42809", "%s", message).WithHint("%s", hint)
}

// viewOf is the maintained view that a relation is, or is a companion of.
func (s *session) viewOf(name catalog.TableName) *catalog.View {
	for _, v := range s.engine.store.Views() {
		if !strings.EqualFold(v.Name.Schema, name.Schema) {
			continue
		}
		if strings.EqualFold(v.Name.Name, name.Name) {
			return v
		}
		for _, c := range v.Companions() {
			if strings.EqualFold(c, name.Name) {
				return v
			}
		}
	}
	return nil
}

// writeTargets are the relations that a statement writes, creates, changes or
// drops.
func writeTargets(st *Statement) []Name {
	switch n := st.Node.(type) {
	case *InsertStmt, *UpdateStmt, *DeleteStmt, *MergeStmt:
		return []Name{dmlTarget(st)}
	case *TruncateStmt:
		return n.Targets
	case *CopyStmt:
		if st.Kind == KindCopyFrom {
			return []Name{n.Target}
		}
	case *CreateTableStmt:
		if !n.Temp {
			return []Name{n.Name}
		}
	case *CreateViewStmt:
		if !n.Temp {
			return []Name{n.Name}
		}
	case *CreateStmt:
		if n.Object == "index" {
			return []Name{n.On}
		}
		return []Name{n.Name}
	case *DropStmt:
		return n.Names
	case *AlterStmt:
		return []Name{n.Name}
	}
	return nil
}

// releaseDependents lets a DROP … CASCADE take the maintained views with it,
// and refuses what would pull the source from under one.
func (s *session) releaseDependents(ctx context.Context, write *catalog.WriteTx, st *Statement) error {
	switch n := st.Node.(type) {
	case *DropStmt:
		if n.Object != "table" && n.Object != "view" && n.Object != "schema" {
			return nil
		}
		for _, name := range n.Names {
			if err := s.dropDependents(ctx, write, st, n, name); err != nil {
				return err
			}
		}
	case *CreateTableStmt:
		if n.OrReplace {
			return s.refuseIfSource(write, st, n.Name, "replace table")
		}
	case *CreateViewStmt:
		if n.OrReplace {
			return s.refuseIfSource(write, st, n.Name, "replace view")
		}
	case *AlterStmt:
		return s.guardAlter(write, st, n)
	}
	return nil
}

func (s *session) refuseIfSource(write *catalog.WriteTx, st *Statement, name Name, what string) error {
	if views := write.ViewsOf(tableName(name)); len(views) > 0 {
		return dependencyError(st, name, what, views[0]).WithHint("DROP MATERIALIZED VIEW %s first.", views[0].Name.Name)
	}
	return nil
}

func dependencyError(st *Statement, name Name, what string, v *catalog.View) *wire.Error {
	return errorAt(st.SQL, name.Range.Start, "2BP01", "cannot %s %s because other objects depend on it", what, name.Last()).
		WithDetail("materialized view %s depends on table %s", v.Name.Name, v.Contract.Base.Name)
}

func (s *session) dropDependents(ctx context.Context, write *catalog.WriteTx, st *Statement, n *DropStmt, name Name) error {
	views := write.ViewsOf(tableName(name))
	if n.Object == "schema" {
		views = write.ViewsOfSchema(name.Last())
	}
	if len(views) == 0 {
		return nil
	}
	if !n.Cascade {
		return dependencyError(st, name, "drop "+n.Object, views[0]).WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
	}
	for _, v := range views {
		s.notice(wire.SeverityNotice, "00000", "", "drop cascades to materialized view %s", v.Name.Name)
		if err := s.dropView(ctx, write, v, true); err != nil {
			return err
		}
	}
	return nil
}

// guardAlter keeps the columns that a view names, and the table's name.
func (s *session) guardAlter(write *catalog.WriteTx, st *Statement, n *AlterStmt) error {
	for _, v := range write.ViewsOf(tableName(n.Name)) {
		for _, a := range n.Actions {
			switch a.Kind {
			case AlterRename, AlterSetSchema:
				return dependencyError(st, n.Name, "rename table", v).WithHint("DROP MATERIALIZED VIEW %s first, and create it again.", v.Name.Name)
			case AlterDropColumn, AlterColumnType, AlterRenameColumn:
				if namesColumn(v, a.Column) {
					return errorAt(st.SQL, a.Range.Start, "2BP01", "cannot change column %s of table %s because other objects depend on it", a.Column, n.Name.Last()).
						WithDetail("materialized view %s depends on column %s", v.Name.Name, a.Column).
						WithHint("DROP MATERIALIZED VIEW %s first, and create it again.", v.Name.Name)
				}
			default: // a view follows whatever else changes
			}
		}
	}
	return nil
}
