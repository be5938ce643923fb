package main

import (
	"strings"
	"time"
)

// A visit is a session as the timeline draws it: its bounds and its events.
type visit struct {
	start, end time.Time
	events     []time.Time
}

// A timeline maps a stretch of time to columns of the terminal.
type timeline struct {
	from, to time.Time
	width    int
}

// column is the column of a moment, from 0.
func (t timeline) column(at time.Time) int {
	span := t.to.Sub(t.from)
	if span <= 0 {
		return 0
	}
	return int(at.Sub(t.from) * time.Duration(t.width-1) / span)
}

// draw shows each visit as a bar from its first to its last event:
//
//	├●─●●────●┤        ├●──●┤
func (t timeline) draw(visits []visit) string {
	cells := []rune(strings.Repeat(" ", t.width+2)) // a visit's ends stand outside its columns
	for _, v := range visits {
		first, last := t.column(v.start)+1, t.column(v.end)+1
		for i := first; i <= last; i++ {
			cells[i] = '─'
		}
		for _, at := range v.events {
			cells[t.column(at)+1] = '●'
		}
		cells[first-1], cells[last+1] = '├', '┤'
	}
	return strings.TrimRight(string(cells), " ")
}

// mark points at moments.
func (t timeline) mark(moments []time.Time) string {
	cells := []rune(strings.Repeat(" ", t.width+2))
	for _, at := range moments {
		cells[t.column(at)+1] = '▲'
	}
	return strings.TrimRight(string(cells), " ")
}
