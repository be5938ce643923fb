package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// planMatView plans CREATE and REFRESH MATERIALIZED VIEW.
func (s *session) planMatView(st *Statement) (*plan, error) {
	if n, ok := st.Node.(*RefreshStmt); ok {
		return s.simplePlan(st.Tag(), func(ctx context.Context, out *wire.ResultWriter) error {
			return s.reporting(ctx, out, st.Tag()+" "+n.Name.Last(), func() error { return s.refreshView(ctx, st, n) })
		}), nil
	}
	n := st.Node.(*CreateViewStmt)
	return s.simplePlan(st.Tag(), func(ctx context.Context, out *wire.ResultWriter) error {
		return s.reporting(ctx, out, st.Tag()+" "+n.Name.Last(), func() error { return s.createView(ctx, st, n) })
	}), nil
}

func (s *session) createView(ctx context.Context, st *Statement, n *CreateViewStmt) error {
	name := tableName(n.Name)
	if name.Schema == "sessiondb" {
		return s.protected(st, n.Name, "the schema sessiondb belongs to the server", "Create the view in another schema.")
	}
	write, err := s.beginWrite(ctx)
	if err != nil {
		return err
	}
	old, exists := write.View(name)
	switch {
	case exists && n.IfNotExists:
		s.notice(wire.SeverityNotice, "42P07", "", "relation \"%s\" already exists, skipping", name.Name)
		return nil
	case exists && !n.OrReplace:
		return errorAt(st.SQL, n.Name.Range.Start, "42P07", "relation \"%s\" already exists", name.Name).
			WithHint("CREATE OR REPLACE MATERIALIZED VIEW starts its history anew.")
	case !exists:
		if err := s.nameIsFree(ctx, st, n.Name, name); err != nil {
			return err
		}
	}
	v, err := s.newView(ctx, st, n, name)
	if err != nil {
		return err
	}
	if exists {
		if err := s.dropView(ctx, write, old, false); err != nil {
			return err
		}
	}
	return write.CreateView(ctx, v, !n.NoData)
}

// newView resolves the query and the options of a CREATE MATERIALIZED VIEW.
func (s *session) newView(ctx context.Context, st *Statement, n *CreateViewStmt, name catalog.TableName) (*catalog.View, error) {
	q, err := st.Maintained(ctx, n.Query, NewEdits(st.SQL), s.env())
	if err != nil {
		return nil, err
	}
	if q.Notice != "" {
		s.notice(wire.SeverityNotice, "00000", "", "%s", q.Notice)
	}
	if err := checkReserved(st, q.Contract); err != nil {
		return nil, err
	}
	if err := s.numbersRows(ctx, q.Contract.Base); err != nil {
		return nil, err
	}
	for _, o := range n.Options {
		if err := setViewOption(st, q.Contract, o, false); err != nil {
			return nil, err
		}
	}
	return &catalog.View{Name: name, Definition: st.Text(n.Query), Outer: q.Outer, Contract: q.Contract}, nil
}

// checkReserved keeps the names of a view's own columns free.
func checkReserved(st *Statement, c *catalog.Contract) error {
	for _, reserved := range catalog.ReservedColumns() {
		for _, k := range c.Keys {
			if strings.EqualFold(k.Name, reserved) {
				return errorAt(st.SQL, 0, codeDuplicateColumn, "the key column \"%s\" has the name of a column that the view's relations have themselves", k.Name).
					WithHint("Read the table through (SELECT %s AS another_name, … FROM …).", k.Name)
			}
		}
		for _, m := range c.Measures {
			if strings.EqualFold(m.Name, reserved) {
				return errorAt(st.SQL, 0, codeDuplicateColumn, "the measure \"%s\" has the name of a column that the view's relations have themselves", m.Name).
					WithHint("Give the measure another name.")
			}
		}
	}
	return nil
}

