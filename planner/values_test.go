package planner

import (
	"errors"
	"reflect"
	"testing"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

func valuesConn(t *testing.T) *catalog.Conn {
	t.Helper()
	db, err := catalog.Open(t.Context(), catalog.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return c
}

// firstBatch is the first chunk of a query as wire gets it.
func firstBatch(t *testing.T, c *catalog.Conn, sql string, use func(wire.Batch)) {
	t.Helper()
	rows, err := c.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	chunk, err := rows.Next(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var b wire.Batch
	batch(chunk, &b)
	use(b)
}

// TestBatch has each type once, beside a NULL: how clients know it, and where
// the batch holds it.
func TestBatch(t *testing.T) {
	c := valuesConn(t)
	for _, want := range []struct {
		value  string
		oid    uint32
		size   int16
		typmod int32
		get    func(wire.Vector) any
		holds  any
	}{
		{"true", wire.OIDBool, 1, -1, func(v wire.Vector) any { return v.Bools[0] }, true},
		{"-7::TINYINT", wire.OIDInt2, 2, -1, func(v wire.Vector) any { return v.Int16s[0] }, int16(-7)},
		{"255::UTINYINT", wire.OIDInt2, 2, -1, func(v wire.Vector) any { return v.Int16s[0] }, int16(255)},
		{"-7::SMALLINT", wire.OIDInt2, 2, -1, func(v wire.Vector) any { return v.Int16s[0] }, int16(-7)},
		{"65535::USMALLINT", wire.OIDInt4, 4, -1, func(v wire.Vector) any { return v.Int32s[0] }, int32(65535)},
		{"-7::INTEGER", wire.OIDInt4, 4, -1, func(v wire.Vector) any { return v.Int32s[0] }, int32(-7)},
		{"4294967295::UINTEGER", wire.OIDInt8, 8, -1, func(v wire.Vector) any { return v.Int64s[0] }, int64(4294967295)},
		{"-7::BIGINT", wire.OIDInt8, 8, -1, func(v wire.Vector) any { return v.Int64s[0] }, int64(-7)},
		{"18446744073709551615::UBIGINT", wire.OIDNumeric, -1, 20<<16 + 4, func(v wire.Vector) any { return v.Int128s[0] }, wire.Int128{Lo: 1<<64 - 1}},
		{"-7::HUGEINT", wire.OIDNumeric, -1, -1, func(v wire.Vector) any { return v.Int128s[0] }, wire.Int128{Lo: 1<<64 - 7, Hi: -1}},
		{"340282366920938463463374607431768211455::UHUGEINT", wire.OIDNumeric, -1, -1, firstString, "340282366920938463463374607431768211455"},
		{"'-1234567890123456789012345678901234567890123'::BIGNUM", wire.OIDNumeric, -1, -1, firstString, "-1234567890123456789012345678901234567890123"},
		{"-1.5::DECIMAL(4,1)", wire.OIDNumeric, -1, 4<<16 + 1 + 4, func(v wire.Vector) any { return v.Int16s[0] }, int16(-15)},
		{"-1.5::DECIMAL(9,2)", wire.OIDNumeric, -1, 9<<16 + 2 + 4, func(v wire.Vector) any { return v.Int32s[0] }, int32(-150)},
		{"-1.5::DECIMAL(18,3)", wire.OIDNumeric, -1, 18<<16 + 3 + 4, func(v wire.Vector) any { return v.Int64s[0] }, int64(-1500)},
		{"1.5::DECIMAL(38,1)", wire.OIDNumeric, -1, 38<<16 + 1 + 4, func(v wire.Vector) any { return v.Int128s[0] }, wire.Int128{Lo: 15}},
		{"0.5::FLOAT", wire.OIDFloat4, 4, -1, func(v wire.Vector) any { return v.Float32s[0] }, float32(0.5)},
		{"0.5::DOUBLE", wire.OIDFloat8, 8, -1, func(v wire.Vector) any { return v.Float64s[0] }, 0.5},
		{"'text'", wire.OIDText, -1, -1, firstString, "text"},
		{"'b'::ENUM('a', 'b')", wire.OIDText, -1, -1, firstString, "b"},
		{`'{"a": 1}'::JSON`, wire.OIDJSON, -1, -1, firstString, `{"a": 1}`},
		{`'\x00\xFF'::BLOB`, wire.OIDBytea, -1, -1, firstString, "\x00\xff"},
		{"'01011'::BIT", wire.OIDVarbit, -1, -1, firstString, "01011"},
		{"'f50e8400-0000-0000-0000-000000000001'::UUID", wire.OIDUUID, 16, -1, func(v wire.Vector) any { return v.UUIDs[0] }, wire.UUID{0xf5, 0x0e, 0x84, 15: 1}},
		{"DATE '1970-01-02'", wire.OIDDate, 4, -1, func(v wire.Vector) any { return v.Int32s[0] }, int32(1)},
		{"'infinity'::DATE", wire.OIDDate, 4, -1, func(v wire.Vector) any { return wire.Date(v.Int32s[0]) }, wire.DateInfinity},
		{"TIME '00:00:01'", wire.OIDTime, 8, -1, firstInt64, int64(1e6)},
		{"'00:00:01.000001999'::TIME_NS", wire.OIDTime, 8, -1, firstInt64, int64(1e6 + 1)},
		{"'00:00:01-01:30'::TIMETZ", wire.OIDTimeTZ, 12, -1, func(v wire.Vector) any { return [2]int64{v.Int64s[0], int64(v.Int32s[0])} }, [2]int64{1e6, -5400}},
		{"'1970-01-01 00:00:01'::TIMESTAMP", wire.OIDTimestamp, 8, -1, firstInt64, int64(1e6)},
		{"'1970-01-01 00:00:01'::TIMESTAMP_S", wire.OIDTimestamp, 8, -1, firstInt64, int64(1e6)},
		{"'1969-12-31 23:59:59.999'::TIMESTAMP_MS", wire.OIDTimestamp, 8, -1, firstInt64, int64(-1000)},
		{"'1969-12-31 23:59:59.999999999'::TIMESTAMP_NS", wire.OIDTimestamp, 8, -1, firstInt64, int64(-1)},
		{"'infinity'::TIMESTAMP_NS", wire.OIDTimestamp, 8, -1, func(v wire.Vector) any { return wire.Timestamp(v.Int64s[0]) }, wire.TimestampInfinity},
		{"'-infinity'::TIMESTAMP", wire.OIDTimestamp, 8, -1, func(v wire.Vector) any { return wire.Timestamp(v.Int64s[0]) }, wire.TimestampNegInfinity},
		{"'1970-01-01 00:00:01+00'::TIMESTAMPTZ", wire.OIDTimestampTZ, 8, -1, firstInt64, int64(1e6)},
		{"INTERVAL '1 month -2 days 3 seconds'", wire.OIDInterval, 16, -1, func(v wire.Vector) any { return v.Intervals[0] }, wire.Interval{Months: 1, Days: -2, Micros: 3e6}},
		{"[1, 2]", 1007, -1, -1, func(v wire.Vector) any { return v.Child.Int32s[v.Lists[0].Offset+1] }, int32(2)},
		{"[1::TINYINT, 2]", 1005, -1, -1, func(v wire.Vector) any { return v.Child.Int16s[v.Lists[0].Offset+1] }, int16(2)},
		{"[1.5, 2]", 1231, -1, 11<<16 + 1 + 4, func(v wire.Vector) any { return v.Child.Type.Scale }, uint8(1)},
		{"['a', 'b']::ENUM('a', 'b')[]", 1009, -1, -1, func(v wire.Vector) any { return v.Child.Strings[v.Lists[0].Offset+1] }, "b"},
		{"[1, 2]::INTEGER[2]", 1007, -1, -1, func(v wire.Vector) any { return v.Lists[0] }, wire.Span{Len: 2}},
		{"[[1, 2], [3, 4]]::INTEGER[2][2]", 1007, -1, -1, func(v wire.Vector) any { return v.Child.Lists[1] }, wire.Span{Offset: 2, Len: 2}},
		{"[[1], [2, NULL]]", wire.OIDJSON, -1, -1, firstString, "[[1],[2,null]]"},
		{"[{'a': 1}]", wire.OIDJSON, -1, -1, firstString, `[{"a":1}]`},
		{"{'a': [1.50], 'b': NULL, 'c': DATE '2024-01-01'}", wire.OIDJSON, -1, -1, firstString, `{"a":[1.50],"b":null,"c":"2024-01-01"}`},
		{"MAP {'k': 1}", wire.OIDJSON, -1, -1, firstString, `{"k":1}`},
		{"union_value(u := 1)", wire.OIDJSON, -1, -1, firstString, `{"u":1}`},
	} {
		sql := "SELECT v FROM (SELECT 0, " + want.value + " UNION ALL SELECT 1, NULL) t(k, v) ORDER BY k"
		firstBatch(t, c, sql, func(b wire.Batch) {
			v := b.Cols[0]
			if v.Type.OID != want.oid || v.Type.Size != want.size || v.Type.Typmod != want.typmod {
				t.Errorf("%s: %+v", want.value, v.Type)
			}
			if got := want.get(v); !reflect.DeepEqual(got, want.holds) {
				t.Errorf("%s: %#v, want %#v", want.value, got, want.holds)
			}
			if b.Rows != 2 || len(v.Valid) == 0 || v.Valid[0]&3 != 1 {
				t.Errorf("%s: %d rows, validity %b", want.value, b.Rows, v.Valid)
			}
		})
	}
	firstBatch(t, c, "SELECT NULL", func(b wire.Batch) {
		if v := b.Cols[0]; v.Type.OID != wire.OIDText && v.Type.OID != wire.OIDInt4 {
			t.Errorf("NULL: %+v", v.Type)
		}
	})
}

func firstString(v wire.Vector) any { return v.Strings[0] }
func firstInt64(v wire.Vector) any  { return v.Int64s[0] }

// TestBindArgs binds values to a parameter of a type and lets DuckDB say what
// it got.
func TestBindArgs(t *testing.T) {
	c := valuesConn(t)
	for _, want := range []struct {
		typ  string
		arg  wire.Value
		text string
	}{
		{"INTEGER", "42", "42"},
		{"BIGINT", int64(-1), "-1"},
		{"BOOLEAN", "on", "true"},
		{"DECIMAL(9,2)", "1.5", "1.50"},
		{"DECIMAL(9,2)", wire.Numeric("-1.5"), "-1.50"},
		{"HUGEINT", "170141183460469231731687303715884105727", "170141183460469231731687303715884105727"},
		{"DOUBLE", wire.Numeric("1e3"), "1000.0"},
		{"DOUBLE", "Infinity", "inf"},
		{"VARCHAR", "text", "text"},
		{"BLOB", `\x00ff`, `\x00\xFF`},
		{"BIT", "0101", "0101"},
		{"UUID", "f50e8400-0000-0000-0000-000000000001", "f50e8400-0000-0000-0000-000000000001"},
		{"UUID", wire.UUID{15: 1}, "00000000-0000-0000-0000-000000000001"},
		{"DATE", "2024-02-29", "2024-02-29"},
		{"DATE", wire.Date(1), "1970-01-02"},
		{"TIME", wire.Time(1), "00:00:00.000001"},
		{"TIMESTAMP", "2024-01-01 01:02:03", "2024-01-01 01:02:03"},
		{"TIMESTAMP", wire.TimestampInfinity, "infinity"},
		{"TIMESTAMPTZ", "2024-01-01 01:02:03+01", "2024-01-01 00:02:03+00"},
		{"TIMESTAMPTZ", wire.Timestamp(1), "1970-01-01 00:00:00.000001+00"},
		{"INTERVAL", wire.Interval{Days: 1, Micros: 1e6}, "1 day 00:00:01"},
		{"INTERVAL", "1 day", "1 day"},
		{"INTEGER[]", "{1,NULL,3}", "[1, NULL, 3]"},
		{"VARCHAR[]", wire.Array{Elem: wire.OIDText, Items: []wire.Value{"a", nil}}, "[a, NULL]"},
		{"DECIMAL(5,1)[]", wire.Array{Elem: wire.OIDNumeric, Items: []wire.Value{wire.Numeric("1.5"), wire.Numeric("2")}}, "[1.5, 2.0]"},
		{"BIGINT[]", wire.Array{Elem: wire.OIDInt4}, "[]"},
		{"INTEGER[][]", wire.Array{Elem: wire.OIDInt4, Items: []wire.Value{wire.Array{Elem: wire.OIDInt4, Items: []wire.Value{int64(1)}}}}, "[[1]]"},
	} {
		checkBind(t, c, want.typ, want.arg, want.text)
	}
	for _, bad := range []struct {
		typ, arg, state string
	}{
		{"INTEGER", "x", "22P02"}, {"INTEGER", "3000000000", "22003"}, {"BIT", "2", "22P02"}, {"DATE", "x", "22007"},
	} {
		s, err := c.Prepare(t.Context(), "SELECT $1::"+bad.typ)
		if err != nil {
			t.Fatal(err)
		}
		_, err = bindArgs([]wire.Value{bad.arg}, s.Params())
		var e interface{ SQLState() string }
		if !errors.As(err, &e) || e.SQLState() != bad.state {
			t.Errorf("%q as %s: %v, want %s", bad.arg, bad.typ, err, bad.state)
		}
		s.Close()
	}
}

func checkBind(t *testing.T, c *catalog.Conn, typ string, arg wire.Value, text string) {
	t.Helper()
	s, err := c.Prepare(t.Context(), "SELECT v::VARCHAR FROM (SELECT $1::"+typ+" AS v)")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	args, err := bindArgs([]wire.Value{arg}, s.Params())
	if err != nil {
		t.Errorf("%v as %s: %v", arg, typ, err)
		return
	}
	rows, err := s.Run(t.Context(), args, catalog.Materialized)
	if err != nil {
		t.Errorf("%v as %s: %v", arg, typ, err)
		return
	}
	defer rows.Close()
	chunk, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := chunk.Col(0).Value(0); got != text {
		t.Errorf("%v as %s: %v, want %s", arg, typ, got, text)
	}
}

// TestTypesOfOIDs checks that a type of Postgres leads to one of DuckDB that
// leads back.
func TestTypesOfOIDs(t *testing.T) {
	c := valuesConn(t)
	for _, oid := range []uint32{
		wire.OIDBool, wire.OIDInt2, wire.OIDInt4, wire.OIDInt8, wire.OIDFloat4, wire.OIDFloat8, wire.OIDNumeric, wire.OIDText, wire.OIDBytea,
		wire.OIDUUID, wire.OIDJSON, wire.OIDDate, wire.OIDTime, wire.OIDTimeTZ, wire.OIDTimestamp, wire.OIDTimestampTZ, wire.OIDInterval, wire.OIDVarbit,
		1007, 1009, 2951, 1231,
	} {
		name, ok := duckdbTypeOf(oid)
		if !ok {
			t.Errorf("no type for OID %d", oid)
			continue
		}
		firstBatch(t, c, "SELECT NULL::"+name, func(b wire.Batch) {
			if got := b.Cols[0].Type.OID; got != oid {
				t.Errorf("OID %d is %s, which is OID %d", oid, name, got)
			}
		})
	}
	if _, ok := duckdbTypeOf(0); ok {
		t.Error("a type for OID 0")
	}
}
