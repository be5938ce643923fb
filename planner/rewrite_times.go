package planner

import (
	"fmt"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// plainText writes the text of a date, timestamp or interval, in any of the
// forms that Postgres reads, as DuckDB reads it. What DuckDB reads as Postgres
// does, and what neither reads, stays as it is.
func plainText(typeName, s string) string {
	if plainTime(typeName, s) {
		return s
	}
	switch typeName {
	case "date":
		if v, ok := parsed[wire.Date](wire.OIDDate, s); ok && v != wire.DateInfinity && v != wire.DateNegInfinity {
			return dateText(time.Unix(int64(v)*86400, 0))
		}
	case "timestamp":
		if v, ok := parsed[wire.Timestamp](wire.OIDTimestamp, s); ok && v != wire.TimestampInfinity && v != wire.TimestampNegInfinity {
			at := time.UnixMicro(int64(v)).UTC()
			return dateText(at) + at.Format(" 15:04:05.999999")
		}
	case "interval":
		if v, ok := parsed[wire.Interval](wire.OIDInterval, s); ok {
			return fmt.Sprintf("%d months %d days %d microseconds", v.Months, v.Days, v.Micros)
		}
	}
	return s
}

// plainTime reports whether the text starts like an ISO date, or is an
// interval of unsigned numbers with units, and nothing is special about it.
func plainTime(typeName, s string) bool {
	if typeName == "interval" {
		return s != "" && isDigit(s[0]) && !strings.ContainsAny(s, "-+:@") && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") && !strings.Contains(s, "ago") || numeric(s)
	}
	return len(s) >= 10 && s[4] == '-' && s[7] == '-' && !strings.ContainsAny(s[10:], "BbCc") || len(s) < 6
}

// numeric reports whether the text is a number alone, whose unit follows.
func numeric(s string) bool {
	number, rest := cutNumber(s)
	return number != "" && rest == ""
}

func parsed[T any](oid uint32, s string) (v T, ok bool) {
	value, err := wire.ParseText(oid, s, time.UTC)
	if err != nil {
		return v, false
	}
	v, ok = value.(T)
	return v, ok
}

func dateText(at time.Time) string {
	at = at.UTC()
	if at.Year() > 0 {
		return fmt.Sprintf("%04d-%02d-%02d", at.Year(), at.Month(), at.Day())
	}
	return fmt.Sprintf("%04d-%02d-%02d (BC)", 1-at.Year(), at.Month(), at.Day())
}

// zonedText is plainText for a timestamp with time zone, whose value depends
// on the session's zone where it names none: only its spelling is changed.
func zonedText(s string) string {
	s = withSeconds(s)
	body, bc := strings.CutSuffix(s, " BC")
	if !bc {
		return s
	}
	date, rest, _ := strings.Cut(body, " ")
	return strings.TrimSpace(date + " (BC) " + rest)
}

// withSeconds adds :00 to a time of day that has minutes and then a zone,
// which DuckDB reads only after seconds.
func withSeconds(s string) string {
	colon := strings.IndexByte(s, ':')
	if colon < 1 || len(s) < colon+3 || !isDigit(s[colon-1]) || !isDigit(s[colon+1]) || !isDigit(s[colon+2]) {
		return s
	}
	rest := s[colon+3:]
	zone := strings.TrimLeft(rest, " ")
	if zone == "" || zone[0] != '+' && zone[0] != '-' && !isIdentStart(zone[0]) || len(zone) == 2 && strings.EqualFold(zone, "bc") ||
		strings.HasPrefix(strings.ToLower(zone), "am") || strings.HasPrefix(strings.ToLower(zone), "pm") {
		return s
	}
	return s[:colon+3] + ":00" + rest
}
