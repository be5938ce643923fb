package wire

import (
	"context"
	"maps"
	"slices"
	"time"
)

// farewell bounds what a connection may still take after it was killed: to
// notice, to send its last error to a slow client, to roll back.
const farewell = 5 * time.Second

// Shutdown stops the server. Listeners are closed and idle connections are
// released at once with 57P01; those inside a statement, a pipeline or a
// transaction may finish it until ctx ends, and are then interrupted. It
// returns nil when every connection ended by itself, else the context's error:
// even then they are gone, unless a session ignored its context for 10 s.
// It may be called more than once, and before Serve.
func (s *Server) Shutdown(ctx context.Context) error {
	s.drain()
	select {
	case <-s.empty:
		s.cancel(ErrShutdown)
		return nil
	case <-ctx.Done():
	}
	s.cancel(ErrShutdown)
	patience := time.NewTimer(2 * farewell)
	defer patience.Stop()
	select {
	case <-s.empty:
	case <-patience.C:
		s.cfg.Logger.Error("connections do not end")
	}
	return ctx.Err()
}

// Disconnect ends the connections that there are now, whatever they do, with
// reason as their last, fatal error, and waits until they are gone or ctx ends.
// The server goes on, and takes new ones meanwhile.
func (s *Server) Disconnect(ctx context.Context, reason error) error {
	e, _ := asError(reason)
	last := *e
	last.Severity = SeverityFatal
	s.mu.Lock()
	conns := slices.Collect(maps.Values(s.conns))
	s.mu.Unlock()
	for _, c := range conns {
		c.cancel(&last)
	}
	for _, c := range conns {
		select {
		case <-c.gone:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// drain closes the listeners and wakes every connection, so that the idle
// ones notice.
func (s *Server) drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.draining.Swap(true) {
		close(s.down)
	}
	for l := range s.listeners {
		_ = l.Close()
	}
	for _, c := range s.conns {
		c.in.interrupt()
	}
	s.signalEmpty()
}
