package wire

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// A textReader reads rows of COPY's text format.
type textReader struct {
	lines
	fields [][]byte
	plain  []byte // the unescaped fields of a line with backslashes
	begun  bool
}

// Next returns the fields of the next row.
func (r *textReader) Next() ([][]byte, error) {
	if !r.begun {
		r.begun = true
		if err := r.header(); err != nil {
			return nil, err
		}
	}
	line, err := r.row()
	if err != nil {
		return nil, err
	}
	return r.fields, r.checkCount(len(r.fields), line)
}

func (r *textReader) header() error {
	if r.spec.Header == HeaderNone {
		return nil
	}
	if _, err := r.row(); err != nil {
		return err
	}
	return r.checkHeader(r.fields)
}

// row splits the next line into r.fields.
func (r *textReader) row() ([]byte, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(line, '\\') < 0 {
		r.split(line)
		return line, nil
	}
	if string(line) == `\.` {
		return nil, r.end()
	}
	return line, r.unescape(line)
}

// line takes the next line. A \n behind a backslash is data.
func (r *textReader) line() ([]byte, error) {
	for from := 0; ; {
		at, found, err := r.newline(from)
		if err != nil {
			return nil, err
		}
		if !found && at == 0 {
			return nil, io.EOF
		}
		if found && escaped(r.buf[r.pos:r.pos+at]) {
			from = at + 1
			continue
		}
		line, err := r.take(at, found)
		if err == nil && bytes.IndexByte(line, '\r') >= 0 {
			err = r.stray("carriage return", `\r`)
		}
		return line, err
	}
}

// escaped says that what follows before is escaped by its last byte.
func escaped(before []byte) bool {
	n := 0
	for n < len(before) && before[len(before)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// split cuts a line without backslashes at the delimiters.
func (r *textReader) split(line []byte) {
	r.fields = r.fields[:0]
	if len(line) == 0 && r.spec.columns == 0 {
		return
	}
	for {
		end := bytes.IndexByte(line, r.spec.Delimiter)
		if end < 0 {
			r.fields = append(r.fields, r.orNull(line))
			return
		}
		r.fields = append(r.fields, r.orNull(line[:end:end]))
		line = line[end+1:]
	}
}

// orNull is nil for a field that reads as NULL.
func (r *textReader) orNull(raw []byte) []byte {
	if string(raw) == r.spec.null {
		return nil
	}
	return raw
}

// unescape splits a line that has backslashes. What they stand for goes to a
// buffer that is never too small, because escapes only shrink.
func (r *textReader) unescape(line []byte) error {
	r.fields = r.fields[:0]
	if cap(r.plain) < len(line) {
		r.plain = make([]byte, 0, 2*len(line))
	}
	r.plain = r.plain[:0]
	for at := 0; at <= len(line); at++ {
		raw, start := at, len(r.plain)
		for at < len(line) && line[at] != r.spec.Delimiter {
			if line[at] != '\\' {
				r.plain = append(r.plain, line[at])
				at++
				continue
			}
			if at+1 < len(line) && line[at+1] == '.' {
				return r.where(Errorf(codeBadCopyFormat, "end-of-copy marker corrupt"), line)
			}
			b, size := unescapeText(line[at+1:])
			if size > 0 {
				r.plain = append(r.plain, b)
			}
			at += 1 + size
		}
		field := r.plain[start:len(r.plain):len(r.plain)]
		if string(line[raw:at]) == r.spec.null {
			field = nil
		}
		r.fields = append(r.fields, field)
		if !utf8.Valid(field) || bytes.IndexByte(field, 0) >= 0 {
			e, _ := asError(badUTF8(field))
			return r.where(e, line)
		}
	}
	return nil
}

// unescapeText reads what follows a backslash: the byte that it stands for and
// the size of what was read. A backslash at the end stands for nothing.
func unescapeText(s []byte) (b byte, size int) {
	if len(s) == 0 {
		return 0, 0
	}
	switch c := s[0]; c {
	case 'b':
		return '\b', 1
	case 'f':
		return '\f', 1
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'v':
		return '\v', 1
	case 'x':
		return unescapeHex(s)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return unescapeOctal(s)
	default:
		return c, 1
	}
}

// unescapeHex reads x and one or two hex digits; without digits it is an x.
func unescapeHex(s []byte) (b byte, size int) {
	for size = 1; size < min(len(s), 3); size++ {
		digit, ok := hexValue(s[size])
		if !ok {
			break
		}
		b = b<<4 | digit
	}
	if size == 1 {
		return 'x', 1
	}
	return b, size
}

// unescapeOctal reads one to three octal digits.
func unescapeOctal(s []byte) (b byte, size int) {
	for size < min(len(s), 3) && s[size] >= '0' && s[size] <= '7' {
		b = b<<3 | (s[size] - '0')
		size++
	}
	return b, size
}

func hexValue(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	default:
		return 0, false
	}
}
