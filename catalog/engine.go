package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// DatabaseName is the name under which the database's file is attached. It is
// fixed, since the name of a file could be that of one of its schemas, which
// makes references ambiguous.
const DatabaseName = "sessiondb_data"

// Options say which database to open and what it may use.
type Options struct {
	// Path is the database's file, which is created if there is none. Empty
	// or ":memory:" is a database that ends with the process.
	Path string
	// Threads is how many threads run statements; 0: one per processor.
	Threads int
	// MemoryLimit is DuckDB's limit, such as "4GiB"; empty: 80 % of the
	// machine's memory.
	MemoryLimit string
	// TempDirectory is where what does not fit in memory goes. It belongs to
	// this database alone. Empty: Path + ".tmp"; nothing spills from a
	// database in memory then.
	TempDirectory string
	// TempLimit bounds TempDirectory, such as "50GiB"; empty: 90 % of what is
	// free on its disk at the time.
	TempLimit string
	// Logger receives what happens in the background; nil: nothing is logged.
	Logger *slog.Logger
}

// The ways in which a file cannot be opened. Open's errors wrap one of them.
var (
	// ErrLocked says that another process has the file open.
	ErrLocked = errors.New("the database file is in use by another process")
	// ErrNotWritable says that the file or its directory may not be written.
	ErrNotWritable = errors.New("the database file cannot be written")
	// ErrNotDuckDB says that the file is something else.
	ErrNotDuckDB = errors.New("the file is not a DuckDB database")
	// ErrTooNew says that a later version of DuckDB wrote the file.
	ErrTooNew = errors.New("the database file was written by a newer version of DuckDB")
)

// An OpenError says why a file could not be opened, in one line.
type OpenError struct {
	Path   string
	Kind   error // one of the errors above; nil for any other reason
	Detail string
}

func (e *OpenError) Error() string {
	if e.Kind == nil {
		return "cannot open " + e.Path + ": " + e.Detail
	}
	if e.Detail == "" {
		return "cannot open " + e.Path + ": " + e.Kind.Error()
	}
	return "cannot open " + e.Path + ": " + e.Kind.Error() + ": " + e.Detail
}

// Unwrap returns the kind.
func (e *OpenError) Unwrap() error { return e.Kind }

// A DB is an open database. Its methods may be called by any goroutine.
type DB struct {
	handle bindings.Database
	path   string // absolute; empty in memory
	log    *slog.Logger
	feeds  feedPool

	mu       sync.Mutex // guards closed, and conns.Add against Close
	closed   bool
	deferred *deferred // nil: nothing is

	conns sync.WaitGroup

	running atomic.Int64 // statements that run now
	last    atomic.Int64 // when one ended last, in nanoseconds from 1970

	checkpoints *checkpointer
	assistants  *assistants

	invalid     chan struct{} // closed when DuckDB has declared the database invalid
	invalidated sync.Once     // closes it
}

// Open opens the database in a DuckDB instance of its own, which is locked
// down: its connections reach no other file, load no extension and change no
// setting but those of sessionSettings. One process opens a file at a time,
// and once.
func Open(ctx context.Context, o Options) (*DB, error) {
	path, err := o.file()
	if err != nil {
		return nil, err
	}
	db := &DB{path: path, log: o.Logger, invalid: make(chan struct{})}
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	if err := db.start(o); err != nil {
		return nil, err
	}
	if err := db.setUp(ctx); err != nil {
		db.shutDown()
		return nil, err
	}
	db.checkpoints = startCheckpointer(ctx, db)
	return db, nil
}

// file is the absolute path of the database; empty in memory.
func (o *Options) file() (string, error) {
	if o.Path == "" || o.Path == ":memory:" {
		return "", nil
	}
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return "", &OpenError{Path: o.Path, Detail: err.Error()}
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", &OpenError{Path: path, Kind: ErrNotDuckDB, Detail: "it is not a regular file"}
	}
	return path, nil
}

