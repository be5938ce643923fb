package planner

import "strings"

// Kind says what a statement is.
type Kind uint8

// The kinds of statements, with the type of Statement.Node where it has one.
const (
	KindOther          Kind = iota // whatever DuckDB makes of it
	KindEmpty                      // no token at all
	KindSelect                     // SELECT, VALUES, TABLE, FROM …, PIVOT, DESCRIBE, SUMMARIZE, also with WITH
	KindInsert                     // *InsertStmt
	KindUpdate                     // *UpdateStmt
	KindDelete                     // *DeleteStmt
	KindMerge                      // *MergeStmt
	KindTruncate                   // *TruncateStmt
	KindCopyFrom                   // *CopyStmt
	KindCopyTo                     // *CopyStmt
	KindCreateMatView              // *CreateViewStmt
	KindRefresh                    // *RefreshStmt
	KindCreateTable                // *CreateTableStmt
	KindCreateView                 // *CreateViewStmt
	KindCreate                     // *CreateStmt: index, schema, sequence, type, macro, …
	KindDrop                       // *DropStmt, materialized views too
	KindAlter                      // *AlterStmt, materialized views too
	KindBegin                      // *BeginStmt
	KindCommit                     // *EndStmt
	KindRollback                   // *EndStmt
	KindRollbackTo                 // *SavepointStmt
	KindSavepoint                  // *SavepointStmt
	KindRelease                    // *SavepointStmt
	KindSetTransaction             // *SetTransactionStmt
	KindSet                        // *SetStmt
	KindShow                       // *ShowStmt
	KindReset                      // *ShowStmt
	KindDiscard                    // *ShowStmt
	KindPrepare                    // *PrepareStmt
	KindExecute                    // *ExecuteStmt
	KindDeallocate                 // *CloseStmt
	KindDeclare                    // *DeclareStmt
	KindFetch                      // *FetchStmt
	KindMove                       // *FetchStmt
	KindCloseCursor                // *CloseStmt
	KindListen                     // *NotifyStmt
	KindUnlisten                   // *NotifyStmt
	KindNotify                     // *NotifyStmt
	KindCall                       // *CallStmt
	KindExplain                    // *ExplainStmt
	KindLock                       // *LockStmt
	KindMaintenance                // VACUUM, ANALYZE, CHECKPOINT, REINDEX, CLUSTER
	KindComment                    // COMMENT ON
	KindGrant                      // GRANT
	KindRevoke                     // REVOKE
	KindDo                         // DO
)

// looks reports whether a statement of the kind takes a snapshot of the
// database, as Postgres counts it: the isolation level is fixed then.
func (k Kind) looks() bool {
	switch k {
	case KindEmpty, KindBegin, KindCommit, KindRollback, KindRollbackTo, KindSavepoint, KindRelease, KindSetTransaction, KindSet, KindShow,
		KindReset, KindDiscard, KindListen, KindUnlisten, KindNotify, KindLock, KindMaintenance, KindDeallocate, KindCloseCursor:
		return false
	default:
		return true
	}
}

// A Statement is one statement of the user, classified and taken apart as far
// as sessiondb itself needs to understand it. Ranges are byte offsets in SQL.
type Statement struct {
	SQL    string
	Kind   Kind
	Node   Node    // the parts; nil for a kind that has none
	Tokens []Token // without white space and comments
	Params int     // the highest $n
	CTEs   []CTE   // of the WITH that opens the statement
	Verb   int     // index in Tokens of the first token after that WITH

	Shortened []string // identifiers as they were written that are longer than a name can be
}

// Node is the parts of a statement: a pointer to one of the …Stmt types.
type Node interface{ statementNode() }

// Range is a range of bytes of a statement; the zero Range stands for a
// clause that is not there.
type Range struct{ Start, End int }

// Empty reports whether nothing is in the range.
func (r Range) Empty() bool { return r.Start >= r.End }

// Contains reports whether all of q is in r.
func (r Range) Contains(q Range) bool { return r.Start <= q.Start && q.End <= r.End }

// Text is the statement's text in the range.
func (s *Statement) Text(r Range) string { return s.SQL[r.Start:r.End] }

