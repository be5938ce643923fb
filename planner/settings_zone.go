package planner

import "time"

// location is the session's time zone.
func (g *settings) location() *time.Location {
	loc, err := time.LoadLocation(g.get("timezone"))
	if err != nil { // SET has checked the name
		return time.UTC
	}
	return loc
}
