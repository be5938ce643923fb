package wire

import (
	"math"
	"time"
)

// The years whose every microsecond has a Timestamp, and the last of a Date.
const (
	minTimestampYear = -290_307
	maxTimestampYear = 294_246
	maxDateYear      = 5_874_897
)

// moment is a date and time as they were written.
type moment struct {
	special          byte  // 'i', 'n' for (negative) infinity, 'e' for the epoch
	year, month, day int64 // year 0 is 1 BC
	micros           int64 // of the day; a leap second or 24:00 goes past it
	dated, clocked   bool
	zoned            bool
	zone             *time.Location // nil: offset holds
	offset           int64          // seconds east of UTC
}

// ParseDate reads a date: ISO 8601 first of all, but also 'Jan 8, 1999',
// 1/8/1999 (month first), 19990108, infinity, epoch and BC.
func ParseDate(b []byte) (Date, error) {
	m, err := parseMoment(b, OIDDate)
	if err != nil {
		return 0, err
	}
	switch m.special {
	case 'i':
		return DateInfinity, nil
	case 'n':
		return DateNegInfinity, nil
	case 'e':
		return 0, nil
	}
	if !m.dated {
		return 0, badSyntax(codeInvalidDatetime, OIDDate, b)
	}
	if m.year > maxDateYear || m.year < -maxDateYear {
		return 0, Errorf(codeDatetimeOverflow, `date out of range: "%s"`, b)
	}
	return Date(daysFromCivil(m.year, m.month, m.day)), nil
}

// ParseTimestamp reads a timestamp. With a location it has a time zone: the
// one that the text names, else loc. Without one (nil), a zone in the text is
// read over, as Postgres does.
func ParseTimestamp(b []byte, loc *time.Location) (Timestamp, error) {
	oid := OIDTimestamp
	if loc != nil {
		oid = OIDTimestampTZ
	}
	m, err := parseMoment(b, oid)
	if err != nil {
		return 0, err
	}
	switch m.special {
	case 'i':
		return TimestampInfinity, nil
	case 'n':
		return TimestampNegInfinity, nil
	case 'e':
		return 0, nil
	}
	if !m.dated {
		return 0, badSyntax(codeInvalidDatetime, oid, b)
	}
	if m.year > maxTimestampYear || m.year < minTimestampYear {
		return 0, Errorf(codeDatetimeOverflow, `timestamp out of range: "%s"`, b)
	}
	local := daysFromCivil(m.year, m.month, m.day)*microsPerDay + m.micros
	if loc == nil {
		return Timestamp(local), nil
	}
	return Timestamp(local - m.east(local, loc)*microsPerSecond), nil
}

// east is the moment's distance from UTC in seconds.
func (m *moment) east(local int64, loc *time.Location) int64 {
	switch {
	case m.zoned && m.zone == nil:
		return m.offset
	case m.zoned:
		loc = m.zone
	}
	if loc == time.UTC {
		return 0
	}
	return localOffset(floorDiv(local, microsPerSecond), loc)
}

// localOffset is a location's distance from UTC where its clocks show local,
// seconds from 1970. Of a time that clocks skip or show twice it takes the
// reading that Postgres takes: the first one counts on with the distance of
// before, the second one is the later of the two.
func localOffset(local int64, loc *time.Location) int64 {
	const day = 24 * 3600
	earlier := time.Unix(local-day, 0).In(loc)
	_, before := earlier.Zone()
	_, end := earlier.ZoneBounds()
	if end.IsZero() || end.Unix() > local+day {
		return int64(before)
	}
	boundary := end.Unix()
	_, after := end.In(loc).Zone()
	byBefore, byAfter := local-int64(before), local-int64(after)
	switch {
	case byBefore < boundary && byAfter < boundary:
		return int64(before)
	case byBefore >= boundary && byAfter >= boundary:
		return int64(after)
	case byBefore > byAfter:
		return int64(before)
	default:
		return int64(after)
	}
}

// ParseTime reads a time of day; a date and a zone are read over.
func ParseTime(b []byte) (Time, error) {
	m, err := parseMoment(b, OIDTime)
	if err != nil {
		return 0, err
	}
	if !m.clocked || m.special != 0 {
		return 0, badSyntax(codeInvalidDatetime, OIDTime, b)
	}
	if m.micros > microsPerDay {
		return 0, fieldOutOfRange(b)
	}
	return Time(m.micros), nil
}

func fieldOutOfRange(b []byte) *Error {
	return Errorf(codeDatetimeOverflow, `date/time field value out of range: "%s"`, b)
}

