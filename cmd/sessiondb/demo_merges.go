package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// A merge is a session that supersedes several, and those.
type merge struct {
	host     string
	revision int64
	whole    visit
	parts    []visit
}

const (
	mergesQuery = `SELECT revision_id::text, host, revision, session_start, session_end FROM visits_revisions
		WHERE change = 'merge' AND published_commit = (SELECT max(published_commit) FROM visits_revisions)
		ORDER BY len(supersedes) DESC, event_count DESC, host LIMIT $1`
	partsQuery = `SELECT session_start, session_end FROM visits_revisions
		WHERE list_contains(superseded_by, $1::uuid) ORDER BY session_start`
	membersQuery = `SELECT seen_at FROM visits_events
		WHERE host = $1 AND seen_at BETWEEN $2 AND $3 ORDER BY seen_at`
)

// pictures draws the merges of the last commit that took the most sessions'
// place.
func (t *story) pictures(ctx context.Context, late []request) error {
	merges, err := t.merges(ctx)
	if err != nil {
		return err
	}
	for _, m := range merges {
		t.picture(m, late)
	}
	return nil
}

func (t *story) merges(ctx context.Context) ([]merge, error) {
	var (
		merges []merge
		ids    []string
		id     string
		m      merge
	)
	rows, err := t.conn.Query(ctx, mergesQuery, demoPictures)
	if err != nil {
		return nil, err
	}
	_, err = pgx.ForEachRow(rows, []any{&id, &m.host, &m.revision, &m.whole.start, &m.whole.end}, func() error {
		merges, ids = append(merges, m), append(ids, id)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range merges {
		if err := t.complete(ctx, &merges[i], ids[i]); err != nil {
			return nil, err
		}
	}
	return merges, nil
}

// complete reads the members of a merge and the sessions that it retired.
func (t *story) complete(ctx context.Context, m *merge, id string) error {
	members, err := t.members(ctx, m.host, m.whole)
	if err != nil {
		return err
	}
	m.whole.events = members
	rows, err := t.conn.Query(ctx, partsQuery, id)
	if err != nil {
		return err
	}
	var part visit
	_, err = pgx.ForEachRow(rows, []any{&part.start, &part.end}, func() error {
		m.parts = append(m.parts, visit{start: part.start, end: part.end, events: within(members, part)})
		return nil
	})
	return err
}

func (t *story) members(ctx context.Context, host string, v visit) ([]time.Time, error) {
	rows, err := t.conn.Query(ctx, membersQuery, host, v.start, v.end)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[time.Time])
}

// within picks the moments inside a visit's bounds.
func within(moments []time.Time, v visit) []time.Time {
	var in []time.Time
	for _, at := range moments {
		if !at.Before(v.start) && !at.After(v.end) {
			in = append(in, at)
		}
	}
	return in
}

// picture draws one merge: the sessions before, the late events, the session
// after.
func (t *story) picture(m merge, late []request) {
	var arrived []time.Time
	for _, r := range late {
		if r.host == m.host {
			arrived = append(arrived, time.Unix(r.at, 0))
		}
	}
	line := timeline{from: m.whole.start, to: m.whole.end, width: 64}
	const clock = "15:04:05"
	t.say("\n  %s, %s to %s UTC\n", m.host, m.whole.start.UTC().Format(clock), m.whole.end.UTC().Format(clock))
	t.say("    before  %s\n", line.draw(m.parts))
	t.say("    late    %s\n", line.mark(within(arrived, m.whole)))
	t.say("    after   %s\n", line.draw([]visit{m.whole}))
	sizes := make([]string, len(m.parts))
	for i, part := range m.parts {
		sizes[i] = fmt.Sprint(len(part.events))
	}
	t.say("    visits of %s requests became one of %d, revision %d\n", strings.Join(sizes, " + "), len(m.whole.events), m.revision)
}
