package planner

import "testing"

func TestErrorOffset(t *testing.T) {
	s, err := Parse("select 1, 'abc'::int, x::int")
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]int{15: 10, 7: 7, 23: 23, 99: 99} {
		if got := s.errorOffset(at); got != want {
			t.Errorf("errorOffset(%d) = %d, want %d", at, got, want)
		}
	}
}

func TestCharPosition(t *testing.T) {
	const sql = "é€a"
	for at, want := range map[int]int{-1: 1, 0: 1, 2: 2, 5: 3, 6: 4, 100: 4} {
		if got := charPosition(sql, at); got != want {
			t.Errorf("charPosition(%d) = %d, want %d", at, got, want)
		}
	}
}
