package wire

import (
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// readTable reads a table of testdata. PostgreSQL 15 wrote them, with the time
// zone Europe/Berlin: values.csv has x::text and encode(x_send(x), 'hex') of
// each input, refused.csv the error that it gives.
func readTable(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records[1:]
}

func berlin(tb testing.TB) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		tb.Fatal(err)
	}
	return loc
}

// vectorOf makes a vector of one value, as an engine would hold it.
func vectorOf(oid uint32, v Value) Vector {
	vec := Vector{Type: &Type{OID: oid, Size: -1, Kind: KindString}}
	switch v := v.(type) {
	case nil:
		vec.Strings, vec.Valid = []string{""}, []uint64{0}
	case bool:
		vec.Type.Kind, vec.Bools = KindBool, []bool{v}
	case int64:
		intVector(&vec, oid, v)
	case float32:
		vec.Type.Kind, vec.Float32s = KindFloat32, []float32{v}
	case float64:
		vec.Type.Kind, vec.Float64s = KindFloat64, []float64{v}
	case string:
		vec.Strings = []string{v}
	case []byte:
		vec.Type.Kind, vec.Strings = KindBytes, []string{string(v)}
	case Numeric:
		vec.Type.Kind, vec.Strings = KindNumericText, []string{string(v)}
	case UUID:
		vec.Type.Kind, vec.UUIDs = KindUUID, []UUID{v}
	case Date:
		vec.Type.Kind, vec.Int32s = KindDate, []int32{int32(v)}
	case Time:
		vec.Type.Kind, vec.Int64s = KindTime, []int64{int64(v)}
	case Timestamp:
		vec.Type.Kind, vec.Int64s = KindTimestamp, []int64{int64(v)}
		if oid == OIDTimestampTZ {
			vec.Type.Kind = KindTimestampTZ
		}
	case Interval:
		vec.Type.Kind, vec.Intervals = KindInterval, []Interval{v}
	case Array:
		return listOf(oid, v)
	}
	return vec
}

func intVector(vec *Vector, oid uint32, v int64) {
	switch oid {
	case OIDInt2:
		vec.Type.Kind, vec.Int16s = KindInt16, []int16{int16(v)}
	case OIDInt4:
		vec.Type.Kind, vec.Int32s = KindInt32, []int32{int32(v)}
	default:
		vec.Type.Kind, vec.Int64s = KindInt64, []int64{v}
		vec.Type.Size = 8
		if oid == OIDOid || oid == OIDXid || oid == OIDCid {
			vec.Type.Size = 4
		}
	}
}

// listOf makes a list vector of one array. The child's rows are appended one
// by one to the vector of the first item.
func listOf(oid uint32, a Array) Vector {
	child := vectorOf(a.Elem, zeroOf(a.Elem))
	child = truncate(child)
	for i, item := range a.Items {
		one := vectorOf(a.Elem, item)
		if nested, ok := item.(Array); ok {
			one = listOf(oid, nested)
		}
		if i == 0 && item != nil {
			child = truncate(one)
		}
		appendRow(&child, one, item == nil, i)
	}
	return Vector{
		Type:  &Type{OID: oid, Size: -1, Kind: KindList, Elem: child.Type},
		Lists: []Span{{0, uint64(len(a.Items))}},
		Child: &child,
	}
}

// zeroOf is some value of a type.
func zeroOf(oid uint32) Value {
	for _, s := range []string{"0", "t", "2000-01-01", "00000000-0000-0000-0000-000000000000", "null"} {
		if v, err := ParseText(oid, s, time.UTC); err == nil {
			return v
		}
	}
	return ""
}

func truncate(v Vector) Vector {
	return Vector{Type: v.Type, Child: v.Child}
}

