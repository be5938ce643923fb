package sessionop

// component is one session to be: a maximal run of points and of stored
// sessions, of one key, in which each is within the gap of the next.
type component struct {
	start, end int64
	points     []point
	absorbed   []cursor // stored sessions, whole
}

// brokenSession is a stored session that loses members. It is not absorbed
// whole: its remaining members are points.
type brokenSession struct {
	at       cursor
	session  session
	removed  int64 // how many members it loses
	gone     Hash  // the sum of their hashes
	retired  int   // index into Delta.Retired
	survived int64 // how many remaining members were given
	stay     Hash  // the sum of their hashes
}

// chainer cuts one key's points and stored sessions into components. Its
// slices are reused from key to key.
type chainer struct {
	gap        int64
	components []component
	cursors    []cursor
}

// chain returns the components of the points, which are in order of time, with
// the sessions of line (nil if the key has none) that they reach. Stored
// sessions that no point reaches stay as they are and are not returned.
func (ch *chainer) chain(line *timeline, points []point, broken []brokenSession) []component {
	ch.components, ch.cursors = ch.components[:0], ch.cursors[:0]
	w := walk{line: line, broken: broken}
	for i := 0; i < len(points); {
		w.skipTo(subTime(points[i].time, ch.gap))
		n := ch.extend(&w, points[i:])
		i += n
	}
	return ch.components
}

// extend appends the component that begins with the first of the points, or
// with a session before it, and returns how many points it took.
func (ch *chainer) extend(w *walk, points []point) int {
	c := component{start: points[0].time, end: points[0].time}
	base, taken := len(ch.cursors), 1
	for {
		reach := addTime(c.end, ch.gap)
		if s := w.session(); s != nil && s.start <= reach {
			c.start, c.end = min(c.start, s.start), max(c.end, s.end)
			ch.cursors = append(ch.cursors, w.at)
			w.step()
			continue
		}
		if taken == len(points) || points[taken].time > reach {
			break
		}
		c.end = max(c.end, points[taken].time)
		taken++
	}
	c.points, c.absorbed = points[:taken], ch.cursors[base:]
	ch.components = append(ch.components, c)
	return taken
}

// walk goes over the sessions of a timeline that are whole.
type walk struct {
	line   *timeline
	at     cursor
	broken []brokenSession // not passed yet
}

// session returns where the walk stands; nil at the end.
func (w *walk) session() *session {
	if w.line == nil || !w.line.valid(w.at) {
		return nil
	}
	return w.line.session(w.at)
}

func (w *walk) step() {
	w.at = w.line.next(w.at)
	w.passBroken()
}

// skipTo goes on to the first whole session that ends at or after the time.
func (w *walk) skipTo(time int64) {
	if w.line != nil {
		w.at = w.line.seek(w.at, time)
		w.passBroken()
	}
}

func (w *walk) passBroken() {
	for len(w.broken) > 0 && w.line.valid(w.at) {
		switch b := w.broken[0].at; {
		case b == w.at:
			w.at = w.line.next(w.at)
			w.broken = w.broken[1:]
		case b.before(w.at):
			w.broken = w.broken[1:]
		default:
			return
		}
	}
}

func (c cursor) before(o cursor) bool {
	return c.block < o.block || c.block == o.block && c.at < o.at
}
