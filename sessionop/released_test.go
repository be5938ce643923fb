package sessionop

import "testing"

// A session whose rows are gone has no ids, and stays. Sessions that were there
// before what is said of it, or that come later, have theirs.
func TestReleased(t *testing.T) {
	t.Parallel()
	spec := plain()
	spec.ByID = true
	s := newWorld(t, spec).state
	apply(t, s, &Commit{Number: 1, Arrived: []Event{at("k", 10, 1), at("k", 100, 2)}})
	s.ForgetID(at("k", 10, 1).Member)
	if err := s.Check(); err == nil {
		t.Error("an id that is missing was not noticed")
	}
	s.Release(1, 50)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s.Release(3, 20)
	s.Release(4, 20)
	for _, c := range []struct {
		commit, end int64
		want        bool
	}{{1, 49, true}, {1, 50, false}, {2, 49, false}, {2, 19, true}, {4, 19, true}, {5, 19, false}} {
		if got := s.Released(c.commit, c.end); got != c.want {
			t.Errorf("a session of commit %d that ended at %d: %t", c.commit, c.end, got)
		}
	}
	if len(s.releases) != 2 {
		t.Errorf("%v are kept", s.releases)
	}
}
