package sqltests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// psql's backslash commands that list and describe, with patterns, S and +:
// those of same.txt print what they print of PostgreSQL's own catalogs, those
// of answered.txt show what is sessiondb's own (sizes, DuckDB's functions, the
// text of a view), and none of them fails.
func TestPsqlBackslash(t *testing.T) {
	psql := need(t, "psql")
	postgres := startPostgres(t)
	same, answered := psqlCommands(t, "same.txt"), psqlCommands(t, "answered.txt")
	script := filepath.Join(t.TempDir(), "commands.sql")
	var text strings.Builder
	text.WriteString("\\i testdata/psql/objects.sql\n")
	for _, command := range append(same, answered...) {
		text.WriteString("\\echo " + psqlMark + "\n" + command + "\n")
	}
	if err := os.WriteFile(script, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ours := psqlOutputs(t, psql, serve(t).url(), script)
	theirs := psqlOutputs(t, psql, postgres.url("postgres"), script)
	if len(ours) != len(same)+len(answered) || len(theirs) != len(ours) {
		t.Fatalf("%d and %d outputs for %d commands", len(ours), len(theirs), len(same)+len(answered))
	}
	for i, command := range same {
		if ours[i] != theirs[i] {
			t.Errorf("%s\nsessiondb:\n%s\nPostgreSQL:\n%s", command, ours[i], theirs[i])
		}
	}
	for i, command := range answered {
		if out := ours[len(same)+i]; strings.Contains(out, "ERROR:") {
			t.Errorf("%s\n%s", command, out)
		}
	}
}

// psqlMark stands before the output of each command.
const psqlMark = "----------------"

func psqlCommands(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/psql", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// psqlOutputs runs a script and returns what follows each mark.
func psqlOutputs(t *testing.T, psql, url, script string) []string {
	t.Helper()
	cmd := exec.Command(psql, "-X", "-q", "-A", "-f", script, url)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	parts := strings.Split(string(out), psqlMark+"\n")
	if strings.Contains(parts[0], "ERROR:") {
		t.Fatalf("the objects are not made:\n%s", parts[0])
	}
	for i, part := range parts { // the place in the script, and the script's own name
		parts[i] = strings.ReplaceAll(part, script, "commands.sql")
	}
	return parts[1:]
}
