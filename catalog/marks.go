package catalog

import (
	"context"
	"sort"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// Mark adds a CALL that moves the watermark of one partition by hand.
func (t *WriteTx) Mark(ctx context.Context, v *View, m sessionop.Mark) error {
	if err := v.ready(); err != nil {
		return err
	}
	if err := t.knowsPartition(ctx, v, m); err != nil {
		return err
	}
	return t.addMarks(ctx, v, m)
}

// MarkAll is Mark for every partition that is known.
func (t *WriteTx) MarkAll(ctx context.Context, v *View, kind sessionop.MarkKind, time int64) error {
	if err := v.ready(); err != nil {
		return err
	}
	names, err := t.partitionNames(ctx, v)
	if err != nil {
		return err
	}
	if v.Contract.Partition == nil {
		names = []string{""}
	}
	if len(names) == 0 {
		return v.errorf(stateUndefined, "Name the partition, or wait for its first event.", "no partition of %s is known yet", v.Name.Name)
	}
	marks := make([]sessionop.Mark, len(names))
	for i, name := range names {
		marks[i] = sessionop.Mark{Kind: kind, Partition: name, Time: time}
	}
	return t.addMarks(ctx, v, marks...)
}

func (t *WriteTx) addMarks(ctx context.Context, v *View, marks ...sessionop.Mark) error {
	if b := t.rebuilds[v.ID]; b != nil {
		b.marks, b.dirty = append(b.marks, marks...), true
		return nil
	}
	vt, err := t.openView(ctx, v)
	if err != nil {
		return err
	}
	vt.marks = append(vt.marks, marks...)
	vt.dirty = true
	return nil
}

// partitionNames are the partitions that are known, with those that the
// transaction brought, in order.
func (t *WriteTx) partitionNames(ctx context.Context, v *View) ([]string, error) {
	if err := t.Publish(ctx); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range v.state.Partitions() {
		seen[p.Name] = true
	}
	if vt := t.views[v.ID]; vt != nil {
		for _, p := range vt.movedPartitions() {
			seen[p.Name] = true
		}
	}
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	return names, nil
}

// knowsPartition refuses a mark for a partition that cannot be meant: any but
// the one of a view that has no partitions, one that is not among those
// declared, and one to go idle that never spoke. Where none are declared, a
// mark that moves a watermark makes its partition known.
func (t *WriteTx) knowsPartition(ctx context.Context, v *View, m sessionop.Mark) error {
	if v.Contract.Partition == nil {
		if m.Partition == "" {
			return nil
		}
		return v.errorf(stateUndefined, "Leave the partition out.", "%s has no partitions", v.Name.Name)
	}
	names, err := t.partitionNames(ctx, v)
	if err != nil {
		return err
	}
	if i := sort.SearchStrings(names, m.Partition); i < len(names) && names[i] == m.Partition {
		return nil
	}
	if m.Kind != sessionop.Idle && len(v.Contract.Partitions) == 0 {
		return nil
	}
	hint := "None is known yet."
	if len(names) > 0 {
		for i, name := range names {
			names[i] = QuoteLiteral(name)
		}
		hint = "Those known are " + strings.Join(names, ", ") + "."
	}
	return v.errorf(stateUndefined, hint, "%s has no partition \"%s\"", v.Name.Name, m.Partition)
}
