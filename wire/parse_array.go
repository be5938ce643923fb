package wire

import (
	"strings"
	"time"
)

// arrayText reads the text of an array, {1,NULL,"a b"} or nested.
type arrayText struct {
	text string // all of it, for errors
	rest string
	elem uint32
	loc  *time.Location
}

// parseArray reads an array of elem. Bounds ([1:2]=) are read over: arrays
// here begin at 1.
func parseArray(s string, elem uint32, loc *time.Location) (Array, error) {
	a := arrayText{text: s, rest: strings.TrimSpace(s), elem: elem, loc: loc}
	if strings.HasPrefix(a.rest, "[") {
		_, body, ok := strings.Cut(a.rest, "=")
		if !ok {
			return Array{}, a.malformed(`Missing "=" after array dimensions.`)
		}
		a.rest = strings.TrimSpace(body)
	}
	if !strings.HasPrefix(a.rest, "{") {
		return Array{}, a.malformed(`Array value must start with "{" or dimension information.`)
	}
	array, err := a.array(1)
	if err != nil {
		return Array{}, err
	}
	if strings.TrimSpace(a.rest) != "" {
		return Array{}, a.malformed("Junk after closing right brace.")
	}
	if _, ok := arrayShape(array); !ok {
		return Array{}, a.malformed("Multidimensional arrays must have sub-arrays with matching dimensions.")
	}
	return array, nil
}

func (a *arrayText) malformed(detail string) error {
	return Errorf(codeInvalidText, `malformed array literal: "%s"`, a.text).WithDetail("%s", detail)
}

func (a *arrayText) skipSpace() { a.rest = strings.TrimLeft(a.rest, " \t\n\v\f\r") }

// array reads one pair of braces, which rest begins with.
func (a *arrayText) array(depth int) (Array, error) {
	if depth > maxArrayDims {
		return Array{}, Errorf(codeProgramLimit, "number of array dimensions (%d) exceeds the maximum allowed (%d)", depth, maxArrayDims)
	}
	out := Array{Elem: a.elem}
	a.rest = a.rest[1:]
	a.skipSpace()
	if strings.HasPrefix(a.rest, "}") {
		a.rest = a.rest[1:]
		return out, nil
	}
	for {
		item, err := a.item(depth)
		if err != nil {
			return Array{}, err
		}
		out.Items = append(out.Items, item)
		a.skipSpace()
		switch {
		case strings.HasPrefix(a.rest, ","):
			a.rest = a.rest[1:]
			a.skipSpace()
		case strings.HasPrefix(a.rest, "}"):
			a.rest = a.rest[1:]
			return out, nil
		default:
			return Array{}, a.malformed("Unexpected end of input.")
		}
	}
}

// item reads one element or nested array.
func (a *arrayText) item(depth int) (Value, error) {
	switch {
	case strings.HasPrefix(a.rest, "{"):
		return value(a.array(depth + 1))
	case strings.HasPrefix(a.rest, `"`):
		text, err := a.quoted()
		if err != nil {
			return nil, err
		}
		return ParseText(a.elem, text, a.loc)
	}
	text, escaped := a.plain()
	if text == "" {
		return nil, a.malformed("Unexpected array element.")
	}
	if !escaped && strings.EqualFold(text, "null") {
		return nil, nil //nolint:nilnil // NULL is a value
	}
	return ParseText(a.elem, text, a.loc)
}

// quoted reads an element in quotes.
func (a *arrayText) quoted() (string, error) {
	var out strings.Builder
	for i := 1; i < len(a.rest); i++ {
		switch c := a.rest[i]; {
		case c == '"':
			a.rest = a.rest[i+1:]
			return out.String(), nil
		case c == '\\' && i+1 < len(a.rest):
			i++
			out.WriteByte(a.rest[i])
		default:
			out.WriteByte(c)
		}
	}
	return "", a.malformed("Unexpected end of input.")
}

// plain reads an element without quotes, up to a comma or brace.
func (a *arrayText) plain() (text string, escaped bool) {
	var out []byte
	keep := 0 // up to and with the last byte that is not white space, or escaped
	i := 0
	for ; i < len(a.rest) && strings.IndexByte(`,{}"`, a.rest[i]) < 0; i++ {
		c := a.rest[i]
		if c == '\\' && i+1 < len(a.rest) {
			i++
			c, escaped = a.rest[i], true
			keep = len(out) + 1
		} else if !isSpace(c) {
			keep = len(out) + 1
		}
		out = append(out, c)
	}
	a.rest = a.rest[i:]
	return string(out[:keep]), escaped
}

// arrayShape is the length of each dimension. It reports false for an array
// whose nested arrays differ in shape, or stand beside elements.
func arrayShape(a Array) (dims []int, ok bool) {
	dims = []int{len(a.Items)}
	for i, item := range a.Items {
		nested, isArray := item.(Array)
		var inner []int
		if isArray {
			if inner, ok = arrayShape(nested); !ok {
				return nil, false
			}
		}
		if i == 0 {
			dims = append(dims, inner...)
		}
		if !sameInts(dims[1:], inner) {
			return nil, false
		}
	}
	return dims, true
}

func sameInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
