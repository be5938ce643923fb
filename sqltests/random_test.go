package sqltests

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A history is a random life of one source table and its view. Its few keys
// and its short stretch of time make merges and splits common.
type history struct {
	t      *testing.T
	conn   *pgx.Conn
	random *rand.Rand
	oracle oracle
	keys   int
	span   int   // seconds of event time
	next   int   // id of the next event
	live   []int // ids that a committed row has
}

const (
	historyTable = `CREATE TABLE events (event_id bigint, account_id text, event_at timestamptz, amount bigint)`
	historyView  = `CREATE MATERIALIZED VIEW s AS SELECT * FROM SESSIONIZE(events, key => account_id, event_time => event_at,
		id => event_id, gap => '11 min', amount => sum(amount), path => list(event_id))`
)

func historyOracle() oracle {
	return oracle{view: "s", source: "events", key: "account_id", id: "event_id", at: "event_at", measure: "amount", gapMicros: 660_000_000}
}

func newHistory(t *testing.T, seed uint64, keys, span int) *history {
	t.Helper()
	h := &history{t: t, conn: serve(t).connect(t), random: rand.New(rand.NewPCG(seed, 0)), oracle: historyOracle(), keys: keys, span: span}
	must(t, h.conn, historyTable, historyView)
	return h
}

// TestRandomHistories mixes every way to write, one commit at a time, and
// compares the view with the oracle after each.
func TestRandomHistories(t *testing.T) {
	for i := range *seeds {
		seed := uint64(*firstSet) + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			h := newHistory(t, seed, 3, 7200)
			for range 60 {
				h.step()
				h.oracle.check(t, h.conn)
			}
			wantVerified(t, h.conn, "s")
		})
	}
}

// TestRandomLoad brings many events, some of them late, in random batches with
// rollbacks between, and ends with the proof.
func TestRandomLoad(t *testing.T) {
	for i := range *seeds {
		seed := uint64(*firstSet) + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			h := newHistory(t, seed, max(*events/50, 10), *events*20)
			for h.next < *events {
				h.load(min(1+h.random.IntN(1+*events/20), *events-h.next))
			}
			h.oracle.check(t, h.conn)
			wantVerified(t, h.conn, "s")
		})
	}
}

// load copies n events whose times go forward, with one in ten up to an hour
// late. One batch in four is rolled back and sent again.
func (h *history) load(n int) {
	first := h.next
	var text strings.Builder
	for i := range n {
		at := 3600 + (first+i)*20
		if h.random.IntN(10) == 0 {
			at -= h.random.IntN(3600)
		}
		fmt.Fprintf(&text, "%d\tk%d\t%s\t%d\n", first+i, h.random.IntN(h.keys), clock(at), h.random.IntN(1000)-200)
	}
	if h.random.IntN(4) == 0 {
		must(h.t, h.conn, "BEGIN")
		h.copyText(text.String())
		must(h.t, h.conn, "ROLLBACK")
	}
	h.copyText(text.String())
	h.next += n
}

func (h *history) copyText(text string) {
	if _, err := h.conn.PgConn().CopyFrom(h.t.Context(), strings.NewReader(text), "COPY events FROM STDIN"); err != nil {
		h.t.Fatal(describe(err))
	}
}

// step is a commit, and now and then a REFRESH, which changes nothing, another
// gap, or both with writes in one transaction.
func (h *history) step() {
	switch h.random.IntN(20) {
	case 0:
		changes := "SELECT count(*) FROM s_changes"
		before := scalar[int64](h.t, h.conn, changes)
		h.exec("REFRESH MATERIALIZED VIEW s")
		if after := scalar[int64](h.t, h.conn, changes); after != before {
			h.t.Fatalf("a REFRESH made %d changes of %d", after, before)
		}
	case 1:
		h.alter()
	case 2:
		must(h.t, h.conn, "BEGIN")
		h.write()
		h.alter()
		h.write()
		h.exec("REFRESH MATERIALIZED VIEW s")
		h.write()
		must(h.t, h.conn, "COMMIT")
	default:
		h.commit()
	}
}

// alter gives the view another gap.
func (h *history) alter() {
	minutes := []int64{0, 5, 11, 25}[h.random.IntN(4)]
	h.exec("ALTER MATERIALIZED VIEW s SET (gap = '%d min')", minutes)
	h.oracle.gapMicros = minutes * 60_000_000
}

// commit writes one to three statements, in autocommit or in a transaction,
// which is rolled back one time in four.
func (h *history) commit() {
	statements := 1 + h.random.IntN(3)
	if statements == 1 && h.random.IntN(2) == 0 {
		h.write()
		return
	}
	before := slices.Clone(h.live)
	must(h.t, h.conn, "BEGIN")
	for range statements {
		h.write()
		if h.random.IntN(4) == 0 { // a transaction sees its own writes
			h.oracle.check(h.t, h.conn)
		}
	}
	if h.random.IntN(4) == 0 {
		must(h.t, h.conn, "ROLLBACK")
		h.live = before
		return
	}
	must(h.t, h.conn, "COMMIT")
}

