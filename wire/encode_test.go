package wire

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// The kinds that have no Value of their own, against what PostgreSQL 15 sends.
func TestEncodeKinds(t *testing.T) {
	for _, tt := range []struct {
		vector       Vector
		text, binary string
	}{
		{Vector{Type: &Type{Kind: KindNumeric16, Scale: 2}, Int16s: []int16{-5}}, "-0.05", "0001ffff4000000201f4"},
		{Vector{Type: &Type{Kind: KindNumeric16, Scale: 4}, Int16s: []int16{12345}}, "1.2345", "000200000000000400010929"},
		{Vector{Type: &Type{Kind: KindNumeric32, Scale: 0}, Int32s: []int32{-10000}}, "-10000", "00010001400000000001"},
		{Vector{Type: &Type{Kind: KindNumeric32, Scale: 3}, Int32s: []int32{0}}, "0.000", "0000000000000003"},
		{Vector{Type: &Type{Kind: KindNumeric64, Scale: 2}, Int64s: []int64{math.MinInt64}}, "-92233720368547758.08", "0006000440000002000908b91c231ac61e4e0320"},
		{Vector{Type: &Type{Kind: KindNumeric128, Scale: 0}, Int128s: []Int128{{0, math.MinInt64}}}, "-170141183460469231731687303715884105728", "000a00094000000000aa0583209a01d5090d0c601c871bf620da1660"},
		{Vector{Type: &Type{Kind: KindNumeric128, Scale: 38}, Int128s: []Int128{{1, 0}}}, "0." + strings.Repeat("0", 37) + "1", "0001fff6000000260064"},
		{Vector{Type: &Type{Kind: KindNumeric128, Scale: 3}, Int128s: []Int128{{math.MaxUint64, -1}}}, "-0.001", "0001ffff40000003000a"},
		{Vector{Type: &Type{Kind: KindTimeTZ}, Int64s: []int64{microsPerHour}, Int32s: []int32{19800}}, "01:00:00+05:30", "00000000d693a400ffffb2a8"},
		{Vector{Type: &Type{Kind: KindBit}, Strings: []string{"1011000011"}}, "1011000011", "0000000ab0c0"},
		{Vector{Type: &Type{Kind: KindBit}, Strings: []string{"10110000"}}, "10110000", "00000008b0"},
		{Vector{Type: &Type{Kind: KindString, OID: OIDJSONB}, Strings: []string{"{}"}}, "{}", "017b7d"},
		{Vector{Type: &Type{Kind: KindInt64, OID: OIDOid, Size: 4}, Int64s: []int64{4294967295}}, "4294967295", "ffffffff"},
		{Vector{Type: &Type{Kind: KindDate}, Int32s: []int32{math.MinInt32}}, "-infinity", "80000000"},
		{Vector{Type: &Type{Kind: KindTimestamp}, Int64s: []int64{math.MinInt64}}, "-infinity", "8000000000000000"},
		{Vector{Type: &Type{Kind: KindTimestampTZ}, Int64s: []int64{math.MaxInt64 - 1}}, "294247-01-10 04:00:54.775806+00", "7ffca2fec4c81ffe"},
		{
			Vector{
				Type: &Type{Kind: KindList, OID: OIDInt2Vector, Elem: &Type{Kind: KindInt16, OID: OIDInt2}}, Lists: []Span{{1, 2}},
				Child: &Vector{Type: &Type{Kind: KindInt16, OID: OIDInt2}, Int16s: []int16{9, 1, 2}},
			},
			"1 2", "0000000100000000000000150000000200000000000000020001000000020002",
		},
	} {
		if got := encodeOne(t, &tt.vector, formatText, time.UTC); got != tt.text {
			t.Errorf("kind %d: text %q, want %q", tt.vector.Type.Kind, got, tt.text)
		}
		if got := hex.EncodeToString([]byte(encodeOne(t, &tt.vector, formatBinary, time.UTC))); got != tt.binary {
			t.Errorf("%s: binary %s, want %s", tt.text, got, tt.binary)
		}
	}
}

