package catalog

import (
	"math"

	"github.com/sessiondb/sessiondb/sessionop"
)

// The inputs and results of the measures that the operator carries, between
// DuckDB's types and the operator's 128-bit integers.

// readInputs reads a column of inputs into every stride-th value of dst.
func readInputs(vec *Vector, m sessionop.Measure, dst []sessionop.Value, stride int) {
	for i := 0; i*stride < len(dst); i++ {
		readInput(vec, i, m, &dst[i*stride])
	}
}

func readInput(vec *Vector, i int, m sessionop.Measure, dst *sessionop.Value) {
	if vec.IsNull(i) {
		*dst = sessionop.Value{}
		return
	}
	dst.Valid = true
	switch m {
	case sessionop.FloatMin, sessionop.FloatMax:
		dst.Lo, dst.Hi = math.Float64bits(floatAt(vec, i)), 0
	case sessionop.Count, sessionop.CountRows:
		dst.Lo, dst.Hi = 0, 0 // values of any type are counted
	default:
		n := integerAt(vec, i)
		dst.Lo, dst.Hi = n.Lo, n.Hi
	}
}

// readResult reads a stored result, for acc.
func readResult(vec *Vector, i int, m sessionop.Measure, dst *sessionop.Value) {
	if m == sessionop.Count || m == sessionop.CountRows {
		*dst = sessionop.Value{Valid: true, Lo: integerAt(vec, i).Lo}
		return
	}
	readInput(vec, i, m, dst)
}

func floatAt(vec *Vector, i int) float64 {
	if vec.Type.ID == TypeFloat {
		return float64(vec.Float32s()[i])
	}
	return vec.Float64s()[i]
}

// integerAt reads a value of any type that is stored as an integer: integers,
// decimals (unscaled), dates, times, timestamps, booleans.
func integerAt(vec *Vector, i int) Int128 {
	switch vec.Type.physical().width() {
	case 1:
		if vec.Type.ID == TypeBoolean {
			if vec.Bools()[i] {
				return Int128{Lo: 1}
			}
			return Int128{}
		}
		if vec.Type.ID == TypeUTinyInt {
			return Int128{Lo: uint64(vec.Uint8s()[i])}
		}
		return widen(int64(vec.Int8s()[i]))
	case 2:
		if vec.Type.ID == TypeUSmallInt {
			return Int128{Lo: uint64(vec.Uint16s()[i])}
		}
		return widen(int64(vec.Int16s()[i]))
	case 4:
		if vec.Type.ID == TypeUInteger {
			return Int128{Lo: uint64(vec.Uint32s()[i])}
		}
		return widen(int64(vec.Int32s()[i]))
	case 8:
		if vec.Type.ID == TypeUBigInt {
			return Int128{Lo: vec.Uint64s()[i]}
		}
		return widen(vec.Int64s()[i])
	default:
		return vec.Int128s()[i]
	}
}

func widen(n int64) Int128 { return Int128{Lo: uint64(n), Hi: n >> 63} }

// acc is the accumulator of a stored result.
func (m *ContractMeasure) acc(v sessionop.Value) sessionop.Acc {
	switch {
	case m.Measure == sessionop.Count || m.Measure == sessionop.CountRows:
		return sessionop.Acc{N: int64(v.Lo)}
	case !v.Valid:
		return sessionop.Acc{}
	default:
		return sessionop.Acc{N: 1, Hi: v.Hi, Lo: v.Lo}
	}
}

// appendAcc appends an accumulator's result to a column of type t.
func appendAcc(out *ColumnSet, col int, t Type, m sessionop.Measure, a sessionop.Acc) {
	switch {
	case m == sessionop.Count || m == sessionop.CountRows:
		out.AppendInt128(col, widen(a.N))
	case a.N == 0:
		out.AppendNull(col)
	case m == sessionop.FloatMin || m == sessionop.FloatMax:
		out.AppendFloat64(col, math.Float64frombits(a.Lo))
	case t.ID == TypeBoolean:
		out.AppendBool(col, a.Lo != 0)
	default:
		out.AppendInt128(col, Int128{Lo: a.Lo, Hi: a.Hi})
	}
}

// CarriedMeasure says whether the operator can carry an aggregate over an
// argument of type arg, and how. Everything else is left to DuckDB.
func CarriedMeasure(aggregate string, arg Type) (sessionop.Measure, bool) {
	switch aggregate {
	case "count":
		return sessionop.Count, true
	case "sum":
		return sessionop.Sum, arg.isExact()
	case "min", "max":
		return minMax(aggregate, arg)
	case "bool_and", "bool_or":
		if aggregate == "bool_and" {
			return sessionop.And, arg.ID == TypeBoolean
		}
		return sessionop.Or, arg.ID == TypeBoolean
	default:
		return 0, false
	}
}

func minMax(aggregate string, arg Type) (sessionop.Measure, bool) {
	ordered := arg.isExact() || arg.ID == TypeDate || arg.ID == TypeTimestamp || arg.ID == TypeTimestampTZ
	switch {
	case arg.ID == TypeDouble && aggregate == "min":
		return sessionop.FloatMin, true
	case arg.ID == TypeDouble:
		return sessionop.FloatMax, true
	case aggregate == "min":
		return sessionop.Min, ordered
	default:
		return sessionop.Max, ordered
	}
}

// isExact holds for the integers and decimals.
func (t Type) isExact() bool {
	switch t.ID {
	case TypeTinyInt, TypeSmallInt, TypeInteger, TypeBigInt, TypeHugeInt, TypeUTinyInt, TypeUSmallInt, TypeUInteger, TypeUBigInt, TypeDecimal:
		return true
	default:
		return false
	}
}
