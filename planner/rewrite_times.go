package planner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// plainText writes the text of a date, timestamp or interval, in any of the
// forms that Postgres reads, as DuckDB reads it. What DuckDB reads as Postgres
// does, and what neither reads, stays as it is.
func plainText(typeName, s string) string {
	if plainTime(typeName, s) {
		return s
	}
	switch typeName {
	case "date":
		if v, ok := parsed[wire.Date](wire.OIDDate, s); ok && v != wire.DateInfinity && v != wire.DateNegInfinity {
			return dateText(time.Unix(int64(v)*86400, 0))
		}
	case "timestamp":
		if v, ok := parsed[wire.Timestamp](wire.OIDTimestamp, s); ok && v != wire.TimestampInfinity && v != wire.TimestampNegInfinity {
			at := time.UnixMicro(int64(v)).UTC()
			return dateText(at) + at.Format(" 15:04:05.999999")
		}
	case "interval":
		if v, ok := parsed[wire.Interval](wire.OIDInterval, s); ok {
			return fmt.Sprintf("%d months %d days %d microseconds", v.Months, v.Days, v.Micros)
		}
	}
	return s
}

// plainTime reports whether the text starts like an ISO date, or is an
// interval of unsigned numbers with units, and nothing is special about it.
func plainTime(typeName, s string) bool {
	if typeName == "interval" {
		return s != "" && isDigit(s[0]) && !strings.ContainsAny(s, "-+:@") && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") && !strings.Contains(s, "ago") || numeric(s)
	}
	return len(s) >= 10 && s[4] == '-' && s[7] == '-' && !strings.ContainsAny(s[10:], "BbCc") || len(s) < 6
}

// numeric reports whether the text is a number alone, whose unit follows.
func numeric(s string) bool {
	number, rest := cutNumber(s)
	return number != "" && rest == ""
}

func parsed[T any](oid uint32, s string) (v T, ok bool) {
	value, err := wire.ParseText(oid, s, time.UTC)
	if err != nil {
		return v, false
	}
	v, ok = value.(T)
	return v, ok
}

func dateText(at time.Time) string {
	at = at.UTC()
	if at.Year() > 0 {
		return fmt.Sprintf("%04d-%02d-%02d", at.Year(), at.Month(), at.Day())
	}
	return fmt.Sprintf("%04d-%02d-%02d (BC)", 1-at.Year(), at.Month(), at.Day())
}

// zonedText is plainText for a timestamp with time zone, whose value depends
// on the session's zone where it names none: only its spelling is changed.
func zonedText(s string) string {
	s = withSeconds(s)
	body, bc := strings.CutSuffix(s, " BC")
	if !bc {
		return s
	}
	date, rest, _ := strings.Cut(body, " ")
	return strings.TrimSpace(date + " (BC) " + rest)
}

// withSeconds adds :00 to a time of day that has minutes and then a zone,
// which DuckDB reads only after seconds.
func withSeconds(s string) string {
	colon := strings.IndexByte(s, ':')
	if colon < 1 || len(s) < colon+3 || !isDigit(s[colon-1]) || !isDigit(s[colon+1]) || !isDigit(s[colon+2]) {
		return s
	}
	rest := s[colon+3:]
	zone := strings.TrimLeft(rest, " ")
	if zone == "" || zone[0] != '+' && zone[0] != '-' && !isIdentStart(zone[0]) || len(zone) == 2 && strings.EqualFold(zone, "bc") ||
		strings.HasPrefix(strings.ToLower(zone), "am") || strings.HasPrefix(strings.ToLower(zone), "pm") {
		return s
	}
	return s[:colon+3] + ":00" + rest
}

// presentTime is what now, today, tomorrow and yesterday stand for as a literal
// of the type; ok is false for any other text.
func presentTime(typeName, text string) (expr string, ok bool) {
	day := ""
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "now":
		return "CAST(now() AS " + typeName + ")", typeName != "interval"
	case "today":
		day = "current_date"
	case "tomorrow":
		day = "current_date + 1"
	case "yesterday":
		day = "current_date - 1"
	}
	return "CAST(" + day + " AS " + typeName + ")", day != "" && typeName != "interval"
}

// overlaps makes (a, b) OVERLAPS (c, d) a call.
func (r *rewriter) overlaps(i int) {
	if !r.tok(i-1).isPunct(")") || !r.tok(i+1).isPunct("(") {
		return
	}
	open := r.openingOf(i - 1)
	if before := r.tok(open - 1); before.is("row") {
		r.edits.Delete(before.Start, before.End)
	}
	r.edits.Insert(r.toks[open].Start, "memory.pgf._overlaps")
	r.replace(i-1, i+1, ",")
}

// intervalFields writes interval '1 2' DAY TO HOUR without its fields, and
// takes the precision off SECOND(3).
func (r *rewriter) intervalFields(i int) {
	if r.tok(i+1).Kind != TokenString {
		return
	}
	p := r.parserAt(i + 2)
	p.intervalFields()
	last := p.pos - 1
	switch text := strings.TrimSpace(r.toks[i+1].Text); {
	case last < i+2:
	case r.tok(i + 3).is("to"):
		switch {
		case r.tok(i+4).is("hour") && !strings.ContainsAny(text, ":abcdefghijklmnopqrstuvwxyz"):
			text += ":00" // 1 2 is a day and two hours
		case r.toks[i+2].is("minute") && strings.Count(text, ":") == 1:
			text = "0:" + text
		}
		r.replace(i+1, last, quoteLiteral(plainText("interval", text)))
	case r.tok(i + 3).isPunct("("):
		r.edits.Delete(r.toks[i+3].Start, r.toks[last].End)
	}
}

// roundedNow writes the present time with a precision, such as
// current_timestamp(3), as the rounded one.
func (r *rewriter) roundedNow(i int, word string) {
	if !r.tok(i+1).isPunct("(") || r.tok(i+2).Kind != TokenNumber || !r.tok(i+3).isPunct(")") {
		return
	}
	digits, err := strconv.Atoi(r.toks[i+2].Text)
	if err != nil || digits >= 6 {
		r.edits.Delete(r.toks[i+1].Start, r.toks[i+3].End)
		return
	}
	unit := 1
	for range 6 - digits {
		unit *= 10
	}
	rounded := func(now string) string {
		return fmt.Sprintf("((epoch_us(%s) + %d) // %d * %d)", now, unit/2, unit, unit)
	}
	text := "make_timestamptz(" + rounded("current_timestamp") + ")"
	if strings.HasPrefix(word, "local") {
		text = "make_timestamp(" + rounded("localtimestamp") + ")"
	}
	switch word {
	case "current_time":
		text += "::TIMETZ"
	case "localtime":
		text += "::TIME"
	}
	r.replace(i, i+3, text)
}

// atDistance writes t AT TIME ZONE interval '…' as a call: DuckDB's zones have
// names.
func (r *rewriter) atDistance(i int) {
	if !r.tok(i+3).is("interval") || r.tok(i+4).Kind != TokenString {
		return
	}
	r.callBetween(r.factorBefore(i), i+2, i+4, "memory.pgf._at_distance(")
	r.edits.Delete(r.toks[i].Start, r.toks[i+1].End)
}
