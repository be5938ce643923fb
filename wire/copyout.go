package wire

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgproto3"
)

// copySignature begins every binary COPY, before the flags and the length of
// the header's extension.
const copySignature = "PGCOPY\n\xff\r\n\x00"

// copyOut is a COPY TO STDOUT under way.
type copyOut struct {
	copySpec
	escaper *escaper
	headed  bool // the binary header is sent
}

func newCopyOut(spec copySpec) *copyOut {
	c := &copyOut{copySpec: spec}
	if spec.Format == CopyCSV {
		c.escaper = newEscaper(spec.Escape, spec.Quote, string([]byte{spec.Escape, spec.Quote}))
		return c
	}
	c.escaper = newEscaper('\\', 0, string([]byte{'\\', spec.Delimiter}))
	for i, letter := range []byte("btnvfr") {
		c.escaper.second['\b'+i] = letter
	}
	return c
}

// CopyOut begins a COPY TO STDOUT of rows with these columns: the batches that
// follow go out as CopyData in its format. The end of Run completes it.
func (w *ResultWriter) CopyOut(options CopyOptions, columns []Column) error {
	spec, err := options.complete(len(columns))
	if err != nil {
		return err
	}
	w.copyOut = newCopyOut(spec)
	format := uint16(w.copyOut.valueFormat())
	codes := make([]uint16, len(columns))
	for i := range codes {
		codes[i] = format
	}
	w.out.send(&pgproto3.CopyOutResponse{OverallFormat: byte(format), ColumnFormatCodes: codes})
	if spec.Header != HeaderNone {
		w.out.buf = w.copyOut.appendHeader(w.out.buf, columns)
	}
	return nil
}

func (c *copyOut) valueFormat() int16 {
	if c.Format == CopyBinary {
		return formatBinary
	}
	return formatText
}

func (c *copyOut) appendHeader(dst []byte, columns []Column) []byte {
	dst, start := beginCopyData(dst)
	for i := range columns {
		if i > 0 {
			dst = append(dst, c.Delimiter)
		}
		at := len(dst)
		dst = c.field(append(dst, columns[i].Name...), at, false)
	}
	return endCopyData(append(dst, '\n'), start)
}

// writeCopy sends a batch as CopyData, one message for each row.
func (w *ResultWriter) writeCopy(b *Batch) error {
	for row := range b.Rows {
		dst, start := beginCopyData(w.out.buf)
		if w.copyOut.Format == CopyBinary {
			dst = w.copyOut.appendBinaryRow(&w.enc, dst, w.columns, row)
		} else {
			dst = w.copyOut.appendTextRow(&w.enc, dst, w.columns, row)
		}
		if !w.enc.fits(len(dst) - start) {
			return w.enc.failure()
		}
		w.out.buf = endCopyData(dst, start)
		if w.out.full() {
			if err := w.out.flushUntil(w.ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func beginCopyData(dst []byte) (_ []byte, start int) {
	return append(dst, 'd', 0, 0, 0, 0), len(dst)
}

func endCopyData(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start+1:], uint32(len(dst)-start-1))
	return dst
}

// appendBinaryHead puts the file's header before the first row, in the same
// message, as Postgres does.
func (c *copyOut) appendBinaryHead(dst []byte) []byte {
	if c.headed {
		return dst
	}
	c.headed = true
	return append(append(dst, copySignature...), make([]byte, 8)...)
}

func (c *copyOut) appendBinaryRow(e *encoder, dst []byte, columns []columnEncoder, row int) []byte {
	dst = c.appendBinaryHead(dst)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(columns)))
	for i := range columns {
		dst = e.appendField(dst, &columns[i], row)
	}
	return dst
}

func (c *copyOut) appendTextRow(e *encoder, dst []byte, columns []columnEncoder, row int) []byte {
	for i := range columns {
		if i > 0 {
			dst = append(dst, c.Delimiter)
		}
		column := &columns[i]
		if column.null(row) {
			dst = append(dst, c.null...)
			continue
		}
		start := len(dst)
		dst = column.append(e, dst, column.vector, row)
		dst = c.field(dst, start, flag(c.ForceQuote, i))
	}
	return append(dst, '\n')
}

// field makes dst[start:] a field of the format.
func (c *copyOut) field(dst []byte, start int, force bool) []byte {
	if c.Format == CopyText {
		return c.escaper.escape(dst, start)
	}
	if force || c.mustQuote(dst[start:]) {
		return c.escaper.enquote(dst, start)
	}
	return dst
}

// mustQuote says which csv fields need quotes. Like Postgres it quotes what
// would be read as NULL, and a lone \. that would be read as the end.
func (c *copyOut) mustQuote(text []byte) bool {
	if string(text) == c.null || c.columns == 1 && string(text) == `\.` {
		return true
	}
	for _, b := range text {
		if b == c.Delimiter || b == c.Quote || b == '\n' || b == '\r' {
			return true
		}
	}
	return false
}

// finish sends what ends the COPY: the trailer of the binary format, CopyDone.
func (c *copyOut) finish(out *outbound) {
	if c.Format == CopyBinary {
		dst, start := beginCopyData(out.buf)
		dst = append(c.appendBinaryHead(dst), 0xff, 0xff)
		out.buf = endCopyData(dst, start)
	}
	out.send(&pgproto3.CopyDone{})
}
