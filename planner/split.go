package planner

import "github.com/sessiondb/sessiondb/wire"

// Split cuts the text of a message into its statements at the semicolons.
// A piece starts at its first token and ends with its last, so comments
// around it are not in it; pieces without a token are dropped.
func Split(sql string) ([]wire.Piece, error) {
	l := lexer{src: sql}
	var pieces []wire.Piece
	start, end := -1, 0
	flush := func() {
		if start >= 0 {
			pieces = append(pieces, wire.Piece{SQL: sql[start:end], Offset: start})
		}
		start = -1
	}
	for l.pos < len(sql) {
		t, err := l.next()
		switch {
		case err != nil:
			return nil, err
		case t.Kind == TokenSpace, t.Kind == TokenComment:
		case t.isPunct(";"):
			flush()
		default:
			if start < 0 {
				start = t.Start
			}
			end = t.End
		}
	}
	flush()
	return pieces, nil
}
