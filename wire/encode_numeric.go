package wire

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
)

// The sign words of a binary numeric.
const (
	numericPositive = 0x0000
	numericNegative = 0x4000
	numericNaN      = 0xC000
	numericInf      = 0xD000
	numericNegInf   = 0xF000

	numericInfScale = 0x20 // Postgres sends a scale with the infinities
)

func numericTextEncoder(k Kind) appendFunc {
	switch k {
	case KindNumeric16:
		return func(_ *encoder, dst []byte, v *Vector, i int) []byte {
			return appendScaled(dst, int64(v.Int16s[i]), int(v.Type.Scale))
		}
	case KindNumeric32:
		return func(_ *encoder, dst []byte, v *Vector, i int) []byte {
			return appendScaled(dst, int64(v.Int32s[i]), int(v.Type.Scale))
		}
	case KindNumeric64:
		return func(_ *encoder, dst []byte, v *Vector, i int) []byte {
			return appendScaled(dst, v.Int64s[i], int(v.Type.Scale))
		}
	default:
		return func(_ *encoder, dst []byte, v *Vector, i int) []byte {
			return appendScaled128(dst, v.Int128s[i], int(v.Type.Scale))
		}
	}
}

func numericBinaryEncoder(k Kind) appendFunc {
	text := numericTextEncoder(k)
	return func(e *encoder, dst []byte, v *Vector, i int) []byte {
		var digits [48]byte
		return appendNumericBinary(dst, text(e, digits[:0], v, i))
	}
}

func appendNumericTextBinary(e *encoder, dst []byte, v *Vector, i int) []byte {
	e.scratch = append(e.scratch[:0], v.Strings[i]...)
	return appendNumericBinary(dst, e.scratch)
}

// appendScaled writes n / 10^scale with exactly scale decimals.
func appendScaled(dst []byte, n int64, scale int) []byte {
	if scale == 0 {
		return strconv.AppendInt(dst, n, 10)
	}
	abs := uint64(n)
	if n < 0 {
		dst, abs = append(dst, '-'), -abs
	}
	var digits [20]byte
	return appendPoint(dst, strconv.AppendUint(digits[:0], abs, 10), scale)
}

// appendScaled128 is appendScaled for 128 bits.
func appendScaled128(dst []byte, n Int128, scale int) []byte {
	if n.Hi == int64(n.Lo)>>63 {
		return appendScaled(dst, int64(n.Lo), scale)
	}
	hi, lo := uint64(n.Hi), n.Lo
	if n.Hi < 0 {
		dst = append(dst, '-')
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	var digits [40]byte
	return appendPoint(dst, appendUint128(digits[:0], hi, lo), scale)
}

// appendUint128 writes hi·2^64 + lo in 19-digit pieces.
func appendUint128(dst []byte, hi, lo uint64) []byte {
	const piece = 1e19
	if hi == 0 {
		return strconv.AppendUint(dst, lo, 10)
	}
	// Divide by 10^19; the quotient is below 2^65, so twice at most.
	qhi, rest := hi/piece, hi%piece
	qlo, low := bits.Div64(rest, lo, piece)
	dst = appendUint128(dst, qhi, qlo)
	start := len(dst)
	dst = append(dst, "0000000000000000000"...)
	for i := len(dst) - 1; i >= start; i-- {
		dst[i] += byte(low % 10)
		low /= 10
	}
	return dst
}

// appendPoint writes digits with a point before the last scale of them.
func appendPoint(dst, digits []byte, scale int) []byte {
	if scale == 0 {
		return append(dst, digits...)
	}
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0', '.')
		for range -whole {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[:whole]...)
	dst = append(dst, '.')
	return append(dst, digits[whole:]...)
}

// appendNumericBinary writes canonical decimal text as Postgres's binary
// numeric: digits to base 10,000, the weight of the first, sign and scale.
func appendNumericBinary(dst, text []byte) []byte {
	switch string(text) {
	case "NaN":
		return appendNumericHead(dst, numericNaN, 0)
	case "Infinity":
		return appendNumericHead(dst, numericInf, numericInfScale)
	case "-Infinity":
		return appendNumericHead(dst, numericNegInf, numericInfScale)
	}
	sign := uint16(numericPositive)
	if len(text) > 0 && text[0] == '-' {
		sign, text = numericNegative, text[1:]
	}
	whole, fraction := text, []byte(nil)
	if point := strings.IndexByte(string(text), '.'); point >= 0 {
		whole, fraction = text[:point], text[point+1:]
	}
	return appendNumericDigits(dst, whole, fraction, sign)
}

// appendNumericHead writes the head of a number without digits.
func appendNumericHead(dst []byte, sign uint16, scale int) []byte {
	dst = binary.BigEndian.AppendUint32(dst, 0)
	dst = binary.BigEndian.AppendUint16(dst, sign)
	return binary.BigEndian.AppendUint16(dst, uint16(scale))
}

// appendNumericDigits groups decimal digits by four on both sides of the
// point, without leading and trailing zero groups.
func appendNumericDigits(dst, whole, fraction []byte, sign uint16) []byte {
	head := len(dst)
	dst = appendNumericHead(dst, sign, len(fraction))
	first := (len(whole) + 3) / 4 // groups before the point
	last := (len(fraction) + 3) / 4
	weight, used := first-1, 0 // used: up to and with the last group that is not zero
	for g := range first + last {
		digit := decimalGroup(whole, fraction, g-first)
		if digit == 0 && len(dst) == head+8 {
			weight--
			continue
		}
		dst = binary.BigEndian.AppendUint16(dst, digit)
		if digit != 0 {
			used = (len(dst) - head - 8) / 2
		}
	}
	dst = dst[:head+8+2*used]
	if used == 0 {
		weight, sign = 0, numericPositive
	}
	binary.BigEndian.PutUint16(dst[head:], uint16(used))
	binary.BigEndian.PutUint16(dst[head+2:], uint16(weight))
	binary.BigEndian.PutUint16(dst[head+4:], sign)
	return dst
}

// decimalGroup is the base-10,000 digit at g: those before the point are
// negative, the first one after it is 0.
func decimalGroup(whole, fraction []byte, g int) uint16 {
	var digit uint16
	for k := range 4 {
		digit *= 10
		if g < 0 {
			if at := len(whole) + 4*g + k; at >= 0 {
				digit += uint16(whole[at] - '0')
			}
		} else if at := 4*g + k; at < len(fraction) {
			digit += uint16(fraction[at] - '0')
		}
	}
	return digit
}
