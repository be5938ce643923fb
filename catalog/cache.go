package catalog

import "container/list"

// cachedStatements bounds a connection's cache: each statement in it holds a
// plan, of some tens of kilobytes.
const cachedStatements = 128

// A stmtCache keeps the statements that a connection used last, by text. The
// zero value is empty.
type stmtCache struct {
	byText map[string]*list.Element
	recent list.List // of *Stmt, the last used first
}

func (c *stmtCache) get(sql string) *Stmt {
	e := c.byText[sql]
	if e == nil {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*Stmt)
}

// put adds a statement, and closes the one that was not used for longest when
// there is no room.
func (c *stmtCache) put(s *Stmt) {
	if c.byText == nil {
		c.byText = map[string]*list.Element{}
	}
	c.byText[s.sql] = c.recent.PushFront(s)
	if c.recent.Len() > cachedStatements {
		last := c.recent.Back()
		c.remove(last).Close()
	}
}

func (c *stmtCache) remove(e *list.Element) *Stmt {
	s := c.recent.Remove(e).(*Stmt)
	delete(c.byText, s.sql)
	return s
}
