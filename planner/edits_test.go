package planner

import "testing"

func TestEditsApply(t *testing.T) {
	const sql = "select é, a::numeric from t"
	e := NewEdits(sql)
	e.Replace(14, 21, "DECIMAL(38,9)")
	e.Insert(0, "/*x*/ ")
	r := e.Apply()
	if want := "/*x*/ select é, a::DECIMAL(38,9) from t"; r.SQL != want {
		t.Fatalf("SQL = %q, want %q", r.SQL, want)
	}
	for _, c := range []struct{ pos, offset, position int }{
		{0, 0, 1}, {6, 0, 1}, {13, 7, 8}, {17, 11, 11}, {20, 14, 14}, {25, 14, 14}, {34, 22, 22}, {len(r.SQL), len(sql), 28},
	} {
		if got := r.SourceOffset(c.pos); got != c.offset {
			t.Errorf("SourceOffset(%d) = %d, want %d", c.pos, got, c.offset)
		}
		if got := r.SourcePosition(c.pos); got != c.position {
			t.Errorf("SourcePosition(%d) = %d, want %d", c.pos, got, c.position)
		}
	}
}

func TestEditsNest(t *testing.T) {
	const sql = "f(a, b) + c"
	e := NewEdits(sql)
	e.Replace(2, 3, "x")
	e.Replace(0, 7, "g("+e.Slice(2, 3)+")")
	e.Replace(10, 11, "y")
	e.Replace(10, 11, "z")
	e.Insert(7, "1")
	e.Insert(7, "2")
	if got, want := e.Apply().SQL, "g(x)12 + z"; got != want {
		t.Errorf("Apply = %q, want %q", got, want)
	}
}

func TestEditsNone(t *testing.T) {
	const sql = "select 1"
	e := NewEdits(sql)
	r := e.Apply()
	if r.SQL != sql || !e.Empty() || r.SourcePosition(7) != 8 {
		t.Errorf("Apply = %q", r.SQL)
	}
	if got := e.Slice(7, 8); got != "1" {
		t.Errorf("Slice = %q", got)
	}
}

func TestEditsWrap(t *testing.T) {
	const sql = "a b c"
	e := NewEdits(sql)
	e.Wrap(0, 1, "(1", ")1")
	e.Wrap(0, 3, "(2", ")2")
	e.Wrap(2, 3, "(3", ")3")
	e.Replace(0, 1, "A")
	e.Insert(5, "!")
	e.Wrap(4, 5, "(4", ")4")
	if got, want := e.Apply().SQL, "(2(1A)1 (3b)2)3 (4c!)4"; got != want {
		t.Errorf("Apply = %q, want %q", got, want)
	}
}
