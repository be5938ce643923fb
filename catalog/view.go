package catalog

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/sessionop"
)

// SessionizePlaceholder stands for the SESSIONIZE call in View.Outer.
const SessionizePlaceholder = "\x00sessions\x00"

// A View is one maintained view. Its definition never changes while it is
// registered; its state is guarded by the writer lock.
type View struct {
	ID         int64
	Name       TableName
	Definition string // the query as the user wrote it
	Outer      string // that query with SessionizePlaceholder for the call
	Contract   *Contract
	Populated  bool

	state    *sessionop.State
	ordinals map[sessionop.Hash]int64 // of rows without an id: how many equals count
	counters counters
	proj     *projection // see projection
	revTypes []Type      // of the rows that writeRevisions feeds; nil: not asked for yet
}

// counters are the conservation law of a view, received = counted +
// duplicates + rejected, and the fingerprint of its source.
type counters struct {
	received, counted, duplicates, rejected int64
	hash                                    uint64 // sum of the rows' value hashes, modulo 2^64
	sourceChanged                           bool
	// Sessions that ended at eventsFrom, in microseconds, or later have all their
	// rows in the source. Of which of the others event_retention let go is in
	// sessiondb.releases: see retention.go.
	eventsFrom int64
}

// projection is what the operator needs of a source row, as expressions over
// the source's columns: first the typed columns, then the computed ones.
type projection struct {
	of    *Contract
	typed []ContractColumn
	types []Type // of typed; nil until a transaction asks
	exprs []string

	member, values, text, micros, key, noKey, noID, partition int
	inputs                                                    []int // of the carried measures; -1 for the fallible ones
}

// Projection returns the expressions over the columns of the source that
// Arrive, Remove and Replace take, in order.
func (v *View) Projection() []string { return v.projection().exprs }

// projection is that of the view's contract, which is worked out once. Only
// who holds the writer lock may ask for it.
func (v *View) projection() *projection {
	if v.proj == nil || v.proj.of != v.Contract {
		v.proj = newProjection(v.Contract)
	}
	return v.proj
}

func newProjection(c *Contract) *projection {
	p := &projection{of: c}
	seen := map[string]bool{}
	for _, group := range [][]ContractColumn{c.Keys, c.IDs, {c.EventTime}, c.valueColumns()} {
		for _, col := range group {
			if !seen[col.SQL] {
				seen[col.SQL] = true
				p.typed = append(p.typed, col)
				p.exprs = append(p.exprs, col.SQL)
			}
		}
	}
	add := func(expr string) int {
		p.exprs = append(p.exprs, expr)
		return len(p.exprs) - 1
	}
	p.member = add(c.memberSQL())
	p.values = add(c.valuesHashSQL())
	p.micros = add(c.microsSQL())
	p.key = add(canonicalSQL(c.Keys))
	p.noKey = add("(" + anyNullSQL(c.Keys) + ")")
	p.noID = add("(" + anyNullSQL(c.IDs) + ")")
	p.partition = add(partitionSQL(c))
	p.text = -1
	if len(c.IDs) == 0 {
		p.text = add(canonicalSQL(c.valueColumns()))
	}
	for _, m := range c.carried() {
		if m.Fallible {
			p.inputs = append(p.inputs, -1)
		} else {
			p.inputs = append(p.inputs, add(m.Input))
		}
	}
	return p
}

func partitionSQL(c *Contract) string {
	if c.Partition == nil {
		return "''"
	}
	return "coalesce(CAST((" + c.Partition.SQL + ") AS VARCHAR), '')"
}

// typedIndex is the position of a column among the typed ones.
func (p *projection) typedIndex(col ContractColumn) int {
	for i, t := range p.typed {
		if t.SQL == col.SQL {
			return i
		}
	}
	return -1
}

// eventRows are rows of the source as the operator takes them, with the typed
// columns beside, both by row number.
type eventRows struct {
	typed  *ColumnSet
	events []sessionop.Event
	texts  []string // canonical values; only without an id
	types  []Type
}

func newEventRows(types []Type) *eventRows {
	return &eventRows{typed: NewColumns(types), types: types}
}

