package catalog

import (
	"errors"
	"io"
	"strconv"
	"testing"
)

func benchColumns(n int) *ColumnSet {
	set := NewColumns([]Type{Simple(TypeBigInt), Simple(TypeVarchar), Simple(TypeTimestamp), Simple(TypeDouble)})
	for i := range n {
		set.AppendInt64(0, int64(i))
		set.AppendString(1, "account-"+strconv.Itoa(i%100000))
		set.AppendTimestamp(2, int64(i)*1e6)
		set.AppendFloat64(3, float64(i))
	}
	return set
}

// BenchmarkFeed inserts through a prepared statement that reads a feed.
func BenchmarkFeed(b *testing.B) {
	for _, n := range []int{1, 100, 10000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			db := testDB(b)
			c := connect(b, db)
			mustExec(b, c, "CREATE TABLE t (a BIGINT, b VARCHAR, c TIMESTAMP, d DOUBLE)")
			set := benchColumns(n)
			f := acquire(b, db, set.Types()...)
			defer f.Release()
			sql := "INSERT INTO t SELECT c0, c1, c2, c3 FROM " + f.SQL()
			mustExec(b, c, "BEGIN")
			for b.Loop() {
				f.Set(set)
				mustExec(b, c, sql)
			}
			mustExec(b, c, "ROLLBACK")
		})
	}
}

func BenchmarkFill(b *testing.B) {
	set := benchColumns(0)
	for b.Loop() {
		set.Reset()
		for i := range 10000 {
			set.AppendInt64(0, int64(i))
			set.AppendString(1, "account-12345")
			set.AppendTimestamp(2, int64(i)*1e6)
			set.AppendFloat64(3, float64(i))
		}
	}
}

// BenchmarkStream reads 4 columns and looks at every value.
func BenchmarkStream(b *testing.B) {
	c := testConn(b)
	const rows = 1_000_000
	mustExec(b, c, "CREATE TABLE t AS SELECT i AS a, 'account-' || i % 100000 AS b, '2024-01-01'::TIMESTAMP + to_seconds(i) AS c, i / 3.0::DOUBLE AS d FROM range(1000000) r(i)")
	for b.Loop() {
		r, err := c.Query(b.Context(), "SELECT * FROM t")
		if err != nil {
			b.Fatal(err)
		}
		n, bytes := 0, 0
		for {
			chunk, err := r.Next(b.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			n += chunk.Rows()
			for _, s := range chunk.Col(1).Strings() {
				bytes += len(s)
			}
			_, _, _ = chunk.Col(0).Int64s(), chunk.Col(2).Int64s(), chunk.Col(3).Float64s()
		}
		if n != rows {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkSelectOne(b *testing.B) {
	c := testConn(b)
	var n int64
	for b.Loop() {
		if err := c.QueryRow(b.Context(), "SELECT $1 + 1", []any{41}, &n); err != nil || n != 42 {
			b.Fatal(n, err)
		}
	}
}
