package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sessiondb/sessiondb/sessionop"
)

// TestAdHocSQL compares the query with sessions that are computed in Go, row by
// row, for random tables and contracts. Session ids are computed with
// sessionop's hash, so it also holds that the two agree.
func TestAdHocSQL(t *testing.T) {
	conn := testConn(t)
	rapid.Check(t, func(t *rapid.T) {
		a := drawAdHoc(t)
		for _, q := range a.tableSQL() {
			if _, err := conn.Exec(t.Context(), q); err != nil {
				t.Fatalf("%s: %v", q, err)
			}
		}
		var got []string
		for _, row := range rapidValues(t, conn, "SELECT k, CAST(session_id AS VARCHAR), epoch_us(session_start), epoch_us(session_end), session_state, event_count, CAST(total AS BIGINT), CAST(path AS VARCHAR) FROM ("+
			a.contract.AdHocSQL(Lengths{})+") ORDER BY k, session_start") {
			got = append(got, fmt.Sprint(row...))
		}
		want := a.sessions()
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func rapidValues(t *rapid.T, c *Conn, sql string) [][]any {
	rows, err := c.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	var out [][]any
	for chunk, err := range chunks(rows) {
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		for i := range chunk.Rows() {
			row := make([]any, 0, 2*chunk.Cols())
			for j := range chunk.Cols() {
				row = append(row, chunk.Col(j).Value(i), " ")
			}
			out = append(out, row)
		}
	}
	return out
}

// adHocEvent is a row; an empty id, key or partition is NULL, as is a time
// below zero; the time in seconds is infinite above adHocEnd.
type adHocEvent struct {
	id, key, part string
	at, amount    int64
}

const adHocEnd = 60

type adHocCase struct {
	events   []adHocEvent
	contract *Contract
}

func drawAdHoc(t *rapid.T) *adHocCase {
	seconds := func(name string, most int64) int64 {
		return rapid.Int64Range(0, most).Draw(t, name) * 1_000_000
	}
	c := &Contract{
		Source: "events", Keys: []ContractColumn{{Name: "k", SQL: `"k"`, Type: "VARCHAR"}},
		EventTime: ContractColumn{Name: "at", SQL: `"at"`, Type: "TIMESTAMP WITH TIME ZONE"},
		Values:    []ContractColumn{{Name: "amount", SQL: `"amount"`, Type: "BIGINT"}},
		Gap:       seconds("gap", 10), Delay: seconds("delay", 5), Lateness: seconds("lateness", 20), MaxAhead: sessionop.Unlimited,
	}
	order := `"at", "amount"`
	if rapid.Bool().Draw(t, "by id") {
		c.IDs = []ContractColumn{{Name: "id", SQL: `"id"`, Type: "VARCHAR"}}
		order = `"at", "id"`
	}
	if rapid.Bool().Draw(t, "unlimited") {
		c.Lateness = sessionop.Unlimited
	}
	if rapid.Bool().Draw(t, "partitioned") {
		c.Partition = &ContractColumn{Name: "part", SQL: `"part"`, Type: "VARCHAR"}
		c.Partitions = rapid.SampledFrom([][]string{nil, {"p0"}, {"p0", "p1"}}).Draw(t, "declared")
	}
	c.Explicit = rapid.IntRange(0, 9).Draw(t, "explicit") == 0
	c.Measures = []ContractMeasure{{Name: "total", SQL: "sum(amount)"}, {Name: "path", SQL: "list(amount ORDER BY " + order + ")"}}
	event := rapid.Custom(func(t *rapid.T) adHocEvent {
		return adHocEvent{
			id:  rapid.SampledFrom([]string{"", "e1", "e2", "e3", "e4", "e5", "é6", "e7"}).Draw(t, "id"),
			key: rapid.SampledFrom([]string{"", "a", "b", "a", "b"}).Draw(t, "key"), part: rapid.SampledFrom([]string{"", "p0", "p1"}).Draw(t, "part"),
			at: rapid.Int64Range(-1, adHocEnd+1).Draw(t, "at"), amount: rapid.Int64Range(0, 2).Draw(t, "amount"),
		}
	})
	return &adHocCase{events: rapid.SliceOfN(event, 0, 40).Draw(t, "events"), contract: c}
}

func (a *adHocCase) tableSQL() []string {
	create := "CREATE OR REPLACE TABLE events (id VARCHAR, k VARCHAR, at_ TIMESTAMPTZ, amount BIGINT, part VARCHAR)"
	create = strings.Replace(create, "at_", `"at"`, 1)
	if len(a.events) == 0 {
		return []string{create}
	}
	text := func(s string) string {
		if s == "" {
			return "NULL"
		}
		return QuoteLiteral(s)
	}
	rows := make([]string, len(a.events))
	for i, e := range a.events {
		at := fmt.Sprintf("make_timestamptz(%d)", e.at*1_000_000)
		switch {
		case e.at < 0:
			at = "NULL"
		case e.at > adHocEnd:
			at = "'infinity'"
		}
		rows[i] = fmt.Sprintf("(%s, %s, %s, %d, %s)", text(e.id), text(e.key), at, e.amount, text(e.part))
	}
	return []string{create, "INSERT INTO events VALUES " + strings.Join(rows, ", ")}
}

// order is that of a contract: by time, key, partition and values, with NULL
// last.
func (a *adHocCase) order(x, y adHocEvent) int {
	part := func(e adHocEvent) string {
		switch {
		case a.contract.Partition == nil:
			return ""
		case e.part == "":
			return "~"
		}
		return e.part
	}
	return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.key, y.key), cmp.Compare(part(x), part(y)), cmp.Compare(x.amount, y.amount))
}

// counted are the rows that count, each with the hash of its identity.
func (a *adHocCase) counted() (events []adHocEvent, members map[adHocEvent][]sessionop.Hash) {
	members = map[adHocEvent][]sessionop.Hash{}
	sorted := slices.Clone(a.events)
	slices.SortStableFunc(sorted, a.order)
	seen := map[string]int{}
	for _, e := range sorted {
		if e.key == "" || e.at < 0 || e.at > adHocEnd {
			continue
		}
		identity := canonicalStrings(e.key, fmt.Sprint(e.at*1_000_000))
		if a.contract.Partition != nil {
			identity += canonicalStrings(e.part)
		}
		identity += canonicalStrings(fmt.Sprint(e.amount))
		if len(a.contract.IDs) > 0 {
			if identity = canonicalStrings(e.id); e.id == "" || seen[identity] > 0 {
				continue
			}
		}
		seen[identity]++
		if len(a.contract.IDs) == 0 {
			identity += fmt.Sprint("#", seen[identity])
		}
		events = append(events, e)
		members[e] = append(members[e], sessionop.HashBytes([]byte(identity)))
	}
	return events, members
}

func canonicalStrings(values ...string) string {
	var b strings.Builder
	for _, v := range values {
		if v == "" {
			b.WriteString("n")
			continue
		}
		fmt.Fprintf(&b, "%d:%s", len(v), v)
	}
	return b.String()
}

// watermark is that which the counted events give.
func (a *adHocCase) watermark(events []adHocEvent) (micros int64, defined bool) {
	latest := map[string]int64{}
	for _, e := range events {
		part := e.part
		if a.contract.Partition == nil {
			part = ""
		}
		at, ok := latest[part]
		if latest[part] = e.at * 1_000_000; ok {
			latest[part] = max(at, latest[part])
		}
	}
	for _, p := range a.contract.Partitions {
		if _, ok := latest[p]; !ok {
			return 0, false
		}
	}
	for _, at := range latest {
		if !defined || at-a.contract.Delay < micros {
			micros, defined = at-a.contract.Delay, true
		}
	}
	return micros, defined && !a.contract.Explicit
}

// sessions are the rows of SESSIONIZE, in the order of key and time.
func (a *adHocCase) sessions() []string {
	events, members := a.counted()
	watermark, defined := a.watermark(events)
	slices.SortStableFunc(events, func(x, y adHocEvent) int {
		last := cmp.Compare(x.id, y.id)
		if len(a.contract.IDs) == 0 {
			last = cmp.Compare(x.amount, y.amount)
		}
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.at, y.at), last)
	})
	var out []string
	for i := 0; i < len(events); {
		first := events[i]
		id := sessionop.HashBytes([]byte(canonicalStrings(first.key)))
		end, total, path := first.at, int64(0), []string{}
		for ; i < len(events) && events[i].key == first.key && (events[i].at-end)*1_000_000 <= a.contract.Gap; i++ {
			e := events[i]
			end, total, path = e.at, total+e.amount, append(path, fmt.Sprint(e.amount))
			h := members[e][0]
			members[e] = members[e][1:]
			id = sessionop.Hash{Hi: id.Hi + h.Hi, Lo: id.Lo + h.Lo}
		}
		state := "open"
		if closes := end*1_000_000 + a.contract.Gap; defined && watermark > closes {
			state = "closed"
			if a.contract.Lateness != sessionop.Unlimited && watermark-a.contract.Lateness > closes {
				state = "final"
			}
		}
		out = append(out, fmt.Sprint(first.key, " ", uuidText(id.UUID()), " ", first.at*1_000_000, " ", end*1_000_000, " ", state, " ",
			int64(len(path)), " ", total, " ", "["+strings.Join(path, ", ")+"]", " "))
	}
	return out
}

func uuidText(u [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
