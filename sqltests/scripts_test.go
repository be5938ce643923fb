package sqltests

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestScripts runs every script in every mode. The referee is asked only what
// both must answer alike.
func TestScripts(t *testing.T) {
	for _, path := range scriptPaths(t) {
		s, err := readScript(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), "scripts/"), ".test")
		if *rewrite {
			t.Run(name, func(t *testing.T) { rewriteScript(t, s) })
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range modes() {
				t.Run(m.name, func(t *testing.T) {
					newRunner(t, m).run(s)
				})
			}
		})
	}
}

func scriptPaths(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir("scripts", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".test" && (*referee == "" || filepath.Base(filepath.Dir(path)) == "postgres") {
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
