package catalog

import (
	"context"
	"encoding/json"
	"fmt"
)

// CreateView registers a view under the next id and creates its relations;
// with data it publishes the sessions of all rows of the source as one commit.
// v.ID is set here.
func (t *WriteTx) CreateView(ctx context.Context, v *View, withData bool) error {
	t.store.mu.Lock()
	v.ID = t.store.nextViewID
	t.store.nextViewID++
	t.store.mu.Unlock()
	t.changed = true
	if err := v.checkRetention(v.Contract); err != nil {
		return err
	}
	contract, err := json.Marshal(v.Contract)
	if err != nil {
		return err
	}
	for _, q := range v.tablesSQL() {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	_, err = t.conn.Exec(ctx, "INSERT INTO sessiondb.view_definitions VALUES (?, ?, ?, ?, ?, ?, ?, false)",
		v.ID, v.Name.Schema, v.Name.Name, v.Contract.Base.Name, v.Definition, v.Outer, string(contract))
	if err != nil {
		return err
	}
	if _, err := t.conn.Exec(ctx, "INSERT INTO sessiondb.view_state VALUES (?, NULL, 0, 0, 0, 0, ?, 1, 0, false, ?, NULL)", v.ID, t.number, t.number); err != nil {
		return err
	}
	t.created[v.ID] = v
	if err := t.createViews(ctx, v); err != nil {
		return err
	}
	if !withData {
		return v.load(ctx, t.conn, t.now)
	}
	return t.startRebuild(ctx, v, true)
}

func (t *WriteTx) createViews(ctx context.Context, v *View) error {
	if _, err := t.conn.columnTypes(ctx, "SELECT "+joinExprs(v.Projection())+" FROM "+v.Contract.Source+v.Contract.sourceAlias()); err != nil {
		return err
	}
	for _, q := range append(v.viewsSQL(), globalViewsSQL(t.Views())...) {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// DropView unregisters a view and drops its relations. Views that read it must
// be gone already.
func (t *WriteTx) DropView(ctx context.Context, v *View) error {
	statements := []string{"DROP VIEW " + v.Name.SQL()}
	for _, suffix := range []string{"_revisions", "_changes", "_events", "_rejected"} {
		statements = append(statements, "DROP VIEW "+v.companion(suffix))
	}
	statements = append(statements, "DROP VIEW "+v.currentView())
	for _, table := range []string{"view_definitions", "view_state", "partition_state", "watermark_log", "releases", "length_log"} {
		statements = append(statements, fmt.Sprintf("DELETE FROM sessiondb.%s WHERE view_id = %d", table, v.ID))
	}
	delete(t.created, v.ID)
	delete(t.rebuilds, v.ID)
	if vt := t.views[v.ID]; vt != nil {
		t.forget(vt)
	}
	t.dropped[v.ID] = struct{}{}
	t.changed = true
	statements = append(statements, globalViewsSQL(t.Views())...)
	statements = append(statements, "DROP TABLE "+v.revisionsTable(), "DROP TABLE "+v.rejectedTable())
	for _, q := range statements {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// RenameView gives a view and its companions another name.
func (t *WriteTx) RenameView(ctx context.Context, v *View, name string) error {
	for _, suffix := range []string{"", "_revisions", "_changes", "_events", "_rejected"} {
		if _, err := t.conn.Exec(ctx, "DROP VIEW "+v.companion(suffix)); err != nil {
			return err
		}
	}
	renamed := *v
	renamed.Name.Name = name
	t.created[v.ID] = &renamed
	t.changed = true
	if b := t.rebuilds[v.ID]; b != nil {
		b.view = &renamed
	}
	if vt := t.views[v.ID]; vt != nil {
		vt.rename(&renamed)
	}
	if _, err := t.conn.Exec(ctx, "UPDATE sessiondb.view_definitions SET view_name = ? WHERE view_id = ?", name, v.ID); err != nil {
		return err
	}
	return t.createViews(ctx, &renamed)
}

// Refresh recomputes the sessions from the source less what is rejected, and
// publishes the differences; a view without data is built.
func (t *WriteTx) Refresh(ctx context.Context, v *View) error {
	fresh := *v
	return t.startRebuild(ctx, &fresh, !v.Populated)
}