// appendChunk takes the rows of a chunk whose columns from offset on are the
// projection's.
func (r *eventRows) appendChunk(p *projection, chunk *Chunk, offset int, carried []ContractMeasure) {
	for i := range p.typed {
		r.typed.AppendVector(i, chunk.Col(offset+i), 0, chunk.Rows())
	}
	member, values := chunk.Col(offset+p.member).Int128s(), chunk.Col(offset+p.values).Uint64s()
	micros, keys := chunk.Col(offset+p.micros), chunk.Col(offset+p.key).Strings()
	noKey, noID := chunk.Col(offset+p.noKey).Bools(), chunk.Col(offset+p.noID).Bools()
	partitions := chunk.Col(offset + p.partition).Strings()
	inputs := make([]sessionop.Value, chunk.Rows()*len(carried))
	for j, m := range carried {
		if at := p.inputs[j]; at >= 0 {
			readInputs(chunk.Col(offset+at), m.Measure, inputs[j:], len(carried))
		}
	}
	r.events = slices.Grow(r.events, chunk.Rows())
	keyCopies, partition := copyTexts(keys), ""
	for i := range chunk.Rows() {
		if partitions[i] != partition {
			partition = strings.Clone(partitions[i])
		}
		e := sessionop.Event{
			Key: keyCopies[i], Member: hashOf(member[i]), Values: values[i], Partition: partition,
			Inputs: inputs[i*len(carried) : (i+1)*len(carried) : (i+1)*len(carried)],
		}
		e.Flags = flagsOf(noKey[i], noID[i], micros.IsNull(i))
		if !micros.IsNull(i) {
			e.Time = micros.Int64s()[i]
		}
		r.events = append(r.events, e)
	}
	if p.text >= 0 {
		r.texts = append(r.texts, copyTexts(chunk.Col(offset+p.text).Strings())...)
	}
}

// copyTexts copies the texts of a chunk into one piece of memory.
func copyTexts(texts []string) []string {
	var all strings.Builder
	for _, t := range texts {
		all.WriteString(t)
	}
	rest, out := all.String(), make([]string, len(texts))
	for i, t := range texts {
		out[i], rest = rest[:len(t)], rest[len(t):]
	}
	return out
}

func flagsOf(noKey, noID, noTime bool) sessionop.EventFlags {
	var f sessionop.EventFlags
	if noKey {
		f |= sessionop.NoKey
	}
	if noID {
		f |= sessionop.NoID
	}
	if noTime {
		f |= sessionop.NoTime
	}
	return f
}

// hashOf takes a hash from DuckDB's md5_number, whose low half are the first
// eight bytes of the digest.
func hashOf(n Int128) sessionop.Hash { return sessionop.Hash{Hi: n.Lo, Lo: uint64(n.Hi)} }

// ordinalHash is the identity of the n-th (from 1) of equal rows without id.
func ordinalHash(text string, n int64) sessionop.Hash {
	return sessionop.HashBytes(fmt.Appendf(nil, "%s#%d", text, n))
}

// sessionHash takes a session_id apart.
func sessionHash(u UUID) sessionop.Hash {
	return sessionop.Hash{Hi: binary.BigEndian.Uint64(u[:8]), Lo: binary.BigEndian.Uint64(u[8:])}
}

// load rebuilds the operator's state from the view's relations and its source.
// The idle clocks of its partitions begin at now.
func (v *View) load(ctx context.Context, conn *Conn, now time.Time) error {
	state, err := sessionop.New(v.Contract.spec())
	if err != nil {
		return err
	}
	v.state, v.ordinals = state, map[sessionop.Hash]int64{}
	for _, step := range []func(context.Context, *Conn) error{v.loadMarks, v.loadSessions, v.loadMembers, v.loadCounters, v.loadReleases} {
		if err := step(ctx, conn); err != nil {
			return err
		}
	}
	v.state.StartClock(now.UnixMicro())
	return nil
}

// loadSessions loads the current sessions that are not final: the watermark is
// loaded already.
func (v *View) loadSessions(ctx context.Context, conn *Conn) error {
	live := finiteMicros(v.state.LeastLive())
	if err := v.loadAway(ctx, conn, live); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, v.sessionsSQL("")+" WHERE r.retired_commit IS NULL AND r.session_end >= "+v.Contract.fromMicros(bigintArg)+" ORDER BY k, t", live)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(ctx, func(ch *Chunk) error { return v.takeSessions(ch, v.state.LoadSession) })
}

// loadAway notes by when the sessions have ended that are not loaded: those that
// end before live.
func (v *View) loadAway(ctx context.Context, conn *Conn, live int64) error {
	var end int64
	var some bool
	err := conn.QueryRow(ctx, "SELECT coalesce(epoch_us(max(session_end)), 0), count(*) > 0 FROM "+v.revisionsTable()+
		" WHERE retired_commit IS NULL AND session_end < "+v.Contract.fromMicros(bigintArg), []any{live}, &end, &some)
	if err == nil && some {
		v.state.LoadAway(end)
	}
	return err
}

