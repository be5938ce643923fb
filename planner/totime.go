package planner

import (
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// timeReader reads a time by a template: DCH_from_char of formatting.c.
type timeReader struct {
	text               string // the whole
	in                 string // what is left of it
	fields             map[string]int
	afternoon, before, // PM and BC were read
	half bool // AM or PM was read
	offset    int // of the zone that was read, in seconds
	hasOffset bool
	exact     bool // FX
}

// parseTime is to_timestamp: microseconds from 1970 of the time that text has
// by the template; in the zone that it names, if zoned, else in the session's.
func parseTime(text, template string) (micros int64, zoned bool, err error) {
	r := &timeReader{text: text, in: text, fields: map[string]int{}}
	nodes := parseTimeTemplate(template)
	for i, n := range nodes {
		if r.in == "" {
			break
		}
		if strings.EqualFold(n.pattern, "FX") {
			r.exact = true
			continue
		}
		if n.pattern == "" {
			r.separator(n.text)
			continue
		}
		if !r.exact {
			r.in = strings.TrimLeft(r.in, " \t\n")
			if i > 0 && nodes[i-1].pattern == "" && isTimeSeparator(nodes[i-1].text) {
				r.extraSeparators()
			}
		}
		bounded := i+1 < len(nodes) && nodes[i+1].pattern != "" && digitsPattern(nodes[i+1].pattern)
		if err := r.node(n, bounded || r.exact && !n.fill); err != nil {
			return 0, false, err
		}
		if n.ordinal != "" {
			r.in = r.in[min(2, len(r.in)):]
		}
	}
	micros, err = r.result()
	return micros, r.hasOffset, err
}

// separator passes over what stands for the text of the template: a separator
// or blank for any of them, or nothing; a letter for any character.
func (r *timeReader) separator(text string) {
	for i := 0; i < len(text) && r.in != ""; i++ {
		if isTimeSeparator(text[i:i+1]) && !r.exact {
			if isTimeSeparator(r.in[:1]) {
				r.in = r.in[1:]
			}
			continue
		}
		r.in = r.in[1:]
	}
}

// extraSeparators passes over separators that the template has not, unless
// they are the sign of a number.
func (r *timeReader) extraSeparators() {
	for r.in != "" && isTimeSeparator(r.in[:1]) && !strings.ContainsAny(r.in[:1], "+-") {
		r.in = r.in[1:]
	}
}

func isTimeSeparator(s string) bool {
	return s != "" && s[0] < 0x80 && s[0] > 0x1F && !isDigit(s[0]) && !isIdentStart(s[0]) || s == "_" || strings.TrimSpace(s) == ""
}

// digitsPattern reports whether the text of a pattern begins with a digit.
func digitsPattern(p string) bool {
	switch strings.ToUpper(p) {
	case "A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "P.M.", "PM", "MONTH", "MON", "DAY", "DY", "RM", "TZ", "TZH", "OF", "FX":
		return false
	}
	return true
}

func (r *timeReader) node(n timeNode, bounded bool) error {
	p := strings.ToUpper(n.pattern)
	switch p {
	case "AM", "PM", "A.M.", "P.M.":
		return r.mark(n, &r.afternoon, &r.half, 'p')
	case "AD", "BC", "A.D.", "B.C.":
		return r.mark(n, &r.before, new(bool), 'b')
	case "MONTH", "MON":
		return r.name(n, "MM", monthNames(p == "MON"), 1)
	case "RM":
		return r.name(n, "MM", []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}, 1)
	case "DAY", "DY":
		return r.name(n, "D", dayNames(p == "DY"), 1)
	case "TZH", "TZM", "OF", "TZ":
		return r.zone(n, p, bounded)
	case "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		return r.fraction(n, p)
	case "Y,YYY":
		return r.groupedYear(n)
	default:
		return r.number(n, p, bounded)
	}
}

// mark reads one of two marks, such as AM and PM, of which second begins the
// later one.
func (r *timeReader) mark(n timeNode, is, given *bool, second byte) error {
	text := r.in[:min(len(n.pattern), len(r.in))]
	letter := strings.ToLower(text)
	dotted := strings.Contains(n.pattern, ".")
	if len(text) < len(n.pattern) || strings.Contains(text, ".") != dotted || !strings.HasSuffix(strings.ReplaceAll(letter, ".", ""), map[byte]string{'p': "m", 'b': "c"}[second]) && letter[0] != 'a' {
		return wire.Errorf("22007", `invalid value "%s" for "%s"`, text, n.pattern).
			WithDetail("The given value did not match any of the allowed values for this field.")
	}
	*is, *given = letter[0] == second, true
	r.in = r.in[len(text):]
	return nil
}

