package catalog

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// A modelMeasure is a measure of the histories: how the contract has it, how
// its value is read as a text, and how the model computes that text from the
// amounts of a session in event-time order (noAmount: NULL).
type modelMeasure struct {
	measure ContractMeasure
	read    string // of %s
	value   func(amounts []int64) string
}

// order stands for the order of events in a measure's SQL.
const order = "\x00order\x00"

// testMeasures are the measures that the histories draw from: each that the
// operator carries, and some of those that DuckDB computes.
func testMeasures() []modelMeasure {
	carried := func(name, sql, of, input string, m sessionop.Measure) ContractMeasure {
		return ContractMeasure{Name: name, SQL: sql, Type: of, Carried: true, Measure: m, Input: input}
	}
	computed := func(name, sql, of string) ContractMeasure { return ContractMeasure{Name: name, SQL: sql, Type: of} }
	return []modelMeasure{
		{carried("amount", "sum(amount)", "HUGEINT", "amount", sessionop.Sum), "%s", ifAny(sum)},
		{carried("rows", "count(*)", "BIGINT", "1", sessionop.CountRows), "%s", func(a []int64) string { return fmt.Sprint(len(a)) }},
		{
			carried("amounts", "count(amount)", "BIGINT", "amount", sessionop.Count), "%s",
			func(a []int64) string { return fmt.Sprint(len(present(a))) },
		},
		{carried("least", "min(amount)", "BIGINT", "amount", sessionop.Min), "%s", ifAny(slices.Min[[]int64])},
		{carried("most", "max(amount)", "BIGINT", "amount", sessionop.Max), "%s", ifAny(slices.Max[[]int64])},
		{carried("lowest", "min(amount / 2.0)", "DOUBLE", "amount / 2.0", sessionop.FloatMin), "CAST(%s * 2 AS BIGINT)", ifAny(slices.Min[[]int64])},
		{carried("highest", "max(amount / 2.0)", "DOUBLE", "amount / 2.0", sessionop.FloatMax), "CAST(%s * 2 AS BIGINT)", ifAny(slices.Max[[]int64])},
		{carried("even", "bool_and(amount % 2 = 0)", "BOOLEAN", "amount % 2 = 0", sessionop.And), "%s", ifAny(func(a []int64) bool {
			return !slices.ContainsFunc(a, func(n int64) bool { return n%2 != 0 })
		})},
		{carried("odd", "bool_or(amount % 2 = 1)", "BOOLEAN", "amount % 2 = 1", sessionop.Or), "%s", ifAny(func(a []int64) bool {
			return slices.ContainsFunc(a, func(n int64) bool { return n%2 == 1 })
		})},
		{computed("mean", "avg(amount)", "DOUBLE"), "CAST(round(%s * 1000) AS BIGINT)", ifAny(func(a []int64) int64 {
			return int64(math.Round(float64(sum(a)) / float64(len(a)) * 1000))
		})},
		{computed("quarters", "sum(amount / 4.0)", "DOUBLE"), "CAST(%s * 4 AS BIGINT)", ifAny(sum)},
		{computed("kinds", "count(DISTINCT amount % 3)", "BIGINT"), "%s", func(a []int64) string {
			kinds := map[int64]bool{}
			for _, n := range present(a) {
				kinds[n%3] = true
			}
			return fmt.Sprint(len(kinds))
		}},
		{computed("path", "string_agg(CAST(amount AS VARCHAR), ',' ORDER BY "+order+")", "VARCHAR"), "%s", func(a []int64) string {
			if len(present(a)) == 0 {
				return "NULL"
			}
			return amountsText(present(a), ",")
		}},
		{computed("all", "list(amount ORDER BY "+order+")", "BIGINT[]"), "%s", func(a []int64) string { return "[" + amountsText(a, ", ") + "]" }},
		{computed("first", "first(amount ORDER BY "+order+")", "BIGINT"), "%s", func(a []int64) string { return amountText(a[0]) }},
		{computed("last", "last(amount ORDER BY "+order+")", "BIGINT"), "%s", func(a []int64) string { return amountText(a[len(a)-1]) }},
	}
}

// ifAny is f of the amounts that are there, NULL where none is.
func ifAny[T any](f func([]int64) T) func([]int64) string {
	return func(a []int64) string {
		if a = present(a); len(a) > 0 {
			return fmt.Sprint(f(a))
		}
		return "NULL"
	}
}

func sum(amounts []int64) int64 {
	n := int64(0)
	for _, a := range amounts {
		n += a
	}
	return n
}

func present(amounts []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(amounts), func(a int64) bool { return a == noAmount })
}

func amountText(a int64) string {
	if a == noAmount {
		return "NULL"
	}
	return fmt.Sprint(a)
}

func amountsText(amounts []int64, between string) string {
	texts := make([]string, len(amounts))
	for i, a := range amounts {
		texts[i] = amountText(a)
	}
	return strings.Join(texts, between)
}

// measure computes the measures of a session.
func (m *model) measure(members map[string]string, rows map[string]row) string {
	events := make([]row, 0, len(members))
	for member := range members {
		events = append(events, rows[member])
	}
	slices.SortFunc(events, m.eventOrder)
	amounts := make([]int64, len(events))
	for i, r := range events {
		amounts[i] = r.amount
	}
	texts := make([]string, len(m.measures))
	for i, measure := range m.measures {
		texts[i] = measure.value(amounts)
	}
	return strings.Join(texts, " ")
}

// eventOrder is the order in which a session's events are seen.
func (m *model) eventOrder(a, b row) int {
	if d := int(*a.at - *b.at); d != 0 {
		return d
	}
	if m.rule.byID {
		return strings.Compare(text(a.id), text(b.id))
	}
	return compareAmounts(a, b)
}

// orderSQL is that order in SQL.
func (r modelRule) orderSQL() string {
	switch {
	case r.twoIDs:
		return "event_at, event_id, sub"
	case r.byID:
		return "event_at, event_id"
	default:
		return "event_at, amount"
	}
}
