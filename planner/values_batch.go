package planner

import (
	"unsafe"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// batch makes a chunk what wire sends. Where both hold a type alike, the batch
// aliases the chunk; the rest is converted, into memory of its own. It stands
// as long as the chunk.
func batch(chunk *catalog.Chunk, into *wire.Batch) {
	into.First, into.Rows = 0, chunk.Rows()
	if len(into.Cols) != chunk.Cols() {
		into.Cols = make([]wire.Vector, chunk.Cols())
	}
	for i := range into.Cols {
		v := chunk.Col(i)
		t := wireType(*v.Type)
		into.Cols[i] = wireVector(v, &t)
	}
}

// wireVector converts a vector to the type that wireType gave for its own.
func wireVector(v *catalog.Vector, t *wire.Type) wire.Vector {
	w := wire.Vector{Type: t, Valid: v.Valid}
	switch t.Kind {
	case wire.KindBool:
		w.Bools = v.Bools()
	case wire.KindInt16:
		w.Int16s = int16s(v)
	case wire.KindInt32:
		w.Int32s = int32s(v)
	case wire.KindInt64:
		w.Int64s = int64s(v)
	case wire.KindFloat32:
		w.Float32s = v.Float32s()
	case wire.KindFloat64:
		w.Float64s = v.Float64s()
	case wire.KindNumeric16:
		w.Int16s = v.Int16s()
	case wire.KindNumeric32, wire.KindDate:
		w.Int32s = v.Int32s()
	case wire.KindNumeric64, wire.KindTimestampTZ:
		w.Int64s = v.Int64s()
	case wire.KindNumeric128:
		w.Int128s = int128s(v)
	case wire.KindTime, wire.KindTimestamp:
		w.Int64s = v.Micros()
	case wire.KindTimeTZ:
		w.Int64s, w.Int32s = timesWithZone(v)
	case wire.KindInterval:
		w.Intervals = recast[wire.Interval](v.Intervals())
	case wire.KindUUID:
		w.UUIDs = recast[wire.UUID](v.UUIDs())
	case wire.KindString, wire.KindBytes, wire.KindBit, wire.KindNumericText:
		w.Strings = texts(v, t)
	case wire.KindList:
		child := wireVector(v.Child(), t.Elem)
		w.Lists, w.Child = spans(v), &child
	}
	return w
}

// The types that recast takes for one another are laid out alike.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(wire.Int128{})-unsafe.Sizeof(catalog.Int128{})]
	_ = [1]struct{}{}[unsafe.Sizeof(wire.Interval{})-unsafe.Sizeof(catalog.Interval{})]
	_ = [1]struct{}{}[unsafe.Sizeof(wire.Span{})-unsafe.Sizeof(catalog.ListEntry{})]
)

// recast views a slice as one of another type with the same fields.
func recast[T, F any](s []F) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

func widened[T, F integer](s []F) []T {
	out := make([]T, len(s))
	for i, n := range s {
		out[i] = T(n)
	}
	return out
}

func int16s(v *catalog.Vector) []int16 {
	switch v.Type.ID {
	case catalog.TypeTinyInt:
		return widened[int16](v.Int8s())
	case catalog.TypeUTinyInt:
		return widened[int16](v.Uint8s())
	default:
		return v.Int16s()
	}
}

func int32s(v *catalog.Vector) []int32 {
	if v.Type.ID == catalog.TypeUSmallInt {
		return widened[int32](v.Uint16s())
	}
	return v.Int32s()
}

func int64s(v *catalog.Vector) []int64 {
	if v.Type.ID == catalog.TypeUInteger {
		return widened[int64](v.Uint32s())
	}
	return v.Int64s()
}

func int128s(v *catalog.Vector) []wire.Int128 {
	if v.Type.ID != catalog.TypeUBigInt {
		return recast[wire.Int128](v.Int128s())
	}
	out := make([]wire.Int128, v.Rows())
	for i, n := range v.Uint64s() {
		out[i].Lo = n
	}
	return out
}

func timesWithZone(v *catalog.Vector) (micros []int64, zones []int32) {
	micros, zones = make([]int64, v.Rows()), make([]int32, v.Rows())
	for i, t := range v.TimeTZs() {
		micros[i], zones[i] = t.Micros, t.Offset
	}
	return micros, zones
}

// spans are where the elements of lists or arrays stand in the child.
func spans(v *catalog.Vector) []wire.Span {
	if v.Type.ID != catalog.TypeArray {
		return recast[wire.Span](v.Lists())
	}
	out, n := make([]wire.Span, v.Rows()), uint64(v.Type.Len)
	for i := range out {
		out[i] = wire.Span{Offset: uint64(i) * n, Len: n}
	}
	return out
}

// texts are the values of a column that is sent as text or bytes.
func texts(v *catalog.Vector, t *wire.Type) []string {
	switch v.Type.ID {
	case catalog.TypeVarchar, catalog.TypeBlob, catalog.TypeGeometry:
		return v.Strings()
	case catalog.TypeEnum:
		out := make([]string, v.Rows())
		for i := range out {
			out[i] = v.Type.Enum[v.EnumIndex(i)]
		}
		return out
	default:
	}
	render := (*catalog.Vector).AppendText
	if t.OID == wire.OIDJSON {
		render = (*catalog.Vector).AppendJSON
	}
	var text []byte
	ends := make([]int, v.Rows())
	for i := range ends {
		if !v.IsNull(i) {
			text = render(v, text, i)
		}
		ends[i] = len(text)
	}
	out, start, all := make([]string, len(ends)), 0, string(text)
	for i, end := range ends {
		out[i], start = all[start:end], end
	}
	return out
}