// sessionsSQL begins a query of sessions as takeSessions wants them: from the
// revisions, as r, and what is joined to them.
func (v *View) sessionsSQL(join string) string {
	c := v.Contract
	columns := []string{
		canonicalSQL(c.sessionKeys("r.")) + " AS k", "r.session_id", "epoch_us(r.session_start) AS t", "epoch_us(r.session_end)",
		"r.event_count", "r.seq", "r.revision", "r.published_commit",
	}
	for _, m := range c.carried() {
		columns = append(columns, "r."+QuoteIdent(m.Name))
	}
	return "SELECT " + joinExprs(columns) + " FROM " + v.revisionsTable() + " AS r" + join
}

// sessionKeys are the key columns as a relation of sessions has them, each after
// a prefix.
func (c *Contract) sessionKeys(prefix string) []ContractColumn {
	keys := make([]ContractColumn, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = ContractColumn{Name: k.Name, SQL: prefix + QuoteIdent(k.Name), Type: k.Type}
	}
	return keys
}

// takeSessions gives take the sessions of some rows of sessionsSQL.
func (v *View) takeSessions(ch *Chunk, take func(key string, id sessionop.Hash, start, end, count, seq, revision, publishedCommit int64, accs []sessionop.Acc) error) error {
	carried := v.Contract.carried()
	keys, ids := ch.Col(0).Strings(), ch.Col(1).UUIDs()
	var numbers [6][]int64 // start, end, count, seq, revision, commit
	for n := range numbers {
		numbers[n] = ch.Col(2 + n).Int64s()
	}
	accs := make([]sessionop.Acc, len(carried))
	var value sessionop.Value
	for i := range ch.Rows() {
		for j, m := range carried {
			readResult(ch.Col(8+j), i, m.Measure, &value)
			accs[j] = m.acc(value)
		}
		err := take(keys[i], sessionHash(ids[i]), numbers[0][i], numbers[1][i], numbers[2][i], numbers[3][i], numbers[4][i], numbers[5][i], accs)
		if err != nil {
			return err
		}
	}
	return nil
}

// loadMembers reads what recognises rows: the ids that are counted, or how
// many equals count.
func (v *View) loadMembers(ctx context.Context, conn *Conn) error {
	if !v.Populated || v.Contract.UniqueIDs {
		return nil
	}
	rows, err := conn.Query(ctx, "SELECT _member, _values FROM ("+v.countedRowsSQL(v.Contract.Source)+") WHERE _t IS NOT NULL")
	if err != nil {
		return err
	}
	byID := len(v.Contract.IDs) > 0
	return eachRow(ctx, rows, func(ch *Chunk, i int) error {
		h := hashOf(ch.Col(0).Int128s()[i])
		if byID {
			v.state.LoadID(h, ch.Col(1).Uint64s()[i])
		} else {
			v.ordinals[h]++
		}
		return nil
	})
}

func (v *View) loadCounters(ctx context.Context, conn *Conn) error {
	k := &v.counters
	var hash string
	err := conn.QueryRow(ctx, "SELECT received, counted, duplicates, rejected, CAST(source_hash AS VARCHAR), source_changed, coalesce(events_from, ?)"+
		" FROM sessiondb.view_state WHERE view_id = ?", []any{int64(math.MinInt64), v.ID}, &k.received, &k.counted, &k.duplicates, &k.rejected, &hash, &k.sourceChanged, &k.eventsFrom)
	if err != nil {
		return err
	}
	k.hash, err = strconv.ParseUint(hash, 10, 64)
	return err
}

func (v *View) loadMarks(ctx context.Context, conn *Conn) error {
	var mark, seq int64
	var defined bool
	err := conn.QueryRow(ctx, "SELECT coalesce(watermark, 0), watermark IS NOT NULL, next_seq FROM sessiondb.view_state WHERE view_id = ?", []any{v.ID}, &mark, &defined, &seq)
	if err != nil {
		return err
	}
	v.state.SetNextSeq(seq)
	v.state.LoadWatermark(mark, defined)
	rows, err := conn.Query(ctx, "SELECT partition, watermark, latest_event, latest_arrival, state, arrived_commit, advanced_commit FROM sessiondb.partition_state WHERE view_id = ? ORDER BY partition", v.ID)
	if err != nil {
		return err
	}
	return eachRow(ctx, rows, func(ch *Chunk, i int) error {
		v.state.LoadPartition(partitionOf(ch, i))
		return nil
	})
}
