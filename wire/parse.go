package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"time"
)

// ParseText decodes a value from the text format of the type oid, with
// Postgres's spellings and errors. A timestamp with time zone that names no
// zone is in loc. A type that it does not know stays a string.
func ParseText(oid uint32, s string, loc *time.Location) (Value, error) {
	b := []byte(s)
	switch oid {
	case OIDBool:
		return value(ParseBool(b))
	case OIDInt2, OIDInt4, OIDInt8, OIDOid, OIDXid, OIDCid:
		return value(parseInteger(b, oid))
	case OIDFloat4:
		return value(ParseFloat32(b))
	case OIDFloat8:
		return value(ParseFloat64(b))
	case OIDNumeric:
		return value(ParseNumeric(b))
	case OIDUUID:
		return value(ParseUUID(b))
	case OIDBytea:
		return value(ParseBytea(b))
	case OIDJSON, OIDJSONB:
		return value(parseJSON(s, oid))
	case OIDDate, OIDTime, OIDTimestamp, OIDTimestampTZ, OIDInterval:
		return parseTimeText(oid, b, loc)
	}
	if elem := ElementOID(oid); elem != 0 {
		return value(parseArray(s, elem, loc))
	}
	return s, nil
}

// value makes a Value of a typed result, nil where it failed.
func value[T any](v T, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// parseTimeText is ParseText for the types of time.
func parseTimeText(oid uint32, b []byte, loc *time.Location) (Value, error) {
	switch oid {
	case OIDDate:
		return value(ParseDate(b))
	case OIDTime:
		return value(ParseTime(b))
	case OIDTimestamp:
		return value(ParseTimestamp(b, nil))
	case OIDTimestampTZ:
		if loc == nil {
			loc = time.UTC
		}
		return value(ParseTimestamp(b, loc))
	default:
		return value(ParseInterval(b))
	}
}

// badSyntax is Postgres's error for text that is no value of a type.
func badSyntax(code string, oid uint32, b []byte) error {
	return Errorf(code, `invalid input syntax for type %s: "%s"`, typeName(oid), b)
}

// outOfRange is Postgres's error for a number that a type cannot hold.
func outOfRange(oid uint32, b []byte) error {
	if oid == OIDFloat4 || oid == OIDFloat8 {
		return Errorf(codeOutOfRange, `"%s" is out of range for type %s`, b, typeName(oid))
	}
	return Errorf(codeOutOfRange, `value "%s" is out of range for type %s`, b, typeName(oid))
}

// trim takes off the white space that Postgres ignores around a value.
func trim(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// ParseBool reads true, yes, on, 1, their opposites, and whatever begins only
// one of them.
func ParseBool(b []byte) (bool, error) {
	word := trim(b)
	if len(word) == 1 {
		switch word[0] {
		case 't', 'T', 'y', 'Y', '1':
			return true, nil
		case 'f', 'F', 'n', 'N', '0':
			return false, nil
		}
	}
	switch {
	case begins(word, "true", 1), begins(word, "yes", 1), begins(word, "on", 2):
		return true, nil
	case begins(word, "false", 1), begins(word, "no", 1), begins(word, "off", 2):
		return false, nil
	}
	return false, badSyntax(codeInvalidText, OIDBool, b)
}

// begins says that word is the beginning of full, in any case, and has at
// least that many letters.
func begins(word []byte, full string, least int) bool {
	return len(word) >= least && len(word) <= len(full) && equalFold(word, full[:len(word)])
}

// equalFold compares with lower-case ASCII.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// ParseUUID reads 32 hex digits, with hyphens after any group of four and
// braces around them if you like.
func ParseUUID(b []byte) (UUID, error) {
	var u UUID
	s := b
	if len(s) > 1 && s[0] == '{' && s[len(s)-1] == '}' {
		s = s[1 : len(s)-1]
	}
	for i := range u {
		if i > 0 && i%2 == 0 && len(s) > 0 && s[0] == '-' {
			s = s[1:]
		}
		if len(s) < 2 {
			return UUID{}, badSyntax(codeInvalidText, OIDUUID, b)
		}
		hi, ok1 := hexValue(s[0])
		lo, ok2 := hexValue(s[1])
		if !ok1 || !ok2 {
			return UUID{}, badSyntax(codeInvalidText, OIDUUID, b)
		}
		u[i], s = hi<<4|lo, s[2:]
	}
	if len(s) > 0 {
		return UUID{}, badSyntax(codeInvalidText, OIDUUID, b)
	}
	return u, nil
}

// ParseBytea reads the hex format (\x…) and the escape format.
func ParseBytea(b []byte) ([]byte, error) {
	if hexText, ok := bytes.CutPrefix(b, []byte(`\x`)); ok {
		return parseByteaHex(hexText)
	}
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		switch {
		case b[0] != '\\':
			out, b = append(out, b[0]), b[1:]
		case len(b) > 1 && b[1] == '\\':
			out, b = append(out, '\\'), b[2:]
		case isOctal(b[1:]):
			out, b = append(out, (b[1]-'0')<<6|(b[2]-'0')<<3|(b[3]-'0')), b[4:]
		default:
			return nil, Errorf(codeInvalidText, "invalid input syntax for type bytea")
		}
	}
	return out, nil
}

// isOctal says that s begins with three octal digits of one byte.
func isOctal(s []byte) bool {
	return len(s) >= 3 && s[0] >= '0' && s[0] <= '3' && s[1] >= '0' && s[1] <= '7' && s[2] >= '0' && s[2] <= '7'
}

// parseByteaHex reads pairs of digits, with white space between pairs.
func parseByteaHex(s []byte) ([]byte, error) {
	out := make([]byte, 0, hex.DecodedLen(len(s)))
	for len(s) > 0 {
		if isSpace(s[0]) {
			s = s[1:]
			continue
		}
		hi, ok := hexValue(s[0])
		if !ok {
			return nil, Errorf(codeInvalidParameter, `invalid hexadecimal digit: "%c"`, s[0])
		}
		if len(s) < 2 {
			return nil, Errorf(codeInvalidParameter, "invalid hexadecimal data: odd number of digits")
		}
		lo, ok := hexValue(s[1])
		if !ok {
			return nil, Errorf(codeInvalidParameter, `invalid hexadecimal digit: "%c"`, s[1])
		}
		out, s = append(out, hi<<4|lo), s[2:]
	}
	return out, nil
}

func parseJSON(s string, oid uint32) (string, error) {
	if json.Valid([]byte(s)) {
		return s, nil
	}
	return "", Errorf(codeInvalidText, "invalid input syntax for type %s", typeName(oid))
}
