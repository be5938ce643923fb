package catalog

import (
	"errors"
	"testing"
)

func TestPivot(t *testing.T) {
	c := testConn(t)
	mustExec(t, c, "CREATE TABLE t AS SELECT * FROM (VALUES ('a', 1), ('b', 2), ('a', 3)) v(k, n)")
	const pivot = "PIVOT t ON k USING sum(n)"
	if got := values(t, c, pivot); len(got) != 1 || len(got[0]) != 2 || got[0][0] != (Int128{Lo: 4}) {
		t.Error(got)
	}
	if n := len(c.stmts) - c.cache.recent.Len(); n != 0 {
		t.Errorf("%d statements were left open", n)
	}
	s, err := c.Prepare(t.Context(), pivot+";")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 2 {
		rows, err := s.Run(t.Context(), nil, Streaming)
		if err != nil || len(rows.Columns()) != 2 {
			t.Fatal(rows, err)
		}
	}
	mustExec(t, c, "INSERT INTO t VALUES ('c', 5)")
	_, err = s.Run(t.Context(), nil, Streaming)
	var e *Error
	if !errors.As(err, &e) || e.SQLState() != "0A000" {
		t.Error(err)
	}
	if got := values(t, c, pivot); len(got[0]) != 3 {
		t.Error(got)
	}
	wantState(t, c, "PIVOT nosuch ON k USING sum(n)", "42P01")
	wantState(t, c, "SELECT 1; SELECT 2", "42601")
}
