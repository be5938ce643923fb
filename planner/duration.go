package planner

import (
	"math/big"
	"strings"
)

// parseDuration reads a fixed length of time and returns its microseconds:
//
//	11 min             also several: 1 day 2 h 30 s; fractions: 1.5 seconds
//	00:11:00           hours:minutes, with seconds; after days: 1 day 02:00
//	PT11M, P1DT2H      ISO 8601
//
// A month or a year has no fixed length, and a day is 24 hours. The result is
// exact or an error; the error has an SQLSTATE and a hint, but no position.
func parseDuration(text string) (int64, *durationError) {
	s := strings.ToLower(strings.TrimSpace(text))
	s = strings.TrimPrefix(s, "@ ")
	if s == "" {
		return 0, invalidDuration(text)
	}
	total := new(big.Rat)
	var err *durationError
	if s[0] == 'p' {
		err = isoDuration(s[1:], total)
	} else {
		err = unitDuration(s, total)
	}
	if err != nil {
		return 0, err.about(text)
	}
	return wholeMicros(text, total)
}

// A durationError says why a text is no fixed length of time.
type durationError struct {
	code, message, hint string
}

func (e *durationError) about(text string) *durationError {
	if e.message == "" {
		return invalidDuration(text)
	}
	return e
}

func invalidDuration(text string) *durationError {
	return &durationError{codeBadInterval, "\"" + text + "\" is not a length of time", "Write a number and its unit, such as '11 min', '1 day 2 h' or '00:11:00'."}
}

func wholeMicros(text string, total *big.Rat) (int64, *durationError) {
	switch {
	case total.Sign() < 0:
		return 0, &durationError{codeInvalidParameter, "\"" + text + "\" is negative", "Write a length of time of zero or more, such as '11 min'."}
	case !total.IsInt():
		return 0, &durationError{codeInvalidParameter, "\"" + text + "\" is not a whole number of microseconds", "Lengths of time are exact to the microsecond."}
	case !total.Num().IsInt64():
		return 0, &durationError{"22008", "\"" + text + "\" is out of range", "A length of time is at most about 292,000 years."}
	}
	return total.Num().Int64(), nil
}

// unitDuration reads numbers with units, and h:m:s.
func unitDuration(s string, total *big.Rat) *durationError {
	for s != "" {
		number, rest := cutNumber(s)
		if number == "" {
			return &durationError{}
		}
		var err *durationError
		if strings.HasPrefix(rest, ":") {
			rest, err = clockDuration(number, rest, total)
		} else {
			rest, err = oneUnit(number, rest, total)
		}
		if err != nil {
			return err
		}
		s = strings.TrimLeft(rest, " \t\n,")
	}
	return nil
}

// cutNumber takes a decimal number with its sign from the front of s.
func cutNumber(s string) (number, rest string) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	digits := false
	for i < len(s) && (isDigit(s[i]) || s[i] == '.') {
		digits = digits || isDigit(s[i])
		i++
	}
	if !digits {
		return "", s
	}
	return s[:i], s[i:]
}

// oneUnit adds a number times the unit that follows it.
func oneUnit(number, rest string, total *big.Rat) (string, *durationError) {
	rest = strings.TrimLeft(rest, " \t\n")
	end := 0
	for end < len(rest) && isIdentStart(rest[end]) {
		end++
	}
	unit := rest[:end]
	if unit == "" {
		return "", &durationError{codeInvalidParameter, "a length of time needs a unit", "Write for example '" + number + " s' or '" + number + " min'."}
	}
	micros := unitMicros(unit)
	if micros == 0 {
		return "", unknownUnit(unit)
	}
	return rest[end:], addTo(total, number, micros)
}

func unknownUnit(unit string) *durationError {
	switch strings.TrimSuffix(unit, "s") {
	case "mon", "month", "y", "yr", "year", "decade", "dec", "century", "centurie", "cent", "c", "millennium", "millennia", "mil", "quarter":
		return &durationError{codeInvalidParameter, "a length of time cannot have months or years, which are not always equally long", "Write it in days, hours, minutes and seconds, such as '30 days'."}
	case "ago":
		return &durationError{codeInvalidParameter, "a length of time cannot be negative", "Leave out \"ago\"."}
	}
	return &durationError{}
}

func addTo(total *big.Rat, number string, micros int64) *durationError {
	if len(number) > 40 {
		return &durationError{}
	}
	n, ok := new(big.Rat).SetString(strings.TrimPrefix(number, "+"))
	if !ok {
		return &durationError{}
	}
	total.Add(total, n.Mul(n, new(big.Rat).SetInt64(micros)))
	return nil
}

// clockDuration adds h:m or h:m:s; rest starts with the first colon.
func clockDuration(hours, rest string, total *big.Rat) (string, *durationError) {
	if strings.Contains(hours, ".") {
		return "", &durationError{}
	}
	sign := ""
	if strings.HasPrefix(hours, "-") {
		sign = "-"
	}
	if err := addTo(total, hours, unitMicros("h")); err != nil {
		return "", err
	}
	for _, unit := range []string{"min", "s"} {
		if !strings.HasPrefix(rest, ":") {
			break
		}
		var part string
		part, rest = cutNumber(rest[1:])
		if part == "" || !isDigit(part[0]) || unit == "min" && strings.Contains(part, ".") {
			return "", &durationError{}
		}
		if err := addTo(total, sign+part, unitMicros(unit)); err != nil {
			return "", err
		}
	}
	return rest, nil
}

// isoDuration reads an ISO 8601 duration after its P.
func isoDuration(s string, total *big.Rat) *durationError {
	inTime := false
	if s == "" {
		return &durationError{}
	}
	for s != "" {
		if s[0] == 't' && !inTime && len(s) > 1 {
			inTime, s = true, s[1:]
			continue
		}
		number, rest := cutNumber(s)
		if number == "" || rest == "" {
			return &durationError{}
		}
		unit := isoUnit(rest[0], inTime)
		if unit == "" {
			return &durationError{}
		}
		micros := unitMicros(unit)
		if micros == 0 {
			return unknownUnit(unit)
		}
		if err := addTo(total, number, micros); err != nil {
			return err
		}
		s = rest[1:]
	}
	return nil
}

func isoUnit(c byte, inTime bool) string {
	switch {
	case inTime && c == 'h':
		return "h"
	case inTime && c == 'm':
		return "min"
	case inTime && c == 's':
		return "s"
	case !inTime && c == 'w':
		return "week"
	case !inTime && c == 'd':
		return "day"
	case !inTime && c == 'm':
		return "month"
	case !inTime && c == 'y':
		return "year"
	}
	return ""
}

// unitMicros is the length of a unit in microseconds; 0 for a word that is no
// unit of fixed length.
func unitMicros(unit string) int64 {
	switch unit {
	case "us", "usec", "usecs", "usecond", "useconds", "microsecond", "microseconds", "microsec", "microsecs", "µs":
		return 1
	case "ms", "msec", "msecs", "msecond", "mseconds", "millisecond", "milliseconds", "millisec", "millisecs":
		return 1_000
	case "s", "sec", "secs", "second", "seconds":
		return 1_000_000
	case "m", "min", "mins", "minute", "minutes":
		return 60_000_000
	case "h", "hr", "hrs", "hour", "hours":
		return 3_600_000_000
	case "d", "day", "days":
		return 86_400_000_000
	case "w", "week", "weeks":
		return 7 * 86_400_000_000
	}
	return 0
}
