package wire

import (
	"math"
	"math/big"
	"strings"
)

// ParseInterval reads an interval: '1 year 2 mons 3 days 04:05:06.7',
// '2 h ago', '1-2', ISO 8601 ('P1Y2M3DT4H'), 1:02:03. A number without a unit
// is seconds. Parts of months flow into days of which a month has 30, parts of
// days into hours.
func ParseInterval(b []byte) (Interval, error) {
	p := intervalParser{rest: string(trim(b))}
	ok := p.parse()
	switch {
	case !ok:
		return Interval{}, badSyntax(codeInvalidDatetime, OIDInterval, b)
	case p.overflow:
		return Interval{}, Errorf(codeIntervalOverflow, `interval field value out of range: "%s"`, b)
	default:
		return p.Interval, nil
	}
}

type intervalParser struct {
	Interval
	rest     string
	overflow bool
}

func (p *intervalParser) parse() bool {
	if strings.HasPrefix(p.rest, "P") {
		return p.iso()
	}
	p.rest = strings.TrimPrefix(p.rest, "@")
	read := false
	for p.skipSpace(); p.rest != ""; p.skipSpace() {
		if read && strings.EqualFold(p.rest, "ago") {
			p.negate()
			return true
		}
		if !p.part() {
			return false
		}
		read = true
	}
	return read
}

func (p *intervalParser) skipSpace() { p.rest = strings.TrimLeft(p.rest, " \t\n\v\f\r") }

func (p *intervalParser) negate() {
	p.overflow = p.overflow || p.Months == math.MinInt32 || p.Days == math.MinInt32 || p.Micros == math.MinInt64
	p.Months, p.Days, p.Micros = -p.Months, -p.Days, -p.Micros
}

// part reads a number with its unit, a clock, or years-months.
func (p *intervalParser) part() bool {
	n, ok := p.number()
	if !ok {
		return false
	}
	switch {
	case strings.HasPrefix(p.rest, ":"):
		return p.clock(n)
	case strings.HasPrefix(p.rest, "-") && n.fraction == nil && len(p.rest) > 1 && isDigit(p.rest[1]):
		return p.yearMonth(n)
	}
	p.skipSpace()
	word := p.letters()
	switch {
	case word == "" && p.rest == "":
		return p.add(n, "s")
	case word == "":
		// Days stand without a unit before a clock.
		return clockFollows(p.rest) && p.add(n, "d")
	default:
		return p.add(n, word)
	}
}

// clockFollows says that s begins with a clock.
func clockFollows(s string) bool {
	s = strings.TrimLeft(s, "+-0123456789")
	return strings.HasPrefix(s, ":")
}

func (p *intervalParser) letters() string {
	n := 0
	for n < len(p.rest) && isLetter(p.rest[n]) {
		n++
	}
	word := strings.ToLower(p.rest[:n])
	p.rest = p.rest[n:]
	return word
}

// quantity is a signed decimal number.
type quantity struct {
	negative bool
	whole    int64
	fraction *big.Rat // nil: none
}

// number reads a sign, digits and decimals.
func (p *intervalParser) number() (quantity, bool) {
	var q quantity
	s := p.rest
	if s != "" && (s[0] == '+' || s[0] == '-') {
		q.negative, s = s[0] == '-', s[1:]
	}
	digits, rest := cutDigits([]byte(s))
	var decimals []byte
	if len(rest) > 0 && rest[0] == '.' {
		decimals, rest = cutDigits(rest[1:])
		if len(decimals) > 18 {
			decimals = decimals[:18]
		}
		q.fraction, _ = new(big.Rat).SetString("0." + string(decimals) + "0")
	}
	if len(digits)+len(decimals) == 0 {
		return q, false
	}
	if len(digits) > 0 {
		n, err := parseInt(digits, 64, OIDInt8)
		p.overflow = p.overflow || err != nil
		q.whole = n
	}
	p.rest = string(rest)
	return q, true
}

// clock reads the rest of hours:minutes[:seconds[.decimals]].
func (p *intervalParser) clock(hours quantity) bool {
	p.rest = p.rest[1:]
	minutes, ok := p.number()
	if !ok || hours.fraction != nil || minutes.negative {
		return false
	}
	var seconds quantity
	if strings.HasPrefix(p.rest, ":") {
		p.rest = p.rest[1:]
		if seconds, ok = p.number(); !ok || seconds.negative || minutes.fraction != nil {
			return false
		}
	} else if minutes.fraction != nil { // mm:ss.ff
		hours, minutes, seconds = quantity{negative: hours.negative}, hours, minutes
	}
	p.overflow = p.overflow || minutes.whole > 59 || seconds.whole > 60
	minutes.negative, seconds.negative = hours.negative, hours.negative
	return p.add(hours, "h") && p.add(minutes, "m") && p.add(seconds, "s")
}

// yearMonth reads the rest of years-months.
func (p *intervalParser) yearMonth(years quantity) bool {
	p.rest = p.rest[1:]
	months, ok := p.number()
	if !ok || months.fraction != nil || months.whole > 11 {
		return false
	}
	months.negative = years.negative
	return p.add(years, "y") && p.add(months, "mon")
}

