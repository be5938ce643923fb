package sessionop

// timelines finds the timeline of a key. A key without sessions has none.
type timelines struct {
	numbers map[string]int32
	lines   []timeline // by number
	free    []int32    // numbers of keys that are gone
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
	return &t.lines[number]
}

// add makes a timeline for a key that has none, and keeps the key.
func (t *timelines) add(key string, hash Hash) *timeline {
	line := timeline{key: key, hash: hash}
	if last := len(t.free) - 1; last >= 0 {
		n := t.free[last]
		t.free = t.free[:last]
		t.numbers[key], t.lines[n] = n, line
		return &t.lines[n]
	}
	t.numbers[key] = int32(len(t.lines)) // keys fit: each takes over 100 bytes
	t.lines = append(t.lines, line)
	return &t.lines[len(t.lines)-1]
}

// drop forgets a key whose last session is gone.
func (t *timelines) drop(key string) {
	n := t.numbers[key]
	delete(t.numbers, key)
	t.lines[n] = timeline{}
	t.free = append(t.free, n)
}
