package wire

// An escaper rewrites fields in place, at the end of a buffer, for a format
// that escapes single bytes and may put quotes around.
type escaper struct {
	lead   byte      // comes before a byte that is escaped
	second [256]byte // what follows the lead for each byte; 0: it is not escaped
	quote  byte
}

// arrayEscaper is for the elements of an array's text.
//
//nolint:gochecknoglobals // immutable table
var arrayEscaper = newEscaper('\\', '"', `"\`)

// newEscaper makes one whose escaped bytes follow the lead as they are.
func newEscaper(lead, quote byte, escaped string) *escaper {
	x := &escaper{lead: lead, quote: quote}
	for i := range len(escaped) {
		x.second[escaped[i]] = escaped[i]
	}
	return x
}

// count is how many bytes of text have to be escaped.
func (x *escaper) count(text []byte) int {
	n := 0
	for _, b := range text {
		if x.second[b] != 0 {
			n++
		}
	}
	return n
}

// escape escapes dst[start:].
func (x *escaper) escape(dst []byte, start int) []byte {
	n := x.count(dst[start:])
	if n == 0 {
		return dst
	}
	end := len(dst)
	dst = grow(dst, n)
	x.spread(dst[start:], end-start)
	return dst
}

// enquote escapes dst[start:] and puts quotes around it.
func (x *escaper) enquote(dst []byte, start int) []byte {
	n := x.count(dst[start:])
	end := len(dst)
	dst = grow(dst, n+2)
	x.spread(dst[start:len(dst)-1], end-start)
	dst[start], dst[len(dst)-1] = x.quote, x.quote
	return dst
}

// spread moves the first size bytes of b to its end and escapes them on the
// way, from the last to the first.
func (x *escaper) spread(b []byte, size int) {
	to := len(b) - 1
	for from := size - 1; from >= 0; from-- {
		c := b[from]
		if second := x.second[c]; second != 0 {
			b[to], b[to-1] = second, x.lead
			to -= 2
			continue
		}
		b[to] = c
		to--
	}
}

// grow makes b longer by n bytes of any content.
func grow(b []byte, n int) []byte {
	for range n {
		b = append(b, 0)
	}
	return b
}
