package sessionop

import (
	"math"
	"math/bits"
)

// A Measure is an aggregate that combines exactly, in any order: those are
// carried with the sessions. Sums of floating point are not among them.
type Measure uint8

// The measures. Integers and decimals are 128-bit integers in two's
// complement, decimals scaled alike.
const (
	Count     Measure = iota // of the inputs that are not NULL
	CountRows                // of the events
	Sum                      // of 128-bit integers
	Avg                      // sum and count; the reader divides
	Min                      // of 128-bit integers
	Max                      // of 128-bit integers
	FloatMin                 // of float64 bits in Lo; NaN is the greatest, −0 before 0
	FloatMax                 // as FloatMin
	And                      // of booleans, 0 or 1 in Lo
	Or                       // of booleans, 0 or 1 in Lo

	lastMeasure = Or
)

// A Value is one input of a measure: NULL unless Valid. One that Failed could
// not be computed: a session that counts its event cannot be published.
type Value struct {
	Valid  bool
	Failed bool
	Hi     int64
	Lo     uint64
}

// An Acc is what a measure has made of a session's inputs. N counts for
// Count, CountRows and Avg; for the others it is 1 once there was an input
// that is not NULL, and 0 (the measure is NULL) before. Hi and Lo hold the
// value of every measure but the counts.
type Acc struct {
	N  int64
	Hi int64
	Lo uint64
}

// add takes one event's input in. It reports false when a sum leaves 128 bits.
func (m Measure) add(acc *Acc, v Value) bool {
	switch {
	case m == CountRows:
		acc.N++
		return true
	case !v.Valid:
		return true
	case m == Count:
		acc.N++
		return true
	default:
		return m.merge(acc, Acc{N: 1, Hi: v.Hi, Lo: v.Lo})
	}
}

// merge takes in what another session has accumulated. It reports false when
// a sum leaves 128 bits.
func (m Measure) merge(acc *Acc, o Acc) bool {
	if o.N == 0 {
		return true
	}
	switch m {
	case Count, CountRows:
		acc.N += o.N
		return true
	case Sum, Avg:
		return m.mergeSum(acc, o)
	default:
		if acc.N == 0 || m.prefers(o, *acc) {
			*acc = o
		}
		return true
	}
}

func (m Measure) mergeSum(acc *Acc, o Acc) bool {
	if m == Avg {
		acc.N += o.N
	} else {
		acc.N = 1
	}
	lo, carry := bits.Add64(acc.Lo, o.Lo, 0)
	hi := acc.Hi + o.Hi + int64(carry)
	overflow := (acc.Hi^hi)&(o.Hi^hi) < 0
	acc.Hi, acc.Lo = hi, lo
	return !overflow
}

// prefers says whether a replaces b as the least, greatest, … value.
func (m Measure) prefers(a, b Acc) bool {
	switch m {
	case Min:
		return lessInt128(a, b)
	case Max:
		return lessInt128(b, a)
	case FloatMin:
		return floatRank(a.Lo) < floatRank(b.Lo)
	case FloatMax:
		return floatRank(a.Lo) > floatRank(b.Lo)
	case And:
		return a.Lo < b.Lo
	case Or:
		return a.Lo > b.Lo
	default:
		return false
	}
}

func lessInt128(a, b Acc) bool {
	if a.Hi != b.Hi {
		return a.Hi < b.Hi
	}
	return a.Lo < b.Lo
}

// floatRank maps float64 bits to integers in the order of the numbers; every
// NaN comes last, as DuckDB and Postgres order them.
func floatRank(b uint64) uint64 {
	const sign = 1 << 63
	switch {
	case math.IsNaN(math.Float64frombits(b)):
		return math.MaxUint64
	case b&sign != 0:
		return ^b
	default:
		return b | sign
	}
}
