package catalog

import bindings "github.com/duckdb/duckdb-go-bindings"

// readType turns DuckDB's handle of a type into a Type. It does not free it.
func readType(l bindings.LogicalType) Type {
	if l.Ptr == nil {
		return Simple(TypeUnknown)
	}
	id := TypeID(bindings.GetTypeId(l))
	switch id {
	case TypeDecimal:
		return DecimalType(bindings.DecimalWidth(l), bindings.DecimalScale(l))
	case TypeEnum:
		return EnumType(readEnum(l))
	case TypeVarchar:
		if bindings.LogicalTypeGetAlias(l) == "JSON" {
			return JSONType()
		}
		return Simple(id)
	default:
		return readNested(id, l)
	}
}

func readNested(id TypeID, l bindings.LogicalType) Type {
	switch id {
	case TypeList:
		return ListType(readOwned(bindings.ListTypeChildType(l)))
	case TypeArray:
		return ArrayType(readOwned(bindings.ArrayTypeChildType(l)), int(bindings.ArrayTypeArraySize(l)))
	case TypeMap:
		return MapType(readOwned(bindings.MapTypeKeyType(l)), readOwned(bindings.MapTypeValueType(l)))
	case TypeStruct:
		return StructType(readFields(int(bindings.StructTypeChildCount(l)), func(i bindings.IdxT) (string, bindings.LogicalType) {
			return bindings.StructTypeChildName(l, i), bindings.StructTypeChildType(l, i)
		}))
	case TypeUnion:
		return UnionType(readFields(int(bindings.UnionTypeMemberCount(l)), func(i bindings.IdxT) (string, bindings.LogicalType) {
			return bindings.UnionTypeMemberName(l, i), bindings.UnionTypeMemberType(l, i)
		}))
	default:
		return Simple(id)
	}
}

// readOwned reads a type whose handle is ours, and frees it.
func readOwned(l bindings.LogicalType) Type {
	defer bindings.DestroyLogicalType(&l)
	return readType(l)
}

func readFields(n int, at func(bindings.IdxT) (string, bindings.LogicalType)) []Field {
	fields := make([]Field, n)
	for i := range fields {
		name, l := at(bindings.IdxT(i))
		t := readOwned(l)
		fields[i] = Field{Name: name, Type: &t}
	}
	return fields
}

func readEnum(l bindings.LogicalType) []string {
	values := make([]string, bindings.EnumDictionarySize(l))
	for i := range values {
		values[i] = bindings.EnumDictionaryValue(l, bindings.IdxT(i))
	}
	return values
}

// An UnsupportedTypeError names a type that rows cannot be made of.
type UnsupportedTypeError struct{ Type string }

func (e *UnsupportedTypeError) Error() string {
	return "values of type " + e.Type + " cannot be fed to the database"
}

// SQLState is feature_not_supported.
func (e *UnsupportedTypeError) SQLState() string { return "0A000" }

// logicalType makes DuckDB's handle of a type, which the caller frees.
func (t *Type) logicalType() (bindings.LogicalType, error) {
	switch t.ID {
	case TypeUnknown, TypeAny, TypeVariant:
		return bindings.LogicalType{}, &UnsupportedTypeError{Type: t.Name}
	case TypeDecimal:
		return bindings.CreateDecimalType(t.Width, t.Scale), nil
	case TypeEnum:
		return bindings.CreateEnumType(t.Enum), nil
	case TypeList, TypeArray:
		return t.sequenceType()
	case TypeStruct, TypeUnion, TypeMap:
		return t.fieldsType()
	default:
		l := bindings.CreateLogicalType(bindings.Type(t.ID))
		if t.Alias != "" {
			bindings.LogicalTypeSetAlias(l, t.Alias)
		}
		return l, nil
	}
}

func (t *Type) sequenceType() (bindings.LogicalType, error) {
	elem, err := t.Elem.logicalType()
	if err != nil {
		return elem, err
	}
	defer bindings.DestroyLogicalType(&elem)
	if t.ID == TypeList {
		return bindings.CreateListType(elem), nil
	}
	return bindings.CreateArrayType(elem, bindings.IdxT(t.Len)), nil
}

func (t *Type) fieldsType() (bindings.LogicalType, error) {
	names, types := make([]string, len(t.Fields)), make([]bindings.LogicalType, len(t.Fields))
	defer func() {
		for i := range types {
			bindings.DestroyLogicalType(&types[i])
		}
	}()
	for i, f := range t.Fields {
		l, err := f.Type.logicalType()
		if err != nil {
			return bindings.LogicalType{}, err
		}
		names[i], types[i] = f.Name, l
	}
	switch t.ID {
	case TypeMap:
		return bindings.CreateMapType(types[0], types[1]), nil
	case TypeUnion:
		return bindings.CreateUnionType(types, names), nil
	default:
		return bindings.CreateStructType(types, names), nil
	}
}
