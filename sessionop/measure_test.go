package sessionop

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func big128(hi int64, lo uint64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(hi), 64)
	return n.Add(n, new(big.Int).SetUint64(lo))
}

// TestSum compares 128-bit sums, and where they overflow, with math/big.
func TestSum(t *testing.T) {
	t.Parallel()
	edges := rapid.OneOf(
		rapid.Custom(func(rt *rapid.T) Value {
			return Value{Valid: true, Hi: rapid.Int64().Draw(rt, "hi"), Lo: rapid.Uint64().Draw(rt, "lo")}
		}),
		rapid.SampledFrom([]Value{
			{Valid: true, Hi: math.MaxInt64, Lo: math.MaxUint64},
			{Valid: true, Hi: math.MinInt64},
			{Valid: true, Hi: -1, Lo: math.MaxUint64},
			{},
		}),
	)
	limit := new(big.Int).Lsh(big.NewInt(1), 127)
	rapid.Check(t, func(rt *rapid.T) {
		var acc Acc
		sum, n := new(big.Int), int64(0)
		for _, v := range rapid.SliceOfN(edges, 1, 5).Draw(rt, "inputs") {
			ok := Avg.add(&acc, v)
			if v.Valid {
				sum.Add(sum, big128(v.Hi, v.Lo))
				n++
			}
			if fits := sum.Cmp(limit) < 0 && sum.Cmp(new(big.Int).Neg(limit)) >= 0; ok != fits {
				rt.Fatalf("sum %v: ok is %t", sum, ok)
			} else if !ok {
				return
			}
		}
		if got := big128(acc.Hi, acc.Lo); got.Cmp(sum) != 0 || acc.N != n {
			rt.Fatalf("got %v of %d, want %v of %d", got, acc.N, sum, n)
		}
	})
}

func TestMeasures(t *testing.T) {
	t.Parallel()
	float := func(f float64) Value { return Value{Valid: true, Lo: math.Float64bits(f)} }
	whole := func(n int64) Value { return Value{Valid: true, Hi: n >> 63, Lo: uint64(n)} }
	null := Value{}
	for _, test := range []struct {
		name    string
		measure Measure
		inputs  []Value
		want    Acc
	}{
		{"count", Count, []Value{whole(1), null, whole(2)}, Acc{N: 2}},
		{"count rows", CountRows, []Value{whole(1), null}, Acc{N: 2}},
		{"sum of nothing", Sum, []Value{null}, Acc{}},
		{"sum", Sum, []Value{whole(-5), null, whole(2)}, Acc{N: 1, Hi: -1, Lo: math.MaxUint64 - 2}},
		{"avg", Avg, []Value{whole(-5), null, whole(7)}, Acc{N: 2, Lo: 2}},
		{"min", Min, []Value{whole(3), whole(-2), null}, Acc{N: 1, Hi: -1, Lo: math.MaxUint64 - 1}},
		{"max", Max, []Value{whole(-2), whole(3), whole(1)}, Acc{N: 1, Lo: 3}},
		{"float min", FloatMin, []Value{float(math.NaN()), float(-1.5), float(2)}, Acc{N: 1, Lo: math.Float64bits(-1.5)}},
		{"float max", FloatMax, []Value{float(math.Inf(1)), float(math.NaN()), float(2)}, Acc{N: 1, Lo: math.Float64bits(math.NaN())}},
		{"least zero", FloatMin, []Value{float(0), float(math.Copysign(0, -1))}, Acc{N: 1, Lo: 1 << 63}},
		{"greatest zero", FloatMax, []Value{float(math.Copysign(0, -1)), float(0)}, Acc{N: 1}},
		{"negative floats", FloatMax, []Value{float(-3), float(-2)}, Acc{N: 1, Lo: math.Float64bits(-2)}},
		{"and", And, []Value{whole(1), null, whole(0)}, Acc{N: 1}},
		{"and of true", And, []Value{whole(1), null}, Acc{N: 1, Lo: 1}},
		{"or", Or, []Value{whole(0), whole(1)}, Acc{N: 1, Lo: 1}},
		{"or of nothing", Or, []Value{null}, Acc{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := fold(test.measure, test.inputs); got != test.want {
				t.Errorf("added: got %+v, want %+v", got, test.want)
			}
			for i := range test.inputs {
				left, right := fold(test.measure, test.inputs[:i]), fold(test.measure, test.inputs[i:])
				if test.measure.merge(&left, right); left != test.want {
					t.Errorf("merged at %d: got %+v, want %+v", i, left, test.want)
				}
			}
		})
	}
}

func fold(m Measure, inputs []Value) Acc {
	var acc Acc
	for _, v := range inputs {
		m.add(&acc, v)
	}
	return acc
}

func TestOverflowNamesTheKey(t *testing.T) {
	t.Parallel()
	s := newWorld(t, Spec{Gap: 5, Lateness: Unlimited, MaxAhead: Unlimited, Measures: []Measure{CountRows, Sum}}).state
	huge := []Value{{}, {Valid: true, Hi: math.MaxInt64}}
	one := []Event{{Key: "k", Time: 1, Member: Hash{Lo: 1}, Inputs: huge}}
	two := []Event{{Key: "k", Time: 9, Member: Hash{Lo: 2}, Inputs: huge}}
	apply(t, s, &Commit{Number: 1, Arrived: one})
	apply(t, s, &Commit{Number: 2, Arrived: two})
	for _, c := range []*Commit{
		{Number: 3, Arrived: []Event{{Key: "k", Time: 5, Member: Hash{Lo: 3}, Inputs: []Value{{}, {}}}}}, // merges two sessions
		{Number: 3, Arrived: []Event{{Key: "k", Time: 2, Member: Hash{Lo: 3}, Inputs: huge}}},
	} {
		_, err := s.Plan(c)
		var overflow *OverflowError
		if !errors.As(err, &overflow) || overflow.Key != "k" || overflow.Measure != 1 || overflow.SQLState() != "22003" {
			t.Errorf("got %v", err)
		}
	}
}

func TestFailedInputFailsWhereItCounts(t *testing.T) {
	t.Parallel()
	s := newWorld(t, Spec{Gap: 5, Lateness: Unlimited, MaxAhead: Unlimited, Measures: []Measure{CountRows, Sum}}).state
	failed := []Value{{}, {Failed: true}}
	_, err := s.Plan(&Commit{Number: 1, Arrived: []Event{{Key: "k", Time: 1, Member: Hash{Lo: 1}, Inputs: failed}}})
	var input *InputError
	if !errors.As(err, &input) || input.Key != "k" || input.Measure != 1 || input.SQLState() != "22000" {
		t.Errorf("got %v", err)
	}
	d, err := s.Plan(&Commit{Number: 1, Arrived: []Event{{Flags: NoKey, Time: 1, Member: Hash{Lo: 1}, Inputs: failed}}})
	if err != nil || len(d.Verdicts) != 1 || d.Verdicts[0].Outcome != Rejected {
		t.Errorf("got %v, %v", d, err)
	}
}
