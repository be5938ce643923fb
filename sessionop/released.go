package sessionop

import "slices"

// A caller may delete the rows of events whose sessions ended long ago. Such
// sessions stay as they are, and nothing can change them any more: the caller
// refuses a commit whose Delta would retire one.

// A release is of the sessions that commits up to one have published, and that
// ended before a time.
type release struct{ commit, before int64 }

// Release notes that sessions have no rows any more: those that commits up to
// commit have published and that ended before a time. Sessions that come to be
// there later, such as after a Reset, have theirs.
func (s *State) Release(commit, before int64) {
	s.releases = slices.DeleteFunc(s.releases, func(r release) bool { return r.commit <= commit && r.before <= before })
	s.releases = append(s.releases, release{commit, before})
}

// Released says whether a session that a commit published and that ended at end
// has no rows any more.
func (s *State) Released(commit, end int64) bool {
	return slices.ContainsFunc(s.releases, func(r release) bool { return commit <= r.commit && end < r.before })
}
