package wire

import (
	"encoding/binary"
	"math"
	"strconv"
)

// An encoder turns vector values into Postgres's text and binary formats. It
// holds what is worth keeping from value to value, and the first error, which
// spoils the row it happened in.
type encoder struct {
	zone    zone
	err     error
	scratch []byte // of one value that is written twice
	dims    []int  // of one array
}

// failure returns the encoder's error and forgets it.
func (e *encoder) failure() error {
	err := e.err
	e.err = nil
	return err
}

// forget lets go of scratch memory that one large value has grown.
func (e *encoder) forget() {
	e.err = nil
	if cap(e.scratch) > keepSize {
		e.scratch = nil
	}
}

// An appendFunc appends row i of v, which is not NULL, in one format.
type appendFunc func(e *encoder, dst []byte, v *Vector, i int) []byte

// A columnEncoder is a column of a batch with the encoder of its values.
type columnEncoder struct {
	vector *Vector
	valid  []uint64
	append appendFunc
}

func (c *columnEncoder) null(row int) bool {
	return c.valid != nil && c.valid[row>>6]&(1<<(row&63)) == 0
}

// null says whether row i of v is NULL.
func (v *Vector) null(i int) bool {
	return v.Valid != nil && v.Valid[i>>6]&(1<<(i&63)) == 0
}

func resolveColumn(v *Vector, format int16) (columnEncoder, error) {
	if v.Type == nil {
		return columnEncoder{}, Errorf(codeInternal, "result column without a type")
	}
	encode := textEncoder(v.Type)
	if format == formatBinary {
		encode = binaryEncoder(v.Type)
	}
	if encode == nil {
		return columnEncoder{}, Errorf(codeInternal, "result column of an unknown kind %d", v.Type.Kind)
	}
	return columnEncoder{vector: v, valid: v.Valid, append: encode}, nil
}

// textEncoder chooses how values of a type are written as text.
func textEncoder(t *Type) appendFunc {
	switch t.Kind {
	case KindBool:
		return appendBoolText
	case KindInt16:
		return appendInt16Text
	case KindInt32:
		return appendInt32Text
	case KindInt64:
		return appendInt64Text
	case KindFloat32:
		return appendFloat32Text
	case KindFloat64:
		return appendFloat64Text
	case KindString, KindNumericText, KindBit:
		return appendString
	case KindBytes:
		return appendBytesText
	case KindUUID:
		return appendUUIDText
	case KindList:
		return listTextEncoder(t)
	case KindNumeric16, KindNumeric32, KindNumeric64, KindNumeric128:
		return numericTextEncoder(t.Kind)
	default:
		return timeTextEncoder(t.Kind)
	}
}

// binaryEncoder chooses how values of a type are written in binary. Where a
// type's size says otherwise than its kind (oid is held as int64), the size
// decides.
func binaryEncoder(t *Type) appendFunc {
	switch t.Kind {
	case KindBool:
		return appendBoolBinary
	case KindInt16, KindInt32, KindInt64:
		return intBinaryEncoder(t)
	case KindFloat32:
		return appendFloat32Binary
	case KindFloat64:
		return appendFloat64Binary
	case KindString:
		if t.OID == OIDJSONB {
			return appendJSONBBinary
		}
		return appendString
	case KindBytes:
		return appendString
	case KindNumericText:
		return appendNumericTextBinary
	case KindBit:
		return appendBitBinary
	case KindUUID:
		return appendUUIDBinary
	case KindList:
		return listBinaryEncoder(t)
	case KindNumeric16, KindNumeric32, KindNumeric64, KindNumeric128:
		return numericBinaryEncoder(t.Kind)
	default:
		return timeBinaryEncoder(t.Kind)
	}
}

func appendBoolText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	if v.Bools[i] {
		return append(dst, 't')
	}
	return append(dst, 'f')
}

func appendBoolBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	if v.Bools[i] {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendInt16Text(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return strconv.AppendInt(dst, int64(v.Int16s[i]), 10)
}

func appendInt32Text(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return strconv.AppendInt(dst, int64(v.Int32s[i]), 10)
}

func appendInt64Text(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return strconv.AppendInt(dst, v.Int64s[i], 10)
}

// intBinaryEncoder pairs the width that a vector holds with the width that
// the client expects.
func intBinaryEncoder(t *Type) appendFunc {
	switch {
	case t.Kind == KindInt16:
		return appendInt16Binary
	case t.Kind == KindInt32:
		return appendInt32Binary
	case t.Size == 4:
		return appendOIDBinary
	default:
		return appendInt64Binary
	}
}

func appendInt16Binary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return binary.BigEndian.AppendUint16(dst, uint16(v.Int16s[i]))
}

func appendInt32Binary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(v.Int32s[i]))
}

func appendInt64Binary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(v.Int64s[i]))
}

// appendOIDBinary writes the unsigned 32-bit types, which vectors hold as
// int64.
func appendOIDBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(v.Int64s[i]))
}

func appendFloat32Text(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return appendFloat(dst, float64(v.Float32s[i]), 32)
}

func appendFloat64Text(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return appendFloat(dst, v.Float64s[i], 64)
}

func appendFloat32Binary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return binary.BigEndian.AppendUint32(dst, math.Float32bits(v.Float32s[i]))
}

func appendFloat64Binary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(v.Float64s[i]))
}

// appendFloat writes the shortest text that reads back as f. Postgres changes
// to an exponent at 1e15 (float4: 1e6) and below 1e-4.
func appendFloat(dst []byte, f float64, bits int) []byte {
	least, limit := 1e-4, 1e15
	if bits == 32 {
		least, limit = float64(float32(1e-4)), 1e6
	}
	switch size := math.Abs(f); {
	case size < limit && (size >= least || size == 0):
		return appendPlainFloat(dst, f, bits)
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	default:
		return strconv.AppendFloat(dst, f, 'e', -1, bits)
	}
}

// appendPlainFloat writes a float without an exponent. Amounts of money and
// the like take a short cut: if rounding f to two places gives back f, those
// at most 15 digits are the shortest that do.
func appendPlainFloat(dst []byte, f float64, bits int) []byte {
	if scaled := f * 100; bits == 64 && math.Abs(scaled) < 1e15 {
		n := int64(math.RoundToEven(scaled))
		if n != 0 && float64(n)/100 == f {
			return appendHundredths(dst, n)
		}
	}
	return strconv.AppendFloat(dst, f, 'f', -1, bits)
}

// appendHundredths writes n/100 without trailing zeros.
func appendHundredths(dst []byte, n int64) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, n/100, 10)
	switch cents := byte(n % 100); {
	case cents == 0:
		return dst
	case cents%10 == 0:
		return append(dst, '.', '0'+cents/10)
	default:
		return append(dst, '.', '0'+cents/10, '0'+cents%10)
	}
}

func appendString(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return append(dst, v.Strings[i]...)
}

// appendJSONBBinary puts the version before the text of a jsonb.
func appendJSONBBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return append(append(dst, 1), v.Strings[i]...)
}

const hexDigits = "0123456789abcdef"

func appendBytesText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	dst = append(dst, '\\', 'x')
	s := v.Strings[i]
	for j := range len(s) {
		dst = append(dst, hexDigits[s[j]>>4], hexDigits[s[j]&15])
	}
	return dst
}

func appendUUIDText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	for j, b := range v.UUIDs[i] {
		if j == 4 || j == 6 || j == 8 || j == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexDigits[b>>4], hexDigits[b&15])
	}
	return dst
}

func appendUUIDBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return append(dst, v.UUIDs[i][:]...)
}

// appendBitBinary packs '0' and '1' into bits, behind their number.
func appendBitBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	s := v.Strings[i]
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(s)))
	var b byte
	for j := range len(s) {
		b |= (s[j] & 1) << (7 - j&7)
		if j&7 == 7 {
			dst, b = append(dst, b), 0
		}
	}
	if len(s)&7 != 0 {
		dst = append(dst, b)
	}
	return dst
}
