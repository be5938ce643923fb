package wire

import (
	"encoding/binary"
	"errors"
	"io"
)

// A binaryReader reads rows of COPY's binary format.
type binaryReader struct {
	spec   copySpec
	data   *copyData
	buf    []byte
	pos    int
	row    int64
	fields [][]byte
	begun  bool
	err    error // after the trailer: io.EOF
}

// Line is the number of the row that Next returned.
func (r *binaryReader) Line() int64 { return r.row }

// Binary says that the fields are not text.
func (r *binaryReader) Binary() bool { return true }

// Next returns the fields of the next row. All of a row is read before its
// fields are cut, because reading on may move the buffer.
func (r *binaryReader) Next() ([][]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	if !r.begun {
		r.begun = true
		if err := r.header(); err != nil {
			return nil, err
		}
	}
	r.row++
	r.buf = r.buf[:copy(r.buf, r.buf[r.pos:])]
	r.pos = 0
	if err := r.some(); err != nil {
		return nil, err
	}
	count, err := r.int16At(0)
	if err != nil {
		return nil, err
	}
	if count == -1 {
		r.err = r.trailer()
		return nil, r.err
	}
	if int(count) != r.spec.columns {
		return nil, r.bad("row field count is %d, expected %d", count, r.spec.columns)
	}
	return r.cut()
}

// cut cuts the fields of a row, which begin after its count.
func (r *binaryReader) cut() ([][]byte, error) {
	end := 2
	for range r.spec.columns {
		size, err := r.int32At(end)
		if err != nil {
			return nil, err
		}
		if size < -1 {
			return nil, r.bad("invalid field size")
		}
		end += 4 + max(int(size), 0)
		if err := r.need(end); err != nil {
			return nil, err
		}
	}
	r.fields = r.fields[:0]
	for at := 2; at < end; {
		size := int(int32(binary.BigEndian.Uint32(r.buf[at:])))
		at += 4
		if size < 0 {
			r.fields = append(r.fields, nil)
			continue
		}
		r.fields = append(r.fields, r.buf[at:at+size:at+size])
		at += size
	}
	r.pos = end
	return r.fields, nil
}

// header reads the signature, the flags and the extension.
func (r *binaryReader) header() error {
	if err := r.need(len(copySignature) + 8); err != nil {
		return err
	}
	if string(r.buf[:len(copySignature)]) != copySignature {
		return r.bad("COPY file signature not recognized")
	}
	flags := binary.BigEndian.Uint32(r.buf[len(copySignature):])
	if flags>>16 != 0 {
		return r.bad("unrecognized critical flags in COPY file header")
	}
	extension := int32(binary.BigEndian.Uint32(r.buf[len(copySignature)+4:]))
	if extension < 0 {
		return r.bad("invalid COPY file header (missing length)")
	}
	r.pos = len(copySignature) + 8 + int(extension)
	return r.need(r.pos)
}

// trailer makes sure that nothing comes after it.
func (r *binaryReader) trailer() error {
	var err error
	if len(r.buf) == 2 {
		r.buf, err = r.data.more(r.buf)
	}
	switch {
	case err != nil:
		return err
	case len(r.buf) > 2:
		return r.bad("received copy data after EOF marker")
	default:
		return r.data.drain()
	}
}

// some reads on until there is a byte. The data may end without a trailer.
func (r *binaryReader) some() error {
	for len(r.buf) == 0 {
		if r.buf, r.err = r.data.more(r.buf); r.err != nil {
			return r.err
		}
	}
	return nil
}

// need reads on until n bytes are there.
func (r *binaryReader) need(n int) error {
	for len(r.buf) < n {
		var err error
		if r.buf, err = r.data.more(r.buf); errors.Is(err, io.EOF) {
			return r.bad("unexpected EOF in COPY data")
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (r *binaryReader) int16At(at int) (int16, error) {
	if err := r.need(at + 2); err != nil {
		return 0, err
	}
	return int16(binary.BigEndian.Uint16(r.buf[at:])), nil
}

func (r *binaryReader) int32At(at int) (int32, error) {
	if err := r.need(at + 4); err != nil {
		return 0, err
	}
	return int32(binary.BigEndian.Uint32(r.buf[at:])), nil
}

func (r *binaryReader) bad(format string, args ...any) error {
	return copyWhere(Errorf(codeBadCopyFormat, format, args...), r.spec.Table, max(r.row, 1), nil)
}
