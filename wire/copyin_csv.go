package wire

import (
	"bytes"
	"io"
)

// A csvReader reads rows of COPY's csv format.
type csvReader struct {
	lines
	fields [][]byte
	plain  []byte // the fields of a row with quotes, without them
	begun  bool
}

// Next returns the fields of the next row.
func (r *csvReader) Next() ([][]byte, error) {
	if !r.begun {
		r.begun = true
		if err := r.header(); err != nil {
			return nil, err
		}
	}
	record, err := r.row()
	if err != nil {
		return nil, err
	}
	if err := r.checkCount(len(r.fields), record); err != nil {
		return nil, err
	}
	r.force()
	return r.fields, nil
}

func (r *csvReader) header() error {
	if r.spec.Header == HeaderNone {
		return nil
	}
	if _, err := r.row(); err != nil {
		return err
	}
	return r.checkHeader(r.fields)
}

// force applies FORCE_NOT_NULL and FORCE_NULL.
func (r *csvReader) force() {
	if r.spec.ForceNotNull == nil && r.spec.ForceNull == nil {
		return
	}
	for i, field := range r.fields {
		switch {
		case field == nil && flag(r.spec.ForceNotNull, i):
			r.fields[i] = []byte(r.spec.null)
		case field != nil && flag(r.spec.ForceNull, i) && string(field) == r.spec.null:
			r.fields[i] = nil
		}
	}
}

// row splits the next record into r.fields.
func (r *csvReader) row() ([]byte, error) {
	record, quoted, err := r.record()
	switch {
	case err != nil:
		return nil, err
	case quoted:
		return record, r.unquote(record)
	case r.ended && string(record) == `\.`:
		return nil, r.end()
	case bytes.IndexByte(record, '\r') >= 0:
		return nil, r.stray("carriage return", `\r`)
	}
	r.split(record)
	return record, nil
}

// record takes the next record: a line, and those after it as long as a quote
// is open. quoted says that there is a quote in it.
func (r *csvReader) record() (_ []byte, quoted bool, err error) {
	var q quoteState
	for from := 0; ; {
		at, found, err := r.newline(from)
		if err != nil {
			return nil, false, err
		}
		if !found && at == 0 {
			return nil, false, io.EOF
		}
		q.pass(r.buf[r.pos+from:r.pos+at], &r.spec)
		if !q.open {
			record, err := r.take(at, found)
			return record, q.seen, err
		}
		r.number++
		if !found {
			return nil, false, r.where(Errorf(codeBadCopyFormat, "unterminated CSV quoted field"), r.buf[r.pos:])
		}
		q.escape = false // the \n was not escaped by what came before it
		from = at + 1
	}
}

// quoteState follows quotes from line to line, to find where a record ends.
type quoteState struct {
	open, seen bool
	escape     bool // the last byte was an escape
}

func (q *quoteState) pass(line []byte, s *copySpec) {
	if s.Escape == s.Quote {
		n := bytes.Count(line, []byte{s.Quote})
		q.seen = q.seen || n > 0
		q.open = q.open != (n%2 == 1)
		return
	}
	for _, c := range line {
		if q.open && c == s.Escape {
			q.escape = !q.escape
		}
		if c == s.Quote && !q.escape {
			q.open, q.seen = !q.open, true
		}
		if c != s.Escape {
			q.escape = false
		}
	}
}

// split cuts a record without quotes at the delimiters.
func (r *csvReader) split(record []byte) {
	r.fields = r.fields[:0]
	if len(record) == 0 && r.spec.columns == 0 {
		return
	}
	for {
		end := bytes.IndexByte(record, r.spec.Delimiter)
		if end < 0 {
			r.fields = append(r.fields, r.orNull(record))
			return
		}
		r.fields = append(r.fields, r.orNull(record[:end:end]))
		record = record[end+1:]
	}
}

// orNull is nil for an unquoted field that reads as NULL.
func (r *csvReader) orNull(raw []byte) []byte {
	if string(raw) == r.spec.null {
		return nil
	}
	return raw
}

// unquote splits a record that has quotes. The fields go to a buffer that is
// never too small, because quotes and escapes only shrink.
func (r *csvReader) unquote(record []byte) error {
	r.fields = r.fields[:0]
	if cap(r.plain) < len(record) {
		r.plain = make([]byte, 0, 2*len(record))
	}
	r.plain = r.plain[:0]
	for rest := record; ; {
		start := len(r.plain)
		size, quoted, err := r.field(rest)
		if err != nil {
			return err
		}
		field := r.plain[start:len(r.plain):len(r.plain)]
		if !quoted {
			field = r.orNull(field)
		}
		r.fields = append(r.fields, field)
		if size == len(rest) {
			return nil
		}
		rest = rest[size+1:]
	}
}

// field reads one field up to its delimiter. Quotes may begin and end anywhere
// in it.
func (r *csvReader) field(s []byte) (size int, quoted bool, err error) {
	inside := false
	for size = 0; size < len(s); size++ {
		c := s[size]
		switch {
		case inside && c == r.spec.Escape && size+1 < len(s) && (s[size+1] == r.spec.Escape || s[size+1] == r.spec.Quote):
			size++
			c = s[size]
		case c == r.spec.Quote:
			inside, quoted = !inside, true
			continue
		case inside:
		case c == r.spec.Delimiter:
			return size, quoted, nil
		case c == '\r':
			return 0, false, r.stray("carriage return", `\r`)
		}
		r.plain = append(r.plain, c)
	}
	return size, quoted, nil
}
