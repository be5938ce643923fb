package sessionop

import (
	"slices"
	"unsafe"
)

// Who looks for the sessions of a key wants those that left too. An index of
// them is kept from the first time that somebody asks, and takes eight bytes
// for each.

const (
	seqBits = 40
	// maxSeq is the greatest number of a revision that an AwayIndex can hold.
	maxSeq = 1<<seqBits - 1
	// unsortedPart is how large a part of a shard may be out of order, at the
	// least unsortedFew: one in so many.
	unsortedPart = 8
	unsortedFew  = 64
)

// An AwayIndex says which revisions may be sessions of a key that left. It can
// name one too many, of another key or retired since, and never one too few.
type AwayIndex struct {
	shards [256]awayShard // by the first byte of the key's hash
}

// awayShard has one entry for each session: 24 bits of the key's hash, then the
// number of the revision. The first entries are in order.
type awayShard struct {
	entries []uint64
	sorted  int
}

// Add adds the session that a revision of a key is, given Hash.Hi of the hash
// of the key.
func (x *AwayIndex) Add(keyHi uint64, seq int64) {
	shard := &x.shards[keyHi>>56]
	shard.entries = append(shard.entries, awayEntry(keyHi)|uint64(seq))
	if loose := len(shard.entries) - shard.sorted; loose > max(unsortedFew, shard.sorted/unsortedPart) {
		shard.sort(loose)
	}
}

// awayEntry is the least entry of a key.
func awayEntry(keyHi uint64) uint64 { return keyHi << 8 >> seqBits << seqBits }

// sort moves the last entries, which are loose, to where they belong.
func (s *awayShard) sort(loose int) {
	last := slices.Clone(s.entries[s.sorted:])
	slices.Sort(last)
	from := s.sorted - 1
	for to := len(s.entries) - 1; loose > 0; to-- {
		if from >= 0 && s.entries[from] > last[loose-1] {
			s.entries[to] = s.entries[from]
			from--
		} else {
			loose--
			s.entries[to] = last[loose]
		}
	}
	s.entries = slices.Compact(s.entries)
	s.sorted = len(s.entries)
}

// appendSeqs appends the revisions of a key in no order, some perhaps twice, and
// stops when it has more than limit.
func (x *AwayIndex) appendSeqs(seqs []int64, keyHi uint64, limit int) []int64 {
	shard, first := &x.shards[keyHi>>56], awayEntry(keyHi)
	at, _ := slices.BinarySearch(shard.entries[:shard.sorted], first)
	for ; at < shard.sorted && shard.entries[at] <= first|maxSeq && len(seqs) <= limit; at++ {
		seqs = append(seqs, int64(shard.entries[at]&maxSeq))
	}
	for _, e := range shard.entries[shard.sorted:] {
		if awayEntry(keyHi) == e&^maxSeq && len(seqs) <= limit {
			seqs = append(seqs, int64(e&maxSeq))
		}
	}
	return seqs
}

// addAll adds what another index has.
func (x *AwayIndex) addAll(other *AwayIndex) {
	for i := range other.shards {
		shard := &x.shards[i]
		shard.entries = append(shard.entries, other.shards[i].entries...)
		shard.sort(len(shard.entries) - shard.sorted)
	}
}

// bytes is what the index takes, if there is one.
func (x *AwayIndex) bytes() int {
	if x == nil {
		return 0
	}
	n := int(unsafe.Sizeof(*x))
	for i := range x.shards {
		n += 8 * cap(x.shards[i].entries)
	}
	return n
}

// WantsAwayIndex reports whether sessions have left that no index is begun of.
func (s *State) WantsAwayIndex() bool { return s.away.Defined && s.index == nil }

// BeginAwayIndex begins an index of the sessions that leave. The caller must
// bring those that left before it: the current sessions that ended by Away.
func (s *State) BeginAwayIndex() { s.index = &AwayIndex{} }

// CompleteAwayIndex ends what BeginAwayIndex began: before has the sessions that
// left before it; nil gives the index up.
func (s *State) CompleteAwayIndex(before *AwayIndex) {
	if before != nil {
		before.addAll(s.index)
	}
	s.index, s.indexed = before, before != nil
}

// Seqs returns the revisions that the current sessions of a key are, in order,
// and perhaps some more. ok is false if there may be more than limit, or where
// some have left and are not indexed.
func (s *State) Seqs(key string, limit int) (seqs []int64, ok bool) {
	if s.away.Defined && !s.indexed || s.nextSeq > maxSeq {
		return nil, false
	}
	if line := s.keys.find(key); line != nil {
		for at := (cursor{}); line.valid(at) && len(seqs) <= limit; at = line.next(at) {
			seqs = append(seqs, line.session(at).seq)
		}
	}
	if s.indexed {
		seqs = s.index.appendSeqs(seqs, keyHash(key).Hi, limit)
	}
	if len(seqs) > limit { // it is not known which of them are there twice
		return nil, false
	}
	slices.Sort(seqs)
	return slices.Compact(seqs), true
}

// noteLeaving adds the first sessions of a timeline, at most n, to the index as
// far as they are final.
func (s *State) noteLeaving(line *timeline, n int) {
	if s.index == nil {
		return
	}
	for at := (cursor{}); n > 0 && line.valid(at) && s.spec.isFinal(line.session(at).end, s.clocks.view); at = line.next(at) {
		s.index.Add(line.hash.Hi, line.session(at).seq)
		n--
	}
}
