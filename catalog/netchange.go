package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// netChange turns what statements did to a source into the commit that the
// operator judges. A row that arrived and went again is nothing; a row that
// went is a counted one, a duplicate or a rejected one, and when a counted row
// goes without an equal staying, the other rows of its id are judged anew.
//
// The rows of the publication stand in the order of commit.Arrived, then the
// removed, then the members.
type netChange struct {
	tx     *WriteTx
	vt     *viewTx
	p      *publication
	commit *sessionop.Commit

	rejudged map[int]bool             // arrivals that stood rejected before
	reasons  map[rowKey][]string      // of the lines that stand, the oldest first
	before   map[int]string           // the reasons of the rejudged
	resolved []resolution             // rejected rows that stand no more
	arrivals int                      // rows that the transaction brought
	gone     int                      // rows that the transaction took away
	lostDups int64                    // of these, duplicates
	lost     map[sessionop.Hash]int64 // of these, equals that counted, by their values
}

// resolution ends the standing of n equal rejected rows.
type resolution struct {
	row  rowKey
	n    int
	what string
}

// collect fills commit.Arrived and commit.Removed.
func (n *netChange) collect(ctx context.Context) error {
	if n.vt.replayed != nil {
		n.collectReplay(n.vt.replayed)
		return nil
	}
	arrived, removed := n.live()
	n.arrivals, n.gone = len(arrived), len(removed)
	n.takeArrived(arrived, len(removed) > 0)
	counted, err := n.resolve(ctx, removed)
	if err != nil {
		return err
	}
	n.exempt(arrived, counted)
	n.numberEquals(len(arrived))
	return nil
}

// live are the rows that arrived and went, after those that cancel out.
func (n *netChange) live() (arrived, removed []int) {
	vt := n.vt
	back := map[rowKey]int{}
	for i := range vt.removed.events {
		if !vt.goneRemoved[i] {
			back[vt.removed.key(i)]++
		}
	}
	cancelled := map[rowKey]int{}
	for i := range vt.arrived.events {
		if vt.goneArrived[i] {
			continue
		}
		if len(back) > 0 {
			if k := vt.arrived.key(i); back[k] > 0 {
				back[k]--
				cancelled[k]++
				continue
			}
		}
		arrived = append(arrived, i)
	}
	for i := range vt.removed.events {
		if vt.goneRemoved[i] {
			continue
		}
		if k := vt.removed.key(i); cancelled[k] > 0 {
			cancelled[k]--
			continue
		}
		removed = append(removed, i)
	}
	return arrived, removed
}

// takeArrived makes the rows the first of the publication's. Where nothing
// else will be added to them they are shared, not copied.
func (n *netChange) takeArrived(arrived []int, more bool) {
	src, dst := n.vt.arrived, n.p.rows
	if !more && len(arrived) == len(src.events) {
		dst.typed, dst.texts = src.typed, src.texts
		dst.events = append([]sessionop.Event(nil), src.events...)
	} else {
		for _, i := range arrived {
			dst.appendRow(src, i)
		}
	}
	n.commit.Arrived = dst.events
}

func (r *eventRows) appendRow(src *eventRows, i int) {
	for col := range r.types {
		r.typed.AppendFrom(col, src.typed, col, i)
	}
	r.events = append(r.events, src.events[i])
	if len(src.texts) > 0 {
		r.texts = append(r.texts, src.texts[i])
	}
}

// resolve finds out what the removed rows were, and returns which of them
// counted. It must follow takeArrived.
func (n *netChange) resolve(ctx context.Context, removed []int) (map[int]bool, error) {
	counted := map[int]bool{}
	if len(removed) == 0 {
		return counted, nil
	}
	rejected, err := n.standingRejected(ctx)
	if err != nil {
		return nil, err
	}
	switch c := n.p.view.Contract; {
	case len(c.IDs) == 0:
		n.resolveEquals(removed, counted)
	case c.UniqueIDs:
		n.resolveUnique(removed, rejected, counted)
	default:
		if err := n.resolveIDs(ctx, removed, rejected, counted); err != nil {
			return nil, err
		}
	}
	for _, i := range removed {
		if counted[i] {
			n.p.rows.appendRow(n.vt.removed, i)
			n.commit.Removed = append(n.commit.Removed, n.vt.removed.events[i])
		}
	}
	return counted, nil
}

