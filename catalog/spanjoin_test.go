package catalog

import (
	"slices"
	"testing"

	"github.com/sessiondb/sessiondb/sessionop"
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

func TestFewReaches(t *testing.T) {
	t.Parallel()
	reaches := []sessionop.Reach{{Key: "a", From: 1, To: 2}, {Key: "a", From: 5, To: 6}}
	want := slices.Clone(reaches)
	for i := range int64(manySpans + 1) {
		reaches = append(reaches, sessionop.Reach{Key: "hot", From: 10 * i, To: 10*i + 1})
	}
	want = append(want, sessionop.Reach{Key: "hot", To: 10*manySpans + 1}, sessionop.Reach{Key: "z", From: 3, To: 4})
	if got := fewReaches(append(reaches, want[3])); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
