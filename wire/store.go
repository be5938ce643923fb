package wire

// store holds the prepared statements and portals of one connection, by name.
// The empty name is the unnamed one of each.
type store struct {
	statements map[string]Statement
	portals    map[string]*portal

	maxStatements, maxPortals int
}

// A portal is a bound statement with the formats of its columns.
type portal struct {
	Portal
	formats []int16 // as Bind gave them: none, one for all, or one for each
}

func newStore(maxStatements, maxPortals int) store {
	return store{
		statements:    make(map[string]Statement),
		portals:       make(map[string]*portal),
		maxStatements: maxStatements,
		maxPortals:    maxPortals,
	}
}

func (s *store) statement(name string) (Statement, error) {
	if stmt, ok := s.statements[name]; ok {
		return stmt, nil
	}
	if name == "" {
		return nil, Errorf(codeUndefinedStatement, "unnamed prepared statement does not exist")
	}
	return nil, Errorf(codeUndefinedStatement, `prepared statement "%s" does not exist`, name)
}

func (s *store) portal(name string) (*portal, error) {
	if p, ok := s.portals[name]; ok {
		return p, nil
	}
	return nil, Errorf(codeUndefinedCursor, `portal "%s" does not exist`, name)
}

// freeStatement makes room for a statement of this name: the unnamed one is
// closed, a named one must not exist.
func (s *store) freeStatement(name string) error {
	if name == "" {
		s.closeStatement("")
		return nil
	}
	if _, ok := s.statements[name]; ok {
		return Errorf(codeDuplicateStatement, `prepared statement "%s" already exists`, name)
	}
	if len(s.statements) >= s.maxStatements {
		return Errorf(codeLimitExceeded, "too many prepared statements: %d", len(s.statements)).
			WithHint("Close some with DEALLOCATE or a Close message.")
	}
	return nil
}

// freePortal makes room for a portal of this name.
func (s *store) freePortal(name string) error {
	if name == "" {
		s.closePortal("")
		return nil
	}
	if _, ok := s.portals[name]; ok {
		return Errorf(codeDuplicateCursor, `cursor "%s" already exists`, name)
	}
	if len(s.portals) >= s.maxPortals {
		return Errorf(codeLimitExceeded, "too many open portals: %d", len(s.portals)).
			WithHint("Close some with a Close message, or end the transaction.")
	}
	return nil
}

// closeStatement closes a statement if there is one of this name.
func (s *store) closeStatement(name string) bool {
	stmt, ok := s.statements[name]
	if ok {
		delete(s.statements, name)
		stmt.Close()
	}
	return ok
}

func (s *store) closeStatements() {
	for name := range s.statements {
		s.closeStatement(name)
	}
}

// closePortal closes a portal if there is one of this name.
func (s *store) closePortal(name string) {
	if p, ok := s.portals[name]; ok {
		delete(s.portals, name)
		p.Close()
	}
}

func (s *store) closePortals() {
	for name := range s.portals {
		s.closePortal(name)
	}
}

// close closes everything, when the connection ends.
func (s *store) close() {
	s.closePortals()
	s.closeStatements()
}
