package sessionop

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// current lists what a reader sees of the current sessions, without the
// history that led to them.
func current(s *State) []string {
	var sessions []string
	for at := range s.All() {
		sessions = append(sessions, fmt.Sprintf("%s %d..%d %v %d %v", at.Key, at.Start, at.End, at.SessionID, at.Count, at.Accs))
	}
	slices.Sort(sessions)
	return sessions
}

func metamorphicSpec() Spec {
	return Spec{Gap: 5, Lateness: Unlimited, MaxAhead: Unlimited, ByID: true, Measures: []Measure{Sum, Min, CountRows}}
}

func drawEvents(rt *rapid.T, spec *Spec, prefix string) []Event {
	times := rapid.SliceOfN(rapid.Int64Range(0, 120), 1, 40).Draw(rt, "times"+prefix)
	events := make([]Event, len(times))
	for i, at := range times {
		r := row{
			id: fmt.Sprint(prefix, i), key: rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "key"),
			time: at, amount: rapid.Int64Range(-1, 9).Draw(rt, "amount"),
		}
		r.member = HashBytes([]byte(r.id))
		events[i] = r.event(spec)
	}
	return events
}

// cut plans events in commits of random sizes.
func cut(rt *rapid.T, s *State, events []Event) {
	for n := int64(1); len(events) > 0; n++ {
		size := rapid.IntRange(1, len(events)).Draw(rt, "size")
		apply(rt, s, &Commit{Number: n, Arrived: events[:size]})
		events = events[size:]
	}
}

func apply(rt rapid.TB, s *State, c *Commit) *Delta {
	rt.Helper()
	d, err := s.Plan(c)
	if err != nil {
		rt.Fatal(err)
	}
	s.Apply(d)
	if err := s.Check(); err != nil {
		rt.Fatal(err)
	}
	return d
}

// Without a limit of lateness, neither the order of events nor how they are
// cut into commits decides the sessions.
func TestCommitsMayBeCutAnyhow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := metamorphicSpec()
		events := drawEvents(rt, &spec, "e")
		one, many := newWorld(t, spec).state, newWorld(t, spec).state
		apply(rt, one, &Commit{Number: 1, Arrived: events})
		cut(rt, many, rapid.Permutation(events).Draw(rt, "order"))
		if a, b := current(one), current(many); !slices.Equal(a, b) {
			rt.Fatalf("in one commit:\n%v\nin many:\n%v", a, b)
		}
	})
}

// What comes and goes again leaves the sessions as they were, whatever it had
// bridged in between.
func TestInsertThenDelete(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := metamorphicSpec()
		s := newWorld(t, spec).state
		stay := drawEvents(rt, &spec, "stay")
		come := drawEvents(rt, &spec, "come")
		apply(rt, s, &Commit{Number: 1, Arrived: stay})
		before := current(s)
		apply(rt, s, &Commit{Number: 2, Arrived: come})
		c := &Commit{Number: 3, Removed: come, Members: stay}
		apply(rt, s, c)
		if after := current(s); !slices.Equal(before, after) {
			rt.Fatalf("before:\n%v\nafter:\n%v", before, after)
		}
	})
}

// Events of one commit get the same sessions as of a batch recomputation, and
// everything can be taken away again.
func TestTruncate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := metamorphicSpec()
		s := newWorld(t, spec).state
		events := drawEvents(rt, &spec, "e")
		cut(rt, s, events)
		d := apply(rt, s, &Commit{Number: 1000, Removed: events})
		if got := s.Stats(); got.Keys+got.Sessions+got.IDs+len(d.Published) != 0 {
			rt.Fatalf("left: %+v, published %d", got, len(d.Published))
		}
	})
}
