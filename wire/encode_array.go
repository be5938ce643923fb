package wire

import (
	"encoding/binary"
	"math"
)

// maxArrayDims is Postgres's bound for the dimensions of an array.
const maxArrayDims = 6

// leaf is the type of an array's elements, below all its dimensions.
func (t *Type) leaf() *Type {
	for t != nil && t.Kind == KindList {
		t = t.Elem
	}
	return t
}

func listTextEncoder(t *Type) appendFunc {
	leaf := t.leaf()
	if leaf == nil {
		return nil
	}
	element := textEncoder(leaf)
	switch {
	case element == nil:
		return nil
	case t.OID == OIDInt2Vector || t.OID == OIDOidVector:
		return func(e *encoder, dst []byte, v *Vector, i int) []byte {
			return e.appendVectorText(dst, v, i, element)
		}
	case !quotable(leaf.Kind):
		return func(e *encoder, dst []byte, v *Vector, i int) []byte {
			return e.appendArrayText(dst, v, i, element)
		}
	}
	quoted := func(e *encoder, dst []byte, v *Vector, i int) []byte {
		start := len(dst)
		return quoteElement(element(e, dst, v, i), start)
	}
	return func(e *encoder, dst []byte, v *Vector, i int) []byte {
		return e.appendArrayText(dst, v, i, quoted)
	}
}

// quotable says that the text of a kind may have to be quoted in an array.
func quotable(k Kind) bool {
	switch k {
	case KindBool, KindInt16, KindInt32, KindInt64, KindFloat32, KindFloat64,
		KindNumeric16, KindNumeric32, KindNumeric64, KindNumeric128, KindNumericText,
		KindTime, KindTimeTZ, KindUUID:
		return false
	default:
		return true // a date has a blank when it is BC
	}
}

// appendArrayText writes {…}, or {} for an array without elements.
func (e *encoder) appendArrayText(dst []byte, v *Vector, i int, element appendFunc) []byte {
	if !e.measure(v, i) || len(e.dims) == 0 {
		return append(dst, "{}"...)
	}
	return e.appendBraces(dst, v, i, element)
}

func (e *encoder) appendBraces(dst []byte, v *Vector, i int, element appendFunc) []byte {
	dst = append(dst, '{')
	span, child := v.Lists[i], v.Child
	for j := span.Offset; j < span.Offset+span.Len; j++ {
		if j > span.Offset {
			dst = append(dst, ',')
		}
		switch at := int(j); {
		case child.null(at):
			dst = append(dst, "NULL"...)
		case child.Type.Kind == KindList:
			dst = e.appendBraces(dst, child, at, element)
		default:
			dst = element(e, dst, child, at)
		}
	}
	return append(dst, '}')
}

// appendVectorText writes the elements of an int2vector or oidvector.
func (e *encoder) appendVectorText(dst []byte, v *Vector, i int, element appendFunc) []byte {
	span := v.Lists[i]
	for j := span.Offset; j < span.Offset+span.Len; j++ {
		if j > span.Offset {
			dst = append(dst, ' ')
		}
		dst = element(e, dst, v.Child, int(j))
	}
	return dst
}

// quoteElement quotes the array element dst[start:] in place, if it has to be.
func quoteElement(dst []byte, start int) []byte {
	text := dst[start:]
	if len(text) == 0 || isNullWord(text) {
		return arrayEscaper.enquote(dst, start)
	}
	for _, c := range text {
		switch c {
		case '"', '\\', '{', '}', ',', ' ', '\t', '\n', '\v', '\f', '\r':
			return arrayEscaper.enquote(dst, start)
		}
	}
	return dst
}

// isNullWord says that text would be read as NULL if it were not quoted.
func isNullWord(text []byte) bool {
	return len(text) == 4 && text[0]|0x20 == 'n' && text[1]|0x20 == 'u' && text[2]|0x20 == 'l' && text[3]|0x20 == 'l'
}

func listBinaryEncoder(t *Type) appendFunc {
	leaf := t.leaf()
	if leaf == nil {
		return nil
	}
	element := binaryEncoder(leaf)
	if element == nil {
		return nil
	}
	lower := uint32(1)
	if t.OID == OIDInt2Vector || t.OID == OIDOidVector {
		lower = 0
	}
	return func(e *encoder, dst []byte, v *Vector, i int) []byte {
		return e.appendArrayBinary(dst, v, i, leaf.OID, lower, element)
	}
}

// appendArrayBinary writes the dimensions, then the elements in row-major
// order, each behind its length.
func (e *encoder) appendArrayBinary(dst []byte, v *Vector, i int, elem, lower uint32, element appendFunc) []byte {
	if !e.measure(v, i) {
		return dst
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(e.dims)))
	nulls := len(dst)
	dst = binary.BigEndian.AppendUint32(dst, 0)
	dst = binary.BigEndian.AppendUint32(dst, elem)
	for _, n := range e.dims {
		dst = binary.BigEndian.AppendUint32(dst, uint32(n))
		dst = binary.BigEndian.AppendUint32(dst, lower)
	}
	if len(e.dims) == 0 {
		return dst
	}
	dst, hasNull := e.appendElements(dst, v, i, element)
	if hasNull {
		dst[nulls+3] = 1
	}
	return dst
}

func (e *encoder) appendElements(dst []byte, v *Vector, i int, element appendFunc) (_ []byte, hasNull bool) {
	span, child := v.Lists[i], v.Child
	column := columnEncoder{vector: child, valid: child.Valid, append: element}
	for j := span.Offset; j < span.Offset+span.Len; j++ {
		var inner bool
		if child.Type.Kind == KindList {
			dst, inner = e.appendElements(dst, child, int(j), element)
		} else {
			inner = column.null(int(j))
			dst = e.appendField(dst, &column, int(j))
		}
		hasNull = hasNull || inner
	}
	return dst, hasNull
}

// measure finds the dimensions of a list, none for one without elements. It
// reports false and sets the encoder's error if it is no array: where a nested
// list is NULL, or of another length than its neighbours.
func (e *encoder) measure(v *Vector, i int) bool {
	e.dims = e.dims[:0]
	for at, list := i, v; ; {
		span := list.Lists[at]
		if span.Len > math.MaxInt32 {
			e.err = Errorf(codeProgramLimit, "array size exceeds the maximum allowed (%d)", math.MaxInt32)
			return false
		}
		e.dims = append(e.dims, int(span.Len))
		if list = list.Child; span.Len == 0 || list.Type.Kind != KindList {
			break
		}
		at = int(span.Offset)
		if list.null(at) {
			return e.ragged()
		}
	}
	if len(e.dims) > maxArrayDims {
		e.err = Errorf(codeProgramLimit, "number of array dimensions (%d) exceeds the maximum allowed (%d)", len(e.dims), maxArrayDims)
		return false
	}
	if !fitsDims(v, i, e.dims) {
		return e.ragged()
	}
	if e.dims[len(e.dims)-1] == 0 {
		e.dims = e.dims[:0]
	}
	return true
}

func (e *encoder) ragged() bool {
	e.err = Errorf(codeArraySubscript, "a list whose lists are NULL or differ in length is not an array").
		WithHint("Cast it to json.")
	return false
}

func fitsDims(v *Vector, i int, dims []int) bool {
	span, child := v.Lists[i], v.Child
	if int(span.Len) != dims[0] {
		return false
	}
	if child.Type.Kind != KindList {
		return true
	}
	for j := span.Offset; j < span.Offset+span.Len; j++ {
		if child.null(int(j)) || !fitsDims(child, int(j), dims[1:]) {
			return false
		}
	}
	return true
}
