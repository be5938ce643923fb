package wire

import (
	"context"
	"errors"
	"io"

	"github.com/jackc/pgx/v5/pgproto3"
)

// CopyIn begins a COPY FROM STDIN of rows with this many columns, and returns
// their reader, which is for the goroutine of Run and ends with it. What the
// client sends after Run has failed is thrown away.
func (w *ResultWriter) CopyIn(options CopyOptions, columns int) (RowReader, error) {
	spec, err := options.complete(columns)
	if err != nil {
		return nil, err
	}
	format := byte(formatText)
	if spec.Format == CopyBinary {
		format = byte(formatBinary)
	}
	codes := make([]uint16, columns)
	for i := range codes {
		codes[i] = uint16(format)
	}
	w.out.send(&pgproto3.CopyInResponse{OverallFormat: format, ColumnFormatCodes: codes})
	if err := w.out.flushUntil(w.ctx); err != nil {
		return nil, err
	}
	w.conn.in.unwatch() // from here on the reads themselves notice a lost client
	w.copyIn = &copyData{ctx: w.ctx, conn: w.conn, limit: w.conn.srv.cfg.MaxMessageSize}
	return newRowReader(w.copyIn, spec), nil
}

// copyData is the stream of bytes in the CopyData messages of one COPY FROM
// STDIN. Its end is CopyDone.
type copyData struct {
	ctx   context.Context //nolint:containedctx // of the COPY's Run
	conn  *conn
	limit int
	err   error // the end of the stream: io.EOF after CopyDone
}

// more appends what the next message holds to window, which holds what is not
// consumed yet: at most one row, and that is bounded.
func (d *copyData) more(window []byte) ([]byte, error) {
	if d.err != nil {
		return window, d.err
	}
	if len(window) > d.limit {
		return window, Errorf(codeProgramLimit, "a row of COPY data is longer than %d bytes", d.limit)
	}
	payload, err := d.next()
	if err != nil {
		d.err = err
		return window, err
	}
	return append(window, payload...), nil
}

// next returns the payload of the next CopyData message. Flush and Sync are
// ignored inside COPY, as Postgres does for the sake of clients that send
// them right after Execute.
func (d *copyData) next() ([]byte, error) {
	for {
		message, err := d.receive()
		if err != nil {
			return nil, err
		}
		switch m := message.(type) {
		case *pgproto3.CopyData:
			return m.Data, nil
		case *pgproto3.CopyDone:
			d.conn.in.watch(d.conn.lost) // as before the COPY, until Run ends
			return nil, io.EOF
		case *pgproto3.CopyFail:
			return nil, Errorf(codeQueryCanceled, "COPY from stdin failed: %s", m.Message)
		case *pgproto3.Flush, *pgproto3.Sync:
		case *pgproto3.Terminate:
			return nil, errHungUpInCopy()
		default:
			return nil, Fatalf(codeProtocolViolation, "unexpected message during COPY from stdin: %s", name(message))
		}
	}
}

func errHungUpInCopy() error {
	return Fatalf(codeConnectionFailure, "unexpected EOF on client connection during COPY from stdin")
}

// receive waits for a message, until the statement is stopped.
func (d *copyData) receive() (pgproto3.FrontendMessage, error) {
	in := d.conn.in
	in.deadline = d.conn.txDeadline()
	unhook := context.AfterFunc(d.ctx, in.interrupt)
	defer unhook()
	for {
		message, err := d.conn.messages.Receive()
		switch {
		case err == nil:
			return message, nil
		case errors.Is(err, errWoken) && d.ctx.Err() == nil:
			// A notification or a shutdown: both wait for the COPY.
		case errors.Is(err, errWoken):
			return nil, context.Cause(d.ctx)
		case errors.Is(err, errIdle):
			return nil, errIdleInTx()
		default:
			if err := d.conn.received(err); !errors.Is(err, errHungUp) {
				return nil, err
			}
			d.conn.lost(err)
			return nil, errHungUpInCopy()
		}
	}
}

// drain reads to the end of the stream, which completes a COPY that did not
// want all of it.
func (d *copyData) drain() error {
	for d.err == nil {
		_, d.err = d.next()
	}
	if errors.Is(d.err, io.EOF) {
		return nil
	}
	return d.err
}
