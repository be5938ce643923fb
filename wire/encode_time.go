package wire

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"
)

const (
	microsPerSecond = 1_000_000
	microsPerMinute = 60 * microsPerSecond
	microsPerHour   = 60 * microsPerMinute
	microsPerDay    = 24 * microsPerHour

	// Postgres counts from 2000-01-01.
	epochDays   = 10957
	epochMicros = epochDays * microsPerDay
)

func timeTextEncoder(k Kind) appendFunc {
	switch k {
	case KindDate:
		return appendDateText
	case KindTime:
		return appendTimeText
	case KindTimeTZ:
		return appendTimeTZText
	case KindTimestamp:
		return appendTimestampText
	case KindTimestampTZ:
		return appendTimestampTZText
	case KindInterval:
		return appendIntervalText
	default:
		return nil
	}
}

func timeBinaryEncoder(k Kind) appendFunc {
	switch k {
	case KindDate:
		return appendDateBinary
	case KindTime:
		return appendInt64Binary
	case KindTimeTZ:
		return appendTimeTZBinary
	case KindTimestamp, KindTimestampTZ:
		return appendTimestampBinary
	case KindInterval:
		return appendIntervalBinary
	default:
		return nil
	}
}

func appendDateText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	switch d := Date(v.Int32s[i]); d {
	case DateInfinity:
		return append(dst, "infinity"...)
	case DateNegInfinity, math.MinInt32:
		return append(dst, "-infinity"...)
	default:
		dst, bc := appendDay(dst, int64(d))
		return appendEra(dst, bc)
	}
}

func appendDateBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	days := v.Int32s[i]
	switch Date(days) {
	case DateInfinity:
	case DateNegInfinity, math.MinInt32:
		days = math.MinInt32
	default:
		days -= epochDays
	}
	return binary.BigEndian.AppendUint32(dst, uint32(days))
}

func appendTimeText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return appendClock(dst, v.Int64s[i])
}

func appendTimeTZText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	return appendOffset(appendClock(dst, v.Int64s[i]), int(v.Int32s[i]))
}

// appendTimeTZBinary gives the zone west of UTC, as Postgres does.
func appendTimeTZBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(v.Int64s[i]))
	return binary.BigEndian.AppendUint32(dst, uint32(-v.Int32s[i]))
}

func appendTimestampText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	micros := v.Int64s[i]
	if infinite(micros) {
		return appendInfinity(dst, micros)
	}
	dst, bc := appendDayAndClock(dst, micros)
	return appendEra(dst, bc)
}

func appendTimestampTZText(e *encoder, dst []byte, v *Vector, i int) []byte {
	micros := v.Int64s[i]
	if infinite(micros) {
		return appendInfinity(dst, micros)
	}
	offset := e.zone.offset(floorDiv(micros, microsPerSecond))
	dst, bc := appendDayAndClock(dst, micros+int64(offset)*microsPerSecond)
	return appendEra(appendOffset(dst, offset), bc)
}

// appendTimestampBinary counts from 2000. What cannot be counted from there in
// 64 bits is beyond DuckDB's range too.
func appendTimestampBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	micros := v.Int64s[i]
	switch {
	case Timestamp(micros) == TimestampInfinity:
	case infinite(micros):
		micros = math.MinInt64
	default:
		micros = max(micros, math.MinInt64+epochMicros+1) - epochMicros
	}
	return binary.BigEndian.AppendUint64(dst, uint64(micros))
}

func infinite(micros int64) bool {
	return Timestamp(micros) == TimestampInfinity || Timestamp(micros) <= TimestampNegInfinity
}

func appendInfinity(dst []byte, micros int64) []byte {
	if micros < 0 {
		dst = append(dst, '-')
	}
	return append(dst, "infinity"...)
}

func appendDayAndClock(dst []byte, micros int64) (_ []byte, bc bool) {
	day := floorDiv(micros, microsPerDay)
	dst, bc = appendDay(dst, day)
	return appendClock(append(dst, ' '), micros-day*microsPerDay), bc
}

// appendDay writes a day, counted from 1970, as year-month-day. bc says that
// the year is before the common era, which the end of the text has to say.
func appendDay(dst []byte, day int64) (_ []byte, bc bool) {
	year, month, dom := civil(day)
	if year <= 0 {
		year, bc = 1-year, true
	}
	if year < 10_000 {
		dst = appendTwo(appendTwo(dst, uint64(year)/100), uint64(year)%100)
	} else {
		dst = strconv.AppendInt(dst, year, 10)
	}
	dst = appendTwo(append(dst, '-'), uint64(month))
	return appendTwo(append(dst, '-'), uint64(dom)), bc
}

func appendEra(dst []byte, bc bool) []byte {
	if bc {
		return append(dst, " BC"...)
	}
	return dst
}

// civil turns days from 1970-01-01 into a date of the proleptic Gregorian
// calendar. Years start in March and eras of 400 years at March 1st, 0000, so
// that leap days come last.
func civil(day int64) (year, month, dom int64) {
	const daysPerEra = 146097
	day += 719468
	era := floorDiv(day, daysPerEra)
	doe := day - era*daysPerEra
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	m := (5*doy + 2) / 153
	dom = doy - (153*m+2)/5 + 1
	year = yoe + era*400
	if m < 10 {
		return year, m + 3, dom
	}
	return year + 1, m - 9, dom
}

