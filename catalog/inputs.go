package catalog

import (
	"context"
	"errors"

	"github.com/sessiondb/sessiondb/sessionop"
)

// fallibleInputs computes, for the rows of a publication, the inputs of the
// measures that may fail: from the rows' typed columns, in which every column
// that a measure names stands.
type fallibleInputs struct {
	net  *netChange
	done int // rows of the publication that have their inputs
}

// compute fills in the inputs of the rows that were added since the last call.
// Those that fail are marked: whether that matters is decided by who counts.
func (f *fallibleInputs) compute(ctx context.Context) error {
	rows := f.net.p.rows
	for j, m := range f.net.p.view.Contract.carried() {
		if !m.Fallible || f.done == len(rows.events) {
			continue
		}
		at := f.done
		err := f.each(ctx, triedSQL(m.Input), func(c *Chunk) error {
			for i := range c.Rows() {
				input := &rows.events[at].Inputs[j]
				readInput(c.Col(1), i, m.Measure, input)
				input.Failed = c.Col(0).Bools()[i]
				at++
			}
			return nil
		})
		if err != nil {
			return f.net.p.view.measureError(err, keysOf(rows.events[f.done:], func(e *sessionop.Event) string { return e.Key }))
		}
	}
	f.done = len(rows.events)
	return nil
}

// triedSQL computes an input, and before it whether that failed. In a struct,
// NULL is an input and not a failure.
func triedSQL(input string) func(from string) string {
	return func(from string) string {
		return "SELECT tried IS NULL, tried.input FROM (SELECT TRY({'input': " + input + "}) AS tried FROM " + from + ")"
	}
}

// each runs a query over the rows that have no inputs yet, in their order.
func (f *fallibleInputs) each(ctx context.Context, sql func(from string) string, take func(*Chunk) error) error {
	rows, c := f.net.p.rows, f.net.p.view.Contract
	typed := rows.typed
	if f.done > 0 {
		typed = NewColumns(rows.types)
		for i := f.done; i < len(rows.events); i++ {
			for col := range rows.types {
				typed.AppendFrom(col, rows.typed, col, i)
			}
		}
	}
	columns := make([]Column, len(rows.types))
	for i, col := range f.net.vt.proj.typed {
		columns[i].Name = col.Name
	}
	return f.net.tx.ProjectRows(ctx, columns, typed, func(relation string) string { return sql(relation + c.sourceAlias()) }, take)
}

// explain says of an error of the operator which measure of which key it is
// about, and why.
func (f *fallibleInputs) explain(ctx context.Context, err error) error {
	v := f.net.p.view
	if failed, ok := errors.AsType[*sessionop.InputError](err); ok {
		input := v.Contract.carried()[failed.Measure].Input
		f.done = 0
		if why := f.each(ctx, func(from string) string { return "SELECT " + input + " FROM " + from }, func(*Chunk) error { return nil }); why != nil {
			err = why
		}
		if errors.Is(err, ErrInvalidated) {
			return err // no row is at fault
		}
		return &MeasureError{View: v.Name.Name, Keys: []string{readableKey(failed.Key)}, Err: err}
	}
	if overflow, ok := errors.AsType[*sessionop.OverflowError](err); ok {
		name := v.Contract.carried()[overflow.Measure].Name
		why := v.errorf(overflow.SQLState(), overflow.Hint(), "%s is out of range", name)
		return &MeasureError{View: v.Name.Name, Keys: []string{readableKey(overflow.Key)}, Err: why}
	}
	return err
}
