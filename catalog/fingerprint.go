package catalog

import (
	"context"
	"fmt"
	"strconv"
)

// What a source holds is remembered as a fingerprint: how many rows, and the
// sum of their value hashes. When it differs as the server starts, another
// program has written to the file. The view is then suspended: it says so in
// sessiondb.views and in the log, its sessions stay as they were, and writes to
// its source pass it by with a warning, until REFRESH recomputes it.

// fingerprintSQL is a query of rows, the count, and hash.
func (c *Contract) fingerprintSQL() string {
	return fmt.Sprintf("SELECT count(*) AS rows, coalesce(CAST(sum(%s) & %s AS UBIGINT), 0) AS hash FROM %s",
		c.valuesHashSQL(), lowHalfSigned, c.Source+c.sourceAlias())
}

// sourceDiffers compares the source with its fingerprint.
func (v *View) sourceDiffers(ctx context.Context, conn *Conn) (bool, error) {
	if err := v.loadCounters(ctx, conn); err != nil {
		return false, err
	}
	var rows int64
	var hash string
	if err := conn.QueryRow(ctx, "SELECT rows, CAST(hash AS VARCHAR) FROM ("+v.Contract.fingerprintSQL()+")", nil, &rows, &hash); err != nil {
		return false, err
	}
	return rows != v.counters.received || hash != strconv.FormatUint(v.counters.hash, 10), nil
}

// loadView rebuilds the state of a view at the start of the server. A view
// that cannot be loaded does not keep the server from starting.
func (s *Store) loadView(ctx context.Context, conn *Conn, v *View) error {
	differs, err := false, error(nil)
	if v.Populated {
		differs, err = v.sourceDiffers(ctx, conn)
	}
	if err == nil && !differs {
		err = v.load(ctx, conn, s.clock())
	}
	if ctx.Err() != nil {
		return err
	}
	return s.suspend(ctx, conn, v, differs, err)
}

// suspend marks a view whose source was changed or that did not load; it
// takes the mark away where neither is so.
func (s *Store) suspend(ctx context.Context, conn *Conn, v *View, differs bool, cause error) error {
	suspended := differs || cause != nil
	if suspended {
		s.logger.Warn("the source of a view was changed while the server was stopped: REFRESH MATERIALIZED VIEW puts it right",
			"view", v.Name.Name, "source", v.Contract.Base.Name, "error", cause)
	}
	_, err := conn.Exec(ctx, "UPDATE sessiondb.view_state SET source_changed = ? WHERE view_id = ? AND source_changed <> ?", suspended, v.ID, suspended)
	v.counters.sourceChanged = suspended
	return err
}
