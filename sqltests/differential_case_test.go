package sqltests

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// A diffCase is what one step of a file in testdata/differential sends, and in
// what its answer may differ.
type diffCase struct {
	line    int
	conn    string   // which connection; "" is the first
	sql     string   // a statement, or several
	args    []string // values of its parameters; nil in simple messages
	hasArgs bool
	copied  []string // what follows as CopyData
	raw     []string // protocol messages, in place of sql
	reason  string   // the accepted difference, as docs/POSTGRES.md names it
	aspects []string // in which the answers differ
}

// readCases reads a file of cases. Lines:
//
//	# a comment
//	select 1                 a statement; lines that begin with a blank go on with it
//	@b listen x              one for another connection
//	|1,2                     data of the COPY FROM STDIN above
//	\args 10 | NULL          values of the parameters of the next statement
//	\differs reason aspects  the next answer differs, for a reason of docs/POSTGRES.md
//	> P s select 1           messages of the protocol, see rawMessages
func readCases(t *testing.T, path string) []*diffCase {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var (
		cases []*diffCase
		next  = &diffCase{}
	)
	last := func() *diffCase {
		if len(cases) == 0 {
			t.Fatalf("%s begins with a continued line", path)
		}
		return cases[len(cases)-1]
	}
	begin := func(line int) *diffCase {
		next.line = line
		cases = append(cases, next)
		next = &diffCase{}
		return last()
	}
	for i, line := range strings.Split(string(text), "\n") {
		directive, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"), strings.TrimSpace(line) == "":
		case line[0] == ' ':
			last().sql += "\n" + line
		case line[0] == '|':
			last().copied = append(last().copied, line[1:])
		case directive == `\args`:
			next.hasArgs = true
			for a := range strings.SplitSeq(rest, "|") {
				next.args = append(next.args, strings.TrimSpace(a))
			}
		case directive == `\differs`:
			fields := strings.Fields(rest)
			next.reason, next.aspects = fields[0], fields[1:]
		case directive == ">":
			if len(cases) == 0 || last().raw == nil || last().ends() {
				begin(i + 1)
			}
			last().raw = append(last().raw, rest)
		case line[0] == '@':
			begin(i + 1).sql = rest
			last().conn = directive[1:]
		default:
			begin(i + 1).sql = line
		}
	}
	return cases
}

// ends reports whether the raw messages so far are answered by ReadyForQuery.
func (c *diffCase) ends() bool {
	message := c.raw[len(c.raw)-1]
	return message == "S" || strings.HasPrefix(message, "Q ")
}

// accepts reports whether the case may differ in the aspect.
func (c *diffCase) accepts(aspect string) bool { return slices.Contains(c.aspects, aspect) }

func (c *diffCase) String() string {
	if c.raw != nil {
		return strings.Join(c.raw, "; ")
	}
	if c.hasArgs {
		return fmt.Sprintf("%s with %q", c.sql, c.args)
	}
	return c.sql
}
