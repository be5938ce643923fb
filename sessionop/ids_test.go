package sessionop

import (
	"testing"

	"pgregory.net/rapid"
)

// TestIDIndex compares the index with a map. The hashes are few and close, so
// that runs of slots are long and wrap around.
func TestIDIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var x idIndex
		want := map[Hash]uint64{}
		draw := rapid.Custom(func(rt *rapid.T) Hash {
			low := rapid.SampledFrom([]uint64{0, 1 << 62, 1<<64 - 64}).Draw(rt, "region")
			return Hash{Hi: rapid.Uint64Range(0, 1).Draw(rt, "hi"), Lo: low + rapid.Uint64Range(0, 63).Draw(rt, "lo")}
		})
		for range rapid.IntRange(1, 300).Draw(rt, "n") {
			h := draw.Draw(rt, "id")
			if h == (Hash{}) {
				continue // it shares the slot of its neighbour
			}
			if rapid.IntRange(0, 2).Draw(rt, "remove") == 0 {
				x.remove(h)
				delete(want, h)
			} else {
				values := rapid.Uint64().Draw(rt, "values")
				x.put(countedID{member: h, values: values})
				want[h] = values
			}
		}
		compareIDs(rt, &x, want, draw.Draw(rt, "other"))
	})
}

func compareIDs(rt *rapid.T, x *idIndex, want map[Hash]uint64, other Hash) {
	rt.Helper()
	if x.count != len(want) {
		rt.Fatalf("%d ids, want %d", x.count, len(want))
	}
	for h, values := range want {
		if got, ok := x.get(h); !ok || got != values {
			rt.Fatalf("get %v: %d, %t; want %d", h, got, ok, values)
		}
	}
	if _, ok := x.get(other); ok {
		if _, wanted := want[other.slotKey()]; !wanted {
			rt.Fatalf("%v was found", other)
		}
	}
}

func TestZeroHashIsAnID(t *testing.T) {
	t.Parallel()
	var x idIndex
	x.put(countedID{values: 7})
	if got, ok := x.get(Hash{}); !ok || got != 7 {
		t.Fatalf("get: %d, %t", got, ok)
	}
	if x.remove(Hash{}); x.count != 0 {
		t.Fatalf("%d ids are left", x.count)
	}
}
