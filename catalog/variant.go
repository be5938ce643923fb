package catalog

import (
	"encoding/binary"
	"unsafe"
)

// A VARIANT is stored as a STRUCT of four fields: the keys of its objects; its
// children, each the index of a key and of a value; its values, each a type
// and an offset; and the bytes that the offsets point into. The value with the
// index 0 is the whole.
const (
	variantKeys = iota
	variantChildren
	variantValues
	variantData
)

// variantTypes are the types of the fields.
func variantTypes() []*Type {
	integer, tag, blob := Simple(TypeUInteger), Simple(TypeUTinyInt), Simple(TypeBlob)
	pair := func(first *Type) Type {
		return ListType(StructType([]Field{{Name: "first", Type: first}, {Name: "second", Type: &integer}}))
	}
	keys, children, values := ListType(Simple(TypeVarchar)), pair(&integer), pair(&tag)
	return []*Type{&keys, &children, &values, &blob}
}

// The types of values that are no column's type.
const (
	variantNull   = 0
	variantTrue   = 1
	variantFalse  = 2
	variantObject = 29
	variantArray  = 30
)

// variantTypeID is the type of DuckDB that a value's type stands for.
func variantTypeID(tag uint8) TypeID {
	ids := [...]TypeID{
		3: TypeTinyInt, TypeSmallInt, TypeInteger, TypeBigInt, TypeHugeInt,
		TypeUTinyInt, TypeUSmallInt, TypeUInteger, TypeUBigInt, TypeUHugeInt,
		TypeFloat, TypeDouble, TypeDecimal, TypeVarchar, TypeBlob, TypeUUID,
		TypeDate, TypeTime, TypeTimeNS, TypeTimestampS, TypeTimestampMS, TypeTimestamp, TypeTimestampNS,
		TypeTimeTZ, TypeTimestampTZ, TypeInterval,
		31: TypeBigNum, TypeBit, TypeGeometry,
	}
	if int(tag) >= len(ids) {
		return TypeUnknown
	}
	return ids[tag]
}

// A variantRow is one value of a column of VARIANT.
type variantRow struct {
	keys     []string
	keyOf    []uint32 // of the children
	valueOf  []uint32
	tags     []uint8 // of the values
	offsets  []uint32
	data     string
	scratch  [16]byte // one value, aligned
	scratchV Vector
}

func (v *Vector) appendVariant(dst []byte, i int) []byte {
	part := func(field int) (child *Vector, from, to int) {
		f := v.Field(field)
		from, to = f.span(i)
		return f.Child(), from, to
	}
	r := &variantRow{data: v.Field(variantData).Strings()[i]}
	keys, from, to := part(variantKeys)
	r.keys = keys.Strings()[from:to]
	children, from, to := part(variantChildren)
	r.keyOf, r.valueOf = children.Field(0).Uint32s()[from:to], children.Field(1).Uint32s()[from:to]
	values, from, to := part(variantValues)
	r.tags, r.offsets = values.Field(0).Uint8s()[from:to], values.Field(1).Uint32s()[from:to]
	return r.appendJSON(dst, 0)
}

func (r *variantRow) appendJSON(dst []byte, value uint32) []byte {
	data := r.data[r.offsets[value]:]
	switch tag := r.tags[value]; tag {
	case variantNull:
		return append(dst, "null"...)
	case variantTrue:
		return append(dst, "true"...)
	case variantFalse:
		return append(dst, "false"...)
	case variantObject, variantArray:
		return r.appendNested(dst, data, tag == variantObject)
	default:
		return r.appendPlain(dst, data, variantTypeID(tag))
	}
}

// appendNested writes an object or array: the number of its children, and the
// first of them if there is one.
func (r *variantRow) appendNested(dst []byte, data string, object bool) []byte {
	n, data := variantUint(data)
	var first uint32
	if n > 0 {
		first, _ = variantUint(data)
	}
	braces := "[]"
	if object {
		braces = "{}"
	}
	dst = append(dst, braces[0])
	for i := first; i < first+n; i++ {
		if i > first {
			dst = append(dst, ',')
		}
		if object {
			dst = append(appendJSONString(dst, r.keys[r.keyOf[i]]), ':')
		}
		dst = r.appendJSON(dst, r.valueOf[i])
	}
	return append(dst, braces[1])
}

// appendPlain writes a value as a column of its type would.
func (r *variantRow) appendPlain(dst []byte, data string, id TypeID) []byte {
	t := Simple(id)
	if id == TypeDecimal {
		var width, scale uint32
		width, data = variantUint(data)
		scale, data = variantUint(data)
		t = DecimalType(uint8(width), uint8(scale))
	}
	r.scratchV = Vector{Type: &t, rows: 1, data: unsafe.Pointer(&r.scratch)}
	switch p := t.physical(); p {
	case physNone:
		return append(dst, "null"...)
	case physString:
		n, text := variantUint(data)
		r.scratchV.strings, r.scratchV.decoded = []string{text[:n]}, true
	default:
		copy(r.scratch[:], data[:p.width()])
	}
	return r.scratchV.AppendJSON(dst, 0)
}

// variantUint reads a number of seven bits a byte, the lowest first.
func variantUint(data string) (n uint32, rest string) {
	v, size := binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen32)]))
	return uint32(v), data[max(size, 0):]
}
