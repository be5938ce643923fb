package sessionop

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// source says which list of the commit a point is of.
type source uint8

const (
	arrived source = iota
	member
	removed
)

// point is one event of the commit where its key's timeline wants it: small,
// so that the commit can be put in order quickly.
type point struct {
	prefix uint64 // of the key, see sorter
	time   int64
	row    int32
	from   source
}

// event returns the point's row.
func (c *Commit) event(p point) *Event { return &c.rows(p.from)[p.row] }

func (c *Commit) rows(from source) []Event {
	switch from {
	case arrived:
		return c.Arrived
	case member:
		return c.Members
	default:
		return c.Removed
	}
}

// sorter orders points by key, then time. Keys are compared by the eight bytes
// behind what all keys of the commit have in common, and in full only where
// these are equal.
type sorter struct {
	c      *Commit
	common int
}

func newSorter(c *Commit) sorter {
	s := sorter{c: c, common: -1}
	var first string
	for from := arrived; from <= removed; from++ {
		rows := c.rows(from)
		for i := range rows {
			switch {
			case rows[i].Flags&NoKey != 0:
			case s.common < 0:
				first, s.common = rows[i].Key, len(rows[i].Key)
			default:
				s.common = commonPrefix(first[:s.common], rows[i].Key)
			}
		}
	}
	return s
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func (s sorter) point(from source, row int) point {
	e := &s.c.rows(from)[row]
	var prefix [8]byte
	copy(prefix[:], e.Key[s.common:])
	return point{
		prefix: binary.BigEndian.Uint64(prefix[:]),
		time:   e.Time,
		row:    int32(row), // a commit's rows fit: each takes over 100 bytes
		from:   from,
	}
}

func (s sorter) sort(points []point) {
	slices.SortFunc(points, func(a, b point) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		if c := strings.Compare(s.c.event(a).Key, s.c.event(b).Key); c != 0 {
			return c
		}
		if a.time != b.time {
			return cmp.Compare(a.time, b.time)
		}
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.row, b.row))
	})
}

// sameKey returns how many of the points, from the first, are of its key.
func (s sorter) sameKey(points []point) int {
	key := s.c.event(points[0]).Key
	n := 1
	for n < len(points) && points[n].prefix == points[0].prefix && s.c.event(points[n]).Key == key {
		n++
	}
	return n
}
