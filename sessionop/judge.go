package sessionop

import (
	"cmp"
	"slices"
	"strings"
)

// rowState is how far the judgment of a row that arrived has come.
type rowState uint8

const (
	rowOut       rowState = iota // a duplicate, or rejected
	rowWaits                     // behind another row of its id
	rowLate                      // counts unless it turns out too late
	rowStands                    // counts
	rowUnchanged                 // counts, and is the same as a row that was removed
)

// stands says whether the row is a member that its session did not have.
func (s rowState) stands() bool { return s == rowLate || s == rowStands }

// judge decides every row that arrived. The rows of one id stand in a queue,
// of which the first is judged; a rejected event takes no id, so then the next
// one is. Whatever is decided depends on the state before the commit and on
// the set of rows, never on their order.
func (p *planner) judge() error {
	p.enter()
	p.queue()
	for i := range p.rows {
		if p.rows[i] == rowStands {
			p.nominate(int32(i))
		}
	}
	p.group()
	for slices.Contains(p.rows, rowLate) {
		out, err := p.tooLate()
		if err != nil {
			return err
		}
		if len(out) == 0 {
			break
		}
		for _, row := range out {
			p.reject(row, ReasonTooLate)
			p.nominate(p.following(row))
		}
	}
	p.settle()
	return nil
}

// enter turns away what no other row of the commit can help.
func (p *planner) enter() {
	for i := range p.c.Arrived {
		e, row := &p.c.Arrived[i], int32(i)
		if reason := p.s.spec.flaw(e, p.c.Now); reason != NoReason {
			p.reject(row, reason)
			continue
		}
		if values, ok := p.counted(e.Member); ok {
			p.repeat(row, values == e.Values)
			continue
		}
		p.rows[i] = rowStands
	}
}

// flaw tests what a row holds that arrives at the time now.
func (s *Spec) flaw(e *Event, now int64) Reason {
	switch {
	case s.ByID && e.Flags&NoID != 0:
		return ReasonNoID
	case e.Flags&NoKey != 0:
		return ReasonNoKey
	case e.Flags&NoTime != 0:
		return ReasonNoTime
	case s.MaxAhead != Unlimited && e.Time > addTime(now, s.MaxAhead):
		return ReasonAhead
	default:
		return NoReason
	}
}

// counted returns the values of the counted row that has the id and stays.
func (p *planner) counted(member Hash) (values uint64, ok bool) {
	if !p.s.spec.keepsIDs() {
		return 0, false
	}
	if _, gone := p.gone[member]; gone {
		return 0, false
	}
	return p.s.ids.get(member)
}

// queue puts the rows of each id in a queue. All but the first wait.
func (p *planner) queue() {
	if !p.s.spec.keepsIDs() || len(p.rows) < 2 {
		return
	}
	for _, rows := range p.sameID() {
		if p.next == nil {
			p.next = slices.Repeat([]int32{-1}, len(p.rows))
		}
		slices.SortFunc(rows, p.compareRows)
		for i, row := range rows[1:] {
			p.rows[row] = rowWaits
			p.next[rows[i]] = row
		}
	}
}

// sameID returns the rows of each id that more than one row brings. It looks
// ids up in a table of row numbers: those that are alone, nearly all, cost no
// more than a probe.
func (p *planner) sameID() [][]int32 {
	size := 4
	for size < 2*len(p.rows) {
		size *= 2
	}
	table := make([]int32, size) // row + 1; 0 is empty
	shared := map[int32][]int32{}
	var order []int32
	for i := range p.rows {
		if p.rows[i] != rowStands {
			continue
		}
		row := int32(i)
		first := p.probe(table, row)
		if first == row {
			continue
		}
		if len(shared[first]) == 0 {
			shared[first] = []int32{first}
			order = append(order, first)
		}
		shared[first] = append(shared[first], row)
	}
	groups := make([][]int32, len(order))
	for i, first := range order {
		groups[i] = shared[first]
	}
	return groups
}

