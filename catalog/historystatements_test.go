package catalog

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// statement says whether the transaction goes on.
func (h *history) statement() bool {
	h.Helper()
	switch n := h.rand.IntN(43); {
	case len(h.now) > 0 && (n >= 38 || len(h.gone) > 0 && n%5 == 0):
		return h.mark()
	case n < 22 || len(h.now) == 0:
		list := h.newRows()
		h.insertRows(list, h.tx.Arrive)
	case n < 25:
		h.delete(h.deletable(h.some()))
	case n < 27:
		h.delete(h.deletable(h.firstOfItsID()))
	case n < 28:
		h.model.seen.note("truncate")
		h.delete(sortedRows(h.now))
	case n < 35:
		h.update()
	default:
		h.merge()
	}
	return true
}

func (h *history) newRows() []row {
	list := make([]row, 1+h.rand.IntN(4))
	for i := range list {
		list[i] = h.randomRow()
		h.now[list[i].n] = list[i]
	}
	return list
}

// longAgo is before all other rows.
const longAgo = -60

func (h *history) randomRow() row {
	h.nextRow++
	r := row{n: h.nextRow, id: h.newID(), key: h.randomKey(), amount: h.newAmount(), part: []string{"p0", "p1"}[h.rand.IntN(2)]}
	at := h.minute()*2 - int64(h.rand.IntN(30)) + 4
	if h.back {
		at = longAgo + int64(h.rand.IntN(15))
	}
	r.at = &at
	switch h.rand.IntN(20) {
	case 0:
		r.key = nil
	case 1:
		r.at = nil
	case 2:
		if !h.rule.unique {
			r.id = nil
		}
	case 8, 9, 10, 11:
		if len(h.gone) > 0 {
			r = h.returned(r)
		}
	case 3, 4, 5, 6, 7:
		if others := sortedRows(h.now); len(others) > 0 && !h.rule.unique {
			other := h.now[others[h.rand.IntN(len(others))]]
			n := r.n
			if h.rand.IntN(2) == 0 {
				r = other // a duplicate
				r.n = n
			} else {
				r.id = other.id // a conflict
			}
		}
	}
	return r
}

// newID is an id that no row has; of two columns, often one with the first of
// another's.
func (h *history) newID() *string {
	if !h.rule.byID {
		return nil
	}
	h.nextID++
	id := fmt.Sprint("e", h.nextID)
	if h.rule.twoIDs {
		id = fmt.Sprintf("e%d.%d", h.nextID/2, h.nextID%2)
	}
	return &id
}

func (h *history) randomKey() *string {
	keys := []string{"a", "b"}
	if h.rule.twoKeys {
		keys = []string{"a.x", "a.y", "b.x"}
	}
	return &keys[h.rand.IntN(len(keys))]
}

func (h *history) newAmount() int64 {
	h.nextAmount++
	if h.rand.IntN(8) == 0 {
		return noAmount
	}
	return h.nextAmount
}

func sortedRows(of map[int]row) []int {
	list := make([]int, 0, len(of))
	for n := range of {
		list = append(list, n)
	}
	sort.Ints(list)
	return list
}

// feed gives rows of the table to a statement; f gets what stands for them.
func (h *history) feed(list []row, f func(feed string)) {
	h.Helper()
	big, word := Simple(TypeBigInt), Simple(TypeVarchar)
	types := []Type{big, word, big, word, word, Simple(TypeTimestampTZ), big, word}
	feed, err := h.db.AcquireFeed(types)
	if err != nil {
		h.Fatal(err)
	}
	defer feed.Release()
	rows := NewColumns(types)
	for _, r := range list {
		h.appendRow(rows, r)
	}
	feed.Set(rows)
	f(feed.SQL())
}

