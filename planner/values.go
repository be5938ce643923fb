package planner

import (
	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

func oidOf(t catalog.Type) uint32 { return wireType(t).OID }

func wireType(t catalog.Type) wire.Type {
	switch t.ID {
	case catalog.TypeBoolean:
		return wire.Type{OID: 16, Size: 1, Typmod: -1, Kind: wire.KindBool}
	case catalog.TypeSmallInt:
		return wire.Type{OID: 21, Size: 2, Typmod: -1, Kind: wire.KindInt16}
	case catalog.TypeInteger:
		return wire.Type{OID: 23, Size: 4, Typmod: -1, Kind: wire.KindInt32}
	case catalog.TypeBigInt:
		return wire.Type{OID: 20, Size: 8, Typmod: -1, Kind: wire.KindInt64}
	case catalog.TypeHugeInt:
		return wire.Type{OID: 1700, Size: -1, Typmod: -1, Kind: wire.KindNumeric128}
	case catalog.TypeDouble:
		return wire.Type{OID: 701, Size: 8, Typmod: -1, Kind: wire.KindFloat64}
	case catalog.TypeTimestampTZ:
		return wire.Type{OID: 1184, Size: 8, Typmod: -1, Kind: wire.KindTimestampTZ}
	case catalog.TypeTimestamp:
		return wire.Type{OID: 1114, Size: 8, Typmod: -1, Kind: wire.KindTimestamp}
	case catalog.TypeUUID:
		return wire.Type{OID: 2950, Size: 16, Typmod: -1, Kind: wire.KindUUID}
	case catalog.TypeInterval:
		return wire.Type{OID: 1186, Size: 16, Typmod: -1, Kind: wire.KindInterval}
	default:
		return textType()
	}
}

func batch(chunk *catalog.Chunk, b *wire.Batch) {
	b.Rows, b.First = chunk.Rows(), 0
	b.Cols = make([]wire.Vector, chunk.Cols())
	for i := range b.Cols {
		v, w := chunk.Col(i), &b.Cols[i]
		t := wireType(*v.Type)
		w.Type, w.Valid = &t, v.Valid
		switch t.Kind {
		case wire.KindBool:
			w.Bools = v.Bools()
		case wire.KindInt16:
			w.Int16s = v.Int16s()
		case wire.KindInt32:
			w.Int32s = v.Int32s()
		case wire.KindInt64, wire.KindTimestamp, wire.KindTimestampTZ:
			w.Int64s = v.Int64s()
		case wire.KindFloat64:
			w.Float64s = v.Float64s()
		case wire.KindNumeric128:
			for _, x := range v.Int128s() {
				w.Int128s = append(w.Int128s, wire.Int128(x))
			}
		case wire.KindUUID:
			for _, x := range v.UUIDs() {
				w.UUIDs = append(w.UUIDs, wire.UUID(x))
			}
		default:
			for r := range b.Rows {
				if v.IsNull(r) {
					w.Strings = append(w.Strings, "")
					continue
				}
				w.Strings = append(w.Strings, string(v.AppendText(nil, r)))
			}
		}
	}
}

func bindArgs(args []wire.Value, types []catalog.Type) ([]any, error) {
	out := make([]any, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case wire.Timestamp:
			out[i] = catalog.TimestampTZ(v)
		case wire.Numeric:
			out[i] = catalog.NumericText(v)
		default:
			out[i] = v
		}
	}
	return out, nil
}
