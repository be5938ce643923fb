package catalog

/*
#include <stdlib.h>

void sessiondb_call_function(void *info, void *input, void *output);
void sessiondb_free_function(void *info);
typedef void (*function_callback)(void *, void *, void *);
typedef void (*function_free)(void *);
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime/cgo"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// A Function is a scalar function of SQL that Go computes, row by row.
type Function struct {
	Name   string
	Params []Type
	Result Type
	// Call computes one row. Its arguments are nil for NULL, or as their types
	// say: string (VARCHAR, and BLOB with its bytes), bool, int64 (integers,
	// DATE in days, TIMESTAMP in microseconds), float64, Interval, []any (LIST).
	// The result is one of these but the list. Strings end with the call.
	//
	// An error fails the statement. It is shown with its text as the message;
	// "[22P02] …" has its SQLSTATE in front, which the text is shown without.
	Call func(args []any) (any, error)
	// Nulls says that Call is asked about rows with a NULL too, which are NULL
	// otherwise.
	Nulls bool
	// Volatile says that equal arguments may give another result each time.
	Volatile bool
}

// Register makes functions known to all connections of the database.
func (db *DB) Register(ctx context.Context, functions []Function) error {
	c, err := db.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for i := range functions {
		if err := c.register(&functions[i]); err != nil {
			return fmt.Errorf("function %s: %w", functions[i].Name, err)
		}
	}
	return nil
}

func (c *Conn) register(f *Function) error {
	h := bindings.CreateScalarFunction()
	defer bindings.DestroyScalarFunction(&h)
	bindings.ScalarFunctionSetName(h, f.Name)
	for i := range f.Params {
		l, err := f.Params[i].logicalType()
		if err != nil {
			return err
		}
		bindings.ScalarFunctionAddParameter(h, l)
		bindings.DestroyLogicalType(&l)
	}
	l, err := f.Result.logicalType()
	if err != nil {
		return err
	}
	bindings.ScalarFunctionSetReturnType(h, l)
	bindings.DestroyLogicalType(&l)
	bindings.ScalarFunctionSetSpecialHandling(h)
	if f.Volatile {
		bindings.ScalarFunctionSetVolatile(h)
	}
	// DuckDB keeps a number, never a pointer into Go's memory.
	info := C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0))))
	*(*cgo.Handle)(info) = cgo.NewHandle(f)
	bindings.ScalarFunctionSetExtraInfo(h, info, unsafe.Pointer(C.function_free(C.sessiondb_free_function)))
	bindings.ScalarFunctionSetFunction(h, unsafe.Pointer(C.function_callback(C.sessiondb_call_function)))
	if bindings.RegisterScalarFunction(c.handle, h) == bindings.StateError {
		return errors.New("DuckDB did not take it")
	}
	return nil
}

//export sessiondb_free_function
func sessiondb_free_function(info unsafe.Pointer) {
	(*cgo.Handle)(info).Delete()
	C.free(info)
}

//export sessiondb_call_function
func sessiondb_call_function(info, input, output unsafe.Pointer) {
	function := bindings.FunctionInfo{Ptr: info}
	defer func() {
		// A panic must not unwind through DuckDB.
		if r := recover(); r != nil {
			bindings.ScalarFunctionSetError(function, fmt.Sprintf("[XX000] %v", r))
		}
	}()
	handle := *(*cgo.Handle)(bindings.ScalarFunctionGetExtraInfo(function))
	f, ok := handle.Value().(*Function)
	if !ok {
		return
	}
	chunk := bindings.DataChunk{Ptr: input}
	rows := int(bindings.DataChunkGetSize(chunk))
	args := make([]Vector, len(f.Params))
	for i := range args {
		args[i].load(bindings.DataChunkGetVector(chunk, bindings.IdxT(i)), &f.Params[i], rows)
	}
	if err := f.fill(bindings.Vector{Ptr: output}, args, rows); err != nil {
		bindings.ScalarFunctionSetError(function, err.Error())
	}
}

// fill computes the rows into a vector.
func (f *Function) fill(out bindings.Vector, args []Vector, rows int) error {
	values := make([]any, len(args))
	for row := range rows {
		null := false
		for i := range args {
			values[i] = args[i].value(row)
			null = null || values[i] == nil
		}
		var result any
		if !null || f.Nulls {
			var err error
			if result, err = f.Call(values); err != nil {
				return err
			}
		}
		if err := f.put(out, row, result); err != nil {
			return err
		}
	}
	return nil
}

// put writes the result of a row.
func (f *Function) put(out bindings.Vector, row int, result any) error {
	data := bindings.VectorGetData(out)
	switch v := result.(type) {
	case nil:
		bindings.VectorEnsureValidityWritable(out)
		bindings.ValiditySetRowInvalid(bindings.VectorGetValidity(out), bindings.IdxT(row))
	case string:
		bindings.VectorAssignStringElementLen(out, bindings.IdxT(row), []byte(v))
	case bool:
		*at[bool](data, row) = v
	case int64:
		return f.putInteger(data, row, v)
	case float64:
		*at[float64](data, row) = v
	case Interval:
		*at[Interval](data, row) = v
	default:
		return fmt.Errorf("a result of type %T", result)
	}
	return nil
}

func (f *Function) putInteger(data unsafe.Pointer, row int, v int64) error {
	switch f.Result.physical() {
	case physInt32:
		*at[int32](data, row) = int32(v)
	case physInt64:
		*at[int64](data, row) = v
	default:
		return fmt.Errorf("an integer for %s", f.Result.Name)
	}
	return nil
}

// at is the place of a row's value in the data of a vector.
func at[T any](data unsafe.Pointer, row int) *T {
	var v T
	return (*T)(unsafe.Add(data, uintptr(row)*unsafe.Sizeof(v)))
}

// value is row i as an argument of a Function.
func (v *Vector) value(i int) any {
	if v.IsNull(i) {
		return nil
	}
	switch v.Type.physical() {
	case physString:
		return v.Strings()[i]
	case physBool:
		return v.Bools()[i]
	case physInt32:
		return int64(v.Int32s()[i])
	case physInt64:
		return v.Int64s()[i]
	case physFloat64:
		return v.Float64s()[i]
	case physInterval:
		return v.Intervals()[i]
	case physList:
		span, child := v.Lists()[i], v.Child()
		items := make([]any, span.Len)
		for j := range items {
			items[j] = child.value(int(span.Offset) + j)
		}
		return items
	default:
		return fmt.Errorf("an argument of type %s", v.Type.Name)
	}
}
