package wire

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A Server serves a Backend to Postgres clients. It owns one goroutine for
// each connection, and every one of them has ended when Shutdown returns nil.
type Server struct {
	cfg     Config
	backend Backend

	ctx    context.Context //nolint:containedctx // the parent of the connections' contexts, as http.Server.BaseContext
	cancel context.CancelCauseFunc

	draining atomic.Bool
	down     chan struct{} // closed with draining

	mu        sync.Mutex
	listeners map[net.Listener]struct{}
	conns     map[uint32]*conn // by process id
	sessions  int              // of conns, those past their start-up
	lastID    uint32
	empty     chan struct{} // closed when draining and conns is empty
}

// New makes a Server. It does not listen yet.
func New(cfg Config, backend Backend) (*Server, error) {
	if backend == nil {
		return nil, errors.New("wire: New needs a Backend")
	}
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	return &Server{
		cfg:       cfg,
		backend:   backend,
		ctx:       ctx,
		cancel:    cancel,
		down:      make(chan struct{}),
		listeners: make(map[net.Listener]struct{}),
		conns:     make(map[uint32]*conn),
		empty:     make(chan struct{}),
	}, nil
}

// Serve accepts connections from l until Shutdown, and then returns
// ErrServerClosed. It closes l. It may be called for several listeners.
func (s *Server) Serve(l net.Listener) error {
	if !s.listen(l) {
		_ = l.Close()
		return ErrServerClosed
	}
	defer s.unlisten(l)
	var delay time.Duration
	for {
		socket, err := l.Accept()
		switch {
		case s.draining.Load():
			if err == nil {
				_ = socket.Close()
			}
			return ErrServerClosed
		case err == nil:
			delay = 0
			s.admit(socket)
		case !isTemporary(err):
			return fmt.Errorf("wire: accept: %w", err)
		default:
			delay = s.backOff(delay, err)
		}
	}
}

// isTemporary tells a shortage (of file descriptors, most often), which
// passes, from a listener that is gone.
func isTemporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// backOff waits after a failed accept: 5 ms at first, doubled to 1 s.
func (s *Server) backOff(delay time.Duration, err error) time.Duration {
	delay = min(max(2*delay, 5*time.Millisecond), time.Second)
	s.cfg.Logger.Warn("accept failed, trying again", "error", err, "delay", delay)
	select {
	case <-time.After(delay):
	case <-s.down:
	}
	return delay
}

func (s *Server) listen(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return false
	}
	s.listeners[l] = struct{}{}
	return true
}

func (s *Server) unlisten(l net.Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
	_ = l.Close()
}

// admit starts the goroutine of a new connection. Connections that have not
// said yet what they want are bounded apart from sessions, so that a
// CancelRequest gets through when there is no room for another session.
func (s *Server) admit(socket net.Conn) {
	c, err := s.register(socket)
	if err != nil {
		s.cfg.Logger.Debug("connection refused", "remote", socket.RemoteAddr(), "error", err)
		_ = socket.Close()
		return
	}
	go func() {
		defer s.remove(c)
		c.serve()
	}()
}

func (s *Server) register(socket net.Conn) (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return nil, ErrServerClosed
	}
	if len(s.conns)-s.sessions >= s.cfg.MaxConnections {
		return nil, errors.New("too many connections in start-up")
	}
	c := newConn(s, socket, s.nextID())
	s.conns[c.id] = c
	return c, nil
}

// nextID finds a process id that no connection has. Like a real process id it
// fits an int32 and is not zero.
func (s *Server) nextID() uint32 {
	for {
		s.lastID = s.lastID%(1<<31-1) + 1
		if _, taken := s.conns[s.lastID]; !taken {
			return s.lastID
		}
	}
}

// enter counts a connection among the sessions, if there is room.
func (s *Server) enter(c *conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return Fatalf(codeAdminShutdown, "the database system is shutting down")
	}
	if s.sessions >= s.cfg.MaxConnections {
		return Fatalf(codeTooManyConnections, "sorry, too many clients already").
			WithHint("The server allows %d connections. Close one, or use a connection pool.", s.cfg.MaxConnections)
	}
	s.sessions++
	c.counted = true
	return nil
}

func (s *Server) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c.id)
	close(c.gone)
	if c.counted {
		s.sessions--
	}
	s.signalEmpty()
}

// signalEmpty wakes Shutdown when the last connection is gone.
// The caller holds mu.
func (s *Server) signalEmpty() {
	if !s.draining.Load() || len(s.conns) > 0 {
		return
	}
	select {
	case <-s.empty:
	default:
		close(s.empty)
	}
}

// cancelRequest ends the statement that the connection with this id and
// secret runs. As in Postgres, a wrong key and an idle connection get no
// answer that tells them apart.
func (s *Server) cancelRequest(id uint32, secret []byte) {
	s.mu.Lock()
	c := s.conns[id]
	s.mu.Unlock()
	if c == nil || !c.key.matches(secret) {
		s.cfg.Logger.Debug("cancel request without a match", "pid", id)
		return
	}
	c.running.stop(ErrCanceled)
}

func (s *Server) logger(c *conn) *slog.Logger {
	return s.cfg.Logger.With("pid", c.id, "remote", c.socket.RemoteAddr().String())
}
