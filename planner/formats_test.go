package planner

import (
	"testing"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// The answers are PostgreSQL 15's; sqltests compares many more.
func TestParseTime(t *testing.T) {
	for _, c := range []struct{ text, template, want string }{
		{"05 Dec 2000", "DD Mon YYYY", "2000-12-05T00:00:00Z"},
		{"20240517", "YYYYMMDD", "2024-05-17T00:00:00Z"},
		{"17/05/24", "DD/MM/YY", "2024-05-17T00:00:00Z"},
		{"2024-W20-5", `IYYY-"W"IW-ID`, "2024-05-17T00:00:00Z"},
		{"2024-137", "YYYY-DDD", "2024-05-16T00:00:00Z"},
		{"2024-05-17 10:11:12.5 +02", "YYYY-MM-DD HH24:MI:SS.MS TZH", "2024-05-17T08:11:12.5Z"},
		{"January 8, 1999 12:30 AM", "Month DD, YYYY HH12:MI AM", "1999-01-08T00:30:00Z"},
	} {
		micros, _, err := parseTime(c.text, c.template)
		if got := time.UnixMicro(micros).UTC().Format(time.RFC3339Nano); err != nil || got != c.want {
			t.Errorf("%q by %q is %s, %v; want %s", c.text, c.template, got, err, c.want)
		}
	}
	for text, code := range map[string]string{"x": "22007", "2024-13-01": "22008", "2024-02-30": "22008"} {
		_, _, err := parseTime(text, "YYYY-MM-DD")
		wantCode(t, text, err, code)
	}
}

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if e, ok := err.(*wire.Error); !ok || e.Code != code { //nolint:errorlint // as it is returned
		t.Errorf("%s: got %v, want an error %s", what, err, code)
	}
}

func TestFormatTime(t *testing.T) {
	at := time.Date(2002, 4, 2, 17, 31, 12, 660_000_000, time.UTC).UnixMicro()
	for template, want := range map[string]string{
		"FMMonth FMDDth, YYYY":  "April 2nd, 2002",
		"Day|DY|RM|":            "Tuesday  |TUE|IV  |",
		`"at" HH12:MI a.m. \"Q`: `at 05:31 p.m. "2`,
		"MS US FF2 SSSS":        "660 660000 66 63072",
	} {
		if got, err := fieldsOfTime(at).format(template); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", template, got, err, want)
		}
	}
	_, err := fieldsOfInterval(wire.Interval{Days: 1}).format("Day")
	wantCode(t, "the day of an interval", err, "22007")
}

func TestScaleInterval(t *testing.T) {
	month := catalog.Interval{Months: 1, Days: 3}
	if got, err := divideInterval(month, 2); err != nil || got != (catalog.Interval{Days: 16, Micros: 12 * microsOfHour}) {
		t.Errorf("half of it is %v, %v", got, err)
	}
	_, err := divideInterval(month, 0)
	wantCode(t, "division by zero", err, "22012")
	_, err = scaleInterval(month, 1e10)
	wantCode(t, "too long", err, "22008")
	if got := justifyInterval(catalog.Interval{Months: 1, Micros: -microsOfHour}); got != (catalog.Interval{Days: 29, Micros: 23 * microsOfHour}) {
		t.Errorf("justified: %v", got)
	}
}

func TestFormatText(t *testing.T) {
	for _, c := range []struct {
		template, want string
		args           []any
	}{
		{"|%10s|%-5I|%L%%", `|       foo|"a b"|NULL%`, []any{"foo", "a b", nil}},
		{"%2$s %1$s %s", "b a b", []any{"a", "b"}},
		{"|%*s|", "|  a|", []any{"3", "a"}},
	} {
		if got, err := formatText(c.template, c.args); err != nil || got != c.want {
			t.Errorf("%q is %q, %v; want %q", c.template, got, err, c.want)
		}
	}
	for _, template := range []string{"%s %s", "%", "%y", "%0$s"} {
		_, err := formatText(template, []any{"a"})
		wantCode(t, template, err, "22023")
	}
	_, err := formatText("%I", []any{nil})
	wantCode(t, "an identifier that is NULL", err, "22004")
}

func TestEditJSON(t *testing.T) {
	for _, c := range []struct{ edit, json, step, value, want string }{
		{"set", `{"b":1}`, "a", `[1]`, `{"a": [1], "b": 1}`},
		{"replace", `{"b":1}`, "a", `2`, `{"b": 1}`},
		{"before", `[0,1]`, "-1", `"x"`, `[0, "x", 1]`},
		{"after", `[0,1]`, "0", `{"k":1,"k":2}`, `[0, {"k": 2}, 1]`},
		{"remove", `{"long":1,"b":2}`, "b", `null`, `{"long": 1}`},
	} {
		if got, err := jsonEdited(c.edit, c.json, []any{c.step}, c.value); err != nil || got != c.want {
			t.Errorf("%s of %s in %s: %v, %v; want %s", c.edit, c.step, c.json, got, err, c.want)
		}
	}
	_, err := jsonEdited("before", `{"a":1}`, []any{"a"}, "2")
	wantCode(t, "inserting a key that exists", err, "22023")
	_, err = jsonEdited("set", "{", []any{"a"}, "2")
	wantCode(t, "no json", err, "22P02")
}
