package catalog

import (
	"fmt"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// A Vector is one column of a Chunk. Its slices alias DuckDB's memory and end
// with the chunk. Where a row is NULL, what a slice holds for it is undefined,
// except that Strings has "" there.
//
// Which method gives the values depends on the type:
//
//	BOOLEAN                                  Bools
//	TINYINT, UTINYINT                        Int8s, Uint8s
//	SMALLINT, USMALLINT                      Int16s, Uint16s
//	INTEGER, UINTEGER, DATE                  Int32s, Uint32s, Int32s
//	BIGINT, UBIGINT                          Int64s, Uint64s
//	TIME, TIME_NS, TIMESTAMP…                Micros; Int64s in the type's unit
//	TIME WITH TIME ZONE                      TimeTZs
//	HUGEINT, UHUGEINT                        Int128s
//	DECIMAL up to 4, 9, 18, 38 digits        Int16s, Int32s, Int64s, Int128s
//	FLOAT, DOUBLE                            Float32s, Float64s
//	VARCHAR; BLOB, BIT, BIGNUM, GEOMETRY     Strings; the bytes as stored
//	UUID                                     UUIDs
//	INTERVAL                                 Intervals
//	ENUM                                     EnumIndex into Type.Enum
//	LIST, MAP                                Lists into Child
//	ARRAY                                    Child, Type.Len elements a row
//	STRUCT                                   Field
//	UNION                                    Field 0 is the tag, then the members
//	VARIANT                                  AppendJSON
//
// A method that does not fit the type panics: the caller mixed up columns.
type Vector struct {
	Type  *Type
	Valid []uint64 // bit i of the words: row i is not NULL; nil when none is

	rows     int
	data     unsafe.Pointer
	children []Vector
	strings  []string // decoded once, on demand
	decoded  bool
}

// Rows is how many values the vector has.
func (v *Vector) Rows() int { return v.rows }

// IsNull reports whether row i is NULL.
func (v *Vector) IsNull(i int) bool {
	return v.Valid != nil && v.Valid[i>>6]&(1<<(i&63)) == 0
}

// physical is how DuckDB stores the values of a type.
type physical uint8

const (
	physNone physical = iota
	physBool
	physInt8
	physInt16
	physInt32
	physInt64
	physInt128
	physFloat32
	physFloat64
	physInterval
	physString
	physList
	physStruct
	physArray
)

// width is the size of one value in bytes; 0 where children hold the values.
func (p physical) width() int {
	switch p {
	case physBool, physInt8:
		return 1
	case physInt16:
		return 2
	case physInt32, physFloat32:
		return 4
	case physInt64, physFloat64:
		return 8
	case physInt128, physInterval, physString, physList:
		return 16
	default:
		return 0
	}
}

func (t *Type) physical() physical {
	switch t.ID {
	case TypeBoolean:
		return physBool
	case TypeTinyInt, TypeUTinyInt:
		return physInt8
	case TypeSmallInt, TypeUSmallInt:
		return physInt16
	case TypeInteger, TypeUInteger, TypeDate, TypeSQLNull:
		return physInt32
	case TypeBigInt, TypeUBigInt, TypeTime, TypeTimeNS, TypeTimeTZ, TypeTimestamp,
		TypeTimestampS, TypeTimestampMS, TypeTimestampNS, TypeTimestampTZ:
		return physInt64
	case TypeHugeInt, TypeUHugeInt, TypeUUID:
		return physInt128
	case TypeFloat:
		return physFloat32
	case TypeDouble:
		return physFloat64
	case TypeInterval:
		return physInterval
	case TypeVarchar, TypeBlob, TypeBit, TypeBigNum, TypeGeometry:
		return physString
	default:
		return t.parameterised()
	}
}

func (t *Type) parameterised() physical {
	switch t.ID {
	case TypeDecimal:
		return decimalPhysical(t.Width)
	case TypeEnum:
		return enumPhysical(len(t.Enum))
	case TypeList, TypeMap:
		return physList
	case TypeStruct, TypeUnion, TypeVariant:
		return physStruct
	case TypeArray:
		return physArray
	default:
		return physNone
	}
}

func decimalPhysical(width uint8) physical {
	switch {
	case width <= 4:
		return physInt16
	case width <= 9:
		return physInt32
	case width <= 18:
		return physInt64
	default:
		return physInt128
	}
}

func enumPhysical(values int) physical {
	switch {
	case values <= 1<<8:
		return physInt8
	case values <= 1<<16:
		return physInt16
	default:
		return physInt32
	}
}

// childTypes are the types of the vectors below a vector of type t.
func (t *Type) childTypes() []*Type {
	switch t.ID {
	case TypeList, TypeArray:
		return []*Type{t.Elem}
	case TypeMap:
		entry := StructType(t.Fields)
		return []*Type{&entry}
	case TypeStruct, TypeUnion:
		types := make([]*Type, 0, len(t.Fields)+1)
		if t.ID == TypeUnion {
			tag := Simple(TypeUTinyInt)
			types = append(types, &tag)
		}
		for _, f := range t.Fields {
			types = append(types, f.Type)
		}
		return types
	case TypeVariant:
		return variantTypes()
	default:
		return nil
	}
}

// load points v at a DuckDB vector of n values of type t.
func (v *Vector) load(h bindings.Vector, t *Type, n int) {
	v.Type, v.rows, v.decoded = t, n, false
	v.data = bindings.VectorGetData(h)
	v.Valid = nil
	if mask := bindings.VectorGetValidity(h); mask != nil && n > 0 {
		v.Valid = unsafe.Slice((*uint64)(mask), (n+63)/64)
	}
	types := t.childTypes()
	if len(types) == 0 {
		return
	}
	if len(v.children) != len(types) {
		v.children = make([]Vector, len(types))
	}
	for i, ct := range types {
		child, rows := v.childHandle(h, i)
		v.children[i].load(child, ct, rows)
	}
}

// childHandle is DuckDB's i-th vector below h, and how many values it has.
func (v *Vector) childHandle(h bindings.Vector, i int) (bindings.Vector, int) {
	switch v.Type.physical() {
	case physList:
		return bindings.ListVectorGetChild(h), int(bindings.ListVectorGetSize(h))
	case physArray:
		return bindings.ArrayVectorGetChild(h), v.rows * v.Type.Len
	default:
		return bindings.StructVectorGetChild(h, bindings.IdxT(i)), v.rows
	}
}

// sliceOf views the values of v as Go values of a type of the same layout.
func sliceOf[T any](v *Vector, want physical) []T {
	if v.Type.physical() == want {
		return unsafe.Slice((*T)(v.data), v.rows)
	}
	panic(fmt.Sprintf("catalog: a vector of type %s was read as %T", v.Type.Name, []T(nil)))
}

// Bools are the values of a BOOLEAN.
func (v *Vector) Bools() []bool { return sliceOf[bool](v, physBool) }

// Int8s are the values of a TINYINT.
func (v *Vector) Int8s() []int8 { return sliceOf[int8](v, physInt8) }

// Int16s are the values of a SMALLINT, or of a short DECIMAL, unscaled.
func (v *Vector) Int16s() []int16 { return sliceOf[int16](v, physInt16) }

// Int32s are the values of an INTEGER or DATE, or of a DECIMAL, unscaled.
func (v *Vector) Int32s() []int32 { return sliceOf[int32](v, physInt32) }

// Int64s are the values of a BIGINT, a time or a timestamp in its unit, or of
// a DECIMAL, unscaled.
func (v *Vector) Int64s() []int64 { return sliceOf[int64](v, physInt64) }

// Uint8s are the values of a UTINYINT.
func (v *Vector) Uint8s() []uint8 { return sliceOf[uint8](v, physInt8) }

// Uint16s are the values of a USMALLINT.
func (v *Vector) Uint16s() []uint16 { return sliceOf[uint16](v, physInt16) }

// Uint32s are the values of a UINTEGER.
func (v *Vector) Uint32s() []uint32 { return sliceOf[uint32](v, physInt32) }

// Uint64s are the values of a UBIGINT.
func (v *Vector) Uint64s() []uint64 { return sliceOf[uint64](v, physInt64) }

// Int128s are the values of a HUGEINT, or of a long DECIMAL, unscaled; of a
// UHUGEINT they are its bits.
func (v *Vector) Int128s() []Int128 { return sliceOf[Int128](v, physInt128) }

// Float32s are the values of a FLOAT.
func (v *Vector) Float32s() []float32 { return sliceOf[float32](v, physFloat32) }

// Float64s are the values of a DOUBLE.
func (v *Vector) Float64s() []float64 { return sliceOf[float64](v, physFloat64) }

// Intervals are the values of an INTERVAL.
func (v *Vector) Intervals() []Interval { return sliceOf[Interval](v, physInterval) }

// Lists are the parts of Child that are the values of a LIST or MAP.
func (v *Vector) Lists() []ListEntry { return sliceOf[ListEntry](v, physList) }

// Child holds the elements of a LIST or ARRAY; of a MAP, its entries as a
// STRUCT of key and value.
func (v *Vector) Child() *Vector { return &v.children[0] }

// Fields is how many vectors Field has.
func (v *Vector) Fields() int { return len(v.children) }

// Field is the i-th field of a STRUCT; of a UNION, 0 is the tag as UTINYINT,
// and i the member with the tag i-1.
func (v *Vector) Field(i int) *Vector { return &v.children[i] }

// UUIDs are the values of a UUID, converted.
func (v *Vector) UUIDs() []UUID {
	stored := v.Int128s()
	out := make([]UUID, len(stored))
	for i, s := range stored {
		out[i] = uuidOf(s)
	}
	return out
}

// TimeTZs are the values of a TIME WITH TIME ZONE, unpacked.
func (v *Vector) TimeTZs() []TimeTZ {
	stored := v.Uint64s()
	out := make([]TimeTZ, len(stored))
	for i, s := range stored {
		out[i] = timeTZOf(s)
	}
	return out
}

// Micros are the values of a time of day or a timestamp without its own zone,
// in microseconds whatever the unit of the type; what is finer is cut off
// towards the past.
func (v *Vector) Micros() []int64 {
	stored := v.Int64s()
	switch v.Type.ID {
	case TypeTimeNS, TypeTimestampS, TypeTimestampMS, TypeTimestampNS:
		out := make([]int64, len(stored))
		for i, n := range stored {
			out[i] = microsOf(v.Type.ID, n)
		}
		return out
	default:
		return stored
	}
}

// EnumIndex is the place of row i's value in Type.Enum; 0 where it is NULL.
func (v *Vector) EnumIndex(i int) int {
	if v.IsNull(i) {
		return 0
	}
	switch v.Type.physical() {
	case physInt8:
		return int(v.Uint8s()[i])
	case physInt16:
		return int(v.Uint16s()[i])
	default:
		return int(v.Uint32s()[i])
	}
}

// storedString is DuckDB's string_t: up to 12 bytes stand in the value itself.
type storedString struct {
	length uint32
	prefix [4]byte
	long   *byte // or 8 more bytes of a short string
}

const inlineLength = 12

// Strings are the values of a VARCHAR, or the stored bytes of a BLOB, BIT,
// BIGNUM or GEOMETRY. The strings alias the chunk: clone what outlives it.
func (v *Vector) Strings() []string {
	if v.decoded {
		return v.strings
	}
	stored := sliceOf[storedString](v, physString)
	if cap(v.strings) < len(stored) {
		v.strings = make([]string, len(stored))
	}
	v.strings = v.strings[:len(stored)]
	for i := range stored {
		switch s := &stored[i]; {
		case v.IsNull(i):
			v.strings[i] = ""
		case s.length <= inlineLength:
			v.strings[i] = unsafe.String(&s.prefix[0], s.length)
		default:
			v.strings[i] = unsafe.String(s.long, s.length)
		}
	}
	v.decoded = true
	return v.strings
}
