package catalog

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"
)

// A ColumnSet is rows by column, for a Feed. It grows as values are appended:
// each row takes one value in every column, in any order of the columns.
//
// A value of another type than its column's is a mistake of the caller and
// panics; a value of the right kind that the column cannot hold (a number out
// of its range, text that is not UTF-8) is remembered by Err.
type ColumnSet struct {
	types []Type
	cols  []column
	err   error
}

// layout is how a column's values are stored, and how feed.c reads them.
type layout uint8

const (
	layoutFixed  layout = iota // values of one width, as DuckDB stores them
	layoutString               // offsets into an arena
	layoutList                 // offsets into the column below
	layoutStruct               // the columns below have a value for each row
	layoutArray                // the column below has Len values for each row
)

type column struct {
	typ    *Type
	layout layout
	width  int // of layoutFixed
	rows   int
	nulls  bool
	valid  []uint64 // a bit per row; empty until there is a NULL

	fixed   []byte
	offsets []uint64 // of row i and, after it, the end of the last
	arena   []byte
	below   []column
}

// NewColumns makes a set without rows. It panics for a type that AcquireFeed
// refuses.
func NewColumns(types []Type) *ColumnSet {
	s := &ColumnSet{types: types, cols: make([]column, len(types))}
	for i := range types {
		s.cols[i].init(&types[i])
	}
	return s
}

func (c *column) init(t *Type) {
	c.typ = t
	if t.ID == TypeVariant {
		panic("catalog: no columns of type " + t.Name)
	}
	switch p := t.physical(); p {
	case physString:
		c.layout = layoutString
		c.offsets = []uint64{0}
	case physList:
		c.layout = layoutList
		c.offsets = []uint64{0}
	case physStruct:
		c.layout = layoutStruct
	case physArray:
		c.layout = layoutArray
	case physNone:
		panic("catalog: no columns of type " + t.Name)
	default:
		c.layout, c.width = layoutFixed, p.width()
	}
	types := t.childTypes()
	c.below = make([]column, len(types))
	for i, ct := range types {
		c.below[i].init(ct)
	}
}

// Types are the types of the columns.
func (s *ColumnSet) Types() []Type { return s.types }

// Rows is how many rows there are: the values of the first column.
func (s *ColumnSet) Rows() int {
	if len(s.cols) == 0 {
		return 0
	}
	return s.cols[0].rows
}

// Err is the first value that did not fit; it has a SQLSTATE.
func (s *ColumnSet) Err() error { return s.err }

// Reset takes all rows away and keeps their memory.
func (s *ColumnSet) Reset() {
	s.err = nil
	for i := range s.cols {
		s.cols[i].truncate()
	}
}

func (c *column) truncate() {
	c.rows, c.nulls = 0, false
	c.valid, c.fixed, c.arena = c.valid[:0], c.fixed[:0], c.arena[:0]
	if len(c.offsets) > 0 {
		c.offsets = c.offsets[:1]
	}
	for i := range c.below {
		c.below[i].truncate()
	}
}

// matches reports whether the rows are whole, and of these types.
func (s *ColumnSet) matches(types []Type) bool {
	if len(types) != len(s.types) {
		return false
	}
	for i := range types {
		if types[i].Name != s.types[i].Name || s.cols[i].rows != s.cols[0].rows {
			return false
		}
	}
	return true
}

// A valueError is a value that its column cannot hold.
type valueError struct {
	message string
	state   string
}

func (e *valueError) Error() string    { return e.message }
func (e *valueError) SQLState() string { return e.state }

func (s *ColumnSet) outOfRange(c *column, v any) {
	if s.err == nil {
		s.err = &valueError{message: fmt.Sprintf("value %v is out of range for type %s", v, c.typ.Name), state: "22003"}
	}
}

// mark notes that a row was added, and whether it is NULL.
func (c *column) mark(null bool) {
	if null && !c.nulls {
		c.nulls = true
		for len(c.valid)*64 < c.rows {
			c.valid = append(c.valid, math.MaxUint64)
		}
	}
	if c.nulls {
		if c.rows>>6 >= len(c.valid) {
			c.valid = append(c.valid, math.MaxUint64)
		}
		if null {
			c.valid[c.rows>>6] &^= 1 << (c.rows & 63)
		}
	}
	c.rows++
}

// AppendNull appends NULL.
func (s *ColumnSet) AppendNull(col int) { s.cols[col].appendNull() }

