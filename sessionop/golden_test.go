package sessionop

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestHistories plays the histories of testdata/histories. Each is a script of
//
//	view gap=11m [lateness=1h] [delay=5s] [idle=5m] [ahead=1h] [explicit] [noids] [partitions=p,q]
//
// which makes a view whose one measure is the sum of the amounts,
//
//	commit [after=10s]
//	insert ID KEY TIME AMOUNT [PARTITION]
//	delete ID                             every row of the id
//	update ID [key=K] [time=T] [amount=A] its counted row, else all
//	advance TIME [PARTITION] | reset TIME [PARTITION] | idle PARTITION | tick
//	replay                                takes up all rejected rows
//
// which is one transaction, so many seconds after the last, and report, which
// prints what a reader of the view would find. A dash is for NULL. To accept
// new output: go test ./sessionop -run Histories -rewrite.
func TestHistories(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/histories", func(t *testing.T, path string) {
		t.Helper()
		var g *golden
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			t.Helper()
			switch d.Cmd {
			case "view":
				g = &golden{w: newWorld(t, goldenSpec(t, d)), partitions: map[string]string{}}
				return ""
			case "commit":
				return g.commit(t, d)
			case "report":
				return g.report()
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
				return ""
			}
		})
	})
}

type golden struct {
	w          *world
	out        strings.Builder
	changes    []string
	history    []Published       // by Seq-1
	partitions map[string]string // as last printed
}

func goldenSpec(t *testing.T, d *datadriven.TestData) Spec {
	t.Helper()
	spec := Spec{Lateness: Unlimited, MaxAhead: Unlimited, ByID: true, Measures: []Measure{Sum}}
	lengths := map[string]*int64{
		"gap": &spec.Gap, "lateness": &spec.Lateness, "delay": &spec.Delay, "idle": &spec.IdleTimeout, "ahead": &spec.MaxAhead,
	}
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "explicit":
			spec.Explicit = true
		case "noids":
			spec.ByID = false
		case "partitions":
			spec.Partitions = arg.Vals
		default:
			*lengths[arg.Key] = duration(t, arg.Vals[0])
		}
	}
	return spec
}

func duration(t *testing.T, text string) int64 {
	t.Helper()
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return length.Microseconds()
}

// timeOf and clock convert times of one day.
func timeOf(t *testing.T, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.TimeOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Sub(at.Truncate(24 * time.Hour)).Microseconds()
}

func clock(micros int64) string {
	return time.UnixMicro(micros).UTC().Format(time.TimeOnly)
}

func (g *golden) commit(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	g.w.t = t
	if d.HasArg("after") {
		var after string
		d.ScanArgs(t, "after", &after)
		g.w.now += duration(t, after)
	}
	for line := range strings.Lines(d.Input) {
		g.statement(t, strings.Fields(line))
	}
	g.out.Reset()
	g.w.commit(g.print)
	return g.out.String()
}

func (g *golden) statement(t *testing.T, words []string) {
	t.Helper()
	kinds := map[string]MarkKind{"advance": Advance, "reset": Reset}
	args := slices.Concat(words[1:], []string{"", ""})
	switch words[0] {
	case "insert":
		g.w.insert(parseRow(t, args))
	case "delete":
		for _, r := range g.named(args[0]) {
			g.w.remove(r)
		}
	case "update":
		g.update(t, args)
	case "advance", "reset":
		g.w.mark(Mark{Kind: kinds[words[0]], Time: timeOf(t, args[0]), Partition: args[1]})
	case "idle":
		g.w.mark(Mark{Kind: Idle, Partition: args[0]})
	case "tick":
		g.w.mark(Mark{Kind: Tick})
	case "replay":
		g.w.pending.replay = true
		for _, r := range g.w.rows {
			if !r.dead && r.verdict.Outcome == Rejected {
				g.w.pending.arrived = append(g.w.pending.arrived, r)
			}
		}
	default:
		t.Fatalf("unknown statement %q", words)
	}
}

