package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// FormatVersion is the version of what sessiondb keeps in a database file.
const FormatVersion = 1

// A Store is the durable side of the maintained views: their definitions,
// their relations, the commits, and the operator's state beside them. Its
// registry may be read from any goroutine; everything that writes holds the
// writer lock (see WriteTx).
type Store struct {
	db     *DB
	logger *slog.Logger
	clock  func() time.Time
	Lock   *WriterLock

	// See defaultRowsInMemory, defaultPurgeBatch and defaultLookupFrom; tests lower them.
	rowsInMemory, purgeBatch int
	lookupFrom               int64

	mu    sync.RWMutex // guards views
	views map[int64]*View
	// states guards the operator's states while a commit changes them from
	// those who have not the writer lock.
	states sync.RWMutex

	// Housekeeping: when it is due, in microseconds of the clock, and its end.
	nextIdle, nextPurge atomic.Int64
	wake                chan struct{}
	stop                context.CancelFunc
	unindexed           chan *View // see indexAway
	running             sync.WaitGroup

	// What the last commit left; guarded by the writer lock.
	lastCommit int64
	lastTime   time.Time
	nextViewID int64
}

// StoreOptions are what OpenStore needs beside the database.
type StoreOptions struct {
	Clock  func() time.Time // default time.Now
	Logger *slog.Logger
}

// OpenStore creates what a file lacks, refuses a file of a later format, and
// loads the operator's state of every view.
func OpenStore(ctx context.Context, db *DB, o StoreOptions) (*Store, error) {
	s := &Store{
		db: db, logger: o.Logger, clock: o.Clock, Lock: NewWriterLock(), views: map[int64]*View{}, nextViewID: 1,
		wake: make(chan struct{}, 1), unindexed: make(chan *View, 1),
		rowsInMemory: defaultRowsInMemory, purgeBatch: defaultPurgeBatch, lookupFrom: defaultLookupFrom,
	}
	s.nextIdle.Store(never)
	s.nextPurge.Store(never)
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	conn, err := db.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := s.createSchema(ctx, conn); err != nil {
		return nil, err
	}
	if err := s.loadCommits(ctx, conn); err != nil {
		return nil, err
	}
	if err := s.loadViews(ctx, conn); err != nil {
		return nil, err
	}
	if err := s.createGlobalViews(ctx, conn); err != nil {
		return nil, err
	}
	s.plan()
	return s, nil
}

func schemaSQL() []string {
	return []string{
		"CREATE SCHEMA IF NOT EXISTS sessiondb",
		"CREATE TABLE IF NOT EXISTS sessiondb.format (version INTEGER NOT NULL)",
		"INSERT INTO sessiondb.format SELECT " + fmt.Sprint(FormatVersion) + " WHERE NOT EXISTS (FROM sessiondb.format)",
		"CREATE TABLE IF NOT EXISTS sessiondb.commit_log (commit BIGINT NOT NULL, committed_at TIMESTAMPTZ NOT NULL)",
		"CREATE TABLE IF NOT EXISTS sessiondb.watermark_log (commit BIGINT NOT NULL, view_id BIGINT NOT NULL, partition VARCHAR, watermark BIGINT)",
		"CREATE TABLE IF NOT EXISTS sessiondb.length_log (commit BIGINT NOT NULL, view_id BIGINT NOT NULL, gap BIGINT NOT NULL, lateness BIGINT NOT NULL)",
		"CREATE TABLE IF NOT EXISTS sessiondb.view_definitions (view_id BIGINT NOT NULL, schema_name VARCHAR NOT NULL, view_name VARCHAR NOT NULL, " +
			"source VARCHAR NOT NULL, definition VARCHAR NOT NULL, outer_query VARCHAR NOT NULL, contract VARCHAR NOT NULL, populated BOOLEAN NOT NULL)",
		"CREATE TABLE IF NOT EXISTS sessiondb.view_state (view_id BIGINT NOT NULL, watermark BIGINT, received BIGINT NOT NULL, counted BIGINT NOT NULL, " +
			"duplicates BIGINT NOT NULL, rejected BIGINT NOT NULL, last_commit BIGINT NOT NULL, next_seq BIGINT NOT NULL, " +
			"source_hash UBIGINT NOT NULL, source_changed BOOLEAN NOT NULL, oldest_commit BIGINT NOT NULL, events_from BIGINT)",
		"CREATE TABLE IF NOT EXISTS sessiondb.partition_state (view_id BIGINT NOT NULL, partition VARCHAR NOT NULL, watermark BIGINT, " +
			"latest_event BIGINT, latest_arrival BIGINT, arrived_commit BIGINT NOT NULL, advanced_commit BIGINT NOT NULL, state VARCHAR NOT NULL)",
		"CREATE TABLE IF NOT EXISTS sessiondb.releases (view_id BIGINT NOT NULL, commit BIGINT NOT NULL, ended_before BIGINT NOT NULL)",
		// A file of before there were releases says only before when.
		"INSERT INTO sessiondb.releases SELECT view_id, (SELECT coalesce(max(commit), 0) FROM sessiondb.commit_log), events_from FROM sessiondb.view_state AS s" +
			" WHERE events_from IS NOT NULL AND NOT EXISTS (FROM sessiondb.releases AS l WHERE l.view_id = s.view_id)",
		"CREATE TABLE IF NOT EXISTS sessiondb.source_progress (source VARCHAR NOT NULL, position VARCHAR NOT NULL, commit BIGINT NOT NULL)",
		"CREATE TABLE IF NOT EXISTS sessiondb.table_options (schema_name VARCHAR NOT NULL, table_name VARCHAR NOT NULL, option VARCHAR NOT NULL, value VARCHAR NOT NULL)",
	}
}

