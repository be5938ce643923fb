package catalog

import (
	"fmt"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// Keeps reports whether a table, named without its schema, is one that the
// view keeps its revisions or its rejected rows in.
func (v *View) Keeps(table string) bool {
	return table == fmt.Sprintf("revisions_%d", v.ID) || table == fmt.Sprintf("rejected_%d", v.ID)
}

// TableNames are the tables that a query reads, through views too, without
// their qualifiers; none for what is not one query.
func (c *Conn) TableNames(query string) []string {
	c.endStream()
	list := bindings.GetTableNames(c.handle, query, false)
	defer bindings.DestroyValue(&list)
	if list.Ptr == nil {
		return nil
	}
	names := make([]string, bindings.GetListSize(list))
	for i := range names {
		item := bindings.GetListChild(list, bindings.IdxT(i))
		names[i] = bindings.GetVarchar(item)
		bindings.DestroyValue(&item)
	}
	return names
}