// nameIsFree refuses a name, or a companion's, that another relation has.
func (s *session) nameIsFree(ctx context.Context, st *Statement, at Name, name catalog.TableName) error {
	probe := catalog.View{Name: name}
	for _, n := range append([]string{name.Name}, probe.Companions()...) {
		var count int64
		err := s.conn.QueryRow(ctx, "SELECT (SELECT count(*) FROM duckdb_tables() WHERE database_name = ? AND schema_name = ? AND table_name = ?) + "+
			"(SELECT count(*) FROM duckdb_views() WHERE database_name = ? AND schema_name = ? AND view_name = ?)",
			[]any{catalog.DatabaseName, name.Schema, n, catalog.DatabaseName, name.Schema, n}, &count)
		if err != nil {
			return err
		}
		if count > 0 {
			return errorAt(st.SQL, at.Range.Start, "42P07", "relation \"%s\" already exists", n).WithHint("A materialized view comes with %s.", strings.Join(probe.Companions(), ", "))
		}
	}
	return nil
}

func (s *session) planDropViews(st *Statement, n *DropStmt) *plan {
	return s.simplePlan(st.Tag(), func(ctx context.Context, _ *wire.ResultWriter) error {
		write, err := s.beginWrite(ctx)
		if err != nil {
			return err
		}
		for _, name := range n.Names {
			v, ok := write.View(tableName(name))
			if !ok {
				if err := s.missingView(ctx, st, name, n.IfExists); err != nil {
					return err
				}
				continue
			}
			if err := s.dropView(ctx, write, v, n.Cascade); err != nil {
				return err
			}
		}
		return nil
	})
}

// missingView is the answer to a name that is no materialized view.
func (s *session) missingView(ctx context.Context, st *Statement, name Name, ifExists bool) error {
	if _, err := s.describeTable(ctx, tableName(name).SQL()); err == nil {
		return errorAt(st.SQL, name.Range.Start, "42809", "\"%s\" is not a materialized view", name.Last()).WithHint("Use DROP TABLE or DROP VIEW.")
	}
	if ifExists {
		s.notice(wire.SeverityNotice, "00000", "", "materialized view \"%s\" does not exist, skipping", name.Last())
		return nil
	}
	return errorAt(st.SQL, name.Range.Start, "42P01", "materialized view \"%s\" does not exist", name.Last()).
		WithHint("SELECT view_name FROM sessiondb.views lists them.")
}

// dropView drops a view, with the ordinary views that read it if cascade.
func (s *session) dropView(ctx context.Context, write *catalog.WriteTx, v *catalog.View, cascade bool) error {
	dependents, err := s.dependentViews(ctx, v)
	if err != nil {
		return err
	}
	if len(dependents) > 0 && !cascade {
		return wire.Errorf("2BP01", "cannot drop materialized view %s because other objects depend on it", v.Name.Name).
			WithDetail("view %s depends on materialized view %s", dependents[0].Name, v.Name.Name).
			WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
	}
	for _, dependent := range slices.Backward(dependents) {
		if _, err := s.conn.Exec(ctx, "DROP VIEW IF EXISTS "+dependent.SQL()); err != nil {
			return err
		}
		s.notice(wire.SeverityNotice, "00000", "", "drop cascades to view %s", dependent.Name)
	}
	return write.DropView(ctx, v)
}

// dependentViews are the ordinary views that read a maintained view or one of
// its companions, directly or through others; readers follow what they read.
func (s *session) dependentViews(ctx context.Context, v *catalog.View) ([]catalog.TableName, error) {
	views, err := s.ordinaryViews(ctx)
	if err != nil {
		return nil, err
	}
	var found []catalog.TableName
	for _, o := range views {
		if slices.ContainsFunc(s.conn.TableNames(o.query), v.Keeps) {
			found = append(found, o.name)
		}
	}
	return found, nil
}

// An ordinaryView is a view that a user made, and its query.
type ordinaryView struct {
	name  catalog.TableName
	query string
}

// ordinaryViews are the views that belong to no maintained one, in the order
// in which they were made.
func (s *session) ordinaryViews(ctx context.Context) ([]ordinaryView, error) {
	rows, err := s.conn.Query(ctx, "SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal AND database_name = ? AND schema_name <> 'sessiondb' ORDER BY view_oid", catalog.DatabaseName)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var views []ordinaryView
	err = rows.Each(ctx, func(c *catalog.Chunk) error {
		for i := range c.Rows() {
			name := catalog.TableName{Schema: strings.Clone(c.Col(0).Strings()[i]), Name: strings.Clone(c.Col(1).Strings()[i])}
			st, err := Parse(strings.Clone(c.Col(2).Strings()[i]))
			if err != nil || s.viewOf(name) != nil {
				continue
			}
			if n, ok := st.Node.(*CreateViewStmt); ok {
				views = append(views, ordinaryView{name, st.Text(n.Query)})
			}
		}
		return nil
	})
	return views, err
}