func appendRow(dst *Vector, src Vector, null bool, row int) {
	if null {
		src = vectorOf(dst.Type.OID, zeroOf(dst.Type.OID))
	}
	dst.Bools = append(dst.Bools, src.Bools...)
	dst.Int16s = append(dst.Int16s, src.Int16s...)
	dst.Int32s = append(dst.Int32s, src.Int32s...)
	dst.Int64s = append(dst.Int64s, src.Int64s...)
	dst.Float32s = append(dst.Float32s, src.Float32s...)
	dst.Float64s = append(dst.Float64s, src.Float64s...)
	dst.Strings = append(dst.Strings, src.Strings...)
	dst.Intervals = append(dst.Intervals, src.Intervals...)
	dst.UUIDs = append(dst.UUIDs, src.UUIDs...)
	if len(src.Lists) > 0 {
		base := uint64(0)
		for _, l := range dst.Lists {
			base += l.Len
		}
		if row > 0 {
			for i := range int(src.Lists[0].Len) {
				appendRow(dst.Child, sliceRow(*src.Child, i), src.Child.null(i), int(base)+i)
			}
		}
		dst.Lists = append(dst.Lists, Span{base, src.Lists[0].Len})
	}
	if dst.Valid == nil {
		dst.Valid = make([]uint64, 1)
	}
	if !null {
		dst.Valid[0] |= 1 << row
	}
}

// sliceRow is row i of a vector as a vector of one row.
func sliceRow(v Vector, i int) Vector {
	one := Vector{Type: v.Type, Child: v.Child}
	switch {
	case v.Bools != nil:
		one.Bools = v.Bools[i : i+1]
	case v.Int32s != nil:
		one.Int32s = v.Int32s[i : i+1]
	case v.Int64s != nil:
		one.Int64s = v.Int64s[i : i+1]
	case v.Strings != nil:
		one.Strings = v.Strings[i : i+1]
	case v.Lists != nil:
		child := truncate(*v.Child)
		span := v.Lists[i]
		for j := range int(span.Len) {
			appendRow(&child, sliceRow(*v.Child, int(span.Offset)+j), v.Child.null(int(span.Offset)+j), j)
		}
		one.Child = &child
		one.Lists = []Span{{0, span.Len}}
	}
	return one
}

func encodeOne(t *testing.T, v *Vector, format int16, loc *time.Location) string {
	t.Helper()
	c, err := resolveColumn(v, format)
	if err != nil {
		t.Fatal(err)
	}
	e := encoder{zone: newZone(loc)}
	b := c.append(&e, nil, v, 0)
	if e.err != nil {
		t.Fatal(e.err)
	}
	return string(b)
}

// Whatever Postgres reads is read to the same value, and written as Postgres
// writes it, in both formats; its binary form is read to that value too.
func TestValuesLikePostgres(t *testing.T) {
	loc := berlin(t)
	for _, row := range readTable(t, "values.csv") {
		name, input, text, binary := row[0], row[2], row[3], row[4]
		oid64, _ := strconv.ParseUint(row[1], 10, 32)
		oid := uint32(oid64)
		fromText, err := ParseText(oid, input, loc)
		if err != nil {
			t.Errorf("%s %q: %v", name, input, err)
			continue
		}
		raw, _ := hex.DecodeString(binary)
		fromBinary, err := ParseBinary(oid, raw)
		if err != nil {
			t.Errorf("%s %q from binary: %v", name, input, err)
			continue
		}
		for _, v := range []Value{fromText, fromBinary} {
			vec := vectorOf(oid, v)
			if got := encodeOne(t, &vec, formatText, loc); got != text {
				t.Errorf("%s %q: text %q, Postgres says %q", name, input, got, text)
			}
			if got := encodeOne(t, &vec, formatBinary, loc); got != string(raw) {
				t.Errorf("%s %q: binary %x, Postgres says %x", name, input, got, raw)
			}
		}
	}
}

// Whatever Postgres refuses is refused with the same SQLSTATE and, but for
// where that speaks of its own insides, the same message.
func TestRefusedLikePostgres(t *testing.T) {
	for _, row := range readTable(t, "refused.csv") {
		oid, _ := strconv.ParseUint(row[1], 10, 32)
		v, err := ParseText(uint32(oid), row[2], berlin(t))
		if err == nil {
			t.Errorf("%s %q is accepted: %v", row[0], row[2], v)
			continue
		}
		e, internal := asError(err)
		if internal || e.Code != row[3] || !strings.HasPrefix(row[4], e.Message) {
			t.Errorf("%s %q: %s %s, Postgres says %s %s", row[0], row[2], e.Code, e.Message, row[3], row[4])
		}
	}
}

