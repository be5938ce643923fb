package planner

import "strings"

// arrow puts parentheses around j->'a' where something stands before it that
// DuckDB would take for its left operand, and makes #> '{a,b}' an arrow with a
// path. An arrow to anything but a constant is a lambda's.
func (r *rewriter) arrow(i int) {
	switch right := r.tok(i + 1); right.Kind {
	case TokenString, TokenNumber, TokenParam:
	default:
		if r.toks[i].Text[0] == '#' {
			r.jsonOperator(i)
		}
		return
	}
	if op := r.toks[i].Text; op[0] == '#' {
		path, ok := jsonPath(r.toks[i+1])
		if !ok {
			r.jsonOperator(i)
			return
		}
		r.replace(i, i, "-"+op[1:])
		r.replace(i+1, i+1, path)
	}
	first := r.primaryBefore(i)
	if before := r.tok(first - 1); before.Kind != TokenOperator && (before.Kind != TokenWord || !infixOperator(before.Text)) {
		return
	}
	r.edits.Wrap(r.toks[first].Start, r.toks[i+1].End, "(", ")")
}

// hasKey makes j ? 'a' a call.
func (r *rewriter) hasKey(i int) {
	first, ok := r.operandBefore(i)
	last := r.operandAfter(i + 1)
	if !ok || last < 0 {
		return
	}
	r.edits.Wrap(r.toks[i+1].Start, r.toks[last].End, "[", "]")
	r.callBetween(first, i, last, "memory.pgf._jsonb_has_any(")
}

// jsonOperator makes an operator of jsonb that DuckDB has no syntax for, or
// another meaning, a call.
func (r *rewriter) jsonOperator(i int) {
	call, last := "", r.operandAfter(i+1)
	first, ok := r.operandBefore(i)
	if !ok || last < 0 {
		return
	}
	switch r.toks[i].Text {
	case "?|":
		call = "_jsonb_has_any("
	case "?&":
		call = "_jsonb_has_all("
	case "#-":
		call = "_jsonb_remove("
	case "#>":
		call = "_json_path("
	case "#>>":
		call = "_json_path_text("
	case "||":
		if !r.castToJSONB(i-1) && !r.castToJSONB(last) {
			return
		}
		call = "_jsonb_concat("
	}
	if t := r.toks[i+1]; last == i+1 && t.Kind == TokenString && r.toks[i].Text != "||" {
		if list, _, isArray := arrayLiteral(t.Text); isArray {
			r.replace(last, last, list)
		}
	}
	r.callBetween(first, i, last, "memory.pgf."+call)
}

// castToJSONB reports whether a cast to jsonb ends at token i.
func (r *rewriter) castToJSONB(i int) bool {
	return r.tok(i).is("jsonb") && r.tok(i-1).isPunct("::")
}

// jsonPath writes the path {a,0,b} as $."a"[0]."b".
func jsonPath(t Token) (string, bool) {
	body, ok := strings.CutPrefix(t.Text, "{")
	body, closed := strings.CutSuffix(body, "}")
	if t.Kind != TokenString || !ok || !closed || strings.ContainsAny(body, `"\{}`) {
		return "", false
	}
	var b strings.Builder
	b.WriteString("$")
	for part := range strings.SplitSeq(body, ",") {
		if part = strings.TrimSpace(part); part != "" && strings.Trim(part, "0123456789") == "" {
			b.WriteString("[" + part + "]")
		} else {
			b.WriteString("." + jsonKey(part))
		}
	}
	return quoteLiteral(b.String()), true
}

func jsonKey(name string) string { return `"` + strings.ReplaceAll(name, `"`, `\"`) + `"` }

func jsonArrow(op string) bool {
	switch op {
	case "->", "->>", "#>", "#>>":
		return true
	}
	return false
}

// primaryBefore is the first token of the value that ends before token i, with
// its casts, subscripts and arrows.
func (r *rewriter) primaryBefore(i int) int {
	j := max(i-1, 0)
	switch t := r.toks[j]; {
	case t.isPunct(")"), t.isPunct("]"), t.is("end"):
		if j = r.openingOf(j); t.isPunct("]") && !r.tok(j-1).is("array") {
			return r.primaryBefore(j)
		}
		if name := r.tok(j - 1); name.isIdent() && (name.Kind == TokenQuoted || !isReserved(name.Text) || name.is("array") || name.is("cast")) {
			j--
		}
	}
	for r.tok(j-1).isPunct(".") && r.tok(j-2).isIdent() {
		j -= 2
	}
	if before := r.tok(j - 1); before.isPunct("::") || jsonArrow(before.Text) && before.Kind == TokenOperator {
		return r.primaryBefore(j - 1)
	}
	return j
}
