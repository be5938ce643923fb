package planner

import (
	"slices"
	"strings"
)

// optionPrefix marks the options by which a table states its contract.
const optionPrefix = "session_"

// checkTableOption refuses an option session_… that no SESSIONIZE call could
// use. Whether the columns that it names are there is seen by the call.
func (s *Statement) checkTableOption(o Option) error {
	name := strings.TrimPrefix(o.Name, optionPrefix)
	if !slices.Contains(sessionizeArgs(), name) {
		e := errorAt(s.SQL, o.Range.Start, codeInvalidParameter, "unrecognized parameter \"%s\"", o.Name)
		if near := nearestArg(name); near != "" {
			return e.WithHint("Did you mean \"%s%s\"?", optionPrefix, near)
		}
		return e.WithHint("A table can state %s%s.", optionPrefix, strings.Join(sessionizeArgs(), ", "+optionPrefix))
	}
	switch name {
	case "gap", "watermark_delay", "idle_timeout", "lateness", "max_ahead":
		return s.checkLength(name, o)
	case "watermark":
		if o.Value != "event_time" && o.Value != "explicit" {
			return errorAt(s.SQL, o.Range.Start, codeInvalidParameter, "\"%s\" is no kind of watermark", o.Value).
				WithHint("Write %s = 'event_time' or %s = 'explicit'.", o.Name, o.Name)
		}
	}
	return nil
}

func (s *Statement) checkLength(name string, o Option) error {
	word := strings.ToLower(o.Value)
	if (name == "lateness" || name == "max_ahead") && (word == "unlimited" || word == "infinity") {
		return nil
	}
	if _, err := parseDuration(o.Value); err != nil {
		return errorAt(s.SQL, o.Range.Start, err.code, "%s: %s", o.Name, err.message).WithHint("%s", err.hint)
	}
	return nil
}
