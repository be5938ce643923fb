package catalog

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// The SQL of rebuilds: see rebuild.go for their order.

// rejectAllSQL rejects, of the source's rows that do not stand rejected, those
// that lack something, are ahead of time, or conflict with an earlier row of
// their id. Its parameters are the commit, its time, and the latest event time
// that is not ahead.
func (v *View) rejectAllSQL() string {
	c := v.Contract
	lack := "CASE WHEN " + anyNullSQL(c.IDs) + " THEN 'no id' WHEN " + anyNullSQL(c.Keys) + " THEN 'no key' WHEN " + c.microsSQL() +
		" IS NULL THEN 'no time' WHEN " + c.microsSQL() + " > CAST(? AS BIGINT) THEN 'ahead of time' END"
	rows := "SELECT *, " + v.helpersSQL() + ", " + lack + " AS _lack FROM " + c.Source + c.sourceAlias()
	rows = "SELECT e.* FROM (" + rows + ") AS e LEFT JOIN " + v.standingSQL() + " AS x ON " + standsAs + " QUALIFY " + rankSQL + " > coalesce(x.standing, 0)"
	conflict := "false"
	if len(c.IDs) > 0 && !c.UniqueIDs {
		conflict = "_values <> first_value(_values) OVER (PARTITION BY _member, _lack IS NULL ORDER BY _t, " + valueOrder(c) + ")"
	}
	rows = "SELECT *, _lack IS NULL AND " + conflict + " AS _conflict FROM (" + rows + ")" + c.sourceAlias()

	cols := []string{lowHalfOf("_member"), highHalfOf("_member"), "_values"}
	for _, col := range c.identifying() {
		cols = append(cols, "("+col.SQL+")")
	}
	cols = append(cols, "coalesce(_lack, 'conflicting duplicate')", "make_timestamptz("+lessSQL(v.watermarkSQL(), "0")+")", "CAST([] AS UUID[])", "?", "?", "NULL", "NULL")
	return "INSERT INTO " + v.rejectedTable() + " SELECT " + joinExprs(cols) + " FROM (" + rows + ")" + c.sourceAlias() + " WHERE _lack IS NOT NULL OR _conflict"
}

// rankSQL numbers rows e that are equal.
const rankSQL = "row_number() OVER (PARTITION BY e._member, e._values)"

// standsAs joins rejected rows x to rows e of the source that equal them.
const standsAs = "x.member_lo = CAST(e._member & " + lowHalf + " AS UBIGINT) AND x.row_values = e._values"

// withdrawMissingSQL ends the standing of rejected rows that the source does
// not have any more. Its parameter is the commit.
func (v *View) withdrawMissingSQL() string {
	c, table := v.Contract, v.rejectedTable()
	standing := "SELECT rowid AS line, member_lo, row_values, row_number() OVER (PARTITION BY member_lo, row_values ORDER BY rowid) AS rank FROM " + table + " WHERE resolved_commit IS NULL"
	present := "SELECT _member, _values, count(*) AS n FROM (SELECT " + v.helpersSQL() + " FROM " + c.Source + c.sourceAlias() + ") GROUP BY ALL"
	return "UPDATE " + table + " SET resolved_commit = ?, resolution = 'withdrawn' WHERE rowid IN (SELECT x.line FROM (" + standing +
		") AS x LEFT JOIN (" + present + ") AS e ON " + standsAs + " WHERE x.rank > coalesce(e.n, 0))"
}

// buildSQL publishes every session of the source as the first revision. Its
// parameter is the commit.
func (v *View) buildSQL(watermark string) string {
	c := v.Contract
	r := c.batchRevision("row_number() OVER (ORDER BY " + c.keyListOf("b.") + ", b._start)")
	r.add("revision", "1")
	r.add("change", "'open'")
	r.add("supersedes", "CAST([] AS UUID[])")
	r.add("published_state", c.stateMicrosSQL("b._end", watermark))
	r.add("published_commit", "?")
	return r.insertSQL(v.revisionsTable(), "("+v.batchSQL(v.countedRowsSQL(c.Source), strconv.FormatInt(c.Gap, 10))+") AS b ORDER BY 1")
}

// partitionMarksSQL are the source's partitions p with the latest event that
// counts, and the watermark that it gives.
func (v *View) partitionMarksSQL() string {
	c := v.Contract
	mark := lessSQL("max(_t)", strconv.FormatInt(c.Delay, 10))
	if c.Explicit {
		mark = "CAST(NULL AS BIGINT)"
	}
	return "(SELECT " + partitionSQL(c) + " AS p, " + mark + " AS mark, max(_t) AS latest FROM (" + v.countedRowsSQL(c.Source) + ")" + c.sourceAlias() +
		" WHERE " + c.countableSQL() + " GROUP BY p)"
}

