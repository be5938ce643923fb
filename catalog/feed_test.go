package catalog

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

func acquire(tb testing.TB, db *DB, types ...Type) *Feed {
	tb.Helper()
	f, err := db.AcquireFeed(types)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// TestFeedColumns appends by the method of each type.
func TestFeedColumns(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	types := []Type{
		Simple(TypeBoolean), Simple(TypeTinyInt), Simple(TypeBigInt), Simple(TypeUBigInt), Simple(TypeHugeInt), DecimalType(9, 2), DecimalType(38, 1),
		Simple(TypeFloat), Simple(TypeDouble), Simple(TypeVarchar), Simple(TypeBlob), Simple(TypeBit), Simple(TypeUUID), Simple(TypeDate),
		Simple(TypeTimestamp), Simple(TypeTimestampTZ), Simple(TypeTimeTZ), Simple(TypeInterval),
		ListType(Simple(TypeUUID)), ListType(Simple(TypeInteger)), ListType(Simple(TypeVarchar)), EnumType([]string{"x", "y"}),
	}
	set := NewColumns(types)
	u := UUID{0x80, 15: 1}
	for _, add := range []func(col int){
		func(i int) { set.AppendBool(i, true) },
		func(i int) { set.AppendInt64(i, -128) },
		func(i int) { set.AppendInt64(i, -1) },
		func(i int) { set.AppendUint64(i, 1<<63) },
		func(i int) { set.AppendInt128(i, Int128{Hi: -1 << 63}) },
		func(i int) { set.AppendNumeric(i, "-1.5") },
		func(i int) { set.AppendNumeric(i, "12345678901234567890.5") },
		func(i int) { set.AppendFloat32(i, 0.5) },
		func(i int) { set.AppendFloat64(i, 0.1) },
		func(i int) { set.AppendString(i, "longer than twelve bytes") },
		func(i int) { set.AppendBytes(i, []byte{0, 255}) },
		func(i int) { set.AppendBit(i, "1011") },
		func(i int) { set.AppendUUID(i, u) },
		func(i int) { set.AppendDate(i, -1) },
		func(i int) { set.AppendTimestamp(i, -1) },
		func(i int) { set.AppendTimestamp(i, 1) },
		func(i int) { set.AppendTimeTZ(i, TimeTZ{Micros: 1, Offset: 3600}) },
		func(i int) { set.AppendInterval(i, Interval{Months: 1, Days: -1, Micros: 1}) },
		func(i int) { set.AppendUUIDList(i, []UUID{u, {}}) },
		func(i int) { set.AppendInt64List(i, []int64{1, -1}) },
		func(i int) { set.AppendStringList(i, nil) },
		func(i int) { set.AppendInt64(i, 1) },
	} {
		col := 0
		for set.cols[col].rows > 0 {
			col++
		}
		add(col)
	}
	for i := range types {
		set.AppendNull(i)
	}
	f := acquire(t, db, types...)
	defer f.Release()
	f.Set(set)
	want := []string{
		"true", "-128", "-1", "9223372036854775808", "-170141183460469231731687303715884105728", "-1.50", "12345678901234567890.5",
		"0.5", "0.1", "longer than twelve bytes", `\x00\xFF`, "1011", u.String(), "1969-12-31",
		"1969-12-31 23:59:59.999999", "1970-01-01 00:00:00.000001+00", "00:00:00.000001+01", "1 month -1 day 00:00:00.000001",
		"[" + u.String() + ", 00000000-0000-0000-0000-000000000000]", "[1, -1]", "[]", "y",
	}
	got := values(t, c, "SELECT (COLUMNS(*))::VARCHAR FROM "+f.SQL())
	if len(got) != 2 {
		t.Fatalf("%d rows", len(got))
	}
	for i := range want {
		if got[0][i] != want[i] || got[1][i] != nil {
			t.Errorf("%s: %v and %v, want %s", types[i].Name, got[0][i], got[1][i], want[i])
		}
	}
}

// TestFeedAgain executes one statement for several sets of rows, and reads
// each more than once, in part, and not at all.
func TestFeedAgain(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	f := acquire(t, db, Simple(TypeBigInt), Simple(TypeVarchar))
	set := NewColumns(f.types)
	for _, n := range []int{0, 1, 2047, 2048, 2049, 10000, 3} {
		set.Reset()
		for i := range n {
			set.AppendInt64(0, int64(i))
			set.AppendString(1, strings.Repeat("é", i%20))
		}
		f.Set(set)
		for sql, want := range map[string]int64{
			"SELECT count(*) FROM " + f.SQL():                                                          int64(n),
			"SELECT coalesce(sum(c0), 0)::BIGINT FROM " + f.SQL():                                      int64(n) * int64(n-1) / 2,
			"SELECT count(*) FROM " + f.SQL() + " a JOIN " + f.SQL() + " b USING (c0)":                 int64(n),
			"SELECT count(c1) FROM " + f.SQL() + " WHERE c1 = repeat('é', (c0 % 20)::INTEGER)":         int64(n),
			"SELECT count(*) FROM (SELECT c0, lag(c0) OVER () AS l FROM " + f.SQL() + ") WHERE l > c0": 0,
		} {
			var got int64
			if err := c.QueryRow(t.Context(), sql, nil, &got); err != nil || got != want {
				t.Errorf("%d rows, %s: %d, %v", n, sql, got, err)
			}
		}
	}
	sql := f.SQL()
	f.Release()
	if _, err := c.Exec(t.Context(), "SELECT * FROM "+sql); err == nil {
		t.Error("a released feed has rows")
	}
	if g := acquire(t, db, Simple(TypeBigInt), Simple(TypeVarchar)); g.SQL() != sql {
		t.Errorf("the next user got %s instead of %s", g.SQL(), sql)
	}
}

// TestFeedInTransaction reads a feed that is newer than the transaction.
func TestFeedInTransaction(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	mustExec(t, c, "BEGIN")
	mustExec(t, c, "SELECT 1")
	f := acquire(t, db, Simple(TypeInteger))
	defer f.Release()
	set := NewColumns(f.types)
	set.AppendInt64(0, 7)
	f.Set(set)
	if got := values(t, c, "SELECT * FROM "+f.SQL()); got[0][0] != int64(7) {
		t.Error(got)
	}
}

func TestFeedReplacedWhileRead(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	f := acquire(t, db, Simple(TypeBigInt))
	set := NewColumns(f.types)
	for i := range 500000 {
		set.AppendInt64(0, int64(i))
	}
	f.Set(set)
	rows, err := c.Query(t.Context(), "SELECT * FROM "+f.SQL())
	if err != nil {
		t.Fatal(err)
	}
	f.Set(nil)
	for err == nil {
		_, err = rows.Next(t.Context())
	}
	if !strings.Contains(err.Error(), "replaced while") && !strings.Contains(err.Error(), "no rows") {
		t.Error(err)
	}
	f.Release()
}

func TestFeedRefusals(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	for _, typ := range []Type{Simple(TypeVariant), ListType(Simple(TypeUnknown)), StructType([]Field{{Name: "a", Type: &Type{ID: TypeVariant, Name: "VARIANT"}}})} {
		_, err := db.AcquireFeed([]Type{Simple(TypeInteger), typ})
		var e *UnsupportedTypeError
		if !errors.As(err, &e) || e.SQLState() != "0A000" {
			t.Errorf("%s: %v", typ.Name, err)
		}
	}
	if _, err := db.AcquireFeed(nil); err == nil {
		t.Error("a feed without columns was made")
	}
	f := acquire(t, db, Simple(TypeSmallInt), Simple(TypeVarchar))
	defer f.Release()
	for _, bad := range []func(*ColumnSet){
		func(s *ColumnSet) { s.AppendInt64(0, 40000); s.AppendNull(1) },
		func(s *ColumnSet) { s.AppendNull(0); s.AppendString(1, "\xff") },
		func(s *ColumnSet) { s.AppendNull(0) },
	} {
		set := NewColumns(f.types)
		bad(set)
		f.Set(set)
		if _, err := c.Exec(t.Context(), "SELECT * FROM "+f.SQL()); err == nil {
			t.Error("bad rows were read")
		}
	}
	f.Set(NewColumns([]Type{Simple(TypeBigInt)}))
	if _, err := c.Exec(t.Context(), "SELECT * FROM "+f.SQL()); err == nil {
		t.Error("rows of other types were read")
	}
	if _, err := c.Exec(t.Context(), "SELECT * FROM sessiondb_feed(123456)"); err == nil {
		t.Error("a feed that is not was read")
	}
}

func TestColumnSetErrors(t *testing.T) {
	set := NewColumns([]Type{Simple(TypeSmallInt), Simple(TypeUTinyInt), Simple(TypeBigInt), DecimalType(4, 1)})
	for _, add := range []func(){
		func() { set.AppendInt64(0, 32768) },
		func() { set.AppendInt64(1, -1) },
		func() { set.AppendUint64(2, 1<<63) },
		func() { set.AppendInt128(2, Int128{Hi: 1}) },
	} {
		set.Reset()
		add()
		var e interface{ SQLState() string }
		if !errors.As(set.Err(), &e) || e.SQLState() != "22003" {
			t.Errorf("%v", set.Err())
		}
	}
	set.Reset()
	for _, text := range []NumericText{"1000", "0.05", "x", "", "-", "1.2.3", "--1"} {
		if set.AppendNumeric(3, text) {
			t.Errorf("%q was taken for a DECIMAL(4,1)", text)
		}
	}
	if set.Err() != nil || set.cols[3].rows != 0 {
		t.Error(set.Err())
	}
	if !set.AppendNumeric(3, "+999.90") || !set.AppendNumeric(3, "-.5") {
		t.Error("a number of the type was refused")
	}
}

// TestAppendRow copies rows one by one, of every type.
func TestAppendRow(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	for _, s := range sampleTypes() {
		rows, err := c.Query(t.Context(), "SELECT v FROM (SELECT 0, CAST("+s.a+" AS "+s.typ+") UNION ALL SELECT 1, NULL UNION ALL SELECT 2, CAST("+s.b+" AS "+s.typ+")) t(k, v) ORDER BY k")
		if err != nil {
			t.Fatal(err)
		}
		chunk, err := rows.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		types := []Type{rows.Columns()[0].Type}
		set, backwards := NewColumns(types), NewColumns(types)
		set.AppendChunk(chunk)
		for i := range 3 {
			backwards.AppendRow(set, 2-i)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		f, g := acquire(t, db, types...), acquire(t, db, types...)
		f.Set(set)
		g.Set(backwards)
		got := values(t, c, "SELECT count(*) FROM (SELECT row_number() OVER () AS n, c0 FROM "+f.SQL()+") a JOIN (SELECT row_number() OVER () AS n, c0 FROM "+g.SQL()+") b ON a.n = 4 - b.n AND a.c0 IS NOT DISTINCT FROM b.c0")
		if got[0][0] != int64(3) {
			t.Errorf("%s: %v rows are equal", s.typ, got[0][0])
		}
		f.Release()
		g.Release()
	}
}

// TestFeedsAreBounded uses more feeds than are kept, while statements that
// read them are cached.
func TestFeedsAreBounded(t *testing.T) {
	db := testDB(t)
	c := connect(t, db)
	var all []*Feed
	for range idleFeeds + 20 {
		f := acquire(t, db, Simple(TypeInteger))
		f.Set(NewColumns(f.types))
		mustExec(t, c, "SELECT * FROM "+f.SQL())
		all = append(all, f)
	}
	for _, f := range all {
		f.Release()
	}
	if n := db.feeds.idleAll; n != idleFeeds {
		t.Errorf("%d feeds are kept", n)
	}
	if _, err := c.Exec(t.Context(), "SELECT * FROM "+all[len(all)-1].SQL()); err == nil {
		t.Error("a feed that is gone was read")
	}
}

// TestFeedsInParallel has two users with feeds of the same types.
func TestFeedsInParallel(t *testing.T) {
	db := testDB(t)
	mustExec(t, connect(t, db), "CREATE TABLE t (i BIGINT)")
	var wg sync.WaitGroup
	for range 2 {
		c := connect(t, db)
		wg.Go(func() {
			for n := range 50 {
				f, err := db.AcquireFeed([]Type{Simple(TypeBigInt)})
				if err != nil {
					t.Error(err)
					return
				}
				set := NewColumns(f.types)
				for i := range n * 100 {
					set.AppendInt64(0, int64(i))
				}
				f.Set(set)
				if changed, err := c.Exec(t.Context(), "INSERT INTO t SELECT * FROM "+f.SQL()); err != nil || changed != int64(n*100) {
					t.Error(changed, err)
				}
				f.Release()
			}
		})
	}
	wg.Wait()
}
