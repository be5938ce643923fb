package planner

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sessiondb/sessiondb/wire"
)

// TestStatements reads testdata/statements: each case is a statement and
// what Parse makes of it, its ranges shown as the text in them.
func TestStatements(t *testing.T) {
	datadriven.RunTest(t, "testdata/statements", func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		s, err := Parse(d.Input)
		if err != nil {
			return showError(err) + "\n"
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s", s.Tag())
		if s.Params > 0 {
			fmt.Fprintf(&b, " params=%d", s.Params)
		}
		for _, c := range s.CTEs {
			fmt.Fprintf(&b, " cte=%s(%s)", c.Name.Name, s.Text(c.Body))
		}
		if s.Node != nil {
			show(&b, s, reflect.ValueOf(s.Node).Elem())
		}
		return b.String() + "\n"
	})
}

func showError(err error) string {
	var e *wire.Error
	if !errors.As(err, &e) {
		return "internal: " + err.Error()
	}
	text := fmt.Sprintf("%s at %d: %s", e.Code, e.Position, e.Message)
	if e.Hint != "" {
		text += "\nHINT: " + e.Hint
	}
	return text
}

// show prints the fields of a node that are not zero.
func show(b *strings.Builder, s *Statement, v reflect.Value) {
	switch x := v.Interface().(type) {
	case Name:
		fmt.Fprintf(b, "%s", x.SQL())
		return
	case Ident:
		fmt.Fprintf(b, "%s", quoteIdent(x.Name))
		return
	case Range:
		fmt.Fprintf(b, "<%s>", s.Text(x))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i).Name
			if v.Field(i).IsZero() || f == "Range" || f == "Tail" {
				continue
			}
			fmt.Fprintf(b, " %s=", f)
			show(b, s, v.Field(i))
		}
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(",")
			}
			show(b, s, v.Index(i))
		}
		b.WriteString("]")
	case reflect.Pointer:
		show(b, s, v.Elem())
	default:
		fmt.Fprintf(b, "%v", v.Interface())
	}
}
