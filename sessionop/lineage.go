package sessionop

import (
	"cmp"
	"slices"
)

// relate gives every published session what it supersedes, its revision and
// its change. A session supersedes each retired one with which it shares a
// member, of whatever key.
func (p *planner) relate() {
	for _, m := range p.moves {
		p.links = append(p.links, link{published: m.published, retired: p.lostBy[m.removed], shared: 1})
	}
	p.links = joinLinks(p.links)
	heirs := make([]int32, len(p.d.Retired))
	supersedes := make([]int, len(p.links))
	for i, l := range p.links {
		heirs[l.retired]++
		supersedes[i] = l.retired
	}
	rest := p.links
	for i := range p.d.Published {
		n := 0
		for n < len(rest) && rest[n].published == i {
			n++
		}
		pub := &p.d.Published[i]
		pub.Supersedes, supersedes = supersedes[:n:n], supersedes[n:]
		pub.Revision = 1 + p.greatestRevision(pub.Supersedes)
		pub.Change = p.change(pub, rest[:n], heirs)
		rest = rest[n:]
	}
}

// joinLinks orders links by both ends and adds up those between the same two.
func joinLinks(links []link) []link {
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.published, b.published), cmp.Compare(a.retired, b.retired))
	})
	joined := links[:0]
	for _, l := range links {
		if n := len(joined); n > 0 && joined[n-1].published == l.published && joined[n-1].retired == l.retired {
			joined[n-1].shared += l.shared
		} else {
			joined = append(joined, l)
		}
	}
	return joined
}

func (p *planner) greatestRevision(retired []int) int64 {
	var greatest int64
	for _, i := range retired {
		greatest = max(greatest, p.d.Retired[i].Revision)
	}
	return greatest
}

// change names the change of a session that has the links to what it
// supersedes.
func (p *planner) change(pub *Published, links []link, heirs []int32) Change {
	switch {
	case p.c.Replay:
		return ChangeReplay
	case len(links) == 0:
		return ChangeOpen
	case len(links) > 1:
		return ChangeMerge
	case heirs[links[0].retired] > 1:
		return ChangeSplit
	}
	before := p.d.Retired[links[0].retired].Count
	if links[0].shared == before && pub.Count > before {
		return ChangeExtend
	}
	return ChangeCorrect
}

// takeIDs notes which ids the commit frees and takes.
func (p *planner) takeIDs() {
	if !p.s.spec.keepsIDs() {
		return
	}
	for i := range p.c.Removed {
		if !p.cancelled[i] {
			p.d.freed = append(p.d.freed, p.c.Removed[i].Member)
		}
	}
	p.d.taken = make([]countedID, 0, len(p.rows))
	for i := range p.rows {
		if p.rows[i].stands() {
			p.d.taken = append(p.d.taken, countedID{member: p.c.Arrived[i].Member, values: p.c.Arrived[i].Values})
		}
	}
}

// seal numbers the revisions and gives them their state, by the watermark as
// it is after the commit.
func (p *planner) seal() {
	p.d.nextSeq = p.s.nextSeq
	if before := p.c.Follows; before != nil {
		p.d.nextSeq = before.nextSeq
	}
	for i := range p.d.Published {
		pub := &p.d.Published[i]
		pub.Seq = p.d.nextSeq
		p.d.nextSeq++
		pub.State = p.s.spec.StateOf(pub.End, p.d.After)
	}
}
