package sqltests

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// postgresScripts hold what PostgreSQL must answer alike; see TestReferee.
const postgresScripts = "postgres"

// contractScripts hold the session contract.
func contractScripts() []string { return []string{"contract", "histories", "views"} }

// TestScripts runs every script in every mode.
func TestScripts(t *testing.T) {
	for _, path := range append(scriptPaths(t, false), scriptPaths(t, true)...) {
		s, err := readScript(path)
		if err != nil {
			t.Fatal(err)
		}
		if *rewrite {
			if !isPostgresScript(path) {
				t.Run(scriptName(path), func(t *testing.T) { rewriteScript(t, s, "") })
			}
			continue
		}
		t.Run(scriptName(path), func(t *testing.T) {
			t.Parallel()
			ways := modes()
			if *restart && isContractScript(path) {
				ways = contractModes()
			}
			for _, m := range ways {
				t.Run(m.name, func(t *testing.T) { newRunner(t, m, "").run(s) })
			}
		})
	}
}

func isContractScript(path string) bool {
	return slices.Contains(contractScripts(), filepath.Base(filepath.Dir(path)))
}

func isPostgresScript(path string) bool {
	return filepath.Base(filepath.Dir(path)) == postgresScripts
}

func scriptName(path string) string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), "scripts/"), ".test")
}

// scriptPaths finds the scripts that PostgreSQL shares, or the others.
func scriptPaths(t *testing.T, shared bool) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir("scripts", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".test" && isPostgresScript(path) == shared {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("no scripts found")
	}
	return paths
}
