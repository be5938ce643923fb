package planner

import (
	"context"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// noticeSkipped says that IF EXISTS or IF NOT EXISTS leaves a statement
// without effect, which DuckDB does not.
func (s *session) noticeSkipped(ctx context.Context, st *Statement) {
	switch n := st.Node.(type) {
	case *DropStmt:
		if n.IfExists && len(n.Names) == 1 && s.nothingToDrop(ctx, n) {
			s.notice(wire.SeverityNotice, "00000", "", "%s \"%s\" does not exist, skipping", n.Object, n.Names[0].Last())
		}
	case *AlterStmt:
		if n.IfExists && s.missing(ctx, "SELECT * FROM "+n.Name.SQL()) {
			s.notice(wire.SeverityNotice, "00000", "", "relation \"%s\" does not exist, skipping", n.Name.Last())
		}
	case *CreateTableStmt:
		s.noticeExisting(ctx, n.IfNotExists, n.Name)
	case *CreateViewStmt:
		s.noticeExisting(ctx, n.IfNotExists, n.Name)
	case *CreateStmt:
		switch {
		case n.IfNotExists && n.Object == "schema" && s.schemaExists(ctx, n.Name.Last()):
			s.notice(wire.SeverityNotice, "42P06", "", "schema \"%s\" already exists, skipping", n.Name.Last())
		case n.IfNotExists && strings.HasSuffix(n.Object, "index") && len(n.Name.Parts) > 0 && !s.missing(ctx, "DROP INDEX "+n.Name.SQL()):
			s.notice(wire.SeverityNotice, "42P07", "", "relation \"%s\" already exists, skipping", n.Name.Last())
		}
	}
}

func (s *session) nothingToDrop(ctx context.Context, n *DropStmt) bool {
	if n.Object == "schema" { // which DuckDB looks for only when it runs
		return !s.schemaExists(ctx, n.Names[0].Last())
	}
	return s.missing(ctx, "DROP "+n.Object+" "+n.Names[0].SQL())
}

func (s *session) schemaExists(ctx context.Context, name string) bool {
	var found int64
	err := s.conn.QueryRow(ctx, "SELECT count(*) FROM duckdb_schemas() WHERE database_name = ? AND lower(schema_name) = lower(?)",
		[]any{catalog.DatabaseName, name}, &found)
	return err == nil && found > 0
}

func (s *session) noticeExisting(ctx context.Context, ifNotExists bool, name Name) {
	if ifNotExists && !s.missing(ctx, "SELECT * FROM "+name.SQL()) {
		s.notice(wire.SeverityNotice, "42P07", "", "relation \"%s\" already exists, skipping", name.Last())
	}
}

// missing reports whether DuckDB does not find what the statement names; it is
// prepared, and never run.
func (s *session) missing(ctx context.Context, sql string) bool {
	stmt, err := s.conn.Prepare(ctx, sql)
	if err != nil {
		return true
	}
	stmt.Close()
	return false
}
