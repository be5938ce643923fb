package sessionop

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// feed makes commits of new events, ahead of the timer.
type feed struct {
	keys    []string
	rand    *rand.Rand
	serial  uint64
	time    int64
	spread  int64 // how far events stand apart in a commit, in either direction
	measure int
}

func newFeed(keys int, spread int64, measures int) *feed {
	f := &feed{rand: rand.New(rand.NewPCG(1, 2)), spread: spread, measure: measures, time: spread}
	for i := range keys {
		f.keys = append(f.keys, fmt.Sprintf("14:account-%06d", i))
	}
	return f
}

func (f *feed) commit(number int64, events int) *Commit {
	c := &Commit{Number: number, Arrived: make([]Event, events)}
	inputs := make([]Value, events*f.measure)
	for i := range inputs {
		inputs[i] = Value{Valid: true, Lo: uint64(i)}
	}
	for i := range c.Arrived {
		f.serial++
		var id [8]byte
		binary.LittleEndian.PutUint64(id[:], f.serial)
		c.Arrived[i] = Event{
			Key: f.keys[f.rand.IntN(len(f.keys))], Time: f.time + f.rand.Int64N(f.spread),
			Member: HashBytes(id[:]), Values: f.serial, Inputs: inputs[i*f.measure : (i+1)*f.measure],
		}
	}
	f.time += f.spread / 4
	return c
}

const second = 1_000_000

func benchSpec(gap int64) Spec {
	return Spec{
		Gap: gap, Lateness: 3600 * second, MaxAhead: Unlimited, ByID: true,
		Measures: []Measure{Sum, Count},
	}
}

// run plans and applies prepared commits; only that is timed.
func run(b *testing.B, s *State, f *feed, events int) {
	b.Helper()
	ahead := max(1, 10_000/events)
	number, done := int64(1), 0
	for b.Loop() {
		b.StopTimer()
		commits := make([]*Commit, ahead)
		for i := range commits {
			commits[i] = f.commit(number, events)
			number++
		}
		b.StartTimer()
		for _, c := range commits {
			d, err := s.Plan(c)
			if err != nil {
				b.Fatal(err)
			}
			s.Apply(d)
		}
		done += ahead * events
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(s.keys.bytes())/float64(max(1, s.held)), "B/session")
}

// BenchmarkIngest brings events of many keys, as a stream does.
func BenchmarkIngest(b *testing.B) {
	for _, events := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			s, err := New(benchSpec(660 * second))
			if err != nil {
				b.Fatal(err)
			}
			run(b, s, newFeed(100_000, 60*second, 2), events)
		})
	}
}

// BenchmarkHotKey brings events of one key that has a million sessions, spread
// over all of them.
func BenchmarkHotKey(b *testing.B) {
	const sessions = 1_000_000
	s, err := New(Spec{Gap: 2 * second, Lateness: Unlimited, MaxAhead: Unlimited, ByID: true, Measures: []Measure{Sum, Count}})
	if err != nil {
		b.Fatal(err)
	}
	f := newFeed(1, sessions*10*second, 2)
	for i := range int64(sessions) {
		h := keyHash(f.keys[0])
		if err := s.LoadSession(f.keys[0], h, i*10*second, i*10*second, 1, i+1, 1, 1, make([]Acc, 2)); err != nil {
			b.Fatal(err)
		}
	}
	for _, events := range []int{1, 10_000} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			run(b, s, f, events)
			f.time = f.spread
		})
	}
}

// BenchmarkLoad is a start of the server: sessions in order of key and time.
func BenchmarkLoad(b *testing.B) {
	accs := make([]Acc, 2)
	for b.Loop() {
		s, err := New(benchSpec(660 * second))
		if err != nil {
			b.Fatal(err)
		}
		for i := range int64(100_000) {
			key := fmt.Sprintf("14:account-%06d", i/4)
			if err := s.LoadSession(key, Hash{}, i*3600*second, i*3600*second, 1, i+1, 1, 1, accs); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(s.Stats().Bytes)/float64(s.Stats().Sessions), "B/session")
	}
}

// BenchmarkIDs fills the index of ids.
func BenchmarkIDs(b *testing.B) {
	for b.Loop() {
		var x idIndex
		for i := range uint64(1_000_000) {
			x.put(countedID{member: Hash{Hi: i * 0x9E3779B97F4A7C15, Lo: i * 0xD1B54A32D192ED03}, values: i})
		}
		b.ReportMetric(float64(x.bytes())/float64(x.count), "B/id")
	}
}
