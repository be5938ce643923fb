package catalog

import (
	"strconv"
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// TypeID names a DuckDB type without its parameters.
type TypeID uint8

// The types of DuckDB, by their number in its C interface. TypeUnknown is a
// parameter whose type the statement leaves open.
const (
	TypeUnknown     = TypeID(bindings.TypeInvalid)
	TypeBoolean     = TypeID(bindings.TypeBoolean)
	TypeTinyInt     = TypeID(bindings.TypeTinyInt)
	TypeSmallInt    = TypeID(bindings.TypeSmallInt)
	TypeInteger     = TypeID(bindings.TypeInteger)
	TypeBigInt      = TypeID(bindings.TypeBigInt)
	TypeUTinyInt    = TypeID(bindings.TypeUTinyInt)
	TypeUSmallInt   = TypeID(bindings.TypeUSmallInt)
	TypeUInteger    = TypeID(bindings.TypeUInteger)
	TypeUBigInt     = TypeID(bindings.TypeUBigInt)
	TypeFloat       = TypeID(bindings.TypeFloat)
	TypeDouble      = TypeID(bindings.TypeDouble)
	TypeTimestamp   = TypeID(bindings.TypeTimestamp)
	TypeDate        = TypeID(bindings.TypeDate)
	TypeTime        = TypeID(bindings.TypeTime)
	TypeInterval    = TypeID(bindings.TypeInterval)
	TypeHugeInt     = TypeID(bindings.TypeHugeInt)
	TypeUHugeInt    = TypeID(bindings.TypeUHugeInt)
	TypeVarchar     = TypeID(bindings.TypeVarchar)
	TypeBlob        = TypeID(bindings.TypeBlob)
	TypeDecimal     = TypeID(bindings.TypeDecimal)
	TypeTimestampS  = TypeID(bindings.TypeTimestampS)
	TypeTimestampMS = TypeID(bindings.TypeTimestampMS)
	TypeTimestampNS = TypeID(bindings.TypeTimestampNS)
	TypeEnum        = TypeID(bindings.TypeEnum)
	TypeList        = TypeID(bindings.TypeList)
	TypeStruct      = TypeID(bindings.TypeStruct)
	TypeMap         = TypeID(bindings.TypeMap)
	TypeArray       = TypeID(bindings.TypeArray)
	TypeUUID        = TypeID(bindings.TypeUUID)
	TypeUnion       = TypeID(bindings.TypeUnion)
	TypeBit         = TypeID(bindings.TypeBit)
	TypeTimeTZ      = TypeID(bindings.TypeTimeTZ)
	TypeTimestampTZ = TypeID(bindings.TypeTimestampTZ)
	TypeAny         = TypeID(bindings.TypeAny)
	TypeBigNum      = TypeID(bindings.TypeBigNum)
	TypeSQLNull     = TypeID(bindings.TypeSQLNull)
	TypeTimeNS      = TypeID(bindings.TypeTimeNS)
	TypeGeometry    = TypeID(bindings.TypeGeometry)
	TypeVariant     = TypeID(bindings.TypeVariant)
)

// A Type is a DuckDB type with its parameters. Types are not changed once
// they are made, so they may be shared.
type Type struct {
	ID TypeID
	// Name is what a cast calls it: DECIMAL(12,2). DuckDB prints the same, but
	// quotes names of fields only where it must.
	Name  string
	Alias string // the name that a built-in type goes by, such as JSON (a VARCHAR)

	Width, Scale uint8 // of DECIMAL

	Elem *Type // of LIST and ARRAY
	Len  int   // of ARRAY: the elements of each value
	// Fields are the fields of a STRUCT, the members of a UNION, and the key
	// and value of a MAP.
	Fields []Field
	Enum   []string // the values of an ENUM, in order
}

// A Field is one field of a STRUCT, or one member of a UNION. The fields of a
// row value such as (1, 'a') have no names.
type Field struct {
	Name string
	Type *Type
}

// A Column is one column of a result.
type Column struct {
	Name string
	Type Type
}

// Simple makes the type of an id that takes no parameters.
func Simple(id TypeID) Type { return Type{ID: id, Name: id.String()} }

// DecimalType makes DECIMAL(width,scale).
func DecimalType(width, scale uint8) Type {
	name := "DECIMAL(" + strconv.Itoa(int(width)) + "," + strconv.Itoa(int(scale)) + ")"
	return Type{ID: TypeDecimal, Name: name, Width: width, Scale: scale}
}

// ListType makes the type of lists of elem.
func ListType(elem Type) Type {
	return Type{ID: TypeList, Name: elem.Name + "[]", Elem: &elem}
}

// ArrayType makes the type of arrays of n elements.
func ArrayType(elem Type, n int) Type {
	return Type{ID: TypeArray, Name: elem.Name + "[" + strconv.Itoa(n) + "]", Elem: &elem, Len: n}
}

// JSONType makes DuckDB's JSON: a VARCHAR under another name.
func JSONType() Type { return Type{ID: TypeVarchar, Name: "JSON", Alias: "JSON"} }

// EnumType makes an ENUM of the values.
func EnumType(values []string) Type {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = QuoteLiteral(v)
	}
	return Type{ID: TypeEnum, Name: "ENUM(" + strings.Join(quoted, ", ") + ")", Enum: values}
}

