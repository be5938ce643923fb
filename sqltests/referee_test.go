package sqltests

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const postgresBin = "/usr/lib/postgresql/15/bin"

// A postgres is a PostgreSQL 15 server of a test's own, on a socket in a
// temporary directory. Its settings are what sessiondb answers: UTC, the C
// collation, no durability.
type postgres struct{ dir string }

// startPostgres starts a server that ends with the test.
func startPostgres(t *testing.T) *postgres {
	t.Helper()
	// Debian's package postgresql-15.
	need(t, filepath.Join(postgresBin, "initdb"), "--version")
	dir, err := os.MkdirTemp("", "pg") //nolint:usetesting // a socket's path is short, and the server's user must reach it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &postgres{dir: dir}
	initdb := p.command(t, "initdb", "-D", dir+"/data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	server := p.command(t, "postgres", "-D", dir+"/data", "-k", dir, "-h", "", "-F", "-c", "timezone=UTC", "-c", "autovacuum=off", "-c", "shared_buffers=16MB", "-c", "log_min_messages=fatal")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGINT) // a fast shutdown
		_ = server.Wait()
	})
	p.await(t)
	return p
}

// command runs a program of PostgreSQL, which refuses to be run by root.
func (p *postgres) command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(postgresBin, name), args...)
	cmd.Dir = p.dir
	if os.Geteuid() != 0 {
		return cmd
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		t.Fatalf("PostgreSQL cannot run as root: %v", err)
	}
	uid, _ := strconv.Atoi(account.Uid)
	gid, _ := strconv.Atoi(account.Gid)
	if err := os.Chown(p.dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return cmd
}

func (p *postgres) socket() string { return p.dir + "/.s.PGSQL.5432" }

// url is for pgx, which takes the directory of a socket for a host.
func (p *postgres) url(database string) string {
	return fmt.Sprintf("postgres:///%s?user=tester&host=%s", database, p.dir)
}

// What both must answer alike is asked of PostgreSQL as well: the scripts of
// scripts/postgres, whose expectations -rewrite takes from it, and every type
// through every client.
func TestReferee(t *testing.T) {
	url := startPostgres(t).url("postgres")
	for _, path := range scriptPaths(t, true) {
		s, err := readScript(path)
		if err != nil {
			t.Fatal(err)
		}
		if *rewrite {
			rewriteScript(t, s, url)
			continue
		}
		for _, m := range modes()[:3] {
			t.Run(scriptName(path)+"/"+m.name, func(t *testing.T) { newRunner(t, m, url).run(s) })
		}
	}
	t.Run("types", func(t *testing.T) { testTypes(t, url) })
	t.Run("psql", func(t *testing.T) { testPsqlTypes(t, url) })
	t.Run("psycopg2", func(t *testing.T) { testPsycopg2Types(t, url) })
}

// await waits until the server accepts connections.
func (p *postgres) await(t *testing.T) {
	t.Helper()
	for range 300 {
		if conn, err := pgx.Connect(t.Context(), p.url("postgres")); err == nil {
			_ = conn.Close(t.Context())
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("PostgreSQL does not accept connections")
}
