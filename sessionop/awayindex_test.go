package sessionop

import (
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAwayIndex compares the index with a map: few keys, whose hashes are close,
// and many revisions, which come in any order and again.
func TestAwayIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		keys := []uint64{0, 1 << 32, 1 << 56, 3 << 32, math.MaxUint64, math.MaxUint64 - 1<<32}
		add := func(x *AwayIndex, want map[uint64]map[int64]bool) {
			n, few := rapid.IntRange(0, 400).Draw(rt, "n"), rapid.Uint64Range(1, 500).Draw(rt, "few")
			seed := rapid.Uint64().Draw(rt, "seed")
			for range n {
				seed = seed*6364136223846793005 + 1442695040888963407
				hi, seq := keys[seed>>32%uint64(len(keys))], int64(seed>>40%few)
				if seed>>60 == 0 {
					seq = maxSeq
				}
				x.Add(hi, seq)
				want[hi][seq] = true
			}
		}
		var x, before AwayIndex
		want := map[uint64]map[int64]bool{}
		for _, hi := range keys {
			want[hi] = map[int64]bool{}
		}
		add(&x, want)
		add(&before, want)
		before.addAll(&x)
		add(&before, want)
		for _, hi := range keys {
			got := before.appendSeqs(nil, hi, math.MaxInt)
			slices.Sort(got)
			if got := slices.Compact(got); !slices.Equal(got, slices.Sorted(maps.Keys(want[hi]))) {
				rt.Fatalf("key %x: %d, want %d", hi, got, slices.Sorted(maps.Keys(want[hi])))
			}
		}
	})
}

// What leaves again and again, since late events bring it back, takes no more
// memory for it.
func TestAwayIndexForgetsWhatItHasTwice(t *testing.T) {
	t.Parallel()
	var x AwayIndex
	for i := range int64(1_000_000) {
		x.Add(uint64(i%10)<<32, i%100)
	}
	if n := len(x.shards[0].entries); n > 100+unsortedFew {
		t.Errorf("100 sessions have %d entries", n)
	}
}

// checkSeqs holds what a lookup finds of each key against what is stored.
func (w *world) checkSeqs() {
	w.t.Helper()
	want := map[string][]int64{"nobody": nil}
	for _, seq := range slices.Sorted(maps.Keys(w.stored)) {
		want[w.stored[seq].Key] = append(want[w.stored[seq].Key], seq)
	}
	_, left := w.state.Away()
	for key, seqs := range want {
		got, ok := w.state.Seqs(key, math.MaxInt)
		if ok != (w.state.indexed || !left) {
			w.t.Fatalf("%s is found: %t", key, ok)
		}
		if !ok {
			continue
		}
		w.lookups++
		if !containsAll(got, seqs) || slices.ContainsFunc(got, func(seq int64) bool { return w.keys[seq] != key }) {
			w.t.Fatalf("%s is found in %d, and has %d", key, got, seqs)
		}
		if _, ok := w.state.Seqs(key, len(seqs)-1); ok {
			w.t.Fatalf("%s is found in fewer than %d", key, len(seqs))
		}
	}
}

func containsAll(all, some []int64) bool {
	return !slices.ContainsFunc(some, func(n int64) bool { return !slices.Contains(all, n) })
}

// index begins an index of the sessions that left, or ends what it began.
func (w *world) index(give bool) {
	switch {
	case w.state.WantsAwayIndex():
		w.state.BeginAwayIndex()
		w.indexFrom, _ = w.state.Away()
	case w.state.index != nil && !w.state.indexed && give:
		before := &AwayIndex{}
		for seq, s := range w.stored {
			if s.End <= w.indexFrom {
				before.Add(keyHash(s.Key).Hi, seq)
			}
		}
		w.state.CompleteAwayIndex(before)
	case w.state.index != nil && !w.state.indexed:
		w.state.CompleteAwayIndex(nil)
	}
}
