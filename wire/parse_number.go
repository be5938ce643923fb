package wire

import (
	"math"
	"math/bits"
	"strconv"
)

// ParseInt64 reads a bigint.
func ParseInt64(b []byte) (int64, error) { return parseInt(b, 64, OIDInt8) }

// ParseInt32 reads an integer.
func ParseInt32(b []byte) (int32, error) {
	n, err := parseInt(b, 32, OIDInt4)
	return int32(n), err
}

// ParseInt16 reads a smallint.
func ParseInt16(b []byte) (int16, error) {
	n, err := parseInt(b, 16, OIDInt2)
	return int16(n), err
}

// parseInteger reads any of the types that a Value holds as int64.
func parseInteger(b []byte, oid uint32) (int64, error) {
	switch oid {
	case OIDInt2:
		return parseInt(b, 16, oid)
	case OIDInt4:
		return parseInt(b, 32, oid)
	case OIDInt8:
		return parseInt(b, 64, oid)
	}
	// The 32-bit unsigned types also take a negative number, as strtoul does.
	n, err := parseInt(b, 64, oid)
	if err == nil && (n < math.MinInt32 || n > math.MaxUint32) {
		err = outOfRange(oid, b)
	}
	return int64(uint32(n)), err
}

func parseInt(b []byte, size uint, oid uint32) (int64, error) {
	s := trim(b)
	negative := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		negative, s = s[0] == '-', s[1:]
	}
	if len(s) == 0 {
		return 0, badSyntax(codeInvalidText, oid, b)
	}
	var n uint64
	overflow := false
	for _, c := range s {
		if !isDigit(c) {
			return 0, badSyntax(codeInvalidText, oid, b)
		}
		overflow = overflow || n > math.MaxInt64/10
		n = n*10 + uint64(c-'0')
	}
	limit := uint64(1) << (size - 1) // the absolute value of the least number
	if negative {
		if overflow || n > limit {
			return 0, outOfRange(oid, b)
		}
		return -int64(n), nil
	}
	if overflow || n >= limit {
		return 0, outOfRange(oid, b)
	}
	return int64(n), nil
}

// ParseFloat64 reads a double precision.
func ParseFloat64(b []byte) (float64, error) { return parseFloat(b, 64, OIDFloat8) }

// ParseFloat32 reads a real.
func ParseFloat32(b []byte) (float32, error) {
	f, err := parseFloat(b, 32, OIDFloat4)
	return float32(f), err
}

func parseFloat(b []byte, size int, oid uint32) (float64, error) {
	s := trim(b)
	if f, ok := floatWord(s); ok {
		return f, nil
	}
	digits := false // Go reads more than Postgres: 0x1p-2, 1_000, nan()
	exponent := false
	for _, c := range s {
		switch {
		case isDigit(c):
			digits = digits || c != '0' && !exponent
		case c|0x20 == 'e':
			exponent = true
		case c != '.' && c != '-' && c != '+':
			return 0, badSyntax(codeInvalidText, oid, b)
		}
	}
	f, err := strconv.ParseFloat(string(s), size)
	switch {
	case err == nil && (f != 0 || !digits):
		return f, nil
	case err == nil || math.IsInf(f, 0):
		return 0, outOfRange(oid, trim(b))
	default:
		return 0, badSyntax(codeInvalidText, oid, b)
	}
}

// nanBits is the NaN that Postgres makes.
const nanBits = 0x7ff8 << 48

// floatWord reads the floats that are words.
func floatWord(s []byte) (float64, bool) {
	sign, word := 1, s
	if len(word) > 0 && (word[0] == '-' || word[0] == '+') {
		if word[0] == '-' {
			sign = -1
		}
		word = word[1:]
	}
	if len(word) == 0 || !isLetter(word[0]) {
		return 0, false
	}
	switch {
	case equalFold(word, "nan"):
		return math.Float64frombits(nanBits), true
	case equalFold(word, "inf"), equalFold(word, "infinity"):
		return math.Inf(sign), true
	default:
		return 0, false
	}
}

// Postgres's bounds for the digits of a numeric, before and after the point.
const (
	numericMaxWhole    = 131072
	numericMaxFraction = 16383
)

// decimal is the syntax of a numeric, taken apart: ± digits · 10^exponent,
// where the digits are whole and fraction, one after the other.
type decimal struct {
	negative        bool
	whole, fraction []byte
	exponent        int
}

// parseDecimalParts takes a numeric's text apart. It has digits, and a word
// like NaN is none.
func parseDecimalParts(s []byte) (decimal, bool) {
	var d decimal
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		d.negative, s = s[0] == '-', s[1:]
	}
	d.whole, s = cutDigits(s)
	if len(s) > 0 && s[0] == '.' {
		d.fraction, s = cutDigits(s[1:])
	}
	if len(d.whole)+len(d.fraction) == 0 {
		return d, false
	}
	if len(s) > 0 && s[0]|0x20 == 'e' {
		n, err := parseInt(s[1:], 32, OIDInt4)
		if err != nil || len(s) > 1 && isSpace(s[1]) {
			return d, false
		}
		d.exponent, s = int(n), nil
	}
	return d, len(s) == 0
}

