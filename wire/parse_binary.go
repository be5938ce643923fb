package wire

import (
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"
)

// firstUserOID is where types begin that are not built in.
const firstUserOID = 16384

// ParseBinary decodes a value from the binary format of the type oid. What it
// returns shares no memory with b.
func ParseBinary(oid uint32, b []byte) (Value, error) {
	switch oid {
	case OIDBool, OIDInt2, OIDInt4, OIDInt8, OIDOid, OIDXid, OIDCid, OIDFloat4, OIDFloat8,
		OIDDate, OIDTime, OIDTimestamp, OIDTimestampTZ:
		return parseFixed(oid, b)
	case OIDNumeric:
		return value(parseNumericBinary(b))
	case OIDInterval:
		return value(parseIntervalBinary(b))
	case OIDTimeTZ:
		return value(parseTimeTZBinary(b))
	case OIDUUID:
		if len(b) != 16 {
			return nil, badBinary(oid)
		}
		return UUID(b), nil
	case OIDBytea:
		return slices.Clone(b), nil
	case OIDJSON:
		return value(parseJSON(string(b), oid))
	case OIDJSONB:
		if len(b) == 0 || b[0] != 1 {
			return nil, Errorf(codeInternal, "unsupported jsonb version number")
		}
		return value(parseJSON(string(b[1:]), oid))
	}
	if elem := ElementOID(oid); elem != 0 {
		return value(parseArrayBinary(b, elem))
	}
	return parseTextBinary(oid, b)
}

func badBinary(oid uint32) error {
	return Errorf(codeInvalidBinary, "incorrect binary data format for type %s", typeName(oid))
}

// parseTextBinary reads the types whose binary format is their text. Enums
// are among them.
func parseTextBinary(oid uint32, b []byte) (Value, error) {
	switch oid {
	case 0, OIDText, OIDVarchar, OIDBpchar, OIDName, OIDChar, OIDUnknown, OIDXML, OIDVoid:
	default:
		if oid < firstUserOID {
			return nil, Errorf(codeFeatureNotSupported, "no binary input function available for type with OID %d", oid).
				WithHint("Send the value as text.")
		}
	}
	if !utf8.Valid(b) || slices.Contains(b, 0) {
		return nil, badUTF8(b)
	}
	return string(b), nil
}

// parseFixed reads the types of one, two, four and eight bytes.
func parseFixed(oid uint32, b []byte) (Value, error) {
	if len(b) != fixedSize(oid) {
		return nil, badBinary(oid)
	}
	switch oid {
	case OIDBool:
		return b[0] != 0, nil
	case OIDInt2:
		return int64(int16(binary.BigEndian.Uint16(b))), nil
	case OIDInt4:
		return int64(int32(binary.BigEndian.Uint32(b))), nil
	case OIDOid, OIDXid, OIDCid:
		return int64(binary.BigEndian.Uint32(b)), nil
	case OIDFloat4:
		return math.Float32frombits(binary.BigEndian.Uint32(b)), nil
	case OIDFloat8:
		return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
	case OIDDate:
		return dateFrom2000(int32(binary.BigEndian.Uint32(b)))
	}
	n := int64(binary.BigEndian.Uint64(b))
	switch oid {
	case OIDInt8:
		return n, nil
	case OIDTime:
		if n < 0 || n > microsPerDay {
			return nil, Errorf(codeDatetimeOverflow, "time out of range")
		}
		return Time(n), nil
	default:
		return timestampFrom2000(n)
	}
}

func fixedSize(oid uint32) int {
	switch oid {
	case OIDBool:
		return 1
	case OIDInt2:
		return 2
	case OIDInt4, OIDOid, OIDXid, OIDCid, OIDFloat4, OIDDate:
		return 4
	default:
		return 8
	}
}

func dateFrom2000(days int32) (Value, error) {
	switch {
	case days == math.MaxInt32:
		return DateInfinity, nil
	case days == math.MinInt32:
		return DateNegInfinity, nil
	case days >= math.MaxInt32-epochDays || days <= math.MinInt32+1:
		return nil, Errorf(codeDatetimeOverflow, "date out of range")
	default:
		return Date(days + epochDays), nil
	}
}

func timestampFrom2000(micros int64) (Value, error) {
	switch {
	case micros == math.MaxInt64:
		return TimestampInfinity, nil
	case micros == math.MinInt64:
		return TimestampNegInfinity, nil
	case micros >= math.MaxInt64-epochMicros:
		return nil, Errorf(codeDatetimeOverflow, "timestamp out of range")
	default:
		return Timestamp(micros + epochMicros), nil
	}
}

func parseIntervalBinary(b []byte) (Interval, error) {
	if len(b) != 16 {
		return Interval{}, badBinary(OIDInterval)
	}
	return Interval{
		Micros: int64(binary.BigEndian.Uint64(b)),
		Days:   int32(binary.BigEndian.Uint32(b[8:])),
		Months: int32(binary.BigEndian.Uint32(b[12:])),
	}, nil
}

