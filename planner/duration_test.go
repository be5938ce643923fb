package planner

import "testing"

func TestParseDuration(t *testing.T) {
	cases := []struct {
		text string
		want int64
	}{
		{"11 min", 660_000_000},
		{"INTERVAL", -1},
		{"11 minutes", 660_000_000},
		{"1 hour", 3_600_000_000},
		{"1 day 2 h", 26 * 3_600_000_000},
		{"1d 2h", 26 * 3_600_000_000},
		{"0 s", 0},
		{"1.5 seconds", 1_500_000},
		{"1 us", 1},
		{"250 ms", 250_000},
		{"PT11M", 660_000_000},
		{"P1DT2H3.5S", 26*3_600_000_000 + 3_500_000},
		{"P2W", 14 * 86_400_000_000},
		{"00:11:00", 660_000_000},
		{"1 day 02:30", 26*3_600_000_000 + 1_800_000_000},
		{"01:02:03.000004", 3_723_000_004},
		{"+5 min", 300_000_000},
		{"2 weeks", 14 * 86_400_000_000},
		{"1 day -1 h", 23 * 3_600_000_000},
	}
	for _, c := range cases {
		got, err := parseDuration(c.text)
		if c.want < 0 {
			if err == nil {
				t.Errorf("parseDuration(%q) = %d, want an error", c.text, got)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("parseDuration(%q) = %d, %v, want %d", c.text, got, err, c.want)
		}
	}
}

func TestParseDurationErrors(t *testing.T) {
	cases := []struct{ text, code, message string }{
		{"1 month", "22023", "a length of time cannot have months or years, which are not always equally long"},
		{"1 year 2 days", "22023", "a length of time cannot have months or years, which are not always equally long"},
		{"P1Y", "22023", "a length of time cannot have months or years, which are not always equally long"},
		{"P1M", "22023", "a length of time cannot have months or years, which are not always equally long"},
		{"-5 min", "22023", `"-5 min" is negative`},
		{"5 min ago", "22007", `"5 min ago" is not a length of time`},
		{"660", "22023", "a length of time needs a unit"},
		{"0.0000001 s", "22023", `"0.0000001 s" is not a whole number of microseconds`},
		{"", "22007", `"" is not a length of time`},
		{"soon", "22007", `"soon" is not a length of time`},
		{"5 parsecs", "22007", `"5 parsecs" is not a length of time`},
		{"1:2:3:4", "22007", `"1:2:3:4" is not a length of time`},
		{"PT", "22007", `"PT" is not a length of time`},
		{"P", "22007", `"P" is not a length of time`},
		{"999999999 weeks", "22008", `"999999999 weeks" is out of range`},
		{"1e3 s", "22007", `"1e3 s" is not a length of time`},
	}
	for _, c := range cases {
		got, err := parseDuration(c.text)
		if err == nil {
			t.Errorf("parseDuration(%q) = %d, want an error", c.text, got)
			continue
		}
		if err.code != c.code || err.message != c.message {
			t.Errorf("parseDuration(%q) = %s %q, want %s %q", c.text, err.code, err.message, c.code, c.message)
		}
		if err.hint == "" {
			t.Errorf("parseDuration(%q) has no hint", c.text)
		}
	}
}

func FuzzParseDuration(f *testing.F) {
	for _, s := range []string{"11 min", "PT11M", "1 day 02:00", "-1:0:0.5", "1..5 s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if micros, err := parseDuration(text); err == nil && micros < 0 {
			t.Fatalf("parseDuration(%q) = %d", text, micros)
		}
	})
}
