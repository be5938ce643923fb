package planner

import (
	"math"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// What Postgres computes with intervals: months, days and time are three
// numbers, a month has 30 days and a day 24 hours where one spills into the
// next (timestamp.c).

const (
	daysOfMonth    = 30
	monthsOfYear   = 12
	microsOfSecond = 1_000_000
	microsOfHour   = 3600 * microsOfSecond
	microsOfDay    = 24 * microsOfHour
)

// scaleInterval multiplies an interval. What is left of a month becomes days,
// and what is left of a day becomes time.
func scaleInterval(v catalog.Interval, factor float64) (catalog.Interval, error) {
	return spread(float64(v.Months)*factor, float64(v.Days)*factor, float64(v.Micros)*factor)
}

// divideInterval divides an interval, in the same way.
func divideInterval(v catalog.Interval, divisor float64) (catalog.Interval, error) {
	if divisor == 0 {
		return v, wire.Errorf("22012", "division by zero")
	}
	return spread(float64(v.Months)/divisor, float64(v.Days)/divisor, float64(v.Micros)/divisor)
}

func spread(months, days, micros float64) (catalog.Interval, error) {
	wholeMonths, wholeDays := math.Trunc(months), math.Trunc(days)
	monthDays := roundMicros((months - wholeMonths) * daysOfMonth)
	seconds := roundMicros((days - wholeDays + monthDays - math.Trunc(monthDays)) * microsOfDay / microsOfSecond)
	if day := float64(microsOfDay / microsOfSecond); math.Abs(seconds) >= day {
		wholeDays += math.Trunc(seconds / day)
		seconds -= math.Trunc(seconds/day) * day
	}
	wholeDays += math.Trunc(monthDays)
	micros = math.RoundToEven(micros + seconds*microsOfSecond)
	if math.Abs(wholeMonths) > math.MaxInt32 || math.Abs(wholeDays) > math.MaxInt32 || math.Abs(micros) >= math.MaxInt64 || math.IsNaN(micros) {
		return catalog.Interval{}, wire.Errorf("22008", "interval out of range")
	}
	return catalog.Interval{Months: int32(wholeMonths), Days: int32(wholeDays), Micros: int64(micros)}, nil
}

// roundMicros rounds to a millionth.
func roundMicros(v float64) float64 { return math.RoundToEven(v*microsOfSecond) / microsOfSecond }

// justifyHours makes days of every 24 hours.
func justifyHours(v catalog.Interval) catalog.Interval {
	v.Days += int32(v.Micros / microsOfDay)
	v.Micros %= microsOfDay
	v.Days, v.Micros = oneSign(v.Days, v.Micros, microsOfDay)
	return v
}

// oneSign gives a number of units and what is left of one the same sign.
func oneSign[P int32 | int64](whole int32, part, unit P) (int32, P) {
	switch {
	case whole > 0 && part < 0:
		return whole - 1, part + unit
	case whole < 0 && part > 0:
		return whole + 1, part - unit
	default:
		return whole, part
	}
}

// justifyDays makes months of every 30 days.
func justifyDays(v catalog.Interval) catalog.Interval {
	v.Months += v.Days / daysOfMonth
	v.Days %= daysOfMonth
	v.Months, v.Days = oneSign(v.Months, v.Days, daysOfMonth)
	return v
}

// justifyInterval does both, and gives all parts the same sign.
func justifyInterval(v catalog.Interval) catalog.Interval {
	v.Days += int32(v.Micros / microsOfDay)
	v.Micros %= microsOfDay
	v.Months += v.Days / daysOfMonth
	v.Days %= daysOfMonth
	switch {
	case v.Months > 0 && (v.Days < 0 || v.Days == 0 && v.Micros < 0):
		v.Days += daysOfMonth
		v.Months--
	case v.Months < 0 && (v.Days > 0 || v.Days == 0 && v.Micros > 0):
		v.Days -= daysOfMonth
		v.Months++
	}
	v.Days, v.Micros = oneSign(v.Days, v.Micros, microsOfDay)
	return v
}
