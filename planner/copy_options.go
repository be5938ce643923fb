package planner

import (
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// copyOptions reads the options of COPY, which both syntaxes give alike; those
// that name columns are read by forColumns.
func copyOptions(st *Statement, n *CopyStmt) (wire.CopyOptions, error) {
	var o wire.CopyOptions
	seen := map[string]bool{}
	for _, opt := range n.Options {
		fail := func(code, format string, args ...any) error {
			return errorAt(st.SQL, opt.Range.Start, code, format, args...)
		}
		if seen[opt.Name] {
			return o, fail(codeSyntax, "conflicting or redundant options")
		}
		seen[opt.Name] = true
		if err := copyOption(&o, opt, fail); err != nil {
			return o, err
		}
	}
	return o, copyOptionsFit(st, n, &o)
}

// copyOptionsFit refuses options that are of no use where they stand.
func copyOptionsFit(st *Statement, n *CopyStmt, o *wire.CopyOptions) error {
	for _, opt := range n.Options {
		word := strings.ReplaceAll(opt.Name, "_", " ")
		switch opt.Name {
		case "force_quote", "force_not_null", "force_null":
			if o.Format != wire.CopyCSV {
				return wire.Errorf(codeUnsupported, "COPY %s available only in CSV mode", word)
			}
			if (opt.Name == "force_quote") != (st.Kind == KindCopyTo) {
				return wire.Errorf(codeUnsupported, "COPY %s is not available in this direction", word)
			}
		}
	}
	return nil
}

func copyOption(o *wire.CopyOptions, opt Option, fail func(code, format string, args ...any) error) error {
	switch opt.Name {
	case "format":
		return copyFormat(o, opt.Value, fail)
	case "delimiter":
		return oneByte(&o.Delimiter, opt)
	case "quote":
		return oneByte(&o.Quote, opt)
	case "escape":
		return oneByte(&o.Escape, opt)
	case "null":
		o.Null = &opt.Value
	case "header":
		return copyHeader(o, opt, fail)
	case "encoding":
		if e := strings.ToUpper(strings.ReplaceAll(opt.Value, "-", "")); e != "UTF8" {
			return fail(codeUnsupported, "COPY reads and writes UTF8 only")
		}
	case "freeze", "force_quote", "force_not_null", "force_null":
	default:
		return fail(codeSyntax, "option \"%s\" not recognized", opt.Name)
	}
	return nil
}

func copyFormat(o *wire.CopyOptions, value string, fail func(code, format string, args ...any) error) error {
	switch strings.ToLower(value) {
	case "text":
		o.Format = wire.CopyText
	case "csv":
		o.Format = wire.CopyCSV
	case "binary":
		o.Format = wire.CopyBinary
	default:
		return fail(codeInvalidParameter, "COPY format \"%s\" not recognized", value)
	}
	return nil
}

func copyHeader(o *wire.CopyOptions, opt Option, fail func(code, format string, args ...any) error) error {
	switch strings.ToLower(opt.Value) {
	case "", "true", "on", "1", "yes":
		o.Header = wire.HeaderLine
	case "false", "off", "0", "no":
		o.Header = wire.HeaderNone
	case "match":
		o.Header = wire.HeaderMatch
	default:
		return fail(codeInvalidParameter, "header requires a Boolean value or \"match\"")
	}
	return nil
}

func oneByte(to *byte, opt Option) error {
	if len(opt.Value) != 1 {
		return wire.Errorf(codeUnsupported, "COPY %s must be a single one-byte character", opt.Name)
	}
	*to = opt.Value[0]
	return nil
}

// forColumns adds what the options say of single columns.
func forColumns(o wire.CopyOptions, n *CopyStmt, columns []wire.Column) wire.CopyOptions {
	o.Table = n.Target.Last()
	for _, c := range columns {
		o.Names = append(o.Names, c.Name)
	}
	for _, opt := range n.Options {
		switch opt.Name {
		case "force_quote":
			o.ForceQuote = chosen(opt, o.Names)
		case "force_not_null":
			o.ForceNotNull = chosen(opt, o.Names)
		case "force_null":
			o.ForceNull = chosen(opt, o.Names)
		}
	}
	return o
}

func chosen(opt Option, names []string) []bool {
	out := make([]bool, len(names))
	for i, n := range names {
		out[i] = opt.Value == "*" || slices.Contains(opt.List, n)
	}
	return out
}