// parseMoment reads what is written most often by position, and everything
// else word by word.
func parseMoment(b []byte, oid uint32) (moment, error) {
	if m, ok := parseISO(b); ok {
		return m, nil
	}
	p := momentParser{text: b, rest: trim(b), oid: oid}
	return p.parse()
}

// parseISO reads YYYY-MM-DD[( |T)HH:MM[:SS[.ffffff]][Z|±HH[[:]MM]]] without
// surprises: what it does not like is looked at again.
func parseISO(b []byte) (m moment, ok bool) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' {
		return m, false
	}
	m.dated = true
	m.year = fixedDigits(b[0:4])
	m.month = fixedDigits(b[5:7])
	m.day = fixedDigits(b[8:10])
	if m.year < 1 || m.month < 1 || m.month > 12 || m.day < 1 || m.day > 28 && m.day > daysIn(m.year, m.month) {
		return m, false
	}
	if len(b) == 10 {
		return m, true
	}
	if b[10] != ' ' && b[10] != 'T' {
		return m, false
	}
	rest, ok := m.isoClock(b[11:])
	if !ok {
		return m, false
	}
	return m, m.isoZone(rest)
}

func (m *moment) isoClock(b []byte) (rest []byte, ok bool) {
	if len(b) < 5 || b[2] != ':' {
		return nil, false
	}
	hour, minute, second := fixedDigits(b[0:2]), fixedDigits(b[3:5]), int64(0)
	b = b[5:]
	if len(b) >= 3 && b[0] == ':' {
		second = fixedDigits(b[1:3])
		b = b[3:]
	}
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return nil, false
	}
	m.clocked = true
	m.micros = ((hour*60+minute)*60 + second) * microsPerSecond
	if len(b) > 0 && b[0] == '.' {
		var micros int64
		micros, b = fraction(b[1:])
		m.micros += micros
	}
	return b, true
}

func (m *moment) isoZone(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	m.zoned = true
	if len(b) == 1 {
		return b[0] == 'Z'
	}
	if b[0] != '+' && b[0] != '-' {
		return false
	}
	offset, rest, ok := zoneOffset(b)
	m.offset = offset
	return ok && len(rest) == 0
}

// fixedDigits reads digits only; it is negative where there is anything else.
func fixedDigits(b []byte) int64 {
	var n int64
	for _, c := range b {
		if !isDigit(c) {
			return math.MinInt32
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

// fraction reads the digits behind a decimal point as microseconds.
func fraction(b []byte) (micros int64, rest []byte) {
	digits, rest := cutDigits(b)
	for i := range 6 {
		micros *= 10
		if i < len(digits) {
			micros += int64(digits[i] - '0')
		}
	}
	if len(digits) > 6 && roundsUp(digits[6:], micros) {
		micros++
	}
	return micros, rest
}

// roundsUp rounds to the nearest, and halves to the even neighbour.
func roundsUp(digits []byte, before int64) bool {
	if digits[0] != '5' {
		return digits[0] > '5'
	}
	for _, d := range digits[1:] {
		if d != '0' {
			return true
		}
	}
	return before%2 == 1
}

// zoneOffset reads ±HH, ±HHMM, ±HH:MM or ±HH:MM:SS as seconds east of UTC.
func zoneOffset(b []byte) (seconds int64, rest []byte, ok bool) {
	negative := b[0] == '-'
	digits, rest := cutDigits(b[1:])
	var parts [3]int64
	switch len(digits) {
	case 1, 2:
		parts[0] = fixedDigits(digits)
		for i := 1; i < 3 && len(rest) > 2 && rest[0] == ':'; i++ {
			parts[i] = fixedDigits(rest[1:3])
			rest = rest[3:]
		}
	case 3, 4:
		parts[0], parts[1] = fixedDigits(digits[:len(digits)-2]), fixedDigits(digits[len(digits)-2:])
	case 6:
		parts[0], parts[1], parts[2] = fixedDigits(digits[:2]), fixedDigits(digits[2:4]), fixedDigits(digits[4:])
	default:
		return 0, rest, false
	}
	if parts[0] > 15 || parts[1] < 0 || parts[1] > 59 || parts[2] < 0 || parts[2] > 59 {
		return 0, rest, false
	}
	seconds = (parts[0]*60+parts[1])*60 + parts[2]
	if negative {
		seconds = -seconds
	}
	return seconds, rest, true
}

func daysIn(year, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	default:
		return 31
	}
}