func monthNames(short bool) []string {
	names := make([]string, 12)
	for i := range names {
		if names[i] = time.Month(i + 1).String(); short {
			names[i] = names[i][:3]
		}
	}
	return names
}

func dayNames(short bool) []string {
	names := make([]string, 7)
	for i := range names {
		if names[i] = time.Weekday(i).String(); short {
			names[i] = names[i][:3]
		}
	}
	return names
}

// name reads one of the names; of those that begin alike the longest.
func (r *timeReader) name(n timeNode, field string, names []string, first int) error {
	found := -1
	for i, name := range names {
		if len(r.in) >= len(name) && strings.EqualFold(r.in[:len(name)], name) && (found < 0 || len(name) > len(names[found])) {
			found = i
		}
	}
	if found < 0 {
		word, _, _ := strings.Cut(r.in, " ")
		return wire.Errorf("22007", `invalid value "%s" for "%s"`, word, n.pattern).
			WithDetail("The given value did not match any of the allowed values for this field.")
	}
	r.in = r.in[len(names[found]):]
	return r.set(n, field, found+first)
}

// patternDigits is how many digits a pattern has.
func patternDigits(p string) int {
	switch p {
	case "YYYY", "IYYY", "SSSS":
		return 4
	case "YYY", "IYY", "DDD", "IDDD":
		return 3
	case "D", "ID", "Q", "W", "Y", "I":
		return 1
	case "SSSSS":
		return 5
	case "J":
		return 18
	default:
		return 2
	}
}

// number reads a number: as many digits as the pattern has if it is bounded,
// else all that there are.
func (r *timeReader) number(n timeNode, p string, bounded bool) error {
	width := 18
	if bounded && !n.fill {
		width = patternDigits(p)
	}
	value, used, err := r.digits(n, width)
	if err != nil {
		return err
	}
	switch p {
	case "YYYY", "IYYY":
	case "YYY", "YY", "Y", "IYY", "IY", "I":
		if used < 4 {
			value = fullYear(value, used)
		}
		return r.set(n, map[bool]string{true: "IYYY", false: "YYYY"}[p[0] == 'I'], value)
	case "HH":
		p = "HH12"
	case "SSSSS":
		p = "SSSS"
	case "Q":
		return nil // it tells nothing
	}
	return r.set(n, p, value)
}

// fullYear is the year nearest to 2020 of up to three digits.
func fullYear(year, digits int) int {
	switch {
	case year < 70:
		return year + 2000
	case year < 100:
		return year + 1900
	case year < 520:
		return year + 2000
	default:
		return year + 1000*boolInt(digits < 4)
	}
}

func (r *timeReader) digits(n timeNode, width int) (value, used int, err error) {
	start := 0
	if r.in != "" && (r.in[0] == '-' || r.in[0] == '+') && width > 2 {
		start = 1
	}
	end := start
	for end < len(r.in) && end-start < width && isDigit(r.in[end]) {
		end++
	}
	if end == start {
		text := r.in[:min(max(patternDigits(strings.ToUpper(n.pattern)), 1), len(r.in))]
		return 0, 0, wire.Errorf("22007", `invalid value "%s" for "%s"`, text, n.pattern).WithDetail("Value must be an integer.")
	}
	value, err = strconv.Atoi(r.in[:end])
	if err != nil || value > 1<<31-1 {
		return 0, 0, wire.Errorf("22008", `value for "%s" in source string is out of range`, n.pattern).
			WithDetail("Value must be in the range -2147483648 to 2147483647.")
	}
	r.in = r.in[end:]
	return value, end - start, nil
}

// set keeps a field; one that is there with another value is an error.
func (r *timeReader) set(n timeNode, field string, value int) error {
	if old, ok := r.fields[field]; ok && old != value {
		return wire.Errorf("22007", `conflicting values for "%s" field in formatting string`, n.pattern).
			WithDetail("This value contradicts a previous setting for the same field type.")
	}
	r.fields[field] = value
	return nil
}

// fraction reads digits behind the point: 5 is half a second.
func (r *timeReader) fraction(n timeNode, p string) error {
	width := 6
	switch {
	case p == "MS":
		width = 3
	case p[0] == 'F':
		width = int(p[2] - '0')
	}
	value, used, err := r.digits(n, width)
	if err != nil {
		return err
	}
	for ; used < 6; used++ {
		value *= 10
	}
	return r.set(n, "US", value)
}

func (r *timeReader) groupedYear(n timeNode) error {
	thousands, _, err := r.digits(n, 18)
	if err != nil {
		return err
	}
	r.in = strings.TrimPrefix(r.in, ",")
	rest, _, err := r.digits(n, 3)
	if err != nil {
		return err
	}
	return r.set(n, "YYYY", thousands*1000+rest)
}

