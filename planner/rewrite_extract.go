package planner

// extract gives EXTRACT the type that it has in Postgres, numeric, and its
// seconds their fraction.
func (r *rewriter) extract(i int) {
	field, from := r.tok(i+2), r.tok(i+3)
	if !r.tok(i+1).isPunct("(") || !from.is("from") || !field.isIdent() && field.Kind != TokenString {
		return
	}
	f := timeField(foldCase(field.Text))
	if f.digits < 0 {
		return
	}
	start, end := r.toks[i].Start, r.toks[r.close(i+1)].End
	if f.scale == "" {
		r.edits.Wrap(start, end, "CAST(", " AS "+decimal(f.digits)+")")
		return
	}
	r.replace(i+2, i+2, "microseconds")
	r.edits.Wrap(start, end, "CAST(CAST(", " AS DECIMAL(18,0)) * "+f.scale+" AS "+decimal(f.digits)+")")
}

// datePart does the same for date_part, whose type is double precision.
func (r *rewriter) datePart(i int) {
	field := r.tok(i + 2)
	if !r.tok(i+1).isPunct("(") || field.Kind != TokenString || !r.tok(i+3).isPunct(",") {
		return
	}
	f := timeField(foldCase(field.Text))
	if f.digits < 0 {
		return
	}
	start, end := r.toks[i].Start, r.toks[r.close(i+1)].End
	if f.scale == "" {
		r.edits.Wrap(start, end, "CAST(", " AS DOUBLE)")
		return
	}
	r.replace(i+2, i+2, "'microseconds'")
	r.edits.Wrap(start, end, "CAST(", " * "+f.scale+" AS DOUBLE)")
}

// A fieldForm is how a field of a time is had from DuckDB: with so many digits
// after the point (-1: as it is), and from the microseconds where scale is set.
type fieldForm struct {
	digits int
	scale  string
}

func timeField(name string) fieldForm {
	switch name {
	case "second", "seconds", "sec", "secs":
		return fieldForm{6, "0.000001"}
	case "millisecond", "milliseconds", "msec", "msecs", "ms":
		return fieldForm{3, "0.001"}
	case "epoch":
		return fieldForm{6, ""}
	case "century", "centuries", "day", "days", "decade", "decades", "dow", "doy", "hour", "hours", "isodow", "isoyear",
		"microsecond", "microseconds", "millennium", "minute", "minutes", "month", "months", "quarter",
		"timezone", "timezone_hour", "timezone_minute", "week", "weeks", "year", "years":
		return fieldForm{0, ""}
	}
	return fieldForm{-1, ""}
}

func decimal(scale int) string {
	return "DECIMAL(38," + string('0'+rune(scale)) + ")"
}