// resolveEquals: without an id, equal rows are numbered, and the last goes.
func (n *netChange) resolveEquals(removed []int, counted map[int]bool) {
	v := n.p.view
	for _, i := range removed {
		e := &n.vt.removed.events[i]
		h := valuesIdentity(n.vt.removed, i)
		left, touched := n.p.ordinals[h]
		if !touched {
			left = v.ordinals[h]
		}
		if e.Flags != 0 || left == 0 {
			n.withdraw(n.vt.removed.key(i))
			continue
		}
		e.Member = ordinalHash(n.vt.removed.texts[i], left)
		n.lost[h]++
		n.p.ordinals[h] = left - 1
		counted[i] = true
	}
}

// valuesIdentity is the identity that equal rows share where there is no id.
func valuesIdentity(r *eventRows, i int) sessionop.Hash {
	return sessionop.HashBytes([]byte(r.texts[i]))
}

func (n *netChange) resolveUnique(removed []int, rejected map[rowKey]int, counted map[int]bool) {
	for _, i := range removed {
		k := n.vt.removed.key(i)
		if rejected[k] > 0 {
			rejected[k]--
			n.withdraw(k)
			continue
		}
		counted[i] = true
	}
}

// resolveIDs: of the rows of one id one counts, those equal to it are
// duplicates, and the others stand rejected.
func (n *netChange) resolveIDs(ctx context.Context, removed []int, rejected map[rowKey]int, counted map[int]bool) error {
	rest, remaining := newEventRows(n.vt.arrived.types), map[rowKey]int{}
	if n.p.counters.duplicates+n.p.counters.rejected > 0 {
		var err error
		if rest, err = n.rowsOfIDs(ctx, removed); err != nil {
			return err
		}
		for i := range rest.events {
			remaining[rest.key(i)]++
		}
		for i := range n.commit.Arrived {
			remaining[rowKey{n.commit.Arrived[i].Member, n.commit.Arrived[i].Values}]--
		}
	}
	dups := n.duplicatesOf(removed, remaining, rejected)
	freed := map[sessionop.Hash]bool{}
	for _, i := range removed {
		k := n.vt.removed.key(i)
		switch {
		case !n.counts(i) || freed[k.member] && dups[k] == 0:
			n.withdraw(k)
		case dups[k] > 0:
			dups[k]--
			n.lostDups++
		default:
			freed[k.member], counted[i] = true, true
		}
	}
	n.judgeAnew(rest, remaining, freed)
	return nil
}

// counts says whether removed row i equals the one that counts of its id.
func (n *netChange) counts(i int) bool {
	e := &n.vt.removed.events[i]
	values, ok := n.p.view.state.CountedID(e.Member)
	return ok && values == e.Values && e.Flags == 0
}

// duplicatesOf counts, for the rows that went and equal a counted one, how
// many duplicates of it there were: all that do not stand rejected but one.
func (n *netChange) duplicatesOf(removed []int, remaining, rejected map[rowKey]int) map[rowKey]int {
	dups := map[rowKey]int{}
	for _, i := range removed {
		if !n.counts(i) {
			continue
		}
		k := n.vt.removed.key(i)
		if _, seen := dups[k]; !seen {
			dups[k] = remaining[k] - rejected[k] - 1
		}
		dups[k]++
	}
	return dups
}

// judgeAnew lets the rows that are left of freed ids arrive again.
func (n *netChange) judgeAnew(rest *eventRows, remaining map[rowKey]int, freed map[sessionop.Hash]bool) {
	n.rejudged, n.before = map[int]bool{}, map[int]string{}
	for i := range rest.events {
		k := rest.key(i)
		if !freed[k.member] || remaining[k] <= 0 {
			continue
		}
		remaining[k]--
		at := len(n.p.rows.events)
		n.rejudged[at] = true
		if reasons := n.reasons[k]; len(reasons) > 0 {
			n.before[at], n.reasons[k] = reasons[0], reasons[1:]
		}
		n.p.rows.appendRow(rest, i)
		n.commit.Arrived = append(n.commit.Arrived, rest.events[i])
	}
}

func (n *netChange) withdraw(k rowKey) {
	n.resolved = append(n.resolved, resolution{row: k, n: 1, what: "withdrawn"})
}

