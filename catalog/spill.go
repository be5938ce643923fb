package catalog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// A spill keeps what a transaction did to a view's source once that is more
// than memory should hold: rows go to a temporary table, which DuckDB moves to
// disk as its memory limit says, and come back at the commit in parts, each of
// about as many rows as are kept in memory otherwise. No two parts share a key
// or an id, so that each is judged apart (sessionop.Commit.Follows).
//
// The table is that of a connection of the spill's own: rows are spilled while
// the transaction's connection streams the statement that brings them.
type spill struct {
	conn    *Conn
	proj    *projection
	types   []Type // of the table's columns
	carried int
	rows    int64 // spilled so far; their numbers are below it
	batch   int64
	removed bool // there are removed rows among them
}

// defaultRowsInMemory is how many rows of one transaction are kept in memory
// for each view.
const defaultRowsInMemory = 1 << 17

// The columns of the table, before the typed ones: the number of the row, the
// batch that it was spilled with, whether it was removed, the row of its batch
// that it replaces, and the fields of an event.
const (
	spillNumber = iota
	spillBatch
	spillRemoved
	spillReplaces
	spillKey
	spillTime
	spillHi
	spillLo
	spillValues
	spillPartition
	spillFlags
	spillText
	spillInputs
	spillTyped
)

// newSpill makes an empty spill for rows of a view.
func (t *WriteTx) newSpill(ctx context.Context, vt *viewTx) (*spill, error) {
	integer, hash, text := Simple(TypeBigInt), Simple(TypeUBigInt), Simple(TypeVarchar)
	types := []Type{integer, integer, Simple(TypeBoolean), integer, text, integer, hash, hash, hash, text, integer, text, Simple(TypeBlob)}
	s := &spill{proj: vt.proj, types: append(types, vt.arrived.types...), carried: len(vt.view.Contract.carried())}
	columns := make([]string, len(s.types))
	for i, typ := range s.types {
		columns[i] = fmt.Sprintf("c%d %s", i, typ.Name)
	}
	var err error
	if s.conn, err = t.store.db.Connect(ctx); err != nil {
		return nil, err
	}
	if _, err := s.conn.Exec(ctx, "CREATE TEMP TABLE spilled ("+joinExprs(columns)+")"); err != nil {
		return nil, errors.Join(err, s.conn.Close())
	}
	return s, nil
}

// bound spills the rows of a view if they are too many to keep.
func (t *WriteTx) bound(ctx context.Context, vt *viewTx) error {
	if vt.inMemory() <= t.store.rowsInMemory {
		return nil
	}
	if vt.spill == nil {
		s, err := t.newSpill(ctx, vt)
		if err != nil {
			return err
		}
		vt.spill = s
	}
	return vt.spillRows(ctx, t.store.db)
}

func (vt *viewTx) inMemory() int { return len(vt.arrived.events) + len(vt.removed.events) }

// spillRows moves the rows in memory to the spill, less those that cancel out.
func (vt *viewTx) spillRows(ctx context.Context, db *DB) error {
	s, numbers := vt.spill, map[int]int64{}
	rows := NewColumns(s.types)
	for i := range vt.removed.events {
		if !vt.goneRemoved[i] {
			numbers[i] = s.rows
			s.removed = true
			s.append(rows, vt.removed, i, true, -1)
		}
	}
	for i := range vt.arrived.events {
		if vt.goneArrived[i] {
			continue
		}
		replaces := int64(-1)
		if old, ok := vt.replaces[i]; ok {
			replaces = numbers[old]
		}
		s.append(rows, vt.arrived, i, false, replaces)
	}
	s.batch++
	vt.reset()
	return s.store(ctx, db, rows)
}

func (s *spill) store(ctx context.Context, db *DB, rows *ColumnSet) error {
	feed, err := db.AcquireFeed(s.types)
	if err != nil {
		return err
	}
	defer feed.Release()
	feed.Set(rows)
	_, err = s.conn.Exec(ctx, "INSERT INTO spilled SELECT * FROM "+feed.SQL())
	return err
}