// probe returns the first row in the table with row's id: row itself, which it
// puts there, if there was none.
func (p *planner) probe(table []int32, row int32) int32 {
	mask := uint64(len(table) - 1)
	member := p.c.Arrived[row].Member
	for i := member.Lo & mask; ; i = (i + 1) & mask {
		if table[i] == 0 {
			table[i] = row + 1
			return row
		}
		if first := table[i] - 1; p.c.Arrived[first].Member == member {
			return first
		}
	}
}

// compareRows orders the rows of one id: a row that counted already goes
// first, then the earliest.
func (p *planner) compareRows(i, j int32) int {
	a, b := &p.c.Arrived[i], &p.c.Arrived[j]
	if a.Exempt != b.Exempt {
		if a.Exempt {
			return -1
		}
		return 1
	}
	if p.c.Compare != nil {
		if c := p.c.Compare(int(i), int(j)); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	}
	return cmp.Or(compareTime(a.Time, b.Time), strings.Compare(a.Key, b.Key), cmp.Compare(a.Values, b.Values), cmp.Compare(i, j))
}

func compareTime(a, b int64) int { return cmp.Compare(a, b) }

func (p *planner) following(row int32) int32 {
	if p.next == nil {
		return -1
	}
	return p.next[row]
}

// nominate lets the first row of a queue stand that reaches no final session.
func (p *planner) nominate(row int32) {
	for ; row >= 0; row = p.following(row) {
		e := &p.c.Arrived[row]
		switch {
		case !p.horizon.Defined || e.Exempt || e.Time >= p.horizon.Time:
			p.rows[row] = rowStands
			return
		case p.reachesFinal(e):
			p.reject(row, ReasonFinal)
		default:
			p.rows[row] = rowLate
			return
		}
	}
}

// reachesFinal says whether a late event is within the gap of a final session,
// as the last commit left it. Of two sessions in reach the earlier is final if
// any is.
func (p *planner) reachesFinal(e *Event) bool {
	line := p.s.keys.find(e.Key)
	if line == nil {
		return false
	}
	at := line.seek(cursor{}, subTime(e.Time, p.gap))
	if !line.valid(at) {
		return false
	}
	s := line.session(at)
	return s.start <= addTime(e.Time, p.gap) && p.horizon.Time > addTime(s.end, p.gap)
}

// tooLate returns the late rows that end up in a session of late rows only.
func (p *planner) tooLate() ([]int32, error) {
	var out []int32
	for i := range p.runs {
		if !slices.ContainsFunc(p.runs[i].points, p.isLate) {
			continue
		}
		r, err := p.begin(&p.runs[i])
		if err != nil {
			return nil, err
		}
		for _, c := range p.chain(r.line, p.live(&r), r.broken) {
			if len(c.absorbed) == 0 && p.allLate(c.points) {
				for _, pt := range c.points {
					out = append(out, pt.row)
				}
			}
		}
	}
	return out, nil
}

func (p *planner) isLate(pt point) bool { return pt.from == arrived && p.rows[pt.row] == rowLate }

func (p *planner) allLate(points []point) bool {
	return !slices.ContainsFunc(points, func(pt point) bool { return !p.isLate(pt) })
}

// settle judges the rows that waited behind one that counts.
func (p *planner) settle() {
	if p.next == nil {
		return
	}
	for i := range p.rows {
		if !p.rows[i].stands() {
			continue
		}
		for row := p.next[i]; row >= 0; row = p.next[row] {
			p.repeat(row, p.c.Arrived[row].Values == p.c.Arrived[i].Values)
		}
	}
}

// repeat turns away the row of an id that is counted.
func (p *planner) repeat(row int32, same bool) {
	if !same {
		p.reject(row, ReasonConflict)
		return
	}
	p.rows[row] = rowOut
	p.d.Verdicts[row].Outcome = Duplicate
}

func (p *planner) reject(row int32, reason Reason) {
	p.rows[row] = rowOut
	v := &p.d.Verdicts[row]
	v.Outcome, v.Reason = Rejected, reason
	e := &p.c.Arrived[row]
	if e.Flags&(NoKey|NoTime) != 0 {
		return
	}
	line := p.s.keys.find(e.Key)
	if line == nil {
		return
	}
	for _, at := range line.within(e.Time, p.s.spec.Gap) {
		v.Sessions = append(v.Sessions, line.session(at).id)
	}
}
