package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// The relations behind a maintained view, all plain DuckDB:
//
//	sessiondb.revisions_N   every retained revision, the current ones with
//	                        retired_commit NULL; append and retire only
//	sessiondb.rejected_N    every rejected arrival, those that stand with
//	                        resolved_commit NULL; append and resolve only
//	sessiondb.current_N     a view: the current rows, as SESSIONIZE answers them
//	name, name_revisions,   views under the user's names
//	name_changes, name_events, name_rejected
//
// A row's revision_id is computed where it is read, from session_id and
// published_commit, so that nothing need be stored for it.

// revisionIDSQL is the UUID of a revision, from the columns of alias.
func revisionIDSQL(alias string) string {
	return fmt.Sprintf("CAST(md5(CAST(%[1]s.session_id AS VARCHAR) || ':' || %[1]s.published_commit) AS UUID)", alias)
}

func (v *View) revisionsTable() string { return internalName("revisions", v.ID) }
func (v *View) rejectedTable() string  { return internalName("rejected", v.ID) }
func (v *View) currentView() string    { return internalName("current", v.ID) }

func internalName(kind string, id int64) string {
	return "sessiondb." + kind + "_" + strconv.FormatInt(id, 10)
}

// Companions are the names of the relations that stand beside the view.
func (v *View) Companions() []string {
	n := v.Name.Name
	return []string{n + "_revisions", n + "_changes", n + "_events", n + "_rejected"}
}

func (v *View) companion(suffix string) string {
	return TableName{v.Name.Schema, v.Name.Name + suffix}.SQL()
}

// ReservedColumns are the names that a view's relations use themselves; no key
// column or measure can be called so.
func ReservedColumns() []string {
	return []string{
		"session_id", "revision", "session_start", "session_end", "session_state", "event_count",
		"revision_id", "change", "supersedes", "superseded_by", "published_at", "published_commit",
		"retired_at", "retired_commit", "is_current", "mergeable_until", "commit", "weight",
		"seq", "pt", "published_state", "reason", "watermark", "sessions", "first_seen", "arrivals", "status",
	}
}

// tablesSQL creates the two tables of the view.
func (v *View) tablesSQL() []string {
	c := v.Contract
	revisions := []string{"seq BIGINT NOT NULL", "pt SMALLINT NOT NULL"}
	for _, k := range c.Keys {
		revisions = append(revisions, QuoteIdent(k.Name)+" "+k.Type)
	}
	revisions = append(revisions, "session_id UUID NOT NULL", "revision BIGINT NOT NULL",
		"session_start "+c.timeType(), "session_end "+c.timeType(), "event_count BIGINT NOT NULL")
	for _, m := range c.Measures {
		revisions = append(revisions, QuoteIdent(m.Name)+" "+m.Type)
	}
	revisions = append(revisions, "change VARCHAR NOT NULL", "supersedes UUID[] NOT NULL", "published_state VARCHAR NOT NULL",
		"published_commit BIGINT NOT NULL", "retired_commit BIGINT")
	rejected := []string{"member_lo UBIGINT", "member_hi UBIGINT", "row_values UBIGINT"}
	for _, col := range c.identifying() {
		rejected = append(rejected, QuoteIdent(col.Name)+" "+col.Type)
	}
	rejected = append(rejected, "reason VARCHAR", "watermark TIMESTAMPTZ", "sessions UUID[]",
		"rejected_commit BIGINT", "rejected_at TIMESTAMPTZ", "resolved_commit BIGINT", "resolution VARCHAR")
	return []string{
		"CREATE TABLE " + v.revisionsTable() + " (" + strings.Join(revisions, ", ") + ")",
		"CREATE TABLE " + v.rejectedTable() + " (" + strings.Join(rejected, ", ") + ")",
	}
}

// timeType is the type of session_start and session_end.
func (c *Contract) timeType() string {
	if c.EventTime.Type == "TIMESTAMP WITH TIME ZONE" {
		return "TIMESTAMPTZ"
	}
	return "TIMESTAMP"
}

// fromMicros turns an expression of microseconds into the view's time type.
func (c *Contract) fromMicros(expr string) string {
	if c.timeType() == "TIMESTAMPTZ" {
		return "make_timestamptz(" + expr + ")"
	}
	return "make_timestamp(" + expr + ")"
}

// The last and the first time that there is, in microseconds.
const (
	lastMicros  = 9223372036854775806
	firstMicros = -9223372022400000000
)