// An Ident is one identifier, folded unless it was quoted.
type Ident struct {
	Name  string
	Range Range
}

// A Name is a possibly qualified name, its parts folded unless quoted.
type Name struct {
	Parts []string
	Range Range
}

// Last is the name without its qualifiers.
func (n Name) Last() string {
	if len(n.Parts) == 0 {
		return ""
	}
	return n.Parts[len(n.Parts)-1]
}

// Schema is the schema that qualifies the name, or "".
func (n Name) Schema() string {
	if len(n.Parts) < 2 {
		return ""
	}
	return n.Parts[len(n.Parts)-2]
}

// SQL is the name quoted.
func (n Name) SQL() string { return quoteName(n.Parts) }

// An Option is one entry of a list such as WITH (name = value, …). List is
// set for name (a, b), Value for everything else that has a value.
type Option struct {
	Name     string
	Value    string
	HasValue bool
	List     []string
	Range    Range
}

// A CTE is one common table expression.
type CTE struct {
	Name Ident
	Body Range // inside its parentheses
	End  int   // after the closing one
}

// Parse classifies sql, which is one statement, and takes it apart. Its errors
// are Postgres's syntax errors, about statements that are sessiondb's own and
// about text that has no tokens; everything else is left for DuckDB to judge.
func Parse(sql string) (*Statement, error) {
	tokens, err := Lex(sql)
	if err != nil {
		return nil, err
	}
	s := &Statement{SQL: sql, Tokens: significant(tokens)}
	for n := len(s.Tokens); n > 0 && s.Tokens[n-1].isPunct(";"); n-- {
		s.Tokens = s.Tokens[:n-1]
	}
	s.shortenNames()
	if s.Params, err = highestParam(sql, s.Tokens); err != nil {
		return nil, err
	}
	if err := checkDepth(sql, s.Tokens); err != nil {
		return nil, err
	}
	p := &parser{sql: sql, toks: s.Tokens}
	return s, s.parse(p)
}

// maxName is how many bytes of an identifier count.
const maxName = 63

// shortenNames cuts identifiers to what counts of them, at whole characters.
func (s *Statement) shortenNames() {
	for i, t := range s.Tokens {
		if len(t.Text) > maxName && t.isIdent() {
			s.Shortened = append(s.Shortened, t.Text)
			s.Tokens[i].Text = strings.ToValidUTF8(t.Text[:maxName], "")
		}
	}
}

// maxDepth bounds how deep brackets and CASE nest, as DuckDB bounds the depth
// of its expressions.
const maxDepth = 1000

func checkDepth(sql string, tokens []Token) error {
	depth, before := 0, Token{}
	for _, t := range tokens {
		depth += nesting(t, before)
		if before = t; depth > maxDepth {
			return errorAt(sql, t.Start, "54001", "stack depth limit exceeded").WithHint("Nest fewer than %d expressions.", maxDepth)
		}
	}
	return nil
}

// highestParam is the greatest n of the parameters $n.
func highestParam(sql string, tokens []Token) (int, error) {
	highest := 0
	for _, t := range tokens {
		if t.Kind != TokenParam {
			continue
		}
		n := parameterNumber(t)
		if n == 0 || n > 65535 {
			return 0, errorAt(sql, t.Start, "42P02", "there is no parameter $%s", t.Text)
		}
		highest = max(highest, n)
	}
	return highest, nil
}

// parameterNumber is the n of $n, or 0 when it has too many digits.
func parameterNumber(t Token) int {
	digits := strings.TrimLeft(t.Text, "0")
	if len(digits) > 6 {
		return 0
	}
	n := 0
	for _, c := range []byte(digits) {
		n = n*10 + int(c-'0')
	}
	return n
}

// Writes reports whether the statement's kind may change something durable. A
// SELECT may too, through a function; the caller looks at those it knows.
func (s *Statement) Writes() bool {
	switch s.Kind {
	case KindInsert, KindUpdate, KindDelete, KindMerge, KindTruncate, KindCopyFrom,
		KindCreateMatView, KindRefresh, KindCreateTable, KindCreateView, KindCreate, KindDrop, KindAlter,
		KindCall, KindComment, KindGrant, KindRevoke:
		return true
	default:
		return false
	}
}
