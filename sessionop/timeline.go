package sessionop

import (
	"slices"
	"sort"
)

// blockSize is the most sessions in a block: large enough that a hot key has
// few blocks to search, small enough that an insertion moves little.
const blockSize = 512

// session is one current session. Its accumulators lie beside it in the block.
type session struct {
	start, end int64
	id         Hash // key hash plus the sum of its members' hashes
	count      int64
	seq        int64
	revision   int64
	commit     int64 // that published it
}

// block is a run of sessions in order of time, with stride accumulators each.
type block struct {
	sessions []session
	accs     []Acc
}

// last is the end of the last session.
func (b *block) last() int64 { return b.sessions[len(b.sessions)-1].end }

// timeline holds the current sessions of one key in order of time. Most keys
// need no more than the head; the blocks after it are never empty, and the
// head is empty only if there are none.
type timeline struct {
	key  string
	hash Hash  // of the key
	due  int64 // its entry in the queue of those to leave, or notDue
	head block
	tail []block
}

// blocks returns how many blocks there are.
func (t *timeline) blocks() int {
	if len(t.head.sessions) == 0 {
		return 0
	}
	return 1 + len(t.tail)
}

func (t *timeline) block(i int) *block {
	if i == 0 {
		return &t.head
	}
	return &t.tail[i-1]
}

// cursor stands on a session of a timeline, or past the last one. Any change
// of the timeline invalidates it.
type cursor struct{ block, at int }

func (t *timeline) valid(c cursor) bool        { return c.block < t.blocks() }
func (t *timeline) session(c cursor) *session  { return &t.block(c.block).sessions[c.at] }
func (t *timeline) accs(c cursor, n int) []Acc { return t.block(c.block).accs[c.at*n : (c.at+1)*n] }

func (t *timeline) next(c cursor) cursor {
	if c.at++; c.at == len(t.block(c.block).sessions) {
		return cursor{block: c.block + 1}
	}
	return c
}

// previous returns the session before c; ok is false before the first.
func (t *timeline) previous(c cursor) (before cursor, ok bool) {
	switch {
	case c.at > 0:
		return cursor{block: c.block, at: c.at - 1}, true
	case c.block > 0:
		return cursor{block: c.block - 1, at: len(t.block(c.block-1).sessions) - 1}, true
	default:
		return c, false
	}
}

// seek returns the first session, at from or after it, that ends at or after
// the time. Starting where the last search ended makes ascending searches of a
// long timeline cheap.
func (t *timeline) seek(from cursor, time int64) cursor {
	if !t.valid(from) {
		return from
	}
	b := from.block
	if t.block(b).last() < time {
		rest := t.tail[b:]
		b += 1 + sort.Search(len(rest), func(i int) bool { return rest[i].last() >= time })
		if b == t.blocks() {
			return cursor{block: b}
		}
		from.at = 0
	}
	return cursor{block: b, at: t.block(b).seek(from.at, time)}
}