func (s *Store) createSchema(ctx context.Context, conn *Conn) error {
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	for _, q := range schemaSQL() {
		if _, err := conn.Exec(ctx, q); err != nil {
			return fmt.Errorf("prepare the database: %w", err)
		}
	}
	var version int64
	if err := conn.QueryRow(ctx, "SELECT CAST(version AS BIGINT) FROM sessiondb.format", nil, &version); err != nil {
		return err
	}
	if version > FormatVersion {
		return fmt.Errorf("the database has format %d, and this sessiondb knows %d: use a newer sessiondb", version, FormatVersion)
	}
	_, err := conn.Exec(ctx, "COMMIT")
	return err
}

// createGlobalViews creates what speaks of all views, as they are now: another
// version may have written the file.
func (s *Store) createGlobalViews(ctx context.Context, conn *Conn) error {
	for _, q := range globalViewsSQL(s.Views()) {
		if _, err := conn.Exec(ctx, q); err != nil {
			return fmt.Errorf("prepare the database: %w", err)
		}
	}
	return nil
}

func (s *Store) loadCommits(ctx context.Context, conn *Conn) error {
	var micros int64
	err := conn.QueryRow(ctx, "SELECT coalesce(max(commit), 0), coalesce(epoch_us(max(committed_at)), 0) FROM sessiondb.commit_log", nil, &s.lastCommit, &micros)
	s.lastTime = time.UnixMicro(micros)
	return err
}

// loadViews reads the definitions, then rebuilds each view's state.
func (s *Store) loadViews(ctx context.Context, conn *Conn) error {
	rows, err := conn.Query(ctx, "SELECT view_id, schema_name, view_name, definition, outer_query, contract, populated FROM sessiondb.view_definitions ORDER BY view_id")
	if err != nil {
		return err
	}
	var found []*View
	err = eachRow(ctx, rows, func(c *Chunk, i int) error {
		v := &View{
			ID: c.Col(0).Int64s()[i], Name: TableName{strings.Clone(c.Col(1).Strings()[i]), strings.Clone(c.Col(2).Strings()[i])},
			Definition: strings.Clone(c.Col(3).Strings()[i]), Outer: strings.Clone(c.Col(4).Strings()[i]), Contract: &Contract{},
			Populated: c.Col(6).Bools()[i],
		}
		found = append(found, v)
		return json.Unmarshal([]byte(c.Col(5).Strings()[i]), v.Contract)
	})
	if err != nil {
		return err
	}
	for _, v := range found {
		if err := s.loadView(ctx, conn, v); err != nil {
			return fmt.Errorf("load the view %s: %w", v.Name.Name, err)
		}
		s.views[v.ID] = v
		s.nextViewID = max(s.nextViewID, v.ID+1)
	}
	return nil
}

