package sessionop

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Final sessions leave the state with the commit that makes them final, or with
// one soon after it. What can still touch them is rare: Missing says where such
// sessions may lie, and Restore brings them back, until the next commit lets
// them go again.

// leavers is how many sessions may leave with any commit, whatever it brings:
// the commits after one that moved the watermark far share the work.
const leavers = 256

// notDue is timeline.due where the timeline is not in the queue.
const notDue = math.MaxInt64

// A Reach is a stretch of one key's time.
type Reach struct {
	Key      string
	From, To int64
}

// Away returns the greatest end of a session that left; ok is false while none
// has.
func (s *State) Away() (end int64, ok bool) { return s.away.Time, s.away.Defined }

// Missing returns where sessions that c can touch may have left, ordered by key
// and time, no two of them overlapping. The caller must Restore every current
// session that is in one of them in part before it calls Touched and Plan with
// c. Nearly always there are none: only what is late, or goes, reaches so far
// back.
func (s *State) Missing(c *Commit) []Reach {
	if !s.away.Defined {
		return nil
	}
	var reaches []Reach
	last := addTime(s.away.Time, s.spec.Gap)
	for i := range c.Arrived {
		e := &c.Arrived[i]
		if e.Flags&(NoKey|NoTime) == 0 && e.Time <= last && s.mayMiss(e) && !s.repeats(e, c.Now) {
			reaches = append(reaches, s.reach(e))
		}
	}
	for i := range c.Removed {
		if e := &c.Removed[i]; e.Time <= s.away.Time && s.mayMiss(e) {
			reaches = append(reaches, s.reach(e))
		}
	}
	return joinReaches(reaches)
}

func (s *State) reach(e *Event) Reach {
	return Reach{Key: e.Key, From: subTime(e.Time, s.spec.Gap), To: addTime(e.Time, s.spec.Gap)}
}

// mayMiss says whether a session within the gap of the event may have left: not
// where one that is held starts no later and ends after all that left, since
// sessions lie more than the gap apart.
func (s *State) mayMiss(e *Event) bool {
	line := s.keys.find(e.Key)
	if line == nil || s.away.Time == math.MaxInt64 {
		return true
	}
	at := line.seek(cursor{}, s.away.Time+1)
	return !line.valid(at) || line.session(at).start > e.Time
}

// repeats says whether an event that arrives at the time now is the duplicate of
// a counted row: it touches nothing. If that row goes, this reaches as far.
func (s *State) repeats(e *Event, now int64) bool {
	if !s.spec.keepsIDs() || s.spec.flaw(e, now) != NoReason {
		return false
	}
	values, counted := s.ids.get(e.Member)
	return counted && values == e.Values
}

// joinReaches orders reaches, and makes one of those that overlap.
func joinReaches(reaches []Reach) []Reach {
	slices.SortFunc(reaches, func(a, b Reach) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.From, b.From))
	})
	joined := reaches[:0]
	for _, r := range reaches {
		if n := len(joined); n > 0 && joined[n-1].Key == r.Key && joined[n-1].To >= r.From {
			joined[n-1].To = max(joined[n-1].To, r.To)
		} else {
			joined = append(joined, r)
		}
	}
	return joined
}

// Restore brings a session back that left, until it leaves again: its arguments
// are those of LoadSession. One that is held already stays as it is.
func (s *State) Restore(key string, id Hash, start, end, count, seq, revision, publishedCommit int64, accs []Acc) error {
	if line := s.keys.find(key); line != nil {
		if at := line.seek(cursor{}, end); line.valid(at) && line.session(at).seq == seq {
			return nil
		}
	}
	s.restored++
	return s.LoadSession(key, id, start, end, count, seq, revision, publishedCommit, accs)
}

// Reopened returns the ends between which sessions may have left that are final
// no more, because a Reset moved the watermark back. They would be missed
// again and again: the caller should Restore them all, and then call Reopen.
func (s *State) Reopened() (from, to int64, ok bool) {
	if !s.away.Defined || s.spec.isFinal(s.away.Time, s.clocks.view) {
		return 0, 0, false
	}
	return s.LeastLive(), s.away.Time, true
}

// Reopen notes that every session that is not final is held.
func (s *State) Reopen() {
	if from, _, ok := s.Reopened(); ok {
		s.away = Watermark{Time: subTime(from, 1), Defined: from > math.MinInt64}
	}
}

// LeastLive is the least end of a session that is not final by the watermark.
func (s *State) LeastLive() int64 {
	h := s.spec.Horizon(s.clocks.view)
	if !h.Defined {
		return math.MinInt64
	}
	return subTime(h.Time, s.spec.Gap)
}

// leave lets go of final sessions, the earliest first: of those that came back
// for the commit, and of as many more than it published as leavers says.
func (s *State) leave(published int) {
	quota := s.leavers + 2*published + s.restored
	s.restored = 0
	h := s.spec.Horizon(s.clocks.view)
	if !h.Defined {
		return
	}
	for quota > 0 {
		d, ok := s.queue.first()
		if !ok || !s.spec.isFinal(d.end, s.clocks.view) {
			return
		}
		s.queue.pop()
		quota -= max(1, s.leaveLine(d, quota))
	}
}

// leaveLine lets go of the final sessions of a timeline that is due, at most n,
// and returns how many.
func (s *State) leaveLine(d due, n int) int {
	line := s.keys.line(d.number)
	if line.due != d.end || line.blocks() == 0 {
		return 0
	}
	line.due = notDue
	s.noteLeaving(line, n)
	left, end := line.leave(n, len(s.spec.Measures), func(end int64) bool { return s.spec.isFinal(end, s.clocks.view) })
	if left > 0 {
		s.held -= left
		if !s.away.Defined || end > s.away.Time {
			s.away = Watermark{Time: end, Defined: true}
		}
	}
	if line.blocks() == 0 {
		s.keys.drop(line.key)
	} else {
		s.enqueue(line, d.number)
	}
	return left
}

// repack moves the timelines together once most of those that there were at some
// time are unused: memory follows the keys that there are.
func (s *State) repack() {
	if len(s.keys.free) <= 3*len(s.keys.numbers)+pageSize {
		return
	}
	packed := newTimelines()
	for line := range s.keys.all() {
		if line.blocks() > 0 {
			*packed.line(packed.add(line.key, line.hash)) = *line
		}
	}
	s.keys = packed
	s.requeue()
}

// enqueue notes when the first session of a timeline is final, unless that is
// noted already, or an earlier time is.
func (s *State) enqueue(line *timeline, number int32) {
	end := line.head.sessions[0].end
	if s.spec.Lateness == Unlimited || end >= line.due {
		return
	}
	line.due = end
	s.queue.push(due{end: end, number: number})
	if len(s.queue.entries) > 2*len(s.keys.numbers)+leavers {
		s.requeue()
	}
}

// requeue rids the queue of the entries that nothing refers to any more.
func (s *State) requeue() {
	s.queue = dueQueue{}
	for _, number := range s.keys.numbers {
		if line := s.keys.line(number); line.due != notDue {
			s.queue.push(due{end: line.due, number: number})
		}
	}
}