// iso reads P[n]Y[n]M[n]W[n]DT[n]H[n]M[n]S.
func (p *intervalParser) iso() bool {
	p.rest = p.rest[1:]
	timePart, read := false, false
	for p.rest != "" {
		if p.rest[0] == 'T' && !timePart {
			timePart = true
			p.rest = p.rest[1:]
			continue
		}
		n, ok := p.number()
		if !ok || p.rest == "" {
			return false
		}
		unit := isoUnit(p.rest[0], timePart)
		p.rest = p.rest[1:]
		if unit == "" || !p.add(n, unit) {
			return false
		}
		read = true
	}
	return read
}

func isoUnit(letter byte, timePart bool) string {
	switch {
	case timePart && letter == 'H':
		return "h"
	case timePart && letter == 'M':
		return "m"
	case timePart && letter == 'S':
		return "s"
	case timePart:
		return ""
	case letter == 'Y':
		return "y"
	case letter == 'M':
		return "mon"
	case letter == 'W':
		return "w"
	case letter == 'D':
		return "d"
	default:
		return ""
	}
}

// add adds a quantity of a unit. It reports false for an unknown unit.
func (p *intervalParser) add(q quantity, unit string) bool {
	if months := monthsOf(unit); months != 0 {
		whole, rest := q.times(months)
		p.addMonths(whole)
		p.addDays(rest, 30) // what is less than a month
		return true
	}
	if days := daysOf(unit); days != 0 {
		whole, rest := q.times(days)
		p.addWholeDays(whole)
		p.addMicros(rest, microsPerDay)
		return true
	}
	micros := microsOf(unit)
	if micros == 0 {
		return false
	}
	whole, rest := q.times(1)
	p.addMicros(new(big.Rat).Add(new(big.Rat).SetInt(whole), rest), micros)
	return true
}

// times is the quantity times n, as a whole number and what is left of it.
func (q quantity) times(n int64) (whole *big.Int, rest *big.Rat) {
	all := new(big.Rat).SetInt64(q.whole)
	if q.fraction != nil {
		all.Add(all, q.fraction)
	}
	all.Mul(all, new(big.Rat).SetInt64(n))
	if q.negative {
		all.Neg(all)
	}
	whole = new(big.Int).Quo(all.Num(), all.Denom())
	return whole, all.Sub(all, new(big.Rat).SetInt(whole))
}

func (p *intervalParser) addMonths(n *big.Int) {
	sum := n.Add(n, big.NewInt(int64(p.Months)))
	p.Months = int32(p.bounded(sum, math.MaxInt32))
}

func (p *intervalParser) addWholeDays(n *big.Int) {
	sum := n.Add(n, big.NewInt(int64(p.Days)))
	p.Days = int32(p.bounded(sum, math.MaxInt32))
}

// addDays adds part of a unit of that many days.
func (p *intervalParser) addDays(part *big.Rat, days int64) {
	part.Mul(part, new(big.Rat).SetInt64(days))
	whole := new(big.Int).Quo(part.Num(), part.Denom())
	part.Sub(part, new(big.Rat).SetInt(whole))
	p.addWholeDays(whole)
	p.addMicros(part, microsPerDay)
}

// addMicros adds a quantity of a unit of that many microseconds, rounded.
func (p *intervalParser) addMicros(n *big.Rat, micros int64) {
	n.Mul(n, new(big.Rat).SetInt64(micros))
	half := big.NewRat(1, 2)
	if n.Sign() < 0 {
		half.Neg(half)
	}
	n.Add(n, half)
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	p.Micros = p.bounded(whole.Add(whole, big.NewInt(p.Micros)), math.MaxInt64)
}

// bounded is n, which overflows beyond ±limit.
func (p *intervalParser) bounded(n *big.Int, limit int64) int64 {
	if !n.IsInt64() || n.Int64() > limit || n.Int64() < -limit-1 {
		p.overflow = true
		return 0
	}
	return n.Int64()
}

func monthsOf(unit string) int64 {
	switch unit {
	case "mon", "mons", "month", "months":
		return 1
	case "y", "yr", "yrs", "year", "years":
		return 12
	case "dec", "decs", "decade", "decades":
		return 120
	case "c", "cent", "century", "centuries":
		return 1200
	case "mil", "mils", "millennium", "millennia":
		return 12000
	default:
		return 0
	}
}

func daysOf(unit string) int64 {
	switch unit {
	case "d", "day", "days":
		return 1
	case "w", "week", "weeks":
		return 7
	default:
		return 0
	}
}

func microsOf(unit string) int64 {
	switch unit {
	case "us", "usec", "usecs", "usecond", "useconds", "microsecond", "microseconds":
		return 1
	case "ms", "msec", "msecs", "msecond", "mseconds", "millisecond", "milliseconds":
		return 1000
	case "s", "sec", "secs", "second", "seconds":
		return microsPerSecond
	case "m", "min", "mins", "minute", "minutes":
		return microsPerMinute
	case "h", "hr", "hrs", "hour", "hours":
		return microsPerHour
	default:
		return 0
	}
}
