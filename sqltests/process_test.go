package sqltests

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process is the command itself, serving a database.
type process struct {
	cmd    *exec.Cmd
	url    string
	stderr *bytes.Buffer
}

// startProcess runs "sessiondb serve" and waits until it says where.
func startProcess(t *testing.T, path string, env ...string) *process {
	t.Helper()
	p := &process{stderr: &bytes.Buffer{}}
	p.cmd = exec.Command(command.path(t), "serve", "--database", path, "--listen", "127.0.0.1:0")
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if host := regexp.MustCompile(`psql -h (\S+) -p (\d+)`).FindStringSubmatch(lines.Text()); host != nil {
			p.url = "postgres://tester@" + net.JoinHostPort(host[1], host[2]) + "/events?sslmode=disable"
			return p
		}
	}
	_ = p.cmd.Wait()
	t.Fatalf("the server did not start:\n%s", p.stderr)
	return nil
}

// end sends a signal and waits for the exit code.
func (p *process) end(t *testing.T, signal os.Signal) int {
	t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

func TestServeStopsOnSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			path := databasePath(t)
			p := startProcess(t, path)
			conn := connectTo(t, p.url)
			must(t, conn, "CREATE TABLE t (a int)", "INSERT INTO t VALUES (7)")
			if code := p.end(t, signal); code != 0 {
				t.Fatalf("exit code %d, want 0:\n%s", code, p.stderr)
			}
			if _, err := os.Stat(path + ".wal"); err == nil {
				t.Error("the stop left a write-ahead log, so it did not checkpoint")
			}
			if got := scalar[int](t, serveAgain(t, path).connect(t), "SELECT a FROM t"); got != 7 {
				t.Errorf("%d after the restart, want 7", got)
			}
		})
	}
}

func serveAgain(t *testing.T, path string) *server {
	t.Helper()
	s := startServer(t, path)
	t.Cleanup(func() { s.stop(t) })
	return s
}

// A statement that runs when the signal comes finishes within the grace period.
func TestServeFinishesRunningStatements(t *testing.T) {
	p := startProcess(t, databasePath(t))
	conn := connectTo(t, p.url)
	done := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), "CREATE TABLE big AS SELECT i, i % 1000 AS k, sqrt(i) AS r FROM range(6000000) t(i) ORDER BY k, r")
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	if code := p.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d, want 0:\n%s", code, p.stderr)
	}
	if err := <-done; err != nil {
		t.Errorf("the running statement did not finish: %v", err)
	}
}

func TestServeSettingsFromTheEnvironment(t *testing.T) {
	p := startProcess(t, databasePath(t), "SESSIONDB_THREADS=1", "SESSIONDB_MEMORY_LIMIT=512MB", "SESSIONDB_LOG_FORMAT=json", "SESSIONDB_LOG_LEVEL=debug")
	conn := connectTo(t, p.url)
	if got := scalar[string](t, conn, "SELECT value FROM duckdb_settings() WHERE name = 'threads'"); got != "1" {
		t.Errorf("threads %s, want 1", got)
	}
	if code := p.end(t, os.Interrupt); code != 0 {
		t.Errorf("exit code %d (%v), want 0:\n%s", code, p.cmd.ProcessState, p.stderr)
	}
	if first, _, _ := strings.Cut(p.stderr.String(), "\n"); first != "" && !strings.HasPrefix(first, "{") {
		t.Errorf("the log is not JSON: %s", first)
	}
}

// Every failure to start is one line that names what is wrong, and exit code 1.
func TestServeFailsClearly(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, bytes.Repeat([]byte("not a database\n"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	held := startProcess(t, filepath.Join(dir, "held.duckdb"))
	for _, test := range []struct {
		name, database, listen string
		want                   []string
	}{
		{"port in use", filepath.Join(dir, "a.duckdb"), busy.Addr().String(), []string{busy.Addr().String(), "address already in use"}},
		{"no such address", filepath.Join(dir, "a.duckdb"), "nowhere", []string{"nowhere"}},
		{"no such folder", filepath.Join(dir, "missing", "a.duckdb"), "127.0.0.1:0", []string{"missing/a.duckdb"}},
		{"a folder", dir, "127.0.0.1:0", []string{dir}},
		{"not a database", text, "127.0.0.1:0", []string{"notes.txt"}},
		{"open elsewhere", filepath.Join(dir, "held.duckdb"), "127.0.0.1:0", []string{"held.duckdb", "another process"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			cmd := exec.Command(command.path(t), "serve", "--database", test.database, "--listen", test.listen)
			cmd.Stderr = &stderr
			_ = cmd.Run()
			message := strings.TrimSpace(stderr.String())
			if code := cmd.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if strings.Contains(message, "\n") {
				t.Errorf("the error is more than one line:\n%s", message)
			}
			for _, part := range test.want {
				if !strings.Contains(message, part) {
					t.Errorf("the error does not say %q: %s", part, message)
				}
			}
		})
	}
	if code := held.end(t, os.Interrupt); code != 0 {
		t.Errorf("exit code %d (%v), want 0:\n%s", code, held.cmd.ProcessState, held.stderr)
	}
}

func TestHelpAndVersion(t *testing.T) {
	help, err := exec.Command(command.path(t), "serve", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"database", "listen", "memory-limit", "threads", "grace-period", "log-level", "log-format"} {
		if !bytes.Contains(help, []byte("--"+flag)) {
			t.Errorf("--help does not mention --%s", flag)
		}
		if name := "SESSIONDB_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_")); !bytes.Contains(help, []byte(name)) {
			t.Errorf("--help does not mention %s", name)
		}
	}
	for _, args := range [][]string{{"--version"}, {"version"}} {
		out, err := exec.Command(command.path(t), args...).Output()
		if err != nil || !bytes.HasPrefix(out, []byte("sessiondb ")) {
			t.Errorf("%v: %s, %v", args, out, err)
		}
	}
}

// The demo tells its story and ends, and its last number says that it is right.
func TestDemo(t *testing.T) {
	out, err := exec.Command(command.path(t), "demo", "--exit").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, part := range []string{"77 are held back", "visits: 3418 sessions of 30968 requests", "1 a duplicate", "merge:", "verify: 0 differences", "├", "▲"} {
		if !bytes.Contains(out, []byte(part)) {
			t.Errorf("the demo does not say %q:\n%s", part, out)
		}
	}
}