// nested makes a vector of one list of lists of integers; nil is NULL.
func nested(lists ...[]int32) *Vector {
	ints := &Vector{Type: &Type{Kind: KindInt32, OID: OIDInt4}}
	inner := &Vector{Type: &Type{Kind: KindList, OID: 1007, Elem: ints.Type}, Child: ints, Valid: []uint64{0}}
	for i, l := range lists {
		inner.Lists = append(inner.Lists, Span{uint64(len(ints.Int32s)), uint64(len(l))})
		ints.Int32s = append(ints.Int32s, l...)
		if l != nil {
			inner.Valid[0] |= 1 << i
		}
	}
	return &Vector{
		Type:  &Type{Kind: KindList, OID: 1007, Elem: inner.Type},
		Lists: []Span{{0, uint64(len(lists))}},
		Child: inner,
	}
}

func TestNestedLists(t *testing.T) {
	for want, v := range map[string]*Vector{
		"{{1,2},{3,4}}": nested([]int32{1, 2}, []int32{3, 4}),
		"{{7}}":         nested([]int32{7}),
		"{}":            nested([]int32{}, []int32{}),
	} {
		if got := encodeOne(t, v, formatText, time.UTC); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, v := range []*Vector{
		nested([]int32{1}, []int32{2, 3}), nested([]int32{1}, nil), nested(nil, []int32{1}), nested([]int32{}, []int32{1}), nested(nil),
	} {
		for _, format := range []int16{formatText, formatBinary} {
			c := discardConn()
			c.rows.begin(t.Context(), []int16{format})
			err := c.rows.WriteBatch(&Batch{Rows: 1, Cols: []Vector{*v}})
			if e, _ := asError(err); err == nil || e.Code != codeArraySubscript {
				t.Errorf("format %d: %v", format, err)
			}
			if len(c.out.buf) != 0 {
				t.Error("part of a row is left in the buffer")
			}
		}
	}
}

// pgtype reads what we write, as an independent opinion.
func TestPgtypeReadsOurBinary(t *testing.T) {
	m := pgtype.NewMap()
	batch := benchBatch(300)
	numeric := Vector{Type: &Type{OID: OIDNumeric, Size: -1, Kind: KindNumeric64, Scale: 3}}
	for i := range 300 {
		numeric.Int64s = append(numeric.Int64s, int64(i*i*i*7919)-1_000_000)
	}
	e := encoder{zone: newZone(time.UTC)}
	for _, v := range append(batch.Cols, numeric) {
		for _, format := range []int16{formatText, formatBinary} {
			c, err := resolveColumn(&v, format)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 300 {
				raw := c.append(&e, nil, &v, i)
				var got any
				plan, ok := m.TypeForOID(v.Type.OID)
				if !ok {
					t.Fatal(v.Type.OID)
				}
				if got, err = plan.Codec.DecodeValue(m, v.Type.OID, format, raw); err != nil {
					t.Fatal(err)
				}
				if want := pgValue(&v, i); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("OID %d format %d: %v, want %v", v.Type.OID, format, got, want)
				}
			}
		}
	}
}

// pgValue is row i of a vector as pgtype gives it.
func pgValue(v *Vector, i int) any {
	switch v.Type.Kind {
	case KindInt64:
		return v.Int64s[i]
	case KindString:
		return v.Strings[i]
	case KindFloat64:
		return v.Float64s[i]
	case KindTimestampTZ:
		return time.UnixMicro(v.Int64s[i]).UTC()
	default:
		var n pgtype.Numeric
		text := appendScaled(nil, v.Int64s[i], int(v.Type.Scale))
		if err := n.Scan(string(text)); err != nil {
			return err
		}
		return n
	}
}

