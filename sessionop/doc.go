// Package sessionop is the incremental session operator: it keeps the current
// sessions of one view that can still change, and says for each commit which
// sessions it retires and which it publishes.
//
// It is a value in memory with one owner. It does no I/O, takes no lock, reads
// no clock and writes no log: time is an argument, and what it has to say is
// its return value. The same commits give the same deltas on any machine.
//
//	reaches := state.Missing(commit)    // where sessions that left may lie
//	state.Restore(…)                    // the caller reads them
//	refs := state.Touched(commit)       // sessions that lose a member
//	commit.Members = …                  // the caller reads their members
//	delta, err := state.Plan(commit)    // judges; the state stays as it is
//	…                                   // the caller stores the delta
//	state.Apply(delta)                  // and then the state follows
//
// A delta that is never applied, after a ROLLBACK say, leaves no trace. After a
// restart the state is loaded from what was stored: LoadSession, LoadAway,
// LoadID, LoadPartition, LoadWatermark, SetNextSeq, StartClock. Seqs answers for
// the sessions that left too, once an AwayIndex is begun and completed.
//
// # Words
//
//   - An event is one row of the source. Its member hash is its identity: of
//     its id or, without ids, of its values and its ordinal among equals.
//   - A counted event is a member of exactly one current session. All other
//     events are duplicates or rejected.
//   - A session is a maximal run of counted events of one key in which each is
//     at most Spec.Gap after the one before: equality joins.
//   - Its id is the hash of the key plus the sum of its members' hashes, so it
//     depends neither on their order nor on history, and members can be added
//     and taken away without knowing the others.
//   - A revision is a session as one commit published it. A later commit
//     retires it, and publishes what takes its place.
//   - A watermark says how far event time has come; the horizon is the view's
//     watermark less Spec.Lateness. An event behind the horizon is late. A
//     session is final when the horizon has passed its end by more than the gap.
//
// # What a commit does
//
// First the rows that go free their ids and leave their sessions. Then all rows
// that arrive are judged together, by the watermark and the sessions as the
// last commit left them: so neither the order of rows nor how they were cut
// into statements decides anything. Then sessions change, and last of all the
// watermarks, by which the published revisions get their state.
//
// Let the gap be 3. A new event that reaches no session opens one; one that
// reaches a session extends it, at an end or within:
//
//	time    0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16
//	before  [--A--]
//	event                     ^                       ^
//	after   [--A--]          [B]                     [C]   B and C open
//	event            ^
//	after   [--------D--------]                      [C]   D merges A and B
//	event                              ^
//	after   [------------E-------------]             [C]   E extends D
//
// An event that reaches two sessions is a bridge, and merges them; it may have
// company in its commit. A session that loses a member is taken apart, and its
// other members, which the caller provides, are put together anew:
//
//	time    0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16
//	members *     *  *        *        *              *
//	before  [------------E-------------]             [C]
//	removed                   x
//	after   [---F----]                [G]            [C]   F and G split E
//
// Sessions that lose nothing are absorbed whole, whatever their size: a commit
// that removes nothing needs no member of any session. What carries over is
// the sum of hashes and, per measure, an accumulator (see Measure).
//
// # Judging
//
// The tests, in order: no id, no key, no time, ahead of time; the id of a
// counted row; within the gap of a final session; too late. Three of them need
// more than the event and the state:
//
//   - Of the rows of one id the earliest is judged first. If it is rejected it
//     takes no id, and the next one is judged; once one counts, the others are
//     duplicates or in conflict with it. The new version of a counted row
//     (Event.Exempt) goes before all others of its id: it counts already.
//   - A late event that reaches no final session counts if the session that it
//     ends up in has a member that is counted already or on time. Late events
//     may chain to such a member. Those that only have each other are out, all
//     of a round at once, and the next of their ids come in for another round.
//   - Which sessions are final is a matter of how the last commit left them,
//     even if this one takes members away. What counts as counted is not: a
//     removed member helps no late event.
//
// An UPDATE of a counted row and a replay are exempt from the watermark's
// tests, not from the others. A row that is removed and arrives again with the
// same values cancels out: it changes no session.
//
// # Lineage
//
// A published session supersedes each one retired by the same commit with which
// it shares a member, across keys too. Its change is the first that applies:
// replay, if the commit is one; open, if it supersedes none; merge, if several;
// split, if another one supersedes the same; extend, if it has all members of
// the one it supersedes and more; correct.
//
// # Watermarks
//
// A partition's watermark follows its counted events (less Spec.Delay), or
// under Spec.Explicit the Advance marks alone. It never goes back but by Reset.
// The view's watermark is the least of the active partitions, and never goes
// back either. It is undefined until every active partition has a watermark;
// once it is defined it holds when a new partition has none yet, when one wakes
// up behind it, and when all are idle. Rejected events and duplicates move
// nothing, and are no sign of life.
//
// Arrivals are counted events. The idle clock of a partition starts with its
// latest arrival or advance, and anew with StartClock; only a Tick makes a
// partition idle by it.
//
// # Invariants
//
// State.Check holds them against the whole state, by these numbers:
//
//	I1   every key leads to its own timeline, which has a session
//	I2   no block is empty or too long, each has its sessions' accumulators
//	I3   a session has an event, and does not end before it starts
//	I4   the sessions of a key are in order, more than the gap apart
//	I5   a session's number is its own and was given out, its revision is 1 or more
//	I6   no accumulator has more inputs than its session has events
//	I7   as many sessions are held as are counted
//	I8   every id that is held can be found
//	I9   the ids are those of the members of sessions that are not Released: as
//	     many, and with the same sum; or more, once sessions have left
//	I10  partitions are in order of their names, the declared ones among them
//	I11  where sessions can be final, every timeline is in the queue, no later
//	     than its first session is; where not, none is
//
// # In memory
//
// A map leads from a key to its timeline, which is a sorted slice of sessions
// cut into blocks of at most 512, so that a key with a million sessions is
// searched in a few steps and an insertion moves little. Sessions are 64 bytes
// without pointers, with their accumulators in a slice beside them. Ids are in
// open-addressed tables of hashes, 30 to 45 bytes each.
//
// # Final sessions leave
//
// A heap has for each key when its first session is final, so Apply finds those
// that became so without looking at others, and lets go of them: with a commit
// no more than came back for it, twice as many as it published, and some
// hundreds. A key whose last session leaves is forgotten; ids stay, as their
// rows do.
//
// State.Away is the greatest end of all that left. What lies more than the gap
// after it reaches none of them, and neither does what lies behind the start of
// a session of its key that ends after Away: so an event that is on time needs
// nothing that left. For those that may (late ones, and rows that go or move)
// Missing names the stretches of time to read, and what is restored leaves again
// with the commits that follow. A Reset can make sessions live again that left:
// see Reopened.
//
// # What it does not do
//
// It keeps no events and no revisions that were retired, computes no measure
// but those that combine exactly, knows neither column names nor SQL values,
// and stores nothing.
package sessionop
