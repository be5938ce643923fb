package sqltests

import (
	"go/ast"
	"go/parser"
	"go/token"
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

// Each claim of docs/SESSIONS.md names the tests that hold it, and they exist.
// A claim is an item of a list, or a row of a table that has a column "test".
func TestClaimsHaveTests(t *testing.T) {
	text, err := os.ReadFile("../docs/SESSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	known, named := knownTests(t), 0
	for _, c := range claims(string(text)) {
		tests := namedTests(c.text)
		named += len(tests)
		if len(tests) == 0 && c.needs {
			t.Errorf("no test is named for: %s", c.text)
		}
		for _, name := range tests {
			if !known[name] {
				t.Errorf("there is no test %q, which is named for: %s", name, c.text)
			}
		}
	}
	if named < 100 {
		t.Errorf("only %d names of tests were found", named)
	}
}

// A claim is a paragraph, an item or a row of the document.
type claim struct {
	text  string
	needs bool // it must name a test
}

func claims(text string) []claim {
	var list []claim
	tested := false // the table has a column "test"
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		last := len(list) - 1
		switch {
		case strings.HasPrefix(line, "| ") && strings.HasSuffix(line, "| test |"):
			tested = true
		case strings.HasPrefix(line, "| "):
			list = append(list, claim{line, tested})
		case strings.HasPrefix(line, "- "):
			list = append(list, claim{line, true})
		case line == "" || strings.HasPrefix(line, "|-"):
			tested = tested && line != ""
			if line == "" {
				list = append(list, claim{})
			}
		case last >= 0:
			list[last].text += " " + strings.TrimSpace(line)
		}
	}
	return list
}

// namedTests are the scripts, the golden histories and the Go tests that a text
// names: `dir/name`, `golden name`, package TestName.
func namedTests(text string) []string {
	var names []string
	for i, span := range strings.Split(text, "`") {
		dir, _, nested := strings.Cut(span, "/")
		_, err := os.Stat(filepath.Join("scripts", dir))
		if i%2 == 1 && (strings.HasPrefix(span, "golden ") || nested && err == nil || span == "tutorial") {
			names = append(names, span)
		}
	}
	words := strings.Fields(text)
	for i, word := range words {
		word = strings.Trim(word, "().,;:|")
		if i > 0 && (strings.HasPrefix(word, "Test") || strings.HasPrefix(word, "Benchmark")) {
			names = append(names, strings.TrimLeft(words[i-1], "(")+" "+word)
		}
	}
	return names
}

// knownTests are all tests by the names that documents give them.
func knownTests(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, path := range scriptPaths(t, false) {
		known[scriptName(path)] = true
	}
	golden, err := os.ReadDir("../sessionop/testdata/histories")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range golden {
		known["golden "+g.Name()] = true
	}
	files, err := filepath.Glob("../*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				known[filepath.Base(filepath.Dir(path))+" "+f.Name.Name] = true
			}
		}
	}
	return known
}
