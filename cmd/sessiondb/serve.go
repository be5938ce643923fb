package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/sessiondb/sessiondb/planner"
	"github.com/sessiondb/sessiondb/wire"
)

// engineFlags are the flags that serve and demo share.
type engineFlags struct {
	Listen      string        `env:"SESSIONDB_LISTEN" default:"127.0.0.1:5454" help:"Address and port to listen on; port 0 takes a free one."`
	MemoryLimit string        `env:"SESSIONDB_MEMORY_LIMIT" placeholder:"SIZE" help:"Memory that DuckDB may use, as 4GB (default 80 % of the machine's)."`
	Threads     int           `env:"SESSIONDB_THREADS" placeholder:"N" help:"Threads that DuckDB may use (default one per core)."`
	GracePeriod time.Duration `env:"SESSIONDB_GRACE_PERIOD" default:"10s" help:"How long running statements may go on after SIGINT or SIGTERM."`
	LogLevel    slog.Level    `env:"SESSIONDB_LOG_LEVEL" default:"info" help:"debug, info, warn or error."`
	LogFormat   string        `env:"SESSIONDB_LOG_FORMAT" default:"text" enum:"text,json" help:"text or json; logs go to standard error."`
}

func (f *engineFlags) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: f.LogLevel}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

type serveCommand struct {
	Database string `env:"SESSIONDB_DATABASE" default:"events.duckdb" help:"DuckDB file to serve, made if it is not there; :memory: keeps nothing."`

	engineFlags
}

// Run serves until the context ends.
func (c *serveCommand) Run(ctx context.Context) error {
	s, err := startServer(ctx, c.Database, &c.engineFlags)
	if err != nil {
		return err
	}
	s.announce(os.Stdout, c.Database)
	return s.wait(ctx)
}

// A server is an open database and the listener through which it is reached.
type server struct {
	options planner.Options
	backend *backend
	wire    *wire.Server
	addr    *net.TCPAddr
	grace   time.Duration
	served  chan error // what Serve returned, once
}

// startServer listens first: a port in use costs nothing then, while opening
// a database may take a while and may create it.
func startServer(ctx context.Context, database string, flags *engineFlags) (*server, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", flags.Listen)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", flags.Listen, reason(err))
	}
	s, err := serveOn(ctx, listener, database, flags)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return s, nil
}

func serveOn(ctx context.Context, listener net.Listener, database string, flags *engineFlags) (*server, error) {
	logger := flags.logger()
	s := &server{
		options: planner.Options{Path: database, Threads: flags.Threads, MemoryLimit: flags.MemoryLimit, Logger: logger, Warm: true},
		backend: &backend{}, grace: flags.GracePeriod, served: make(chan error, 1),
	}
	var err error
	if s.wire, err = wire.New(wire.Config{Logger: logger}, s.backend); err != nil {
		return nil, err
	}
	if err := s.backend.open(ctx, s.options); err != nil {
		return nil, err
	}
	s.addr, _ = listener.Addr().(*net.TCPAddr)
	go func() { s.served <- s.wire.Serve(listener) }()
	return s, nil
}

// reason takes the address, which the caller names itself, off a network error.
func reason(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}

func (s *server) announce(out io.Writer, database string) {
	fmt.Fprintf(out, "%s serves %s on %s\n  %s\n", versionLine(), database, s.addr, s.psql())
}

// psql is the command that connects to this server.
func (s *server) psql() string {
	host := s.addr.IP.String()
	if s.addr.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return fmt.Sprintf("psql -h %s -p %d", host, s.addr.Port)
}

// wait serves until the context ends or serving fails, then stops. A database
// that fails meanwhile is opened again.
func (s *server) wait(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return s.stop(context.WithoutCancel(ctx))
		case err := <-s.served:
			s.served <- err // for stop: there are connections yet
			return s.stop(context.WithoutCancel(ctx))
		case <-s.backend.invalidated():
			if err := s.reopen(ctx); err != nil && ctx.Err() == nil {
				return errors.Join(err, s.stop(context.WithoutCancel(ctx)))
			}
		}
	}
}

// stop lets running statements finish within the grace period, then
// checkpoints and closes the database.
func (s *server) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.grace)
	defer cancel()
	err := s.wire.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // the statements that outlived it were cancelled: a clean stop still
	}
	if served := <-s.served; !errors.Is(served, wire.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return errors.Join(err, s.backend.close())
}
