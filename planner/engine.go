package planner

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// Options say which database an Engine serves.
type Options struct {
	Path        string // of the database file; "" or ":memory:" for none
	Threads     int    // 0: one per processor
	MemoryLimit string // DuckDB's, such as "4GB"; "": its default
	Clock       func() time.Time
	Logger      *slog.Logger // nil: nothing is logged
}

// An Engine answers the sessions of a wire.Server from one database. It is a
// wire.Backend.
type Engine struct {
	db        *catalog.DB
	store     *catalog.Store
	catalog   *PGCatalog
	started   time.Time
	relations atomic.Int64 // counts the statements that changed a relation, and their ends
	logger    *slog.Logger
	hub       *hub
}

// Open opens the database, brings it to the current format and loads its
// maintained views.
func Open(ctx context.Context, o Options) (*Engine, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	db, err := catalog.Open(ctx, catalog.Options{Path: o.Path, Threads: o.Threads, MemoryLimit: o.MemoryLimit, Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	store, err := catalog.OpenStore(ctx, db, catalog.StoreOptions{Clock: o.Clock, Logger: o.Logger})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	e := &Engine{db: db, store: store, catalog: NewPGCatalog(), started: time.Now(), logger: o.Logger, hub: newHub()}
	if err := e.setup(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	store.Start()
	return e, nil
}

// setup creates the relations and functions of Postgres's, in memory.
func (e *Engine) setup(ctx context.Context) error {
	if err := registerFunctions(ctx, e.db); err != nil {
		return err
	}
	conn, err := e.db.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, q := range e.catalog.SetupSQL() {
		if _, err := conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// Close checkpoints and closes the database. All sessions must have ended.
func (e *Engine) Close() error {
	e.store.Close()
	return e.db.Close()
}

// Open begins a session on a DuckDB connection of its own.
func (e *Engine) Open(ctx context.Context, c *wire.Client) (wire.Session, error) {
	conn, err := e.db.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{engine: e, client: c, conn: conn, settings: newSettings(c), prepared: map[string]*sqlPrepared{}, cursors: map[string]*cursor{}, temp: map[string]bool{}}
	if err := s.applyStartup(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

// hub carries notifications between sessions.
type hub struct {
	mu        sync.Mutex
	listeners map[string]map[*session]struct{} // by channel
}

func newHub() *hub { return &hub{listeners: map[string]map[*session]struct{}{}} }

func (h *hub) listen(channel string, s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners[channel] == nil {
		h.listeners[channel] = map[*session]struct{}{}
	}
	h.listeners[channel][s] = struct{}{}
}

// channels are those that a session listens to, in order.
func (h *hub) channels(s *session) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var names []string
	for name, set := range h.listeners {
		if _, ok := set[s]; ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// unlisten ends listening to a channel; to all of them if it is "".
func (h *hub) unlisten(channel string, s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, set := range h.listeners {
		if channel == "" || name == channel {
			delete(set, s)
			if len(set) == 0 {
				delete(h.listeners, name)
			}
		}
	}
}

// notify queues a notification at every listener of the channel.
func (h *hub) notify(channel, payload string, pid uint32) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.listeners[channel] {
		s.client.Notify(channel, payload, pid)
	}
}
