package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// readerOf reads a COPY whose data comes in the given pieces.
func readerOf(tb testing.TB, options CopyOptions, columns int, pieces ...[]byte) RowReader {
	tb.Helper()
	var stream []byte
	var err error
	for _, piece := range pieces {
		if stream, err = (&pgproto3.CopyData{Data: piece}).Encode(stream); err != nil {
			tb.Fatal(err)
		}
	}
	if stream, err = (&pgproto3.CopyDone{}).Encode(stream); err != nil {
		tb.Fatal(err)
	}
	c := &conn{in: newInbound(sink{}), cancel: func(error) {}}
	c.in.source = bytes.NewReader(stream)
	c.messages = pgproto3.NewBackend(c.in, io.Discard)
	spec, err := options.complete(columns)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.in.unwatch)
	return newRowReader(&copyData{ctx: context.Background(), conn: c, limit: 1 << 20}, spec)
}

// readAll shows all rows, and the error behind them.
func readAll(r RowReader) string {
	var b strings.Builder
	for {
		fields, err := r.Next()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			e, _ := asError(err)
			fmt.Fprintf(&b, "%s %s (%s)", e.Code, e.Message, e.Where)
			return b.String()
		}
		fmt.Fprintf(&b, "%d:", r.Line())
		for _, f := range fields {
			if f == nil {
				b.WriteString(" NULL")
			} else {
				fmt.Fprintf(&b, " %q", f)
			}
		}
		b.WriteByte('\n')
	}
}

