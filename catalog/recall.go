package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// Final sessions leave the operator's state. They stay in the revisions table,
// from where those come back that a commit can still touch: see
// sessionop.State.Missing.

// recall brings back what the commit may miss. It must follow collect.
func (n *netChange) recall(ctx context.Context) error {
	state := n.p.view.state
	if from, to, ok := state.Reopened(); ok {
		if err := n.restore(ctx, n.p.view.endsBetweenSQL(), finiteMicros(from), finiteMicros(to)); err != nil {
			return err
		}
		n.tx.store.states.Lock()
		state.Reopen()
		n.tx.store.states.Unlock()
	}
	reaches := fewReaches(state.Missing(n.commit))
	if len(reaches) == 0 {
		return nil
	}
	return n.restoreReaches(ctx, reaches)
}

// fewReaches makes one of the reaches of a key that has many: each is compared
// with every session of its key.
func fewReaches(reaches []sessionop.Reach) []sessionop.Reach {
	out := reaches[:0]
	for len(reaches) > 0 {
		n := 1
		for n < len(reaches) && reaches[n].Key == reaches[0].Key {
			n++
		}
		if of := reaches[:n]; n > manySpans {
			out = append(out, sessionop.Reach{Key: of[0].Key, From: of[0].From, To: of[n-1].To})
		} else {
			out = append(out, of...)
		}
		reaches = reaches[n:]
	}
	return out
}

// restoreReaches reads, in one query, the sessions that lie in one of the
// reaches in part.
func (n *netChange) restoreReaches(ctx context.Context, reaches []sessionop.Reach) error {
	keys := n.p.view.Contract.Keys
	types := make([]Type, 0, len(keys)+2)
	for _, k := range keys {
		types = append(types, n.p.rows.types[n.vt.proj.typedIndex(k)])
	}
	feed, err := n.tx.store.db.AcquireFeed(append(types, Simple(TypeBigInt), Simple(TypeBigInt)))
	if err != nil {
		return err
	}
	defer feed.Release()
	rows, of := NewColumns(feed.types), n.rowsOfKeys()
	lo, hi := reaches[0].From, reaches[0].To
	for _, r := range reaches {
		for col, k := range keys {
			rows.AppendFrom(col, n.p.rows.typed, n.vt.proj.typedIndex(k), of[r.Key])
		}
		rows.AppendInt64(len(keys), r.From)
		rows.AppendInt64(len(keys)+1, r.To)
		lo, hi = min(lo, r.From), max(hi, r.To)
	}
	feed.Set(rows)
	away, _ := n.p.view.state.Away()
	return n.restore(ctx, n.p.view.reachedSQL(feed.SQL()), finiteMicros(lo), finiteMicros(away), finiteMicros(hi))
}

// rowsOfKeys finds a row of each key.
func (n *netChange) rowsOfKeys() map[string]int {
	rows := make(map[string]int, len(n.p.rows.events))
	for i := range n.p.rows.events {
		rows[n.p.rows.events[i].Key] = i
	}
	return rows
}

// restore brings back the sessions of a query, as the last commit left them.
func (n *netChange) restore(ctx context.Context, sql string, args ...any) error {
	v := n.p.view
	rows, err := n.tx.conn.Query(ctx, sql, append(args, n.tx.number, n.tx.number)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(ctx, func(ch *Chunk) error {
		n.tx.store.states.Lock()
		defer n.tx.store.states.Unlock()
		return v.takeSessions(ch, v.state.Restore)
	})
}

// asOfCommit holds for the rows of r that were current before a commit, whatever
// its transaction has published yet. Its parameters are the commit, twice.
const asOfCommit = "r.published_commit < CAST(? AS BIGINT) AND (r.retired_commit IS NULL OR r.retired_commit >= CAST(? AS BIGINT))"

// endsBetweenSQL reads the sessions that end between two times in microseconds,
// its parameters, before those of asOfCommit.
func (v *View) endsBetweenSQL() string {
	return v.sessionsSQL("") + " WHERE r.session_end BETWEEN " + v.Contract.fromMicros(bigintArg) + " AND " + v.Contract.fromMicros(bigintArg) + " AND " + asOfCommit
}

// reachedSQL reads the sessions of the keys in feed that have a part in one of
// the stretches of time there. Its parameters, before those of asOfCommit, are
// bounds in microseconds that DuckDB's zone maps prune by: all end from the
// first to the second, and start by the third.
func (v *View) reachedSQL(feed string) string {
	c := v.Contract
	named := make([]string, 0, len(c.Keys)+2)
	on := make([]string, 0, len(c.Keys)+2)
	for i, k := range c.Keys {
		named = append(named, fmt.Sprintf("c%d AS _k%d", i, i))
		on = append(on, fmt.Sprintf("r.%s = f._k%d", QuoteIdent(k.Name), i))
	}
	named = append(named, fmt.Sprintf("c%d AS _from, c%d AS _to", len(c.Keys), len(c.Keys)+1))
	on = append(on, "epoch_us(r.session_end) >= f._from", "epoch_us(r.session_start) <= f._to")
	time := c.fromMicros(bigintArg)
	return v.sessionsSQL(" JOIN (SELECT "+joinExprs(named)+" FROM "+feed+") AS f ON "+strings.Join(on, " AND ")) +
		" WHERE r.session_end BETWEEN " + time + " AND " + time + " AND r.session_start <= " + time + " AND " + asOfCommit
}

// finiteMicros is the nearest time that DuckDB's timestamps have.
func finiteMicros(micros int64) int64 {
	return min(max(micros, firstMicros), lastMicros)
}
