package main

import (
	"cmp"
	"crypto/md5" //nolint:gosec // an identifier, not a secret
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// One day of a real web server: the requests to NASA's Kennedy Space Center
// of 1 August 1995, tab separated. One line stands in it twice.
//
//go:embed nasa-1995-08-01.tsv
var webLog string

// demoGap is the gap of the demo's sessions.
const demoGap = 11 * time.Minute

// A request is one line of the web log.
type request struct {
	id          string // of the line, as a UUID: equal lines are one event
	host        string
	at          int64 // seconds since 1970
	method, url string
	status      string
	bytes       string
}

// parseLog reads the lines behind the header.
func parseLog(log string) ([]request, error) {
	lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")[1:]
	requests := make([]request, 0, len(lines))
	for i, line := range lines {
		r, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("web log, line %d: %w", i+2, err)
		}
		requests = append(requests, r)
	}
	return requests, nil
}

func parseLine(line string) (request, error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 9 {
		return request{}, fmt.Errorf("%d fields, not 9", len(fields))
	}
	at, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return request{}, err
	}
	return request{
		id: lineID(line), host: fields[0], at: at,
		method: fields[3], url: fields[4], status: fields[5], bytes: fields[6],
	}, nil
}

// lineID names an event by its content, so that a line delivered twice is
// one event.
func lineID(line string) string {
	sum := md5.Sum([]byte(line)) //nolint:gosec // an identifier, not a secret
	h := hex.EncodeToString(sum[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// holdBack parts the requests that alone bridge two visits of their host from
// the rest, whose order it keeps.
func holdBack(requests []request, gap time.Duration) (onTime, late []request) {
	held := bridges(requests, int64(gap/time.Second))
	for i, r := range requests {
		if held[i] {
			late = append(late, r)
		} else {
			onTime = append(onTime, r)
		}
	}
	return onTime, late
}

// bridges finds the positions of the requests without which their host's
// neighbours in time, each within the gap of them, lie further apart than it.
func bridges(requests []request, gap int64) map[int]bool {
	byHost := map[string][]int{}
	for i, r := range requests {
		byHost[r.host] = append(byHost[r.host], i)
	}
	found := map[int]bool{}
	for _, visits := range byHost {
		slices.SortStableFunc(visits, func(a, b int) int { return cmp.Compare(requests[a].at, requests[b].at) })
		for i := 1; i+1 < len(visits); i++ {
			before, at, after := requests[visits[i-1]].at, requests[visits[i]].at, requests[visits[i+1]].at
			if at-before <= gap && after-at <= gap && after-before > gap {
				found[visits[i]] = true
			}
		}
	}
	return found
}

// copyText writes requests in COPY's text format. What the log leaves empty is
// NULL.
func copyText(requests []request) string {
	escape := strings.NewReplacer(`\`, `\\`)
	var text strings.Builder
	for _, r := range requests {
		at := time.Unix(r.at, 0).UTC().Format("2006-01-02 15:04:05+00")
		fields := []string{r.id, r.host, at, r.method, r.url, r.status, r.bytes}
		for i, field := range fields {
			fields[i] = cmp.Or(escape.Replace(field), `\N`)
		}
		text.WriteString(strings.Join(fields, "\t") + "\n")
	}
	return text.String()
}