// eachRow calls f for every row and closes rows.
func eachRow(ctx context.Context, rows *Rows, f func(c *Chunk, i int) error) error {
	defer rows.Close()
	return rows.Each(ctx, func(c *Chunk) error {
		for i := range c.Rows() {
			if err := f(c, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// View returns the maintained view of that name.
func (s *Store) View(name TableName) (*View, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, v := range s.views {
		if v.Name.equal(name) {
			return v, true
		}
	}
	return nil, false
}

// Views returns all maintained views, by id.
func (s *Store) Views() []*View {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]*View, 0, len(s.views))
	for _, v := range s.views {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// ViewsOf returns the maintained views that read the table, by id.
func (s *Store) ViewsOf(table TableName) []*View {
	var out []*View
	for _, v := range s.Views() {
		if v.Contract.Base.equal(table) {
			out = append(out, v)
		}
	}
	return out
}

func (t TableName) equal(o TableName) bool {
	return strings.EqualFold(t.Name, o.Name) && strings.EqualFold(t.Schema, o.Schema)
}

// LastCommit is the number of the last commit; the caller holds the writer
// lock, or takes what it gets for a hint.
func (s *Store) LastCommit() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.lastCommit
}

// boundedLateness is a lateness that SQL can compute with.
func boundedLateness(c *Contract) int64 {
	if c.Lateness == sessionop.Unlimited {
		return 0
	}
	return c.Lateness
}

// globalViewsSQL creates the relations of schema sessiondb that speak of all
// views.
func globalViewsSQL(views []*View) []string {
	counts := make([]string, 0, len(views)+1)
	counts = append(counts, "SELECT CAST(NULL AS BIGINT) AS view_id, 0::BIGINT AS open_sessions, 0::BIGINT AS closed_sessions, 0::BIGINT AS final_sessions, "+
		"0::BIGINT AS live_keys, 0::BIGINT AS key_bytes, 0::BIGINT AS session_bytes, 0::BIGINT AS lateness, false AS bounded WHERE false")
	for _, v := range views {
		c := v.Contract
		state, spec := c.stateSQL("w.watermark"), c.spec()
		perKey, perSession := spec.StateBytes()
		counts = append(counts, fmt.Sprintf("SELECT %d, count(*) FILTER (WHERE r.retired_commit IS NULL AND %[2]s = 'open'), "+
			"count(*) FILTER (WHERE r.retired_commit IS NULL AND %[2]s = 'closed'), count(*) FILTER (WHERE r.retired_commit IS NULL AND %[2]s = 'final'), "+
			"approx_count_distinct(hash(%[6]s)) FILTER (WHERE r.retired_commit IS NULL AND %[2]s <> 'final'), %[7]d, %[8]d, "+
			"%[3]d, %[4]t FROM %[5]s AS r%[9]s", v.ID, state, boundedLateness(c), c.Lateness != sessionop.Unlimited, v.revisionsTable(), c.keyListOf("r."), perKey, perSession, v.withWatermark()))
	}
	return []string{
		"CREATE OR REPLACE VIEW sessiondb.views AS SELECT d.view_name, d.source, d.definition AS contract, " +
			"make_timestamptz(" + lessSQL("s.watermark", "0") + ") AS watermark, CASE WHEN n.bounded THEN make_timestamptz(" + lessSQL("s.watermark", "n.lateness") + ") END AS merge_horizon, " +
			"n.open_sessions, n.closed_sessions, n.final_sessions, n.open_sessions + n.closed_sessions AS live_sessions, " +
			"n.live_keys * n.key_bytes + (n.open_sessions + n.closed_sessions) * n.session_bytes AS state_bytes, s.last_commit, s.received, s.counted, s.duplicates, s.rejected, " +
			"s.oldest_commit, s.source_changed, d.populated" +
			" FROM sessiondb.view_definitions AS d JOIN sessiondb.view_state AS s USING (view_id) LEFT JOIN (" +
			strings.Join(counts, " UNION ALL ") + ") AS n USING (view_id)",
		"CREATE OR REPLACE VIEW sessiondb.watermarks AS SELECT d.view_name, p.partition, make_timestamptz(" + lessSQL("p.watermark", "0") + ") AS watermark, " +
			"make_timestamptz(p.latest_event) AS latest_event, make_timestamptz(p.latest_arrival) AS latest_arrival, p.state" +
			" FROM sessiondb.partition_state AS p JOIN sessiondb.view_definitions AS d USING (view_id)",
		"CREATE OR REPLACE VIEW sessiondb.commits AS SELECT c.commit, c.committed_at, " +
			"(SELECT list({'view': d.view_name, 'partition': w.partition, 'watermark': make_timestamptz(" + lessSQL("w.mark", "0") + ")} ORDER BY d.view_name, w.partition NULLS FIRST)" +
			" FROM (SELECT view_id, partition, arg_max(watermark, commit) AS mark FROM sessiondb.watermark_log AS l WHERE l.commit <= c.commit GROUP BY view_id, partition) AS w" +
			" JOIN sessiondb.view_definitions AS d USING (view_id)) AS watermarks FROM sessiondb.commit_log AS c",
	}
}
