package planner

import (
	"strconv"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// bindArgs turns the values that a client bound into arguments for parameters
// of the given types. A string for a parameter of another type is read as
// that type's text.
func bindArgs(args []wire.Value, types []catalog.Type) ([]any, error) {
	out := make([]any, len(args))
	for i, arg := range args {
		t := catalog.Type{}
		if i < len(types) {
			t = types[i]
		}
		v, err := bindArg(arg, t)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func bindArg(arg wire.Value, t catalog.Type) (any, error) {
	switch v := arg.(type) {
	case string:
		return bindText(v, t)
	case wire.Numeric:
		return bindNumeric(v, t)
	case wire.UUID:
		return catalog.UUID(v), nil
	case wire.Date:
		return catalog.Date(v), nil
	case wire.Time:
		return catalog.Time(v), nil
	case wire.Timestamp:
		if t.ID == catalog.TypeTimestampTZ {
			return catalog.TimestampTZ(v), nil
		}
		return catalog.Timestamp(v), nil
	case wire.Interval:
		return catalog.Interval(v), nil
	case wire.Array:
		return bindArray(v, t)
	default: // nil, bool, int64, float32, float64, []byte
		return arg, nil
	}
}

// bindText reads s as the text of a type whose values are not text. What wire
// does not read, DuckDB casts.
func bindText(s string, t catalog.Type) (any, error) {
	switch t.ID {
	case catalog.TypeUnknown, catalog.TypeVarchar, catalog.TypeEnum, catalog.TypeAny:
		return s, nil
	case catalog.TypeBit:
		return catalog.BitString(s), checkBits(s)
	default:
	}
	oid := oidOf(t)
	if oid == wire.OIDJSON {
		return s, nil
	}
	v, err := wire.ParseText(oid, s, time.UTC)
	if err != nil {
		return nil, err
	}
	if _, still := v.(string); still {
		return s, nil
	}
	return bindArg(v, t)
}

func checkBits(s string) error {
	for i := range len(s) {
		if s[i] != '0' && s[i] != '1' {
			return wire.Errorf("22P02", `"%c" is not a valid binary digit`, s[i])
		}
	}
	return nil
}

// bindNumeric binds floating point for the parameters that are, so that the
// statement need not be planned anew.
func bindNumeric(n wire.Numeric, t catalog.Type) (any, error) {
	if t.ID != catalog.TypeDouble && t.ID != catalog.TypeFloat {
		return catalog.NumericText(n), nil
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return nil, wire.Errorf("22003", `"%s" is out of range for type double precision`, n)
	}
	return f, nil
}

func bindArray(a wire.Array, t catalog.Type) (any, error) {
	elem, _ := catalogType(a.Elem)
	if t.Elem != nil {
		elem = *t.Elem
	}
	if a.Elem == wire.OIDNumeric && t.Elem == nil {
		elem = catalog.Type{} // as wide as the numbers are
	}
	list := catalog.List{Elem: elem, Items: make([]any, len(a.Items))}
	for i, item := range a.Items {
		if _, nested := item.(wire.Array); nested && t.Elem == nil {
			list.Elem = catalog.Type{} // a dimension of the array, not its element
		}
		v, err := bindArg(item, elem)
		if err != nil {
			return nil, err
		}
		list.Items[i] = v
	}
	return list, nil
}