func cutDigits(s []byte) (digits, rest []byte) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// ParseNumeric reads a numeric of any precision into its canonical text.
func ParseNumeric(b []byte) (Numeric, error) {
	s := trim(b)
	if f, ok := floatWord(s); ok {
		return numericWord(f), nil
	}
	d, ok := parseDecimalParts(s)
	if !ok {
		return "", badSyntax(codeInvalidText, OIDNumeric, b)
	}
	if d.exponent > numericMaxWhole || d.exponent < -numericMaxFraction ||
		len(d.whole)+d.exponent > numericMaxWhole || len(d.fraction)-d.exponent > numericMaxFraction {
		return "", Errorf(codeOutOfRange, "value overflows numeric format")
	}
	return d.text(), nil
}

func numericWord(f float64) Numeric {
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	default:
		return "NaN"
	}
}

// text writes the decimal without an exponent and without leading zeros.
func (d decimal) text() Numeric {
	point := len(d.whole) + d.exponent // of the digits, where the point goes
	count := len(d.whole) + len(d.fraction)
	out := make([]byte, 0, count+max(point, 0)+max(-point, 0)+3)
	zero := true
	for i := min(point, 0); i < max(point, count); i++ {
		if i == point {
			if len(out) == 0 {
				out = append(out, '0')
			}
			out = append(out, '.')
		}
		digit := d.digit(i)
		if digit != '0' || len(out) > 0 || i >= point {
			out = append(out, digit)
		}
		zero = zero && digit == '0'
	}
	if len(out) == 0 {
		out = append(out, '0')
	}
	if d.negative && !zero {
		return Numeric("-" + string(out))
	}
	return Numeric(out)
}

// digit is digit i of whole and fraction, and 0 outside them.
func (d decimal) digit(i int) byte {
	switch {
	case i < 0 || i >= len(d.whole)+len(d.fraction):
		return '0'
	case i < len(d.whole):
		return d.whole[i]
	default:
		return d.fraction[i-len(d.whole)]
	}
}

// ParseDecimal reads a numeric(precision, scale), whose precision is at most
// 38, as an integer scaled by 10^scale. Digits behind the scale are rounded,
// halves away from zero.
func ParseDecimal(b []byte, precision, scale int) (Int128, error) {
	s := trim(b)
	if _, ok := floatWord(s); ok {
		return Int128{}, fieldOverflow(precision, scale).
			WithDetail("A field with precision %d, scale %d cannot hold %s.", precision, scale, s)
	}
	d, ok := parseDecimalParts(s)
	if !ok {
		return Int128{}, badSyntax(codeInvalidText, OIDNumeric, b)
	}
	n, ok := d.scaled(precision, scale)
	if !ok {
		return Int128{}, fieldOverflow(precision, scale)
	}
	return n, nil
}

func fieldOverflow(precision, scale int) *Error {
	return Errorf(codeOutOfRange, "numeric field overflow").
		WithDetail("A field with precision %d, scale %d must round to an absolute value less than 10^%d.",
			precision, scale, precision-scale)
}

// scaled is the decimal times 10^scale, rounded. It reports false if that has
// more than precision digits.
func (d decimal) scaled(precision, scale int) (Int128, bool) {
	point := len(d.whole) + d.exponent
	var hi, lo uint64
	count := 0 // digits, from the first that is not zero
	for i := range max(point+scale, 0) {
		digit := d.digit(i)
		if count > 0 || digit != '0' {
			count++
		}
		if count > precision {
			return Int128{}, false
		}
		hi, lo = timesTenPlus(hi, lo, uint64(digit-'0'))
	}
	if point+scale >= 0 && d.digit(point+scale) >= '5' {
		var carry uint64
		lo, carry = bits.Add64(lo, 1, 0)
		hi += carry
		if limHi, limLo := powerOfTen(precision); hi == limHi && lo == limLo {
			return Int128{}, false
		}
	}
	if d.negative {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	return Int128{Lo: lo, Hi: int64(hi)}, true
}

func timesTenPlus(hi, lo, digit uint64) (uint64, uint64) {
	carry, low := bits.Mul64(lo, 10)
	low, c := bits.Add64(low, digit, 0)
	return hi*10 + carry + c, low
}

func powerOfTen(n int) (hi, lo uint64) {
	lo = 1
	for range n {
		hi, lo = timesTenPlus(hi, lo, 0)
	}
	return hi, lo
}
