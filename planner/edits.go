package planner

import (
	"cmp"
	"slices"
	"strings"
)

// Edits collects replacements in a text. They may come in any order; an edit
// that lies within the range of another is swallowed by it, so a clause can be
// replaced as a whole after its tokens were rewritten one by one.
type Edits struct {
	src  string
	list []edit
}

// An edit puts text in the place of src[start:end]. Of two at one place the one
// of lower order comes first.
type edit struct {
	start, end int
	text       string
	order      int
	opens      bool // what a wrapping puts before
}

// rank orders the edits that start at one place: what is put after the text
// before it, what is put before the text after it, what replaces that text.
func (d edit) rank() int {
	switch {
	case d.start < d.end:
		return 2
	case d.opens:
		return 1
	default:
		return 0
	}
}

// NewEdits returns no edits of src.
func NewEdits(src string) *Edits { return &Edits{src: src} }

// Replace puts text in the place of src[start:end].
func (e *Edits) Replace(start, end int, text string) {
	e.list = append(e.list, edit{start: start, end: end, text: text, order: len(e.list)})
}

// Insert puts text before offset at; insertions at one place keep the order
// in which they came.
func (e *Edits) Insert(at int, text string) { e.Replace(at, at, text) }

// Wrap puts src[start:end], with whatever was inserted at its ends before,
// between before and after.
func (e *Edits) Wrap(start, end int, before, after string) {
	e.list = append(e.list, edit{start: start, end: start, text: before, order: -len(e.list), opens: true})
	e.Insert(end, after)
}

// Delete takes src[start:end] out.
func (e *Edits) Delete(start, end int) { e.Replace(start, end, "") }

// Empty reports whether nothing is edited.
func (e *Edits) Empty() bool { return len(e.list) == 0 }

// Slice is src[start:end] with the edits that lie within it.
func (e *Edits) Slice(start, end int) string {
	return e.apply(start, end).SQL
}

// Apply is the whole text with all edits. A text without edits comes back
// byte for byte.
func (e *Edits) Apply() *Rewritten {
	return e.apply(0, len(e.src))
}

func (e *Edits) apply(start, end int) *Rewritten {
	r := &Rewritten{source: e.src, start: start}
	var b strings.Builder
	at := start
	for _, d := range e.effective(start, end) {
		b.WriteString(e.src[at:d.start])
		r.moves = append(r.moves, move{out: b.Len(), outEnd: b.Len() + len(d.text), in: d.start, inEnd: d.end})
		b.WriteString(d.text)
		at = d.end
	}
	if at == start && len(r.moves) == 0 {
		r.SQL = e.src[start:end]
		return r
	}
	b.WriteString(e.src[at:end])
	r.SQL = b.String()
	return r
}

// effective are the edits within [start, end) in order, less those that a
// wider one swallows. Of equal ranges the last one stands.
func (e *Edits) effective(start, end int) []edit {
	var in []edit
	for _, d := range e.list {
		if start <= d.start && d.end <= end {
			in = append(in, d)
		}
	}
	slices.SortFunc(in, func(a, b edit) int {
		return cmp.Or(a.start-b.start, a.rank()-b.rank(), b.end-a.end, a.order-b.order)
	})
	out := in[:0]
	for _, d := range in {
		last := len(out) - 1
		switch {
		case last < 0 || d.start >= out[last].end:
			out = append(out, d)
		case d.start == out[last].start && d.end == out[last].end:
			out[last] = d
		}
	}
	return out
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Rewritten is a text after its edits, which knows where each place of it
// came from.
type Rewritten struct {
	SQL    string
	source string
	start  int // where in source SQL starts
	moves  []move
	from   *Rewritten // source is the text of an earlier rewriting; nil: the user's
}

// A move says that SQL[out:outEnd] stands for source[in:inEnd].
type move struct{ out, outEnd, in, inEnd int }

// SourceOffset is the byte offset in the source of the byte at pos of SQL. A
// place within replaced text is the start of what it replaced.
func (r *Rewritten) SourceOffset(pos int) int {
	shift := r.start
	for _, m := range r.moves {
		if pos < m.out {
			break
		}
		if pos < m.outEnd {
			return m.in
		}
		shift = m.inEnd - m.outEnd
	}
	return min(max(pos+shift, 0), len(r.source))
}

// SourcePosition is the place of the byte at pos of SQL as Postgres reports
// it: in characters of the source, from 1.
func (r *Rewritten) SourcePosition(pos int) int {
	offset := r.SourceOffset(pos)
	if r.from != nil {
		return r.from.SourcePosition(offset)
	}
	return charPosition(r.source, offset)
}
