package sqltests

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

var (
	seeds    = flag.Int("seeds", 2, "how many random histories to run; the promise is kept for 20")
	events   = flag.Int("events", 5000, "how many events a random history brings; the promise is kept for 100000")
	kills    = flag.Int("kills", 3, "how often the server is killed in the middle of its commits; the promise is kept for 20")
	rows     = flag.Int("rows", 300_000, "how many rows of a kilobyte a large result has; the promise is kept for 2000000")
	restart  = flag.Bool("restart-always", false, "run the contract's scripts with a restart after every statement, not a few")
	firstSet = flag.Int64("seed", 1, "the first seed")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			println("goroutines are left:", err.Error())
			code = 1
		}
	}
	command.remove()
	os.Exit(code)
}

// command is the program itself, built once for all tests that run it.
var command builtCommand

type builtCommand struct {
	once sync.Once
	dir  string
	err  error
}

// path builds cmd/sessiondb on first use.
func (b *builtCommand) path(t *testing.T) string {
	t.Helper()
	b.once.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "sessiondb-test"); b.err != nil { //nolint:usetesting // outlives the test that builds it
			return
		}
		build := exec.Command("go", "build", "-o", filepath.Join(b.dir, "sessiondb"), "../cmd/sessiondb")
		build.Stdout, build.Stderr = os.Stdout, os.Stderr
		b.err = build.Run()
	})
	if b.err != nil {
		t.Fatalf("building cmd/sessiondb: %v", b.err)
	}
	return filepath.Join(b.dir, "sessiondb")
}

func (b *builtCommand) remove() {
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}
