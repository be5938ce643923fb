package catalog

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendText appends row i as text, as DuckDB's cast to VARCHAR writes it, but
// with the time zone UTC, a digit before each decimal point, and JSON for
// values that hold others. It appends nothing for NULL.
func (v *Vector) AppendText(dst []byte, i int) []byte {
	if v.IsNull(i) {
		return dst
	}
	switch v.Type.ID {
	case TypeBoolean:
		return strconv.AppendBool(dst, v.Bools()[i])
	case TypeFloat:
		return appendFloat(dst, float64(v.Float32s()[i]), 32)
	case TypeDouble:
		return appendFloat(dst, v.Float64s()[i], 64)
	case TypeVarchar, TypeGeometry:
		return append(dst, v.Strings()[i]...)
	case TypeEnum:
		return append(dst, v.Type.Enum[v.EnumIndex(i)]...)
	case TypeBlob:
		return appendBlob(dst, v.Strings()[i])
	case TypeBit:
		return append(dst, bitText(v.Strings()[i])...)
	case TypeUUID:
		return uuidOf(v.Int128s()[i]).append(dst)
	case TypeList, TypeArray, TypeMap, TypeStruct, TypeUnion, TypeVariant:
		return v.AppendJSON(dst, i)
	default:
		if v.numeric() {
			return v.appendNumber(dst, i)
		}
		return v.appendTime(dst, i)
	}
}

// numeric reports whether appendNumber writes the values.
func (v *Vector) numeric() bool {
	switch v.Type.ID {
	case TypeTinyInt, TypeSmallInt, TypeInteger, TypeBigInt, TypeHugeInt,
		TypeUTinyInt, TypeUSmallInt, TypeUInteger, TypeUBigInt, TypeUHugeInt,
		TypeBigNum, TypeDecimal:
		return true
	default:
		return false
	}
}

func (v *Vector) appendNumber(dst []byte, i int) []byte {
	switch v.Type.ID {
	case TypeUBigInt:
		return strconv.AppendUint(dst, v.Uint64s()[i], 10)
	case TypeHugeInt:
		return v.Int128s()[i].appendDecimal(dst, 0)
	case TypeUHugeInt:
		n := v.Int128s()[i]
		return appendUnsigned(dst, uint64(n.Hi), n.Lo, 0)
	case TypeBigNum:
		return append(dst, bigNumText(v.Strings()[i])...)
	case TypeDecimal:
		return v.unscaled(i).appendDecimal(dst, int(v.Type.Scale))
	default:
		return strconv.AppendInt(dst, v.integer(i), 10)
	}
}

// appendFloat writes the shortest digits that read back as f, with an exponent
// from 1e16 on and below 1e-4.
func appendFloat(dst []byte, f float64, bits int) []byte {
	const wide, small = 16, -4
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], f, 'e', -1, bits)
	at := strings.IndexByte(string(text), 'e')
	if at < 0 { // NaN, ±Inf
		return append(dst, strings.ToLower(strings.TrimPrefix(string(text), "+"))...)
	}
	if exponent, _ := strconv.Atoi(string(text[at+1:])); exponent >= wide || exponent < small {
		return append(dst, text...)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, bits)
	if !strings.Contains(string(dst[start:]), ".") {
		dst = append(dst, ".0"...)
	}
	return dst
}

func appendBlob(dst []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(s) {
		b := s[i]
		if b < ' ' || b > '~' || b == '\\' || b == '\'' || b == '"' {
			dst = append(dst, '\\', 'x', digits[b>>4], digits[b&15])
		} else {
			dst = append(dst, b)
		}
	}
	return dst
}

// AppendJSON appends row i as JSON: NULL as null; numbers as numbers, but NaN
// and the infinite ones as strings; JSON as it is; LIST and ARRAY as arrays;
// STRUCT, MAP and UNION as objects, where fields without names are called f1,
// f2, …; all else as AppendText in a string.
func (v *Vector) AppendJSON(dst []byte, i int) []byte {
	if v.IsNull(i) {
		return append(dst, "null"...)
	}
	switch v.Type.ID {
	case TypeBoolean:
		return strconv.AppendBool(dst, v.Bools()[i])
	case TypeFloat, TypeDouble:
		return v.appendJSONFloat(dst, i)
	case TypeVarchar:
		if v.Type.Alias == "JSON" {
			return append(dst, v.Strings()[i]...)
		}
		return appendJSONString(dst, v.Strings()[i])
	case TypeList, TypeArray:
		return v.appendJSONArray(dst, i)
	case TypeStruct, TypeMap, TypeUnion:
		return v.appendJSONObject(dst, i)
	case TypeVariant:
		return v.appendVariant(dst, i)
	default:
		if v.numeric() {
			return v.appendNumber(dst, i)
		}
		var buf [64]byte
		return appendJSONString(dst, string(v.AppendText(buf[:0], i)))
	}
}

func (v *Vector) appendJSONFloat(dst []byte, i int) []byte {
	var buf [32]byte
	text := v.AppendText(buf[:0], i)
	switch string(text) {
	case "nan":
		return append(dst, `"NaN"`...)
	case "inf":
		return append(dst, `"Infinity"`...)
	case "-inf":
		return append(dst, `"-Infinity"`...)
	default:
		return append(dst, text...)
	}
}

func (v *Vector) appendJSONArray(dst []byte, i int) []byte {
	from, to := v.span(i)
	dst = append(dst, '[')
	for j := from; j < to; j++ {
		if j > from {
			dst = append(dst, ',')
		}
		dst = v.Child().AppendJSON(dst, j)
	}
	return append(dst, ']')
}

func (v *Vector) appendJSONObject(dst []byte, i int) []byte {
	dst = append(dst, '{')
	switch v.Type.ID {
	case TypeMap:
		dst = v.appendJSONEntries(dst, i)
	case TypeUnion:
		at := int(v.Field(0).Uint8s()[i])
		dst = append(appendJSONString(dst, v.Type.Fields[at].Name), ':')
		dst = v.Field(at+1).AppendJSON(dst, i)
	default:
		for k, f := range v.Type.Fields {
			if k > 0 {
				dst = append(dst, ',')
			}
			name := f.Name
			if name == "" {
				name = "f" + strconv.Itoa(k+1)
			}
			dst = append(appendJSONString(dst, name), ':')
			dst = v.Field(k).AppendJSON(dst, i)
		}
	}
	return append(dst, '}')
}

func (v *Vector) appendJSONEntries(dst []byte, i int) []byte {
	keys, values := v.Child().Field(0), v.Child().Field(1)
	from, to := v.span(i)
	for j := from; j < to; j++ {
		if j > from {
			dst = append(dst, ',')
		}
		dst = append(appendJSONString(dst, string(keys.AppendText(nil, j))), ':')
		dst = values.AppendJSON(dst, j)
	}
	return dst
}

// appendJSONString quotes s as JSON. What is not UTF-8 becomes U+FFFD.
func appendJSONString(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
			continue
		}
		i++
		switch {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b == '\n':
			dst = append(dst, '\\', 'n')
		case b == '\r':
			dst = append(dst, '\\', 'r')
		case b == '\t':
			dst = append(dst, '\\', 't')
		case b == '\b':
			dst = append(dst, '\\', 'b')
		case b == '\f':
			dst = append(dst, '\\', 'f')
		case b < ' ':
			dst = append(dst, '\\', 'u', '0', '0', digits[b>>4], digits[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '"')
}
