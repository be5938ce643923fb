package planner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// binaryDecoder reads fields of the binary format of COPY. What DuckDB can be
// given as it is keeps its type; the rest goes as text.
func binaryDecoder(t catalog.Type) (decoder, catalog.Type) {
	oid := oidOf(t)
	if t.Nested() || t.ID == catalog.TypeEnum || t.ID == catalog.TypeTimeTZ {
		return func(r *catalog.ColumnSet, col int, field []byte) error {
			v, err := wire.ParseBinary(oid, field)
			if err != nil {
				return err
			}
			r.AppendString(col, valueText(v))
			return nil
		}, catalog.Simple(catalog.TypeVarchar)
	}
	return func(r *catalog.ColumnSet, col int, field []byte) error {
		v, err := wire.ParseBinary(oid, field)
		if err != nil {
			return err
		}
		return appendValue(r, col, v)
	}, t
}

// appendValue appends a decoded value to a column that holds its kind.
func appendValue(r *catalog.ColumnSet, col int, v wire.Value) error {
	switch x := v.(type) {
	case bool:
		r.AppendBool(col, x)
	case int64:
		r.AppendInt64(col, x)
	case float32:
		r.AppendFloat32(col, x)
	case float64:
		r.AppendFloat64(col, x)
	case string:
		r.AppendString(col, x)
	case []byte:
		r.AppendBytes(col, x)
	case wire.UUID:
		r.AppendUUID(col, catalog.UUID(x))
	case wire.Date:
		r.AppendDate(col, int32(x))
	case wire.Time:
		r.AppendInt64(col, int64(x))
	case wire.Timestamp:
		r.AppendTimestamp(col, int64(x))
	case wire.Interval:
		r.AppendInterval(col, catalog.Interval(x))
	case wire.Numeric:
		if !r.AppendNumeric(col, catalog.NumericText(x)) {
			return wire.Errorf("22003", "numeric field overflow")
		}
	default:
		return fmt.Errorf("a value of type %T has no place in a column", v)
	}
	return nil
}

// textArrayOID is _text, byteaArrayOID _bytea.
const (
	textArrayOID  = 1009
	byteaArrayOID = 1001
)

// listOID is the type as which the text of an array is taken apart.
func listOID(bytes bool) uint32 {
	if bytes {
		return byteaArrayOID
	}
	return textArrayOID
}

// listLiteral turns the text of a Postgres array, of bytes or of anything else,
// into the text of a DuckDB list.
func listLiteral(bytes bool, text string) (string, error) {
	v, err := wire.ParseText(listOID(bytes), text, time.UTC)
	if err != nil {
		return "", err
	}
	return valueText(v), nil
}

// valueText is a value as text that DuckDB's casts read.
func valueText(v wire.Value) string {
	switch x := v.(type) {
	case wire.Array:
		items := make([]string, len(x.Items))
		for i, item := range x.Items {
			items[i] = itemText(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case wire.UUID:
		return catalog.UUID(x).String()
	case wire.Date:
		return dayText(x)
	case wire.Time:
		return time.UnixMicro(int64(x)).UTC().Format("15:04:05.999999")
	case wire.Timestamp:
		return timestampText(x)
	case wire.Interval:
		return fmt.Sprintf("%d months %d days %d microseconds", x.Months, x.Days, x.Micros)
	case []byte:
		return blobText(x)
	default:
		return fmt.Sprint(x)
	}
}

// itemText is an element of a list, quoted unless it is a list or NULL itself.
func itemText(v wire.Value) string {
	if v == nil {
		return "NULL"
	}
	if _, nested := v.(wire.Array); nested {
		return valueText(v)
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(valueText(v)) + `"`
}

// dayText is a date as DuckDB reads it.
func dayText(d wire.Date) string {
	switch d {
	case wire.DateInfinity:
		return "infinity"
	case wire.DateNegInfinity:
		return "-infinity"
	default:
		return dateText(time.Unix(int64(d)*86400, 0))
	}
}

func timestampText(t wire.Timestamp) string {
	switch t {
	case wire.TimestampInfinity:
		return "infinity"
	case wire.TimestampNegInfinity:
		return "-infinity"
	default:
		at := time.UnixMicro(int64(t)).UTC()
		return dateText(at) + at.Format(" 15:04:05.999999+00")
	}
}

func blobText(b []byte) string {
	var out strings.Builder
	for _, c := range b {
		fmt.Fprintf(&out, `\x%02X`, c)
	}
	return out.String()
}
