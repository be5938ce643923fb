package planner

import "testing"

// The answers are PostgreSQL 15's; sqltests compares many more.
func TestFormatNumber(t *testing.T) {
	for _, c := range []struct {
		number, template, want string
		float                  int
	}{
		{"-485", "999MI", "485-", 0},
		{"-0.1", "FM9.99", "-.1", 0},
		{"12", "9990999.9", "    0012.0", 0},
		{"148.5", "FM999.999", "148.5", 0},
		{"485", "RN", "        CDLXXXV", 0},
		{"482", "999th", " 482nd", 0},
		{"12345", "999", " ###", 0},
		{"2.675", "9.99", " 2.67", 15},
		{"-485", "999PR", "<485>", 0},
		{"0.0004859", "9.99EEEE", " 4.86e-04", 0},
	} {
		if got, err := formatNumber(c.number, c.template, c.float); err != nil || got != c.want {
			t.Errorf("to_char(%s, %q) is %q, %v; want %q", c.number, c.template, got, err, c.want)
		}
	}
	if _, err := formatNumber("1", "9.9.9", 0); err == nil {
		t.Error("a template with two points is taken")
	}
}

func TestParseNumber(t *testing.T) {
	for _, c := range []struct{ text, template, want string }{
		{"12,454.8-", "99G999D9S", "-12454.8"},
		{"$1,234.56", "L9,999.99", "1234.56"},
		{"<564646.654564>", "999999.999999PR", "-564646.654564"},
		{"5.01-", "FM9.999999MI", "-5.01"},
		{"123", "99V9", "12.3"},
	} {
		if got, err := parseNumber(c.text, c.template); err != nil || got != c.want {
			t.Errorf("to_number(%q, %q) is %q, %v; want %q", c.text, c.template, got, err, c.want)
		}
	}
	if _, err := parseNumber("x", "9"); err == nil {
		t.Error("a text without a digit is a number")
	}
}