func TestCopyOptionsInUse(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options CopyOptions
		columns int
		data    string
		want    string
	}{
		{"delimiter and null", CopyOptions{Delimiter: '|', Null: new("")}, 3, "a||c\n", `1: "a" NULL "c"` + "\n"},
		{"escaped delimiter", CopyOptions{Delimiter: '|'}, 2, "a\\|b|\\N\n", `1: "a|b" NULL` + "\n"},
		{"text header", CopyOptions{Header: HeaderLine}, 1, "what\na\n", `2: "a"` + "\n"},
		{"csv null word", CopyOptions{Format: CopyCSV, Null: new("NULL")}, 3, "NULL,\"NULL\",\n", `1: NULL "NULL" ""` + "\n"},
		{"force", CopyOptions{Format: CopyCSV, ForceNotNull: []bool{true}, ForceNull: []bool{false, true}}, 3, ",\"\",\"\"\n", `1: "" NULL ""` + "\n"},
		{"quote and escape", CopyOptions{Format: CopyCSV, Quote: '\'', Escape: '\\'}, 2, `'it\'s \\ \x',"` + "\n", `1: "it's \\ \\x" "\""` + "\n"},
		{"escape and newline", CopyOptions{Format: CopyCSV, Escape: '\\'}, 1, "\"a\\\"\nb\"\nc\n", "2: \"a\\\"\\nb\"\n3: \"c\"\n"},
		{"no columns", CopyOptions{}, 0, "\n\n", "1:\n2:\n"},
		{"empty lines of one column", CopyOptions{}, 1, "\n\\N\n", "1: \"\"\n2: NULL\n"},
		{"empty", CopyOptions{}, 1, "", ""},
		{"csv mark that is data", CopyOptions{Format: CopyCSV}, 1, "\\.", "1: \"\\\\.\"\n"},
		{"corrupt mark", CopyOptions{Table: "t"}, 1, "a\\.b\n", "22P04 end-of-copy marker corrupt (COPY t, line 1: \"a\\.b\")"},
		{"csv mark", CopyOptions{Format: CopyCSV}, 1, "a\n\\.\nb\n", "1: \"a\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := readAll(readerOf(t, tt.options, tt.columns, []byte(tt.data))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCopyOptionsRefused(t *testing.T) {
	for want, o := range map[string]CopyOptions{
		"42601 cannot specify DELIMITER in BINARY mode":                        {Format: CopyBinary, Delimiter: ','},
		"42601 cannot specify NULL in BINARY mode":                             {Format: CopyBinary, Null: new("")},
		"0A000 cannot specify HEADER in BINARY mode":                           {Format: CopyBinary, Header: HeaderLine},
		"0A000 COPY delimiter must be a single one-byte character":             {Delimiter: 0xc3},
		"22023 COPY delimiter cannot be newline or carriage return":            {Delimiter: '\n'},
		"22023 COPY null representation cannot use newline or carriage return": {Null: new("\r")},
		`22023 COPY delimiter cannot be "a"`:                                   {Delimiter: 'a'},
		"0A000 COPY delimiter must not appear in the NULL specification":       {Delimiter: '|', Null: new("|")},
		"0A000 COPY quote available only in CSV mode":                          {Quote: '"'},
		"0A000 COPY escape available only in CSV mode":                         {Escape: '"'},
		"0A000 COPY quote and escape must be single one-byte characters":       {Format: CopyCSV, Quote: 0xc3},
		"22023 COPY delimiter and quote must be different":                     {Format: CopyCSV, Quote: ','},
		"0A000 CSV quote character must not appear in the NULL specification":  {Format: CopyCSV, Null: new(`"`)},
	} {
		_, err := o.complete(1)
		if e, _ := asError(err); err == nil || e.Code+" "+e.Message != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// What COPY TO writes, COPY FROM reads: all formats, with any text.
func FuzzCopyRoundTrip(f *testing.F) {
	f.Add("a\tb\\\n\r", `x,"y"`, uint8(0))
	f.Add("", `\.`, uint8(1))
	f.Add(`\N`, "\b\f\v", uint8(2))
	f.Fuzz(func(t *testing.T, a, b string, format uint8) {
		if validText(a) != nil || validText(b) != nil {
			return
		}
		options := CopyOptions{Format: CopyFormat(format % 3)}
		text := Type{OID: OIDText, Size: -1, Kind: KindString}
		batch := &Batch{Rows: 3, Cols: []Vector{
			{Type: &text, Strings: []string{a, "", b}, Valid: []uint64{0b101}},
			{Type: &text, Strings: []string{b, a, ""}, Valid: []uint64{0b011}},
		}}
		c := discardConn()
		c.rows.begin(t.Context(), nil)
		if err := c.rows.CopyOut(options, make([]Column, 2)); err != nil {
			t.Fatal(err)
		}
		if err := c.rows.WriteBatch(batch); err != nil {
			t.Fatal(err)
		}
		if err := c.rows.finish(); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%q %q\nNULL %q\n%q NULL\n", a, b, a, b)
		var got strings.Builder
		for line := range strings.Lines(readAll(readerOf(t, options, 2, copyPayloads(t, c.out.buf)...))) {
			_, row, _ := strings.Cut(line, ": ")
			got.WriteString(row)
		}
		if got.String() != want {
			t.Errorf("format %d: got %s, want %s", options.Format, got.String(), want)
		}
	})
}

// copyPayloads are the CopyData messages of a stream.
func copyPayloads(t *testing.T, stream []byte) [][]byte {
	t.Helper()
	var out [][]byte
	front := pgproto3.NewFrontend(bytes.NewReader(stream), io.Discard)
	for {
		m, err := front.Receive()
		if err != nil {
			return out
		}
		if d, ok := m.(*pgproto3.CopyData); ok {
			out = append(out, bytes.Clone(d.Data))
		}
	}
}

// However the data is cut into messages, the rows are the same; and nothing
// panics, whatever the data is.
func FuzzCopyPieces(f *testing.F) {
	f.Add([]byte("a\tb\nc\\\nd\t\\x41\n\\.\n"), uint8(0), uint8(3))
	f.Add([]byte("a,\"b\n\"\"c\"\r\n\"d\",e\r\n"), uint8(1), uint8(1))
	f.Add([]byte(copySignature+"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01a\xff\xff\xff\xff\xff\xff"), uint8(2), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, format, size uint8) {
		options := []CopyOptions{
			{}, {Format: CopyCSV}, {Format: CopyBinary}, {Format: CopyCSV, Escape: '\\', Null: new("x")}, {Delimiter: '|', Null: new("")},
		}[format%5]
		var pieces [][]byte
		for rest := data; len(rest) > 0; {
			n := min(len(rest), int(size)%7+1)
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		whole := readAll(readerOf(t, options, 2, data))
		if cut := readAll(readerOf(t, options, 2, pieces...)); cut != whole {
			t.Errorf("whole: %s\nin pieces: %s", whole, cut)
		}
	})
}