// append adds row i of from to the rows that are about to be spilled.
func (s *spill) append(rows *ColumnSet, from *eventRows, i int, removed bool, replaces int64) {
	e := &from.events[i]
	rows.AppendInt64(spillNumber, s.rows)
	s.rows++
	rows.AppendInt64(spillBatch, s.batch)
	rows.AppendBool(spillRemoved, removed)
	rows.AppendInt64(spillReplaces, replaces)
	rows.AppendString(spillKey, e.Key)
	rows.AppendInt64(spillTime, e.Time)
	rows.AppendUint64(spillHi, e.Member.Hi)
	rows.AppendUint64(spillLo, e.Member.Lo)
	rows.AppendUint64(spillValues, e.Values)
	rows.AppendString(spillPartition, e.Partition)
	rows.AppendInt64(spillFlags, int64(e.Flags))
	text := ""
	if len(from.texts) > 0 {
		text = from.texts[i]
	}
	rows.AppendString(spillText, text)
	rows.AppendBytes(spillInputs, encodeInputs(e.Inputs))
	for col := range from.types {
		rows.AppendFrom(spillTyped+col, from.typed, col, i)
	}
}

// inputBytes is the size of an encoded input: whether it is valid, Hi, Lo.
const inputBytes = 17

func encodeInputs(inputs []sessionop.Value) []byte {
	out := make([]byte, 0, len(inputs)*inputBytes)
	for _, v := range inputs {
		valid := byte(0)
		if v.Valid {
			valid = 1
		}
		out = binary.BigEndian.AppendUint64(append(out, valid), uint64(v.Hi))
		out = binary.BigEndian.AppendUint64(out, v.Lo)
	}
	return out
}

func decodeInputs(encoded string, inputs []sessionop.Value) {
	for i := range inputs {
		b := []byte(encoded[i*inputBytes : (i+1)*inputBytes])
		inputs[i] = sessionop.Value{Valid: b[0] != 0, Hi: int64(binary.BigEndian.Uint64(b[1:])), Lo: binary.BigEndian.Uint64(b[9:])}
	}
}

// partsSQL reads the rows part by part, in the order in which they came. Keys
// that share an id, or of which an UPDATE moved a row from one to the other,
// are one part; the others are spread by their hash. whole makes all one part.
func (s *spill) partsSQL(perPart int, whole bool) string {
	parts := s.rows/int64(perPart) + 1
	if whole {
		parts = 1
	}
	c := func(col int) string { return fmt.Sprintf("c%d", col) }
	key, lo, hi := c(spillKey), c(spillLo), c(spillHi)
	shared := fmt.Sprintf("SELECT %[2]s, %[3]s FROM spilled WHERE %[4]s = 0 GROUP BY ALL HAVING min(hash(%[1]s)) <> max(hash(%[1]s))", key, lo, hi, c(spillFlags))
	moved := fmt.Sprintf("FROM spilled AS a JOIN spilled AS b ON a.%s = b.%s WHERE a.%[3]s <> b.%[3]s", c(spillReplaces), c(spillNumber), key)
	joined := fmt.Sprintf("SELECT %[1]s FROM spilled SEMI JOIN (%[2]s) USING (%[3]s, %[4]s) UNION SELECT a.%[1]s %[5]s UNION SELECT b.%[1]s %[5]s", key, shared, lo, hi, moved)
	columns := make([]string, len(s.types))
	for i := range columns {
		columns[i] = c(i)
	}
	return fmt.Sprintf("SELECT CASE WHEN %[1]s IN (%[2]s) THEN -1 ELSE CAST(hash(%[1]s) %% %[3]d AS BIGINT) END AS part, %[4]s FROM spilled ORDER BY part, %[5]s, %[6]s DESC, %[7]s",
		key, joined, parts, joinExprs(columns), c(spillBatch), c(spillRemoved), c(spillNumber))
}

// eachPart calls f with the rows of one part after the other; last marks the
// final one.
func (s *spill) eachPart(ctx context.Context, vt *viewTx, perPart int, f func(part *viewTx, last bool) error) error {
	whole := s.removed && vt.view.judgesAnew()
	rows, err := s.conn.Query(ctx, s.partsSQL(perPart, whole))
	if err != nil {
		return err
	}
	defer rows.Close()
	r := &partReader{spill: s, of: vt, emit: f}
	if err := rows.Each(ctx, r.take); err != nil {
		return err
	}
	return r.flush(true)
}

