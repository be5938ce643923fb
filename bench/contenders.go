package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// A contender is one of the two servers, running as a child process.
type contender struct {
	name string
	url  string
	cmd  *exec.Cmd
}

// stop asks the server to end and waits for it.
func (c *contender) stop() error {
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		return fmt.Errorf("stopping %s: %w", c.name, err)
	}
	if err := c.cmd.Wait(); err != nil {
		return fmt.Errorf("stopping %s: %w", c.name, err)
	}
	return nil
}

func (c *contender) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, c.url)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", c.name, err)
	}
	return conn, nil
}

// postgresPrograms is where Debian keeps the server's programs.
const postgresPrograms = "/usr/lib/postgresql/15/bin/"

// postgresSettings give PostgreSQL what a tuned one would have on this
// machine; durability is the default's: fsync and synchronous_commit on.
func postgresSettings() []string {
	return []string{"shared_buffers=2GB", "max_wal_size=8GB", "work_mem=64MB", "maintenance_work_mem=512MB", "max_locks_per_transaction=1024"}
}

// startPostgres makes a cluster in dir and starts it. It refuses to run as
// root, so root becomes the user postgres for it.
func startPostgres(ctx context.Context, dir string) (*contender, error) {
	attributes, err := postgresUser(dir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "postgres")
	initdb := exec.CommandContext(ctx, postgresPrograms+"initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
	initdb.Dir, initdb.SysProcAttr = dir, attributes
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb (Debian's package postgresql-15): %w\n%s", err, out)
	}
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"-D", data, "-p", port, "-k", dir, "-h", "127.0.0.1"}
	for _, setting := range postgresSettings() {
		args = append(args, "-c", setting)
	}
	cmd := exec.Command(postgresPrograms+"postgres", args...) //nolint:noctx // stopped by contender.stop
	cmd.Dir, cmd.SysProcAttr = dir, attributes
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &contender{name: "postgres", url: "postgres://postgres@127.0.0.1:" + port + "/postgres?sslmode=disable", cmd: cmd}
	if err := c.await(ctx); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

func postgresUser(dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err1 := strconv.Atoi(account.Uid)
	gid, err2 := strconv.Atoi(account.Gid)
	if err := errors.Join(err1, err2, os.Chown(dir, uid, gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil //nolint:gosec // an id
}

func freePort(ctx context.Context) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, errors.Join(err, listener.Close())
}

// await tries until the server answers, for half a minute.
func (c *contender) await(ctx context.Context) error {
	var err error
	for range 150 {
		var conn *pgx.Conn
		if conn, err = c.connect(ctx); err == nil {
			return conn.Close(ctx)
		}
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

// startSessiondb serves a file in dir with the program given, or with one that
// it builds.
func startSessiondb(ctx context.Context, dir, program string) (*contender, error) {
	if program == "" {
		program = filepath.Join(dir, "sessiondb-program")
		fmt.Println("building sessiondb")
		build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/sessiondb/sessiondb/cmd/sessiondb")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building sessiondb: %w\n%s", err, out)
		}
	}
	cmd := exec.Command(program, "serve", "--database", filepath.Join(dir, "events.duckdb"), "--listen", "127.0.0.1:0") //nolint:noctx // stopped by contender.stop
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	port := regexp.MustCompile(`psql -h \S+ -p (\d+)`)
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if found := port.FindStringSubmatch(lines.Text()); found != nil {
			return &contender{name: "sessiondb", url: "postgres://bench@127.0.0.1:" + found[1] + "/bench?sslmode=disable", cmd: cmd}, nil
		}
	}
	return nil, errors.Join(errors.New("sessiondb did not start"), cmd.Wait())
}