// start starts the instance with what can only be said before it runs.
func (db *DB) start(o Options) error {
	var config bindings.Config
	if bindings.CreateConfig(&config) == bindings.StateError {
		return errors.New("DuckDB gave no configuration")
	}
	defer bindings.DestroyConfig(&config)
	for _, s := range o.startSettings(db.path) {
		if bindings.SetConfig(config, s.name, s.value) == bindings.StateError {
			return fmt.Errorf("DuckDB does not take %q for %s", s.value, s.name)
		}
	}
	var text string
	if bindings.OpenExt(":memory:", &db.handle, config, &text) == bindings.StateError {
		return fmt.Errorf("DuckDB does not start: %w", parseError(text))
	}
	db.assistants = startAssistants(db.handle.Ptr, o.threads()-1)
	return nil
}

type setting struct{ name, value string }

func (o *Options) startSettings(path string) []setting {
	settings := []setting{
		{"autoinstall_known_extensions", "false"},
		{"autoload_known_extensions", "false"},
		{"allow_community_extensions", "false"},
		{"allow_unsigned_extensions", "false"},
		{"temp_directory", o.TempDirectory},
	}
	if o.TempDirectory == "" && path != "" {
		settings[len(settings)-1].value = path + ".tmp"
	}
	// All threads are external, that is to say ours: see assist.go.
	threads := strconv.Itoa(o.threads())
	settings = append(settings, setting{"threads", threads}, setting{"external_threads", threads})
	if o.MemoryLimit != "" {
		settings = append(settings, setting{"memory_limit", o.MemoryLimit})
	}
	if o.TempLimit != "" {
		settings = append(settings, setting{"max_temp_directory_size", o.TempLimit})
	}
	return settings
}

// threads is how many threads may run statements, those that call them included.
func (o *Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.NumCPU()
}

// sessionSettings are what a connection may still change for itself after
// lockDown: the time zone, where names are looked up (USE is one of them), and
// whether it measures its progress.
const sessionSettings = "['TimeZone', 'schema', 'search_path', 'enable_progress_bar', 'enable_progress_bar_print']"

