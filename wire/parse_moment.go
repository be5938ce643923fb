package wire

import (
	"cmp"
	"strings"
	"time"
)

// momentParser reads the many ways to write a date and a time, word by word,
// with DateStyle "ISO, MDY".
type momentParser struct {
	text []byte // all of it, for errors
	rest []byte
	oid  uint32

	moment
	named      bool // the month was a name
	numbers    [3]number
	count      int // of numbers
	meridian   byte
	bc         bool
	shortYear  bool // of one or two digits
	outOfRange bool
	fault      error // what is wrong, if it is more than the syntax
}

// number is one part of a date.
type number struct {
	value  int64
	digits int
}

func (p *momentParser) bad() error { return badSyntax(codeInvalidDatetime, p.oid, p.text) }

func (p *momentParser) parse() (moment, error) {
	if p.readSpecial() {
		return p.moment, nil
	}
	for p.skipSpace(); len(p.rest) > 0; p.skipSpace() {
		if !p.word() {
			return moment{}, cmp.Or(p.fault, p.bad())
		}
	}
	switch {
	case p.count > 0 || p.named:
		if !p.finishDate() {
			return moment{}, p.bad()
		}
	case !p.dated && !p.clocked:
		return moment{}, p.bad()
	}
	p.finishClock()
	if p.outOfRange || p.dated && !p.validDate() {
		return moment{}, fieldOutOfRange(p.text).
			WithHint(`Dates are read as year-month-day, or as month/day/year.`)
	}
	return p.moment, nil
}

func (p *momentParser) readSpecial() bool {
	switch {
	case equalFold(p.rest, "infinity"), equalFold(p.rest, "+infinity"):
		p.special = 'i'
	case equalFold(p.rest, "-infinity"):
		p.special = 'n'
	case equalFold(p.rest, "epoch"):
		p.special = 'e'
	}
	return p.special != 0
}

func (p *momentParser) skipSpace() {
	for len(p.rest) > 0 && (isSpace(p.rest[0]) || p.rest[0] == ',') {
		p.rest = p.rest[1:]
	}
}

// word reads the next word, whose first byte tells what it may be.
func (p *momentParser) word() bool {
	switch c := p.rest[0]; {
	case isDigit(c):
		return p.digits()
	case isLetter(c):
		return p.letters()
	case (c == '+' || c == '-') && len(p.rest) > 1 && isDigit(p.rest[1]) && !p.zoned:
		var ok bool
		p.offset, p.rest, ok = zoneOffset(p.rest)
		p.zoned = true
		if !ok {
			p.fault = Errorf("22009", `time zone displacement out of range: "%s"`, p.text)
		}
		return ok
	default:
		return false
	}
}

// digits reads a word that begins with a digit: a clock if there is a colon,
// part of a date if there is another separator.
func (p *momentParser) digits() bool {
	digits, rest := cutDigits(p.rest)
	next := byte(0)
	if len(rest) > 0 {
		next = rest[0]
	}
	switch {
	case next == ':' && !p.clocked:
		return p.clock()
	case (next == '-' || next == '/' || next == '.') && !p.dated && p.count == 0 && p.oid != OIDTime:
		return p.separated(next)
	case len(digits) >= 6 && !p.dated && p.count == 0 && p.oid != OIDTime:
		p.rest = rest
		return p.packedDate(digits)
	case !p.clocked && (len(digits) == 4 || len(digits) == 6) && (p.dated || p.oid == OIDTime):
		p.rest = rest
		return p.packedClock(digits)
	case p.dated || p.count == len(p.numbers):
		return false
	}
	p.rest = rest
	p.addNumber(digits)
	return len(digits) <= 7
}

func (p *momentParser) addNumber(digits []byte) {
	n := int64(0)
	if len(digits) <= 7 {
		n = fixedDigits(digits)
	}
	p.numbers[p.count] = number{n, len(digits)}
	p.count++
}

