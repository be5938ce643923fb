package planner

import (
	"strconv"
	"strings"
)

// typeName deals with a type that DuckDB knows otherwise and that starts at
// token i; literal is the number that is cast to it, if it is one.
func (r *rewriter) typeName(i int, literal string) {
	if r.tok(i).Kind != TokenWord {
		return
	}
	switch r.toks[i].Text {
	case "numeric", "decimal", "dec":
		r.numeric(i, literal)
	case "jsonb":
		r.replace(i, i, "json")
	case "float":
		r.float(i)
	case "varbit":
		r.replace(i, i, "BIT")
	case "interval":
		if r.tok(i+1).isPunct("(") && r.tok(i+4).Kind == TokenString {
			r.edits.Delete(r.toks[i+1].Start, r.toks[i+3].End)
		}
	case "timestamptz", "timetz", "time", "timestamp":
		r.timePrecision(i)
	}
}

// float is double precision in Postgres, and real with a precision below 25.
func (r *rewriter) float(i int) {
	if !r.tok(i + 1).isPunct("(") {
		r.replace(i, i, "DOUBLE")
		return
	}
	name := "DOUBLE"
	if bits, err := strconv.Atoi(r.tok(i + 2).Text); err == nil && bits < 25 {
		name = "REAL"
	}
	r.replace(i, r.close(i+1), name)
}

// cast deals with CAST(value AS type).
func (r *rewriter) cast(i int) {
	if !r.tok(i + 1).isPunct("(") {
		return
	}
	p := r.parserAt(i + 2)
	p.scan(func(p *parser) bool { return p.at("as") })
	as := p.pos
	if !p.accept("as") {
		return
	}
	if as != i+3 || r.toks[i+2].Kind != TokenString {
		r.typeName(as+1, r.literalBefore(as))
		if dims := r.shapeOf(i+2, as-1); dims != nil {
			p.typeRef()
			r.sized(p.pos, dims)
		}
		return
	}
	name := p.typeRef()
	if b, ok := byteaLiteral(r.toks[i+2].Text); ok && name == "bytea" {
		r.edits.Replace(r.toks[i].Start, p.peek().End, fromHex(b))
		return
	}
	r.typeName(as+1, r.literalBefore(as))
	r.typed(i+2, name, r.toks[i+2].Start, p)
}

// inCast reports whether token i is the type of a CAST(… AS type).
func (r *rewriter) inCast(i int) bool {
	depth := 0
	for j := i - 1; j > 0; j-- {
		switch t := r.toks[j]; {
		case t.isPunct(")"):
			depth++
		case t.isPunct("("):
			if depth--; depth < 0 {
				return r.toks[j-1].is("cast") || r.toks[j-1].is("try_cast")
			}
		}
	}
	return false
}

// numeric gives a numeric without a precision one: as many decimals as the
// literal has that is cast, else ten.
func (r *rewriter) numeric(i int, literal string) {
	if r.tok(i + 1).isPunct("(") {
		return
	}
	name := bareNumeric
	if literal != "" && len(literal) < 39 {
		_, decimals, _ := strings.Cut(literal, ".")
		name = "DECIMAL(38," + strconv.Itoa(len(decimals)) + ")"
	}
	r.replace(i, i, name)
}

// literalBefore is the number, written as such or as a string, that ends
// before the token at i; "" for anything else.
func (r *rewriter) literalBefore(i int) string {
	t := r.tok(i - 1)
	if t.Kind != TokenNumber && t.Kind != TokenString {
		return ""
	}
	text := strings.TrimSpace(strings.TrimLeft(t.Text, "-+ "))
	for _, c := range []byte(text) {
		if !isDigit(c) && c != '.' {
			return ""
		}
	}
	return text
}

// timePrecision takes the precision off a time type that has none in DuckDB.
// A plain timestamp(3) is TIMESTAMP_MS there, and stays.
func (r *rewriter) timePrecision(i int) {
	if !r.tok(i+1).isPunct("(") || r.tok(i+2).Kind != TokenNumber || !r.tok(i+3).isPunct(")") {
		return
	}
	zoned := r.parserAt(i+4).at("with", "time", "zone")
	if !r.toks[i].is("timestamp") || zoned {
		r.edits.Delete(r.toks[i+1].Start, r.toks[i+3].End)
	}
}
