package sessionop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A stream whose watermark moves on keeps the sessions of the last hour, however
// long it runs: here 200,000 events over three and a half days.
func TestStateIsBounded(t *testing.T) {
	t.Parallel()
	spec := benchSpec(660 * second)
	spec.ByID = false
	s := newWorld(t, spec).state
	f := newFeed(5000, 60*second, 2)
	most, early, published := 0, int64(0), 0
	for n := int64(1); n <= 20_000; n++ {
		c := f.commit(n, 10)
		if missing := s.Missing(c); len(missing) > 0 {
			t.Fatalf("events that are on time miss %v", missing)
		}
		d, err := s.Plan(c)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(d)
		published += len(d.Published) - len(d.Retired)
		most = max(most, s.Len())
		if n%2000 == 0 {
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
		}
		if n == 2000 {
			early = s.Stats().Bytes
		}
	}
	if late := s.Stats().Bytes; most > 4000 || late > 2*early || published < 150_000 {
		t.Errorf("%d of %d sessions were held at once; the state took %d bytes early and %d at the end", most, published, early, late)
	}
}

// The sessions that a far move of the watermark makes final leave with the
// commits after it, some with each.
func TestFinalSessionsLeaveInTurn(t *testing.T) {
	t.Parallel()
	spec := plain()
	spec.Measures = []Measure{CountRows}
	s := newWorld(t, spec).state
	const keys, each = 3, 2000
	var events []Event
	for k := range keys {
		for i := range each {
			e := at(fmt.Sprint("key", k), int64(10*i), uint64(k*each+i+1))
			e.Inputs = []Value{{}}
			events = append(events, e)
		}
	}
	apply(t, s, &Commit{Number: 1, Arrived: events})
	apply(t, s, &Commit{Number: 2, Marks: []Mark{{Kind: Advance, Time: 10 * each}}})
	for n := int64(3); s.held > keys; n++ {
		before := s.held
		apply(t, s, &Commit{Number: n})
		if left := before - s.held; left > leavers || left < leavers && s.held > keys {
			t.Fatalf("commit %d: %d of %d sessions left", n, left, before)
		}
	}
	if end, ok := s.Away(); !ok || end != 10*(each-2) || s.keys.find("key0").head.sessions[0].end != 10*(each-1) {
		t.Errorf("what ended by %d (%t) has left, %d sessions are held", end, ok, s.held)
	}
	apply(t, s, &Commit{Number: 1000, Marks: []Mark{{Kind: Advance, Time: 20 * each}}})
	if got := s.Stats(); got.Keys != 0 || got.Sessions != 0 {
		t.Errorf("all sessions are final, and %+v are held", got)
	}
}

// Keys that were there once take no memory once their sessions have left.
func TestMemoryOfKeysThatLeftIsFreed(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	const keys = 20_000
	events := make([]Event, keys)
	for i := range events {
		events[i] = at(fmt.Sprint("key", i), int64(i), uint64(i+1))
	}
	apply(t, s, &Commit{Number: 1, Arrived: events})
	full := s.Stats().Bytes
	for n := int64(2); s.held > 10; n++ {
		apply(t, s, &Commit{Number: n, Marks: []Mark{{Kind: Advance, Time: keys + 5}}})
	}
	d := apply(t, s, &Commit{Number: 1000, Arrived: []Event{at("key19999", keys, keys+1)}})
	if left := s.Stats().Bytes; left > full/4 || s.held != 10 || d.Published[0].Change != ChangeExtend {
		t.Errorf("%d sessions take %d bytes, where %d took %d", s.held, left, keys, full)
	}
}