// judgesAnew says whether a row that goes may let another of its id count,
// which can have any key.
func (v *View) judgesAnew() bool {
	return len(v.Contract.IDs) > 0 && !v.Contract.UniqueIDs && v.counters.duplicates+v.counters.rejected > 0
}

// close frees the rows.
func (s *spill) close() { _ = s.conn.Close() } // which never fails

// A partReader puts the rows of partsSQL together, as they were when they were
// spilled.
type partReader struct {
	spill *spill
	of    *viewTx
	emit  func(part *viewTx, last bool) error

	part          *viewTx
	number, batch int64
	// Of the batch: where its rows begin, and its removed rows by number.
	firstRemoved, firstArrived int
	removed                    map[int64]int
}

func (r *partReader) take(ch *Chunk) error {
	parts, batches := ch.Col(0).Int64s(), ch.Col(1+spillBatch).Int64s()
	for i := range ch.Rows() {
		switch {
		case r.part == nil || r.number != parts[i]:
			if err := r.flush(false); err != nil {
				return err
			}
			r.part, r.number = r.of.part(), parts[i]
			r.begin(batches[i])
		case r.batch != batches[i]:
			r.finishBatch()
			r.begin(batches[i])
		}
		r.add(ch, i)
	}
	return nil
}

// flush hands over the part that is complete.
func (r *partReader) flush(last bool) error {
	if r.part == nil && !last {
		return nil
	}
	if r.part == nil {
		r.part = r.of.part() // all rows cancelled out
	} else {
		r.finishBatch()
	}
	if last {
		r.part.marks = r.of.marks
	}
	return r.emit(r.part, last)
}

func (r *partReader) begin(batch int64) {
	r.batch, r.removed = batch, map[int64]int{}
	r.firstRemoved, r.firstArrived = len(r.part.removed.events), len(r.part.arrived.events)
}

// finishBatch lets removed rows cancel with what arrived in earlier batches, as
// they do in memory.
func (r *partReader) finishBatch() {
	p := r.part
	if p.arrivals != nil {
		p.indexArrivals(r.firstArrived)
	}
	paired := map[int]bool{}
	for i := r.firstArrived; i < len(p.arrived.events); i++ {
		if old, ok := p.replaces[i]; ok {
			paired[old] = true
			p.pair(old, i)
		}
	}
	for i := r.firstRemoved; i < len(p.removed.events); i++ {
		if !paired[i] {
			p.cancel(i)
		}
	}
}

// add appends row i of a chunk to the part.
func (r *partReader) add(ch *Chunk, i int) {
	col := func(c int) *Vector { return ch.Col(1 + c) }
	to := r.part.arrived
	if col(spillRemoved).Bools()[i] {
		to = r.part.removed
		r.removed[col(spillNumber).Int64s()[i]] = len(to.events)
	} else if old := col(spillReplaces).Int64s()[i]; old >= 0 {
		r.part.replaces[len(to.events)] = r.removed[old]
	}
	e := sessionop.Event{
		Key: strings.Clone(col(spillKey).Strings()[i]), Time: col(spillTime).Int64s()[i],
		Member: sessionop.Hash{Hi: col(spillHi).Uint64s()[i], Lo: col(spillLo).Uint64s()[i]}, Values: col(spillValues).Uint64s()[i],
		Partition: strings.Clone(col(spillPartition).Strings()[i]), Flags: sessionop.EventFlags(col(spillFlags).Int64s()[i]),
		Inputs: make([]sessionop.Value, r.spill.carried),
	}
	decodeInputs(col(spillInputs).Strings()[i], e.Inputs)
	to.events = append(to.events, e)
	if r.spill.proj.text >= 0 {
		to.texts = append(to.texts, strings.Clone(col(spillText).Strings()[i]))
	}
	for c := range to.types {
		to.typed.AppendVector(c, col(spillTyped+c), i, i+1)
	}
}
