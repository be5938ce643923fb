package catalog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sort"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// writeRejections lists what the commit turned away, and ends the standing of
// rejected rows that went or count now.
func (t *WriteTx) writeRejections(ctx context.Context, p *publication) error {
	if err := t.appendRejections(ctx, p); err != nil {
		return err
	}
	return t.resolveRejections(ctx, p)
}

// resolveRejections ends the standing of as many lines, of those equal to a
// row, as the resolutions say.
func (t *WriteTx) resolveRejections(ctx context.Context, p *publication) error {
	if len(p.resolved) == 0 {
		return nil
	}
	types := []Type{Simple(TypeUBigInt), Simple(TypeUBigInt), Simple(TypeBigInt), Simple(TypeBigInt), Simple(TypeVarchar)}
	feed, err := t.store.db.AcquireFeed(types)
	if err != nil {
		return err
	}
	defer feed.Release()
	rows, ranks := NewColumns(types), map[rowKey]int64{}
	for _, r := range p.resolved {
		rows.AppendUint64(0, r.row.member.Hi)
		rows.AppendUint64(1, r.row.values)
		rows.AppendInt64(2, ranks[r.row]+1)
		ranks[r.row] += int64(r.n)
		rows.AppendInt64(3, ranks[r.row])
		rows.AppendString(4, r.what)
	}
	feed.Set(rows)
	_, err = t.conn.Exec(ctx, p.view.resolveSQL(feed.SQL(), p.commit.Replay), t.number, t.number)
	return err
}

// resolveSQL takes the rows of feed: the hashes of a row, the ranks among the
// standing lines equal to it that are resolved, and the status they get. Its
// parameters are the commit, twice. A replay resolves lines that ask for one.
func (v *View) resolveSQL(feed string, replay bool) string {
	table, which := v.rejectedTable(), ""
	if replay {
		which = " AND reason IN " + askingReasons()
	}
	standing := "SELECT rowid AS line, member_lo, row_values, row_number() OVER (PARTITION BY member_lo, row_values ORDER BY rowid) AS rank FROM " + table +
		" WHERE resolved_commit IS NULL AND rejected_commit < ?" + which
	return "UPDATE " + table + " AS r SET resolved_commit = ?, resolution = m.status FROM (SELECT x.line, f.c4 AS status FROM (" + standing + ") AS x JOIN " + feed +
		" AS f ON x.member_lo = f.c0 AND x.row_values = f.c1 AND x.rank BETWEEN f.c2 AND f.c3) AS m WHERE r.rowid = m.line"
}

func (t *WriteTx) appendRejections(ctx context.Context, p *publication) error {
	var rejected []int
	for i, v := range p.delta.Verdicts {
		if v.Outcome == sessionop.Rejected && !p.rejudged[i] {
			rejected = append(rejected, i)
		}
	}
	if len(rejected) == 0 {
		return nil
	}
	proj, cols := p.view.projection(), p.view.Contract.identifying()
	types := []Type{Simple(TypeUBigInt), Simple(TypeUBigInt), Simple(TypeUBigInt)}
	for _, c := range cols {
		types = append(types, p.rows.types[proj.typedIndex(c)])
	}
	types = append(types, Simple(TypeVarchar), ListType(Simple(TypeUUID)))
	feed, err := t.store.db.AcquireFeed(types)
	if err != nil {
		return err
	}
	defer feed.Release()
	rows := NewColumns(types)
	for _, i := range rejected {
		p.appendRejection(rows, proj, cols, i)
	}
	feed.Set(rows)
	from := make([]string, 0, len(types)+5)
	for i := range types {
		from = append(from, fmt.Sprintf("f.c%d", i))
	}
	last := len(types) - 1
	before := p.delta.Before
	before.Time = max(before.Time, firstMicros)
	from = append(from[:last], "make_timestamptz(CAST(? AS BIGINT))", fmt.Sprintf("f.c%d", last), "?", "?", "NULL", "NULL")
	_, err = t.conn.Exec(ctx, "INSERT INTO "+p.view.rejectedTable()+" SELECT "+strings.Join(from, ", ")+" FROM "+feed.SQL()+" AS f",
		optionalMicros(before), t.number, TimestampTZ(t.now.UnixMicro()))
	return err
}

