package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
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
	if _, err := t.conn.Exec(ctx, "INSERT INTO sessiondb.view_state VALUES (?, NULL, 0, 0, 0, 0, ?, 1, 0, false)", v.ID, t.number); err != nil {
		return err
	}
	t.created[v.ID] = v
	if err := t.createViews(ctx, v); err != nil {
		return err
	}
	if err := v.load(ctx, t.conn); err != nil {
		return err
	}
	if !withData {
		return nil
	}
	return t.Build(ctx, v)
}

func (t *WriteTx) createViews(ctx context.Context, v *View) error {
	if _, err := t.conn.columnTypes(ctx, "SELECT "+joinExprs(v.Projection())+" FROM "+v.Contract.Source+v.Contract.sourceAlias()); err != nil {
		return err
	}
	for _, q := range append(v.viewsSQL(), globalViewsSQL(t.allViews())...) {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// Build fills an empty view from all rows of its source as one commit: nothing
// is late, and what lacks something or conflicts is rejected.
func (t *WriteTx) Build(ctx context.Context, v *View) error {
	c := v.Contract
	var limit any = int64(sessionop.Unlimited)
	if c.MaxAhead != sessionop.Unlimited {
		limit = t.now.UnixMicro() + c.MaxAhead
	}
	if _, err := t.conn.Exec(ctx, v.rejectAllSQL(), t.number, TimestampTZ(t.now.UnixMicro()), limit); err != nil {
		return err
	}
	if err := t.buildMarks(ctx, v); err != nil {
		return err
	}
	if _, err := t.conn.Exec(ctx, v.buildSQL(v.watermarkSQL()), t.number); err != nil {
		return err
	}
	if err := t.buildCounters(ctx, v); err != nil {
		return err
	}
	v.Populated, v.revTypes = true, nil
	return v.load(ctx, t.conn)
}

// buildMarks derives the watermarks from the counted rows.
func (t *WriteTx) buildMarks(ctx context.Context, v *View) error {
	c := v.Contract
	mark := fmt.Sprintf("max(_t) - %d", c.Delay)
	if c.Explicit {
		mark = "NULL"
	}
	for _, q := range []string{
		fmt.Sprintf("DELETE FROM sessiondb.partition_state WHERE view_id = %d", v.ID),
		fmt.Sprintf("INSERT INTO sessiondb.partition_state SELECT %d, %s AS p, %s, max(_t), %d, %d, %d, 'active' FROM (%s) %s WHERE _t IS NOT NULL AND %s GROUP BY p",
			v.ID, partitionSQL(c), mark, t.now.UnixMicro(), t.number, t.number, v.countedRowsSQL(c.Source), c.sourceAlias(), notNullKeys(len(c.Keys))),
		v.declaredPartitionsSQL(),
		fmt.Sprintf("UPDATE sessiondb.view_state SET watermark = (SELECT CASE WHEN count(*) = count(watermark) THEN min(watermark) END FROM sessiondb.partition_state AS p"+
			" WHERE p.view_id = %[1]d) WHERE view_id = %[1]d", v.ID),
		fmt.Sprintf("INSERT INTO sessiondb.watermark_log SELECT %d, view_id, NULL, watermark FROM sessiondb.view_state WHERE view_id = %d", t.number, v.ID),
	} {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// declaredPartitionsSQL adds the declared partitions that have no event yet.
func (v *View) declaredPartitionsSQL() string {
	sql := fmt.Sprintf("INSERT INTO sessiondb.partition_state SELECT %d, d.p, NULL, NULL, NULL, 0, 0, 'active' FROM (SELECT unnest(CAST([", v.ID)
	for i, p := range v.Contract.Partitions {
		if i > 0 {
			sql += ", "
		}
		sql += QuoteLiteral(p)
	}
	return sql + fmt.Sprintf("] AS VARCHAR[])) AS p) AS d WHERE d.p NOT IN (SELECT partition FROM sessiondb.partition_state WHERE view_id = %d)", v.ID)
}

func (t *WriteTx) buildCounters(ctx context.Context, v *View) error {
	for _, q := range []string{
		fmt.Sprintf("UPDATE sessiondb.view_definitions SET populated = true WHERE view_id = %d", v.ID),
		fmt.Sprintf("UPDATE sessiondb.view_state SET received = n.rows, source_hash = n.hash, source_changed = false, last_commit = %[2]d"+
			" FROM (SELECT count(*) AS rows, coalesce(CAST(sum(%[3]s) & 18446744073709551615::HUGEINT AS UBIGINT), 0) AS hash FROM %[4]s) AS n WHERE view_id = %[1]d",
			v.ID, t.number, v.Contract.valuesHashSQL(), v.Contract.Source+v.Contract.sourceAlias()),
		fmt.Sprintf("UPDATE sessiondb.view_state SET counted = (SELECT coalesce(sum(event_count), 0) FROM %[2]s WHERE retired_commit IS NULL), "+
			"rejected = (SELECT count(*) FROM %[3]s WHERE resolved_commit IS NULL), next_seq = (SELECT coalesce(max(seq), 0) + 1 FROM %[2]s) WHERE view_id = %[1]d",
			v.ID, v.revisionsTable(), v.rejectedTable()),
		fmt.Sprintf("UPDATE sessiondb.view_state SET duplicates = received - counted - rejected WHERE view_id = %d", v.ID),
	} {
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
	for _, table := range []string{"view_definitions", "view_state", "partition_state", "watermark_log"} {
		statements = append(statements, fmt.Sprintf("DELETE FROM sessiondb.%s WHERE view_id = %d", table, v.ID))
	}
	delete(t.created, v.ID)
	t.dropped[v.ID] = struct{}{}
	t.changed = true
	statements = append(statements, globalViewsSQL(t.allViews())...)
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
	if _, err := t.conn.Exec(ctx, "UPDATE sessiondb.view_definitions SET view_name = ? WHERE view_id = ?", name, v.ID); err != nil {
		return err
	}
	return t.createViews(ctx, &renamed)
}

// Refresh recomputes the sessions from the source less what is rejected, and
// publishes the differences; a view without data is built.
func (t *WriteTx) Refresh(ctx context.Context, v *View) error {
	if !v.Populated {
		fresh := *v
		t.created[v.ID] = &fresh
		t.changed = true
		return t.Build(ctx, &fresh)
	}
	fresh := *v
	changed, err := t.publishDifferences(ctx, &fresh)
	if err != nil {
		return err
	}
	t.changed = t.changed || changed
	if err := t.buildCounters(ctx, &fresh); err != nil {
		return err
	}
	t.created[v.ID] = &fresh
	delete(t.views, v.ID)
	return fresh.load(ctx, t.conn)
}

// publishDifferences retires the current rows that the batch recomputation
// does not have, and publishes those that it has instead. A new revision
// supersedes the retired ones of its key that it overlaps.
func (t *WriteTx) publishDifferences(ctx context.Context, v *View) (bool, error) {
	steps := v.differencesSQL(t.number)
	var changed int64
	for _, q := range steps {
		n, err := t.conn.Exec(ctx, q)
		if err != nil {
			return false, err
		}
		changed += n
	}
	return changed > 0, nil
}

// differencesSQL are the steps of publishDifferences for one commit.
func (v *View) differencesSQL(number int64) []string {
	c := v.Contract
	counted := "SELECT * FROM (" + v.countedRowsSQL(c.Source) + ") WHERE _t IS NOT NULL AND " + notNullKeys(len(c.Keys))
	same := "b.session_id = r.session_id"
	overlap := "epoch_us(r.session_start) <= b._end AND epoch_us(r.session_end) >= b._start"
	for _, k := range c.Keys {
		overlap += " AND r." + QuoteIdent(k.Name) + " = b." + QuoteIdent(k.Name)
	}
	for _, m := range c.Measures {
		same += " AND NOT (" + m.differs("r."+QuoteIdent(m.Name), "b."+QuoteIdent(m.Name)) + ")"
	}
	table, batch := v.revisionsTable(), "temp.main.sessiondb_batch"
	into := []string{"seq", "pt"}
	from := []string{fmt.Sprintf("(SELECT next_seq FROM sessiondb.view_state WHERE view_id = %d) - 1 + row_number() OVER (ORDER BY %s, b._start)", v.ID, qualified("b", keyOrder(c))), PartitionSQL(c)}
	add := func(col, expr string) { into, from = append(into, col), append(from, expr) }
	for _, k := range c.Keys {
		add(QuoteIdent(k.Name), "b."+QuoteIdent(k.Name))
	}
	add("session_id", "b.session_id")
	add("revision", "coalesce(h.revision, 0) + 1")
	add("session_start", c.fromMicros("b._start"))
	add("session_end", c.fromMicros("b._end"))
	add("event_count", "b.event_count")
	for _, m := range c.Measures {
		add(QuoteIdent(m.Name), "b."+QuoteIdent(m.Name))
	}
	add("change", "CASE WHEN h.n IS NULL THEN 'open' WHEN h.n > 1 THEN 'merge' ELSE 'correct' END")
	add("supersedes", "coalesce(h.parents, CAST([] AS UUID[]))")
	add("published_state", c.stateMicrosSQL("b._end", v.watermarkSQL()))
	add("published_commit", fmt.Sprint(number))
	return []string{
		"CREATE OR REPLACE TEMP TABLE sessiondb_batch AS " + v.batchSQL(counted),
		fmt.Sprintf("UPDATE %s AS r SET retired_commit = %d WHERE r.retired_commit IS NULL AND NOT EXISTS (FROM %s AS b WHERE %s)", table, number, batch, same),
		fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s AS b LEFT JOIN (SELECT b.session_id, count(*) AS n, max(r.revision) AS revision, list(%s ORDER BY r.seq) AS parents"+
			" FROM %s AS b JOIN %s AS r ON r.retired_commit = %d AND %s GROUP BY b.session_id) AS h ON h.session_id = b.session_id"+
			" WHERE NOT EXISTS (FROM %s AS r WHERE r.retired_commit IS NULL AND r.session_id = b.session_id)",
			table, joinExprs(into), joinExprs(from), batch, revisionIDSQL("r"), batch, table, number, overlap, table),
		"DROP TABLE temp.main.sessiondb_batch",
	}
}

func qualified(alias, columns string) string {
	return alias + "." + strings.ReplaceAll(columns, ", ", ", "+alias+".")
}
