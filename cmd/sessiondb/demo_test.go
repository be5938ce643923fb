package main

import (
	"strings"
	"testing"
	"time"
)

// The bundled log, as it was counted by other means.
func TestParseLog(t *testing.T) {
	requests, err := parseLog(webLog)
	if err != nil {
		t.Fatal(err)
	}
	ids, hosts := map[string]int{}, map[string]int{}
	for _, r := range requests {
		ids[r.id]++
		hosts[r.host]++
	}
	if len(requests) != 30969 || len(ids) != 30968 || len(hosts) != 2365 {
		t.Errorf("%d requests, %d different, %d hosts; want 30969, 30968, 2365", len(requests), len(ids), len(hosts))
	}
}

func TestHoldBack(t *testing.T) {
	requests, err := parseLog(webLog)
	if err != nil {
		t.Fatal(err)
	}
	onTime, late := holdBack(requests, demoGap)
	if len(late) != 77 || len(onTime)+len(late) != len(requests) {
		t.Errorf("%d on time and %d late of %d, want 77 late", len(onTime), len(late), len(requests))
	}
}

// A bridge joins both neighbours, which do not reach each other; equality
// joins, as everywhere.
func TestBridges(t *testing.T) {
	for _, test := range []struct {
		name  string
		times []int64
		want  []int
	}{
		{"bridge", []int64{0, 600, 1200}, []int{1}},
		{"inside", []int64{0, 300, 600}, nil},
		{"ends", []int64{0, 600}, nil},
		{"equal to the gap", []int64{0, 660, 1320}, []int{1}},
		{"one second over", []int64{0, 661, 1320}, nil},
		{"arrival in another order", []int64{1200, 0, 600}, []int{2}},
		{"twins do not bridge alone", []int64{0, 600, 600, 1200}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var requests []request
			for _, at := range test.times {
				requests = append(requests, request{host: "h", at: at})
			}
			got := bridges(requests, 660)
			if len(got) != len(test.want) {
				t.Errorf("bridges %v, want %v", got, test.want)
			}
			for _, i := range test.want {
				if !got[i] {
					t.Errorf("bridges %v, want %v", got, test.want)
				}
			}
		})
	}
}

func TestCopyText(t *testing.T) {
	got := copyText([]request{{id: "i", host: "h", at: 807249600, method: "GET", url: `/a\b`, status: "200"}})
	if want := "i\th\t1995-08-01 04:00:00+00\tGET\t/a\\\\b\t200\t\\N\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTimeline(t *testing.T) {
	at := func(minute int) time.Time { return time.Unix(int64(minute)*60, 0) }
	line := timeline{from: at(0), to: at(22), width: 23}
	before := line.draw([]visit{
		{start: at(0), end: at(3), events: []time.Time{at(0), at(3)}},
		{start: at(22), end: at(22), events: []time.Time{at(22)}},
	})
	late := line.mark([]time.Time{at(11)})
	after := line.draw([]visit{{start: at(0), end: at(22), events: []time.Time{at(0), at(3), at(11), at(22)}}})
	got := strings.Join([]string{before, late, after}, "\n")
	want := "├●──●┤                ├●┤\n" +
		"            ▲\n" +
		"├●──●───────●──────────●┤"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
