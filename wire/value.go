package wire

// A Value is one decoded parameter: nil for NULL, else exactly one of
//
//	bool, int64 (int2, int4, int8, oid), float32, float64, string (text,
//	varchar, json, enum, unknown and every type that is not listed),
//	[]byte (bytea), Numeric, UUID, Date, Time, Timestamp (with and without
//	zone), Interval, Array
type Value any

// Int128 is a signed 128-bit integer in two's complement.
type Int128 struct {
	Lo uint64
	Hi int64
}

// Numeric is a decimal number, as its canonical text: an optional sign, digits
// with an optional point, or NaN, Infinity, -Infinity.
type Numeric string

// UUID is a UUID in network byte order.
type UUID [16]byte

// Date is a day, counted from 1970-01-01. DateInfinity and DateNegInfinity
// are the infinite ones.
type Date int32

// Time is a time of day in microseconds.
type Time int64

// Timestamp is microseconds from 1970-01-01 00:00:00 (UTC where the type has a
// time zone). TimestampInfinity and TimestampNegInfinity are the infinite ones.
type Timestamp int64

// Interval is a length of time in the three parts that Postgres keeps.
type Interval struct {
	Months int32
	Days   int32
	Micros int64
}

// Array is a one-dimensional array (or one dimension of a nested one).
type Array struct {
	Elem  uint32 // OID of the elements
	Items []Value
}

// The infinite dates and timestamps, as DuckDB and Postgres both order them.
const (
	DateInfinity         Date      = 1<<31 - 1
	DateNegInfinity      Date      = -(1<<31 - 1)
	TimestampInfinity    Timestamp = 1<<63 - 1
	TimestampNegInfinity Timestamp = -(1<<63 - 1)
)

// Kind says how a Vector holds its values.
type Kind uint8

// The kinds of a Vector, with the field that holds the values.
const (
	KindBool        Kind = iota // Bools
	KindInt16                   // Int16s
	KindInt32                   // Int32s
	KindInt64                   // Int64s
	KindFloat32                 // Float32s
	KindFloat64                 // Float64s
	KindString                  // Strings: text, json, and anything that is text already
	KindBytes                   // Strings: bytea
	KindNumeric16               // Int16s, scaled by 10^Type.Scale
	KindNumeric32               // Int32s, scaled
	KindNumeric64               // Int64s, scaled
	KindNumeric128              // Int128s, scaled
	KindNumericText             // Strings: canonical decimal text of any length
	KindDate                    // Int32s: days from 1970-01-01
	KindTime                    // Int64s: microseconds
	KindTimeTZ                  // Int64s: microseconds; zone in Int32s: seconds east of UTC
	KindTimestamp               // Int64s: microseconds from 1970
	KindTimestampTZ             // Int64s: microseconds from 1970, UTC
	KindInterval                // Intervals
	KindUUID                    // UUIDs
	KindList                    // Lists into Child
	KindBit                     // Strings: '0' and '1'
)

// Type is a result column's type: how Postgres names it and how a Vector
// holds it.
type Type struct {
	OID    uint32
	Size   int16 // typlen: -1 for a variable length
	Typmod int32 // -1 for none
	Kind   Kind
	Scale  uint8 // of the numeric kinds
	Elem   *Type // of KindList
}

// A Vector is one column of a Batch: Type.Kind says which slice holds the
// values. It aliases memory of whoever made it and stands until the call that
// it was passed to returns.
type Vector struct {
	Type      *Type
	Valid     []uint64 // bit i: row i is not NULL; nil: no NULLs
	Bools     []bool
	Int16s    []int16
	Int32s    []int32
	Int64s    []int64
	Float32s  []float32
	Float64s  []float64
	Strings   []string
	Int128s   []Int128
	Intervals []Interval
	UUIDs     []UUID
	Lists     []Span
	Child     *Vector
}

// Span is one list of a KindList vector: Child[Offset : Offset+Len].
type Span struct{ Offset, Len uint64 }

// A Batch is some rows, held by column: of the rows of its vectors, Rows from
// number First on.
type Batch struct {
	First int
	Rows  int
	Cols  []Vector
}
