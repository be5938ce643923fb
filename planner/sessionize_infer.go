package planner

import (
	"context"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
)

// What a call and its table leave out is taken from the source's columns, as
// long as there is only one way to take it.

func (r *resolver) inferID(context.Context) error {
	c := r.contract
	if len(c.IDs) == 0 {
		r.takeID()
	}
	c.UniqueIDs = len(c.IDs) > 0 && r.facts != nil && sameColumns(c.IDs, r.facts.PrimaryKey)
	return nil
}

// takeID takes the primary key, else event_id, else id.
func (r *resolver) takeID() {
	names := []string{"event_id", "id"}
	if r.facts != nil && len(r.facts.PrimaryKey) > 0 {
		for _, n := range r.facts.PrimaryKey {
			r.takeIDColumn(n)
		}
		names = nil
	}
	for _, n := range names {
		if col, ok := r.find(n); ok && !r.used[strings.ToLower(col.Name)] {
			r.takeIDColumn(n)
			break
		}
	}
	if len(r.contract.IDs) == 0 {
		r.took = append(r.took, "no id")
		return
	}
	r.took = append(r.took, "id => "+columnNames(r.contract.IDs))
}

func (r *resolver) takeIDColumn(name string) {
	if col, ok := r.find(name); ok {
		r.contract.IDs = append(r.contract.IDs, contractColumn(col))
		r.used[strings.ToLower(col.Name)] = true
	}
}

// sameColumns reports whether the ids are exactly the primary key.
func sameColumns(ids []catalog.ContractColumn, key []string) bool {
	if len(ids) != len(key) {
		return false
	}
	names := map[string]bool{}
	for _, k := range key {
		names[strings.ToLower(k)] = true
	}
	for _, id := range ids {
		if !names[strings.ToLower(id.Name)] {
			return false
		}
	}
	return true
}

func (r *resolver) inferTime(context.Context) error {
	if r.contract.EventTime.SQL != "" {
		return nil
	}
	return r.takeOnly("event_time", "a timestamp", func(col catalog.Column) bool { return isTimestamp(col.Type) },
		func(col catalog.ContractColumn) { r.contract.EventTime = col })
}

func (r *resolver) inferKey(context.Context) error {
	if len(r.contract.Keys) > 0 {
		return nil
	}
	return r.takeOnly("key", "text or uuid, or named …_id", canBeKey,
		func(col catalog.ContractColumn) { r.contract.Keys = []catalog.ContractColumn{col} })
}

func canBeKey(col catalog.Column) bool {
	return col.Type.ID == catalog.TypeVarchar && col.Type.Alias == "" || col.Type.ID == catalog.TypeUUID ||
		strings.HasSuffix(strings.ToLower(col.Name), "_id")
}

// takeOnly takes the only unused column that fits; none or several are an
// error that says which argument to write.
func (r *resolver) takeOnly(arg, what string, fits func(catalog.Column) bool, take func(catalog.ContractColumn)) error {
	fit := r.fitting(fits)
	switch len(fit) {
	case 1:
		take(fit[0])
		r.used[strings.ToLower(fit[0].Name)] = true
		r.took = append(r.took, arg+" => "+quoteIfNeeded(fit[0].Name))
		return nil
	case 0:
		return errorAt(r.st.SQL, r.call.Range.Start, codeUndefinedColumn, "SESSIONIZE needs %s, and no column that is left is %s", arg, what).
			WithHint("Write %s => column. %s", arg, r.columnHint(""))
	}
	return errorAt(r.st.SQL, r.call.Range.Start, codeAmbiguous, "more than one column would do for %s: %s", arg, strings.Trim(columnNames(fit), "()")).
		WithHint("Write which one it is, such as %s => %s.", arg, quoteIfNeeded(fit[0].Name))
}

// fitting are the unused columns that fit. Those that a measure names come
// into question only when there is no other.
func (r *resolver) fitting(fits func(catalog.Column) bool) []catalog.ContractColumn {
	var free, measured []catalog.ContractColumn
	for _, col := range r.columns {
		name := strings.ToLower(col.Name)
		switch {
		case r.used[name] || !fits(col):
		case r.measured[name]:
			measured = append(measured, contractColumn(col))
		default:
			free = append(free, contractColumn(col))
		}
	}
	if len(free) > 0 {
		return free
	}
	return measured
}

