package catalog

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
)

// AppendFrom appends the value in a row of a column of another set, whose
// type is the same.
func (s *ColumnSet) AppendFrom(col int, from *ColumnSet, fromCol, row int) {
	s.cols[col].appendColumn(&from.cols[fromCol], row, row+1)
}

// Compare orders two rows by one column, as ORDER BY does: NULL comes last.
// Nested values are ordered by their bytes only, which is an order all the
// same.
func (s *ColumnSet) Compare(col, i, j int) int {
	c := &s.cols[col]
	if a, b := c.isNull(i), c.isNull(j); a || b {
		return boolOrder(a) - boolOrder(b)
	}
	switch c.layout {
	case layoutString:
		return bytes.Compare(c.arena[c.offsets[i]:c.offsets[i+1]], c.arena[c.offsets[j]:c.offsets[j+1]])
	case layoutFixed:
		return c.compareFixed(c.fixed[i*c.width:(i+1)*c.width], c.fixed[j*c.width:(j+1)*c.width])
	default:
		return 0
	}
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *column) compareFixed(a, b []byte) int {
	switch c.typ.ID {
	case TypeDouble:
		return cmp.Compare(math.Float64frombits(binary.LittleEndian.Uint64(a)), math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case TypeFloat:
		return cmp.Compare(math.Float32frombits(binary.LittleEndian.Uint32(a)), math.Float32frombits(binary.LittleEndian.Uint32(b)))
	default:
	}
	last := len(a) - 1
	if high := cmp.Compare(int8(a[last]), int8(b[last])); high != 0 && !c.typ.unsigned() {
		return high
	}
	for k := last; k >= 0; k-- {
		if d := cmp.Compare(a[k], b[k]); d != 0 {
			return d
		}
	}
	return 0
}
