package planner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// reportedSettings are the names of those that ParameterStatus reports.
func reportedSettings() []string {
	return []string{
		"application_name", "client_encoding", "datestyle", "default_transaction_read_only", "intervalstyle", "is_superuser",
		"session_authorization", "standard_conforming_strings", "timezone",
	}
}

// fixedSetting refuses to change what is fixed.
func fixedSetting(name string) error {
	switch name {
	case "server_version", "server_version_num", "server_encoding", "integer_datetimes", "max_identifier_length", "block_size", "max_index_keys",
		"is_superuser", "in_hot_standby", "lc_collate", "lc_ctype":
		return wire.Errorf("55P02", "parameter \"%s\" cannot be changed", name)
	default:
		return nil
	}
}

// invalidSetting is Postgres's error about a value that a setting cannot have.
func invalidSetting(name, value string) *wire.Error {
	if n := reportedName(name); n != "" {
		name = n
	}
	return wire.Errorf(codeInvalidParameter, "invalid value for parameter \"%s\": \"%s\"", name, value)
}

// normalise checks a value and gives it the form that SHOW prints.
func (s *session) normalise(name, value string) (string, error) {
	if err := fixedSetting(name); err != nil {
		return "", err
	}
	switch name {
	case "timezone":
		return normaliseZone(value)
	case "application_name":
		return asciiOnly(value), nil
	case "client_encoding":
		switch strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(value)) {
		case "", "UTF8", "UNICODE", "SQLASCII":
			return "UTF8", nil
		}
		return "", invalidSetting(name, value).WithHint("sessiondb speaks UTF8.")
	case "datestyle":
		return normaliseDateStyle(value)
	case "role", "session_authorization":
		if user := s.client.Params["user"]; value != user && (value != "none" || name != "role") {
			return "", wire.Errorf(codeInvalidParameter, "role \"%s\" does not exist", value).WithHint("There are no roles but the user of the connection.")
		}
		return value, nil
	case "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout":
		d, ok := parseTimeout(value)
		if !ok || d.Milliseconds() > 1<<31-1 {
			return "", invalidSetting(name, value).WithHint("Write a number of milliseconds, or a number with a unit: us, ms, s, min, h, d.")
		}
		return formatTimeout(d), nil
	case "extra_float_digits":
		if n, err := strconv.Atoi(value); err != nil || n < -15 || n > 3 {
			return "", wire.Errorf(codeInvalidParameter, "%s is outside the valid range for parameter \"%s\" (-15 .. 3)", value, name)
		}
		return value, nil
	}
	return normaliseWord(name, value)
}

// normaliseWord checks the value of a switch, and of a setting that has a list
// of values.
func normaliseWord(name, value string) (string, error) {
	words := settingWords(name)
	if words == nil {
		return value, nil
	}
	word := strings.ToLower(value)
	if words[0] == "on" || words[0] == "off" {
		word = switchValue(word)
	}
	switch {
	case slices.Contains(words, word):
		return word, nil
	case len(words) == 1 && (word == "on" || word == "off"):
		return "", invalidSetting(name, value).WithHint("sessiondb has %s = %s only.", name, words[0])
	case words[0] == "on" || words[0] == "off":
		return "", wire.Errorf(codeInvalidParameter, "parameter \"%s\" requires a Boolean value", name)
	default:
		return "", invalidSetting(name, value).WithHint("Available values: %s.", strings.Join(words, ", "))
	}
}

// switchValue writes the values of switches as on and off.
func switchValue(word string) string {
	switch word {
	case "true", "yes", "1", "t", "y":
		return "on"
	case "false", "no", "0", "f", "n", "of":
		return "off"
	default:
		return word
	}
}

// settingWords are the values that a setting may have; nil if it is not of
// such a kind. Of those that would change what a statement means or prints,
// only the one that sessiondb follows is among them.
func settingWords(name string) []string {
	switch name {
	case "bytea_output":
		return []string{"hex"}
	case "intervalstyle":
		return []string{"postgres"}
	case "standard_conforming_strings", "array_nulls":
		return []string{"on"}
	case "transform_null_equals":
		return []string{"off"}
	case "xmloption":
		return []string{"content", "document"}
	case "backslash_quote":
		return []string{"safe_encoding", "on", "off"}
	case "client_min_messages":
		return []string{"debug5", "debug4", "debug3", "debug2", "debug1", "debug", "log", "info", "notice", "warning", "error"}
	case "default_transaction_isolation", "transaction_isolation":
		return []string{"serializable", "repeatable read", "read committed", "read uncommitted"}
	case "synchronous_commit":
		return []string{"local", "remote_write", "remote_apply", "on", "off"}
	}
	if def := settingDefaults()[name]; def == "on" || def == "off" {
		return []string{"on", "off"}
	}
	return nil
}

// normaliseDateStyle takes the style in which dates are written, and any order
// of their fields, which ISO's do not depend on.
func normaliseDateStyle(value string) (string, error) {
	for word := range strings.SplitSeq(value, ",") {
		switch strings.ToUpper(strings.TrimSpace(word)) {
		case "ISO", "MDY", "DMY", "YMD", "US", "EURO", "EUROPEAN", "DEFAULT":
		case "SQL", "POSTGRES", "GERMAN":
			return "", invalidSetting("datestyle", value).WithHint("sessiondb writes dates in the ISO style.")
		default:
			return "", invalidSetting("datestyle", value).WithDetail("Unrecognized key word: \"%s\".", strings.TrimSpace(word)).
				WithHint("sessiondb writes dates in the ISO style.")
		}
	}
	return "ISO, MDY", nil
}

// asciiOnly puts a question mark in the place of each byte that is no
// printable ASCII, as Postgres does in application_name.
func asciiOnly(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < ' ' || c > '~' {
			b[i] = '?'
		}
	}
	return string(b)
}

// listSetting reports whether a setting's value is a list.
func listSetting(name string) bool {
	switch name {
	case "search_path", "datestyle", "temp_tablespaces":
		return true
	default:
		return strings.Contains(name, ".")
	}
}

// parseTimeout reads a length of time; a bare number is milliseconds.
func parseTimeout(value string) (time.Duration, bool) {
	text := strings.TrimSpace(value)
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || n < 0 {
		return 0, false
	}
	units := map[string]time.Duration{"": time.Millisecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	unit, ok := units[strings.TrimSpace(text[len(digits):])]
	return time.Duration(n * float64(unit)), ok
}

func formatTimeout(d time.Duration) string {
	for _, u := range []struct {
		unit string
		d    time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}} {
		if d >= u.d && d%u.d == 0 {
			return fmt.Sprintf("%d%s", d/u.d, u.unit)
		}
	}
	if d == 0 {
		return "0"
	}
	return fmt.Sprintf("%dms", d.Milliseconds())
}