// plusSQL adds a length, an expression of microseconds that is not negative, to
// a time that is not NULL. It stops at the last BIGINT: an event may be so late
// that its gap ends after the end of time.
func plusSQL(micros, length string) string {
	return "(least(" + micros + ", 9223372036854775807 - " + length + ") + " + length + ")"
}

// lessSQL is the time a length before one, at the earliest the first there is.
func lessSQL(micros, length string) string {
	first := strconv.FormatInt(firstMicros, 10)
	return "CASE WHEN " + micros + " < " + first + " + " + length + " THEN " + first + " ELSE " + micros + " - " + length + " END"
}

// identifying are the columns that name an event in visits_rejected: id, key
// and time, each name once.
func (c *Contract) identifying() []ContractColumn {
	var out []ContractColumn
	seen := map[string]bool{}
	for _, col := range append(append(append([]ContractColumn{}, c.IDs...), c.Keys...), c.EventTime) {
		if name := strings.ToLower(col.Name); !seen[name] {
			seen[name] = true
			out = append(out, col)
		}
	}
	return out
}

// stateSQL is the session_state of a row of r under the watermark that the
// expression gives in microseconds.
func (c *Contract) stateSQL(watermark string) string {
	return c.stateMicrosSQL("epoch_us(r.session_end)", watermark)
}

// watermarkSQL is the view's watermark in microseconds, as a query of one row.
func (v *View) watermarkSQL() string {
	return fmt.Sprintf("(SELECT watermark FROM sessiondb.view_state WHERE view_id = %d)", v.ID)
}

// withWatermark joins the view's watermark to the rows of a FROM clause, as
// w.watermark: DuckDB has less to plan than for a subquery.
func (v *View) withWatermark() string { return " CROSS JOIN " + v.watermarkSQL() + " AS w" }

// sessionColumns are the columns of SESSIONIZE over r, session_state given.
func (c *Contract) sessionColumns(state string) string {
	cols := make([]string, 0, len(c.Keys)+len(c.Measures)+6)
	for _, k := range c.Keys {
		cols = append(cols, "r."+QuoteIdent(k.Name))
	}
	cols = append(cols, "r.session_id", "r.revision", "r.session_start", "r.session_end", state+" AS session_state", "r.event_count")
	for _, m := range c.Measures {
		cols = append(cols, "r."+QuoteIdent(m.Name))
	}
	return strings.Join(cols, ", ")
}

// currentSQL are the current rows of the revisions, as SESSIONIZE answers them.
func (v *View) currentSQL(revisions string) string {
	return "SELECT " + v.Contract.sessionColumns(v.Contract.stateSQL("w.watermark")) + " FROM " + revisions + " AS r" + v.withWatermark() + " WHERE r.retired_commit IS NULL"
}

// viewsSQL creates the views over the tables, replacing those there.
func (v *View) viewsSQL() []string {
	return []string{
		"CREATE OR REPLACE VIEW " + v.currentView() + " AS " + v.currentSQL(v.revisionsTable()),
		"CREATE OR REPLACE VIEW " + v.Name.SQL() + " AS " + v.outerSQL(v.currentView()),
		"CREATE OR REPLACE VIEW " + v.companion("_revisions") + " AS " + v.revisionsSQL(),
		"CREATE OR REPLACE VIEW " + v.companion("_changes") + " AS " + v.changesSQL(),
		"CREATE OR REPLACE VIEW " + v.companion("_events") + " AS " + v.eventsSQL(),
		"CREATE OR REPLACE VIEW " + v.companion("_rejected") + " AS " + v.rejectedSQL(),
	}
}

// outerSQL is the query around the SESSIONIZE call, reading from relation.
func (v *View) outerSQL(relation string) string {
	return strings.ReplaceAll(v.Outer, SessionizePlaceholder, relation)
}

