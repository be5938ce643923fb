package main

import (
	"fmt"
	"slices"
	"time"
)

// series collects what each contestant of a load reached, run by run.
type series struct {
	names  []string
	values map[string][]float64
}

func (s *series) add(name string, value float64) {
	if s.values == nil {
		s.values = map[string][]float64{}
	}
	if s.values[name] == nil {
		s.names = append(s.names, name)
	}
	s.values[name] = append(s.values[name], value)
}

func (s *series) median(name string) float64 { return median(s.values[name]) }

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// print shows each contestant's median and the spread of its runs.
func (s *series) print(title, unit string) {
	fmt.Printf("\n%s\n", title)
	for _, name := range s.names {
		v := s.values[name]
		fmt.Printf("  %-34s %12s %s   (%d runs: %s to %s)\n", name, figure(median(v)), unit, len(v), figure(slices.Min(v)), figure(slices.Max(v)))
	}
}

// ratio prints one contestant's median over another's.
func (s *series) ratio(over, under, target string) {
	fmt.Printf("  ratio %s / %s: %.2f (%s)\n", over, under, s.median(over)/s.median(under), target)
}

// figure prints a number with three digits or so that matter.
func figure(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.3f", v)
	}
	digits := fmt.Sprintf("%.0f", v)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func perSecond(n int, took time.Duration) float64 { return float64(n) / took.Seconds() }
