package wire

import (
	"context"
	"encoding/binary"
	"math"
	"time"
)

// The two formats of a value on the wire.
const (
	formatText   int16 = 0
	formatBinary int16 = 1
)

// A ResultWriter is where a Portal sends what it has to say. It belongs to the
// connection; a portal uses it from within Run only, on the goroutine of Run.
// An error of one of its methods is for Run to return: the client is gone or
// the statement was stopped.
type ResultWriter struct {
	conn    *conn
	out     *outbound
	enc     encoder
	formats []int16

	ctx     context.Context //nolint:containedctx // of the present Run
	columns []columnEncoder // reused from batch to batch
	copyOut *copyOut        // nil outside COPY TO STDOUT
	copyIn  *copyData       // nil outside COPY FROM STDIN
}

func (w *ResultWriter) init(c *conn) {
	w.conn, w.out = c, c.out
	w.SetLocation(time.UTC)
}

// begin prepares for one Run.
func (w *ResultWriter) begin(ctx context.Context, formats []int16) {
	w.ctx, w.formats = ctx, formats
	w.copyOut, w.copyIn = nil, nil
}

// finish ends what a completed Run has begun.
func (w *ResultWriter) finish() error {
	if w.copyIn != nil {
		if err := w.copyIn.drain(); err != nil {
			return err
		}
	}
	if w.copyOut != nil {
		w.copyOut.finish(w.out)
	}
	return nil
}

// end lets go of a Run, however it ended.
func (w *ResultWriter) end() {
	w.ctx, w.formats, w.copyOut, w.copyIn = nil, nil, nil, nil
	w.enc.forget()
}

// SetContext makes a blocked write end with ctx instead of the context that
// Run was given, until Run returns. It is for a portal that bounds its time
// with a context of its own, which must be a child of that one.
func (w *ResultWriter) SetContext(ctx context.Context) { w.ctx = ctx }

// SetLocation sets the session's time zone: see Client.SetLocation.
func (w *ResultWriter) SetLocation(loc *time.Location) {
	if loc != nil {
		w.enc.zone = newZone(loc)
	}
}

// Location is the session's time zone.
func (w *ResultWriter) Location() *time.Location { return w.enc.zone.loc }

// Notice sends a NoticeResponse, whose severity is NOTICE unless it says
// otherwise. It is sent at once, before the rows that follow.
func (w *ResultWriter) Notice(notice *Error) {
	w.conn.notice(notice)
	_ = w.out.flushUntil(w.ctx) // a lost client is noticed by the next write
}

// ParameterStatus tells the client about a changed setting.
func (w *ResultWriter) ParameterStatus(name, value string) {
	w.conn.report(name, value)
}

// WriteBatch sends rows: as DataRow messages in the formats that the client
// chose, or after CopyOut as CopyData. It blocks while the client does not
// read. The batch is the caller's again when it returns.
func (w *ResultWriter) WriteBatch(b *Batch) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	if err := w.resolve(b); err != nil {
		return err
	}
	if w.copyOut != nil {
		return w.writeCopy(b)
	}
	for row := b.First; row < b.First+b.Rows; row++ {
		buf, ok := w.enc.appendDataRow(w.out.buf, w.columns, row)
		if !ok {
			return w.enc.failure()
		}
		w.out.buf = buf
		if w.out.full() {
			if err := w.out.flushUntil(w.ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolve chooses the encoder of each column for this batch.
func (w *ResultWriter) resolve(b *Batch) error {
	w.columns = w.columns[:0]
	if len(b.Cols) > math.MaxInt16 {
		return Errorf(codeProgramLimit, "too many result columns: %d", len(b.Cols))
	}
	for i := range b.Cols {
		v := &b.Cols[i]
		format := formatOf(w.formats, i)
		if w.copyOut != nil {
			format = w.copyOut.valueFormat()
		}
		c, err := resolveColumn(v, format)
		if err != nil {
			return err
		}
		w.columns = append(w.columns, c)
	}
	return nil
}

// appendDataRow appends one DataRow message. It reports false, and appends
// nothing of use, when a value cannot be sent: see failure.
func (e *encoder) appendDataRow(dst []byte, columns []columnEncoder, row int) ([]byte, bool) {
	start := len(dst)
	dst = append(dst, 'D', 0, 0, 0, 0, byte(len(columns)>>8), byte(len(columns)))
	for i := range columns {
		dst = e.appendField(dst, &columns[i], row)
	}
	binary.BigEndian.PutUint32(dst[start+1:], uint32(len(dst)-start-1))
	return dst, e.fits(len(dst) - start)
}

// appendField appends a value behind its length, or -1 for NULL.
func (e *encoder) appendField(dst []byte, c *columnEncoder, row int) []byte {
	if c.null(row) {
		return append(dst, 0xff, 0xff, 0xff, 0xff)
	}
	start := len(dst)
	dst = c.append(e, append(dst, 0, 0, 0, 0), c.vector, row)
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// fits checks a row after it was encoded: no error, and no longer than a
// message may be.
func (e *encoder) fits(size int) bool {
	if size > maxMessage && e.err == nil {
		e.err = Errorf(codeProgramLimit, "a row of %d bytes is too long to be sent", size).
			WithHint("Select fewer or shorter columns.")
	}
	return e.err == nil
}
