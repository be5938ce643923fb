package sessionop

import (
	"reflect"
	"slices"
)

// inParts plans a commit in two parts, by key, and compares what they say
// together with the Delta of the whole. It returns the parts, or the whole
// alone where a member of the lower keys is one of the upper keys too.
func (w *world) inParts(c *Commit, whole *Delta) []*Delta {
	w.t.Helper()
	pivot, ok := c.pivot()
	if !ok {
		return []*Delta{whole}
	}
	low, lowRows := c.part(func(e *Event) bool { return e.Key < pivot })
	high, highRows := c.part(func(e *Event) bool { return e.Key >= pivot })
	low.Marks = nil
	first, err := w.state.Plan(low)
	if err != nil {
		w.t.Fatal(err)
	}
	high.Follows = first
	second, err := w.state.Plan(high)
	if err != nil {
		w.t.Fatal(err)
	}
	verdicts := make([]Verdict, len(c.Arrived))
	for i, row := range lowRows {
		verdicts[row] = first.Verdicts[i]
	}
	for i, row := range highRows {
		verdicts[row] = second.Verdicts[i]
	}
	w.sameDelta(whole, &Delta{
		Retired: slices.Concat(first.Retired, second.Retired), Published: w.joined(first, second), Verdicts: verdicts,
		Watermarks: second.Watermarks, Before: first.Before, After: second.After, nextSeq: second.NextSeq(),
	})
	return []*Delta{first, second}
}

// pivot is a key that divides the commit's keys so that no member is of both
// halves.
func (c *Commit) pivot() (string, bool) {
	var keys []string
	rows := slices.Concat(c.Arrived, c.Removed)
	for i := range rows {
		keys = append(keys, rows[i].Key)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) < 2 {
		return "", false
	}
	pivot, low := keys[len(keys)/2], map[Hash]bool{}
	for i := range rows {
		if rows[i].Key < pivot {
			low[rows[i].Member] = true
		}
	}
	return pivot, !slices.ContainsFunc(rows, func(e Event) bool { return e.Key >= pivot && low[e.Member] })
}

// part is the commit with those of its rows that f holds for; rows are the
// numbers of the arrived ones.
func (c *Commit) part(f func(*Event) bool) (part *Commit, rows []int) {
	p := *c
	p.Arrived, p.Removed, p.Members = nil, nil, nil
	for i := range c.Arrived {
		if f(&c.Arrived[i]) {
			p.Arrived, rows = append(p.Arrived, c.Arrived[i]), append(rows, i)
		}
	}
	for i := range c.Removed {
		if f(&c.Removed[i]) {
			p.Removed = append(p.Removed, c.Removed[i])
		}
	}
	for i := range c.Members {
		if f(&c.Members[i]) {
			p.Members = append(p.Members, c.Members[i])
		}
	}
	p.Compare = func(i, j int) int { return c.Compare(rows[i], rows[j]) }
	return &p, rows
}

// joined are the revisions of two parts as those of one commit would be.
func (w *world) joined(first, second *Delta) []Published {
	all := slices.Concat(first.Published, second.Published)
	for i := range all {
		all[i].State = w.state.StateOf(all[i].End, second.After)
		if i < len(first.Published) {
			continue
		}
		all[i].Supersedes = slices.Clone(all[i].Supersedes)
		for j := range all[i].Supersedes {
			all[i].Supersedes[j] += len(first.Retired)
		}
	}
	return all
}

func (w *world) sameDelta(a, b *Delta) {
	w.t.Helper()
	for _, pair := range [][2]any{
		{a.Verdicts, b.Verdicts}, {[]any{a.Before, a.After, a.nextSeq}, []any{b.Before, b.After, b.nextSeq}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			w.t.Fatalf("the whole: %+v\nin parts: %+v", pair[0], pair[1])
		}
	}
	if !slices.EqualFunc(a.Retired, b.Retired, func(x, y Retired) bool { return reflect.DeepEqual(x, y) }) ||
		!slices.EqualFunc(a.Published, b.Published, func(x, y Published) bool { return reflect.DeepEqual(x, y) }) ||
		!slices.EqualFunc(a.Watermarks, b.Watermarks, func(x, y PartitionState) bool { return reflect.DeepEqual(x, y) }) {
		w.t.Fatalf("the whole:\n%+v\nin parts:\n%+v", a, b)
	}
}