// separated reads a date of parts with a separator between; one part may be
// the name of a month.
func (p *momentParser) separated(separator byte) bool {
	for {
		digits, rest := cutDigits(p.rest)
		switch {
		case len(digits) > 0 && len(digits) <= 7 && p.count < len(p.numbers):
			p.addNumber(digits)
			p.rest = rest
		case len(digits) == 0 && !p.named:
			if !p.monthName(p.takeLetters()) {
				return false
			}
		default:
			return false
		}
		if len(p.rest) == 0 || p.rest[0] != separator {
			break
		}
		p.rest = p.rest[1:]
	}
	if p.named && p.count == 2 || p.count == 3 {
		return p.finishDate()
	}
	return false
}

// finishDate gives the parts their places: a year first if it has more than
// two digits, else the month first.
func (p *momentParser) finishDate() bool {
	n := p.numbers[:p.count]
	p.count = 0
	p.dated = true
	switch {
	case p.named && len(n) == 2 && n[0].digits > 2:
		p.setYear(n[0])
		p.day = n[1].value
	case p.named && len(n) == 2:
		p.day = n[0].value
		p.setYear(n[1])
	case !p.named && len(n) == 3 && n[0].digits > 2:
		p.setYear(n[0])
		p.month, p.day = n[1].value, n[2].value
	case !p.named && len(n) == 3:
		p.month, p.day = n[0].value, n[1].value
		p.setYear(n[2])
	default:
		return false
	}
	p.named = false
	return true
}

func (p *momentParser) setYear(n number) {
	p.year, p.shortYear = n.value, n.digits <= 2
}

// finishYear takes a year of one or two digits as one of 1970 to 2069, and
// makes an astronomical year of one BC.
func (p *momentParser) finishYear() {
	switch {
	case p.bc:
		p.year = 1 - p.year
	case p.shortYear && p.year < 70:
		p.year += 2000
	case p.shortYear:
		p.year += 1900
	}
}

// packedDate reads YYYYMMDD or YYMMDD.
func (p *momentParser) packedDate(digits []byte) bool {
	n := len(digits)
	if n > 10 {
		return false
	}
	p.setYear(number{fixedDigits(digits[:n-4]), n - 4})
	p.month, p.day = fixedDigits(digits[n-4:n-2]), fixedDigits(digits[n-2:])
	p.dated = true
	return true
}

// packedClock reads HHMM or HHMMSS, and decimals.
func (p *momentParser) packedClock(digits []byte) bool {
	second := int64(0)
	if len(digits) == 6 {
		second = fixedDigits(digits[4:])
	}
	return p.setClock(fixedDigits(digits[:2]), fixedDigits(digits[2:4]), second)
}

// clock reads H:MM, H:MM:SS and decimals.
func (p *momentParser) clock() bool {
	var parts [3]int64
	for i := range parts {
		digits, rest := cutDigits(p.rest)
		if len(digits) == 0 || len(digits) > 7 {
			return false
		}
		parts[i] = fixedDigits(digits)
		p.rest = rest
		if i == 2 || len(rest) == 0 || rest[0] != ':' {
			break
		}
		p.rest = rest[1:]
	}
	return p.setClock(parts[0], parts[1], parts[2])
}

func (p *momentParser) setClock(hour, minute, second int64) bool {
	p.clocked = true
	p.outOfRange = p.outOfRange || hour > 24 || minute > 59 || second > 60
	p.micros = ((hour*60+minute)*60 + second) * microsPerSecond
	if len(p.rest) > 0 && p.rest[0] == '.' {
		var micros int64
		micros, p.rest = fraction(p.rest[1:])
		p.micros += micros
	}
	return true
}

// finishClock applies AM and PM; nothing comes after 24:00.
func (p *momentParser) finishClock() {
	hour := p.micros / microsPerHour
	if p.meridian != 0 && (hour > 12 || !p.clocked) {
		p.outOfRange = true
	}
	switch {
	case p.meridian == 'a' && hour == 12:
		p.micros -= 12 * microsPerHour
	case p.meridian == 'p' && hour != 12:
		p.micros += 12 * microsPerHour
	}
	p.outOfRange = p.outOfRange || p.micros > microsPerDay
}

// validDate checks the date, whose year it completes.
func (p *momentParser) validDate() bool {
	if p.year < 1 && !p.shortYear || p.month < 1 || p.month > 12 {
		return false
	}
	p.finishYear()
	return p.day >= 1 && p.day <= daysIn(p.year, p.month)
}

