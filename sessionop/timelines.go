package sessionop

import "iter"

// pageSize is how many timelines lie together: a page that is full never moves.
const pageSize = 1024

// timelines finds the timeline of a key. A key without sessions has none.
type timelines struct {
	numbers map[string]int32
	pages   [][]timeline // by number
	free    []int32      // numbers of keys that are gone
}

const unknownKey = -1

func newTimelines() timelines { return timelines{numbers: map[string]int32{}} }

// find returns the key's timeline, or nil. It is valid until the next add.
func (t *timelines) find(key string) *timeline {
	return t.line(t.number(key))
}

// number returns the number of the key's timeline, or unknownKey.
func (t *timelines) number(key string) int32 {
	if n, ok := t.numbers[key]; ok {
		return n
	}
	return unknownKey
}

func (t *timelines) line(number int32) *timeline {
	if number == unknownKey {
		return nil
	}
	return &t.pages[number/pageSize][number%pageSize]
}

// add makes a timeline for a key that has none, keeps the key, and returns the
// timeline's number.
func (t *timelines) add(key string, hash Hash) int32 {
	n := t.unused()
	t.numbers[key] = n
	*t.line(n) = timeline{key: key, hash: hash, due: notDue}
	return n
}

// unused returns the number of an empty timeline.
func (t *timelines) unused() int32 {
	if last := len(t.free) - 1; last >= 0 {
		n := t.free[last]
		t.free = t.free[:last]
		return n
	}
	if last := len(t.pages) - 1; last < 0 || len(t.pages[last]) == pageSize {
		t.pages = append(t.pages, nil)
	}
	last := len(t.pages) - 1
	t.pages[last] = append(t.pages[last], timeline{})
	return int32(last*pageSize + len(t.pages[last]) - 1) // keys fit: each takes over 100 bytes
}

// drop forgets a key whose last session is gone.
func (t *timelines) drop(key string) {
	n := t.numbers[key]
	delete(t.numbers, key)
	*t.line(n) = timeline{}
	t.free = append(t.free, n)
}

// all returns every timeline, in no order; among them empty ones, of keys that
// are gone.
func (t *timelines) all() iter.Seq[*timeline] {
	return func(yield func(*timeline) bool) {
		for _, page := range t.pages {
			for i := range page {
				if !yield(&page[i]) {
					return
				}
			}
		}
	}
}
