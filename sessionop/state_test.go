package sessionop

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// plain is a contract without ids and measures.
func plain() Spec { return Spec{Gap: 5, Lateness: 10, MaxAhead: Unlimited, Explicit: true} }

func at(key string, time int64, member uint64) Event {
	return Event{Key: key, Time: time, Member: Hash{Hi: member, Lo: member}}
}

func TestHash(t *testing.T) {
	t.Parallel()
	// SELECT md5_number_upper('abc'), md5_number_lower('abc') in DuckDB.
	if got, want := HashBytes([]byte("abc")), (Hash{Hi: 12704604231530709392, Lo: 8250560606382298838}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	want := [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	if got := (Hash{Hi: 0x0001020304050607, Lo: 0x08090a0b0c0d0e0f}).UUID(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSessionIDIsASum(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	d := apply(t, s, &Commit{Number: 1, Arrived: []Event{at("k", 1, math.MaxUint64), at("k", 2, 7)}})
	want := HashBytes([]byte("k")).plus(Hash{Hi: 6, Lo: 6})
	if got := d.Published[0].SessionID; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestStateOf(t *testing.T) {
	t.Parallel()
	spec := plain()
	for _, test := range []struct {
		end       int64
		watermark Watermark
		want      SessionState
	}{
		{100, Watermark{}, Open},
		{100, Watermark{105, true}, Open},
		{100, Watermark{106, true}, Closed},
		{100, Watermark{115, true}, Closed},
		{100, Watermark{116, true}, Final},
		{math.MaxInt64 - 1, Watermark{math.MaxInt64, true}, Open},
		{math.MinInt64, Watermark{math.MinInt64 + 3, true}, Open},
		{math.MinInt64, Watermark{math.MaxInt64, true}, Final},
	} {
		if got := spec.StateOf(test.end, test.watermark); got != test.want {
			t.Errorf("end %d, watermark %v: got %v, want %v", test.end, test.watermark, got, test.want)
		}
	}
	spec.Lateness = Unlimited
	if got := spec.StateOf(100, Watermark{math.MaxInt64, true}); got != Closed {
		t.Errorf("unlimited lateness: got %v", got)
	}
}

// Times at the ends of the range neither wrap around nor join.
func TestExtremeTimes(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	d := apply(t, s, &Commit{Number: 1, Arrived: []Event{
		at("k", math.MaxInt64, 1), at("k", math.MinInt64, 2), at("k", math.MaxInt64-5, 3), at("k", 0, 4),
	}})
	if len(d.Published) != 3 || d.Published[2].Start != math.MaxInt64-5 || d.Published[2].End != math.MaxInt64 {
		t.Errorf("got %+v", d.Published)
	}
}

func TestNewRefusesNonsense(t *testing.T) {
	t.Parallel()
	for _, spec := range []Spec{{Gap: -1}, {Lateness: -1}, {Delay: -1}, {IdleTimeout: -1}, {MaxAhead: -1}, {Measures: []Measure{lastMeasure + 1}}} {
		if _, err := New(spec); err == nil || !strings.Contains(err.Error(), "Spec.") {
			t.Errorf("%+v: got %v", spec, err)
		}
	}
}

func TestRemovedEventMustBeInASession(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	apply(t, s, &Commit{Number: 1, Arrived: []Event{at("k", 10, 1)}})
	for _, gone := range []Event{at("k", 9, 1), at("k", 11, 1), at("other", 10, 1)} {
		_, err := s.Plan(&Commit{Number: 2, Removed: []Event{gone}})
		var unknown *UnknownEventError
		if !errors.As(err, &unknown) || unknown.Time != gone.Time || unknown.SQLState() != "XX000" {
			t.Errorf("%+v: got %v", gone, err)
		}
	}
}

func TestMembersMustBeThoseOfTheSession(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	one, two, three := at("k", 10, 1), at("k", 11, 2), at("k", 12, 3)
	apply(t, s, &Commit{Number: 1, Arrived: []Event{one, two, three}})
	c := &Commit{Number: 2, Removed: []Event{two}}
	if refs := s.Touched(c); !slices.Equal(refs, []SessionRef{{Key: "k", Start: 10, End: 12, Commit: 1}}) {
		t.Fatalf("touched %v", refs)
	}
	for _, members := range [][]Event{nil, {one}, {one, three, at("k", 12, 4)}, {one, at("k", 12, 5)}} {
		c.Members = members
		_, err := s.Plan(c)
		var missing *MembersError
		if !errors.As(err, &missing) || missing.Want != 3 || missing.SQLState() != "55000" {
			t.Errorf("%v: got %v", members, err)
		}
	}
	c.Members = []Event{three, one, at("other", 11, 9)}
	if d := apply(t, s, c); d.Published[0].Change != ChangeCorrect || d.Published[0].Count != 2 {
		t.Errorf("got %+v", d.Published)
	}
}

func TestApplyOfAnotherStatesDeltaPanics(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	d, err := s.Plan(&Commit{Number: 1, Arrived: []Event{at("k", 1, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(d)
	defer func() {
		if recover() == nil {
			t.Error("it did not")
		}
	}()
	s.Apply(d)
}

func TestDeltaSharesNoMemoryWithTheCommit(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	apply(t, s, &Commit{Number: 1, Arrived: []Event{at("old", 1, 1)}})
	memory := []byte("new")
	c := &Commit{Number: 2, Arrived: []Event{at("old", 2, 2), at(string(memory), 3, 3)}}
	d := apply(t, s, c)
	clear(c.Arrived)
	if d.Published[0].Key != "new" || d.Published[1].Key != "old" || d.Retired[0].Key != "old" {
		t.Errorf("got %+v", d)
	}
}

func TestUniqueIDsKeepNoIndex(t *testing.T) {
	t.Parallel()
	spec := plain()
	spec.ByID, spec.UniqueIDs = true, true
	s := newWorld(t, spec).state
	s.LoadID(Hash{Lo: 1}, 1)
	apply(t, s, &Commit{Number: 1, Arrived: []Event{at("k", 1, 1)}})
	if n := s.Stats().IDs; n != 0 {
		t.Errorf("%d ids are held", n)
	}
}

func TestCountedID(t *testing.T) {
	t.Parallel()
	spec := plain()
	spec.ByID = true
	s := newWorld(t, spec).state
	s.LoadID(Hash{Lo: 1}, 7)
	if values, ok := s.CountedID(Hash{Lo: 1}); !ok || values != 7 {
		t.Errorf("got %d, %t", values, ok)
	}
	if values, ok := s.CountedID(Hash{Lo: 2}); ok {
		t.Errorf("got %d", values)
	}
}

// What a reader is told names the place and what to do.
func TestErrorTexts(t *testing.T) {
	t.Parallel()
	ref := SessionRef{Key: "k", Start: 1, End: 2}
	for _, test := range []struct {
		err       error
		text, tip string
	}{
		{&OverflowError{Key: "k", Measure: 1}, `measure 2 of the session of key "k"`, "double precision"},
		{&MembersError{Session: ref, Want: 3, Have: 2}, `key "k" at 1: 2 of 3 found`, "REFRESH"},
		{&UnknownEventError{Key: "k", Time: 1}, `key "k" at 1 is in no session`, ""},
		{&SessionError{Session: ref, Problem: "it has no events"}, `key "k" from 1 to 2: it has no events`, ""},
	} {
		if !strings.Contains(test.err.Error(), test.text) {
			t.Errorf("got %q, want %q in it", test.err, test.text)
		}
		var hinted interface{ Hint() string }
		if errors.As(test.err, &hinted) != (test.tip != "") || hinted != nil && !strings.Contains(hinted.Hint(), test.tip) {
			t.Errorf("%T: the hint is not about %q", test.err, test.tip)
		}
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	s := newWorld(t, plain()).state
	events := []Event{at("a", 1, 1), at("a", 4, 2), at("a", 20, 3), at("b", 60, 4)}
	s.leavers = -2 * len(events) // what is final stays
	d := apply(t, s, &Commit{Number: 7, Arrived: events, Marks: []Mark{{Kind: Advance, Time: 30}}})
	if !d.Changed() {
		t.Error("the delta says that nothing changed")
	}
	first := Session{
		Key: "a", Start: 1, End: 4, SessionID: HashBytes([]byte("a")).plus(Hash{3, 3}),
		Seq: 1, Revision: 1, Count: 2, PublishedCommit: 7,
	}
	if got, ok := s.SessionAt("a", 3); !ok || got.SessionID != first.SessionID || got.Count != 2 || got.PublishedCommit != 7 {
		t.Errorf("got %+v, want %+v", got, first)
	}
	for _, nowhere := range []SessionRef{{Key: "a", Start: 5}, {Key: "a", Start: 21}, {Key: "c", Start: 1}} {
		if got, ok := s.SessionAt(nowhere.Key, nowhere.Start); ok {
			t.Errorf("%v: got %+v", nowhere, got)
		}
	}
	var starts []int64
	for of := range s.Sessions("a") {
		starts = append(starts, of.Start)
	}
	if !slices.Equal(starts, []int64{1, 20}) {
		t.Errorf("sessions start at %v", starts)
	}
	for of := range s.All() {
		if of.Key == "c" {
			t.Error("a key without sessions has one")
		}
		break
	}
	if open, closed, final := s.CountStates(); open != 1 || closed != 1 || final != 1 {
		t.Errorf("%d open, %d closed, %d final", open, closed, final)
	}
	if got := s.Stats(); got.Keys != 2 || got.Sessions != 3 || got.Bytes < 3*64 {
		t.Errorf("stats %+v", got)
	}
	if s.Spec().Gap != 5 || s.NextSeq() != 4 || s.StateOf(20, Watermark{}) != Open {
		t.Errorf("spec %+v, next %d", s.Spec(), s.NextSeq())
	}
}

func TestLoadRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	spec := plain()
	spec.Measures = []Measure{Sum}
	accs := make([]Acc, 1)
	s := newWorld(t, spec).state
	if err := s.LoadSession("k", Hash{}, 100, 110, 2, 1, 1, 1, accs); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		s.LoadSession("k", Hash{}, 201, 200, 1, 2, 1, 1, accs),
		s.LoadSession("k", Hash{}, 200, 200, 0, 2, 1, 1, accs),
		s.LoadSession("k", Hash{}, 200, 200, 1, 0, 1, 1, accs),
		s.LoadSession("k", Hash{}, 200, 200, 1, 2, 0, 1, accs),
		s.LoadSession("k", Hash{}, 200, 200, 1, 2, 1, 1, nil),
		s.LoadSession("k", Hash{}, 105, 105, 1, 2, 1, 1, accs),
		s.LoadSession("k", Hash{}, 115, 120, 1, 2, 1, 1, accs),
		s.LoadSession("k", Hash{}, 90, 95, 1, 2, 1, 1, accs),
		s.LoadSession("k", Hash{}, 90, 200, 1, 2, 1, 1, accs),
	} {
		var refused *SessionError
		if !errors.As(err, &refused) || refused.SQLState() != "XX001" {
			t.Errorf("got %v", err)
		}
	}
	for i, bounds := range [][2]int64{{116, 120}, {80, 94}} {
		if err := s.LoadSession("k", Hash{}, bounds[0], bounds[1], 1, int64(i+2), 1, 1, accs); err != nil {
			t.Error(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestIdleAt(t *testing.T) {
	t.Parallel()
	spec := plain()
	spec.IdleTimeout, spec.Partitions = 10, []string{"p", "q"}
	s := newWorld(t, spec).state
	if at, ok := s.IdleAt(); ok {
		t.Errorf("before the clock starts: %d", at)
	}
	s.StartClock(100)
	if at, ok := s.IdleAt(); !ok || at != 110 {
		t.Errorf("got %d, %t", at, ok)
	}
	apply(t, s, &Commit{Number: 1, Now: 105, Marks: []Mark{{Kind: Advance, Partition: "p", Time: 1}}})
	d := apply(t, s, &Commit{Number: 2, Now: 109, Marks: []Mark{{Kind: Tick}}})
	if d.Changed() {
		t.Errorf("a tick too early changed %+v", d)
	}
	apply(t, s, &Commit{Number: 3, Now: 110, Marks: []Mark{{Kind: Tick}}})
	if at, ok := s.IdleAt(); !ok || at != 115 {
		t.Errorf("got %d, %t", at, ok)
	}
	if got := s.Partitions(); got[0].State != PartitionActive || got[1].State != PartitionIdle {
		t.Errorf("got %+v", got)
	}
	apply(t, s, &Commit{Number: 4, Now: 115, Marks: []Mark{{Kind: Tick}}})
	if at, ok := s.IdleAt(); ok {
		t.Errorf("all are idle, and one goes idle at %d", at)
	}
	if time, defined := s.Watermark(); !defined || time != 1 {
		t.Errorf("the watermark is %d, %t", time, defined)
	}
}

// TestCheck breaks a sound state in every way that an invariant forbids.
func TestCheck(t *testing.T) {
	t.Parallel()
	line := func(s *State) *timeline { return s.keys.find("a") }
	for name, violate := range map[string]func(*State){
		"I1":  func(s *State) { line(s).key = "b" },
		"I2":  func(s *State) { line(s).head.accs = nil },
		"I3":  func(s *State) { line(s).head.sessions[0].count = 0 },
		"I4":  func(s *State) { line(s).head.sessions[1].start = 6 },
		"I5":  func(s *State) { line(s).head.sessions[1].seq = 1 },
		"I6":  func(s *State) { line(s).head.accs[0].N = 9 },
		"I7":  func(s *State) { s.held++ },
		"I8":  func(s *State) { s.ids.count++ },
		"I9":  func(s *State) { s.ids.put(countedID{member: Hash{Lo: 77}}) },
		"I10": func(s *State) { s.clocks.partitions = nil },
		"I11": func(s *State) { line(s).due++ },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := plain()
			spec.ByID, spec.Measures, spec.Partitions = true, []Measure{CountRows}, []string{"p"}
			s := newWorld(t, spec).state
			events := []Event{at("a", 1, 1), at("a", 20, 2)}
			for i := range events {
				events[i].Inputs = []Value{{}}
			}
			apply(t, s, &Commit{Number: 1, Arrived: events})
			violate(s)
			if err := s.Check(); err == nil || !strings.Contains(err.Error(), " "+name+" ") {
				t.Errorf("got %v", err)
			}
		})
	}
}
