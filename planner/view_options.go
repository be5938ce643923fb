package planner

import (
	"context"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/sessionop"
)

// The lengths of time that CREATE MATERIALIZED VIEW … WITH (…) and ALTER
// MATERIALIZED VIEW … SET (…) give a view. RESET takes one back to what it is
// where nothing is said.

// viewOptionNames are the options, for hints.
const viewOptionNames = "gap, lateness, watermark_delay, idle_timeout, max_ahead, revision_retention and event_retention"

// setViewOptions alters a view as one action of ALTER says.
func (s *session) setViewOptions(ctx context.Context, write *catalog.WriteTx, v *catalog.View, st *Statement, a AlterAction) error {
	contract := *v.Contract
	for _, o := range a.Options {
		if err := setViewOption(st, &contract, o, a.Kind == AlterResetOptions); err != nil {
			return err
		}
	}
	return write.AlterView(ctx, v, &contract)
}

// setViewOption puts one option into a contract.
func setViewOption(st *Statement, c *catalog.Contract, o Option, reset bool) error {
	target, none := viewOption(c, o.Name)
	switch {
	case target == nil:
		return errorAt(st.SQL, o.Range.Start, codeInvalidParameter, "unrecognized parameter \"%s\"", o.Name).
			WithHint("A materialized view has %s.", viewOptionNames)
	case reset && o.Name == "gap":
		return errorAt(st.SQL, o.Range.Start, codeInvalidParameter, "a view cannot be without a gap").WithHint("SET (gap = '…') changes it.")
	case reset || o.Name != "gap" && noLength(o.Value):
		*target = none
		return nil
	}
	micros, err := parseDuration(o.Value)
	if err != nil {
		return errorAt(st.SQL, o.Range.Start, err.code, "%s: %s", o.Name, err.message).WithHint("%s", err.hint)
	}
	if strings.HasSuffix(o.Name, "_retention") {
		micros = max(micros, 1) // none at all: 0 stands for ever
	}
	*target = micros
	return nil
}

// viewOption is where a contract keeps an option, and what it is where there
// is none; nil for an unknown name.
func viewOption(c *catalog.Contract, name string) (target *int64, none int64) {
	switch name {
	case "gap":
		return &c.Gap, 0
	case "lateness":
		return &c.Lateness, sessionop.Unlimited
	case "watermark_delay":
		return &c.Delay, 0
	case "idle_timeout":
		return &c.IdleTimeout, 0
	case "max_ahead":
		return &c.MaxAhead, sessionop.Unlimited
	case "revision_retention":
		return &c.RevisionRetention, 0
	case "event_retention":
		return &c.EventRetention, 0
	default:
		return nil, 0
	}
}

// noLength reports whether the value says that there is no limit.
func noLength(value string) bool {
	switch strings.ToLower(value) {
	case "unlimited", "infinity", "infinite", "none", "never", "all":
		return true
	}
	return false
}
