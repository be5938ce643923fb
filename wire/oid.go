package wire

// The OIDs of the built-in types that this package reads or writes.
const (
	OIDBool        uint32 = 16
	OIDBytea       uint32 = 17
	OIDChar        uint32 = 18
	OIDName        uint32 = 19
	OIDInt8        uint32 = 20
	OIDInt2        uint32 = 21
	OIDInt2Vector  uint32 = 22
	OIDInt4        uint32 = 23
	OIDRegproc     uint32 = 24
	OIDText        uint32 = 25
	OIDOid         uint32 = 26
	OIDXid         uint32 = 28
	OIDCid         uint32 = 29
	OIDOidVector   uint32 = 30
	OIDJSON        uint32 = 114
	OIDXML         uint32 = 142
	OIDFloat4      uint32 = 700
	OIDFloat8      uint32 = 701
	OIDUnknown     uint32 = 705
	OIDBpchar      uint32 = 1042
	OIDVarchar     uint32 = 1043
	OIDDate        uint32 = 1082
	OIDTime        uint32 = 1083
	OIDTimestamp   uint32 = 1114
	OIDTimestampTZ uint32 = 1184
	OIDInterval    uint32 = 1186
	OIDTimeTZ      uint32 = 1266
	OIDBit         uint32 = 1560
	OIDVarbit      uint32 = 1562
	OIDNumeric     uint32 = 1700
	OIDRegclass    uint32 = 2205
	OIDRegtype     uint32 = 2206
	OIDVoid        uint32 = 2278
	OIDUUID        uint32 = 2950
	OIDJSONB       uint32 = 3802
	OIDRegnsp      uint32 = 4089
)

// ElementOID is the element type of an array type, 0 if oid is none that this
// package knows.
func ElementOID(oid uint32) uint32 {
	for _, pair := range arrayOIDs {
		if pair[1] == oid {
			return pair[0]
		}
	}
	return 0
}

// ArrayOID is the array type of an element type, 0 if there is none that this
// package knows.
func ArrayOID(elem uint32) uint32 {
	for _, pair := range arrayOIDs {
		if pair[0] == elem {
			return pair[1]
		}
	}
	return 0
}

// arrayOIDs are pairs of an element type and its array type.
//
//nolint:gochecknoglobals // immutable table
var arrayOIDs = [...][2]uint32{
	{OIDBool, 1000},
	{OIDBytea, 1001},
	{OIDChar, 1002},
	{OIDName, 1003},
	{OIDInt8, 1016},
	{OIDInt2, 1005},
	{OIDInt4, 1007},
	{OIDText, 1009},
	{OIDOid, 1028},
	{OIDJSON, 199},
	{OIDXML, 143},
	{OIDFloat4, 1021},
	{OIDFloat8, 1022},
	{OIDBpchar, 1014},
	{OIDVarchar, 1015},
	{OIDDate, 1182},
	{OIDTime, 1183},
	{OIDTimestamp, 1115},
	{OIDTimestampTZ, 1185},
	{OIDInterval, 1187},
	{OIDTimeTZ, 1270},
	{OIDBit, 1561},
	{OIDVarbit, 1563},
	{OIDNumeric, 1231},
	{OIDRegproc, 1008},
	{OIDRegclass, 2210},
	{OIDRegtype, 2211},
	{OIDRegnsp, 4090},
	{OIDXid, 1011},
	{OIDCid, 1012},
	{OIDUUID, 2951},
	{OIDJSONB, 3807},
}

// typeName is a type's name in Postgres's error messages.
func typeName(oid uint32) string {
	switch oid {
	case OIDBool:
		return "boolean"
	case OIDBytea:
		return "bytea"
	case OIDInt2:
		return "smallint"
	case OIDInt4:
		return "integer"
	case OIDInt8:
		return "bigint"
	case OIDOid:
		return "oid"
	case OIDFloat4:
		return "real"
	case OIDFloat8:
		return "double precision"
	case OIDNumeric:
		return "numeric"
	case OIDDate:
		return "date"
	case OIDTime:
		return "time"
	case OIDTimestamp:
		return "timestamp"
	case OIDTimestampTZ:
		return "timestamp with time zone"
	case OIDInterval:
		return "interval"
	case OIDUUID:
		return "uuid"
	case OIDJSON:
		return "json"
	case OIDJSONB:
		return "jsonb"
	case OIDTimeTZ:
		return "time with time zone"
	default:
		return "text"
	}
}
