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
		parts := make([]string, len(r))
		for i, v := range r {
			parts[i] = fmt.Sprint(v)
		}
		lines = append(lines, strings.Join(parts, " "))
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

// minutesText is the same as a text, NULL written out.
func minutesText(column string) string {
	return "coalesce(CAST(" + minutesOf(column) + " AS VARCHAR), 'NULL')"
}

// keyText is the key as the model writes it.
func (r modelRule) keyText() string {
	if r.twoKeys {
		return "coalesce(account_id || '.' || tenant, 'NULL')"
	}
	return "coalesce(account_id, 'NULL')"
}

// idText is the id as the model writes it.
func (r modelRule) idText() string {
	switch {
	case r.twoIDs:
		return "coalesce(event_id || '.' || sub, 'NULL')"
	case r.byID:
		return "coalesce(event_id, 'NULL')"
	default:
		return "'NULL'"
	}
}

// measuresText are the measures as the model writes them.
func (m *model) measuresText() string {
	texts := make([]string, len(m.measures))
	for i, measure := range m.measures {
		texts[i] = "coalesce(CAST(" + fmt.Sprintf(measure.read, QuoteIdent(measure.measure.Name)) + " AS VARCHAR), 'NULL')"
	}
	return strings.Join(texts, " || ' ' || ")
}

// sessionText is a session as the model writes it.
func (m *model) sessionText() string {
	return m.rule.keyText() + ", " + minutesOf("session_start") + ", " + minutesOf("session_end") + ", revision, event_count, " + m.measuresText()
}

func (s *modelSession) String() string {
	return fmt.Sprint(s.key, " ", s.start, " ", s.end, " ", s.revision, " ", len(s.members), " ", s.measures)
}

// compare holds what a commit published and retired against the model.
func (h *history) compare(number int64, e expected) {
	h.Helper()
	var want []string
	for _, s := range e.published {
		want = append(want, fmt.Sprint("+ ", s.String(), " ", s.of.change, " ", s.of.state))
	}
	for _, s := range e.retired {
		want = append(want, fmt.Sprint("- ", s.String(), " ", s.of.change, " ", s.of.state))
	}
	h.same(fmt.Sprint("commit ", number), h.ask("SELECT CASE WHEN published_commit = $1 THEN '+' ELSE '-' END, "+h.model.sessionText()+
		", change || ' ' || len(supersedes), published_state FROM "+h.view().revisionsTable()+" WHERE published_commit = $1 OR retired_commit = $1", number), want)
}

// check holds what the view keeps against the model: its own relations always,
// and what is derived from them one time in n.
func (h *history) check(n int) {
	h.Helper()
	h.checkRevisions()
	h.checkRejected()
	h.checkChanges()
	for _, check := range []func(){h.checkVerify, h.checkCurrent, h.checkEvents, h.checkCounters, h.checkWatermarks, h.checkVersion} {
		if h.looks.IntN(n) == 0 {
			check()
		}
	}
	if err := h.view().state.Check(); err != nil {
		h.Error(err)
	}
	h.checkHeld()
}

func (h *history) checkVerify() {
	h.Helper()
	if lines := h.ask("SELECT * FROM " + h.view().VerifySQL(false)); len(lines) > 0 {
		h.Errorf("verify: %s", strings.Join(lines, "\n"))
	}
}

func (h *history) checkCurrent() {
	h.Helper()
	var sessions []string
	for _, s := range h.model.before {
		sessions = append(sessions, fmt.Sprint(s.String(), " ", h.model.state(s.end)))
	}
	h.same("current", h.ask("SELECT "+h.model.sessionText()+", session_state FROM visits"), sessions)
}

func (h *history) checkEvents() {
	h.Helper()
	var events []string
	rows := h.model.countedRows()
	for _, s := range h.model.before {
		if s.released {
			continue
		}
		for member := range s.members {
			r := rows[member]
			events = append(events, fmt.Sprint(text(r.id), " ", s.key, " ", *r.at, " ", r.part, " ", amountText(r.amount), " ", s.start, " ", s.revision))
		}
	}
	h.same("events", h.ask("SELECT "+h.rule.idText()+", "+h.rule.keyText()+", "+minutesOf("event_at")+", part, coalesce(CAST(e.amount AS VARCHAR), 'NULL'), "+
		"(SELECT "+minutesOf("session_start")+" FROM "+h.view().revisionsTable()+" AS r WHERE r.session_id = e.session_id AND r.retired_commit IS NULL AND e.event_at BETWEEN r.session_start AND r.session_end), revision FROM visits_events AS e"), events)
}

func (h *history) checkRejected() {
	h.Helper()
	var want []string
	for _, l := range h.model.lines {
		want = append(want, fmt.Sprint(text(l.row.id), " ", text(l.row.key), " ", number(l.row.at), " ", l.reason, " ", l.status, " ", number(l.watermark), " ", l.sessions))
	}
	h.same("rejected", h.ask("SELECT "+h.rule.idText()+", "+h.rule.keyText()+", "+minutesText("event_at")+", reason, coalesce(resolution, 'pending'), "+
		minutesText("watermark")+", len(sessions) FROM "+h.view().rejectedTable()), want)
	h.same("arrivals", h.ask("SELECT CAST(coalesce(sum(arrivals), 0) AS BIGINT) FROM visits_rejected"), []string{fmt.Sprint(len(h.model.lines))})
}

