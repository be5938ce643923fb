package sessionop

import "unsafe"

// due says when the first session of a timeline is final at the earliest: once
// the horizon has passed the end by more than the gap.
type due struct {
	end    int64
	number int32 // of the timeline
}

// dueQueue is a heap of the timelines, the earliest first. A timeline's entry
// is the one that timeline.due has; older ones are passed over when they come
// up.
type dueQueue struct{ entries []due }

func (q *dueQueue) push(d due) {
	q.entries = append(q.entries, d)
	e := q.entries
	for i := len(e) - 1; i > 0; {
		up := (i - 1) / 2
		if e[up].end <= e[i].end {
			return
		}
		e[up], e[i] = e[i], e[up]
		i = up
	}
}

func (q *dueQueue) first() (d due, ok bool) {
	if len(q.entries) == 0 {
		return due{}, false
	}
	return q.entries[0], true
}

// pop takes the first entry out.
func (q *dueQueue) pop() {
	e := q.entries
	last := len(e) - 1
	e[0] = e[last]
	e = e[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(e) {
			break
		}
		if down+1 < len(e) && e[down+1].end < e[down].end {
			down++
		}
		if e[i].end <= e[down].end {
			break
		}
		e[i], e[down] = e[down], e[i]
		i = down
	}
	q.entries = e
}

func (q *dueQueue) bytes() int { return cap(q.entries) * int(unsafe.Sizeof(due{})) }
