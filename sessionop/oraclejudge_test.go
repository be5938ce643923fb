package sessionop

import (
	"cmp"
	"maps"
	"slices"
)

// The oracle's judgment goes round until nothing changes: the first row of each
// id is tested against the sessions as the last commit left them; who fails is
// out, and the next row of the id is the first.

// horizon is the time before which an event is late.
func (o *oracle) horizon(c *Commit) (int64, bool) {
	if !o.view.Defined || o.spec.Lateness == Unlimited || c.Replay {
		return 0, false
	}
	return o.view.Time - o.spec.Lateness, true
}

func (o *oracle) judge(c *Commit) []Verdict {
	t := &trial{
		oracle: o, c: c, ids: o.spec.ByID && !o.spec.UniqueIDs,
		verdicts: make([]Verdict, len(c.Arrived)), out: make([]bool, len(c.Arrived)), stay: maps.Clone(o.counted),
	}
	for _, e := range c.Removed {
		delete(t.stay, e.Member)
	}
	for i, e := range c.Arrived {
		if r := o.flaw(c, e); r != NoReason {
			t.reject(i, r)
		} else if of, ok := t.stay[e.Member]; ok && t.ids {
			t.repeat(i, of)
		}
	}
	for t.round() {
		continue
	}
	for _, i := range t.firsts() {
		for j, e := range c.Arrived {
			if t.ids && j != i && !t.out[j] && e.Member == c.Arrived[i].Member {
				t.repeat(j, c.Arrived[i])
			}
		}
	}
	return t.verdicts
}

// trial is the judgment of one commit.
type trial struct {
	*oracle
	c        *Commit
	ids      bool
	verdicts []Verdict
	out      []bool
	stay     map[Hash]Event // counted and not removed
}

func (t *trial) reject(i int, r Reason) {
	t.out[i] = true
	t.verdicts[i] = Verdict{Outcome: Rejected, Reason: r, Sessions: t.touched(t.c.Arrived[i])}
}

func (t *trial) repeat(i int, of Event) {
	e := t.c.Arrived[i]
	if e.Key != of.Key || e.Time != of.Time || e.Values != of.Values {
		t.reject(i, ReasonConflict)
		return
	}
	t.out[i] = true
	t.verdicts[i].Outcome = Duplicate
}

// round rejects those of the first rows that cannot count, if there are any.
func (t *trial) round() (again bool) {
	for _, i := range t.firsts() {
		if e := t.c.Arrived[i]; t.isLate(t.c, e) && t.reachesFinal(e) {
			t.reject(i, ReasonFinal)
			again = true
		}
	}
	if again {
		return true
	}
	for _, i := range t.tooLate(t.firsts()) {
		t.reject(i, ReasonTooLate)
		again = true
	}
	return again
}

func (o *oracle) flaw(c *Commit, e Event) Reason {
	switch {
	case e.Flags&NoID != 0 && o.spec.ByID:
		return ReasonNoID
	case e.Flags&NoKey != 0:
		return ReasonNoKey
	case e.Flags&NoTime != 0:
		return ReasonNoTime
	case o.spec.MaxAhead != Unlimited && e.Time-c.Now > o.spec.MaxAhead:
		return ReasonAhead
	}
	return NoReason
}

// firsts returns, for each id, the row that counts unless it is rejected.
func (t *trial) firsts() []int {
	var firsts []int
	for i := range t.c.Arrived {
		beaten := t.out[i]
		for j := range t.c.Arrived {
			beaten = beaten || t.ids && !t.out[j] && t.goesFirst(j, i)
		}
		if !beaten {
			firsts = append(firsts, i)
		}
	}
	return firsts
}

// goesFirst says whether rows i and j are of one id, and i is judged first.
func (t *trial) goesFirst(i, j int) bool {
	a, b := t.c.Arrived[i], t.c.Arrived[j]
	switch {
	case i == j || a.Member != b.Member:
		return false
	case a.Exempt != b.Exempt:
		return a.Exempt
	default:
		return cmp.Or(t.c.Compare(i, j), i-j) < 0
	}
}

func (o *oracle) isLate(c *Commit, e Event) bool {
	h, ok := o.horizon(c)
	return ok && !e.Exempt && e.Time < h
}

func (o *oracle) reachesFinal(e Event) bool {
	for _, s := range o.sessions {
		if s.reaches(e, o.spec.Gap) && o.stateOf(s.end) == Final {
			return true
		}
	}
	return false
}

func (s *oracleSession) reaches(e Event, gap int64) bool {
	for _, m := range s.members {
		if near(m, e.Key, e.Time, gap) {
			return true
		}
	}
	return false
}

// tooLate returns the rows whose session would consist of late rows alone.
func (t *trial) tooLate(first []int) []int {
	events := slices.Collect(maps.Values(t.stay))
	late := map[Hash]int{}
	for _, i := range first {
		events = append(events, t.c.Arrived[i])
		if t.isLate(t.c, t.c.Arrived[i]) {
			late[t.c.Arrived[i].Member] = i
		}
	}
	var rows []int
	for _, s := range connect(t.spec.Gap, events) {
		var of []int
		for h := range s.members {
			if i, ok := late[h]; ok {
				of = append(of, i)
			}
		}
		if len(of) == len(s.members) {
			rows = append(rows, of...)
		}
	}
	return rows
}

func (o *oracle) touched(e Event) []Hash {
	if e.Flags&(NoKey|NoTime) != 0 {
		return nil
	}
	var ids []Hash
	for _, s := range o.sessions {
		if s.reaches(e, o.spec.Gap) {
			ids = append(ids, s.id())
		}
	}
	return ids
}