func (v *View) revisionsSQL() string {
	c := v.Contract
	mergeable := "CAST('infinity' AS " + c.timeType() + ")"
	if c.Lateness != sessionop.Unlimited {
		until := plusSQL(plusSQL("epoch_us(r.session_end)", strconv.FormatInt(c.Gap, 10)), strconv.FormatInt(c.Lateness, 10))
		mergeable = fmt.Sprintf("CASE WHEN %s <= %d THEN %s ELSE %s END", until, int64(lastMicros), c.fromMicros(until), mergeable)
	}
	return "SELECT " + c.sessionColumns(c.stateSQL("w.watermark")) + ", " + revisionIDSQL("r") + " AS revision_id, r.change, r.supersedes, " +
		"coalesce(h.heirs, CAST([] AS UUID[])) AS superseded_by, p.committed_at AS published_at, r.published_commit, " +
		"q.committed_at AS retired_at, r.retired_commit, r.retired_commit IS NULL AS is_current, " + mergeable + " AS mergeable_until" +
		" FROM " + v.revisionsTable() + " AS r" + v.withWatermark() +
		" LEFT JOIN sessiondb.commit_log AS p ON p.commit = r.published_commit" +
		" LEFT JOIN sessiondb.commit_log AS q ON q.commit = r.retired_commit" +
		" LEFT JOIN (SELECT parent, list(heir ORDER BY seq) AS heirs FROM (SELECT unnest(i.supersedes) AS parent, " +
		revisionIDSQL("i") + " AS heir, i.seq FROM " + v.revisionsTable() + " AS i WHERE len(i.supersedes) > 0) GROUP BY parent) AS h" +
		" ON h.parent = " + revisionIDSQL("r")
}

func (v *View) changesSQL() string {
	side := func(commit string, weight int, where string) string {
		return fmt.Sprintf("SELECT r.%s AS commit, %d AS weight, %s, %s AS revision_id, r.change FROM %s AS r%s",
			commit, weight, v.Contract.sessionColumns("r.published_state"), revisionIDSQL("r"), v.revisionsTable(), where)
	}
	return side("published_commit", 1, "") + " UNION ALL " + side("retired_commit", -1, " WHERE r.retired_commit IS NOT NULL")
}

// eventsSQL lists the counted rows of the source: of equal rows as many as
// are neither rejected nor, where the contract names an id, duplicates. Each is
// in the session of its key that started last before it. (An ASOF JOIN says
// that shorter, but under a NOT EXISTS DuckDB's breaks down, and the database
// with it.)
func (v *View) eventsSQL() string {
	c := v.Contract
	rows := "SELECT *, CAST(NULL AS UUID) AS _started, CAST(NULL AS BIGINT) AS _started_revision FROM (" + v.countedRowsSQL(c.Source) + ")"
	starts := "SELECT " + c.keyList() + ", epoch_us(session_start) AS _t, session_id AS _started, revision AS _started_revision FROM " + v.revisionsTable() + " WHERE retired_commit IS NULL"
	return "SELECT * EXCLUDE (_t, _member, _values, _started, _started_revision) FROM (SELECT *, last_value(_started IGNORE NULLS) OVER w AS session_id," +
		" last_value(_started_revision IGNORE NULLS) OVER w AS revision FROM (" + rows + " UNION ALL BY NAME " + starts + ")" +
		" WINDOW w AS (PARTITION BY " + c.keyList() + " ORDER BY _t, _started IS NULL ROWS UNBOUNDED PRECEDING)) WHERE _started IS NULL AND session_id IS NOT NULL"
}

// countedRowsSQL are the rows of source that count, each with helper columns:
// _t (event time in microseconds), _member and _values (hashes of the identity
// and of the values).
func (v *View) countedRowsSQL(source string) string {
	c := v.Contract
	accept := rankSQL + " > coalesce(x.standing, 0)"
	if len(c.IDs) > 0 && !c.UniqueIDs {
		accept = rankSQL + " = coalesce(x.standing, 0) + 1"
	}
	return "SELECT e.* FROM (SELECT *, " + v.helpersSQL() + " FROM " + source + c.sourceAlias() + ") AS e" +
		" LEFT JOIN " + v.standingSQL() + " AS x ON " + standsAs + " QUALIFY " + accept
}

// standingSQL counts the rejected rows that stand, by identity and values.
func (v *View) standingSQL() string {
	return "(SELECT member_lo, row_values, count(*) AS standing FROM " + v.rejectedTable() + " WHERE resolved_commit IS NULL GROUP BY ALL)"
}

func (v *View) rejectedSQL() string {
	cols := make([]string, 0, 4)
	for _, col := range v.Contract.identifying() {
		cols = append(cols, QuoteIdent(col.Name))
	}
	list := strings.Join(cols, ", ")
	return "SELECT " + list + ", reason, arg_min(watermark, rejected_commit) AS watermark, arg_min(sessions, rejected_commit) AS sessions, " +
		"min(rejected_at) AS first_seen, count(*) AS arrivals, " +
		"CASE WHEN bool_or(resolved_commit IS NULL) THEN 'pending' ELSE arg_max(resolution, resolved_commit) END AS status" +
		" FROM " + v.rejectedTable() + " GROUP BY " + list + ", reason"
}