// parseTimeTZBinary makes text of a timetz, which is how a Value holds one.
func parseTimeTZBinary(b []byte) (string, error) {
	if len(b) != 12 {
		return "", badBinary(OIDTimeTZ)
	}
	micros := int64(binary.BigEndian.Uint64(b))
	west := int32(binary.BigEndian.Uint32(b[8:]))
	const day = 24 * 3600
	if micros < 0 || micros > microsPerDay || west <= -day || west >= day {
		return "", Errorf(codeDatetimeOverflow, "time out of range")
	}
	return string(appendOffset(appendClock(nil, micros), int(-west))), nil
}

// parseNumericBinary makes canonical text of digits to base 10,000.
func parseNumericBinary(b []byte) (Numeric, error) {
	if len(b) < 8 {
		return "", badBinary(OIDNumeric)
	}
	count := int(binary.BigEndian.Uint16(b))
	weight := int(int16(binary.BigEndian.Uint16(b[2:])))
	sign := binary.BigEndian.Uint16(b[4:])
	scale := int(binary.BigEndian.Uint16(b[6:]))
	digits := b[8:]
	if len(digits) != 2*count || scale > numericMaxFraction {
		return "", badBinary(OIDNumeric)
	}
	switch sign {
	case numericPositive, numericNegative:
		return numericText(digits, weight, scale, sign == numericNegative)
	case numericNaN:
		return "NaN", nil
	case numericInf:
		return "Infinity", nil
	case numericNegInf:
		return "-Infinity", nil
	default:
		return "", Errorf(codeInvalidBinary, `invalid sign in external "numeric" value`)
	}
}

// numericText writes scale decimals, and drops digits behind them as Postgres
// does.
func numericText(digits []byte, weight, scale int, negative bool) (Numeric, error) {
	group := func(g int) (uint16, bool) { // the digit that stands for 10,000^g
		at := 2 * (weight - g)
		if at < 0 || at >= len(digits) {
			return 0, true
		}
		d := binary.BigEndian.Uint16(digits[at:])
		return d, d < 10_000
	}
	whole, fraction := []byte(nil), []byte(nil)
	for g := max(weight, 0); g >= -(scale+3)/4; g-- {
		d, ok := group(g)
		if !ok {
			return "", Errorf(codeInvalidBinary, `invalid digit in external "numeric" value`)
		}
		text := appendTwo(appendTwo(nil, uint64(d)/100), uint64(d)%100)
		if g >= 0 {
			whole = append(whole, text...)
		} else {
			fraction = append(fraction, text...)
		}
	}
	return decimal{negative: negative, whole: whole, fraction: fraction[:scale]}.text(), nil
}

// binaryArray reads the binary format of an array.
type binaryArray struct {
	rest []byte
	elem uint32
}

// parseArrayBinary reads an array. The element type that it names must be
// elem, or one that is text too.
func parseArrayBinary(b []byte, elem uint32) (Array, error) {
	if len(b) < 12 {
		return Array{}, badArray()
	}
	dims := int(binary.BigEndian.Uint32(b))
	named := binary.BigEndian.Uint32(b[8:])
	if dims > maxArrayDims || len(b) < 12+8*dims {
		return Array{}, badArray()
	}
	if named != elem && (!isTextOID(named) || !isTextOID(elem)) {
		return Array{}, Errorf("42804", "wrong element type: array of OID %d, expected %d", named, elem)
	}
	lengths := make([]int, dims)
	total := 1
	for i := range lengths {
		n := int(int32(binary.BigEndian.Uint32(b[12+8*i:])))
		if n < 0 || n > 0 && total > len(b)/n {
			return Array{}, badArray()
		}
		lengths[i], total = n, total*n
	}
	a := binaryArray{rest: b[12+8*dims:], elem: elem}
	if dims == 0 || total == 0 {
		return Array{Elem: elem}, nil
	}
	out, err := a.array(lengths)
	if err == nil && len(a.rest) > 0 {
		err = badArray()
	}
	return out, err
}

func badArray() error {
	return Errorf(codeInvalidBinary, "insufficient or improper data for an array")
}

func isTextOID(oid uint32) bool {
	return oid == OIDText || oid == OIDVarchar || oid == OIDBpchar || oid == OIDName || oid == OIDUnknown
}

// array reads the elements of one dimension; those inside it follow each
// other.
func (a *binaryArray) array(lengths []int) (Array, error) {
	out := Array{Elem: a.elem, Items: make([]Value, lengths[0])}
	for i := range out.Items {
		var err error
		if len(lengths) > 1 {
			out.Items[i], err = value(a.array(lengths[1:]))
		} else {
			out.Items[i], err = a.item()
		}
		if err != nil {
			return Array{}, err
		}
	}
	return out, nil
}

func (a *binaryArray) item() (Value, error) {
	if len(a.rest) < 4 {
		return nil, badArray()
	}
	size := int(int32(binary.BigEndian.Uint32(a.rest)))
	a.rest = a.rest[4:]
	if size == -1 {
		return nil, nil //nolint:nilnil // NULL is a value
	}
	if size < 0 || size > len(a.rest) {
		return nil, badArray()
	}
	raw := a.rest[:size]
	a.rest = a.rest[size:]
	return ParseBinary(a.elem, raw)
}
