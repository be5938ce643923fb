package sqltests

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sessiondb/sessiondb/planner"
	"github.com/sessiondb/sessiondb/wire"
)

// A server runs in this process, on a file and a free port.
type server struct {
	path          string
	progressEvery time.Duration // 0: as planner.Options has it

	engine *planner.Engine
	wire   *wire.Server
	addr   net.Addr
	served chan error
}

func databasePath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "events.duckdb")
}

// startServer opens a database file and serves it. Whoever starts a server
// stops it.
func startServer(t *testing.T, path string) *server {
	t.Helper()
	s := &server{path: path}
	s.start(t)
	return s
}

func (s *server) start(t *testing.T) {
	t.Helper()
	logger := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	engine, err := planner.Open(context.Background(), planner.Options{Path: s.path, Logger: logger, ProgressEvery: s.progressEvery})
	if err != nil {
		t.Fatal(err)
	}
	front, err := wire.New(wire.Config{Logger: logger}, engine)
	if err != nil {
		t.Fatal(errors.Join(err, engine.Close()))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(errors.Join(err, engine.Close()))
	}
	s.engine, s.wire, s.addr, s.served = engine, front, listener.Addr(), make(chan error, 1)
	go func() { s.served <- front.Serve(listener) }()
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.wire.Shutdown(ctx); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-s.served; !errors.Is(err, wire.ErrServerClosed) {
		t.Errorf("serve: %v", err)
	}
	if err := s.engine.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func (s *server) restart(t *testing.T) {
	t.Helper()
	s.stop(t)
	s.start(t)
}

func (s *server) url() string {
	return fmt.Sprintf("postgres://tester@%s/events?sslmode=disable", s.addr)
}

// serve starts a server that ends with the test.
func serve(t *testing.T) *server {
	t.Helper()
	s := startServer(t, databasePath(t))
	t.Cleanup(func() { s.stop(t) })
	return s
}

// connect opens a pgx connection that ends with the test.
func (s *server) connect(t *testing.T) *pgx.Conn {
	t.Helper()
	return connectTo(t, s.url())
}

func connectTo(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// must runs statements on a pgx connection, one after the other.
func must(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, describe(err))
		}
	}
}

// scalar reads one value.
func scalar[T any](t *testing.T, conn *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	var value T
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, describe(err))
	}
	return value
}

// wantVerified fails the test if a view differs from a batch recomputation.
func wantVerified(t *testing.T, conn *pgx.Conn, view string) {
	t.Helper()
	got, err := simple(t.Context(), conn.PgConn(), "SELECT * FROM sessiondb.verify('"+view+"')")
	if err != nil {
		t.Fatal(describe(err))
	}
	if len(got.rows) > 0 {
		t.Fatalf("verify returns differences:\n%s\n%s", got.names(), strings.Join(got.lines(), "\n"))
	}
}