// The short cut for amounts gives what strconv gives.
func TestFloatsAreShortest(t *testing.T) {
	for i := range 300_000 {
		f := float64(i*37-999) / 1000 * math.Pow(10, float64(i%23-8))
		format := byte('f')
		if size := math.Abs(f); size >= 1e15 || size < 1e-4 && size > 0 {
			format = 'e'
		}
		if got, want := string(appendFloat(nil, f, 64)), strconv.FormatFloat(f, format, -1, 64); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

func TestZoneRemembersPeriods(t *testing.T) {
	loc := berlin(t)
	z := newZone(loc)
	for at := int64(-3e9); at < 5e9; at += 5_000_011 {
		_, want := time.Unix(at, 0).In(loc).Zone()
		if got := z.offset(at); got != want {
			t.Fatalf("%d: %d, want %d", at, got, want)
		}
	}
}

func TestCivil(t *testing.T) {
	for day := int64(-800_000); day < 3_000_000; day += 13 {
		y, m, d := civil(day)
		want := time.Unix(day*86400, 0).UTC()
		if y != int64(want.Year()) || m != int64(want.Month()) || d != int64(want.Day()) || daysFromCivil(y, m, d) != day {
			t.Fatalf("day %d: %d-%d-%d, want %v", day, y, m, d, want)
		}
	}
}

func TestParseDecimal(t *testing.T) {
	for _, tt := range []struct {
		text             string
		precision, scale int
		want             string // the scaled integer, or the SQLSTATE
	}{
		{"1.5", 5, 2, "150"},
		{"-1.005", 5, 2, "-101"},
		{"1.004999", 5, 2, "100"},
		{"999.995", 5, 2, "22003"},
		{"999.994", 5, 2, "99999"},
		{"1000", 5, 2, "22003"},
		{"0.005", 5, 2, "1"},
		{"0.004", 5, 2, "0"},
		{"1e2", 5, 2, "10000"},
		{"1e-10", 5, 2, "0"},
		{"1e2000000000", 38, 0, "22003"},
		{"00000000000000000000000000000000000000000001", 5, 0, "1"},
		{"99999999999999999999999999999999999999", 38, 0, "99999999999999999999999999999999999999"},
		{"-99999999999999999999999999999999999999", 38, 0, "-99999999999999999999999999999999999999"},
		{"99999999999999999999999999999999999999.5", 38, 0, "22003"},
		{"NaN", 5, 2, "22003"},
		{"x", 5, 2, "22P02"},
		{"", 5, 2, "22P02"},
	} {
		n, err := ParseDecimal([]byte(tt.text), tt.precision, tt.scale)
		got := string(appendScaled128(nil, n, 0))
		if err != nil {
			e, _ := asError(err)
			got = e.Code
		}
		if got != tt.want {
			t.Errorf("%s as numeric(%d,%d): %s, want %s", tt.text, tt.precision, tt.scale, got, tt.want)
		}
	}
}

func TestArraysBothWays(t *testing.T) {
	pairs := 0
	for _, pair := range arrayOIDs {
		if ArrayOID(pair[0]) != pair[1] || ElementOID(pair[1]) != pair[0] {
			t.Errorf("%v", pair)
		}
		pairs++
	}
	if ElementOID(1) != 0 || ArrayOID(1) != 0 || pairs == 0 {
		t.Error("there is an array type of nothing")
	}
}

type foreignError struct{ error }

func (foreignError) SQLState() string   { return "23505" }
func (foreignError) Position() int      { return 3 }
func (foreignError) Detail() string     { return "detail" }
func (foreignError) Hint() string       { return "hint" }
func (foreignError) Where() string      { return "where" }
func (foreignError) Schema() string     { return "schema" }
func (foreignError) Table() string      { return "table" }
func (foreignError) Column() string     { return "column" }
func (foreignError) Constraint() string { return "constraint" }

func TestErrorsOfOthers(t *testing.T) {
	e, internal := asError(fmt.Errorf("wrapped: %w", foreignError{errors.New("duplicate\x00")}))
	r := e.response()
	got := fmt.Sprint(internal, r.Severity, r.Code, r.Message, r.Position, r.Detail, r.Hint, r.Where, r.SchemaName, r.TableName, r.ColumnName, r.ConstraintName)
	if want := "false" + "ERROR" + "23505" + "wrapped: duplicate\uFFFD" + "3" + "detail"; !strings.HasPrefix(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(want, " ", "")) {
		t.Error(got)
	}
	if !strings.HasSuffix(got, "constraint") {
		t.Error(got)
	}
	if e, internal := asError(fmt.Errorf("reading: %w", context.DeadlineExceeded)); internal || e.Code != codeQueryCanceled {
		t.Error(e)
	}
	cause := errors.New("cause")
	if e := Errorf("XX001", "broken: %w", cause); !errors.Is(e, cause) || e.Error() != "broken: cause" || e.SQLState() != "XX001" {
		t.Error(e)
	}
	if e := Warningf("", "careful").WithDetail("d").WithHint("h").WithPosition(1).WithWhere("w"); e.Code != codeWarning || e.Severity != SeverityWarning {
		t.Error(e)
	}
}
