package planner

import (
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// arrayLiteral writes Postgres's array text, such as {1,NULL,"a b"}, as a list
// of strings, and tells the length of each of its dimensions.
func arrayLiteral(s string) (list string, dims []int, ok bool) {
	return arrayLiteralOf(false, s)
}

// arrayLiteralOf is arrayLiteral for elements that are bytes, if they are: their
// text is another one in DuckDB.
func arrayLiteralOf(bytes bool, s string) (list string, dims []int, ok bool) {
	v, err := wire.ParseText(listOID(bytes), s, time.UTC)
	if err != nil {
		return "", nil, false
	}
	array, ok := v.(wire.Array)
	if !ok {
		return "", nil, false
	}
	return listExpression(array), arrayDims(array), true
}

// arrayDims is the length of each dimension of an array, which is rectangular.
func arrayDims(a wire.Array) []int {
	dims := []int{len(a.Items)}
	if len(a.Items) > 0 {
		if inner, nested := a.Items[0].(wire.Array); nested {
			dims = append(dims, arrayDims(inner)...)
		}
	}
	return dims
}

// listExpression is a list whose elements are string literals.
func listExpression(a wire.Array) string {
	items := make([]string, len(a.Items))
	for i, item := range a.Items {
		switch x := item.(type) {
		case wire.Array:
			items[i] = listExpression(x)
		case string:
			items[i] = quoteLiteral(x)
		case []byte:
			items[i] = quoteLiteral(blobText(x))
		default:
			items[i] = "NULL"
		}
	}
	return "[" + strings.Join(items, ", ") + "]"
}
