package planner

import (
	"slices"
	"strings"
)

// SessionizeCall is one SESSIONIZE(source, name => value, …) of a statement.
type SessionizeCall struct {
	Call
	Source   Range          // as it is written
	Query    Range          // of a parenthesised source: the query inside
	Table    Name           // of any other source
	Args     map[string]Arg // of the arguments that SESSIONIZE itself has
	Measures []Arg
}

// SessionizeCalls returns the SESSIONIZE calls of the statement, outermost
// first, with their arguments sorted; what is wrong with their form is an
// error that points at it.
func (s *Statement) SessionizeCalls() ([]*SessionizeCall, error) {
	calls, err := s.Calls("sessionize")
	if err != nil {
		return nil, err
	}
	list := make([]*SessionizeCall, 0, len(calls))
	for _, c := range calls {
		call, err := s.sessionizeCall(c)
		if err != nil {
			return nil, err
		}
		list = append(list, call)
	}
	return list, nil
}

const sessionizeForm = "Write SESSIONIZE(events, gap => '11 min'), with a table, a view or (SELECT …) first."

func (s *Statement) sessionizeCall(c Call) (*SessionizeCall, error) {
	if len(c.Args) == 0 || c.Args[0].Name.Name != "" {
		return nil, errorAt(s.SQL, c.Range.Start, codeSyntax, "SESSIONIZE needs a source as its first argument").WithHint(sessionizeForm)
	}
	call := &SessionizeCall{Call: c, Source: c.Args[0].Value, Args: map[string]Arg{}}
	if err := s.sessionizeSource(call); err != nil {
		return nil, err
	}
	for _, a := range c.Args[1:] {
		if err := s.sessionizeArg(call, a); err != nil {
			return nil, err
		}
	}
	return call, nil
}

// sessionizeSource tells a name from a query.
func (s *Statement) sessionizeSource(call *SessionizeCall) error {
	p := s.parserIn(call.Source)
	if p.peek().isPunct("(") {
		inner, err := p.parens()
		if err != nil {
			return err
		}
		call.Query = inner
		return p.expectEnd()
	}
	p.accept("table")
	n, err := p.name()
	if err == nil {
		err = p.expectEnd()
	}
	if err != nil {
		return errorAt(s.SQL, call.Source.Start, codeSyntax, "the source of SESSIONIZE must be a table, a view or a query in parentheses").WithHint(sessionizeForm)
	}
	call.Table = n
	return nil
}

// parserIn reads the tokens within a range only.
func (s *Statement) parserIn(r Range) *parser {
	return &parser{sql: s.SQL, toks: s.tokensIn(r)}
}

// tokensIn are the tokens within a range.
func (s *Statement) tokensIn(r Range) []Token {
	byStart := func(t Token, at int) int { return t.Start - at }
	first, _ := slices.BinarySearchFunc(s.Tokens, r.Start, byStart)
	last, _ := slices.BinarySearchFunc(s.Tokens, r.End, byStart)
	return s.Tokens[first:last]
}

func (s *Statement) sessionizeArg(call *SessionizeCall, a Arg) error {
	name := strings.ToLower(a.Name.Name)
	if name == "" {
		return errorAt(s.SQL, a.Value.Start, codeSyntax, "this argument of SESSIONIZE has no name").
			WithHint("Write name => value: %s, or a measure such as amount => sum(amount).", strings.Join(sessionizeArgs(), ", "))
	}
	if slices.Contains(sessionizeArgs(), name) {
		if _, twice := call.Args[name]; twice {
			return s.usedTwice(a)
		}
		call.Args[name] = a
		return nil
	}
	for _, m := range call.Measures {
		if m.Name.Name == a.Name.Name {
			return s.usedTwice(a)
		}
	}
	if !s.hasCall(a.Value) {
		return s.unknownArg(a)
	}
	call.Measures = append(call.Measures, a)
	return nil
}

func (s *Statement) usedTwice(a Arg) error {
	return errorAt(s.SQL, a.Name.Range.Start, codeSyntax, "argument name \"%s\" used more than once", a.Name.Name)
}

// sessionizeArgs are the arguments that SESSIONIZE has; every other name is a
// measure.
func sessionizeArgs() []string {
	return []string{
		"key", "event_time", "id", "gap", "lateness", "partition", "partitions",
		"watermark", "watermark_delay", "idle_timeout", "max_ahead",
	}
}

// hasCall reports whether a function is called in the range, as in every
// aggregate.
func (s *Statement) hasCall(r Range) bool {
	toks := s.tokensIn(r)
	for i, t := range toks[:len(toks)-1] {
		if t.isIdent() && toks[i+1].isPunct("(") && (t.Kind == TokenQuoted || !isReserved(t.Text)) {
			return true
		}
	}
	return false
}

// unknownArg is the error about an argument that is neither one of
// SESSIONIZE's nor, having no aggregate, a measure.
func (s *Statement) unknownArg(a Arg) error {
	name := a.Name.Name
	if near := nearestArg(name); near != "" {
		return errorAt(s.SQL, a.Name.Range.Start, codeSyntax, "SESSIONIZE has no argument \"%s\"", name).
			WithHint("Did you mean \"%s\"?", near)
	}
	return errorAt(s.SQL, a.Value.Start, codeGrouping, "measure \"%s\" is not an aggregate", name).
		WithHint("Write an aggregate, such as %s => sum(…), or one of the arguments %s.", quoteIfNeeded(name), strings.Join(sessionizeArgs(), ", "))
}

// nearestArg is the argument that name was probably meant to be, or "".
func nearestArg(name string) string {
	switch name = strings.ToLower(name); name {
	case "time", "timestamp", "ts", "at", "event_at", "order_by":
		return "event_time"
	case "keys", "by", "partition_by", "group_by":
		return "key"
	case "ids", "event_id", "primary_key":
		return "id"
	case "timeout", "session_gap", "max_gap", "inactivity":
		return "gap"
	case "delay":
		return "watermark_delay"
	case "allowed_lateness", "late":
		return "lateness"
	}
	best, least := "", 3
	for _, known := range sessionizeArgs() {
		if d := editDistance(name, known); d < least && d < len(known)-1 {
			best, least = known, d
		}
	}
	return best
}

// editDistance is Levenshtein's distance.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
