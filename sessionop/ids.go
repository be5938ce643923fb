package sessionop

import "math/bits"

// idShards is how many tables the ids are spread over: growing moves the ids
// of one table, not all.
const idShards = 256

// idSlotBytes is the size of a slot.
const idSlotBytes = 24

// idIndex is the set of counted ids with the hash of each one's values. Its
// tables are open-addressed and probed linearly; positions keep the order of
// the hashes, which are uniform already.
type idIndex struct {
	shards [idShards]idTable
	count  int
}

type idTable struct {
	slots []countedID
	used  int
}

// The zero hash marks an empty slot; an id that hashes to it takes its
// neighbour, with the odds of any other collision.
func (h Hash) slotKey() Hash {
	if h == (Hash{}) {
		return Hash{Lo: 1}
	}
	return h
}

func (x *idIndex) shard(h Hash) *idTable { return &x.shards[h.Hi>>56] }

// get returns the hash of the values that were counted under the id.
func (x *idIndex) get(member Hash) (values uint64, ok bool) {
	member = member.slotKey()
	t := x.shard(member)
	if t.used == 0 {
		return 0, false
	}
	s := t.slots[t.find(member)]
	return s.values, s.member == member
}

// put adds an id, or gives it other values.
func (x *idIndex) put(id countedID) {
	id.member = id.member.slotKey()
	t := x.shard(id.member)
	if t.used >= len(t.slots)/5*4 {
		t.grow()
	}
	i := t.find(id.member)
	if t.slots[i].member != id.member {
		t.used++
		x.count++
	}
	t.slots[i] = id
}

// remove forgets an id, if it is there.
func (x *idIndex) remove(member Hash) {
	member = member.slotKey()
	t := x.shard(member)
	if t.used == 0 {
		return
	}
	i := t.find(member)
	if t.slots[i].member != member {
		return
	}
	t.close(i)
	t.used--
	x.count--
}

func (x *idIndex) bytes() int {
	n := 0
	for i := range x.shards {
		n += cap(x.shards[i].slots)
	}
	return n * idSlotBytes
}

// home is where an id would stand in an empty table.
func (t *idTable) home(member Hash) int {
	hi, _ := bits.Mul64(member.Lo, uint64(len(t.slots)))
	return int(hi)
}

// find returns the slot that holds the id, or the empty one where it goes.
func (t *idTable) find(member Hash) int {
	i := t.home(member)
	for t.slots[i].member != member && t.slots[i].member != (Hash{}) {
		i = t.after(i)
	}
	return i
}

func (t *idTable) after(i int) int {
	if i++; i == len(t.slots) {
		return 0
	}
	return i
}

// close empties slot i and moves up what was displaced past it.
func (t *idTable) close(i int) {
	for j := t.after(i); t.slots[j].member != (Hash{}); j = t.after(j) {
		if home := t.home(t.slots[j].member); t.distance(home, j) >= t.distance(i, j) {
			t.slots[i] = t.slots[j]
			i = j
		}
	}
	t.slots[i] = countedID{}
}

// distance is how many steps lead from slot i to slot j.
func (t *idTable) distance(i, j int) int {
	if j < i {
		return j - i + len(t.slots)
	}
	return j - i
}

// grow makes room for half as many ids again: tables that double would be half
// empty for most of their life.
func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]countedID, max(8, len(old)/2*3))
	for _, s := range old {
		if s.member != (Hash{}) {
			t.slots[t.find(s.member)] = s
		}
	}
}
