package sqltests

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A script is a file of steps.
type script struct {
	path  string
	steps []step
}

// A step is one block of a script: its header, the SQL under it, and what is
// expected under "----".
type step struct {
	line    int // of the header, from 1
	verb    string
	args    []string          // words of the header that are no options
	options map[string]string // name=value, or a bare known flag
	sql     string
	want    []string // lines under "----"
	judged  bool     // there is a "----"

	header, body []string // as they stand in the file, for -rewrite
}

// verbs lists the four verbs and the options that each knows.
var verbs = map[string][]string{
	"exec":    {"on", "keep", "tag", "notice"},
	"query":   {"on", "keep", "unordered", "names", "types", "notice"},
	"error":   {"on", "keep", "position", "message", "detail", "hint"},
	"advance": {"on", "keep"},
}

const separator = "----"

// readScript parses a script file. A query with no text of its own takes the
// one of its name from queries.sql beside the script.
func readScript(path string) (*script, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	named, err := readNamed(filepath.Join(filepath.Dir(path), "queries.sql"))
	if err != nil {
		return nil, err
	}
	s, err := parseScript(string(text), named)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	s.path = path
	return s, nil
}

// parseScript cuts text into blocks at empty lines; lines that begin with #
// are comments.
func parseScript(text string, named map[string]string) (*script, error) {
	s := &script{}
	var block []string
	flush := func(end int) error {
		if len(block) == 0 {
			return nil
		}
		st, err := parseStep(block, end-len(block), named)
		if err != nil {
			return fmt.Errorf("%d: %w", end-len(block), err)
		}
		s.steps = append(s.steps, st)
		block = nil
		return nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == "":
			if err := flush(i + 1); err != nil {
				return nil, err
			}
		case strings.HasPrefix(line, "#") && len(block) == 0:
		default:
			block = append(block, line)
		}
	}
	return s, flush(len(lines) + 1)
}

func parseStep(block []string, line int, named map[string]string) (step, error) {
	st := step{line: line, options: map[string]string{}, header: block[:1]}
	words, err := splitWords(block[0])
	if err != nil {
		return st, err
	}
	st.verb = words[0].text
	known, ok := verbs[st.verb]
	if !ok {
		return st, fmt.Errorf("unknown verb %q", st.verb)
	}
	for _, w := range words[1:] {
		name, value, isOption := strings.Cut(w.text, "=")
		switch {
		case w.quoted || !slices.Contains(known, name):
			st.args = append(st.args, w.text)
		case isOption:
			st.options[name] = value
		default:
			st.options[name] = "true"
		}
	}
	st.body = block[1:]
	if i := slices.Index(block, separator); i >= 0 {
		st.body, st.want, st.judged = block[1:i], block[i+1:], true
	}
	st.sql = strings.Join(st.body, "\n")
	return st, st.check(named)
}

// check completes a step and refuses one that cannot run.
func (st *step) check(named map[string]string) error {
	wantArgs := map[string][2]int{"exec": {0, 0}, "query": {0, 1}, "error": {1, 1}, "advance": {2, 3}}[st.verb]
	if n := len(st.args); n < wantArgs[0] || n > wantArgs[1] {
		return fmt.Errorf("%s takes %d to %d arguments, not %q", st.verb, wantArgs[0], wantArgs[1], st.args)
	}
	switch {
	case st.verb == "query" && len(st.args) == 1:
		if st.sql = named[st.args[0]]; st.sql == "" {
			return fmt.Errorf("queries.sql has no query %q", st.args[0])
		}
	case st.verb == "advance":
		st.sql = "CALL sessiondb.advance_watermark(" + literals(st.args) + ")"
	case st.sql == "":
		return fmt.Errorf("%s without SQL", st.verb)
	}
	if st.verb == "query" && !st.judged {
		return fmt.Errorf("query without %s and rows", separator)
	}
	return nil
}

// literals quotes the arguments of advance: view, time, partition.
func literals(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = "'" + strings.ReplaceAll(arg, "'", "''") + "'"
	}
	quoted[1] = "TIMESTAMPTZ " + quoted[1]
	return strings.Join(quoted, ", ")
}

// A word of a header: bare, "quoted", 'quoted', or name="quoted".
type word struct {
	text   string
	quoted bool
}

func splitWords(line string) ([]word, error) {
	var (
		words []word
		cur   strings.Builder
		quote rune
		open  bool // a word has begun
		bare  bool // it has a character outside quotes
	)
	end := func() {
		if open {
			words = append(words, word{text: cur.String(), quoted: !bare})
		}
		cur.Reset()
		open, bare = false, false
	}
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			cur.WriteRune(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == ' ' || c == '\t':
			end()
		default:
			cur.WriteRune(c)
			open, bare = true, true
		}
	}
	end()
	if quote != 0 {
		return nil, fmt.Errorf("quote without end: %s", line)
	}
	return words, nil
}

// readNamed reads a file of queries, each under a line "-- name: NAME".
func readNamed(path string) (map[string]string, error) {
	named := map[string]string{}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return named, nil
	}
	if err != nil {
		return nil, err
	}
	for _, part := range strings.Split("\n"+string(text), "\n-- name: ")[1:] {
		name, sql, _ := strings.Cut(part, "\n")
		named[strings.TrimSpace(name)] = strings.TrimSpace(sql)
	}
	return named, nil
}
