package planner

import (
	"errors"
	"strings"
	"testing"

	"github.com/sessiondb/sessiondb/wire"
)

func TestLexKinds(t *testing.T) {
	cases := []struct {
		sql  string
		kind TokenKind
		text string
	}{
		{"Foo", TokenWord, "foo"},
		{"Été", TokenWord, "Été"},
		{"a$1", TokenWord, "a$1"},
		{`"Foo ""x"""`, TokenQuoted, `Foo "x"`},
		{`U&"d\0061t\+000061"`, TokenQuoted, "data"},
		{"'it''s'", TokenString, "it's"},
		{"'a'\n  'b'", TokenString, "ab"},
		{"'a' -- c", TokenString, "a"},
		{`'a\'`, TokenString, `a\`},
		{`E'a\'b\n\x41\101\u00e9\\'`, TokenString, "a'b\nAAé\\"},
		{`e'\q'`, TokenString, "q"},
		{"N'x'", TokenString, "x"},
		{`U&'\0041\+000042'`, TokenString, "AB"},
		{"B'101'", TokenBits, "b101"},
		{"x'1F'", TokenBits, "x1F"},
		{"$$a'b$$", TokenString, "a'b"},
		{"$t$a$$b$t$", TokenString, "a$$b"},
		{"$12", TokenParam, "12"},
		{"1_000", TokenNumber, "1_000"},
		{"0x1F", TokenNumber, "0x1F"},
		{"1.5e-3", TokenNumber, "1.5e-3"},
		{".5", TokenNumber, ".5"},
		{"5.", TokenNumber, "5."},
		{"::", TokenPunct, "::"},
		{":=", TokenPunct, ":="},
		{"=>", TokenPunct, "=>"},
		{"<=", TokenOperator, "<="},
		{"->>", TokenOperator, "->>"},
		{"@-", TokenOperator, "@-"},
		{"/* a /* b */ c */", TokenComment, "/* a /* b */ c */"},
		{"-- x", TokenComment, "-- x"},
	}
	for _, c := range cases {
		tokens, err := Lex(c.sql)
		if err != nil {
			t.Errorf("Lex(%q): %v", c.sql, err)
			continue
		}
		if got := tokens[0]; got.Kind != c.kind || got.Text != c.text {
			t.Errorf("Lex(%q) = %d %q, want %d %q", c.sql, got.Kind, got.Text, c.kind, c.text)
		}
	}
}

func TestLexSequences(t *testing.T) {
	cases := []struct{ sql, want string }{
		{"a<-1", "a < - 1"},
		{"a+-1", "a + - 1"},
		{"a@-1", "a @- 1"},
		{"1--x\n+2", "1 + 2"},
		{"a*/*c*/b", "a * b"},
		{"x::int[]", "x :: int [ ]"},
		{"1..3", "1 . .3"},
		{"{'a':1}", "{ a : 1 }"},
		{"f(a=>1,b:=2)", "f ( a => 1 , b := 2 )"},
		{"s.\"T\".c", "s . T . c"},
	}
	for _, c := range cases {
		tokens, err := Lex(c.sql)
		if err != nil {
			t.Errorf("Lex(%q): %v", c.sql, err)
			continue
		}
		var texts []string
		for _, tok := range significant(tokens) {
			texts = append(texts, tok.Text)
		}
		if got := strings.Join(texts, " "); got != c.want {
			t.Errorf("Lex(%q) = %s, want %s", c.sql, got, c.want)
		}
	}
}

func TestLexErrors(t *testing.T) {
	cases := []struct {
		sql, message string
		position     int
	}{
		{"select 'abc", `unterminated quoted string at or near "'abc"`, 8},
		{"select é, 'abc", `unterminated quoted string at or near "'abc"`, 11},
		{`select "abc`, `unterminated quoted identifier at or near ""abc"`, 8},
		{"select /* a /* b */", `unterminated /* comment at or near "/* a /* b */"`, 8},
		{"select $x$a", `unterminated dollar-quoted string at or near "$x$a"`, 8},
		{"select x'1", `unterminated bit string literal at or near "x'1"`, 8},
		{"select $1a", `trailing junk after parameter at or near "$1a"`, 8},
		{"select 1e5x", `trailing junk after numeric literal at or near "1e5x"`, 8},
		{"select $x", `syntax error at or near "$"`, 8},
		{`select E'\uD83D'`, "invalid Unicode surrogate pair", 16},
		{`select U&'x' uescape '+'`, `invalid Unicode escape character at or near "'+'"`, 22},
		{`select ""`, `zero-length delimited identifier at or near """"`, 8},
	}
	for _, c := range cases {
		_, err := Lex(c.sql)
		var e *wire.Error
		if !errors.As(err, &e) {
			t.Errorf("Lex(%q) = %v, want an error", c.sql, err)
			continue
		}
		if e.Code != codeSyntax || e.Message != c.message || e.Position != c.position {
			t.Errorf("Lex(%q) = %s %q at %d, want %q at %d", c.sql, e.Code, e.Message, e.Position, c.message, c.position)
		}
	}
}

func FuzzLex(f *testing.F) {
	for _, s := range []string{
		"select 'a' || E'\\n' -- c", "U&'\\0041' uescape '!'", "$t$ $$ $t$ $1", `"a""b".c::int[1:2]`, "/*/**/*/ 0x1f 1e+ 1.e", "e'\\", "u&'\\", "''''", "\x00\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		tokens, err := Lex(sql)
		if err != nil {
			return
		}
		at := 0
		for _, tok := range tokens {
			if tok.Start != at || tok.End <= tok.Start {
				t.Fatalf("token %+v does not follow %d in %q", tok, at, sql)
			}
			at = tok.End
		}
		if at != len(sql) {
			t.Fatalf("tokens of %q end at %d", sql, at)
		}
		if _, err := Split(sql); err != nil {
			t.Fatalf("Split fails where Lex does not: %v", err)
		}
	})
}

func TestSplit(t *testing.T) {
	pieces, err := Split(" select 1 ; /* none */ ;; -- c\n select ';' -- tail\n;\nBEGIN")
	if err != nil {
		t.Fatal(err)
	}
	want := []wire.Piece{{SQL: "select 1", Offset: 1}, {SQL: "select ';'", Offset: 32}, {SQL: "BEGIN", Offset: 53}}
	if len(pieces) != len(want) {
		t.Fatalf("Split = %+v", pieces)
	}
	for i, p := range pieces {
		if p != want[i] {
			t.Errorf("piece %d = %+v, want %+v", i, p, want[i])
		}
	}
}