// advancePartitionsSQL lets the known partitions that have a later event than
// anybody has seen hear it: it arrives now, wakes them under event_time, and
// moves their watermarks forward.
func (v *View) advancePartitionsSQL(now, number int64) string {
	heard := func(then, column string) string {
		return column + " = CASE WHEN s.latest_event IS NULL OR n.latest > s.latest_event THEN " + then + " ELSE s." + column + " END"
	}
	set := []string{
		"watermark = greatest(s.watermark, n.mark)", "latest_event = greatest(s.latest_event, n.latest)",
		fmt.Sprintf("advanced_commit = CASE WHEN n.mark > coalesce(s.watermark, n.mark - 1) THEN %d ELSE s.advanced_commit END", number),
		heard(fmt.Sprint(now), "latest_arrival"), heard(fmt.Sprint(number), "arrived_commit"),
	}
	if !v.Contract.Explicit {
		set = append(set, heard("'active'", "state"))
	}
	return fmt.Sprintf("UPDATE sessiondb.partition_state AS s SET %s FROM %s AS n WHERE s.view_id = %d AND s.partition = n.p", joinExprs(set), v.partitionMarksSQL(), v.ID)
}

// knownPartitionsSQL adds the partitions that the source has and nobody knew.
func (v *View) knownPartitionsSQL(now, number int64) string {
	return fmt.Sprintf("INSERT INTO sessiondb.partition_state SELECT %[1]d, n.p, n.mark, n.latest, %[2]d, %[3]d, CASE WHEN n.mark IS NULL THEN 0 ELSE %[3]d END, 'active'"+
		" FROM %[4]s AS n WHERE n.p NOT IN (SELECT partition FROM sessiondb.partition_state WHERE view_id = %[1]d)", v.ID, now, number, v.partitionMarksSQL())
}

// declaredPartitionsSQL adds the declared partitions that have no event yet.
func (v *View) declaredPartitionsSQL() string {
	names := make([]string, len(v.Contract.Partitions))
	for i, p := range v.Contract.Partitions {
		names[i] = QuoteLiteral(p)
	}
	return fmt.Sprintf("INSERT INTO sessiondb.partition_state SELECT %[1]d, d.p, NULL, NULL, NULL, 0, 0, 'active' FROM (SELECT unnest(CAST([%[2]s] AS VARCHAR[])) AS p) AS d"+
		" WHERE d.p NOT IN (SELECT partition FROM sessiondb.partition_state WHERE view_id = %[1]d)", v.ID, joinExprs(names))
}

// lowestWatermarkSQL moves the view's watermark forward to the least of its
// active partitions.
func (v *View) lowestWatermarkSQL() string {
	return fmt.Sprintf("UPDATE sessiondb.view_state SET watermark = greatest(watermark, (SELECT CASE WHEN count(*) = count(p.watermark) THEN min(p.watermark) END"+
		" FROM sessiondb.partition_state AS p WHERE p.view_id = %[1]d AND p.state <> 'idle')) WHERE view_id = %[1]d", v.ID)
}

// countersSQL counts what the source holds and what became of it. Where rows were
// released, those that count are not those of the sessions.
func (v *View) countersSQL(number int64, released bool) []string {
	counted := "SELECT count(*) FROM (" + v.countedRowsSQL(v.Contract.Source) + ") WHERE " + v.Contract.countableSQL()
	if !released {
		counted = "SELECT coalesce(sum(event_count), 0) FROM " + v.revisionsTable() + " WHERE retired_commit IS NULL"
	}
	return []string{
		fmt.Sprintf("UPDATE sessiondb.view_definitions SET populated = true WHERE view_id = %d", v.ID),
		fmt.Sprintf("UPDATE sessiondb.view_state SET received = n.rows, source_hash = n.hash, source_changed = false, last_commit = %d FROM (%s) AS n WHERE view_id = %d",
			number, v.Contract.fingerprintSQL(), v.ID),
		fmt.Sprintf("UPDATE sessiondb.view_state SET counted = (%[2]s), rejected = (SELECT count(*) FROM %[4]s WHERE resolved_commit IS NULL), "+
			"next_seq = (SELECT coalesce(max(seq), 0) + 1 FROM %[3]s) WHERE view_id = %[1]d", v.ID, counted, v.revisionsTable(), v.rejectedTable()),
		fmt.Sprintf("UPDATE sessiondb.view_state SET duplicates = received - counted - rejected WHERE view_id = %d", v.ID),
	}
}

// batchTable holds the batch recomputation while the differences are published.
const batchTable = "temp.main.sessiondb_batch"

// publishDifferences retires the current rows that the batch recomputation
// does not have, and publishes those that it has instead.
func (t *WriteTx) publishDifferences(ctx context.Context, b *rebuild) error {
	v := b.view
	if _, err := t.conn.Exec(ctx, "CREATE OR REPLACE TEMP TABLE sessiondb_batch AS "+v.keptBatchSQL(v.countedRowsSQL(v.Contract.Source), strconv.FormatInt(v.Contract.Gap, 10))); err != nil {
		return err
	}
	retired, err := t.conn.Exec(ctx, v.retireDifferentSQL(), t.number)
	if err != nil {
		return err
	}
	published, err := t.conn.Exec(ctx, v.publishDifferentSQL(t.number))
	if err != nil {
		return err
	}
	b.published, b.retired = int(published), int(retired)
	_, err = t.conn.Exec(ctx, "DROP TABLE "+batchTable)
	return err
}

