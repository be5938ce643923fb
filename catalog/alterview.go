package catalog

import (
	"context"
	"encoding/json"

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
