package catalog

import (
	"fmt"
	"unsafe"
)

// AppendChunk appends all rows of a chunk with the set's columns.
func (s *ColumnSet) AppendChunk(chunk *Chunk) {
	for i := range s.cols {
		s.AppendVector(i, chunk.Col(i), 0, chunk.Rows())
	}
}

// AppendVector appends rows from (included) to (excluded) of a vector of the
// column's type.
func (s *ColumnSet) AppendVector(col int, v *Vector, from, to int) {
	c := &s.cols[col]
	if c.typ.Name != v.Type.Name {
		panic(fmt.Sprintf("catalog: a vector of type %s appended to a column of type %s", v.Type.Name, c.typ.Name))
	}
	c.appendVector(v, from, to)
}

func (c *column) appendVector(v *Vector, from, to int) {
	if from >= to {
		return
	}
	switch c.layout {
	case layoutFixed:
		bytes := unsafe.Slice((*byte)(v.data), v.rows*c.width)
		c.fixed = append(c.fixed, bytes[from*c.width:to*c.width]...)
	case layoutString:
		c.appendStrings(v.Strings()[from:to])
	case layoutList:
		c.appendLists(v, from, to)
	case layoutStruct:
		for i := range c.below {
			c.below[i].appendVector(&v.children[i], from, to)
		}
	case layoutArray:
		c.below[0].appendVector(&v.children[0], from*c.typ.Len, to*c.typ.Len)
	}
	if v.Valid == nil && !c.nulls {
		c.rows += to - from
		return
	}
	for i := from; i < to; i++ {
		c.mark(v.IsNull(i))
	}
}

// appendStrings has "" for a NULL, which takes no room.
func (c *column) appendStrings(values []string) {
	for _, s := range values {
		c.arena = append(c.arena, s...)
		c.offsets = append(c.offsets, uint64(len(c.arena)))
	}
}

// appendLists also gives NULLs an end, and none of what their entries say.
func (c *column) appendLists(v *Vector, from, to int) {
	lists, child := v.Lists(), &c.below[0]
	for i := from; i < to; i++ {
		if !v.IsNull(i) {
			l := lists[i]
			child.appendVector(&v.children[0], int(l.Offset), int(l.Offset+l.Len))
		}
		c.offsets = append(c.offsets, uint64(child.rows))
	}
}

// AppendRow appends row i of another set with the same columns.
func (s *ColumnSet) AppendRow(from *ColumnSet, i int) {
	for j := range s.cols {
		s.cols[j].appendColumn(&from.cols[j], i, i+1)
	}
}

// appendColumn appends rows from (included) to (excluded) of a column of the
// same type.
func (c *column) appendColumn(o *column, from, to int) {
	for i := from; i < to; i++ {
		if o.isNull(i) {
			c.appendNull()
			continue
		}
		c.appendValue(o, i)
		c.mark(false)
	}
}

func (c *column) appendValue(o *column, i int) {
	switch c.layout {
	case layoutFixed:
		c.fixed = append(c.fixed, o.fixed[i*c.width:(i+1)*c.width]...)
	case layoutString:
		c.arena = append(c.arena, o.arena[o.offsets[i]:o.offsets[i+1]]...)
		c.offsets = append(c.offsets, uint64(len(c.arena)))
	case layoutList:
		c.below[0].appendColumn(&o.below[0], int(o.offsets[i]), int(o.offsets[i+1]))
		c.offsets = append(c.offsets, uint64(c.below[0].rows))
	case layoutStruct:
		for k := range c.below {
			c.below[k].appendColumn(&o.below[k], i, i+1)
		}
	case layoutArray:
		c.below[0].appendColumn(&o.below[0], i*c.typ.Len, (i+1)*c.typ.Len)
	}
}

func (c *column) isNull(i int) bool {
	return c.nulls && c.valid[i>>6]&(1<<(i&63)) == 0
}