// StructType makes STRUCT(name type, …).
func StructType(fields []Field) Type {
	return Type{ID: TypeStruct, Name: "STRUCT(" + fieldList(fields) + ")", Fields: fields}
}

// UnionType makes UNION(name type, …).
func UnionType(members []Field) Type {
	return Type{ID: TypeUnion, Name: "UNION(" + fieldList(members) + ")", Fields: members}
}

// MapType makes MAP(key, value).
func MapType(key, value Type) Type {
	fields := []Field{{Name: "key", Type: &key}, {Name: "value", Type: &value}}
	return Type{ID: TypeMap, Name: "MAP(" + key.Name + ", " + value.Name + ")", Fields: fields}
}

func fieldList(fields []Field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.Type.Name
		if f.Name != "" {
			parts[i] = QuoteIdent(f.Name) + " " + f.Type.Name
		}
	}
	return strings.Join(parts, ", ")
}

// Nested reports whether the type's values hold other values.
func (t *Type) Nested() bool {
	switch t.ID {
	case TypeList, TypeStruct, TypeMap, TypeArray, TypeUnion, TypeVariant:
		return true
	default:
		return false
	}
}

// QuoteIdent writes an identifier so that SQL reads back exactly that name.
func QuoteIdent(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QuoteLiteral writes a string as a SQL literal.
func QuoteLiteral(s string) string {
	return `'` + strings.ReplaceAll(s, `'`, `''`) + `'`
}

// String is the type's name in SQL.
func (id TypeID) String() string {
	if name := typeNames(id); name != "" {
		return name
	}
	return "UNKNOWN"
}

func typeNames(id TypeID) string {
	switch id {
	case TypeBoolean:
		return "BOOLEAN"
	case TypeTinyInt:
		return "TINYINT"
	case TypeSmallInt:
		return "SMALLINT"
	case TypeInteger:
		return "INTEGER"
	case TypeBigInt:
		return "BIGINT"
	case TypeHugeInt:
		return "HUGEINT"
	case TypeUTinyInt:
		return "UTINYINT"
	case TypeUSmallInt:
		return "USMALLINT"
	case TypeUInteger:
		return "UINTEGER"
	case TypeUBigInt:
		return "UBIGINT"
	case TypeUHugeInt:
		return "UHUGEINT"
	case TypeFloat:
		return "FLOAT"
	case TypeDouble:
		return "DOUBLE"
	case TypeBigNum:
		return "BIGNUM"
	case TypeDecimal:
		return "DECIMAL"
	default:
		return otherTypeNames(id)
	}
}

func otherTypeNames(id TypeID) string {
	switch id {
	case TypeVarchar:
		return "VARCHAR"
	case TypeBlob:
		return "BLOB"
	case TypeBit:
		return "BIT"
	case TypeUUID:
		return "UUID"
	case TypeDate:
		return "DATE"
	case TypeTime:
		return "TIME"
	case TypeTimeNS:
		return "TIME_NS"
	case TypeTimeTZ:
		return "TIME WITH TIME ZONE"
	case TypeTimestamp:
		return "TIMESTAMP"
	case TypeTimestampS:
		return "TIMESTAMP_S"
	case TypeTimestampMS:
		return "TIMESTAMP_MS"
	case TypeTimestampNS:
		return "TIMESTAMP_NS"
	case TypeTimestampTZ:
		return "TIMESTAMP WITH TIME ZONE"
	case TypeInterval:
		return "INTERVAL"
	case TypeGeometry:
		return "GEOMETRY"
	case TypeVariant:
		return "VARIANT"
	case TypeSQLNull:
		return `"NULL"`
	case TypeAny:
		return "ANY"
	default:
		return nestedTypeNames(id)
	}
}

func nestedTypeNames(id TypeID) string {
	switch id {
	case TypeList:
		return "LIST"
	case TypeStruct:
		return "STRUCT"
	case TypeMap:
		return "MAP"
	case TypeArray:
		return "ARRAY"
	case TypeUnion:
		return "UNION"
	case TypeEnum:
		return "ENUM"
	default:
		return ""
	}
}
