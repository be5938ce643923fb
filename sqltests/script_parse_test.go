package sqltests

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseScript(t *testing.T) {
	s, err := parseScript(strings.Join([]string{
		"# a comment",
		`exec on=b tag="INSERT 0 1"`,
		"INSERT INTO t",
		"VALUES (1)",
		"",
		"query unordered",
		"SELECT 1, 2",
		"----",
		"1 | 2",
		"",
		"query now",
		"----",
		"",
		"advance visits '2026-10-06 09:40:00+00' p0",
		"",
		`error 42703 position=8 message="no such"`,
		"SELECT x",
	}, "\n"), map[string]string{"now": "SELECT 3"})
	if err != nil {
		t.Fatal(err)
	}
	type summary struct {
		line      int
		verb, sql string
		want      []string
	}
	var got []summary
	for _, st := range s.steps {
		got = append(got, summary{st.line, st.verb, st.sql, st.want})
	}
	want := []summary{
		{2, "exec", "INSERT INTO t\nVALUES (1)", nil},
		{6, "query", "SELECT 1, 2", []string{"1 | 2"}},
		{11, "query", "SELECT 3", []string{}},
		{14, "advance", "CALL sessiondb.advance_watermark('visits', TIMESTAMPTZ '2026-10-06 09:40:00+00', 'p0')", nil},
		{16, "error", "SELECT x", nil},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	if o := s.steps[0].options; o["on"] != "b" || o["tag"] != "INSERT 0 1" {
		t.Errorf("options %v", o)
	}
	if o := s.steps[4].options; o["position"] != "8" || o["message"] != "no such" || s.steps[4].args[0] != "42703" {
		t.Errorf("options %v", o)
	}
}

func TestParseScriptRefuses(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"run\nSELECT 1", "unknown verb"},
		{"query\nSELECT 1", "query without ----"},
		{"query missing\n----", "has no query"},
		{"exec", "exec without SQL"},
		{"exec later\nSELECT 1", "takes 0 to 0 arguments"},
		{"error\nSELECT 1", "takes 1 to 1 arguments"},
		{`exec tag="x` + "\nSELECT 1", "quote without end"},
	} {
		if _, err := parseScript(test.script, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %q", test.script, err, test.want)
		}
	}
}
