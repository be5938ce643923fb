package planner

import (
	"fmt"
	"strings"
	"testing"
)

func TestCalls(t *testing.T) {
	const sql = `select f(1), s.f(2), F(a => g(3, f(4)), b := 'x', [1,2]) from "f" where f`
	s, err := Parse(sql)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := s.Calls("f")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range calls {
		line := s.Text(c.Range)
		for _, a := range c.Args {
			line += fmt.Sprintf(" | %s=%s", a.Name.Name, s.Text(a.Value))
		}
		got = append(got, line)
	}
	want := []string{
		"f(1) | =1",
		"F(a => g(3, f(4)), b := 'x', [1,2]) | a=g(3, f(4)) | b='x' | =[1,2]",
		"f(4) | =4",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("Calls:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := s.Calls("s", "f"); err != nil {
		t.Error(err)
	}
}

func TestCallUnclosed(t *testing.T) {
	s, err := Parse("select f(1, (2)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Calls("f"); err == nil {
		t.Error("a call without its closing parenthesis is accepted")
	}
}

func TestIdentifiers(t *testing.T) {
	s, err := Parse(`select t.a, "B".c, f(x), sum(y) over w from s.t as t where z is null and 'q' = $1`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range s.Identifiers() {
		name := strings.Join(c.Parts, ".")
		if c.Call {
			name += "()"
		}
		got = append(got, name)
	}
	if want := "t.a B.c f() x sum() y over w s.t t z is"; strings.Join(got, " ") != want {
		t.Errorf("Identifiers = %s, want %s", strings.Join(got, " "), want)
	}
	for name, want := range map[string]bool{"a": true, "B": true, "b": false, "t": true, "q": false} {
		if got := s.Mentions(name); got != want {
			t.Errorf("Mentions(%q) = %t", name, got)
		}
	}
}

func TestAtClauses(t *testing.T) {
	const sql = `select * from visits at (version => 3) v join "S".w AT (TIMESTAMP => now() - interval '1 day') on true where at (1) and a at time zone 'UTC' > b`
	s, err := Parse(sql)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.AtClauses()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, at := range list {
		got = append(got, fmt.Sprintf("%s %t %s %s", at.Relation.SQL(), at.Version, s.Text(at.Value), s.Text(at.AtRange)))
	}
	want := []string{
		`"visits" true 3 at (version => 3)`,
		`"S"."w" false now() - interval '1 day' AT (TIMESTAMP => now() - interval '1 day')`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("AtClauses:\n%s", strings.Join(got, "\n"))
	}
	if list[0].Const == nil || list[0].Const.Text != "3" || list[1].Const != nil {
		t.Error("only the first value is a constant")
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000)
	if _, err := Parse("select " + deep); showError(err) != "54001 at 1008: stack depth limit exceeded\nHINT: Nest fewer than 1000 expressions." {
		t.Errorf("Parse = %v", err)
	}
	nested := "1" + strings.Repeat("/(a", 900) + strings.Repeat(")", 900)
	s, err := Parse("select " + nested)
	if err != nil {
		t.Fatal(err)
	}
	edits := NewEdits(s.SQL)
	if err := s.rewritePostgres(edits, NewPGCatalog()); err != nil {
		t.Fatal(err)
	}
	if n := len(edits.Apply().SQL); n > 1_000_000 {
		t.Errorf("a text of %d bytes became one of %d", len(s.SQL), n)
	}
}
