package sessionop

// A Delta is what one commit changes. Plan makes it, the caller stores it, and
// Apply takes it; it belongs to the State then. It shares no memory with the
// Commit.
type Delta struct {
	// Retired and Published are the sessions before and after, each ordered by
	// key (bytewise), then start.
	Retired   []Retired
	Published []Published
	// Verdicts has one entry for each of Commit.Arrived.
	Verdicts []Verdict
	// Watermarks are the partitions that the commit changed, as they are after
	// it, in order of their names; of a commit in parts, those that this part
	// and the ones before it changed.
	Watermarks []PartitionState
	// Before and After are the view's watermark; Before is the one by which
	// events were judged.
	Before, After Watermark

	commit  int64
	version int64 // of the state that it was planned for
	nextSeq int64
	groups  []keyGroup
	freed   []Hash
	taken   []countedID
	clocks  *clocks
}

// Changed says whether the commit changed anything that must be stored: a
// session or a watermark. Verdicts may have to be stored nevertheless.
func (d *Delta) Changed() bool {
	return len(d.Retired)+len(d.Published)+len(d.Watermarks) > 0 || d.Before != d.After
}

// NextSeq is the number that the first revision after the commit gets.
func (d *Delta) NextSeq() int64 { return d.nextSeq }

// keyGroup is one key's part of Retired and Published.
type keyGroup struct {
	key                     string
	hash                    Hash
	number                  int32 // of its timeline, or unknownKey
	retired, retiredEnd     int
	published, publishedEnd int
}

type countedID struct {
	member Hash
	values uint64
}

// Retired is a session that is current no more.
type Retired struct {
	Key             string
	Start, End      int64
	SessionID       Hash
	Seq, Revision   int64
	Count           int64
	PublishedCommit int64
}

// Published is a new revision of a session.
type Published struct {
	Key        string
	Start, End int64
	SessionID  Hash
	// Seq numbers the revisions of the view, from 1.
	Seq int64
	// Revision is 1 plus the greatest revision that this one supersedes.
	Revision int64
	Count    int64
	Accs     []Acc
	Change   Change
	// State is by Delta.After.
	State SessionState
	// Supersedes are indexes into Delta.Retired, ascending.
	Supersedes []int
}

// Change says why a revision was published.
type Change uint8

// The changes, as the contract defines them.
const (
	ChangeOpen Change = iota
	ChangeExtend
	ChangeMerge
	ChangeSplit
	ChangeCorrect
	ChangeReplay
)

func (c Change) String() string {
	return [...]string{"open", "extend", "merge", "split", "correct", "replay"}[c]
}

// SessionState is how far the watermark has passed a session.
type SessionState uint8

// The states of a session: see Spec.StateOf.
const (
	Open SessionState = iota
	Closed
	Final
)

func (s SessionState) String() string {
	return [...]string{"open", "closed", "final"}[s]
}

// Outcome is what became of an event that arrived.
type Outcome uint8

// The outcomes.
const (
	Counted Outcome = iota
	Duplicate
	Rejected
)

func (o Outcome) String() string {
	return [...]string{"counted", "duplicate", "rejected"}[o]
}

// Reason says why an event was rejected.
type Reason uint8

// The reasons, in the order of their tests.
const (
	NoReason Reason = iota
	ReasonNoID
	ReasonNoKey
	ReasonNoTime
	ReasonAhead
	ReasonConflict
	ReasonFinal
	ReasonTooLate
)

func (r Reason) String() string {
	return [...]string{
		"", "no id", "no key", "no time", "ahead of time",
		"conflicting duplicate", "final session", "too late",
	}[r]
}

// A Verdict is the judgment of one event that arrived.
type Verdict struct {
	Outcome Outcome
	Reason  Reason
	// Sessions are the ids of the sessions that a rejected event would have
	// touched: those within the gap of it, as the last commit left them.
	Sessions []Hash
}

// Watermark is a time in microseconds that may be undefined.
type Watermark struct {
	Time    int64
	Defined bool
}

// PartitionActivity says whether a partition counts for the view's watermark.
type PartitionActivity uint8

// The activities.
const (
	// PartitionActive counts.
	PartitionActive PartitionActivity = iota
	// PartitionIdle does not count until it speaks again.
	PartitionIdle
	// PartitionStalled counts and holds the least watermark, while another
	// that counts has advanced since its latest arrival.
	PartitionStalled
)

func (a PartitionActivity) String() string {
	return [...]string{"active", "idle", "stalled"}[a]
}

// PartitionState is what is known of one source partition.
type PartitionState struct {
	Name string
	// Watermark is the partition's own, if Defined.
	Watermark int64
	Defined   bool
	// ArrivedCommit is the latest commit that brought a counted event, and
	// AdvancedCommit the latest one that moved the watermark forward; 0 for none.
	ArrivedCommit, AdvancedCommit int64
	// LatestEvent is the greatest time of an event that was counted, and
	// LatestArrival the Commit.Now of ArrivedCommit. Without one they mean
	// nothing.
	LatestEvent, LatestArrival int64
	State                      PartitionActivity
}
