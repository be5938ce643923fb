package catalog

import (
	"math"
	"strconv"
)

const (
	microsPerSecond = 1_000_000
	microsPerDay    = 24 * 3600 * microsPerSecond
	nanosPerMicro   = 1000
)

// microsOf converts a stored time or timestamp to microseconds, towards the past where
// it is finer. The infinite ones stay what they are.
func microsOf(id TypeID, n int64) int64 {
	if n == math.MaxInt64 || n == -math.MaxInt64 {
		return n
	}
	switch id {
	case TypeTimestampS:
		return n * microsPerSecond
	case TypeTimestampMS:
		return n * nanosPerMicro
	case TypeTimestampNS, TypeTimeNS:
		return floorDiv(n, nanosPerMicro)
	default:
		return n
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appendTime writes dates, times, timestamps and intervals.
func (v *Vector) appendTime(dst []byte, i int) []byte {
	switch v.Type.ID {
	case TypeDate:
		return appendDate(dst, v.Int32s()[i])
	case TypeTime:
		return appendClock(dst, v.Int64s()[i]*nanosPerMicro)
	case TypeTimeNS:
		return appendClock(dst, v.Int64s()[i])
	case TypeTimeTZ:
		t := timeTZOf(v.Uint64s()[i])
		return appendOffset(appendClock(dst, t.Micros*nanosPerMicro), t.Offset)
	case TypeTimestamp, TypeTimestampS, TypeTimestampMS:
		return appendTimestamp(dst, microsOf(v.Type.ID, v.Int64s()[i]), 0)
	case TypeTimestampTZ:
		n := v.Int64s()[i]
		dst = appendTimestamp(dst, n, 0)
		if n != math.MaxInt64 && n != -math.MaxInt64 {
			dst = append(dst, "+00"...)
		}
		return dst
	case TypeTimestampNS:
		n := v.Int64s()[i]
		return appendTimestamp(dst, microsOf(TypeTimestampNS, n), n-floorDiv(n, nanosPerMicro)*nanosPerMicro)
	case TypeInterval:
		return appendInterval(dst, v.Intervals()[i])
	default:
		return dst
	}
}

func appendDate(dst []byte, days int32) []byte {
	switch Date(days) {
	case DateInfinity:
		return append(dst, "infinity"...)
	case DateNegInfinity:
		return append(dst, "-infinity"...)
	}
	year, month, day := civil(int64(days))
	before := year <= 0
	if before {
		year = 1 - year
	}
	dst = appendPaddedInt(dst, year, 4)
	dst = append(dst, '-')
	dst = appendPaddedInt(dst, month, 2)
	dst = append(dst, '-')
	dst = appendPaddedInt(dst, day, 2)
	if before {
		dst = append(dst, " (BC)"...)
	}
	return dst
}

// civil is the Gregorian date of a count of days from 1970-01-01, in years
// that begin with March so that the leap day is the last.
func civil(days int64) (year, month, day int64) {
	const (
		daysPerEra  = 146097 // of 400 years
		daysToEpoch = 719468 // from 0000-03-01
	)
	days += daysToEpoch
	era := floorDiv(days, daysPerEra)
	inEra := days - era*daysPerEra
	yearOfEra := (inEra - inEra/1460 + inEra/36524 - inEra/146096) / 365
	dayOfYear := inEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	marchMonth := (5*dayOfYear + 2) / 153
	day = dayOfYear - (153*marchMonth+2)/5 + 1
	month = marchMonth + 3
	year = yearOfEra + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// appendTimestamp writes micros from 1970, and nanos in addition.
func appendTimestamp(dst []byte, micros, nanos int64) []byte {
	switch micros {
	case math.MaxInt64:
		return append(dst, "infinity"...)
	case -math.MaxInt64:
		return append(dst, "-infinity"...)
	}
	days := floorDiv(micros, microsPerDay)
	dst = append(appendDate(dst, int32(days)), ' ')
	return appendClock(dst, (micros-days*microsPerDay)*nanosPerMicro+nanos)
}

// appendClock writes hours, minutes, seconds and what is below them, without
// zeros at the end.
func appendClock(dst []byte, nanos int64) []byte {
	const nanosPerSecond = microsPerSecond * nanosPerMicro
	seconds := nanos / nanosPerSecond
	dst = appendPaddedInt(dst, seconds/3600, 2)
	dst = append(dst, ':')
	dst = appendPaddedInt(dst, seconds/60%60, 2)
	dst = append(dst, ':')
	dst = appendPaddedInt(dst, seconds%60, 2)
	fraction := nanos % nanosPerSecond
	if fraction == 0 {
		return dst
	}
	dst = appendPaddedInt(append(dst, '.'), fraction, 9)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func appendOffset(dst []byte, seconds int32) []byte {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = appendPaddedInt(append(dst, sign), int64(seconds)/3600, 2)
	if seconds%3600 != 0 {
		dst = appendPaddedInt(append(dst, ':'), int64(seconds)/60%60, 2)
	}
	if seconds%60 != 0 {
		dst = appendPaddedInt(append(dst, ':'), int64(seconds)%60, 2)
	}
	return dst
}

func appendInterval(dst []byte, v Interval) []byte {
	start := len(dst)
	part := func(n int64, unit string) {
		if n == 0 {
			return
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		dst = append(strconv.AppendInt(dst, n, 10), unit...)
		if n != 1 && n != -1 {
			dst = append(dst, 's')
		}
	}
	part(int64(v.Months/12), " year")
	part(int64(v.Months%12), " month")
	part(int64(v.Days), " day")
	if v.Micros == 0 && len(dst) > start {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	micros := v.Micros
	if micros < 0 {
		dst = append(dst, '-')
		micros = -micros
	}
	hours := micros / (3600 * microsPerSecond)
	clock := appendClock(nil, (micros-hours*3600*microsPerSecond)*nanosPerMicro)
	dst = appendPaddedInt(dst, hours, 2) // may be more than a day has
	return append(dst, clock[2:]...)
}

func appendPaddedInt(dst []byte, n int64, width int) []byte {
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], n, 10)
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