// appendNull also fills the places that a NULL takes below or in the column.
func (c *column) appendNull() {
	c.mark(true)
	switch c.layout {
	case layoutFixed:
		c.fixed = append(c.fixed, make([]byte, c.width)...)
	case layoutString, layoutList:
		c.offsets = append(c.offsets, c.offsets[len(c.offsets)-1])
	case layoutStruct:
		for i := range c.below {
			c.below[i].appendNull()
		}
	case layoutArray:
		for range c.typ.Len {
			c.below[0].appendNull()
		}
	}
}

// fixedColumn is the column if its values have one of the widths.
func (s *ColumnSet) fixedColumn(col int, what string, want physical) *column {
	c := &s.cols[col]
	if c.typ.physical() != want {
		panic(fmt.Sprintf("catalog: %s appended to a column of type %s", what, c.typ.Name))
	}
	return c
}

// AppendBool appends to a BOOLEAN column.
func (s *ColumnSet) AppendBool(col int, v bool) {
	c := s.fixedColumn(col, "bool", physBool)
	b := byte(0)
	if v {
		b = 1
	}
	c.fixed = append(c.fixed, b)
	c.mark(false)
}

// AppendInt64 appends to a column whose values are integers of any width:
// besides the integers, dates in days, times and timestamps in their unit,
// DECIMALs without their point, ENUMs by index.
func (s *ColumnSet) AppendInt64(col int, v int64) { s.cols[col].appendInt64(s, v) }

func (c *column) appendInt64(s *ColumnSet, v int64) {
	var fits bool
	unsigned := c.typ.unsigned()
	switch c.typ.physical() {
	case physInt64:
		c.fixed = binary.NativeEndian.AppendUint64(c.fixed, uint64(v))
		fits = !unsigned || v >= 0
	case physInt32:
		c.fixed = binary.NativeEndian.AppendUint32(c.fixed, uint32(v))
		fits = v == int64(int32(v)) && !unsigned || v == int64(uint32(v)) && unsigned
	case physInt16:
		c.fixed = binary.NativeEndian.AppendUint16(c.fixed, uint16(v))
		fits = v == int64(int16(v)) && !unsigned || v == int64(uint16(v)) && unsigned
	case physInt8:
		c.fixed = append(c.fixed, byte(v))
		fits = v == int64(int8(v)) && !unsigned || v == int64(uint8(v)) && unsigned
	case physInt128:
		c.fixed = appendInt128(c.fixed, Int128{Lo: uint64(v), Hi: v >> 63})
		fits = !unsigned || v >= 0
	default:
		panic("catalog: an integer appended to a column of type " + c.typ.Name)
	}
	if !fits {
		s.outOfRange(c, v)
	}
	c.mark(false)
}

func (t *Type) unsigned() bool {
	switch t.ID {
	case TypeUTinyInt, TypeUSmallInt, TypeUInteger, TypeUBigInt, TypeUHugeInt, TypeEnum, TypeTimeTZ:
		return true
	default:
		return false
	}
}

func appendInt128(dst []byte, v Int128) []byte {
	dst = binary.NativeEndian.AppendUint64(dst, v.Lo)
	return binary.NativeEndian.AppendUint64(dst, uint64(v.Hi))
}

// AppendUint64 appends to a UBIGINT column, or to a BIGINT one what fits.
func (s *ColumnSet) AppendUint64(col int, v uint64) {
	c := s.fixedColumn(col, "uint64", physInt64)
	if !c.typ.unsigned() && v > math.MaxInt64 {
		s.outOfRange(c, v)
	}
	c.fixed = binary.NativeEndian.AppendUint64(c.fixed, v)
	c.mark(false)
}

// AppendInt128 appends to a HUGEINT column, or to a DECIMAL one the number
// without its point.
func (s *ColumnSet) AppendInt128(col int, v Int128) {
	c := &s.cols[col]
	if c.typ.physical() == physInt128 && c.typ.ID != TypeUUID {
		if c.typ.unsigned() && v.Hi < 0 {
			s.outOfRange(c, v)
		}
		c.fixed = appendInt128(c.fixed, v)
		c.mark(false)
		return
	}
	if v.Hi != int64(v.Lo)>>63 {
		s.outOfRange(c, v)
	}
	c.appendInt64(s, int64(v.Lo))
}

// AppendNumeric appends a number as text to a DECIMAL column. It reports
// whether the column's type holds it exactly; nothing is appended if not.
func (s *ColumnSet) AppendNumeric(col int, text NumericText) bool {
	c := &s.cols[col]
	v, ok := parseDecimal(string(text), int(c.typ.Width), int(c.typ.Scale))
	if ok {
		s.AppendInt128(col, v)
	}
	return ok
}