func (h *history) appendRow(rows *ColumnSet, r row) {
	words := func(col int, s *string) {
		if s == nil {
			rows.AppendNull(col)
		} else {
			rows.AppendString(col, *s)
		}
	}
	numbers := func(col int, n *int64) {
		if n == nil {
			rows.AppendNull(col)
		} else {
			rows.AppendInt64(col, *n)
		}
	}
	rows.AppendInt64(0, int64(r.n))
	id, sub := r.idColumns(h.rule)
	words(1, id)
	numbers(2, sub)
	key, tenant := r.keyColumns(h.rule)
	words(3, key)
	words(4, tenant)
	if r.at == nil {
		rows.AppendNull(5)
	} else {
		rows.AppendInt64(5, base().UnixMicro()+minutes(*r.at))
	}
	amount := &r.amount
	if r.amount == noAmount {
		amount = nil
	}
	numbers(6, amount)
	rows.AppendString(7, r.part)
}

// idColumns are event_id and sub; the second is NULL where an id of two is missing.
func (r row) idColumns(rule modelRule) (*string, *int64) {
	id := text(r.id)
	if !rule.twoIDs {
		return r.id, nil
	}
	if r.id == nil {
		return &id, nil
	}
	first, second, _ := strings.Cut(id, ".")
	sub := int64(second[0] - '0')
	return &first, &sub
}

// keyColumns are account_id and tenant; the second is NULL where a key of two is missing.
func (r row) keyColumns(rule modelRule) (account, tenant *string) {
	if !rule.twoKeys {
		return r.key, nil
	}
	first := "a"
	if r.key == nil {
		return &first, nil
	}
	first, second, _ := strings.Cut(*r.key, ".")
	return &first, &second
}

// insertRows inserts; take is nil where the view does not follow.
func (h *history) insertRows(list []row, take func(context.Context, *View, *Chunk, int) error) {
	h.Helper()
	for _, r := range list {
		h.note("  insert %d %s", r.n, r.values())
	}
	h.feed(list, func(feed string) {
		if take == nil {
			mustExec(h, h.conn, "INSERT INTO events SELECT * FROM "+feed)
			return
		}
		h.capture("INSERT INTO events SELECT * FROM "+feed, take)
	})
}

// some picks rows that are there.
func (h *history) some() []int {
	list := sortedRows(h.now)
	h.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(len(list), 1+h.rand.IntN(3))]
}

// firstOfItsID picks the first row of an id that more than one has, if there
// is such an id: often it counts, and the others do not.
func (h *history) firstOfItsID() []int {
	first := map[string]int{}
	for _, n := range sortedRows(h.now) {
		id := text(h.now[n].id)
		if other, again := first[id]; again {
			return []int{other}
		}
		first[id] = n
	}
	return h.some()
}

func (h *history) delete(gone []int) {
	h.Helper()
	h.note("  delete %v", gone)
	list := make([]row, len(gone))
	for i, n := range gone {
		list[i] = h.now[n]
		delete(h.now, n)
	}
	h.feed(list, func(feed string) { h.capture("DELETE FROM events WHERE n IN (SELECT c0 FROM "+feed+")", h.tx.Remove) })
}

func (h *history) update() {
	h.Helper()
	list := slices.DeleteFunc(h.some(), h.hasEqual)
	if len(list) == 0 {
		return
	}
	fresh := make([]row, len(list))
	for i, n := range list {
		fresh[i] = h.updated(n)
	}
	projection := joinExprs(h.view().Projection())
	h.feed(fresh, func(feed string) {
		rows := "SELECT n AS _n, " + projection + " FROM events WHERE n IN (SELECT c0 FROM " + feed + ")"
		mustExec(h, h.conn, "DELETE FROM old")
		mustExec(h, h.conn, "INSERT INTO old "+rows)
		mustExec(h, h.conn, "UPDATE events AS e SET event_id = f.c1, sub = f.c2, account_id = f.c3, tenant = f.c4, event_at = f.c5, amount = f.c6, part = f.c7 FROM "+feed+" AS f WHERE e.n = f.c0")
		h.each("SELECT o.* EXCLUDE (_n), f.* EXCLUDE (_n) FROM (SELECT * FROM old ORDER BY _n) AS o POSITIONAL JOIN ("+rows+" ORDER BY n) AS f",
			func(ctx context.Context, v *View, c *Chunk, at int) error {
				return h.tx.Replace(ctx, v, c, at, at+len(v.Projection()))
			})
	})
}

