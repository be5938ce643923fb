package catalog

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"strconv"
)

// The Go types of DuckDB's values, where Go has none of its own. They serve as
// arguments of statements and as results of Vector.Value.
type (
	// Int128 is a HUGEINT: a signed integer in two's complement.
	Int128 struct {
		Lo uint64
		Hi int64
	}
	// NumericText is a number as text: an optional sign and digits with an
	// optional point. As an argument it takes the DECIMAL type of its
	// parameter, or else the narrowest that holds it.
	NumericText string
	// UUID is a UUID in network byte order.
	UUID [16]byte
	// Date counts days from 1970-01-01; the extremes are the infinite dates.
	Date int32
	// Time is a time of day in microseconds.
	Time int64
	// TimeNS is a time of day in nanoseconds.
	TimeNS int64
	// TimeTZ is a time of day in microseconds with its zone's offset in
	// seconds east of UTC.
	TimeTZ struct {
		Micros int64
		Offset int32
	}
	// Timestamp is microseconds from 1970-01-01 00:00:00 without a time zone.
	Timestamp int64
	// TimestampTZ is microseconds from 1970-01-01 00:00:00 UTC.
	TimestampTZ int64
	// TimestampNS is nanoseconds from 1970-01-01 00:00:00 without a time zone.
	TimestampNS int64
	// Interval is a length of time in DuckDB's three parts.
	Interval struct {
		Months int32
		Days   int32
		Micros int64
	}
	// BitString is a BIT value as '0' and '1'.
	BitString string
	// List is a LIST or ARRAY. Elem may be left unknown in arguments whose
	// items are all of one Go type.
	List struct {
		Elem  Type
		Items []any
	}
	// Struct is a STRUCT: its fields in order.
	Struct []NamedValue
	// NamedValue is one field of a Struct.
	NamedValue struct {
		Name  string
		Value any
	}
	// Map is a MAP: its entries in order.
	Map []MapEntry
	// MapEntry is one entry of a Map.
	MapEntry struct{ Key, Value any }
	// Union is a UNION: the member that it holds, and its value.
	Union struct {
		Member string
		Value  any
	}
	// ListEntry is one list of a vector of lists: Child[Offset:Offset+Len].
	ListEntry struct{ Offset, Len uint64 }
)

// The infinite dates and timestamps, as DuckDB stores them.
const (
	DateInfinity         Date      = 1<<31 - 1
	DateNegInfinity      Date      = -(1<<31 - 1)
	TimestampInfinity    Timestamp = 1<<63 - 1
	TimestampNegInfinity Timestamp = -(1<<63 - 1)
)

// maxZoneOffset is the greatest offset of a TIMETZ in seconds: 15:59:59.
const maxZoneOffset = 16*3600 - 1

// timeTZBits packs a TIMETZ as DuckDB stores it: the time above, and below,
// in 24 bits, the offset counted down from its greatest value.
func timeTZBits(t TimeTZ) uint64 {
	return uint64(t.Micros)<<24 | uint64(maxZoneOffset-t.Offset)
}

func timeTZOf(packed uint64) TimeTZ {
	return TimeTZ{Micros: int64(packed >> 24), Offset: maxZoneOffset - int32(packed&(1<<24-1))}
}

// uuidOf converts from DuckDB's form, which flips the top bit so that UUIDs
// order as signed integers.
func uuidOf(v Int128) UUID {
	var u UUID
	binary.BigEndian.PutUint64(u[:8], uint64(v.Hi)^1<<63)
	binary.BigEndian.PutUint64(u[8:], v.Lo)
	return u
}

func uuidBits(u UUID) Int128 {
	return Int128{Lo: binary.BigEndian.Uint64(u[8:]), Hi: int64(binary.BigEndian.Uint64(u[:8]) ^ 1<<63)}
}

// String is the usual form: 8-4-4-4-12 hexadecimal digits.
func (u UUID) String() string { return string(u.append(nil)) }

func (u UUID) append(dst []byte) []byte {
	const digits = "0123456789abcdef"
	for i, b := range u {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return dst
}

// String is the number in decimal.
func (v Int128) String() string { return string(v.appendDecimal(nil, 0)) }

// appendDecimal appends v / 10^scale in decimal, with all scale digits.
func (v Int128) appendDecimal(dst []byte, scale int) []byte {
	hi, lo := uint64(v.Hi), v.Lo
	if v.Hi < 0 {
		dst = append(dst, '-')
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	return appendUnsigned(dst, hi, lo, scale)
}

// appendUnsigned appends hi*2^64+lo with a point before its last scale digits.
func appendUnsigned(dst []byte, hi, lo uint64, scale int) []byte {
	var buf [48]byte
	digits := buf[:0]
	if hi == 0 {
		digits = strconv.AppendUint(digits, lo, 10)
	} else {
		digits = appendWide(digits, hi, lo)
	}
	for len(digits) <= scale { // at least one digit before the point
		digits = append(digits, 0)
		copy(digits[1:], digits)
		digits[0] = '0'
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	if scale > 0 {
		dst = append(dst, '.')
		dst = append(dst, digits[len(digits)-scale:]...)
	}
	return dst
}

// appendWide appends a number of more than 64 bits, 19 digits at a time.
func appendWide(dst []byte, hi, lo uint64) []byte {
	const group = 10_000_000_000_000_000_000 // 10^19
	high, rest := hi/group, hi%group
	mid, low := bits.Div64(rest, lo, group)
	if high > 0 { // 2^64 < 2×10^19, so the upper part has at most one more group
		top, next := bits.Div64(high, mid, group)
		dst = strconv.AppendUint(dst, top, 10)
		dst = appendPadded(dst, next)
	} else {
		dst = strconv.AppendUint(dst, mid, 10)
	}
	return appendPadded(dst, low)
}

func appendPadded(dst []byte, n uint64) []byte {
	const width = 19
	start := len(dst)
	dst = append(dst, "0000000000000000000"...)
	var buf [20]byte
	digits := strconv.AppendUint(buf[:0], n, 10)
	copy(dst[start+width-len(digits):], digits)
	return dst
}

// bitText is a BIT's stored form (a count of padding bits, then the bits from
// the left) as '0' and '1'.
func bitText(stored string) BitString {
	if stored == "" {
		return ""
	}
	padding := int(stored[0])
	n := (len(stored)-1)*8 - padding
	out := make([]byte, n)
	for i := range out {
		at := i + padding
		out[i] = '0' + stored[1+at/8]>>(7-at%8)&1
	}
	return BitString(out)
}

// bitBytes is the inverse of bitText.
func bitBytes(b BitString) []byte {
	padding := (8 - len(b)%8) % 8
	out := make([]byte, 1+(len(b)+padding)/8)
	out[0] = byte(padding)
	for i := range padding {
		out[1] |= 0x80 >> i
	}
	for i := range len(b) {
		if b[i] == '1' {
			at := i + padding
			out[1+at/8] |= 0x80 >> (at % 8)
		}
	}
	return out
}

// bigNumText is a BIGNUM's stored form as decimal text: three bytes of header,
// whose first bit is set for numbers that are not negative, then the magnitude
// from the left; all bits of a negative number are flipped.
func bigNumText(stored string) NumericText {
	const header = 3
	if len(stored) < header {
		return "0"
	}
	magnitude := []byte(stored[header:])
	negative := stored[0]&0x80 == 0
	if negative {
		for i := range magnitude {
			magnitude[i] = ^magnitude[i]
		}
	}
	n := new(big.Int).SetBytes(magnitude)
	if negative {
		n.Neg(n)
	}
	return NumericText(n.String())
}
