package planner

import (
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// A decoder reads a field of COPY FROM STDIN into a column of the rows to be
// inserted. The field is not kept.
type decoder func(rows *catalog.ColumnSet, col int, field []byte) error

// newDecoder chooses how the fields of a column are read, and the type that
// they are fed to DuckDB as: the column's own for the usual types, text for
// the others, which DuckDB then casts.
func newDecoder(t catalog.Type, binary bool, loc *time.Location) (decoder, catalog.Type) {
	if binary {
		return binaryDecoder(t)
	}
	if d := numberDecoder(t); d != nil {
		return d, t
	}
	switch t.ID {
	case catalog.TypeBoolean:
		return decodeWith(wire.ParseBool, (*catalog.ColumnSet).AppendBool), t
	case catalog.TypeDate:
		return decodeWith(wire.ParseDate, func(r *catalog.ColumnSet, col int, d wire.Date) { r.AppendDate(col, int32(d)) }), t
	case catalog.TypeTimestampTZ:
		return timestampDecoder(loc), t
	case catalog.TypeTimestamp:
		return timestampDecoder(nil), t
	case catalog.TypeUUID:
		return decodeWith(wire.ParseUUID, func(r *catalog.ColumnSet, col int, u wire.UUID) { r.AppendUUID(col, catalog.UUID(u)) }), t
	case catalog.TypeInterval, catalog.TypeTime:
		return parsedDecoder(oidOf(t), loc), t
	case catalog.TypeBlob:
		return decodeWith(wire.ParseBytea, func(r *catalog.ColumnSet, col int, b []byte) { r.AppendBytes(col, b) }), t
	default:
		return textDecoder(t)
	}
}

func numberDecoder(t catalog.Type) decoder {
	switch t.ID {
	case catalog.TypeBigInt:
		return decodeWith(wire.ParseInt64, (*catalog.ColumnSet).AppendInt64)
	case catalog.TypeInteger:
		return decodeWith(wire.ParseInt32, func(r *catalog.ColumnSet, col int, v int32) { r.AppendInt64(col, int64(v)) })
	case catalog.TypeSmallInt:
		return decodeWith(wire.ParseInt16, func(r *catalog.ColumnSet, col int, v int16) { r.AppendInt64(col, int64(v)) })
	case catalog.TypeDouble:
		return decodeWith(wire.ParseFloat64, (*catalog.ColumnSet).AppendFloat64)
	case catalog.TypeFloat:
		return decodeWith(wire.ParseFloat32, (*catalog.ColumnSet).AppendFloat32)
	case catalog.TypeDecimal:
		return func(r *catalog.ColumnSet, col int, field []byte) error {
			n, err := wire.ParseDecimal(field, int(t.Width), int(t.Scale))
			if err != nil {
				return err
			}
			r.AppendInt128(col, catalog.Int128(n))
			return nil
		}
	default:
		return nil
	}
}

func decodeWith[T any](parse func([]byte) (T, error), add func(*catalog.ColumnSet, int, T)) decoder {
	return func(r *catalog.ColumnSet, col int, field []byte) error {
		v, err := parse(field)
		if err != nil {
			return err
		}
		add(r, col, v)
		return nil
	}
}

func timestampDecoder(loc *time.Location) decoder {
	return func(r *catalog.ColumnSet, col int, field []byte) error {
		t, err := wire.ParseTimestamp(field, loc)
		if err != nil {
			return err
		}
		r.AppendTimestamp(col, int64(t))
		return nil
	}
}

// parsedDecoder reads fields by the rules of a type's text form.
func parsedDecoder(oid uint32, loc *time.Location) decoder {
	return func(r *catalog.ColumnSet, col int, field []byte) error {
		v, err := wire.ParseText(oid, string(field), loc)
		if err != nil {
			return err
		}
		return appendValue(r, col, v)
	}
}

// textDecoder feeds text, with arrays and bytes in the spelling that DuckDB's
// casts read.
func textDecoder(t catalog.Type) (decoder, catalog.Type) {
	text := catalog.Simple(catalog.TypeVarchar)
	if t.ID == catalog.TypeList || t.ID == catalog.TypeArray {
		return func(r *catalog.ColumnSet, col int, field []byte) error {
			list, err := listLiteral(holdsBytes(t), string(field))
			if err != nil {
				return err
			}
			r.AppendString(col, list)
			return nil
		}, text
	}
	return func(r *catalog.ColumnSet, col int, field []byte) error {
		r.AppendBytes(col, field)
		return nil
	}, text
}

// holdsBytes reports whether the elements of an array are bytes.
func holdsBytes(t catalog.Type) bool {
	for t.Elem != nil {
		t = *t.Elem
	}
	return t.ID == catalog.TypeBlob
}
