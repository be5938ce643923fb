package sqltests

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
)

// A transcript is the answer to one message, taken apart into the aspects in
// which two answers are compared.
type transcript struct {
	names    []string // of columns
	types    []string // OIDs of columns and parameters, formats
	typmods  []string
	rows     []string // and what COPY TO STDOUT sends
	flow     []string // the kinds of messages, less rows, notices, parameters
	tag      []string
	failure  []string // severity and SQLSTATE
	position []string
	fields   []string // constraint, table, column, and the line of a COPY
	detail   []string // of a violated constraint, which tells values
	hint     []string // whether there is one; its words are our own
	notices  []string // severity and SQLSTATE
	settings []string // ParameterStatus
	notes    []string // notifications
	status   []string
	messages []string // texts of errors and notices: shown, not compared
}

// aspects are what is compared, by the names that \differs gives them.
func (tr *transcript) aspects() map[string][]string {
	return map[string][]string{
		"names": tr.names, "types": tr.types, "rows": tr.rows, "flow": tr.flow, "tag": tr.tag, "error": tr.failure,
		"position": tr.position, "fields": tr.fields, "detail": tr.detail, "hint": tr.hint, "notices": tr.notices, "settings": tr.settings, "notes": tr.notes,
		"status": tr.status, "typmods": tr.typmods, "messages": tr.messages,
	}
}

func (tr *transcript) add(message pgproto3.BackendMessage) {
	switch m := message.(type) {
	case *pgproto3.RowDescription:
		tr.describe(m)
	case *pgproto3.DataRow:
		tr.rows = append(tr.rows, cells(m.Values))
		return
	case *pgproto3.ParameterDescription:
		tr.types = append(tr.types, fmt.Sprint("parameters ", m.ParameterOIDs))
	case *pgproto3.CommandComplete:
		tr.tag = append(tr.tag, string(m.CommandTag))
	case *pgproto3.ErrorResponse:
		tr.fail(m)
	case *pgproto3.NoticeResponse:
		tr.notices = append(tr.notices, m.Severity+" "+m.Code)
		tr.messages = append(tr.messages, m.Message)
		return
	case *pgproto3.ParameterStatus:
		tr.settings = append(tr.settings, m.Name+"="+m.Value)
		return
	case *pgproto3.NotificationResponse:
		tr.notes = append(tr.notes, m.Channel+" "+m.Payload)
		return
	case *pgproto3.ReadyForQuery:
		tr.status = append(tr.status, string(m.TxStatus))
	case *pgproto3.CopyData:
		tr.rows = append(tr.rows, printable(m.Data))
		return
	case *pgproto3.CopyInResponse:
		tr.types = append(tr.types, fmt.Sprint("copy in ", m.OverallFormat, m.ColumnFormatCodes))
	case *pgproto3.CopyOutResponse:
		tr.types = append(tr.types, fmt.Sprint("copy out ", m.OverallFormat, m.ColumnFormatCodes))
	case *pgproto3.BackendKeyData:
		return
	}
	tr.flow = append(tr.flow, strings.TrimPrefix(fmt.Sprintf("%T", message), "*pgproto3."))
}

func (tr *transcript) describe(m *pgproto3.RowDescription) {
	for _, f := range m.Fields {
		tr.names = append(tr.names, string(f.Name))
		tr.types = append(tr.types, fmt.Sprintf("%d/%d/%d", f.DataTypeOID, f.DataTypeSize, f.Format))
		tr.typmods = append(tr.typmods, fmt.Sprint(f.TypeModifier))
	}
}

