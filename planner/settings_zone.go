package planner

import "time"

// location is the session's time zone. The zone last asked for is kept: every
// statement with a time in it asks, and loading one reads a file.
func (g *settings) location() *time.Location {
	name := g.get("timezone")
	if g.zone != nil && g.zone.String() == name {
		return g.zone
	}
	loc, err := time.LoadLocation(name)
	if err != nil { // SET has checked the name
		return time.UTC
	}
	g.zone = loc
	return loc
}
