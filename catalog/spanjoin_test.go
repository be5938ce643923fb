package catalog

import (
	"slices"
	"testing"
)

func TestSpansOf(t *testing.T) {
	t.Parallel()
	many := slices.Repeat([]string{"hot"}, manySpans+1)
	for _, test := range []struct {
		name string
		keys []string
		want spanJoin
	}{
		{"none", nil, spansByKey},
		{"one of many keys", slices.Repeat([]string{"a", "b"}, manySpans), spansByKey},
		{"as many of one key", many[1:], spansByKey},
		{"more of one key", many, spansInOrder},
		{"more of the last key", append([]string{"a", "b"}, many...), spansInOrder},
	} {
		if got := spansOf(slices.Values(test.keys)); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
