package planner

import (
	"cmp"
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
	// ProgressEvery is how often a client hears that a long statement goes on;
	// 0: every five seconds.
	ProgressEvery time.Duration
	// Warm creates Postgres's catalogs at once, in the background; otherwise the
	// first statement that reads them does, and waits for it.
	Warm bool
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

	progressEvery time.Duration

	stopWarming func() // nil: nothing is created in the background
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
	e := &Engine{db: db, store: store, catalog: NewPGCatalog(), started: time.Now(), logger: o.Logger, hub: newHub(), progressEvery: cmp.Or(o.ProgressEvery, progressEvery)}
	if err := e.setup(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	store.Start()
	if o.Warm {
		e.warm(context.WithoutCancel(ctx))
	}
	return e, nil
}

// warm creates Postgres's relations and functions in the background.
func (e *Engine) warm(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	warmed := make(chan struct{})
	e.stopWarming = func() { stop(); <-warmed }
	go func() {
		defer close(warmed)
		if err := e.db.RunDeferred(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, catalog.ErrInvalidated) {
			e.logger.Error("cannot create Postgres's catalogs", "error", err)
		}
	}()
}

// setup lets the relations and functions of Postgres's be created, in memory,
// when they are needed: that takes most of a second.
func (e *Engine) setup(ctx context.Context) error {
	if err := registerFunctions(ctx, e.db); err != nil {
		return err
	}
	conn, err := e.db.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	e.db.Defer(catalogMarker, e.catalog.SetupSQL())
	var named bool
	if err := conn.QueryRow(ctx, namesCatalogSQL, []any{catalogMarker, catalogMarker, catalogMarker}, &named); err != nil || !named {
		return err
	}
	return e.db.RunDeferred(ctx)
}

// catalogMarker is in every statement that reads what SetupSQL creates, as it
// reaches DuckDB.
const catalogMarker = "memory.pg"

// namesCatalogSQL asks whether anything stored in the file, which is read
// without being named by a statement's text, has the marker, which is given
// three times.
const namesCatalogSQL = "SELECT EXISTS (SELECT 1 FROM duckdb_views() WHERE database_name = current_database() AND contains(sql, ?))" +
	" OR EXISTS (SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND contains(sql, ?))" +
	" OR EXISTS (SELECT 1 FROM duckdb_functions() WHERE database_name = current_database() AND contains(macro_definition, ?))"

// Close checkpoints and closes the database. All sessions must have ended.
func (e *Engine) Close() error {
	if e.stopWarming != nil {
		e.stopWarming()
	}
	e.store.Close()
	return e.db.Close()
}

// Invalidated is closed when the database has failed, and everything that its
// sessions do fails too. What is committed is there when it is opened again.
func (e *Engine) Invalidated() <-chan struct{} { return e.db.Invalidated() }

// Err is why the database failed, for its sessions; nil if it has not.
func (e *Engine) Err() error { return e.db.Err() }

// InMemory reports whether the database ends with the engine.
func (e *Engine) InMemory() bool { return e.db.Path() == "" }

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