// retireDifferentSQL retires what the batch does not have: members that moved
// in time leave the session_id as it was. Sessions that have no rows any more stay.
// Its parameter is the commit.
func (v *View) retireDifferentSQL() string {
	var same strings.Builder
	same.WriteString("b.session_id = r.session_id AND b._start = epoch_us(r.session_start) AND b._end = epoch_us(r.session_end)")
	for i, m := range v.Contract.Measures {
		same.WriteString(" AND NOT (" + m.differs("r."+QuoteIdent(m.Name), "b."+batchMeasure(i)) + ")")
	}
	return "UPDATE " + v.revisionsTable() + " AS r SET retired_commit = ? WHERE r.retired_commit IS NULL AND NOT " + v.releasedSQL() +
		" AND NOT EXISTS (FROM " + batchTable + " AS b WHERE " + same.String() + ")"
}

// publishDifferentSQL publishes what is not current, with what it supersedes.
func (v *View) publishDifferentSQL(number int64) string {
	c, table := v.Contract, v.revisionsTable()
	pairs := "SELECT *, count(*) OVER (PARTITION BY seq) AS heirs FROM (" + v.heirsSQL(number) + ")"
	lineage := "SELECT heir, count(*) AS n, max(revision) AS revision, max(heirs) AS heirs, bool_and(covers) AS covers, list(parent ORDER BY seq) AS parents FROM (" + pairs + ") GROUP BY heir"

	r := c.batchRevision(fmt.Sprintf("(SELECT coalesce(max(seq), 0) FROM %s) + row_number() OVER (ORDER BY %s, b._start)", table, c.keyListOf("b.")))
	r.add("revision", "coalesce(h.revision, 0) + 1")
	r.add("change", "CASE WHEN h.n IS NULL THEN 'open' WHEN h.n > 1 THEN 'merge' WHEN h.heirs > 1 THEN 'split' WHEN h.covers THEN 'extend' ELSE 'correct' END")
	r.add("supersedes", "coalesce(h.parents, CAST([] AS UUID[]))")
	r.add("published_state", c.stateMicrosSQL("b._end", v.watermarkSQL()))
	r.add("published_commit", fmt.Sprint(number))
	return r.insertSQL(table, batchTable+" AS b LEFT JOIN ("+lineage+") AS h ON h.heir = b.session_id"+
		" WHERE NOT EXISTS (FROM "+table+" AS r WHERE r.retired_commit IS NULL AND r.session_id = b.session_id AND epoch_us(r.session_start) = b._start)")
}

// heirsSQL pairs the batch's sessions with the retired revisions that they
// supersede: that of the same members, else those of its key that it overlaps.
// Where the rows are the same, sessions that overlap share one; who has the
// members of another shares none with anybody else.
func (v *View) heirsSQL(number int64) string {
	table := v.revisionsTable()
	retired := fmt.Sprintf("(SELECT * FROM %s WHERE retired_commit = %d)", table, number)
	pairs := func(on, where string) string {
		return "SELECT b.session_id AS heir, " + revisionIDSQL("r") + " AS parent, r.seq, r.revision," +
			" b.event_count > r.event_count AND b._start <= epoch_us(r.session_start) AND b._end >= epoch_us(r.session_end) AS covers" +
			" FROM " + batchTable + " AS b JOIN " + retired + " AS r ON " + on + where
	}
	overlap := v.Contract.sameKeySQL("r", "b") + " AND epoch_us(r.session_start) <= b._end AND epoch_us(r.session_end) >= b._start"
	return pairs("r.session_id = b.session_id", "") + " UNION ALL " + pairs(overlap,
		" WHERE b.session_id NOT IN (SELECT session_id FROM "+retired+") AND r.session_id NOT IN (SELECT session_id FROM "+batchTable+")")
}

// stateMicrosSQL is stateSQL for an end in microseconds.
func (c *Contract) stateMicrosSQL(end, watermark string) string {
	final := ""
	if c.Lateness != sessionop.Unlimited {
		final = finalSQL(end, watermark, strconv.FormatInt(c.Gap, 10), strconv.FormatInt(c.Lateness, 10))
	}
	return statesSQL(end, watermark, strconv.FormatInt(c.Gap, 10), final)
}

// statesSQL are the states by a gap that an expression gives; final is the case
// in which a session is final, or empty if none ever is.
func statesSQL(end, watermark, gap, final string) string {
	return fmt.Sprintf("CASE WHEN %[1]s IS NULL OR %[1]s <= %[2]s THEN 'open'%[3]s ELSE 'closed' END", watermark, plusSQL(end, gap), final)
}

func finalSQL(end, watermark, gap, lateness string) string {
	return " WHEN " + watermark + " > " + plusSQL(plusSQL(end, gap), lateness) + " THEN 'final'"
}
