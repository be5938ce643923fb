package catalog

import (
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// AtSQL is the view's query over the rows that were current after a commit:
// the one of that number, or the last one at that time. value is an expression.
// A commit that is yet to come, or older than the retained history, is an
// error of the query.
func (v *View) AtSQL(value string, version bool) string {
	c := v.Contract
	commit := v.versionSQL(value)
	if !version {
		commit = v.momentSQL(value)
	}
	mark := fmt.Sprintf("(SELECT arg_max(w.watermark, w.commit) FROM sessiondb.watermark_log AS w WHERE w.view_id = %d AND w.partition IS NULL AND w.commit <= h.at)", v.ID)
	return v.outerSQL("(WITH h AS MATERIALIZED (SELECT CASE" + v.boundsSQL() + " ELSE x.at END AS at FROM (" + commit + ") AS x), w AS (SELECT h.at, " + mark + " AS mark, " +
		v.lengthSQL("gap", c.Gap, "h.at") + " AS gap, " + v.lengthSQL("lateness", c.Lateness, "h.at") + " AS lateness FROM h)" +
		" SELECT " + c.sessionColumns(stateThenSQL("epoch_us(r.session_end)")) + " FROM " + v.revisionsTable() + " AS r, w" +
		" WHERE r.published_commit <= w.at AND (r.retired_commit IS NULL OR r.retired_commit > w.at))")
}

// stateThenSQL is the session_state by the watermark and the lengths of w.
func stateThenSQL(end string) string {
	never := fmt.Sprintf(" WHEN w.lateness = %d THEN 'closed'", int64(sessionop.Unlimited))
	return statesSQL(end, "w.mark", "w.gap", never+finalSQL(end, "w.mark", "w.gap", "w.lateness"))
}

// versionSQL is the commit at that a number names.
func (v *View) versionSQL(value string) string {
	return "SELECT CAST((" + value + ") AS BIGINT) AS at, CAST((" + value + ") AS BIGINT) > (SELECT max(commit) FROM sessiondb.commit_log) AS future"
}

// momentSQL is the last commit at a time.
func (v *View) momentSQL(value string) string {
	return "SELECT (SELECT CASE WHEN t.moment IS NULL THEN NULL ELSE coalesce(max(l.commit), 0) END FROM sessiondb.commit_log AS l WHERE l.committed_at <= t.moment) AS at," +
		" t.moment > greatest(now(), (SELECT max(committed_at) FROM sessiondb.commit_log)) AS future FROM (SELECT CAST((" + value + ") AS TIMESTAMPTZ) AS moment) AS t"
}

// boundsSQL are the cases of x in which there is no such version.
func (v *View) boundsSQL() string {
	oldest := fmt.Sprintf("(SELECT oldest_commit FROM sessiondb.view_state WHERE view_id = %d)", v.ID)
	fail := func(state string, parts ...string) string { // the last part is the hint, after a unit separator
		last := len(parts) - 1
		return "error('[" + state + "] ' || " + strings.Join(parts[:last], " || ") + " || chr(31) || " + parts[last] + ")"
	}
	return " WHEN x.at IS NULL THEN " + fail("22004", "'AT needs a commit or a time that is not null'", "'Write AT (VERSION => n) or AT (TIMESTAMP => t); sessiondb.commits lists them.'") +
		" WHEN x.future THEN " + fail("22023", "'AT speaks of the future: the last commit is '", "(SELECT max(commit) FROM sessiondb.commit_log)", "'Without AT the view is as it is now; sessiondb.commits lists the commits.'") +
		" WHEN x.at < " + oldest + " THEN " + fail("22023", QuoteLiteral("the history of "+v.Name.Name+" begins with commit "), oldest, "'sessiondb.views has it as oldest_commit.'")
}
