package sqltests

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the server answers into the scripts, in simple mode; read the diff")

// rewriteScript runs a script in simple mode and puts the rows that it answers
// in the place of those that it expects. Errors and notices are left alone.
func rewriteScript(t *testing.T, s *script, url string) {
	t.Helper()
	r := newRunner(t, modes()[0], url)
	text, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i := len(s.steps) - 1; i >= 0; i-- {
		s.steps[i].sql = strings.TrimSpace(s.steps[i].sql)
	}
	shift := 0
	for i := range s.steps {
		st := &s.steps[i]
		got, err := r.rows(st)
		if err != nil {
			t.Fatalf("%s:%d: %v\n%s", s.path, st.line, err, st.sql)
		}
		if st.verb != "query" {
			continue
		}
		from := st.line + len(st.body) + 1 + shift // first line under the separator
		rest := append(got.lines(), lines[from+len(st.want):]...)
		lines = append(lines[:from:from], rest...)
		shift += len(got.rows) - len(st.want)
	}
	if err := os.WriteFile(s.path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// rows runs one step and returns its answer; an error that the step expects
// is an answer without rows.
func (r *runner) rows(st *step) (*answer, error) {
	if st.verb != "query" {
		return &answer{}, r.step(st)
	}
	c, err := r.connection(st.options["on"])
	if err != nil {
		return nil, err
	}
	got, err := r.send(c, st)
	if err != nil {
		return nil, errors.Join(describe(err))
	}
	return got, nil
}
