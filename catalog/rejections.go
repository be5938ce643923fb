package catalog

import (
	"context"
	"fmt"
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
	for _, r := range p.resolved {
		table := p.view.rejectedTable()
		_, err := t.conn.Exec(ctx, "UPDATE "+table+" SET resolved_commit = ?, resolution = ? WHERE rowid IN (SELECT rowid FROM "+table+
			" WHERE resolved_commit IS NULL AND rejected_commit < ? AND member_lo = CAST(? AS UBIGINT) AND row_values = CAST(? AS UBIGINT) LIMIT ?)",
			t.number, r.what, t.number, fmt.Sprint(r.row.member.Hi), fmt.Sprint(r.row.values), r.n)
		if err != nil {
			return err
		}
	}
	return nil
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
	from = append(from[:last], "make_timestamptz(CAST(? AS BIGINT))", fmt.Sprintf("f.c%d", last), "?", "?", "NULL", "NULL")
	_, err = t.conn.Exec(ctx, "INSERT INTO "+p.view.rejectedTable()+" SELECT "+strings.Join(from, ", ")+" FROM "+feed.SQL()+" AS f",
		optionalMicros(p.delta.Before), t.number, TimestampTZ(t.now.UnixMicro()))
	return err
}

func (p *publication) appendRejection(rows *ColumnSet, proj *projection, cols []ContractColumn, i int) {
	e, member := &p.commit.Arrived[i], p.commit.Arrived[i].Member
	if len(p.view.Contract.IDs) == 0 {
		member = valuesIdentity(p.rows, i)
	}
	rows.AppendUint64(0, member.Hi)
	rows.AppendUint64(1, member.Lo)
	rows.AppendUint64(2, e.Values)
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

// notices are the warnings that come with the commit: one line, with the
// counts per reason.
func (p *publication) notices() []Notice {
	if len(p.rejections) == 0 {
		return nil
	}
	total, reasons := 0, make([]string, 0, len(p.rejections))
	for reason, n := range p.rejections {
		total += n
		reasons = append(reasons, fmt.Sprintf("%d %s", n, reason))
	}
	sort.Strings(reasons)
	name := p.view.Name.Name
	return []Notice{{
		Message: fmt.Sprintf("%s rejected %d of the events (%s): they are in the table, count in no session, and are listed in %s_rejected", name, total, strings.Join(reasons, ", "), name),
		Hint:    fmt.Sprintf("SELECT * FROM sessiondb.replay('%s') takes up those that came too late.", name),
	}}
}

// measureError says which key's measure failed.
func (p *publication) measureError(err error) error {
	keys := make([]string, 0, 4)
	seen := map[string]bool{}
	for i := range p.delta.Published {
		k := p.delta.Published[i].Key
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
	return &MeasureError{View: p.view.Name.Name, Keys: keys, Err: err}
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

// Hint says what to do.
func (e *MeasureError) Hint() string {
	return "Correct the row, or write the measure so that it takes it: try_cast, or a sum of a wider type."
}