// seek returns the first session from low on that ends at or after the time.
// There is one: the last. It is tried first, because most events are recent.
func (b *block) seek(low int, time int64) int {
	high := len(b.sessions) - 1
	if high > low && b.sessions[high-1].end < time {
		return high
	}
	for low < high {
		if middle := (low + high) / 2; b.sessions[middle].end < time {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// within returns the sessions that an event at the time would touch: at most
// two, or one that contains it.
func (t *timeline) within(time, gap int64) []cursor {
	var found []cursor
	c := t.seek(cursor{}, subTime(time, gap))
	for ; t.valid(c) && t.session(c).start <= addTime(time, gap); c = t.next(c) {
		found = append(found, c)
	}
	return found
}

// fits says whether a session from start to end may take the place of the one
// at c without leaving the order of time.
func (t *timeline) fits(c cursor, start, end int64) bool {
	if before, ok := t.previous(c); ok && t.session(before).end >= start {
		return false
	}
	after := t.next(c)
	return !t.valid(after) || t.session(after).start > end
}

// set replaces the session at c.
func (t *timeline) set(c cursor, s session, accs []Acc) {
	*t.session(c) = s
	copy(t.accs(c, len(accs)), accs)
}

// insert puts a session in front of c, which is where seek finds its start.
func (t *timeline) insert(c cursor, s session, accs []Acc) {
	c = t.room(c)
	b := t.block(c.block)
	b.sessions = slices.Insert(b.sessions, c.at, s)
	b.accs = slices.Insert(b.accs, c.at*len(accs), accs...)
}

// room returns where a session in front of c goes, once its block has room for
// it: at the end of the block before if c begins one, in a new last block, or
// in half of a block that was full.
func (t *timeline) room(c cursor) cursor {
	if c.at == 0 && c.block > 0 {
		if n := len(t.block(c.block - 1).sessions); n < blockSize {
			return cursor{block: c.block - 1, at: n}
		}
	}
	switch {
	case !t.valid(c):
		if c.block > 0 {
			t.tail = append(t.tail, block{})
		}
	case len(t.block(c.block).sessions) == blockSize:
		t.split(c.block)
		if half := len(t.block(c.block).sessions); c.at > half {
			return cursor{block: c.block + 1, at: c.at - half}
		}
	}
	return c
}

// leave takes sessions out from the first on while they are final by their
// ends, at most n. It returns how many these were, and the end of the last.
func (t *timeline) leave(n, stride int, final func(end int64) bool) (left int, end int64) {
	whole := 0
	for whole < t.blocks() && final(t.block(whole).last()) && left+len(t.block(whole).sessions) <= n {
		left, end = left+len(t.block(whole).sessions), t.block(whole).last()
		whole++
	}
	switch {
	case whole == 0:
	case whole == t.blocks():
		t.head, t.tail = block{}, nil
		return left, end
	default:
		t.head = t.tail[whole-1]
		t.tail = slices.Delete(t.tail, 0, whole)
	}
	b := &t.head
	some := sort.Search(min(n-left, len(b.sessions)), func(i int) bool { return !final(b.sessions[i].end) })
	if some > 0 {
		left, end = left+some, b.sessions[some-1].end
		b.cut(some, stride)
	}
	return left, end
}

// cut takes the first n sessions out, and their memory once most of it is
// unused.
func (b *block) cut(n, stride int) {
	b.sessions = slices.Delete(b.sessions, 0, n)
	b.accs = slices.Delete(b.accs, 0, n*stride)
	if cap(b.sessions) > 4*(len(b.sessions)+1) {
		b.sessions, b.accs = slices.Clone(b.sessions), slices.Clone(b.accs)
	}
}

func (t *timeline) split(i int) {
	b := t.block(i)
	half := len(b.sessions) / 2
	stride := len(b.accs) / len(b.sessions)
	upper := block{sessions: slices.Clone(b.sessions[half:]), accs: slices.Clone(b.accs[half*stride:])}
	b.sessions, b.accs = b.sessions[:half], b.accs[:half*stride]
	t.tail = slices.Insert(t.tail, i, upper)
}

// remove takes the session at c out. A block that has become small is joined
// to the next one, so that blocks stay in proportion to sessions.
func (t *timeline) remove(c cursor) {
	b := t.block(c.block)
	stride := len(b.accs) / len(b.sessions)
	b.sessions = slices.Delete(b.sessions, c.at, c.at+1)
	b.accs = slices.Delete(b.accs, c.at*stride, (c.at+1)*stride)
	switch n := len(b.sessions); {
	case n == 0 && c.block > 0:
		t.tail = slices.Delete(t.tail, c.block-1, c.block)
	case c.block == len(t.tail): // the last one
	case n == 0 || n+len(t.tail[c.block].sessions) <= blockSize/2:
		t.join(c.block)
	}
}

// join appends the block after i to block i.
func (t *timeline) join(i int) {
	b, next := t.block(i), &t.tail[i]
	b.sessions = append(b.sessions, next.sessions...)
	b.accs = append(b.accs, next.accs...)
	t.tail = slices.Delete(t.tail, i, i+1)
}