// Binary forms that no value of the table has.
func TestParseBinaryOther(t *testing.T) {
	for _, tt := range []struct {
		oid  uint32
		hex  string
		want string // the value, or the SQLSTATE
	}{
		{OIDTimeTZ, "00000000d693a400ffffb2a8", "01:00:00+05:30"},
		{OIDTimeTZ, "00000000d693a4007fffffff", "22008"},
		{OIDTimeTZ, "00", "22P03"},
		{OIDTime, "ffffffffffffffff", "22008"},
		{OIDDate, "7ffffffe", "22008"},
		{OIDTimestamp, "7ffffffffffffffe", "22008"},
		{OIDJSONB, "017b7d", "{}"},
		{OIDJSONB, "027b7d", "XX000"},
		{OIDJSON, "7b", "22P02"},
		{OIDText, "c3", "22021"},
		{OIDText, "6100", "22021"},
		{869, "02", "0A000"}, // inet
		{firstUserOID, "6162", "ab"},
		{0, "6162", "ab"},
		{OIDNumeric, "00010000000000002710", "22P03"},
		{OIDNumeric, "0001000000010000", "22P03"},
		{OIDNumeric, "0000000012340000", "22P03"},
		{OIDNumeric, "00", "22P03"},
		{OIDNumeric, "000200000000000100011388", "1.5"},
		{OIDNumeric, "000100010000000000" + "02", "20000"},
		{OIDInterval, "00", "22P03"},
		{OIDUUID, "00", "22P03"},
		{1009, "0000000100000000" + "00000413" + "00000001" + "00000001" + "00000001" + "61", "{25 [a]}"}, // varchar[] for text[]
		{1007, "0000000100000000" + "00000019" + "00000001" + "00000001" + "00000001" + "61", "42804"},
		{1007, "0000000100000000" + "00000017" + "7fffffff" + "00000001", "22P03"},
		{1007, "0000000700000000" + "00000017", "22P03"},
		{1007, "0000000100000000" + "00000017" + "00000001" + "00000001" + "00000009", "22P03"},
	} {
		raw, err := hex.DecodeString(tt.hex)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ParseBinary(tt.oid, raw)
		got := fmt.Sprint(v)
		if err != nil {
			e, _ := asError(err)
			got = e.Code
		}
		if got != tt.want {
			t.Errorf("OID %d %s: %s (%v), want %s", tt.oid, tt.hex, got, err, tt.want)
		}
	}
}

func TestParseIntegers(t *testing.T) {
	if n, err := ParseInt64([]byte("-9223372036854775808")); n != math.MinInt64 || err != nil {
		t.Error(n, err)
	}
	if n, err := ParseInt32([]byte("2147483647")); n != math.MaxInt32 || err != nil {
		t.Error(n, err)
	}
	if n, err := ParseInt16([]byte("-32768")); n != math.MinInt16 || err != nil {
		t.Error(n, err)
	}
	if _, err := ParseInt16([]byte("32768")); err == nil {
		t.Error("out of range")
	}
}

func TestZoneAbbreviations(t *testing.T) {
	for name, hours := range map[string]int64{
		"UTC": 0, "CET": 1, "EET": 2, "MSK": 3, "PKT": 5, "SGT": 8, "JST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
		"BRT": -3, "ADT": -3, "EDT": -4, "EST": -5, "CST": -6, "MST": -7, "PST": -8, "AKST": -9, "HST": -10,
	} {
		got, err := ParseTimestamp([]byte("2024-01-01 12:00 "+name), time.UTC)
		want := time.Date(2024, 1, 1, 12-int(hours), 0, 0, 0, time.UTC).UnixMicro()
		if err != nil || int64(got) != want {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}