func (h *history) write() {
	if h.random.IntN(60) == 0 {
		h.exec("TRUNCATE events")
		h.live = nil
		return
	}
	writes := []func(){h.insert, h.insert, h.copy, h.insertSelect, h.update, h.move, h.rename, h.delete, h.merge, h.again}
	writes[h.random.IntN(len(writes))]()
}

func (h *history) exec(format string, args ...any) { must(h.t, h.conn, fmt.Sprintf(format, args...)) }

// row is a new event as the values of an INSERT.
func (h *history) row() string {
	h.live = append(h.live, h.next)
	h.next++
	return fmt.Sprintf("(%d, 'k%d', TIMESTAMPTZ '%s', %d)", h.next-1, h.random.IntN(h.keys), h.time(), h.random.IntN(100))
}

// time is a moment on a whole minute, so that equal times and distances of
// exactly the gap are common.
func (h *history) time() string { return clock(h.random.IntN(h.span/60) * 60) }

func clock(seconds int) string {
	return fmt.Sprintf("2026-10-%02d %02d:%02d:%02d+00", 1+seconds/86400%28, seconds/3600%24, seconds/60%60, seconds%60)
}

// some picks a live id; no live id is -1, which no row has.
func (h *history) some() int {
	if len(h.live) == 0 {
		return -1
	}
	return h.live[h.random.IntN(len(h.live))]
}

func (h *history) insert() {
	rows := make([]string, 1+h.random.IntN(5))
	for i := range rows {
		rows[i] = h.row()
	}
	h.exec("INSERT INTO events VALUES %s", strings.Join(rows, ", "))
}

func (h *history) copy() {
	var text strings.Builder
	for range 1 + h.random.IntN(8) {
		fmt.Fprintf(&text, "%d,k%d,%s,%d\n", h.next, h.random.IntN(h.keys), h.time(), h.random.IntN(100))
		h.live = append(h.live, h.next)
		h.next++
	}
	_, err := h.conn.PgConn().CopyFrom(h.t.Context(), strings.NewReader(text.String()), "COPY events FROM STDIN WITH (FORMAT csv)")
	if err != nil {
		h.t.Fatal(describe(err))
	}
}

func (h *history) insertSelect() {
	h.exec(`INSERT INTO events SELECT %d + i, 'k' || (i %% %d), TIMESTAMPTZ '%s' + i * INTERVAL '7 minutes', i FROM range(4) r(i)`,
		h.next, h.keys, h.time())
	for range 4 {
		h.live = append(h.live, h.next)
		h.next++
	}
}

func (h *history) update() {
	h.exec("UPDATE events SET amount = amount + %d WHERE event_id = %d", h.random.IntN(3), h.some())
}

func (h *history) move() {
	h.exec("UPDATE events SET event_at = TIMESTAMPTZ '%s' WHERE event_id IN (%d, %d)", h.time(), h.some(), h.some())
}

func (h *history) rename() {
	h.exec("UPDATE events SET account_id = 'k%d' WHERE event_id = %d", h.random.IntN(h.keys), h.some())
}

func (h *history) delete() {
	a, b := h.some(), h.some()
	h.exec("DELETE FROM events WHERE event_id IN (%d, %d)", a, b)
	h.live = slices.DeleteFunc(h.live, func(id int) bool { return id == a || id == b })
}

// merge updates one row that is there and inserts one that is not.
func (h *history) merge() {
	there := h.some()
	h.exec(`MERGE INTO events USING (SELECT * FROM (VALUES (%d, 'k0', TIMESTAMPTZ '%s', 5), (%d, 'k1', TIMESTAMPTZ '%s', 6)) v(i, k, t, a)
		WHERE i >= 0) u ON events.event_id = u.i
		WHEN MATCHED THEN UPDATE SET event_at = u.t, amount = u.a
		WHEN NOT MATCHED THEN INSERT VALUES (u.i, u.k, u.t, u.a)`, there, h.time(), h.next, h.time())
	h.live = append(h.live, h.next)
	h.next++
}

// again delivers a row that is there a second time.
func (h *history) again() {
	id := h.some()
	if len(h.live) == 0 || scalar[int64](h.t, h.conn, fmt.Sprintf("SELECT count(*) FROM events WHERE event_id = %d", id)) != 1 {
		return
	}
	h.exec("INSERT INTO events SELECT * FROM events WHERE event_id = %d", id)
	h.exec("DELETE FROM events WHERE event_id = %d", id) // both go: values of twins never drift apart
	h.live = slices.DeleteFunc(h.live, func(other int) bool { return other == id })
}
