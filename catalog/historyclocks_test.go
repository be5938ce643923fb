package catalog

import "cmp"

// modelMark is a CALL that moves a watermark, or a tick of the timer.
type modelMark struct {
	kind, part string // advance, reset, idle or tick
	at         int64
}

// modelClocks are the watermarks, as the contract page has them.
type modelClocks struct {
	parts   map[string]*modelPartition
	view    *int64 // nil while undefined
	started int64  // when the idle clocks began
}

type modelPartition struct {
	at     *int64
	latest *int64 // event time
	idle   bool
	heard  int64 // when it spoke
}

func newModelClocks(r modelRule, now int64) modelClocks {
	c := modelClocks{parts: map[string]*modelPartition{}, started: now}
	for _, p := range r.declared {
		c.parts[p] = &modelPartition{}
	}
	return c
}

func (m *model) partition(name string) *modelPartition {
	if !m.rule.partitioned {
		name = ""
	}
	parts := m.clocks.parts
	if parts[name] == nil {
		parts[name] = &modelPartition{}
	}
	return parts[name]
}

// advance moves the watermarks: first the rows that count, then the marks.
func (c *modelClocks) advance(m *model, counted []row, marks []modelMark) {
	for _, r := range counted {
		p := m.partition(r.part)
		p.heard = m.now
		if p.latest == nil || *r.at > *p.latest {
			p.latest = r.at
		}
		if !m.rule.explicit {
			if p.idle {
				m.seen.note("woken by an event")
			}
			p.idle = false
			p.forward(*r.at - m.rule.delay)
		}
	}
	for _, mark := range marks {
		c.mark(m, mark)
	}
	c.advanceView(m)
}

func (c *modelClocks) mark(m *model, mark modelMark) {
	switch mark.kind {
	case "advance":
		p := m.partition(mark.part)
		if !p.forward(mark.at) {
			return
		}
		p.heard = m.now
		if m.rule.explicit {
			p.idle = false
		}
	case "reset":
		m.partition(mark.part).at = &mark.at
		if c.view != nil && *c.view > mark.at {
			c.view = &mark.at
		}
	case "idle":
		m.partition(mark.part).idle = true
	case "tick":
		for _, p := range c.parts {
			if at, ok := c.idleAt(m.rule, p); ok && at <= m.now {
				p.idle = true
				m.seen.note("idle by the timeout")
			}
		}
	}
}

// idleAt is when a partition goes idle that stays quiet.
func (c *modelClocks) idleAt(r modelRule, p *modelPartition) (int64, bool) {
	return max(p.heard, c.started) + r.idle, r.idle > 0 && !p.idle
}

// due says whether a tick would make a partition idle.
func (m *model) due() bool {
	for _, p := range m.clocks.parts {
		if at, ok := m.clocks.idleAt(m.rule, p); ok && at <= m.now {
			return true
		}
	}
	return false
}

// advanceView moves the view's watermark to the least of the active
// partitions, never back.
func (c *modelClocks) advanceView(m *model) {
	var least *int64
	active := 0
	for _, p := range c.parts {
		if p.idle {
			continue
		}
		active++
		if p.at == nil {
			return
		}
		if least == nil || *p.at < *least {
			least = p.at
		}
	}
	if active == 0 && len(c.parts) > 0 {
		m.seen.note("all idle")
	}
	if least != nil && (c.view == nil || cmp.Compare(*least, *c.view) > 0) {
		at := *least
		c.view = &at
	}
}

// forward moves a watermark forward; it reports false if that would be back.
func (p *modelPartition) forward(at int64) bool {
	if p.at != nil && at < *p.at {
		return false
	}
	p.at = &at
	return true
}
