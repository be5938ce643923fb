package planner

import (
	"slices"
	"strconv"
	"strings"
)

// An array of arrays is rectangular in Postgres, and so is DuckDB's ARRAY,
// whose length is part of its type. A LIST of lists may be ragged. So what
// Postgres's own syntax makes, ARRAY[[1,2],[3,4]] and '{{1,2},{3,4}}'::int[],
// becomes an ARRAY, and what only DuckDB writes stays a list.

// nestedArray makes an ARRAY[…] of arrays a call of array_value, if all of them
// are written out and rectangular.
func (r *rewriter) nestedArray(i int) {
	dims, opens := r.constructor(i)
	if len(dims) < 2 || r.shapes[r.close(i+1)] != nil {
		return // the second: an outer one was dealt with
	}
	for _, open := range opens {
		first := open
		if r.tok(open - 1).is("array") {
			first--
		}
		r.replace(first, open, "array_value(")
		end := r.close(open)
		r.replace(end, end, ")")
		r.shapes[end] = dims
	}
}

// constructor reads the array constructor that starts at token i, with or
// without its word ARRAY. It gives the length of each dimension, none if the
// constructor has no rectangle, and where its brackets open.
func (r *rewriter) constructor(i int) (dims, opens []int) {
	if r.tok(i).is("array") {
		i++
	}
	if !r.tok(i).isPunct("[") {
		return nil, nil
	}
	end, opens := r.close(i), []int{i}
	var inner []int
	n := 0
	for at := i + 1; at < end; n++ {
		p := r.parserAt(at)
		p.scanItem()
		d, o := r.constructor(at)
		if len(d) > 0 && r.close(o[0]) != p.pos-1 {
			d, o = nil, nil // it is part of an expression
		}
		if n > 0 && !slices.Equal(d, inner) {
			return nil, nil
		}
		inner, opens = d, append(opens, o...)
		at = p.pos + 1
	}
	if n == 0 {
		return nil, nil
	}
	return append([]int{n}, inner...), opens
}

// shapeOf is the length of each dimension of what is cast, tokens first to
// last: of an array of arrays that is written out, or of a parameter, which is
// an array of one dimension until it is bound.
func (r *rewriter) shapeOf(first, last int) []int {
	if first == last && r.tok(first).Kind == TokenParam {
		return []int{0}
	}
	if dims, opens := r.constructor(first); len(dims) > 1 && r.close(opens[0]) == last {
		return dims
	}
	return nil
}

// arrayCast deals with the cast at token i, a ::, of an array of arrays.
func (r *rewriter) arrayCast(i int) {
	dims := r.shapes[i-1]
	if dims == nil {
		dims = r.shapeOf(i-1, i-1)
	}
	if dims != nil {
		p := r.parserAt(i + 1)
		p.typeRef()
		r.sized(p.pos, dims)
	}
}

// sized gives the array type that ends before token end the lengths of the
// array that is cast to it. A type with lengths of its own is left alone.
func (r *rewriter) sized(end int, dims []int) {
	first := end
	for r.tok(first-1).isPunct("]") && r.tok(first-2).isPunct("[") {
		first -= 2
	}
	text := sizes(dims)
	if first < end && !r.tok(first-1).isPunct("]") && (text != "[]" || first < end-2) {
		r.replace(first, end-1, text)
	}
}

// sizes are the brackets of DuckDB's type of an array: the innermost length
// comes first. An array of one dimension is a list.
func sizes(dims []int) string {
	if len(dims) < 2 {
		return "[]"
	}
	var b strings.Builder
	for _, n := range slices.Backward(dims) {
		b.WriteString("[" + strconv.Itoa(n) + "]")
	}
	return b.String()
}
