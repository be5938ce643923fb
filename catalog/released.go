package catalog

import (
	"context"
	"fmt"
	"time"
)

// Sessions whose rows event_retention has let go of stay as they are, and what
// would change them is refused. sessiondb.releases says which they are: of those
// that a commit or an earlier one published, the ones that ended before a time.
// A view has one line there, and another for each time that reset_watermark took
// it back behind what was released already.

// loadReleases tells the operator which sessions have no rows any more.
func (v *View) loadReleases(ctx context.Context, conn *Conn) error {
	rows, err := conn.Query(ctx, "SELECT commit, ended_before FROM sessiondb.releases WHERE view_id = ?", v.ID)
	if err != nil {
		return err
	}
	return eachRow(ctx, rows, func(c *Chunk, i int) error {
		v.state.Release(c.Col(0).Int64s()[i], c.Col(1).Int64s()[i])
		return nil
	})
}

// released refuses to change a session that has no rows any more.
func (v *View) released(commit, end int64) error {
	if v.state.Released(commit, end) {
		return v.releasedError()
	}
	return nil
}

func (v *View) releasedError() error {
	return v.errorf(stateNotReady, "Leave the rows and events of such sessions as they are; the range of a replay can be bounded with from => and to =>.",
		"a session of %s that would change ended before %s, and event_retention has let go of its events", v.Name.Name, timeText(v.counters.eventsFrom))
}

func timeText(micros int64) string {
	return time.UnixMicro(micros).UTC().Format("2006-01-02 15:04:05.999999+00")
}

// releasedSQL holds for a revision r that has no rows any more.
func (v *View) releasedSQL() string {
	return fmt.Sprintf("EXISTS (FROM sessiondb.releases AS l WHERE l.view_id = %d AND r.published_commit <= l.commit AND epoch_us(r.session_end) < l.ended_before)", v.ID)
}

// keptBatchSQL computes the sessions over counted rows of the source by a gap, as
// batchSQL does, but those of rows that are left of a session which lost others.
func (v *View) keptBatchSQL(counted, gap string) string {
	c := v.Contract
	suspect := fmt.Sprintf(" FROM b WHERE _end < (SELECT max(ended_before) FROM sessiondb.releases WHERE view_id = %d)", v.ID)
	suspects := timedRows{relation: "(SELECT " + c.keyList() + ", _start" + suspect + ")", alias: " AS e", at: "e._start", keys: c.keysUnder("e.")}
	spans := v.spansSQL() + " AND epoch_us(r.session_end) >= (SELECT min(_start)" + suspect + ") AND " + v.releasedSQL()
	return "WITH b AS MATERIALIZED (" + v.batchSQL(counted, gap) + ") SELECT b.* FROM b ANTI JOIN " + spansInOrder.sql(suspects, spans) + " ON " + c.sameKeySQL("e", "b") + " AND e._start = b._start"
}

// mergesReleasedSQL says whether a session that has no rows any more lies within
// the gap of another. Only such sessions are not cut anew where the gap is another.
func (v *View) mergesReleasedSQL() string {
	c := v.Contract
	current := "SELECT " + c.keyListOf("r.") + ", epoch_us(r.session_start) AS _start, epoch_us(r.session_end) AS _end, " + v.releasedSQL() + " AS _released FROM " +
		v.revisionsTable() + " AS r WHERE r.retired_commit IS NULL"
	next := "SELECT _end, _released, lead(_start) OVER w AS _next, lead(_released) OVER w AS _next_released FROM (" + current + ") WINDOW w AS (PARTITION BY " + c.keyList() + " ORDER BY _start)"
	return fmt.Sprintf("SELECT count(*) > 0 FROM (%s) WHERE (_released OR _next_released) AND _next IS NOT NULL AND greatest(_next, -9223372036854775807 + %[2]d) - %[2]d <= _end", next, c.Gap)
}
