package catalog

import (
	"fmt"
	"strings"
)

// Value is row i as a Go value, for types that Go has none for one of
// value.go; nil for NULL. It suits single values: a column is read faster by
// the method that fits its type.
//
//	BOOLEAN                                bool
//	integers up to INTEGER, UINTEGER       int64
//	BIGINT, UBIGINT                        int64, uint64
//	HUGEINT, UHUGEINT, BIGNUM, DECIMAL     Int128, NumericText
//	FLOAT, DOUBLE                          float32, float64
//	VARCHAR, ENUM                          string
//	BLOB, GEOMETRY                         []byte
//	BIT, UUID, INTERVAL                    BitString, UUID, Interval
//	DATE, TIME, TIME_NS, TIMETZ            Date, Time, TimeNS, TimeTZ
//	TIMESTAMP, _S, _MS                     Timestamp
//	TIMESTAMP_NS, TIMESTAMPTZ              TimestampNS, TimestampTZ
//	LIST and ARRAY, STRUCT, MAP, UNION     List, Struct, Map, Union
//	VARIANT                                string: JSON
func (v *Vector) Value(i int) any {
	if v.IsNull(i) {
		return nil
	}
	switch v.Type.ID {
	case TypeBoolean:
		return v.Bools()[i]
	case TypeTinyInt, TypeSmallInt, TypeInteger, TypeBigInt, TypeUTinyInt, TypeUSmallInt, TypeUInteger:
		return v.integer(i)
	case TypeUBigInt:
		return v.Uint64s()[i]
	case TypeHugeInt:
		return v.Int128s()[i]
	case TypeUHugeInt, TypeBigNum, TypeDecimal:
		return NumericText(v.appendNumber(nil, i))
	case TypeFloat:
		return v.Float32s()[i]
	case TypeDouble:
		return v.Float64s()[i]
	case TypeVarchar:
		return strings.Clone(v.Strings()[i])
	case TypeEnum:
		return v.Type.Enum[v.EnumIndex(i)]
	case TypeBlob, TypeGeometry:
		return []byte(v.Strings()[i])
	case TypeBit:
		return bitText(v.Strings()[i])
	case TypeUUID:
		return uuidOf(v.Int128s()[i])
	default:
		return v.timeOrNested(i)
	}
}

func (v *Vector) timeOrNested(i int) any {
	switch v.Type.ID {
	case TypeInterval:
		return v.Intervals()[i]
	case TypeDate:
		return Date(v.Int32s()[i])
	case TypeTime:
		return Time(v.Int64s()[i])
	case TypeTimeNS:
		return TimeNS(v.Int64s()[i])
	case TypeTimeTZ:
		return timeTZOf(v.Uint64s()[i])
	case TypeTimestamp, TypeTimestampS, TypeTimestampMS:
		return Timestamp(microsOf(v.Type.ID, v.Int64s()[i]))
	case TypeTimestampNS:
		return TimestampNS(v.Int64s()[i])
	case TypeTimestampTZ:
		return TimestampTZ(v.Int64s()[i])
	case TypeList, TypeArray:
		return v.list(i)
	case TypeMap:
		return v.mapEntries(i)
	case TypeStruct:
		return v.structFields(i)
	case TypeUnion:
		at := int(v.Field(0).Uint8s()[i])
		return Union{Member: v.Type.Fields[at].Name, Value: v.Field(at + 1).Value(i)}
	case TypeVariant:
		return string(v.AppendJSON(nil, i))
	default:
		return nil
	}
}

// integer is row i of a column of integers of up to 64 bits with a sign, or
// up to 32 without.
func (v *Vector) integer(i int) int64 {
	switch v.Type.ID {
	case TypeTinyInt:
		return int64(v.Int8s()[i])
	case TypeSmallInt:
		return int64(v.Int16s()[i])
	case TypeInteger:
		return int64(v.Int32s()[i])
	case TypeUTinyInt:
		return int64(v.Uint8s()[i])
	case TypeUSmallInt:
		return int64(v.Uint16s()[i])
	case TypeUInteger:
		return int64(v.Uint32s()[i])
	default:
		return v.Int64s()[i]
	}
}

// unscaled is row i of a DECIMAL without its point.
func (v *Vector) unscaled(i int) Int128 {
	var n int64
	switch v.Type.physical() {
	case physInt16:
		n = int64(v.Int16s()[i])
	case physInt32:
		n = int64(v.Int32s()[i])
	case physInt64:
		n = v.Int64s()[i]
	default:
		return v.Int128s()[i]
	}
	return Int128{Lo: uint64(n), Hi: n >> 63}
}

// span is where row i's elements stand in the child.
func (v *Vector) span(i int) (from, to int) {
	if v.Type.ID == TypeArray {
		return i * v.Type.Len, (i + 1) * v.Type.Len
	}
	l := v.Lists()[i]
	return int(l.Offset), int(l.Offset + l.Len)
}

func (v *Vector) list(i int) List {
	from, to := v.span(i)
	out := List{Elem: *v.Type.Elem, Items: make([]any, 0, to-from)}
	for j := from; j < to; j++ {
		out.Items = append(out.Items, v.Child().Value(j))
	}
	return out
}

func (v *Vector) mapEntries(i int) Map {
	from, to := v.span(i)
	out := make(Map, 0, to-from)
	keys, values := v.Child().Field(0), v.Child().Field(1)
	for j := from; j < to; j++ {
		out = append(out, MapEntry{Key: keys.Value(j), Value: values.Value(j)})
	}
	return out
}

func (v *Vector) structFields(i int) Struct {
	out := make(Struct, len(v.Type.Fields))
	for k, f := range v.Type.Fields {
		out[k] = NamedValue{Name: f.Name, Value: v.Field(k).Value(i)}
	}
	return out
}

// scan stores row i in what dest points at.
func (v *Vector) scan(i int, dest any) error {
	value := v.Value(i)
	ok := true
	switch d := dest.(type) {
	case *any:
		*d = value
	case *int64:
		*d, ok = scanInt64(value)
	case *uint64:
		*d, ok = value.(uint64)
	case *string:
		*d, ok = value.(string)
	case *bool:
		*d, ok = value.(bool)
	case *float64:
		*d, ok = value.(float64)
	case *[]byte:
		*d, ok = value.([]byte)
	case *UUID:
		*d, ok = value.(UUID)
	case *Int128:
		*d, ok = value.(Int128)
	default:
		return fmt.Errorf("a %s cannot be read into a %T", v.Type.Name, dest)
	}
	if !ok && value != nil {
		return fmt.Errorf("a %s cannot be read into a %T", v.Type.Name, dest)
	}
	return nil
}

// scanInt64 also takes times and timestamps in microseconds, and HUGEINTs that
// fit.
func scanInt64(value any) (int64, bool) {
	switch x := value.(type) {
	case int64:
		return x, true
	case Timestamp:
		return int64(x), true
	case TimestampTZ:
		return int64(x), true
	case Time:
		return int64(x), true
	case Date:
		return int64(x), true
	case Int128:
		return int64(x.Lo), x.Hi == int64(x.Lo)>>63
	case uint64:
		return int64(x), int64(x) >= 0
	default:
		return 0, false
	}
}