// mentionsAny reports whether an identifier of the text is one of the names.
func mentionsAny(sql string, names map[string]bool) bool {
	tokens, err := Lex(sql)
	if err != nil {
		return false
	}
	for _, t := range tokens {
		if t.isIdent() && names[strings.ToLower(t.Text)] {
			return true
		}
	}
	return false
}

// namesColumn reports whether a view's contract names a column of its table.
func namesColumn(v *catalog.View, column string) bool {
	c := v.Contract
	exprs := []string{c.EventTime.SQL, c.Project}
	for _, group := range [][]catalog.ContractColumn{c.Keys, c.IDs, c.Values} {
		for _, col := range group {
			exprs = append(exprs, col.SQL)
		}
	}
	if c.Partition != nil {
		exprs = append(exprs, c.Partition.SQL)
	}
	for _, m := range c.Measures {
		exprs = append(exprs, m.SQL, m.Input)
	}
	return mentionsAny(strings.ReplaceAll(strings.Join(exprs, " "), catalog.BasePlaceholder, "base"), map[string]bool{strings.ToLower(column): true})
}

func (s *session) refreshView(ctx context.Context, st *Statement, n *RefreshStmt) error {
	write, err := s.beginWrite(ctx)
	if err != nil {
		return err
	}
	v, ok := write.View(tableName(n.Name))
	if !ok {
		return s.missingView(ctx, st, n.Name, false)
	}
	if n.NoData {
		return wire.Errorf(codeUnsupported, "REFRESH MATERIALIZED VIEW … WITH NO DATA is not supported").
			WithHint("CREATE OR REPLACE MATERIALIZED VIEW … WITH NO DATA empties the view.")
	}
	if err := write.Publish(ctx); err != nil {
		return err
	}
	return write.Refresh(ctx, v)
}

// planAlterView plans ALTER MATERIALIZED VIEW … RENAME TO, SET (…) and RESET (…).
func (s *session) planAlterView(st *Statement, n *AlterStmt) (*plan, error) {
	var alter func(context.Context, *catalog.WriteTx, *catalog.View) error
	switch {
	case len(n.Actions) == 1 && n.Actions[0].Kind == AlterRename:
		alter = func(ctx context.Context, write *catalog.WriteTx, v *catalog.View) error {
			return s.renameView(ctx, write, v, st, n)
		}
	case len(n.Actions) == 1 && (n.Actions[0].Kind == AlterSet || n.Actions[0].Kind == AlterResetOptions) && len(n.Actions[0].Options) > 0:
		alter = func(ctx context.Context, write *catalog.WriteTx, v *catalog.View) error {
			return s.setViewOptions(ctx, write, v, st, n.Actions[0])
		}
	default:
		return nil, wire.Errorf(codeUnsupported, "ALTER MATERIALIZED VIEW can RENAME TO, SET (…) and RESET (…) only").
			WithHint("CREATE OR REPLACE MATERIALIZED VIEW gives it another contract.")
	}
	return s.simplePlan(st.Tag(), func(ctx context.Context, out *wire.ResultWriter) error {
		write, err := s.beginWrite(ctx)
		if err != nil {
			return err
		}
		v, ok := write.View(tableName(n.Name))
		if !ok {
			return s.missingView(ctx, st, n.Name, n.IfExists)
		}
		return s.reporting(ctx, out, st.Tag()+" "+n.Name.Last(), func() error { return alter(ctx, write, v) })
	}), nil
}

func (s *session) renameView(ctx context.Context, write *catalog.WriteTx, v *catalog.View, st *Statement, n *AlterStmt) error {
	renamed := catalog.TableName{Schema: v.Name.Schema, Name: n.Actions[0].NewName}
	if err := s.nameIsFree(ctx, st, n.Name, renamed); err != nil {
		return err
	}
	if err := write.Publish(ctx); err != nil {
		return err
	}
	return write.RenameView(ctx, v, renamed.Name)
}
