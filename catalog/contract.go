package catalog

import "github.com/sessiondb/sessiondb/sessionop"

// A Contract is what a SESSIONIZE call was resolved to: what is read from the
// source, how it is cut into sessions, and what is measured. It is stored with
// a maintained view as JSON and is all that is needed to maintain it.
type Contract struct {
	// Source is the FROM item that the events are read from, with Base in
	// it as the user wrote it: a table, or a parenthesised SELECT.
	Source string
	// Base is the one table that the source reads row by row.
	Base TableName
	// Plain says that Source is Base itself, so that its columns are Base's.
	Plain bool
	// Project is Source with the placeholder BasePlaceholder in the place of
	// the base table; it serves to send rows of Base through the source's
	// expressions and WHERE. It is empty for a plain source.
	Project string

	Keys      []ContractColumn
	IDs       []ContractColumn
	EventTime ContractColumn
	Partition *ContractColumn
	// Values are the other columns that measures name: with the key, the time
	// and the partition they decide whether two rows are the same.
	Values   []ContractColumn
	Measures []ContractMeasure

	// Lengths of time in microseconds; sessionop.Unlimited where none.
	Gap, Lateness, Delay, IdleTimeout, MaxAhead int64
	Explicit                                    bool
	// How long retired revisions, and source rows of final sessions, are kept,
	// in microseconds; 0: for ever.
	RevisionRetention, EventRetention int64
	Partitions                        []string
	// UniqueIDs says that a constraint of the source keeps the ids unique.
	UniqueIDs bool
}

// BasePlaceholder stands for the base table in Contract.Project.
const BasePlaceholder = "\x00base\x00"

// TableName names a table of the database.
type TableName struct{ Schema, Name string }

// SQL returns the name quoted.
func (t TableName) SQL() string { return QuoteIdent(t.Schema) + "." + QuoteIdent(t.Name) }

// A ContractColumn is one expression over the source's columns.
type ContractColumn struct {
	Name string // its name in results
	SQL  string
	Type string // DuckDB's name of the type
}

// A ContractMeasure is one measure of the sessions.
type ContractMeasure struct {
	Name string
	SQL  string // the aggregate, in event-time order where order matters
	Type string // DuckDB's name of the result type
	// Carried measures are kept in the operator's state as Measure, fed with
	// Input; the others are computed by DuckDB for the sessions that changed.
	Carried bool
	Measure sessionop.Measure
	Input   string
	// Fallible says that computing Input may fail, as a cast or a product may:
	// it is computed when the commit is judged, so that only rows that count
	// can fail it.
	Fallible bool
}

// carried returns the measures that the operator keeps, in order.
func (c *Contract) carried() []ContractMeasure {
	var out []ContractMeasure
	for _, m := range c.Measures {
		if m.Carried {
			out = append(out, m)
		}
	}
	return out
}

// computed returns the measures that DuckDB computes, in order.
func (c *Contract) computed() []ContractMeasure {
	var out []ContractMeasure
	for _, m := range c.Measures {
		if !m.Carried {
			out = append(out, m)
		}
	}
	return out
}

// spec is the operator's part of the contract.
func (c *Contract) spec() sessionop.Spec {
	s := sessionop.Spec{
		Gap: c.Gap, Lateness: c.Lateness, Delay: c.Delay, IdleTimeout: c.IdleTimeout, MaxAhead: c.MaxAhead,
		Explicit: c.Explicit, ByID: len(c.IDs) > 0, UniqueIDs: c.UniqueIDs, Partitions: c.Partitions,
	}
	for _, m := range c.carried() {
		s.Measures = append(s.Measures, m.Measure)
	}
	return s
}