// standingRejected counts the rejected rows that stand, by identity and
// values; only the low half of the identity is stored and returned.
func (n *netChange) standingRejected(ctx context.Context) (map[rowKey]int, error) {
	out := map[rowKey]int{}
	if n.p.counters.rejected == 0 {
		return out, nil
	}
	rows, err := n.tx.conn.Query(ctx, "SELECT member_lo, member_hi, row_values, reason FROM "+n.p.view.rejectedTable()+" WHERE resolved_commit IS NULL ORDER BY rowid")
	if err != nil {
		return nil, err
	}
	n.reasons = map[rowKey][]string{}
	err = eachRow(ctx, rows, func(c *Chunk, i int) error {
		k := rowKey{sessionop.Hash{Hi: c.Col(0).Uint64s()[i], Lo: c.Col(1).Uint64s()[i]}, c.Col(2).Uint64s()[i]}
		out[k]++
		n.reasons[k] = append(n.reasons[k], strings.Clone(c.Col(3).Strings()[i]))
		return nil
	})
	return out, err
}

// rowsOfIDs reads the rows of the source whose id is that of a removed row.
func (n *netChange) rowsOfIDs(ctx context.Context, removed []int) (*eventRows, error) {
	c := n.p.view.Contract
	return n.sourceRows(ctx, sourceQuery{columns: c.IDs, fill: func(feed *ColumnSet) {
		for _, i := range removed {
			for col, id := range c.IDs {
				feed.AppendFrom(col, n.vt.removed.typed, n.vt.proj.typedIndex(id), i)
			}
		}
	}})
}

// members reads the members of the sessions that lose one, as they were before
// this commit and without those that go.
func (n *netChange) members(ctx context.Context, refs []sessionop.SessionRef) ([]sessionop.Event, error) {
	v := n.p.view
	row := n.rowsOfKeys()
	rejected, err := n.standingRejected(ctx)
	if err != nil {
		return nil, err
	}
	spans := spansOf(keysOf(refs, func(r *sessionop.SessionRef) string { return r.Key }))
	q := sourceQuery{columns: v.Contract.Keys, bounded: true, ranges: true, spans: spans, lo: refs[0].Start, hi: refs[0].End}
	for _, r := range refs {
		if err := v.released(r.Commit, r.End); err != nil {
			return nil, err
		}
		q.lo, q.hi = min(q.lo, r.Start), max(q.hi, r.End)
	}
	q.fill = func(feed *ColumnSet) {
		for _, r := range refs {
			for col, k := range v.Contract.Keys {
				feed.AppendFrom(col, n.p.rows.typed, n.vt.proj.typedIndex(k), row[r.Key])
			}
			feed.AppendInt64(len(v.Contract.Keys), r.Start)
			feed.AppendInt64(len(v.Contract.Keys)+1, r.End)
		}
	}
	found, err := n.sourceRows(ctx, q)
	if err != nil {
		return nil, err
	}
	first := len(n.p.rows.events)
	n.keepMembers(found, rejected)
	return n.p.rows.events[first:], nil
}

// keepMembers adds those of the rows found that counted before.
func (n *netChange) keepMembers(found *eventRows, rejected map[rowKey]int) {
	v := n.p.view
	taken := map[sessionop.Hash]bool{}
	for i := range n.commit.Removed {
		taken[n.commit.Removed[i].Member] = true
	}
	byID := len(v.Contract.IDs) > 0
	if byID && v.Contract.UniqueIDs {
		for i := range n.commit.Arrived {
			taken[n.commit.Arrived[i].Member] = true
		}
	}
	for i := range found.events {
		e := &found.events[i]
		switch {
		case e.Flags != 0:
		case !byID:
			n.keepEquals(found, i, taken)
		case taken[e.Member]:
		case v.Contract.UniqueIDs && rejected[found.key(i)] > 0:
		default:
			if values, ok := v.state.CountedID(e.Member); v.Contract.UniqueIDs || ok && values == e.Values {
				taken[e.Member] = true
				n.p.rows.appendRow(found, i)
			}
		}
	}
}

