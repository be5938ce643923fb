package planner

import (
	"strconv"
	"strings"
)

// An assembly puts parts of a statement together to another one, which can tell
// where each place of it came from.
type assembly struct {
	source *Statement
	from   *Rewritten // whose text source is
	text   strings.Builder
	moves  []move
	own    int   // where the text of our own at the end begins
	params []int // the numbers in source of $1, $2, …
}

func newAssembly(source *Statement, from *Rewritten) *assembly {
	return &assembly{source: source, from: from}
}

// write adds text of our own.
func (a *assembly) write(text string) { a.text.WriteString(text) }

// copy adds a part of the source, whose parameters are counted anew: a
// statement must use all the arguments that it gets.
func (a *assembly) copy(part Range) {
	at := part.Start
	for _, t := range a.source.tokensIn(part) {
		if t.Kind == TokenParam {
			a.copyText(at, t.Start)
			a.write("$" + strconv.Itoa(a.number(parameterNumber(t))))
			a.place(t.Start, t.End)
			at = t.End
		}
	}
	a.copyText(at, part.End)
}

// clause adds a part of the source, if it has it, behind before.
func (a *assembly) clause(before string, part Range) {
	if !part.Empty() {
		a.write(before)
		a.copy(part)
	}
}

func (a *assembly) copyText(start, end int) {
	a.place(start, start)
	a.write(a.source.SQL[start:end])
	a.own = a.text.Len()
}

// place says that our own text at the end stands for source[start:end].
func (a *assembly) place(start, end int) {
	a.moves = append(a.moves, move{out: a.own, outEnd: a.text.Len(), in: start, inEnd: end})
	a.own = a.text.Len()
}

// number is the new number of the source's parameter n.
func (a *assembly) number(n int) int {
	for i, known := range a.params {
		if known == n {
			return i + 1
		}
	}
	a.params = append(a.params, n)
	return len(a.params)
}

// rewritten is the text that was put together.
func (a *assembly) rewritten() *Rewritten {
	end := 0
	if n := len(a.moves); n > 0 {
		end = a.moves[n-1].inEnd
	}
	a.place(end, end)
	return &Rewritten{SQL: a.text.String(), source: a.source.SQL, moves: a.moves, from: a.from}
}

// A query is a statement made of parts of another one.
type query struct {
	*Rewritten
	params []int // the numbers of its parameters in the other one
}

func (a *assembly) query() *query { return &query{Rewritten: a.rewritten(), params: a.params} }

// pick are those of the other statement's values that the query takes.
func pick[T any](q *query, values []T) []T {
	if q.params == nil {
		return values[:0:0]
	}
	list := make([]T, 0, len(q.params))
	for _, n := range q.params {
		if n <= len(values) {
			list = append(list, values[n-1])
		}
	}
	return list
}