func (p *momentParser) takeLetters() string {
	n := 0
	for n < len(p.rest) && isLetter(p.rest[n]) {
		n++
	}
	word := strings.ToLower(string(p.rest[:n]))
	p.rest = p.rest[n:]
	return word
}

// letters reads a word: the T of ISO 8601, a month, a day of the week, AM or
// PM, BC or AD, or a time zone.
func (p *momentParser) letters() bool {
	start := p.rest
	word := p.takeLetters()
	switch word {
	case "t":
		return p.dated && !p.clocked && len(p.rest) > 0 && isDigit(p.rest[0])
	case "am", "pm":
		p.meridian = word[0]
		return true
	case "bc":
		p.bc = true
		return true
	case "ad":
		return true
	}
	switch {
	case !p.dated && p.monthName(word):
		return p.afterMonth()
	case isWeekday(word):
		return true
	case p.zoned || !p.dated && !p.clocked:
		return false
	}
	p.zoned = true
	p.rest = start
	return p.zoneName()
}

// afterMonth reads on where a month is the first part of Jan-08-1999.
func (p *momentParser) afterMonth() bool {
	if len(p.rest) < 2 || p.rest[0] != '-' || !isDigit(p.rest[1]) {
		return true
	}
	p.rest = p.rest[1:]
	return p.separated('-')
}

// monthName takes a month's name or its first three letters.
func (p *momentParser) monthName(word string) bool {
	if p.named {
		return false
	}
	for month := time.January; month <= time.December; month++ {
		name := strings.ToLower(month.String())
		if word == name || word == name[:3] || word == "sept" && month == time.September {
			p.month, p.named = int64(month), true
			return true
		}
	}
	return false
}

func isWeekday(word string) bool {
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := strings.ToLower(day.String())
		if word == name || word == name[:3] {
			return true
		}
	}
	return false
}

// zoneName reads an abbreviation or a name like Europe/Berlin.
func (p *momentParser) zoneName() bool {
	n := 0
	for n < len(p.rest) && !isSpace(p.rest[n]) && p.rest[n] != ',' {
		n++
	}
	name := string(p.rest[:n])
	letters := len(name) - len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	if offset, ok := abbreviation(strings.ToLower(name[:letters])); ok && letters == n {
		p.rest = p.rest[n:]
		p.offset = offset
		return true
	}
	loc, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		if strings.Contains(name, "/") {
			p.fault = Errorf(codeInvalidParameter, `time zone "%s" not recognized`, strings.ToLower(name))
		}
		return false
	}
	p.rest = p.rest[n:]
	p.zone = loc
	return true
}

// abbreviation is the distance of the abbreviations that Postgres knows by
// default and that data holds, in seconds east of UTC.
func abbreviation(name string) (seconds int64, ok bool) {
	const hour = 3600
	switch name {
	case "z", "zulu", "utc", "gmt", "ut", "wet":
		return 0, true
	case "bst", "cet", "west", "met":
		return 1 * hour, true
	case "cest", "eet", "mest", "ist", "sast":
		return 2 * hour, true
	case "eest", "msk", "eat", "idt":
		return 3 * hour, true
	case "pkt":
		return 5 * hour, true
	case "hkt", "sgt", "awst":
		return 8 * hour, true
	case "jst", "kst":
		return 9 * hour, true
	case "aest":
		return 10 * hour, true
	case "aedt":
		return 11 * hour, true
	case "nzst":
		return 12 * hour, true
	case "nzdt":
		return 13 * hour, true
	case "brt", "art":
		return -3 * hour, true
	}
	return americanAbbreviation(name)
}

func americanAbbreviation(name string) (seconds int64, ok bool) {
	const hour = 3600
	switch name {
	case "adt":
		return -3 * hour, true
	case "ast", "edt":
		return -4 * hour, true
	case "est", "cdt":
		return -5 * hour, true
	case "cst", "mdt":
		return -6 * hour, true
	case "mst", "pdt":
		return -7 * hour, true
	case "pst", "akdt":
		return -8 * hour, true
	case "akst":
		return -9 * hour, true
	case "hst":
		return -10 * hour, true
	default:
		return 0, false
	}
}