// setUp attaches the file, makes the settings that every connection starts
// with, and locks them.
func (db *DB) setUp(ctx context.Context) error {
	c := &Conn{db: db, stmts: map[*Stmt]struct{}{}, rows: map[*Rows]struct{}{}}
	if bindings.Connect(db.handle, &c.handle) == bindings.StateError {
		return errors.New("DuckDB refused a connection")
	}
	defer c.release()
	if _, err := c.Exec(ctx, "SET GLOBAL errors_as_json = true"); err != nil {
		return err
	}
	if err := db.feeds.register(c); err != nil {
		return err
	}
	if err := db.attach(ctx, c); err != nil {
		return err
	}
	for _, sql := range lockDown() {
		if _, err := c.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return proveLockedDown(ctx, c)
}

// lockDown are the statements after which a connection sees Postgres's order
// of NULLs and division of integers, and reaches nothing outside of the
// database. The last two are in this order, and last.
func lockDown() []string {
	return []string{
		"SET GLOBAL default_null_order = 'postgres'",
		"SET GLOBAL integer_division = true",
		"LOAD icu", // compiled in: time zones
		// A prepared plan keeps what the statistics said when it was made: a
		// filter that no row passed then passes none for ever. So plans are
		// made without them (a test holds that this is enough).
		"SET GLOBAL disabled_optimizers = 'statistics_propagation'",
		// The checkpointer does it while nobody waits; at DuckDB's 16 MB a
		// commit stalls for 100 to 700 ms every 390,000 rows.
		"SET GLOBAL checkpoint_threshold = '" + forcedCheckpoint + "'",
		"SET GLOBAL allowed_configs = " + sessionSettings,
		"SET GLOBAL enable_external_access = false",
		"SET GLOBAL lock_configuration = true",
	}
}

// proveLockedDown tries what must not work.
func proveLockedDown(ctx context.Context, c *Conn) error {
	for _, sql := range []string{
		"SELECT count(*) FROM read_text('/etc/hosts')",
		"SELECT count(*) FROM glob('/*')",
		"ATTACH ':memory:' AS sessiondb_probe (TYPE sqlite)",
		"COPY (SELECT 1) TO '/dev/null'",
		"INSTALL httpfs",
		"LOAD httpfs",
		"SET GLOBAL enable_external_access = true",
		"SET lock_configuration = false",
		"SET threads = 1",
	} {
		_, err := c.Exec(ctx, sql)
		var e *Error
		if !errors.As(err, &e) || e.state != "42501" {
			return fmt.Errorf("the engine is not locked down: %s led to: %w", sql, err)
		}
	}
	return nil
}

func (db *DB) attach(ctx context.Context, c *Conn) error {
	if db.path == "" {
		_, err := c.Exec(ctx, "ATTACH ':memory:' AS "+DatabaseName)
		return err
	}
	_, err := c.Exec(ctx, "ATTACH "+QuoteLiteral(db.path)+" AS "+DatabaseName+" (STORAGE_VERSION 'latest')")
	var e *Error
	if errors.As(err, &e) && e.Type != classInterrupt {
		return openError(db.path, e)
	}
	return err
}

// openError says what DuckDB's refusal of a file means.
func openError(path string, e *Error) error {
	m := e.Message
	switch {
	case strings.Contains(m, "Conflicting lock is held"):
		return &OpenError{Path: path, Kind: ErrLocked, Detail: between(m, "held in ", ". See also")}
	case strings.Contains(m, "Could not set lock"):
		return &OpenError{Path: path, Kind: ErrLocked}
	case strings.Contains(m, "not a valid DuckDB database"):
		return &OpenError{Path: path, Kind: ErrNotDuckDB}
	case strings.Contains(m, "newer version"), strings.Contains(m, "can only read version"):
		return &OpenError{Path: path, Kind: ErrTooNew}
	case strings.Contains(m, "Permission denied"), strings.Contains(m, "Read-only file system"),
		strings.Contains(m, "No such file"), strings.Contains(m, "Is a directory"):
		_, why, _ := strings.Cut(m, `": `)
		return &OpenError{Path: path, Kind: ErrNotWritable, Detail: why}
	default:
		return &OpenError{Path: path, Detail: m}
	}
}

// Path is the database's file; empty in memory.
func (db *DB) Path() string { return db.path }

// enter counts a connection, unless the database is closed.
func (db *DB) enter() bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return false
	}
	db.conns.Add(1)
	return true
}

// Close waits for all connections to be closed, checkpoints unless the database
// is invalid, and frees the file. Closing twice does nothing.
func (db *DB) Close() error {
	db.mu.Lock()
	again := db.closed
	db.closed = true
	db.mu.Unlock()
	if again {
		return nil
	}
	db.checkpoints.close()
	db.conns.Wait()
	var err error
	if !db.isInvalid() {
		err = db.lastCheckpoint()
	}
	db.shutDown()
	return err
}

// lastCheckpoint leaves a file without a write-ahead log. If it fails nothing
// is lost: the log is read at the next start.
func (db *DB) lastCheckpoint() error {
	if db.path == "" {
		return nil
	}
	c := &Conn{db: db, stmts: map[*Stmt]struct{}{}, rows: map[*Rows]struct{}{}}
	if bindings.Connect(db.handle, &c.handle) == bindings.StateError {
		return errors.New("DuckDB refused a connection")
	}
	defer c.release()
	_, err := c.Exec(context.Background(), "CHECKPOINT "+DatabaseName)
	return err
}

// shutDown frees the instance, and then what its functions used.
func (db *DB) shutDown() {
	db.assistants.close()
	bindings.Close(&db.handle)
	db.feeds.free()
}

// ran notes the end of a statement, for the checkpointer.
func (db *DB) ran() {
	db.running.Add(-1)
	db.touch()
}

// touch notes that a connection was used now.
func (db *DB) touch() { db.last.Store(time.Now().UnixNano()) }