func (p *publication) appendRejection(rows *ColumnSet, proj *projection, cols []ContractColumn, i int) {
	row := p.identity(i)
	rows.AppendUint64(0, row.member.Hi)
	rows.AppendUint64(1, row.member.Lo)
	rows.AppendUint64(2, row.values)
	for j, c := range cols {
		rows.AppendFrom(3+j, p.rows.typed, proj.typedIndex(c), i)
	}
	verdict := p.delta.Verdicts[i]
	rows.AppendString(3+len(cols), verdict.Reason.String())
	sessions := make([]UUID, len(verdict.Sessions))
	for j, s := range verdict.Sessions {
		sessions[j] = UUID(s.UUID())
	}
	rows.AppendUUIDList(4+len(cols), sessions)
}

// rejectionNotices are the warnings that come with a commit: one line, with
// the counts per reason.
func (v *View) rejectionNotices(rejections map[string]int) []Notice {
	if len(rejections) == 0 {
		return nil
	}
	total, asks, reasons := 0, 0, make([]string, 0, len(rejections))
	for reason, n := range rejections {
		total += n
		if asksForReplay(reason) {
			asks += n
		}
		reasons = append(reasons, fmt.Sprintf("%d %s", n, reason))
	}
	sort.Strings(reasons)
	events, them := "1 event", "it is in the table, counts in no session, and is"
	if total != 1 {
		events, them = fmt.Sprintf("%d events", total), "they are in the table, count in no session, and are"
	}
	name := v.Name.Name
	notice := Notice{Message: fmt.Sprintf("%s rejected %s (%s): %s listed in %s_rejected", name, events, strings.Join(reasons, ", "), them, name)}
	if asks > 0 {
		notice.Hint = fmt.Sprintf("SELECT * FROM sessiondb.replay('%s') takes up what came too late.", name)
	}
	return []Notice{notice}
}

// asksForReplay says whether events that were rejected for the reason can be
// replayed.
func asksForReplay(reason string) bool {
	switch reason {
	case sessionop.ReasonFinal.String(), sessionop.ReasonTooLate.String(), sessionop.ReasonAhead.String():
		return true
	default:
		return false
	}
}

// measureError says which key's measure failed: one of those given.
func (v *View) measureError(err error, of iter.Seq[string]) error {
	if errors.Is(err, ErrInvalidated) {
		return err // no row is at fault
	}
	keys := make([]string, 0, 4)
	seen := map[string]bool{}
	for k := range of {
		if seen[k] {
			continue
		}
		seen[k] = true
		if len(keys) == 3 {
			keys = append(keys, "…")
			break
		}
		keys = append(keys, readableKey(k))
	}
	return &MeasureError{View: v.Name.Name, Keys: keys, Err: err}
}

// readableKey turns a canonical key back into something to read.
func readableKey(canonical string) string {
	var parts []string
	for canonical != "" {
		if canonical[0] == 'n' {
			parts, canonical = append(parts, "NULL"), canonical[1:]
			continue
		}
		var n int
		colon := strings.IndexByte(canonical, ':')
		if _, err := fmt.Sscanf(canonical, "%d:", &n); err != nil || colon < 0 || colon+1+n > len(canonical) {
			return canonical
		}
		parts, canonical = append(parts, canonical[colon+1:colon+1+n]), canonical[colon+1+n:]
	}
	return strings.Join(parts, ", ")
}

// A MeasureError is a measure that could not be computed: the statement fails
// and changes nothing.
type MeasureError struct {
	View string
	Keys []string
	Err  error
}

func (e *MeasureError) Error() string {
	return fmt.Sprintf("a measure of %s failed for key %s: %v", e.View, strings.Join(e.Keys, "; "), e.Err)
}

func (e *MeasureError) Unwrap() error { return e.Err }

// SQLState is that of the failure.
func (e *MeasureError) SQLState() string {
	var coded interface{ SQLState() string }
	if errors.As(e.Err, &coded) {
		return coded.SQLState()
	}
	return "22000" // data_exception
}

// Detail names the keys that the commit touched, up to three.
func (e *MeasureError) Detail() string {
	return "Among the sessions of " + strings.Join(e.Keys, "; ") + "."
}

// Hint says what to do.
func (e *MeasureError) Hint() string {
	return "Correct the row, or write the measure so that it takes it: try_cast, or a sum of a wider type."
}
