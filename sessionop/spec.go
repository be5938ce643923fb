package sessionop

import (
	"fmt"
	"math"
)

// Unlimited means, as Spec.Lateness or Spec.MaxAhead, that there is no limit.
const Unlimited = math.MaxInt64

// A Spec says how events become sessions. It does not change during the life
// of a State. All lengths of time are in microseconds.
type Spec struct {
	// Gap is the greatest distance of two consecutive events of a session.
	Gap int64
	// Lateness is how far behind the view's watermark an event may be and
	// still change a session. Unlimited: nothing is ever too late, or final.
	Lateness int64
	// Delay is taken from a partition's latest event time to give its watermark.
	Delay int64
	// IdleTimeout is how long a partition may be quiet before a Tick makes it
	// idle; 0 is for ever.
	IdleTimeout int64
	// MaxAhead is how far ahead of Commit.Now an event may be; Unlimited is
	// the default of the contract.
	MaxAhead int64

	// Explicit leaves the watermarks to the marks. Otherwise they follow the
	// counted events, and marks may still move them forward.
	Explicit bool
	// ByID says that Event.Member is the hash of an id, which only one counted
	// event may have. Otherwise it is that of the event's values and its
	// ordinal among equals, and no event is ever a duplicate.
	ByID bool
	// UniqueIDs says that the source itself keeps ids unique: no index of them
	// is kept.
	UniqueIDs bool

	// Partitions are declared: they count from the start, silent or not.
	Partitions []string
	// Measures are carried; Event.Inputs and Acc slices follow their order.
	Measures []Measure
}

func (s *Spec) validate() error {
	for _, l := range []struct {
		name  string
		value int64
	}{
		{"Gap", s.Gap},
		{"Lateness", s.Lateness},
		{"Delay", s.Delay},
		{"IdleTimeout", s.IdleTimeout},
		{"MaxAhead", s.MaxAhead},
	} {
		if l.value < 0 {
			return fmt.Errorf("sessionop: Spec.%s is negative: %d", l.name, l.value)
		}
	}
	for i, m := range s.Measures {
		if m > lastMeasure {
			return fmt.Errorf("sessionop: Spec.Measures[%d] is unknown: %d", i, m)
		}
	}
	return nil
}

// keepsIDs says whether the state must know which ids are counted.
func (s *Spec) keepsIDs() bool { return s.ByID && !s.UniqueIDs }

// StateOf returns the state of a session that ends at end when the view's
// watermark is w. Both tests are strict, because an event exactly one gap
// after the end still joins.
func (s *Spec) StateOf(end int64, w Watermark) SessionState {
	switch reach := addTime(end, s.Gap); {
	case s.isFinal(end, w):
		return Final
	case w.Defined && w.Time > reach:
		return Closed
	default:
		return Open
	}
}

// Horizon returns watermark − lateness: the event time behind which an event
// is late. There is none while the watermark is undefined or the lateness
// unlimited.
func (s *Spec) Horizon(w Watermark) Watermark {
	if !w.Defined || s.Lateness == Unlimited {
		return Watermark{}
	}
	return Watermark{Time: subTime(w.Time, s.Lateness), Defined: true}
}

func (s *Spec) isFinal(end int64, w Watermark) bool {
	h := s.Horizon(w)
	return h.Defined && h.Time > addTime(end, s.Gap)
}

// addTime returns t + d, at most the greatest time; d is not negative.
func addTime(t, d int64) int64 {
	if sum := t + d; sum >= t {
		return sum
	}
	return math.MaxInt64
}

// subTime returns t − d, at least the least time; d is not negative.
func subTime(t, d int64) int64 {
	if diff := t - d; diff <= t {
		return diff
	}
	return math.MinInt64
}
