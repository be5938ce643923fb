package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/sessiondb/sessiondb/sessionop"
)

// MayAnswer says whether the view's rows are what an ad hoc call with the
// contract c, over the view's table, computes, provided that nothing of the
// source stands rejected: see AnswerSQL. Where partitions, a limit ahead of the
// clock or let-go rows make a difference they are not.
func (v *View) MayAnswer(c *Contract) bool {
	own := *v.Contract
	if !v.Populated || !own.Plain || own.Partition != nil || own.MaxAhead != sessionop.Unlimited || own.EventRetention > 0 {
		return false
	}
	other := *c
	other.Source, other.Base, other.Plain, other.Project = own.Source, own.Base, own.Plain, own.Project
	other.RevisionRetention, other.IdleTimeout = own.RevisionRetention, own.IdleTimeout
	a, errA := json.Marshal(own)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// AnswersSQL is a query of one boolean: whether the view answers now.
func (v *View) AnswersSQL() string {
	return fmt.Sprintf("SELECT count(*) = 1 FROM sessiondb.view_state WHERE view_id = %d AND rejected = 0 AND NOT source_changed AND events_from IS NULL", v.ID)
}

// AnswerSQL answers an ad hoc call from the view, as AdHocSQL would: every
// revision is 1, and the watermark is the one that the events give. It fails
// where the view does not answer any more when it runs.
func (v *View) AnswerSQL() string {
	c := v.Contract
	guard := "(SELECT CASE WHEN (" + v.AnswersSQL() + ") THEN true ELSE error('[40001] the view that answered this statement changed: run it again') END)"
	current := "(SELECT * REPLACE (CAST(1 AS BIGINT) AS revision), epoch_us(session_end) AS _end FROM " + v.revisionsTable() + " WHERE retired_commit IS NULL)"
	a := adHoc{Contract: c, lengths: c.lengths(Lengths{})}
	return "SELECT " + c.sessionColumns(a.state()) + " FROM " + current + " AS r WHERE " + guard
}