// AppendFloat32 appends to a FLOAT column.
func (s *ColumnSet) AppendFloat32(col int, v float32) {
	c := s.fixedColumn(col, "float32", physFloat32)
	c.fixed = binary.NativeEndian.AppendUint32(c.fixed, math.Float32bits(v))
	c.mark(false)
}

// AppendFloat64 appends to a DOUBLE column.
func (s *ColumnSet) AppendFloat64(col int, v float64) {
	c := s.fixedColumn(col, "float64", physFloat64)
	c.fixed = binary.NativeEndian.AppendUint64(c.fixed, math.Float64bits(v))
	c.mark(false)
}

// AppendTimestamp appends to a TIMESTAMP column, with or without time zone:
// microseconds from 1970.
func (s *ColumnSet) AppendTimestamp(col int, micros int64) { s.AppendInt64(col, micros) }

// AppendDate appends to a DATE column: days from 1970-01-01.
func (s *ColumnSet) AppendDate(col int, days int32) { s.AppendInt64(col, int64(days)) }

// AppendTimeTZ appends to a TIME WITH TIME ZONE column.
func (s *ColumnSet) AppendTimeTZ(col int, v TimeTZ) {
	c := s.fixedColumn(col, "time", physInt64)
	c.fixed = binary.NativeEndian.AppendUint64(c.fixed, timeTZBits(v))
	c.mark(false)
}

// AppendInterval appends to an INTERVAL column.
func (s *ColumnSet) AppendInterval(col int, v Interval) {
	c := s.fixedColumn(col, "interval", physInterval)
	c.fixed = binary.NativeEndian.AppendUint32(c.fixed, uint32(v.Months))
	c.fixed = binary.NativeEndian.AppendUint32(c.fixed, uint32(v.Days))
	c.fixed = binary.NativeEndian.AppendUint64(c.fixed, uint64(v.Micros))
	c.mark(false)
}

// AppendUUID appends to a UUID column.
func (s *ColumnSet) AppendUUID(col int, v UUID) { s.cols[col].appendUUID(v) }

func (c *column) appendUUID(v UUID) {
	if c.typ.ID != TypeUUID {
		panic("catalog: a UUID appended to a column of type " + c.typ.Name)
	}
	c.fixed = appendInt128(c.fixed, uuidBits(v))
	c.mark(false)
}

// AppendString appends to a VARCHAR column, or to a BLOB, BIT or BIGNUM one
// the bytes as DuckDB stores them. Text must be UTF-8.
func (s *ColumnSet) AppendString(col int, v string) { appendText(s, &s.cols[col], v) }

// AppendBytes is AppendString for bytes.
func (s *ColumnSet) AppendBytes(col int, v []byte) { appendText(s, &s.cols[col], v) }

// AppendBit appends to a BIT column.
func (s *ColumnSet) AppendBit(col int, v BitString) { appendText(s, &s.cols[col], bitBytes(v)) }

func appendText[T string | []byte](s *ColumnSet, c *column, v T) {
	if c.layout != layoutString {
		panic("catalog: text appended to a column of type " + c.typ.Name)
	}
	start := len(c.arena)
	c.arena = append(c.arena, v...)
	c.offsets = append(c.offsets, uint64(len(c.arena)))
	c.mark(false)
	if c.typ.ID == TypeVarchar && !utf8.Valid(c.arena[start:]) && s.err == nil {
		s.err = &valueError{message: `invalid byte sequence for encoding "UTF8"`, state: "22021"}
	}
}

// AppendUUIDList appends to a UUID[] column.
func (s *ColumnSet) AppendUUIDList(col int, items []UUID) {
	c := s.listColumn(col)
	for _, v := range items {
		c.below[0].appendUUID(v)
	}
	c.endList()
}

// AppendInt64List appends to a column of lists of integers.
func (s *ColumnSet) AppendInt64List(col int, items []int64) {
	c := s.listColumn(col)
	for _, v := range items {
		c.below[0].appendInt64(s, v)
	}
	c.endList()
}

// AppendStringList appends to a VARCHAR[] column.
func (s *ColumnSet) AppendStringList(col int, items []string) {
	c := s.listColumn(col)
	for _, v := range items {
		appendText(s, &c.below[0], v)
	}
	c.endList()
}

func (s *ColumnSet) listColumn(col int) *column {
	c := &s.cols[col]
	if c.layout != layoutList {
		panic("catalog: a list appended to a column of type " + c.typ.Name)
	}
	return c
}

func (c *column) endList() {
	c.offsets = append(c.offsets, uint64(c.below[0].rows))
	c.mark(false)
}
