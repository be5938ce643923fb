package planner

import (
	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// oidOf is the OID that Postgres clients know a type of DuckDB by.
func oidOf(t catalog.Type) uint32 { return wireType(t).OID }

// wireType says how values of a type are sent:
//
//	TINYINT, UTINYINT                      int2
//	USMALLINT, UINTEGER                    int4, int8
//	UBIGINT                                numeric(20,0)
//	HUGEINT, UHUGEINT, BIGNUM              numeric
//	ENUM                                   text
//	TIMESTAMP_S, _MS, _NS; TIME_NS         timestamp; time (microseconds)
//	LIST, ARRAY of what is one value       an array
//	ARRAY of ARRAY, LIST of ARRAY          an array of more dimensions
//	STRUCT, MAP, UNION, VARIANT            json
//	LIST of LIST, and of these             json: Postgres has no ragged arrays
//	BIT, BLOB, GEOMETRY                    varbit, bytea, bytea
//
// and the other types as their namesakes.
func wireType(t catalog.Type) wire.Type {
	switch t.ID {
	case catalog.TypeBoolean:
		return fixedType(wire.OIDBool, 1, wire.KindBool)
	case catalog.TypeTinyInt, catalog.TypeUTinyInt, catalog.TypeSmallInt:
		return fixedType(wire.OIDInt2, 2, wire.KindInt16)
	case catalog.TypeUSmallInt, catalog.TypeInteger:
		return fixedType(wire.OIDInt4, 4, wire.KindInt32)
	case catalog.TypeUInteger, catalog.TypeBigInt:
		return fixedType(wire.OIDInt8, 8, wire.KindInt64)
	case catalog.TypeFloat:
		return fixedType(wire.OIDFloat4, 4, wire.KindFloat32)
	case catalog.TypeDouble:
		return fixedType(wire.OIDFloat8, 8, wire.KindFloat64)
	case catalog.TypeHugeInt:
		return varyingType(wire.OIDNumeric, wire.KindNumeric128)
	case catalog.TypeUHugeInt, catalog.TypeBigNum:
		return varyingType(wire.OIDNumeric, wire.KindNumericText)
	case catalog.TypeUBigInt:
		w := varyingType(wire.OIDNumeric, wire.KindNumeric128)
		w.Typmod = numericTypmod(20, 0)
		return w
	case catalog.TypeDecimal:
		return decimalType(t)
	case catalog.TypeUUID:
		return fixedType(wire.OIDUUID, 16, wire.KindUUID)
	case catalog.TypeBlob, catalog.TypeGeometry:
		return varyingType(wire.OIDBytea, wire.KindBytes)
	case catalog.TypeBit:
		return varyingType(wire.OIDVarbit, wire.KindBit)
	default:
		return timeOrNestedType(t)
	}
}

func timeOrNestedType(t catalog.Type) wire.Type {
	switch t.ID {
	case catalog.TypeDate:
		return fixedType(wire.OIDDate, 4, wire.KindDate)
	case catalog.TypeTime, catalog.TypeTimeNS:
		return fixedType(wire.OIDTime, 8, wire.KindTime)
	case catalog.TypeTimeTZ:
		return fixedType(wire.OIDTimeTZ, 12, wire.KindTimeTZ)
	case catalog.TypeTimestamp, catalog.TypeTimestampS, catalog.TypeTimestampMS, catalog.TypeTimestampNS:
		return fixedType(wire.OIDTimestamp, 8, wire.KindTimestamp)
	case catalog.TypeTimestampTZ:
		return fixedType(wire.OIDTimestampTZ, 8, wire.KindTimestampTZ)
	case catalog.TypeInterval:
		return fixedType(wire.OIDInterval, 16, wire.KindInterval)
	case catalog.TypeList, catalog.TypeArray:
		return arrayType(t)
	case catalog.TypeStruct, catalog.TypeMap, catalog.TypeUnion, catalog.TypeVariant:
		return varyingType(wire.OIDJSON, wire.KindString)
	default:
		if t.Alias == "JSON" {
			return varyingType(wire.OIDJSON, wire.KindString)
		}
		return varyingType(wire.OIDText, wire.KindString)
	}
}

func fixedType(oid uint32, size int16, kind wire.Kind) wire.Type {
	return wire.Type{OID: oid, Size: size, Typmod: -1, Kind: kind}
}

func varyingType(oid uint32, kind wire.Kind) wire.Type {
	return wire.Type{OID: oid, Size: -1, Typmod: -1, Kind: kind}
}

// decimalType keeps the width in which DuckDB stores the numbers.
func decimalType(t catalog.Type) wire.Type {
	w := varyingType(wire.OIDNumeric, wire.KindNumeric128)
	switch {
	case t.Width <= 4:
		w.Kind = wire.KindNumeric16
	case t.Width <= 9:
		w.Kind = wire.KindNumeric32
	case t.Width <= 18:
		w.Kind = wire.KindNumeric64
	}
	w.Typmod, w.Scale = numericTypmod(t.Width, t.Scale), t.Scale
	return w
}

// numericTypmod is Postgres's form of numeric(width,scale).
func numericTypmod(width, scale uint8) int32 {
	const header = 4
	return (int32(width)<<16 | int32(scale)) + header
}

// arrayType is the array of the elements' type, or json where Postgres has no
// such array.
func arrayType(t catalog.Type) wire.Type {
	elem := wireType(*t.Elem)
	switch {
	case elem.Kind == wire.KindList:
		if t.Elem.ID != catalog.TypeArray {
			return varyingType(wire.OIDJSON, wire.KindString)
		}
		return wire.Type{OID: elem.OID, Size: -1, Typmod: elem.Typmod, Kind: wire.KindList, Elem: &elem}
	case elem.OID == wire.OIDJSON && t.Elem.Nested():
		return varyingType(wire.OIDJSON, wire.KindString)
	default:
		return wire.Type{OID: wire.ArrayOID(elem.OID), Size: -1, Typmod: elem.Typmod, Kind: wire.KindList, Elem: &elem}
	}
}

// duckdbTypeOf is the name, for a cast, of the type of DuckDB that holds the
// values of a type of Postgres; false where there is none.
func duckdbTypeOf(oid uint32) (string, bool) {
	if elem := wire.ElementOID(oid); elem != 0 {
		name, ok := duckdbTypeOf(elem)
		return name + "[]", ok
	}
	t, ok := catalogType(oid)
	return t.Name, ok
}

// catalogType is the type of DuckDB that holds the values of a type of
// Postgres that is no array; false where there is none.
func catalogType(oid uint32) (catalog.Type, bool) {
	switch oid {
	case wire.OIDJSON, wire.OIDJSONB:
		return catalog.JSONType(), true
	case wire.OIDNumeric:
		// A numeric without a width has no bound in Postgres; this is the widest
		// that leaves room on both sides of the point.
		return catalog.DecimalType(38, 10), true
	}
	var id catalog.TypeID
	switch oid {
	case wire.OIDBool:
		id = catalog.TypeBoolean
	case wire.OIDInt2:
		id = catalog.TypeSmallInt
	case wire.OIDInt4:
		id = catalog.TypeInteger
	case wire.OIDInt8, wire.OIDOid, wire.OIDXid, wire.OIDCid, wire.OIDRegclass, wire.OIDRegtype, wire.OIDRegproc, wire.OIDRegnsp:
		id = catalog.TypeBigInt
	case wire.OIDFloat4:
		id = catalog.TypeFloat
	case wire.OIDFloat8:
		id = catalog.TypeDouble
	case wire.OIDText, wire.OIDVarchar, wire.OIDBpchar, wire.OIDName, wire.OIDChar, wire.OIDXML:
		id = catalog.TypeVarchar
	case wire.OIDBytea:
		id = catalog.TypeBlob
	case wire.OIDUUID:
		id = catalog.TypeUUID
	case wire.OIDBit, wire.OIDVarbit:
		id = catalog.TypeBit
	default:
		id = catalogTimeType(oid)
	}
	return catalog.Simple(id), id != catalog.TypeUnknown
}

func catalogTimeType(oid uint32) catalog.TypeID {
	switch oid {
	case wire.OIDDate:
		return catalog.TypeDate
	case wire.OIDTime:
		return catalog.TypeTime
	case wire.OIDTimeTZ:
		return catalog.TypeTimeTZ
	case wire.OIDTimestamp:
		return catalog.TypeTimestamp
	case wire.OIDTimestampTZ:
		return catalog.TypeTimestampTZ
	case wire.OIDInterval:
		return catalog.TypeInterval
	default:
		return catalog.TypeUnknown
	}
}
