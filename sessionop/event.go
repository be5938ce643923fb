package sessionop

// EventFlags say what an event lacks.
type EventFlags uint8

// The flags of an event. A time that is infinite is no time.
const (
	NoKey EventFlags = 1 << iota
	NoID
	NoTime
)

// An Event is one row of the source. Key, Partition and Inputs are read during
// Touched and Plan only; the caller may reuse their memory afterwards.
type Event struct {
	// Key is the canonical encoding of the key: equal strings, equal keys.
	Key string
	// Time is the event time in microseconds.
	Time int64
	// Member is the event's identity: see Spec.ByID.
	Member Hash
	// Values is a hash of the row's values in every column that the contract
	// names, its key, time and partition among them. It decides whether the
	// row of a counted id is a duplicate or in conflict, and whether a row
	// that went and came back has changed.
	Values uint64
	// Partition is the source partition that the event came from.
	Partition string
	// Inputs are those of Spec.Measures, in their order.
	Inputs []Value
	// Flags say what the row lacks; what is lacking is ignored above.
	Flags EventFlags
	// Exempt marks the new version of a counted row that an UPDATE changed: it
	// counts at its new place, whatever the watermark, before other rows of
	// its id.
	Exempt bool
}

// A Commit is what one transaction brings to a view.
type Commit struct {
	// Number is the commit's number; greater than that of every commit before.
	Number int64
	// Now is the commit's time by the server's clock, in microseconds. It
	// never goes back.
	Now int64

	// Arrived are the rows to judge: new ones, new versions of updated ones,
	// and rows whose id was freed by a removal.
	Arrived []Event
	// Removed are counted rows that went, as they were. An UPDATE of a counted
	// row is its old version here and the new one, Exempt, in Arrived.
	Removed []Event
	// Members are the counted events, before this commit and without the
	// Removed, of every session that Touched names, in any order. What
	// belongs to other sessions is ignored.
	Members []Event
	// Compare orders Arrived[i] and Arrived[j] by time, key and values in the
	// columns' own order: of the rows of one id the earliest stands. Nil
	// compares Time, then Key bytewise, then Values.
	Compare func(i, j int) int
	// Follows is what Plan returned for the part of the commit before this one,
	// if the commit is planned in parts, as one whose rows do not all fit in
	// memory is. No two parts share a key or a Member, in any of their rows, and
	// only the last has Marks.
	Follows *Delta
	// Replay says that the Arrived are rejected rows taken up again: the
	// watermark turns none of them away, and revisions get ChangeReplay.
	Replay bool

	// Marks move watermarks, in order, after the events have.
	Marks []Mark
}

// A MarkKind is what a Mark does.
type MarkKind uint8

// The marks.
const (
	// Advance moves the partition's watermark forward to Time; back, it does
	// nothing. Under Explicit it wakes an idle partition.
	Advance MarkKind = iota
	// Reset sets the partition's watermark to Time, back too, and lets the
	// view's follow.
	Reset
	// Idle makes the partition idle.
	Idle
	// Tick makes idle every partition that has been quiet for IdleTimeout.
	// Partition and Time are ignored: the time is Commit.Now. See StartClock.
	Tick
)

// A Mark moves watermarks without an event. It makes its partition known.
type Mark struct {
	Kind      MarkKind
	Partition string
	Time      int64
}