func parseRow(t *testing.T, args []string) row {
	t.Helper()
	r := row{id: args[0], key: args[1], partition: args[4], amount: -1}
	r.noID, r.noKey, r.noTime = r.id == "-", r.key == "-", args[2] == "-"
	if !r.noTime {
		r.time = timeOf(t, args[2])
	}
	if args[3] != "-" {
		r.amount = number(t, args[3])
	}
	return r
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (g *golden) named(id string) []*row {
	var rows []*row
	for _, r := range g.w.rows {
		if !r.dead && r.id == id {
			rows = append(rows, r)
		}
	}
	return rows
}

func (g *golden) update(t *testing.T, args []string) {
	t.Helper()
	rows := g.named(args[0])
	if i := slices.IndexFunc(rows, (*row).counted); i >= 0 {
		rows = rows[i : i+1]
	}
	for _, r := range rows {
		to := *r
		for _, set := range args[1:] {
			switch column, value, _ := strings.Cut(set, "="); column {
			case "key":
				to.key = value
			case "time":
				to.time = timeOf(t, value)
			case "amount":
				to.amount = number(t, value)
			}
		}
		g.w.update(r, to)
	}
}

// print writes a delta down, and keeps it for the report.
func (g *golden) print(c *Commit, d *Delta) {
	for _, r := range d.Retired {
		old := g.history[r.Seq-1]
		fmt.Fprintf(&g.out, "-1 %s\n", g.revision(&old))
		g.changes = append(g.changes, g.change(d, -1, &old))
	}
	for i := range d.Published {
		p := &d.Published[i]
		fmt.Fprintf(&g.out, "+1 %s, %s", g.revision(p), p.Change)
		if len(p.Supersedes) > 0 {
			fmt.Fprintf(&g.out, " of %d", len(p.Supersedes))
		}
		fmt.Fprintf(&g.out, ", %s\n", p.State)
		g.changes = append(g.changes, g.change(d, 1, p))
		g.history = append(g.history, *p)
	}
	for i, v := range d.Verdicts {
		if v.Outcome != Counted {
			fmt.Fprintf(&g.out, "%s at %s: %s", g.w.arrived[i].id, g.timeText(&c.Arrived[i]), v.Outcome)
			if v.Outcome == Rejected {
				fmt.Fprintf(&g.out, ", %s, %d in reach", v.Reason, len(v.Sessions))
			}
			g.out.WriteString("\n")
		}
	}
	for _, p := range d.Watermarks {
		text := fmt.Sprintf("partition %q %s, %s\n", p.Name, markText(Watermark{Time: p.Watermark, Defined: p.Defined}), p.State)
		if g.partitions[p.Name] != text {
			g.partitions[p.Name] = text
			g.out.WriteString(text)
		}
	}
	if d.Before != d.After {
		fmt.Fprintf(&g.out, "watermark %s\n", markText(d.After))
	}
}

func (g *golden) timeText(e *Event) string {
	if e.Flags&NoTime != 0 {
		return "-"
	}
	return clock(e.Time)
}

func markText(w Watermark) string {
	if !w.Defined {
		return "undefined"
	}
	return clock(w.Time)
}

func (g *golden) revision(p *Published) string {
	return fmt.Sprintf("%s %s..%s r%d: %d events, %s", p.Key, clock(p.Start), clock(p.End), p.Revision, p.Count, sumText(p.Accs[0]))
}

func sumText(acc Acc) string {
	if acc.N == 0 {
		return "-"
	}
	return strconv.FormatUint(acc.Lo, 10)
}

func (g *golden) change(d *Delta, weight int, p *Published) string {
	return fmt.Sprintf("%d|%d|%s|%s|%s|%d|%d|%s",
		d.commit, weight, p.Key, clock(p.Start), clock(p.End), p.Revision, p.Count, sumText(p.Accs[0]))
}

// report prints the view and its companions.
func (g *golden) report() string {
	g.out.Reset()
	g.reportCurrent()
	g.reportChanges()
	g.out.WriteString("-- revisions\n")
	g.reportRevisions()
	g.out.WriteString("-- rejected\n")
	g.reportRejected()
	fmt.Fprintf(&g.out, "-- duplicates\n%d\n", g.w.dups)
	return g.out.String()
}

func (g *golden) reportCurrent() {
	g.out.WriteString("-- current\n")
	sessions := slices.SortedFunc(maps.Values(g.w.stored), func(a, b Session) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.Start, b.Start))
	})
	at, defined := g.w.state.Watermark()
	for _, s := range sessions {
		state := g.w.state.StateOf(s.End, Watermark{Time: at, Defined: defined})
		fmt.Fprintf(&g.out, "%s|%s|%s|%s|%d|%d|%s|%s\n",
			s.Key, clock(s.Start), clock(s.End), state, s.Revision, s.Count, sumText(s.Accs[0]), g.ids(&s))
	}
}

func (g *golden) ids(s *Session) string {
	members := slices.DeleteFunc(slices.Clone(g.w.rows), func(r *row) bool {
		return !r.counted() || r.key != s.Key || r.time < s.Start || r.time > s.End
	})
	slices.SortFunc(members, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.id, b.id))
	})
	var ids []string
	for _, r := range members {
		ids = append(ids, r.id)
	}
	return strings.Join(ids, ",")
}

// reportChanges numbers the commits that published from 1.
func (g *golden) reportChanges() {
	g.out.WriteString("-- changes\n")
	rank, last := 0, ""
	for _, c := range g.changes {
		commit, rest, _ := strings.Cut(c, "|")
		if commit != last {
			rank, last = rank+1, commit
		}
		fmt.Fprintf(&g.out, "%d|%s\n", rank, rest)
	}
}

func (g *golden) reportRevisions() {
	for _, p := range g.history {
		fmt.Fprintf(&g.out, "%s|%s|%s|%d|%d\n", p.Key, clock(p.Start), p.Change, p.Revision, len(p.Supersedes))
	}
}

func (g *golden) reportRejected() {
	var lines []string
	for _, r := range g.w.rows {
		if r.dead || r.verdict.Outcome != Rejected {
			continue
		}
		key, at := r.key, ""
		if r.noKey {
			key = ""
		}
		if !r.noTime {
			at = clock(r.time)
		}
		lines = append(lines, fmt.Sprintf("%s|%s|%s|%s\n", r.id, key, at, r.verdict.Reason))
	}
	slices.Sort(lines)
	g.out.WriteString(strings.Join(slices.Compact(lines), ""))
}