// Where nothing is ever final nothing is kept to find it out.
func TestNothingLeavesWithoutALateness(t *testing.T) {
	t.Parallel()
	spec := plain()
	spec.Lateness = Unlimited
	s := newWorld(t, spec).state
	apply(t, s, &Commit{Number: 1, Arrived: []Event{at("k", 1, 1)}, Marks: []Mark{{Kind: Advance, Time: 1_000_000}}})
	late := &Commit{Number: 2, Arrived: []Event{at("k", 2, 2)}}
	if missing := s.Missing(late); len(missing) > 0 || s.queue.entries != nil || s.held != 1 {
		t.Errorf("missing %v, %d in the queue, %d held", missing, len(s.queue.entries), s.held)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	spec := plain() // gap 5, lateness 10
	spec.ByID, spec.MaxAhead = true, 100
	s := newWorld(t, spec).state
	apply(t, s, &Commit{Number: 1, Arrived: []Event{
		at("a", 10, 1), at("a", 12, 2), at("a", 40, 3), at("b", 20, 4),
	}, Marks: []Mark{{Kind: Advance, Time: 36}}})
	if end, ok := s.Away(); !ok || end != 20 || s.held != 1 {
		t.Fatalf("what ended by %d (%t) has left, %d sessions are held", end, ok, s.held)
	}
	noTime, noKey, noID, known := at("a", 0, 5), at("a", 0, 5), at("a", 0, 5), at("a", 12, 2)
	noTime.Flags, noKey.Flags, noID.Flags = NoTime, NoKey, NoID
	conflicting := known
	conflicting.Values++
	for name, test := range map[string]struct {
		now              int64
		arrived, removed []Event
		want             []Reach
	}{
		"on time":                          {arrived: []Event{at("a", 26, 5)}},
		"at the last moment":               {arrived: []Event{at("a", 25, 5)}, want: []Reach{{"a", 20, 30}}},
		"in a session that is held":        {arrived: []Event{at("a", 40, 5)}},
		"far back":                         {arrived: []Event{at("a", -90, 5)}, want: []Reach{{"a", -95, -85}}},
		"of another key":                   {arrived: []Event{at("c", 8, 5)}, want: []Reach{{"c", 3, 13}}},
		"close together":                   {arrived: []Event{at("a", 12, 5), at("b", 2, 6), at("a", 2, 7)}, want: []Reach{{"a", -3, 17}, {"b", -3, 7}}},
		"apart":                            {arrived: []Event{at("a", 13, 5), at("a", 2, 6)}, want: []Reach{{"a", -3, 7}, {"a", 8, 18}}},
		"without a time or a key":          {arrived: []Event{noTime, noKey}},
		"without an id":                    {arrived: []Event{noID}, want: []Reach{{"a", -5, 5}}},
		"a duplicate":                      {arrived: []Event{known}},
		"a duplicate ahead of time":        {now: -200, arrived: []Event{known}, want: []Reach{{"a", 7, 17}}},
		"a conflicting one":                {arrived: []Event{conflicting}, want: []Reach{{"a", 7, 17}}},
		"one that goes":                    {removed: []Event{known}, want: []Reach{{"a", 7, 17}}},
		"one that goes, and comes again":   {removed: []Event{known}, arrived: []Event{known}, want: []Reach{{"a", 7, 17}}},
		"one that goes from what is held":  {removed: []Event{at("a", 40, 3)}},
		"one of another key that goes too": {removed: []Event{at("b", 20, 4), known}, want: []Reach{{"a", 7, 17}, {"b", 15, 25}}},
	} {
		if got := s.Missing(&Commit{Number: 2, Now: test.now, Arrived: test.arrived, Removed: test.removed}); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestReopened(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state // gap 5, lateness 10
	apply(t, s, &Commit{Number: 1, Arrived: []Event{at("a", 10, 1), at("a", 20, 2), at("a", 30, 3)}, Marks: []Mark{{Kind: Advance, Time: 60}}})
	if from, to, ok := s.Reopened(); ok || s.held != 0 {
		t.Fatalf("%d..%d are live again, %d are held", from, to, s.held)
	}
	apply(t, s, &Commit{Number: 2, Marks: []Mark{{Kind: Reset, Time: 35}}})
	if from, to, ok := s.Reopened(); !ok || from != 20 || to != 30 {
		t.Fatalf("%d..%d are live again (%t)", from, to, ok)
	}
	for _, end := range []int64{20, 30} {
		if err := s.Restore("a", Hash{}, end, end, 1, end/10, 1, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.Reopen()
	apply(t, s, &Commit{Number: 3})
	if end, ok := s.Away(); !ok || end != 19 || s.held != 2 {
		t.Errorf("what ended by %d (%t) has left, %d sessions are held", end, ok, s.held)
	}
	if missing := s.Missing(&Commit{Arrived: []Event{at("a", 25, 4)}}); len(missing) > 0 {
		t.Errorf("missing %v", missing)
	}
}

func TestRestoreLeavesWhatIsHeld(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	for range 2 {
		if err := s.Restore("a", Hash{}, 10, 20, 2, 1, 1, 1, nil); err != nil || s.held != 1 {
			t.Fatalf("%d are held: %v", s.held, err)
		}
	}
	if err := s.Restore("a", Hash{}, 18, 22, 2, 2, 1, 1, nil); err == nil {
		t.Error("a session within the gap of another was restored")
	}
}

// However many sessions come back for a commit, they leave with it.
func TestWhatIsRestoredLeavesAgain(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	apply(t, s, &Commit{Number: 1, Marks: []Mark{{Kind: Advance, Time: 1_000_000}}})
	const sessions = 10 * leavers
	for i := range int64(sessions) {
		if err := s.Restore(fmt.Sprint("key", i%7), Hash{}, 10*i, 10*i, 1, i+1, 1, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	if s.held != sessions {
		t.Fatalf("%d sessions are held", s.held)
	}
	apply(t, s, &Commit{Number: 2})
	if got := s.Stats(); got.Sessions != 0 || got.Keys != 0 {
		t.Errorf("%+v are held", got)
	}
}

// Keys that come and go while the watermark stands leave nothing in the queue.
func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	for n := int64(1); n < 4*leavers; n += 2 {
		e := at("k", n, uint64(n))
		apply(t, s, &Commit{Number: n, Arrived: []Event{e}})
		apply(t, s, &Commit{Number: n + 1, Removed: []Event{e}})
	}
	if n := len(s.queue.entries); n > leavers+1 {
		t.Errorf("%d entries of no key", n)
	}
}

func TestQueueIsInOrder(t *testing.T) {
	t.Parallel()
	var q dueQueue
	var want []int64
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		end := random.Int64N(300)
		q.push(due{end: end})
		want = append(want, end)
	}
	slices.Sort(want)
	for _, end := range want {
		d, ok := q.first()
		if !ok || d.end != end {
			t.Fatalf("got %d, %t, want %d", d.end, ok, end)
		}
		q.pop()
	}
	if _, ok := q.first(); ok {
		t.Error("the queue is not empty")
	}
}
