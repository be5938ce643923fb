package wire

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// sink is a socket that takes everything.
type sink struct{ net.Conn }

func (sink) Write(p []byte) (int, error)      { return len(p), nil }
func (sink) SetWriteDeadline(time.Time) error { return nil }
func (sink) SetReadDeadline(time.Time) error  { return nil }

func discardConn() *conn {
	c := &conn{out: newOutbound(sink{})}
	c.rows.init(c)
	return c
}

func benchBatch(rows int) *Batch {
	types := []*Type{
		{OID: OIDInt8, Size: 8, Kind: KindInt64},
		{OID: OIDText, Size: -1, Kind: KindString},
		{OID: OIDTimestampTZ, Size: 8, Kind: KindTimestampTZ},
		{OID: OIDFloat8, Size: 8, Kind: KindFloat64},
	}
	b := &Batch{Rows: rows, Cols: make([]Vector, len(types))}
	for i, t := range types {
		b.Cols[i].Type = t
	}
	const start = 1_700_000_000_000_000
	for i := range rows {
		b.Cols[0].Int64s = append(b.Cols[0].Int64s, int64(i)*7919)
		b.Cols[1].Strings = append(b.Cols[1].Strings, fmt.Sprintf("account-%d", i%1000))
		b.Cols[2].Int64s = append(b.Cols[2].Int64s, start+int64(i)*1_234_567)
		b.Cols[3].Float64s = append(b.Cols[3].Float64s, float64(i%100_000)/100)
	}
	return b
}

func benchmarkWrite(b *testing.B, batch *Batch, format int16, prepare func(*ResultWriter)) {
	b.Helper()
	c := discardConn()
	c.rows.begin(b.Context(), []int16{format})
	if prepare != nil {
		prepare(&c.rows)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := c.rows.WriteBatch(batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*batch.Rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}

func BenchmarkWriteBatch(b *testing.B) {
	batch := benchBatch(2048)
	irrational := benchBatch(2048)
	for i := range irrational.Cols[3].Float64s {
		irrational.Cols[3].Float64s[i] = float64(i) / 7
	}
	b.Run("text", func(b *testing.B) { benchmarkWrite(b, batch, formatText, nil) })
	b.Run("binary", func(b *testing.B) { benchmarkWrite(b, batch, formatBinary, nil) })
	b.Run("text/long-floats", func(b *testing.B) { benchmarkWrite(b, irrational, formatText, nil) })
	b.Run("text/Berlin", func(b *testing.B) {
		benchmarkWrite(b, batch, formatText, func(w *ResultWriter) { w.SetLocation(berlin(b)) })
	})
	for name, options := range map[string]CopyOptions{
		"copy/text": {}, "copy/csv": {Format: CopyCSV}, "copy/binary": {Format: CopyBinary},
	} {
		b.Run(name, func(b *testing.B) {
			benchmarkWrite(b, batch, formatText, func(w *ResultWriter) {
				if err := w.CopyOut(options, make([]Column, 4)); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// copyLoop is the stream of a client that sends the same CopyData for ever.
type copyLoop struct {
	message []byte
	rest    []byte
}

func (l *copyLoop) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		l.rest = l.message
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func benchmarkRead(b *testing.B, options CopyOptions, row func(i int) string) {
	b.Helper()
	var data strings.Builder
	const rows = 200
	for i := range rows {
		data.WriteString(row(i))
	}
	message, err := (&pgproto3.CopyData{Data: []byte(data.String())}).Encode(nil)
	if err != nil {
		b.Fatal(err)
	}
	c := &conn{in: newInbound(nil)}
	c.in.source = &copyLoop{message: message}
	c.messages = pgproto3.NewBackend(c.in, io.Discard)
	spec, err := options.complete(4)
	if err != nil {
		b.Fatal(err)
	}
	reader := newRowReader(&copyData{ctx: context.Background(), conn: c, limit: 1 << 20}, spec)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Next(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}

func BenchmarkCopyIn(b *testing.B) {
	b.Run("text", func(b *testing.B) {
		benchmarkRead(b, CopyOptions{}, func(i int) string {
			return fmt.Sprintf("%d\taccount-%d\t2024-01-01 00:00:%02d+00\t%d.5\n", i, i, i%60, i)
		})
	})
	b.Run("text/escapes", func(b *testing.B) {
		benchmarkRead(b, CopyOptions{}, func(i int) string {
			return fmt.Sprintf("%d\t\\N\t2024-01-01 00:00:%02d+00\t%d.5\n", i, i%60, i)
		})
	})
	b.Run("csv", func(b *testing.B) {
		benchmarkRead(b, CopyOptions{Format: CopyCSV}, func(i int) string {
			return fmt.Sprintf("%d,account-%d,2024-01-01 00:00:%02d+00,%d.5\n", i, i, i%60, i)
		})
	})
	b.Run("csv/quotes", func(b *testing.B) {
		benchmarkRead(b, CopyOptions{Format: CopyCSV}, func(i int) string {
			return fmt.Sprintf("%d,\"account %d\",2024-01-01 00:00:%02d+00,%d.5\n", i, i, i%60, i)
		})
	})
}

func BenchmarkParse(b *testing.B) {
	for name, parser := range map[string]struct {
		text  string
		parse func([]byte) error
	}{
		"Int64":       {"123456789", func(s []byte) error { _, err := ParseInt64(s); return err }},
		"Float64":     {"1234.5678", func(s []byte) error { _, err := ParseFloat64(s); return err }},
		"Bool":        {"t", func(s []byte) error { _, err := ParseBool(s); return err }},
		"Date":        {"2024-06-15", func(s []byte) error { _, err := ParseDate(s); return err }},
		"TimestampTZ": {"2024-06-15 12:34:56.789+02", func(s []byte) error { _, err := ParseTimestamp(s, time.UTC); return err }},
		"UUID":        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", func(s []byte) error { _, err := ParseUUID(s); return err }},
		"Decimal":     {"1234567.89", func(s []byte) error { _, err := ParseDecimal(s, 18, 3); return err }},
	} {
		b.Run(name, func(b *testing.B) {
			input := []byte(parser.text)
			b.ReportAllocs()
			for b.Loop() {
				if err := parser.parse(input); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRoundTrip is one small statement over TCP, wait included.
func BenchmarkRoundTrip(b *testing.B) {
	_, addr := start(b, Config{}, newFakeBackend())
	c := connect(b, addr)
	c.send(&pgproto3.Parse{Name: "s", Query: "rows 1"}, &pgproto3.Sync{})
	c.untilReady(1)
	for name, messages := range map[string][]pgproto3.FrontendMessage{
		"simple":   {&pgproto3.Query{String: "rows 1"}},
		"extended": {&pgproto3.Bind{PreparedStatement: "s"}, &pgproto3.Execute{}, &pgproto3.Sync{}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.send(messages...)
				for {
					m, err := c.front.Receive()
					if err != nil {
						b.Fatal(err)
					}
					if _, ready := m.(*pgproto3.ReadyForQuery); ready {
						break
					}
				}
			}
		})
	}
}
