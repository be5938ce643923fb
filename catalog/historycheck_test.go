package catalog

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// ask returns the rows of a query as lines, in order.
func (h *history) ask(sql string, args ...any) []string {
	h.Helper()
	var lines []string
	for _, r := range values(h, h.conn, sql, args...) {
		lines = append(lines, strings.Trim(fmt.Sprint(r...), "[]"))
		parts := make([]string, len(r))
		for i, v := range r {
			parts[i] = fmt.Sprint(v)
		}
		lines[len(lines)-1] = strings.Join(parts, " ")
	}
	sort.Strings(lines)
	return lines
}

func (h *history) same(what string, got, want []string) {
	h.Helper()
	sort.Strings(want)
	if !slices.Equal(got, want) {
		h.Errorf("%s:\n  have %s\n  want %s", what, strings.Join(got, "\n       "), strings.Join(want, "\n       "))
	}
}

// minute is an event time in minutes.
const minute = "(epoch_us(%s) - 1791277200000000) // 60000000"

func minutesOf(column string) string { return fmt.Sprintf("CAST("+minute+" AS BIGINT)", column) }

// compare holds what a commit published and retired against the model.
func (h *history) compare(number int64, e expected) {
	h.Helper()
	var published, retired []string
	for i, s := range e.published {
		published = append(published, fmt.Sprint(s.key, " ", s.start, " ", s.end, " ", s.revision, " ", e.changes[i], " ", h.model.state(s.end)))
	}
	for _, s := range e.retired {
		retired = append(retired, fmt.Sprint(s.key, " ", s.start, " ", s.end, " ", s.revision, " ", s.commit))
	}
	at := "account_id, " + minutesOf("session_start") + ", " + minutesOf("session_end") + ", revision"
	h.same("published", h.ask("SELECT "+at+", change || ' ' || len(supersedes), published_state FROM "+h.view().revisionsTable()+" WHERE published_commit = ?", number), published)
	h.same("retired", h.ask("SELECT "+at+", published_commit FROM "+h.view().revisionsTable()+" WHERE retired_commit = ?", number), retired)
}

// check holds every relation of the view against the model and its own history.
func (h *history) check() {
	h.Helper()
	if lines := h.ask("SELECT * FROM " + h.view().VerifySQL(false)); len(lines) > 0 {
		h.Errorf("verify: %s", strings.Join(lines, "\n"))
	}
	h.checkCurrent()
	h.checkRejected()
	h.checkCounters()
	h.checkWatermarks()
	h.checkHistory()
	if err := h.view().state.Check(); err != nil {
		h.Error(err)
	}
}

func (h *history) checkCurrent() {
	h.Helper()
	var want []string
	rows := h.model.countedRows()
	for _, s := range h.model.before {
		sum := int64(0)
		for member := range s.members {
			sum += rows[member].amount
		}
		want = append(want, fmt.Sprint(s.key, " ", s.start, " ", s.end, " ", h.model.state(s.end), " ", s.revision, " ", len(s.members), " ", sum))
	}
	h.same("current", h.ask("SELECT account_id, "+minutesOf("session_start")+", "+minutesOf("session_end")+", session_state, revision, event_count, CAST(amount AS BIGINT) FROM visits"), want)
	h.same("events", h.ask("SELECT count(*) FROM visits_events AS e JOIN visits_revisions AS r ON r.is_current AND r.session_id = e.session_id AND r.account_id = e.account_id AND e.event_at BETWEEN r.session_start AND r.session_end"),
		[]string{fmt.Sprint(len(rows))})
}

func (h *history) checkRejected() {
	h.Helper()
	var want []string
	for _, g := range h.model.groups {
		for _, reason := range g.rejected {
			want = append(want, fmt.Sprint(text(g.row.key), " ", number(g.row.at), " ", reason))
		}
	}
	at := "coalesce(CAST(" + minutesOf("event_at") + " AS VARCHAR), 'NULL')"
	h.same("rejected", h.ask("SELECT coalesce(account_id, 'NULL'), "+at+", reason FROM "+h.view().rejectedTable()+" WHERE resolved_commit IS NULL"), want)
}

func (h *history) checkCounters() {
	h.Helper()
	var counted, dups, rejected int
	for _, g := range h.model.groups {
		counted, dups, rejected = counted+g.counted, dups+g.dups, rejected+len(g.rejected)
	}
	h.same("counters", h.ask("SELECT received, counted, duplicates, rejected FROM sessiondb.views"), []string{fmt.Sprint(len(h.rows), " ", counted, " ", dups, " ", rejected)})
	h.same("fingerprint", h.ask("SELECT rows, hash FROM ("+h.view().Contract.fingerprintSQL()+")"), h.ask("SELECT received, source_hash FROM sessiondb.view_state"))
}

func (h *history) checkWatermarks() {
	h.Helper()
	want := []string{}
	for name, p := range h.model.marks {
		want = append(want, fmt.Sprint(name, " ", number(p.at), " ", p.idle))
	}
	h.same("partitions", h.ask("SELECT partition, coalesce(CAST("+minutesOf("watermark")+" AS VARCHAR), 'NULL'), state = 'idle' FROM sessiondb.watermarks"), want)
	h.same("watermark", h.ask("SELECT coalesce(CAST("+minutesOf("watermark")+" AS VARCHAR), 'NULL') FROM sessiondb.views"), []string{number(h.model.view)})
}

// checkHistory asks for every version seen so far, and sums the changelog up
// to each.
func (h *history) checkHistory() {
	h.Helper()
	last := h.store.LastCommit()
	h.snapshots[last] = h.ask("SELECT * FROM visits")
	for commit, rows := range h.snapshots {
		h.same(fmt.Sprint("version ", commit), h.ask("SELECT * FROM ("+h.view().AtSQL(fmt.Sprint(commit), true)+")"), rows)
		sum := h.ask("SELECT coalesce(sum(weight), 0), coalesce(sum(amount * weight), 0) FROM visits_changes WHERE commit <= ?", commit)
		h.same(fmt.Sprint("changes up to ", commit), sum, h.ask("SELECT count(*), coalesce(sum(amount), 0) FROM ("+h.view().AtSQL(fmt.Sprint(commit), true)+")"))
	}
}