// merge deletes, changes and inserts rows in one statement, of which the view
// gets every row of the table that stays.
func (h *history) merge() {
	h.Helper()
	h.model.seen.note("merge")
	var list []row
	for _, n := range h.some() {
		switch {
		case h.rand.IntN(3) == 0 && len(h.deletable([]int{n})) > 0:
			h.note("  merge: delete %d", n)
			list = append(list, row{n: n, part: "gone"})
			delete(h.now, n)
		case !h.hasEqual(n):
			list = append(list, h.updated(n))
		}
	}
	for _, r := range h.newRows() {
		h.note("  merge: insert %d %s", r.n, r.values())
		list = append(list, r)
	}
	mustExec(h, h.conn, "CREATE OR REPLACE TEMP TABLE before AS FROM events")
	h.feed(list, func(feed string) {
		mustExec(h, h.conn, "MERGE INTO events AS e USING "+feed+" AS f ON e.n = f.c0 WHEN MATCHED AND f.c7 = 'gone' THEN DELETE "+
			"WHEN MATCHED THEN UPDATE SET event_id = f.c1, sub = f.c2, account_id = f.c3, tenant = f.c4, event_at = f.c5, amount = f.c6, part = f.c7 "+
			"WHEN NOT MATCHED THEN INSERT VALUES (f.c0, f.c1, f.c2, f.c3, f.c4, f.c5, f.c6, f.c7)")
	})
	projection := joinExprs(h.view().Projection())
	side := func(of, other, has string) string {
		return "SELECT " + projection + " FROM (FROM " + of + " AS t WHERE " + has + " EXISTS (FROM " + other + " AS o WHERE o.n = t.n) ORDER BY n) AS events"
	}
	h.each("SELECT o.*, t.* FROM ("+side("before", "events", "")+") AS o POSITIONAL JOIN ("+side("events", "before", "")+") AS t",
		func(ctx context.Context, v *View, c *Chunk, at int) error {
			return h.tx.Replace(ctx, v, c, at, at+len(v.Projection()))
		})
	h.each(side("before", "events", "NOT"), h.tx.Remove)
	h.each(side("events", "before", "NOT"), h.tx.Arrive)
}

// hasEqual says whether a row has an equal, before or in the transaction: of
// those that an UPDATE changes nobody can say which one counted.
func (h *history) hasEqual(n int) bool {
	for _, rows := range []map[int]row{h.rows, h.now} {
		for m, r := range rows {
			if m != n && (r.values() == h.now[n].values() || r.values() == h.rows[n].values()) {
				return true
			}
		}
	}
	return false
}

// deletable are those of the rows of which can be said what a DELETE takes: not
// one that the transaction changed, where another equals it by now.
func (h *history) deletable(list []int) []int {
	return slices.DeleteFunc(list, func(n int) bool {
		old, there := h.rows[n]
		return there && old.values() != h.now[n].values() && h.hasEqual(n)
	})
}

// updated changes one row.
func (h *history) updated(n int) row {
	r := h.now[n]
	switch h.rand.IntN(8) {
	case 0, 1:
		if r.at != nil {
			at := *r.at + int64(h.rand.IntN(15)) - 7
			r.at = &at
		}
		r.amount = h.newAmount()
	case 2:
		r.key, r.amount = h.randomKey(), h.newAmount()
	case 3, 4:
		r.amount = h.newAmount()
	case 5:
		r.id = h.newID()
	case 6:
		h.nextAmount++
		r.part, r.amount = []string{"p0", "p1"}[h.rand.IntN(2)], h.nextAmount
	default: // to the same values
	}
	h.now[n] = r
	h.note("  update %d to %s", n, r.values())
	return r
}
