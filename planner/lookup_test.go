package planner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sessiondb/sessiondb/catalog"
)

// TestLookups reads testdata/lookups: for each statement the views that it asks
// for given keys, with what it gives. The views are visits and renamed by
// account_id, and shops by tenant_id and shop_id.
func TestLookups(t *testing.T) {
	view := func(name, outer string, keys ...string) *catalog.View {
		v := &catalog.View{Name: catalog.TableName{Schema: "main", Name: name}, Outer: strings.ReplaceAll(outer, "CALL", catalog.SessionizePlaceholder), Contract: &catalog.Contract{}}
		for _, k := range keys {
			v.Contract.Keys = append(v.Contract.Keys, catalog.ContractColumn{Name: k, SQL: quoteIdent(k), Type: "VARCHAR"})
		}
		return v
	}
	views := map[string]*catalog.View{
		"visits":  view("visits", "SELECT *, session_end - session_start AS length FROM CALL", "account_id"),
		"shops":   view("shops", "select * from CALL as s where event_count > 1", "tenant_id", "shop_id"),
		"renamed": view("renamed", "SELECT *, upper(account_id) AS account_id FROM CALL", "account_id"),
	}
	find := func(n Name) (*catalog.View, bool) {
		v, ok := views[tableName(n).Name]
		return v, ok && tableName(n).Schema == "main"
	}
	datadriven.RunTest(t, "testdata/lookups", func(_ *testing.T, d *datadriven.TestData) string {
		s, err := Parse(d.Input)
		if err != nil {
			return showError(err) + "\n"
		}
		var b strings.Builder
		for _, l := range s.lookups(find) {
			fmt.Fprintf(&b, "%s at %s:", l.view.Name.Name, s.Text(l.at))
			for _, values := range l.keys {
				for _, v := range values {
					fmt.Fprintf(&b, " %s", cmpText(v))
				}
				b.WriteString(";")
			}
			b.WriteByte('\n')
		}
		if b.Len() == 0 {
			return "none\n"
		}
		return b.String()
	})
}

func cmpText(l Literal) string {
	if l.Kind == LiteralParam {
		return fmt.Sprintf("$%d", l.Param)
	}
	return l.Text
}
