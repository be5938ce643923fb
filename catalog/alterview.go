package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sessiondb/sessiondb/sessionop"
)

// AlterView gives a view other lengths of time. Another gap recomputes the
// sessions and publishes the differences in this transaction; the other
// lengths decide about what comes, and about the state of what is there.
func (t *WriteTx) AlterView(ctx context.Context, v *View, c *Contract) error {
	if err := v.checkRetention(c); err != nil {
		return err
	}
	contract, err := json.Marshal(c)
	if err != nil {
		return err
	}
	altered := *v
	altered.Contract = c
	t.created[v.ID] = &altered
	t.changed = true
	if _, err := t.conn.Exec(ctx, "UPDATE sessiondb.view_definitions SET contract = ? WHERE view_id = ?", string(contract), v.ID); err != nil {
		return err
	}
	if err := t.logLengths(ctx, v, c); err != nil {
		return err
	}
	if err := t.createViews(ctx, &altered); err != nil {
		return err
	}
	readable := altered.ready() == nil // else REFRESH builds it by the new contract
	switch {
	case !readable:
		return nil
	case c.Gap != v.Contract.Gap || t.views[v.ID] != nil || t.rebuilds[v.ID] != nil:
		return t.startRebuild(ctx, &altered, false)
	default:
		return altered.load(ctx, t.conn, t.now)
	}
}

// logLengths keeps from which commit on a view has other lengths of time. A view
// that never had others is not in the log; the first line, of commit 0, has what
// it began with.
func (t *WriteTx) logLengths(ctx context.Context, v *View, c *Contract) error {
	if c.Gap == v.Contract.Gap && c.Lateness == v.Contract.Lateness {
		return nil
	}
	for _, q := range []string{
		fmt.Sprintf("INSERT INTO sessiondb.length_log SELECT 0, %[1]d, %[2]d, %[3]d WHERE NOT EXISTS (FROM sessiondb.length_log WHERE view_id = %[1]d)",
			v.ID, v.Contract.Gap, v.Contract.Lateness),
		fmt.Sprintf("DELETE FROM sessiondb.length_log WHERE view_id = %d AND commit = %d", v.ID, t.number),
		fmt.Sprintf("INSERT INTO sessiondb.length_log VALUES (%d, %d, %d, %d)", t.number, v.ID, c.Gap, c.Lateness),
	} {
		if _, err := t.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// lengthSQL is a length that the log keeps, as it was at the commit that the
// expression at gives, or is now where at is empty: even in a query that was
// written before an ALTER, and is kept in an ordinary view.
func (v *View) lengthSQL(column string, length int64, at string) string {
	until := ""
	if at != "" {
		until = " AND l.commit <= " + at
	}
	return fmt.Sprintf("coalesce((SELECT arg_max(l.%s, l.commit) FROM sessiondb.length_log AS l WHERE l.view_id = %d%s), %d)", column, v.ID, until, length)
}

// checkRetention refuses an event_retention that could never be kept.
func (v *View) checkRetention(c *Contract) error {
	switch {
	case c.EventRetention == 0:
		return nil
	case !c.Plain:
		return v.errorf(stateInvalid, "Only a view that reads the table itself can let go of its rows.", "event_retention needs a source that is a table")
	case c.Lateness == sessionop.Unlimited:
		return v.errorf(stateInvalid, "Set a lateness: without one no session is ever final.", "event_retention needs a lateness")
	default:
		return nil
	}
}