// columnNames lists columns as an argument would: a, or (a, b).
func columnNames(cols []catalog.ContractColumn) string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = quoteIfNeeded(c.Name)
	}
	if len(names) == 1 {
		return names[0]
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// inferMeasures sums the numeric columns that are left, where no measure is
// written.
func (r *resolver) inferMeasures(context.Context) error {
	if len(r.call.Measures) > 0 {
		return nil
	}
	for _, col := range r.columns {
		if r.used[strings.ToLower(col.Name)] || !isNumeric(col.Type) {
			continue
		}
		name := quoteIdent(col.Name)
		r.measures = append(r.measures, &measure{
			name: col.Name, sql: "sum(" + name + ")", columns: []catalog.Column{col},
			aggregate: "sum", input: name, at: r.call.Range.Start,
		})
		plain := quoteIfNeeded(col.Name)
		r.took = append(r.took, plain+" => sum("+plain+")")
	}
	return nil
}

func isTimestamp(t catalog.Type) bool {
	switch t.ID {
	case catalog.TypeTimestamp, catalog.TypeTimestampTZ, catalog.TypeTimestampS, catalog.TypeTimestampMS, catalog.TypeTimestampNS:
		return true
	default:
		return false
	}
}

func isNumeric(t catalog.Type) bool {
	switch t.ID {
	case catalog.TypeTinyInt, catalog.TypeSmallInt, catalog.TypeInteger, catalog.TypeBigInt, catalog.TypeHugeInt,
		catalog.TypeUTinyInt, catalog.TypeUSmallInt, catalog.TypeUInteger, catalog.TypeUBigInt, catalog.TypeUHugeInt,
		catalog.TypeFloat, catalog.TypeDouble, catalog.TypeDecimal, catalog.TypeBigNum:
		return true
	default:
		return false
	}
}

// checkTypes refuses an event time that is no time.
func (r *resolver) checkTypes(context.Context) error {
	col, _ := r.find(r.contract.EventTime.Name)
	if isTimestamp(col.Type) || col.Type.ID == catalog.TypeDate {
		return nil
	}
	a := r.arg("event_time")
	hint := "Convert it in the source, such as SESSIONIZE((SELECT *, to_timestamp(" + quoteIfNeeded(col.Name) + ") AS at FROM …), event_time => at, …)."
	return a.fail(a.at.Start, codeDatatype, hint, "event_time must be a timestamp, and column \"%s\" is of type %s", col.Name, typeDisplay(col.Type))
}

// typeDisplay is a type's name as Postgres has it, for messages.
func typeDisplay(t catalog.Type) string {
	switch t.ID {
	case catalog.TypeVarchar:
		return "text"
	case catalog.TypeDouble:
		return "double precision"
	case catalog.TypeFloat:
		return "real"
	case catalog.TypeTimestampTZ:
		return "timestamp with time zone"
	default:
		return strings.ToLower(t.Name)
	}
}

// checkNames refuses a result with two columns of one name.
func (r *resolver) checkNames(context.Context) error {
	seen := map[string]bool{}
	for _, n := range []string{"session_id", "revision", "session_start", "session_end", "session_state", "event_count"} {
		seen[n] = true
	}
	for _, k := range r.contract.Keys {
		if seen[strings.ToLower(k.Name)] {
			return r.twice(k.Name, r.call.Range.Start, "Give the column another name in the source: SESSIONIZE((SELECT "+quoteIfNeeded(k.Name)+" AS … FROM …), …).")
		}
		seen[strings.ToLower(k.Name)] = true
	}
	for _, m := range r.measures {
		if seen[strings.ToLower(m.name)] {
			hint := "Give the measure another name."
			if m.expr.Empty() {
				hint = "Write the measures, such as n => count(*), so that none is taken from this column."
			}
			return r.twice(m.name, m.at, hint)
		}
		seen[strings.ToLower(m.name)] = true
	}
	return nil
}

func (r *resolver) twice(name string, at int, hint string) error {
	return errorAt(r.st.SQL, at, codeDuplicateColumn, "column \"%s\" of the result of SESSIONIZE would be there twice", name).WithHint("%s", hint)
}