func (tr *transcript) fail(m *pgproto3.ErrorResponse) {
	tr.failure = append(tr.failure, m.Severity+" "+m.Code)
	if m.Position != 0 {
		tr.position = append(tr.position, fmt.Sprint(m.Position))
	}
	for name, value := range map[string]string{"table": m.TableName, "column": m.ColumnName, "constraint": m.ConstraintName} {
		if value != "" {
			tr.fields = append(tr.fields, name+" "+value)
		}
	}
	slices.Sort(tr.fields)
	if m.Detail != "" && strings.HasPrefix(m.Code, "23") {
		tr.detail = append(tr.detail, m.Detail)
	}
	if m.Hint != "" {
		tr.hint = append(tr.hint, "hint")
	}
	if strings.HasPrefix(m.Where, "COPY ") {
		place, _, _ := strings.Cut(m.Where, ":")
		tr.fields = append(tr.fields, place)
	}
	tr.messages = append(tr.messages, m.Message)
}

func cells(values [][]byte) string {
	var out []string
	for _, v := range values {
		if v == nil {
			out = append(out, "NULL")
		} else {
			out = append(out, printable(v))
		}
	}
	return strings.Join(out, " | ")
}

// printable shows text as it is and other bytes in hex.
func printable(data []byte) string {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\t' }
	if utf8.Valid(data) && !strings.ContainsFunc(string(data), unprintable) {
		return string(data)
	}
	return "0x" + hex.EncodeToString(data)
}

// differing are the aspects in which ours differs from the referee's, in
// order. Where one of them fails, what the other answered says no more.
func differing(ours, theirs *transcript) []string {
	if !slices.Equal(ours.failure, theirs.failure) {
		list := []string{"error"}
		if !slices.Equal(ours.status, theirs.status) {
			list = append(list, "status")
		}
		return list
	}
	var list []string
	other := theirs.aspects()
	if len(ours.failure) > 0 {
		// Postgres folds constants when it plans, before it describes rows.
		ours, theirs = ours.undescribed(), theirs.undescribed()
		other = theirs.aspects()
	}
	for name, values := range ours.aspects() {
		if !addition(name, other[name]) && !slices.Equal(values, other[name]) {
			list = append(list, name)
		}
	}
	if !sameTypmods(ours.typmods, theirs.typmods) {
		list = append(list, "typmods")
	}
	slices.Sort(list)
	return list
}

// addition says that the referee gives no such aspect, and that ours may: the
// hint of an error and its detail are for people, typmods have a rule of their
// own, and the wording is not compared.
func addition(name string, theirs []string) bool {
	switch name {
	case "detail", "hint":
		return len(theirs) == 0
	case "typmods", "messages":
		return true
	default:
		return false
	}
}

// undescribed is the transcript without what described rows.
func (tr *transcript) undescribed() *transcript {
	short := *tr
	short.names, short.types, short.typmods, short.flow = nil, nil, nil, nil
	return &short
}

// withoutVersion is the transcript without the version, of which the minor part
// may differ, and without the rights of the user, which PostgreSQL began with.
func (tr *transcript) withoutVersion() *transcript {
	short := *tr
	short.settings = slices.DeleteFunc(slices.Clone(tr.settings), func(s string) bool {
		return strings.HasPrefix(s, "server_version=15") || strings.HasPrefix(s, "is_superuser=")
	})
	short.flow = nil
	return &short
}

// sameTypmods compares the typmods that the referee gives: where it gives none,
// a numeric of ours may still say what DuckDB knows of it.
func sameTypmods(ours, theirs []string) bool {
	if len(ours) != len(theirs) {
		return true // the types say so already
	}
	for i, mod := range theirs {
		if mod != "-1" && ours[i] != mod {
			return false
		}
	}
	return true
}

// contrast shows what differs, ours above theirs, and what the errors say.
func contrast(ours, theirs *transcript, aspects []string) string {
	var b strings.Builder
	our, their := ours.aspects(), theirs.aspects()
	for _, name := range append(aspects, "messages") {
		left, right := strings.Join(our[name], "; "), strings.Join(their[name], "; ")
		if name == "messages" && left == "" && right == "" {
			continue
		}
		fmt.Fprintf(&b, "    %-9s sessiondb  %s\n              PostgreSQL %s\n", name, left, right)
	}
	return b.String()
}
