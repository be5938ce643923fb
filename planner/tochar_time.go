package planner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// The templates of to_char, to_date and to_timestamp for times, as section 9.8
// of PostgreSQL's manual describes them and its formatting.c reads them, in the
// C locale.

// timeNode is a pattern of a template, or text that stands for itself.
type timeNode struct {
	pattern string // as written; "" for text
	text    string
	fill    bool   // FM before it
	ordinal string // TH or th after it
}

// timePatterns are all patterns, of those that begin alike the longer first.
// Each may be written in lower case; those of names also with a capital.
func timePatterns() []string {
	return []string{
		"A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "CC", "DAY", "Day", "DDD", "DD", "DY", "Dy", "D",
		"FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "FX", "HH24", "HH12", "HH", "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "J",
		"MI", "MM", "MONTH", "Month", "MON", "Mon", "MS", "OF", "P.M.", "PM", "Q", "RM", "SSSSS", "SSSS", "SS",
		"TZH", "TZM", "TZ", "US", "WW", "W", "Y,YYY", "YYYY", "YYY", "YY", "Y",
	}
}

// parseTimeTemplate reads a template.
func parseTimeTemplate(template string) []timeNode {
	var nodes []timeNode
	for rest := template; rest != ""; {
		if text, after, quoted := templateText(rest); quoted {
			nodes = append(nodes, timeNode{text: text})
			rest = after
			continue
		}
		n := timeNode{}
		after := rest
		for {
			if p, ok := cutEither(after, "FM"); ok {
				n.fill, after = true, p
			} else if p, ok := cutEither(after, "TM"); ok {
				n.fill, after = true, p // names in the C locale, without blanks
			} else {
				break
			}
		}
		if n.pattern = timePatternAt(after); n.pattern == "" {
			nodes = append(nodes, timeNode{text: rest[:1]})
			rest = rest[1:]
			continue
		}
		rest = after[len(n.pattern):]
		if _, ok := cutEither(rest, "TH"); ok {
			n.ordinal, rest = rest[:2], rest[2:]
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// cutEither cuts a prefix that is written in upper or in lower case.
func cutEither(s, prefix string) (after string, ok bool) {
	if after, ok = strings.CutPrefix(s, prefix); ok {
		return after, true
	}
	return strings.CutPrefix(s, strings.ToLower(prefix))
}

func timePatternAt(s string) string {
	for _, p := range timePatterns() {
		if strings.HasPrefix(s, p) || strings.HasPrefix(s, strings.ToLower(p)) {
			return s[:len(p)]
		}
	}
	return ""
}

// timeFields is what to_char prints of.
type timeFields struct {
	year, month, day     int // a year before Christ is 0 or less; of an interval, how many
	hour, minute, second int
	micros               int
	at                   time.Time // the day, where it is no interval
	interval             bool
	zone                 string // the zone's abbreviation; "" without a zone
	offset               int    // seconds east of UTC
}

// fieldsOfTime takes a time apart: microseconds from 1970, in the zone's own
// time where it has one.
func fieldsOfTime(micros int64) *timeFields {
	at := time.UnixMicro(micros).UTC()
	return &timeFields{
		year: at.Year(), month: int(at.Month()), day: at.Day(),
		hour: at.Hour(), minute: at.Minute(), second: at.Second(), micros: at.Nanosecond() / 1000, at: at,
	}
}

// fieldsOfInterval takes an interval apart.
func fieldsOfInterval(v wire.Interval) *timeFields {
	const hour, minute = 3_600_000_000, 60_000_000
	return &timeFields{
		year: int(v.Months / 12), month: int(v.Months % 12), day: int(v.Days),
		hour: int(v.Micros / hour), minute: int(v.Micros % hour / minute), second: int(v.Micros % minute / 1_000_000), micros: int(v.Micros % 1_000_000), interval: true,
	}
}

// format is to_char of a time.
func (f *timeFields) format(template string) (string, error) {
	var b strings.Builder
	for _, n := range parseTimeTemplate(template) {
		if n.pattern == "" {
			b.WriteString(n.text)
			continue
		}
		text, err := f.node(n)
		if err != nil {
			return "", err
		}
		if n.ordinal != "" && text != "" && isDigit(text[len(text)-1]) {
			text += ordinal(text, n.ordinal == "th")
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// node is what a pattern stands for.
func (f *timeFields) node(n timeNode) (string, error) {
	p := strings.ToUpper(n.pattern)
	if f.interval {
		switch p {
		case "TZ", "TZH", "TZM", "OF", "A.D.", "B.C.", "AD", "BC", "MONTH", "MON", "DAY", "DY", "D", "ID":
			return "", wire.Errorf("22007", "invalid format specification for an interval value").WithHint("Intervals are not tied to specific calendar dates.")
		}
	}
	if text, ok := f.clock(p, n.fill); ok {
		return sameCase(text, n.pattern), nil
	}
	if text, ok := f.name(p, n.pattern, n.fill); ok {
		return text, nil
	}
	return sameCase(f.calendar(p, n.fill), n.pattern), nil
}

// sameCase writes text in lower case where the pattern is.
func sameCase(text, pattern string) string {
	if pattern == strings.ToLower(pattern) {
		return strings.ToLower(text)
	}
	return text
}

// clock is a pattern of the time of day and its zone.
func (f *timeFields) clock(p string, fill bool) (string, bool) {
	switch p {
	case "HH", "HH12":
		hour := f.hour % 12
		if hour == 0 {
			hour = 12
		}
		return padded(hour, 2, fill), true
	case "HH24":
		return padded(f.hour, 2, fill), true
	case "MI":
		return padded(f.minute, 2, fill), true
	case "SS":
		return padded(f.second, 2, fill), true
	case "MS":
		return fmt.Sprintf("%03d", f.micros/1000), true
	case "US", "FF6":
		return fmt.Sprintf("%06d", f.micros), true
	case "FF1", "FF2", "FF3", "FF4", "FF5":
		return fmt.Sprintf("%06d", f.micros)[:p[2]-'0'], true
	case "SSSS", "SSSSS":
		return strconv.Itoa(f.hour*3600 + f.minute*60 + f.second), true
	case "AM", "PM":
		return f.half("AM", "PM"), true
	case "A.M.", "P.M.":
		return f.half("A.M.", "P.M."), true
	default:
		return f.zoned(p, fill)
	}
}

func (f *timeFields) half(before, after string) string {
	if f.hour%24 >= 12 {
		return after
	}
	return before
}

// zoned is a pattern of the zone.
func (f *timeFields) zoned(p string, fill bool) (string, bool) {
	sign, offset := "+", f.offset
	if offset < 0 {
		sign, offset = "-", -offset
	}
	hours, minutes := offset/3600, offset%3600/60
	switch p {
	case "TZ":
		return f.zone, true
	case "TZH":
		return sign + fmt.Sprintf("%02d", hours), true
	case "TZM":
		return fmt.Sprintf("%02d", minutes), true
	case "OF":
		text := sign + padded(hours, 2, fill)
		if minutes != 0 {
			text += fmt.Sprintf(":%02d", minutes)
		}
		return text, true
	}
	return "", false
}

// name is a pattern of the name of a month or a day, filled up with blanks.
func (f *timeFields) name(p, written string, fill bool) (string, bool) {
	width := 0
	var text string
	switch p {
	case "MONTH":
		text, width = time.Month(f.month).String(), 9
	case "MON":
		text = time.Month(f.month).String()[:3]
	case "DAY":
		text, width = f.at.Weekday().String(), 9
	case "DY":
		text = f.at.Weekday().String()[:3]
	case "RM":
		if text = f.romanMonth(); text == "" {
			return "", true
		}
		width = 4
	default:
		return "", false
	}
	switch written {
	case p:
		text = strings.ToUpper(text)
	case strings.ToLower(p):
		text = strings.ToLower(text)
	}
	if !fill {
		text += strings.Repeat(" ", max(width-len(text), 0))
	}
	return text, true
}

func (f *timeFields) romanMonth() string {
	months := [...]string{"XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}
	switch {
	case f.month == 0 && f.year == 0:
		return ""
	case f.month < 0:
		return months[13+f.month]
	default:
		return months[f.month]
	}
}

// calendar is a pattern of the date.
func (f *timeFields) calendar(p string, fill bool) string {
	switch p {
	case "MM":
		return padded(f.month, 2, fill)
	case "DD":
		return padded(f.day, 2, fill)
	case "DDD":
		return padded(f.yearDay(), 3, fill)
	case "D":
		return strconv.Itoa(int(f.at.Weekday()) + 1)
	case "ID":
		return strconv.Itoa(isoWeekday(f.at))
	case "WW":
		return padded((f.yearDay()-1)/7+1, 2, fill)
	case "W":
		return strconv.Itoa((f.day-1)/7 + 1)
	case "Q":
		if f.month == 0 {
			return ""
		}
		return strconv.Itoa((f.month-1)/3 + 1)
	case "J":
		return strconv.Itoa(julianDay(f.at))
	case "AD", "BC":
		return f.era("AD", "BC")
	case "A.D.", "B.C.":
		return f.era("A.D.", "B.C.")
	case "CC":
		return f.century(fill)
	default:
		return f.yearOf(p, fill)
	}
}

func (f *timeFields) era(after, before string) string {
	if f.year <= 0 {
		return before
	}
	return after
}

func (f *timeFields) century(fill bool) string {
	c := f.year / 100
	switch {
	case f.interval:
	case f.year > 0:
		c = (f.year-1)/100 + 1
	default:
		c = f.year/100 - 1
	}
	if c <= 99 && c >= -99 {
		return padded(c, 2, fill)
	}
	return strconv.Itoa(c)
}

// yearOf is a pattern of the year, or of the year of ISO weeks.
func (f *timeFields) yearOf(p string, fill bool) string {
	year := f.year
	if p[0] == 'I' && !f.interval {
		isoYear, week := f.at.ISOWeek()
		switch year = isoYear; p {
		case "IW":
			return padded(week, 2, fill)
		case "IDDD":
			return padded((week-1)*7+isoWeekday(f.at), 3, fill)
		}
	}
	if !f.interval && year <= 0 {
		year = 1 - year // a year before Christ
	}
	switch p {
	case "Y,YYY":
		return fmt.Sprintf("%d,%03d", year/1000, year%1000)
	case "YYYY", "IYYY":
		return padded(year, 4, fill)
	case "YYY", "IYY":
		return padded(year%1000, 3, fill)
	case "YY", "IY":
		return padded(year%100, 2, fill)
	case "Y", "I":
		return strconv.Itoa(year % 10)
	}
	return "" // FX
}

func (f *timeFields) yearDay() int {
	if f.interval {
		return (f.year*12+f.month)*30 + f.day
	}
	return f.at.YearDay()
}

func isoWeekday(at time.Time) int {
	if at.Weekday() == time.Sunday {
		return 7
	}
	return int(at.Weekday())
}

// julianDay counts days from 4714 BC.
func julianDay(at time.Time) int {
	const epoch = 2440588 // of 1970-01-01
	days := at.Unix() / 86400
	if at.Unix()%86400 < 0 {
		days--
	}
	return int(days) + epoch
}

// padded is a number with zeros in front; a sign takes no place of them.
func padded(n, width int, fill bool) string {
	if fill {
		return strconv.Itoa(n)
	}
	if n < 0 {
		width++
	}
	return fmt.Sprintf("%0*d", width, n)
}

// zoneAbbreviation is what a time zone is called at a moment, such as CEST; ""
// for no zone.
func zoneAbbreviation(zone string, micros int64) string {
	loc, err := time.LoadLocation(zone)
	if zone == "" || err != nil {
		return ""
	}
	name, _ := time.UnixMicro(micros).In(loc).Zone()
	return name
}
