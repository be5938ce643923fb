package catalog

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// An ArgumentError is an argument that its parameter cannot take.
type ArgumentError struct {
	Index  int // from 1
	Reason string
	state  string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("parameter $%d: %s", e.Index, e.Reason)
}

// SQLState is the code of Postgres.
func (e *ArgumentError) SQLState() string { return e.state }

// bind gives the parameters their values. An argument is nil, bool, int,
// int64, uint64, float32, float64, string, []byte, or one of the types of
// value.go. DuckDB plans a statement anew at each execution in which a value
// has not the type of its parameter, so a number takes that type where it
// can.
func (s *Stmt) bind(args []any) error {
	if len(args) != len(s.params) {
		return &ArgumentError{
			Index: len(args) + 1, state: "08P01",
			Reason: fmt.Sprintf("%d arguments were given for %d parameters", len(args), len(s.params)),
		}
	}
	for i, arg := range args {
		if err := s.bindOne(bindings.IdxT(i+1), arg, &s.params[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stmt) bindOne(at bindings.IdxT, arg any, t *Type) error {
	var state bindings.State
	switch v := arg.(type) {
	case nil:
		state = bindings.BindNull(s.handle, at)
	case bool:
		state = bindings.BindBoolean(s.handle, at, v)
	case int:
		state = s.bindInteger(at, int64(v), t)
	case int64:
		state = s.bindInteger(at, v, t)
	case float32:
		state = bindings.BindFloat(s.handle, at, v)
	case float64:
		state = bindings.BindDouble(s.handle, at, v)
	case string:
		state = bindings.BindVarchar(s.handle, at, v)
	case []byte:
		state = bindings.BindBlob(s.handle, at, v)
	case Timestamp:
		state = bindings.BindTimestamp(s.handle, at, bindings.NewTimestamp(int64(v)))
	case TimestampTZ:
		state = bindings.BindTimestampTZ(s.handle, at, bindings.NewTimestamp(int64(v)))
	case Date:
		state = bindings.BindDate(s.handle, at, bindings.NewDate(int32(v)))
	default:
		return s.bindValue(at, arg, t)
	}
	if state == bindings.StateError {
		return s.refused(at)
	}
	return nil
}

// refused is the error of a binding, which has a text only if the value was a
// string that is not UTF-8.
func (s *Stmt) refused(at bindings.IdxT) error {
	if text := bindings.PrepareError(s.handle); text != "" {
		return parseError(text)
	}
	return &ArgumentError{Index: int(at), Reason: `invalid byte sequence for encoding "UTF8"`, state: "22021"}
}

// bindInteger binds v with the width of its parameter where it fits in.
func (s *Stmt) bindInteger(at bindings.IdxT, v int64, t *Type) bindings.State {
	h := s.handle
	switch {
	case t.ID == TypeInteger && v == int64(int32(v)):
		return bindings.BindInt32(h, at, int32(v))
	case t.ID == TypeSmallInt && v == int64(int16(v)):
		return bindings.BindInt16(h, at, int16(v))
	case t.ID == TypeTinyInt && v == int64(int8(v)):
		return bindings.BindInt8(h, at, int8(v))
	case t.ID == TypeUInteger && v == int64(uint32(v)):
		return bindings.BindUInt32(h, at, uint32(v))
	case t.ID == TypeUSmallInt && v == int64(uint16(v)):
		return bindings.BindUInt16(h, at, uint16(v))
	case t.ID == TypeUTinyInt && v == int64(uint8(v)):
		return bindings.BindUInt8(h, at, uint8(v))
	case t.ID == TypeUBigInt && v >= 0:
		return bindings.BindUInt64(h, at, uint64(v))
	case t.ID == TypeHugeInt:
		return bindings.BindHugeInt(h, at, bindings.NewHugeInt(uint64(v), v>>63))
	case t.ID == TypeDouble && v == int64(float64(v)):
		return bindings.BindDouble(h, at, float64(v))
	case t.ID == TypeVarchar:
		return bindings.BindVarchar(h, at, strconv.FormatInt(v, 10))
	case t.ID == TypeDecimal:
		if d, ok := decimalValue(strconv.FormatInt(v, 10), t.Width, t.Scale); ok {
			return bindings.BindDecimal(h, at, d)
		}
	}
	return bindings.BindInt64(h, at, v)
}

func (s *Stmt) bindValue(at bindings.IdxT, arg any, t *Type) error {
	v, err := newValue(arg, t)
	if err != nil {
		return &ArgumentError{Index: int(at), Reason: err.Error(), state: "22P02"}
	}
	defer bindings.DestroyValue(&v)
	if bindings.BindValue(s.handle, at, v) == bindings.StateError {
		return s.refused(at)
	}
	return nil
}

// newValue makes DuckDB's value of an argument, which the caller frees. t is
// the type wanted, as far as it is known.
func newValue(arg any, t *Type) (bindings.Value, error) {
	switch v := arg.(type) {
	case nil:
		return bindings.CreateNullValue(), nil
	case bool:
		return bindings.CreateBool(v), nil
	case int:
		return integerValue(int64(v), t), nil
	case int64:
		return integerValue(v, t), nil
	case uint64:
		return bindings.CreateUInt64(v), nil
	case Int128:
		return bindings.CreateHugeInt(bindings.NewHugeInt(v.Lo, v.Hi)), nil
	case float32:
		return bindings.CreateFloat(v), nil
	case float64:
		return bindings.CreateDouble(v), nil
	case NumericText:
		return numericValue(string(v), t)
	case string:
		return bindings.CreateVarchar(v), nil
	case []byte:
		return bindings.CreateBlob(v), nil
	case UUID:
		bits := uuidBits(v)
		// CreateUUID takes the plain number, without the flipped bit.
		return bindings.CreateUUID(bindings.NewUHugeInt(bits.Lo, uint64(bits.Hi)^1<<63)), nil
	case BitString:
		b := bindings.NewBit(bitBytes(v))
		defer bindings.DestroyBit(&b)
		return bindings.CreateBit(b), nil
	case List:
		return listValue(v, t)
	default:
		return timeValue(arg)
	}
}

func timeValue(arg any) (bindings.Value, error) {
	switch v := arg.(type) {
	case Date:
		return bindings.CreateDate(bindings.NewDate(int32(v))), nil
	case Time:
		return bindings.CreateTime(bindings.NewTime(int64(v))), nil
	case TimeNS:
		return bindings.CreateTimeNS(bindings.NewTimeNS(int64(v))), nil
	case TimeTZ:
		return bindings.CreateTimeTZValue(bindings.NewTimeTZ(timeTZBits(v))), nil
	case Timestamp:
		return bindings.CreateTimestamp(bindings.NewTimestamp(int64(v))), nil
	case TimestampTZ:
		return bindings.CreateTimestampTZ(bindings.NewTimestamp(int64(v))), nil
	case TimestampNS:
		return bindings.CreateTimestampNS(bindings.NewTimestampNS(int64(v))), nil
	case Interval:
		return bindings.CreateInterval(bindings.NewInterval(v.Months, v.Days, v.Micros)), nil
	default:
		return bindings.Value{}, fmt.Errorf("a value of the Go type %T cannot be an argument", arg)
	}
}

func integerValue(v int64, t *Type) bindings.Value {
	switch {
	case t.ID == TypeInteger && v == int64(int32(v)):
		return bindings.CreateInt32(int32(v))
	case t.ID == TypeSmallInt && v == int64(int16(v)):
		return bindings.CreateInt16(int16(v))
	default:
		return bindings.CreateInt64(v)
	}
}

// numericValue makes a DECIMAL of the wanted type, else of the narrowest that
// holds the number; a whole number that is too long for one becomes a HUGEINT
// or a BIGNUM, and what no type of DuckDB holds exactly a DOUBLE.
func numericValue(text string, t *Type) (bindings.Value, error) {
	if t.ID == TypeDecimal {
		if d, ok := decimalValue(text, t.Width, t.Scale); ok {
			return bindings.CreateDecimal(d), nil
		}
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(text, "+-"), ".")
	width := len(strings.TrimLeft(whole, "0")) + len(fraction)
	if width = max(width, 1); width <= maxDecimalWidth {
		if d, ok := decimalValue(text, uint8(width), uint8(len(fraction))); ok {
			return bindings.CreateDecimal(d), nil
		}
	}
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return wholeValue(n), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return bindings.Value{}, fmt.Errorf("invalid input syntax for type numeric: %q", text)
	}
	return bindings.CreateDouble(f), nil
}

// wholeValue makes a HUGEINT, or a BIGNUM of more than 127 bits.
func wholeValue(n *big.Int) bindings.Value {
	const hugeBits = 127
	if n.BitLen() > hugeBits {
		b := bindings.NewBigNum(n.Bytes(), n.Sign() < 0)
		defer bindings.DestroyBigNum(&b)
		return bindings.CreateBigNum(b)
	}
	v := int128Of(n)
	return bindings.CreateHugeInt(bindings.NewHugeInt(v.Lo, v.Hi))
}

// int128Of is n, whose magnitude has at most 127 bits.
func int128Of(n *big.Int) Int128 {
	var magnitude [16]byte
	n.FillBytes(magnitude[:])
	v := Int128{Lo: binary.BigEndian.Uint64(magnitude[8:]), Hi: int64(binary.BigEndian.Uint64(magnitude[:8]))}
	if n.Sign() < 0 {
		return v.negated()
	}
	return v
}

const maxDecimalWidth = 38

// decimalValue is the number as DECIMAL(width,scale), if it is exactly one.
func decimalValue(text string, width, scale uint8) (bindings.Decimal, bool) {
	unscaled, ok := parseDecimal(text, int(width), int(scale))
	if !ok {
		return bindings.Decimal{}, false
	}
	return bindings.NewDecimal(width, scale, bindings.NewHugeInt(unscaled.Lo, unscaled.Hi)), true
}

// parseDecimal reads text as a number of at most width digits, scale of them
// behind the point, and returns it times 10^scale. A number with more digits
// behind the point is refused, unless they are zeros.
func parseDecimal(text string, width, scale int) (Int128, bool) {
	digits := strings.TrimLeft(text, "+-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(text)-len(digits) > 1 || whole == "" && fraction == "" {
		return Int128{}, false
	}
	for len(fraction) > scale && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if len(fraction) > scale {
		return Int128{}, false
	}
	digits = strings.TrimLeft(whole+fraction+strings.Repeat("0", scale-len(fraction)), "0")
	if len(digits) > width || strings.Trim(digits, "0123456789") != "" {
		return Int128{}, false
	}
	n := parseDigits(digits)
	if text[0] == '-' {
		n = n.negated()
	}
	return n, true
}

// parseDigits reads at most 38 decimal digits.
func parseDigits(digits string) Int128 {
	if len(digits) <= 18 {
		n, _ := strconv.ParseUint("0"+digits, 10, 64)
		return Int128{Lo: n}
	}
	n, _ := new(big.Int).SetString(digits, 10)
	return int128Of(n)
}

func (v Int128) negated() Int128 {
	lo := -v.Lo
	hi := -v.Hi
	if lo != 0 {
		hi--
	}
	return Int128{Lo: lo, Hi: hi}
}

// listValue makes a LIST. Its elements have the type that the parameter asks
// for, or the list names, or that the first of them has.
func listValue(list List, t *Type) (bindings.Value, error) {
	elem := list.Elem
	if elem.ID == TypeUnknown && t.Elem != nil {
		elem = *t.Elem
	}
	if elem.ID == TypeUnknown {
		elem = elementType(list.Items)
	}
	items := make([]bindings.Value, 0, len(list.Items))
	defer func() {
		for i := range items {
			bindings.DestroyValue(&items[i])
		}
	}()
	for _, item := range list.Items {
		v, err := newValue(item, &elem)
		if err != nil {
			return v, err
		}
		items = append(items, v)
	}
	l, err := elem.logicalType()
	if err != nil {
		return bindings.Value{}, err
	}
	defer bindings.DestroyLogicalType(&l)
	v := bindings.CreateListValue(l, items)
	if v.Ptr == nil {
		return v, fmt.Errorf("the items of the list are not all of type %s", elem.Name)
	}
	return v, nil
}

// elementType is the type of the first item that is not NULL; VARCHAR if
// there is none.
func elementType(items []any) Type {
	for _, item := range items {
		switch v := item.(type) {
		case nil:
			continue
		case List:
			return ListType(elementType(v.Items))
		default:
			value, err := newValue(v, &Type{})
			if err != nil {
				continue
			}
			l := bindings.GetValueType(value) // owned by the value
			t := readType(l)
			bindings.DestroyValue(&value)
			return t
		}
	}
	return Simple(TypeVarchar)
}