// zone reads an offset from UTC.
func (r *timeReader) zone(n timeNode, p string, bounded bool) error {
	if p == "TZ" || p == "OF" {
		return wire.Errorf("0A000", `formatting field "%s" is only supported in to_char`, n.pattern)
	}
	negative := false
	if p == "TZH" && r.in != "" && strings.ContainsAny(r.in[:1], "+- ") {
		negative = r.in[0] == '-'
		r.in = r.in[1:]
	}
	width := 18
	if bounded {
		width = 2
	}
	value, _, err := r.digits(n, width)
	if err != nil {
		return err
	}
	r.hasOffset = true
	switch {
	case p == "TZM" && r.offset < 0:
		r.offset -= value * 60
	case p == "TZM":
		r.offset += value * 60
	case negative:
		r.offset = -value * 3600
	default:
		r.offset = value * 3600
	}
	return nil
}

// result is the time that the fields give.
func (r *timeReader) result() (int64, error) {
	day, err := r.day()
	if err != nil {
		return 0, err
	}
	seconds, err := r.secondsOfDay()
	if err != nil {
		return 0, err
	}
	return (day.Unix()+int64(seconds-r.offset))*1_000_000 + int64(r.fields["US"]), nil
}

func (r *timeReader) outOfRange() error {
	return wire.Errorf("22008", `date/time field value out of range: "%s"`, r.text)
}

func (r *timeReader) secondsOfDay() (int, error) {
	if s, ok := r.fields["SSSS"]; ok {
		return s, nil
	}
	hour := r.fields["HH24"]
	if h, ok := r.fields["HH12"]; ok {
		if h < 1 || h > 12 {
			return 0, wire.Errorf("22007", `hour "%d" is invalid for the 12-hour clock`, h).WithHint("Use the 24-hour clock, or give an hour between 1 and 12.")
		}
		if hour = h; r.half {
			hour = h%12 + 12*boolInt(r.afternoon)
		}
	}
	if hour > 23 || r.fields["MI"] > 59 || r.fields["SS"] > 59 {
		return 0, r.outOfRange()
	}
	return hour*3600 + r.fields["MI"]*60 + r.fields["SS"], nil
}

// day is the day that the fields give; 1 BC, 1 January where nothing is said.
func (r *timeReader) day() (time.Time, error) {
	if j, ok := r.fields["J"]; ok {
		return time.Unix(int64(j-2440588)*86400, 0).UTC(), nil
	}
	if year, ok := r.fields["IYYY"]; ok {
		return r.isoDay(r.adYear(year))
	}
	year := r.year()
	if n, ok := r.fields["DDD"]; ok {
		last := time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
		if n < 1 || n > last {
			return time.Time{}, r.outOfRange()
		}
		return time.Date(year, 1, n, 0, 0, 0, 0, time.UTC), nil
	}
	month, day := r.orFirst("MM"), r.orFirst("DD")
	if week, ok := r.fields["WW"]; ok {
		return time.Date(year, 1, (week-1)*7+1, 0, 0, 0, 0, time.UTC), nil
	}
	if week, ok := r.fields["W"]; ok {
		day = (week-1)*7 + 1
	}
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if int(at.Month()) != month || at.Day() != day {
		return time.Time{}, r.outOfRange()
	}
	return at, nil
}

// orFirst is a field, or 1 if nothing is said.
func (r *timeReader) orFirst(field string) int {
	if v, ok := r.fields[field]; ok {
		return v
	}
	return 1
}

// year is the astronomical year: 0 is 1 BC.
func (r *timeReader) year() int {
	year, given := r.fields["YYYY"]
	if century, ok := r.fields["CC"]; ok && !given {
		return (century-1)*100 + 1
	}
	if !given {
		return 0
	}
	return r.adYear(year)
}

// adYear turns a year as it is written into an astronomical one.
func (r *timeReader) adYear(year int) int {
	switch {
	case r.before && year > 0:
		return 1 - year
	case year < 0:
		return year + 1
	default:
		return year
	}
}

// isoDay is a day by its ISO week, or by its number in the year of ISO weeks.
func (r *timeReader) isoDay(year int) (time.Time, error) {
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // always in week 1
	monday := fourth.AddDate(0, 0, 1-isoWeekday(fourth))
	if n, ok := r.fields["IDDD"]; ok {
		return monday.AddDate(0, 0, n-1), nil
	}
	week, day := r.orFirst("IW"), r.orFirst("ID")
	if week < 1 || week > 53 || day < 1 || day > 7 {
		return time.Time{}, r.outOfRange()
	}
	return monday.AddDate(0, 0, (week-1)*7+day-1), nil
}