func (h *history) checkCounters() {
	h.Helper()
	m := h.model
	var counted, dups, rejected int
	for _, g := range m.groups {
		counted, dups, rejected = counted+g.counted, dups+g.dups, rejected+len(g.rejected)
	}
	states := map[string]int{}
	for _, s := range m.before {
		states[m.state(s.end)]++
	}
	horizon := "NULL"
	if m.clocks.view != nil && m.rule.lateness != none {
		horizon = fmt.Sprint(*m.clocks.view - m.rule.lateness)
	}
	h.same("sessiondb.views", h.ask("SELECT received, counted, duplicates, rejected, "+minutesText("watermark")+", "+minutesText("merge_horizon")+
		", open_sessions, closed_sessions, final_sessions, oldest_commit FROM sessiondb.views"),
		[]string{fmt.Sprint(len(h.rows), " ", counted, " ", dups, " ", rejected, " ", number(m.clocks.view), " ", horizon, " ", states["open"], " ", states["closed"], " ", states["final"], " ", m.oldest)})
	h.same("fingerprint", h.ask("SELECT rows, hash FROM ("+h.view().Contract.fingerprintSQL()+")"), h.ask("SELECT received, source_hash FROM sessiondb.view_state"))
}

func (h *history) checkWatermarks() {
	h.Helper()
	partitions, commits := []string{}, []string{}
	for name, p := range h.model.clocks.parts {
		partitions = append(partitions, fmt.Sprint(name, " ", number(p.at), " ", number(p.latest), " ", p.idle))
	}
	h.same("partitions", h.ask("SELECT partition, "+minutesText("watermark")+", "+minutesText("latest_event")+", state = 'idle' FROM sessiondb.watermarks"), partitions)
	for _, c := range h.model.commits {
		commits = append(commits, fmt.Sprint(c.number, " ", c.time, " ", number(c.view)))
	}
	h.same("commits", h.ask("SELECT commit, "+minutesOf("committed_at")+", "+minutesText("list_filter(watermarks, w -> w.partition IS NULL)[1].watermark")+" FROM sessiondb.commits"), commits)
}

// checkRevisions compares everything that was ever published and is kept.
func (h *history) checkRevisions() {
	h.Helper()
	var want []string
	for _, r := range h.model.revisions {
		want = append(want, fmt.Sprint(r.String(), " ", r.change, " ", r.state, " ", r.commit, " ", r.retired))
	}
	h.same("revisions", h.ask("SELECT "+h.model.sessionText()+", change || ' ' || len(supersedes), published_state, published_commit, coalesce(retired_commit, 0) FROM "+h.view().revisionsTable()), want)
}

// checkChanges sums the changelog up to each commit that is kept.
func (h *history) checkChanges() {
	h.Helper()
	var want []string
	for _, c := range h.model.commits {
		if c.number < h.model.oldest {
			continue
		}
		sessions, events := 0, 0
		for _, r := range h.model.at(c.number) {
			sessions, events = sessions+1, events+len(r.members)
		}
		want = append(want, fmt.Sprint(c.number, " ", sessions, " ", events))
	}
	h.same("changes", h.ask("SELECT c.commit, CAST(coalesce(sum(v.weight), 0) AS BIGINT), CAST(coalesce(sum(v.event_count * v.weight), 0) AS BIGINT)"+
		" FROM sessiondb.commit_log AS c LEFT JOIN visits_changes AS v ON v.commit <= c.commit WHERE c.commit >= ? GROUP BY c.commit", h.model.oldest), want)
}

// at are the revisions that were current after a commit.
func (m *model) at(commit int64) []*modelRevision {
	var list []*modelRevision
	for _, r := range m.revisions {
		if r.commit <= commit && (r.retired == 0 || r.retired > commit) {
			list = append(list, r)
		}
	}
	return list
}

// checkVersion asks for one version that is kept, with the states of then.
func (h *history) checkVersion() {
	h.Helper()
	kept := slices.DeleteFunc(slices.Clone(h.model.commits), func(c modelCommit) bool { return c.number < h.model.oldest })
	if len(kept) == 0 {
		return
	}
	c := kept[h.looks.IntN(len(kept))]
	then := model{rule: c.rule, clocks: modelClocks{view: c.view}}
	var want []string
	for _, r := range h.model.at(c.number) {
		want = append(want, fmt.Sprint(r.String(), " ", then.state(r.end)))
	}
	h.same(fmt.Sprint("version ", c.number), h.ask("SELECT "+h.model.sessionText()+", session_state FROM ("+h.view().AtSQL(fmt.Sprint(c.number), true)+")"), want)
}
