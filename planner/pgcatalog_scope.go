package planner

// A pgScope is what the tokens of a statement say without knowing any
// relation: which of them stand where a FROM clause names one, which in a
// select list, and how deep.
type pgScope struct {
	table []bool // the token starts an item of a FROM clause
	list  []bool // the token lies directly in a select list, at any depth
	depth []int  // how many parentheses are open before the token
	sets  bool   // the outermost query is a UNION, INTERSECT or EXCEPT
}

// A pgFrame is one level of parentheses.
type pgFrame struct {
	from bool // inside a FROM clause
	list bool // inside a select list
	call bool // the arguments of a function: FROM is no clause here
}

// scopeOf reads the significant tokens of a statement.
func scopeOf(toks []Token) *pgScope {
	s := &pgScope{table: make([]bool, len(toks)), list: make([]bool, len(toks)), depth: make([]int, len(toks))}
	frames := []pgFrame{{}}
	for i, t := range toks {
		f := &frames[len(frames)-1]
		s.table[i] = f.startsItem(toks, i)
		s.list[i] = f.list
		s.depth[i] = len(frames) - 1
		switch {
		case t.isPunct("("):
			frames = append(frames, openFrame(toks, i, s.table[i]))
		case t.isPunct(")"):
			if len(frames) > 1 {
				frames = frames[:len(frames)-1]
			}
		case t.Kind == TokenWord && !f.call:
			f.word(toks, i)
			s.sets = s.sets || len(frames) == 1 && (t.Text == "union" || t.Text == "intersect" || t.Text == "except")
		}
	}
	return s
}

// startsItem reports whether the token at i begins an item of the FROM clause
// that it is in, or is what TABLE as a query reads.
func (f *pgFrame) startsItem(toks []Token, i int) bool {
	if i == 0 {
		return false
	}
	before := toks[i-1]
	if before.is("table") {
		return i == 1 || toks[i-2].isPunct("(") || toks[i-2].is("union") || toks[i-2].is("all") || toks[i-2].is("intersect") || toks[i-2].is("except")
	}
	return f.from && (before.isPunct(",") || before.isPunct("(") || before.is("from") || before.is("join") || before.is("lateral") || before.is("only"))
}

// openFrame is the frame of the parenthesis at i. One that opens where a FROM
// item stands and holds no query groups joins.
func openFrame(toks []Token, i int, item bool) pgFrame {
	if i+1 < len(toks) && toks[i+1].Kind == TokenWord {
		switch toks[i+1].Text {
		case "select", "with", "values", "from", "table":
			return pgFrame{}
		}
	}
	if item {
		return pgFrame{from: true}
	}
	return pgFrame{call: i > 0 && toks[i-1].isIdent()}
}

// word takes note of the clause that the word at i begins.
func (f *pgFrame) word(toks []Token, i int) {
	switch toks[i].Text {
	case "select":
		f.list, f.from = true, false
	case "from":
		if i == 0 || !toks[i-1].is("distinct") || i == 1 || !toks[i-2].is("is") && !toks[i-2].is("not") {
			f.list, f.from = false, true
		}
	case "join":
		f.from = true
	case "where", "group", "having", "order", "limit", "offset", "window", "union", "intersect", "except", "set", "returning", "qualify", "fetch":
		f.list, f.from = false, false
	}
}

// tableAlias is the index of the alias that follows a FROM item whose last
// token is at end-1; -1 if there is none.
func tableAlias(toks []Token, end int) int {
	if end < len(toks) && toks[end].is("as") {
		end++
	}
	if end >= len(toks) || !toks[end].isIdent() || toks[end].Kind == TokenWord && !canBeAlias(toks[end].Text) {
		return -1
	}
	return end
}

// canBeAlias reports whether the word after a FROM item is its alias, and not
// what goes on with the clause.
func canBeAlias(word string) bool {
	switch word {
	case "left", "right", "full", "inner", "cross", "join", "natural", "tablesample", "asof", "positional", "anti", "semi", "set", "qualify", "returning":
		return false
	}
	return !isReserved(word)
}
