package sqltests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The documents' SQL blocks run from top to bottom, each document on a database
// of its own. A statement ends with a line that ends in a semicolon; lines
// under it that begin with --> are the rows that it answers.
func TestDocuments(t *testing.T) {
	paths, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, path := range append(paths, "../README.md") {
		steps := documentSteps(t, path)
		if len(steps) == 0 {
			continue
		}
		ran += len(steps)
		t.Run(filepath.Base(path), func(t *testing.T) {
			newRunner(t, modes()[0], "").run(&script{path: path, steps: steps})
		})
	}
	if ran == 0 {
		t.Error("no document has SQL")
	}
}

// documentSteps reads the SQL blocks of a document as the steps of a script.
func documentSteps(t *testing.T, path string) []step {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var (
		steps []step
		sql   []string
		in    bool
	)
	for i, line := range strings.Split(string(text), "\n") {
		row, isRow := strings.CutPrefix(line, "--> ")
		switch {
		case strings.HasPrefix(line, "```"):
			in = line == "```sql"
		case !in || strings.TrimSpace(line) == "" && len(sql) == 0:
		case isRow:
			last := &steps[len(steps)-1]
			last.verb, last.want = "query", append(last.want, row)
		default:
			sql = append(sql, line)
			if strings.HasSuffix(line, ";") {
				steps = append(steps, step{line: i + 1, verb: "exec", options: map[string]string{}, sql: strings.Join(sql, "\n")})
				sql = nil
			}
		}
	}
	return steps
}