// keepEquals adds, for the first of some equal rows, as many as still count.
func (n *netChange) keepEquals(found *eventRows, i int, taken map[sessionop.Hash]bool) {
	h := valuesIdentity(found, i)
	if taken[h] {
		return
	}
	taken[h] = true
	left := n.p.view.ordinals[h] - n.lost[h]
	for ordinal := int64(1); ordinal <= left; ordinal++ {
		n.p.rows.appendRow(found, i)
		n.p.rows.events[len(n.p.rows.events)-1].Member = ordinalHash(found.texts[i], ordinal)
	}
}

// exempt marks the new versions of counted rows.
func (n *netChange) exempt(arrived []int, counted map[int]bool) {
	for at, i := range arrived {
		if old, ok := n.vt.replaces[i]; ok && counted[old] {
			n.commit.Arrived[at].Exempt = true
		}
	}
}

// numberEquals gives rows without an id their number among equals.
func (n *netChange) numberEquals(arrived int) {
	if len(n.p.view.Contract.IDs) > 0 {
		return
	}
	for i := range arrived {
		h := valuesIdentity(n.p.rows, i)
		next, touched := n.p.ordinals[h]
		if !touched {
			next = n.p.view.ordinals[h]
		}
		next++
		n.p.ordinals[h] = next
		n.commit.Arrived[i].Member = ordinalHash(n.p.rows.texts[i], next)
	}
}

// compare orders two arrivals by time, key and values.
func (n *netChange) compare(i, j int) int {
	a, b := &n.commit.Arrived[i], &n.commit.Arrived[j]
	if d := cmp.Compare(a.Time, b.Time); d != 0 {
		return d
	}
	for _, col := range slices.Concat(n.p.view.Contract.Keys, n.p.view.Contract.valueColumns()) {
		if d := n.p.rows.typed.Compare(n.vt.proj.typedIndex(col), i, j); d != 0 {
			return d
		}
	}
	return 0
}

// tally keeps the conservation law, received = counted + duplicates +
// rejected, and the fingerprint of the source.
func (n *netChange) tally() {
	k := &n.p.counters
	k.received += int64(n.arrivals - n.gone)
	k.counted -= int64(len(n.commit.Removed))
	k.duplicates -= n.lostDups
	for _, r := range n.resolved {
		k.rejected -= int64(r.n)
	}
	for i, v := range n.p.delta.Verdicts {
		n.tallyVerdict(i, v)
	}
	for i := range n.arrivals {
		k.hash += n.commit.Arrived[i].Values
	}
	n.subtractGone()
	n.p.resolved, n.p.rejudged = n.resolved, n.rejudged
}

func (n *netChange) tallyVerdict(i int, v sessionop.Verdict) {
	k := &n.p.counters
	if v.Outcome == sessionop.Rejected && len(n.p.view.Contract.IDs) == 0 {
		n.p.ordinals[valuesIdentity(n.p.rows, i)]--
	}
	if n.rejudged[i] {
		if v.Outcome == sessionop.Rejected && (n.commit.Replay || n.before[i] == v.Reason.String()) {
			return // the line stands as it is
		}
		k.rejected--
		n.resolved = append(n.resolved, resolution{row: n.p.identity(i), n: 1, what: n.acceptance(v)})
	}
	switch v.Outcome {
	case sessionop.Counted:
		k.counted++
	case sessionop.Duplicate:
		k.duplicates++
	case sessionop.Rejected:
		delete(n.rejudged, i)
		k.rejected++
		n.p.rejections[v.Reason.String()]++
	}
}

// acceptance is the status of a line that stands no more.
func (n *netChange) acceptance(v sessionop.Verdict) string {
	switch {
	case v.Outcome == sessionop.Rejected:
		return "judged anew" // for another reason, in a line of its own
	case v.Outcome == sessionop.Duplicate:
		return "duplicate"
	case n.commit.Replay:
		return "replayed"
	default:
		return "counted"
	}
}

// identity recognises arrival i as a line of the rejected would.
func (p *publication) identity(i int) rowKey {
	e := &p.commit.Arrived[i]
	if len(p.view.Contract.IDs) == 0 {
		return rowKey{valuesIdentity(p.rows, i), e.Values}
	}
	return rowKey{e.Member, e.Values}
}

// subtractGone takes the removed rows out of the fingerprint.
func (n *netChange) subtractGone() {
	_, removed := n.live()
	for _, i := range removed {
		n.p.counters.hash -= n.vt.removed.events[i].Values
	}
}
