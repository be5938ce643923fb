package wire

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

func newRowReader(d *copyData, s copySpec) RowReader {
	fields := make([][]byte, 0, s.columns)
	switch s.Format {
	case CopyBinary:
		return &binaryReader{spec: s, data: d, fields: fields}
	case CopyCSV:
		return &csvReader{lines: lines{spec: s, data: d}, fields: fields}
	default:
		return &textReader{lines: lines{spec: s, data: d}, fields: fields}
	}
}

// lines cuts the stream of a COPY into lines. The first line decides whether
// lines end with \n or \r\n; what ends with \r alone is refused.
type lines struct {
	spec   copySpec
	data   *copyData
	buf    []byte
	pos    int   // in buf, where the present line begins
	number int64 // of the present line, from 1
	ended  bool  // the present line ended with \n, not with the data
	ending lineEnding
}

type lineEnding uint8

const (
	endingUnknown lineEnding = iota
	endingLF
	endingCRLF
)

// Line is the number of the present line.
func (l *lines) Line() int64 { return l.number }

// Binary says that the fields are text.
func (l *lines) Binary() bool { return false }

// newline finds the next \n that is at least from bytes after the line's
// begin, and returns its distance from there. found is false where the data
// ends first; then at is the distance of the end.
func (l *lines) newline(from int) (at int, found bool, err error) {
	for {
		if i := bytes.IndexByte(l.buf[l.pos+from:], '\n'); i >= 0 {
			return from + i, true, nil
		}
		from = len(l.buf) - l.pos
		if err := l.fetch(); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return from, false, err
		}
	}
}

// fetch moves the present line to the buffer's front and reads on behind it.
func (l *lines) fetch() error {
	l.buf = l.buf[:copy(l.buf, l.buf[l.pos:])]
	l.pos = 0
	var err error
	l.buf, err = l.data.more(l.buf)
	return err
}

// take consumes a line of size bytes and, if ended, the \n behind it. It
// checks the line's ending and its encoding.
func (l *lines) take(size int, ended bool) ([]byte, error) {
	line := l.buf[l.pos : l.pos+size]
	l.pos += size
	l.number++
	l.ended = ended
	if ended {
		l.pos++
		var err error
		if line, err = l.chomp(line); err != nil {
			return nil, err
		}
	}
	if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
		e, _ := asError(badUTF8(line))
		return nil, l.where(e, nil)
	}
	return line, nil
}

// chomp takes the \r off a line that ended with \n, if lines end with \r\n.
func (l *lines) chomp(line []byte) ([]byte, error) {
	cr := len(line) > 0 && line[len(line)-1] == '\r'
	if l.ending == endingUnknown {
		l.ending = endingLF
		if cr {
			l.ending = endingCRLF
		}
	}
	switch {
	case l.ending == endingCRLF && cr:
		return line[:len(line)-1], nil
	case l.ending == endingCRLF:
		return nil, l.stray("newline", `\n`)
	case cr:
		return nil, l.stray("carriage return", `\r`)
	default:
		return line, nil
	}
}

// stray is the error for a line ending that is not the file's.
func (l *lines) stray(what, escape string) error {
	if l.spec.Format == CopyCSV {
		return l.where(Errorf(codeBadCopyFormat, "unquoted %s found in data", what).
			WithHint("Use quoted CSV field to represent %s.", what), nil)
	}
	return l.where(Errorf(codeBadCopyFormat, "literal %s found in data", what).
		WithHint(`Use "%s" to represent %s.`, escape, what), nil)
}

// end reads to the end of the stream, after a line that said it is the last.
func (l *lines) end() error {
	if err := l.data.drain(); err != nil {
		return err
	}
	l.buf, l.pos = l.buf[:0], 0
	return io.EOF
}

// checkCount holds the number of fields against that of the columns.
func (l *lines) checkCount(n int, line []byte) error {
	switch {
	case n == l.spec.columns:
		return nil
	case n > l.spec.columns:
		return l.where(Errorf(codeBadCopyFormat, "extra data after last expected column"), line)
	default:
		return l.where(Errorf(codeBadCopyFormat, `missing data for column "%s"`, l.spec.columnName(n)), line)
	}
}

// checkHeader holds a header line against the columns' names.
func (l *lines) checkHeader(fields [][]byte) error {
	if l.spec.Header != HeaderMatch {
		return nil
	}
	if len(fields) != l.spec.columns {
		return l.where(Errorf(codeBadCopyFormat, "wrong number of fields in header line: got %d, expected %d",
			len(fields), l.spec.columns), nil)
	}
	for i, field := range fields {
		if want := l.spec.columnName(i); string(field) != want {
			return l.where(Errorf(codeBadCopyFormat, `column name mismatch in header line field %d: got "%s", expected "%s"`,
				i+1, field, want), nil)
		}
	}
	return nil
}

// where adds the table, the line's number and the line to an error.
func (l *lines) where(e *Error, line []byte) error {
	return copyWhere(e, l.spec.Table, l.number, line)
}

func copyWhere(e *Error, table string, number int64, line []byte) error {
	const shown = 100 // bytes, as in Postgres
	where := Errorf("", "COPY %s, line %d", table, number).Message
	switch {
	case line == nil:
		return e.WithWhere("%s", where)
	case len(line) > shown:
		for line = line[:shown]; !utf8.Valid(line); {
			line = line[:len(line)-1]
		}
		return e.WithWhere(`%s: "%s..."`, where, line)
	default:
		return e.WithWhere(`%s: "%s"`, where, line)
	}
}
