package catalog

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// sightings are what a history had in it.
type sightings map[string]bool

func (s sightings) note(what ...string) {
	for _, w := range what {
		s[w] = true
	}
}

// noteRule notes what kind of contract a history is under.
func (s sightings) noteRule(r modelRule) {
	for what, is := range map[string]bool{
		"contract explicit": r.explicit, "contract by event time": !r.explicit, "contract with partitions": r.partitioned,
		"contract with declared partitions": len(r.declared) > 0, "contract without id": !r.byID, "contract with unique ids": r.unique,
		"contract with ids of two columns": r.twoIDs, "contract with keys of two columns": r.twoKeys,
		"contract without lateness": r.lateness == none, "contract with a lateness of zero": r.lateness == 0, "contract with a small lateness": r.lateness > 0,
		"contract with a delay": r.delay > 0, "contract with max_ahead": r.maxAhead != none, "contract with idle_timeout": r.idle > 0,
		"contract with revision_retention": r.retention > 0, "contract with event_retention": r.eventRetention > 0,
	} {
		if is {
			s.note(what)
		}
	}
	for _, i := range r.measures {
		s.note("measure " + testMeasures()[i].measure.Name)
	}
}

// A tally counts the histories that had something in them.
type tally struct {
	mu        sync.Mutex
	all       int
	histories map[string]int
}

func (c *tally) add(s sightings) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all++
	for what := range s {
		c.histories[what]++
	}
}

// sought are the things that the histories of a run must have in them, in one
// of four hundred at least.
func sought() []string {
	list := []string{
		"no id", "no key", "no time", "ahead of time", "final session", "too late", "conflicting duplicate", "duplicate", "late, and counted", "moved",
		"change open", "change extend", "change merge", "change split", "change correct", "change replay", "a final session changes",
		"published open", "published closed", "published final",
		"line withdrawn", "line replayed", "line counted", "line duplicate", "line judged anew",
		"built from rows", "spilled", "truncate", "merge", "published in between", "rollback", "restart", "refresh", "another gap", "another lateness",
		"mark advance", "mark reset", "mark idle", "idle by the timeout", "all idle", "woken by an event", "revisions purged",
		"left memory", "looked up what has left", "read back for a replay", "read back for rows that go", "read back for rows that move",
		"read back for a rejected event", "live again after a reset", "restart without the final sessions", "held again by another lateness",
		"contract explicit", "contract by event time", "contract with partitions", "contract with declared partitions", "contract without id",
		"contract with unique ids", "contract with ids of two columns", "contract with keys of two columns", "contract without lateness",
		"contract with a lateness of zero", "contract with a small lateness", "contract with a delay", "contract with max_ahead",
		"contract with idle_timeout", "contract with revision_retention", "contract with event_retention",
		"another event_retention", "rows released", "a row again", "an id again", "a session changes that is older than one without rows", "refused commit", "refused publish", "refused replay", "refused another gap",
	}
	for _, m := range testMeasures() {
		list = append(list, "measure "+m.measure.Name)
	}
	return list
}

// report fails the test where the generator went blind to something. A run of
// few seeds is not judged.
func (c *tally) report(t *testing.T, seeds int) {
	t.Helper()
	var lines []string
	for what, n := range c.histories {
		lines = append(lines, fmt.Sprintf("%6d %s", n, what))
		if !slices.Contains(sought(), what) {
			t.Errorf("%q is noted, and not sought", what)
		}
	}
	slices.Sort(lines)
	t.Logf("of %d histories:\n%s", c.all, strings.Join(lines, "\n"))
	if t.Failed() || c.all < 1000 {
		return
	}
	if deadline, ok := t.Deadline(); c.all < seeds && (!ok || time.Until(deadline) > reserve) {
		t.Errorf("%d of %d histories ran", c.all, seeds)
	}
	for _, what := range sought() {
		if c.histories[what]*400 < c.all {
			t.Errorf("%d of %d histories have %q", c.histories[what], c.all, what)
		}
	}
}
