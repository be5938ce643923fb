package sessionop

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTimeline compares a timeline of thousands of sessions, over many blocks,
// with a sorted slice.
func TestTimeline(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := timelineModel{rt: rt}
		for range rapid.IntRange(1, 6).Draw(rt, "rounds") {
			from := rapid.Int64Range(0, 3000).Draw(rt, "from")
			n := rapid.SampledFrom([]int64{3, 600, 2000, 3000}).Draw(rt, "n")
			step := rapid.SampledFrom([]int64{1, -1, 7, 101}).Draw(rt, "step")
			remove := rapid.Bool().Draw(rt, "remove")
			for i := range n {
				m.toggle(10*((from+(i*step)%3000+3000)%3000), remove) // 3000 is prime to the steps
			}
			if rapid.IntRange(0, 2).Draw(rt, "leave") == 0 {
				m.leave(int(n), 10*from)
			}
			m.compare()
		}
	})
}

// timelineModel holds sessions of length 3 that start at multiples of ten.
type timelineModel struct {
	rt     *rapid.T
	line   timeline
	starts []int64
}

func (m *timelineModel) toggle(start int64, remove bool) {
	at := m.line.seek(cursor{}, start)
	i, found := slices.BinarySearch(m.starts, start)
	switch {
	case found && remove:
		m.line.remove(at)
		m.starts = slices.Delete(m.starts, i, i+1)
	case !found && !remove:
		m.line.insert(at, session{start: start, end: start + 3}, []Acc{{N: start}, {N: -start}})
		m.starts = slices.Insert(m.starts, i, start)
	}
}

// leave lets at most n sessions go that end before the time.
func (m *timelineModel) leave(n int, before int64) {
	want := 0
	for want < min(n, len(m.starts)) && m.starts[want]+3 < before {
		want++
	}
	got, end := m.line.leave(n, 2, func(end int64) bool { return end < before })
	if got != want || got > 0 && end != m.starts[want-1]+3 {
		m.rt.Fatalf("%d left by %d, want %d", got, end, want)
	}
	m.starts = slices.Delete(m.starts, 0, want)
}

func (m *timelineModel) compare() {
	var got []int64
	for at := (cursor{}); m.line.valid(at); at = m.line.next(at) {
		s := m.line.session(at)
		got = append(got, s.start)
		if accs := m.line.accs(at, 2); accs[0].N != s.start || accs[1].N != -s.start {
			m.rt.Fatalf("session %d has accumulators %v", s.start, accs)
		}
		if before, ok := m.line.previous(at); ok && m.line.session(before).start != got[len(got)-2] {
			m.rt.Fatalf("%v is not before %d", before, s.start)
		}
	}
	if !slices.Equal(got, m.starts) {
		m.rt.Fatalf("got %v, want %v", got, m.starts)
	}
	m.blocks()
	m.seeks()
}

// blocks checks that none is empty, and that they are not many for what they
// hold.
func (m *timelineModel) blocks() {
	for i := range m.line.blocks() {
		if n := len(m.line.block(i).sessions); n == 0 || n > blockSize {
			m.rt.Fatalf("block %d has %d sessions", i, n)
		}
	}
}

// seeks compares searches from everywhere to everywhere, in strides.
func (m *timelineModel) seeks() {
	from := cursor{}
	for i := 0; i < len(m.starts); i += 97 {
		for _, time := range []int64{m.starts[i], m.starts[i] + 3, m.starts[i] + 4} {
			want, _ := slices.BinarySearch(m.starts[i:], time-3)
			at := m.line.seek(from, time)
			if want += i; want == len(m.starts) {
				if m.line.valid(at) {
					m.rt.Fatalf("seek %d found %v", time, at)
				}
			} else if m.line.session(at).start != m.starts[want] {
				m.rt.Fatalf("seek %d from %v found %v", time, from, at)
			}
		}
		from = m.line.seek(cursor{}, m.starts[i])
	}
}

// A key with thousands of sessions, cut into many commits, comes out as the
// same key in one commit.
func TestLongTimeline(t *testing.T) {
	t.Parallel()
	f := newFeed(1, 40_000*second, 2)
	spec := benchSpec(660 * second)
	spec.Gap, spec.Lateness = second, Unlimited
	events := f.commit(1, 20_000).Arrived
	one, many := newWorld(t, spec).state, newWorld(t, spec).state
	apply(t, one, &Commit{Number: 1, Arrived: events})
	for i := 0; i < len(events); i += 500 {
		apply(t, many, &Commit{Number: int64(i + 1), Arrived: events[i : i+500]})
	}
	if a, b := current(one), current(many); !slices.Equal(a, b) {
		t.Fatal("sessions differ")
	}
	gone, stay := events[:10_000], events[10_000:]
	apply(t, many, &Commit{Number: 100_000, Removed: gone, Members: stay})
	half := newWorld(t, spec).state
	apply(t, half, &Commit{Number: 1, Arrived: stay})
	if a, b := current(half), current(many); !slices.Equal(a, b) {
		t.Fatal("sessions differ after half of the events went")
	}
}