// daysFromCivil is the inverse of civil.
func daysFromCivil(year, month, dom int64) int64 {
	if month <= 2 {
		year, month = year-1, month+9
	} else {
		month -= 3
	}
	era := floorDiv(year, 400)
	yoe := year - era*400
	doy := (153*month+2)/5 + dom - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// appendClock writes microseconds of a day as hours, minutes, seconds and, if
// they are not zero, decimals without trailing zeros.
func appendClock(dst []byte, micros int64) []byte {
	seconds := uint64(micros) / microsPerSecond
	dst = append(appendTwo(dst, seconds/3600), ':')
	dst = append(appendTwo(dst, seconds/60%60), ':')
	dst = appendTwo(dst, seconds%60)
	return appendFraction(dst, uint64(micros)%microsPerSecond)
}

// appendFraction writes microseconds of a second behind a point.
func appendFraction(dst []byte, micros uint64) []byte {
	if micros == 0 {
		return dst
	}
	dst = append(dst, '.')
	dst = appendTwo(dst, micros/10_000)
	dst = appendTwo(dst, micros/100%100)
	dst = appendTwo(dst, micros%100)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// appendOffset writes a zone's distance from UTC, in seconds east, with
// minutes and seconds only where there are some.
func appendOffset(dst []byte, seconds int) []byte {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	s := uint64(seconds)
	dst = appendTwo(append(dst, sign), s/3600)
	if s%3600 != 0 {
		dst = appendTwo(append(dst, ':'), s/60%60)
	}
	if s%60 != 0 {
		dst = appendTwo(append(dst, ':'), s%60)
	}
	return dst
}

const twoDigits = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"

// appendTwo writes a number below 100 as two digits.
func appendTwo(dst []byte, n uint64) []byte {
	n = n % 100 * 2
	return append(dst, twoDigits[n], twoDigits[n+1])
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appendIntervalText writes an interval in the style "postgres": a part that
// follows a negative one says its sign.
func appendIntervalText(_ *encoder, dst []byte, v *Vector, i int) []byte {
	iv := v.Intervals[i]
	p := intervalText{dst: dst, start: len(dst)}
	p.part(iv.Months/12, "year")
	p.part(iv.Months%12, "mon")
	p.part(iv.Days, "day")
	if iv.Micros == 0 && len(p.dst) > p.start {
		return p.dst
	}
	return p.clock(iv.Micros)
}

type intervalText struct {
	dst      []byte
	start    int
	negative bool // the part before was
}

func (p *intervalText) part(n int32, unit string) {
	if n == 0 {
		return
	}
	p.separate()
	if p.negative && n > 0 {
		p.dst = append(p.dst, '+')
	}
	p.dst = strconv.AppendInt(p.dst, int64(n), 10)
	p.dst = append(append(p.dst, ' '), unit...)
	if n != 1 {
		p.dst = append(p.dst, 's')
	}
	p.negative = n < 0
}

func (p *intervalText) separate() {
	if len(p.dst) > p.start {
		p.dst = append(p.dst, ' ')
	}
}

func (p *intervalText) clock(micros int64) []byte {
	p.separate()
	abs := uint64(micros)
	switch {
	case micros < 0:
		p.dst, abs = append(p.dst, '-'), -abs
	case p.negative:
		p.dst = append(p.dst, '+')
	}
	hours := abs / microsPerHour
	if hours < 100 {
		p.dst = appendTwo(p.dst, hours)
	} else {
		p.dst = strconv.AppendUint(p.dst, hours, 10)
	}
	seconds := abs / microsPerSecond
	p.dst = appendTwo(append(p.dst, ':'), seconds/60%60)
	p.dst = appendTwo(append(p.dst, ':'), seconds%60)
	return appendFraction(p.dst, abs%microsPerSecond)
}

func appendIntervalBinary(_ *encoder, dst []byte, v *Vector, i int) []byte {
	iv := v.Intervals[i]
	dst = binary.BigEndian.AppendUint64(dst, uint64(iv.Micros))
	dst = binary.BigEndian.AppendUint32(dst, uint32(iv.Days))
	return binary.BigEndian.AppendUint32(dst, uint32(iv.Months))
}

// A zone finds a location's distance from UTC. It remembers the period that
// it found last, because neighbouring rows are mostly in the same one.
type zone struct {
	loc         *time.Location
	from, until int64 // seconds: the period [from, until)
	seconds     int   // its distance, east
}

func newZone(loc *time.Location) zone {
	if loc == time.UTC {
		return zone{loc: loc, from: math.MinInt64, until: math.MaxInt64}
	}
	return zone{loc: loc}
}

// offset is the distance at a moment, in seconds from 1970.
func (z *zone) offset(at int64) int {
	if at >= z.from && at < z.until {
		return z.seconds
	}
	t := time.Unix(at, 0).In(z.loc)
	start, end := t.ZoneBounds()
	z.from, z.until = math.MinInt64, math.MaxInt64
	if !start.IsZero() {
		z.from = start.Unix()
	}
	if !end.IsZero() {
		z.until = end.Unix()
	}
	_, z.seconds = t.Zone()
	return z.seconds
}
