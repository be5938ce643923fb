package planner

import "strings"

// Tag is the command tag of the statement without its counts, which the
// caller adds for SELECT, INSERT, UPDATE, DELETE, MERGE, FETCH, MOVE and COPY.
func (s *Statement) Tag() string {
	switch n := s.Node.(type) {
	case *CreateTableStmt:
		if n.Query.Empty() {
			return "CREATE TABLE"
		}
		return "SELECT"
	case *CreateStmt:
		return "CREATE " + strings.ToUpper(n.Object)
	case *DropStmt:
		return "DROP " + strings.ToUpper(n.Object)
	case *AlterStmt:
		return "ALTER " + strings.ToUpper(n.Object)
	case *CloseStmt:
		return closeTag(s.Kind, n.All)
	case *ShowStmt:
		if s.Kind == KindDiscard {
			return "DISCARD " + strings.ToUpper(n.Name)
		}
	}
	switch s.Kind {
	case KindBegin, KindMaintenance, KindOther:
		return s.wordTag()
	default:
		return kindTag(s.Kind)
	}
}

func closeTag(kind Kind, all bool) string {
	tag := "DEALLOCATE"
	if kind == KindCloseCursor {
		tag = "CLOSE CURSOR"
	}
	if all {
		tag += " ALL"
	}
	return tag
}

// wordTag is the tag of a statement that is told by its first word.
func (s *Statement) wordTag() string {
	if len(s.Tokens) == 0 {
		return ""
	}
	if s.Tokens[0].is("start") {
		return "START TRANSACTION"
	}
	return strings.ToUpper(s.Tokens[0].Text)
}

// kindTag is the tag of the kinds that have one tag only.
func kindTag(kind Kind) string {
	switch kind {
	case KindSelect:
		return "SELECT"
	case KindInsert:
		return "INSERT"
	case KindUpdate:
		return "UPDATE"
	case KindDelete:
		return "DELETE"
	case KindMerge:
		return "MERGE"
	case KindTruncate:
		return "TRUNCATE TABLE"
	case KindCopyFrom, KindCopyTo:
		return "COPY"
	case KindCreateView:
		return "CREATE VIEW"
	case KindCreateMatView:
		return "CREATE MATERIALIZED VIEW"
	case KindRefresh:
		return "REFRESH MATERIALIZED VIEW"
	default:
		return sessionTag(kind)
	}
}

// sessionTag is the tag of the kinds that concern the session alone.
func sessionTag(kind Kind) string {
	switch kind {
	case KindCommit:
		return "COMMIT"
	case KindRollback, KindRollbackTo:
		return "ROLLBACK"
	case KindSavepoint:
		return "SAVEPOINT"
	case KindRelease:
		return "RELEASE"
	case KindSet, KindSetTransaction:
		return "SET"
	case KindShow:
		return "SHOW"
	case KindReset:
		return "RESET"
	case KindPrepare:
		return "PREPARE"
	case KindExecute:
		return "EXECUTE"
	case KindDeclare:
		return "DECLARE CURSOR"
	case KindFetch:
		return "FETCH"
	case KindMove:
		return "MOVE"
	default:
		return utilityTag(kind)
	}
}

func utilityTag(kind Kind) string {
	switch kind {
	case KindListen:
		return "LISTEN"
	case KindUnlisten:
		return "UNLISTEN"
	case KindNotify:
		return "NOTIFY"
	case KindCall:
		return "CALL"
	case KindExplain:
		return "EXPLAIN"
	case KindLock:
		return "LOCK TABLE"
	case KindComment:
		return "COMMENT"
	case KindGrant:
		return "GRANT"
	case KindRevoke:
		return "REVOKE"
	case KindDo:
		return "DO"
	default:
		return ""
	}
}
