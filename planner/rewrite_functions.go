package planner

import "strings"

// function writes a call of a function that DuckDB lacks with those that it
// has.
func (r *rewriter) function(i int) {
	if !r.tok(i + 1).isPunct("(") {
		return
	}
	start, end := r.toks[i].Start, r.toks[r.close(i+1)].End
	switch r.toks[i].Text {
	case "initcap":
		r.replace(i, i, "regexp_extract_all")
		r.edits.Insert(r.toks[r.close(i+1)].Start, `, '[\p{L}\p{N}]+|[^\p{L}\p{N}]+'`)
		r.edits.Wrap(start, end, "array_to_string(list_transform(", ", lambda w: upper(w[1]) || lower(w[2:])), '')")
	case "to_hex":
		r.edits.Wrap(start, end, "lower(", ")")
	case "json_typeof", "jsonb_typeof":
		r.replace(i, i, "json_type")
		r.edits.Wrap(start, end, "(CASE ", " WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean'"+
			" WHEN 'NULL' THEN 'null' WHEN 'UBIGINT' THEN 'number' WHEN 'BIGINT' THEN 'number' WHEN 'DOUBLE' THEN 'number' END)")
	default:
		r.parseTime(i, start, end)
	}
}

// parseTime writes to_date and to_timestamp with a template as strptime.
func (r *rewriter) parseTime(i, start, end int) {
	last := r.close(i+1) - 1
	template := r.tok(last)
	if template.Kind != TokenString || !r.tok(last-1).isPunct(",") {
		return
	}
	format, ok := strptimeFormat(template.Text)
	if !ok {
		return
	}
	typeName := "DATE"
	if r.toks[i].is("to_timestamp") {
		typeName = "TIMESTAMPTZ"
	}
	r.replace(i, i, "strptime")
	r.replace(last, last, quoteLiteral(format))
	r.edits.Wrap(start, end, "CAST(", " AS "+typeName+")")
}

// strptimeFormat writes a template of to_date and to_timestamp as strptime has
// it; ok is false where it has a pattern that strptime has not.
func strptimeFormat(template string) (format string, ok bool) {
	var b strings.Builder
	for rest := template; rest != ""; {
		if c := rest[0]; !isIdentStart(c) || c >= 0x80 {
			b.WriteByte(c)
			rest = rest[1:]
			continue
		}
		pattern, directive := timePattern(rest)
		if pattern == "" {
			return "", false
		}
		b.WriteString(directive)
		rest = rest[len(pattern):]
	}
	return b.String(), true
}

// timePattern is the template pattern that s starts with, and strptime's.
func timePattern(s string) (pattern, directive string) {
	for _, p := range [...][2]string{
		{"YYYY", "%Y"},
		{"YY", "%y"},
		{"MONTH", "%B"},
		{"MON", "%b"},
		{"MM", "%m"},
		{"MI", "%M"},
		{"MS", "%g"},
		{"US", "%f"},
		{"DDD", "%j"},
		{"DD", "%d"},
		{"DAY", "%A"},
		{"DY", "%a"},
		{"HH24", "%H"},
		{"HH12", "%I"},
		{"HH", "%I"},
		{"SS", "%S"},
		{"AM", "%p"},
		{"PM", "%p"},
		{"TZH", "%z"},
		{"TZ", "%Z"},
		{"T", "T"},
	} {
		if len(s) >= len(p[0]) && strings.EqualFold(s[:len(p[0])], p[0]) {
			return s[:len(p[0])], p[1]
		}
	}
	return "", ""
}
