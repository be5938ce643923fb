package planner

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// location is the session's time zone. The zone last asked for is kept: every
// statement with a time in it asks, and loading one reads a file.
func (g *settings) location() *time.Location {
	name := g.get("timezone")
	if g.zone != nil && g.zoneName == name {
		return g.zone
	}
	loc, err := time.LoadLocation(ianaZone(name))
	if err != nil { // SET has checked the name
		return time.UTC
	}
	g.zone, g.zoneName = loc, name
	return loc
}

// applyZone lets DuckDB and the protocol's encoder have the time zone that the
// settings say.
func (s *session) applyZone(ctx context.Context) error {
	g := s.settings
	zone := ianaZone(g.get("timezone"))
	if zone == g.engine {
		return nil
	}
	if _, err := s.conn.Exec(ctx, "SET TimeZone = "+quoteLiteral(zone)); err != nil {
		return err
	}
	g.engine = zone
	s.client.SetLocation(g.location())
	return nil
}

// normaliseZone is the name of a time zone as SHOW prints it.
func normaliseZone(value string) (string, error) {
	switch strings.ToUpper(value) {
	case "UTC", "DEFAULT":
		return defaultZone, nil
	case "", "LOCAL":
		return "", invalidSetting("timezone", value)
	}
	if _, err := time.LoadLocation(ianaZone(value)); err != nil {
		return "", invalidSetting("timezone", value).
			WithHint("Write a name of the IANA time zones, such as Europe/Berlin or UTC, or whole hours.")
	}
	return value, nil
}

// offsetZone is the zone that Postgres makes of a number of hours east of
// Greenwich, whose POSIX form counts to the west.
func offsetZone(hours string) string {
	number, fraction, _ := strings.Cut(strings.TrimPrefix(hours, "+"), ":")
	h, err := strconv.Atoi(number)
	if err != nil || strings.Trim(fraction, "0:") != "" {
		return hours
	}
	return fmt.Sprintf("<%+03d>%+03d", h, -h)
}

// ianaZone is the name by which DuckDB and Go know a zone: that of a POSIX
// specification in whole hours, such as <+02>-02 or GMT+3, which like it counts
// to the west, is one of Etc's.
func ianaZone(name string) string {
	switch strings.ToUpper(name) {
	case "UTC", "GMT", "Z", "ZULU":
		return defaultZone
	}
	sign := strings.LastIndexAny(name, "+-")
	if sign < 0 || !posixName(name[:sign]) {
		return name
	}
	hours, rest, _ := strings.Cut(name[sign:], ":")
	h, err := strconv.Atoi(hours)
	if err != nil || strings.Trim(rest, "0:") != "" {
		return name
	}
	if h == 0 {
		return defaultZone
	}
	return fmt.Sprintf("Etc/GMT%+d", h)
}

// posixName reports whether an abbreviation may stand before an offset.
func posixName(s string) bool {
	if strings.HasPrefix(s, "<") {
		return strings.HasSuffix(s, ">")
	}
	return strings.Trim(strings.ToUpper(s), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
