package planner

import (
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// literal deals with a constant.
func (r *rewriter) literal(i int) {
	t := r.toks[i]
	raw := r.st.SQL[t.Start:t.End]
	switch t.Kind {
	case TokenNumber:
		if strings.ContainsAny(raw, "eE") && outOfRange(raw, 64) {
			r.err = wire.Errorf("22003", "value out of range: %s", raw)
		}
		if len(raw) > 2 && raw[0] == '0' && !isDigit(raw[1]) && raw[1] != '.' && raw[1] != '_' {
			if n, ok := new(big.Int).SetString(raw, 0); ok {
				r.replace(i, i, n.String())
			}
		}
	case TokenBits:
		r.bits(i)
	default:
		r.string(i, raw)
	}
}

// bits writes B'101' and X'1F' as a cast.
func (r *rewriter) bits(i int) {
	text := r.toks[i].Text[1:]
	if r.toks[i].Text[0] == 'x' {
		var b strings.Builder
		for _, c := range text {
			n, err := strconv.ParseUint(string(c), 16, 8)
			if err != nil {
				return
			}
			for bit := 3; bit >= 0; bit-- {
				b.WriteByte('0' + byte(n>>bit&1))
			}
		}
		text = b.String()
	}
	r.replace(i, i, "CAST("+quoteLiteral(text)+" AS BIT)")
}

// string writes the strings that DuckDB cannot read as plain ones, and those
// that a cast makes something else of.
func (r *rewriter) string(i int, raw string) {
	t := r.toks[i]
	switch c := raw[0]; {
	case c == 'u' || c == 'U':
		r.replace(i, i, quoteLiteral(t.Text))
	case (c == 'e' || c == 'E') && strings.Contains(raw, `\`):
		r.replace(i, i, quoteLiteral(t.Text))
	}
	if r.tok(i + 1).isPunct("::") {
		p := r.parserAt(i + 2)
		r.typed(i, p.typeRef(), t.Start, p)
	} else if name, first := r.typeBefore(i); name != "" {
		r.typeName(first, "")
		r.typed(i, name, r.toks[first].Start, r.parserAt(i+1))
	}
}

// typeBefore is the type of type 'string', and the place of its first token.
func (r *rewriter) typeBefore(i int) (name string, first int) {
	for first = max(i-4, 0); first < i; first++ {
		if r.toks[first].Kind != TokenWord || first > 0 && (r.toks[first-1].isPunct(".") || r.toks[first-1].isPunct("::")) {
			continue
		}
		p := r.parserAt(first)
		if name = p.typeRef(); p.pos == i && valueType(name) {
			return name, first
		}
	}
	return "", 0
}

// valueType reports whether the type's text is written otherwise in DuckDB.
func valueType(name string) bool {
	switch name {
	case "bytea", "date", "timestamptz", "timestamp", "interval", "timetz", "time", "numeric", "jsonb", "bool", "float4", "float8":
		return true
	}
	return false
}

// typed rewrites a string that is cast to the type, from offset start on; p
// stands after the type.
func (r *rewriter) typed(i int, name string, start int, p *parser) {
	t := r.toks[i]
	end := max(r.tok(p.pos-1).End, t.End)
	if r.tok(p.pos - 1).isPunct("]") {
		if list, dims, ok := arrayLiteralOf(name == "bytea", t.Text); ok {
			r.replace(i, i, list)
			r.sized(p.pos, dims)
			if len(dims) > 1 {
				r.shapes[p.pos-1] = dims
			}
		}
		return
	}
	if words, beyond := floatType(name, t.Text); beyond {
		r.err = errorAt(r.st.SQL, t.Start, "22003", `"%s" is out of range for type %s`, t.Text, words)
	}
	switch name {
	case "bytea":
		if b, ok := byteaLiteral(t.Text); ok {
			r.edits.Replace(start, end, fromHex(b))
		}
	case "timestamptz":
		if now, ok := presentTime(name, t.Text); ok {
			r.edits.Replace(start, end, now)
			return
		}
		if text := zonedText(t.Text); text != t.Text {
			r.replace(i, i, quoteLiteral(text))
		}
	case "date", "timestamp", "interval":
		if now, ok := presentTime(name, t.Text); ok {
			r.edits.Replace(start, end, now)
			return
		}
		if text := plainText(name, t.Text); text != t.Text {
			r.replace(i, i, quoteLiteral(text))
		}
	case "bool":
		switch strings.ToLower(strings.TrimSpace(t.Text)) {
		case "on":
			r.replace(i, i, "'true'")
		case "off":
			r.replace(i, i, "'false'")
		}
	}
}

func fromHex(b []byte) string { return "from_hex('" + hex.EncodeToString(b) + "')" }

// byteaLiteral reads the text of a bytea, in hex or in the escape format.
func byteaLiteral(s string) ([]byte, bool) {
	if strings.HasPrefix(s, `\x`) {
		b, err := hex.DecodeString(strings.Join(strings.Fields(s[2:]), ""))
		return b, err == nil
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\':
			out = append(out, s[i])
		case strings.HasPrefix(s[i+1:], `\`):
			out = append(out, '\\')
			i++
		default:
			if len(s) < i+4 {
				return nil, false
			}
			n, err := strconv.ParseUint(s[i+1:i+4], 8, 8)
			if err != nil {
				return nil, false
			}
			out = append(out, byte(n))
			i += 3
		}
	}
	return out, true
}

// anyLiteral deals with = ANY ('{a,b}') and <> ALL ('{a,b}'), where the
// elements have the type of what they are compared with.
func (r *rewriter) anyLiteral(i int) {
	op := r.tok(i - 1)
	if !r.tok(i+1).isPunct("(") || r.tok(i+2).Kind != TokenString || !r.tok(i+3).isPunct(")") {
		return
	}
	list, dims, ok := arrayLiteral(r.toks[i+2].Text)
	if !ok || len(dims) > 1 || dims[0] == 0 {
		return
	}
	in := "(" + list[1:len(list)-1] + ")"
	switch {
	case op.isPunct("=") && !r.toks[i].is("all"):
		r.replace(i-1, i+3, "IN "+in)
	case (op.isPunct("<>") || op.isPunct("!=")) && r.toks[i].is("all"):
		r.replace(i-1, i+3, "NOT IN "+in)
	}
}
