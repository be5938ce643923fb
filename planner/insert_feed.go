package planner

import (
	"context"
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// feedInsert inserts rows that are decoded here, batch by batch: those of COPY
// FROM STDIN, and of INSERT … VALUES with nothing but constants. DuckDB reads
// them from memory with a plan that is made once, which is many times faster
// than to plan the constants.
type feedInsert struct {
	session *session
	target  Name
	columns []catalog.Column // that are given, in order
	listed  bool             // they are not all of the table's

	decoders []decoder
	feed     *catalog.Feed
	rows     *catalog.ColumnSet
	views    []*catalog.View
	dml      *dml
}

// open takes the writer lock, unless the table is temporary, and prepares for
// rows. A column whose values are decoded here is fed as what it is; others
// are fed as text and cast. where keeps some rows out.
func (f *feedInsert) open(ctx context.Context, binary bool, where string) error {
	s := f.session
	if !s.isTemp(f.target) {
		write, err := s.beginWrite(ctx)
		if err != nil {
			return err
		}
		f.views = write.SourceViews(tableName(f.target))
	}
	types := make([]catalog.Type, len(f.columns))
	f.decoders = make([]decoder, len(f.columns))
	for i, c := range f.columns {
		f.decoders[i], types[i] = newDecoder(c.Type, binary, s.settings.location())
	}
	feed, err := s.engine.db.AcquireFeed(types)
	if err != nil {
		return err
	}
	text := f.insertSQL(feed, where)
	f.feed, f.rows = feed, catalog.NewColumns(types)
	f.dml = &dml{
		session: s, target: f.target,
		statement: &Statement{SQL: text, Kind: KindInsert, Node: &InsertStmt{Target: f.target, Source: InsertQuery}},
		text:      &rewritten{Rewritten: NewEdits(text).Apply()},
	}
	return nil
}

func (f *feedInsert) insertSQL(feed *catalog.Feed, where string) string {
	named := make([]string, len(f.columns))
	for i, c := range f.columns {
		named[i] = fmt.Sprintf("CAST(c%d AS %s) AS %s", i, c.Type.Name, quoteIdent(c.Name))
	}
	into := f.target.SQL()
	if f.listed {
		into += " (" + columnList(f.columns) + ")"
	}
	query := "SELECT " + strings.Join(named, ", ") + " FROM " + feed.SQL()
	if where != "" {
		query = "SELECT * FROM (" + query + ") WHERE " + where
	}
	return "INSERT INTO " + into + " " + query
}

func (f *feedInsert) close() { f.feed.Release() }

// insert inserts the rows that are gathered, and forgets them.
func (f *feedInsert) insert(ctx context.Context, out *wire.ResultWriter) (int64, error) {
	f.feed.Set(f.rows)
	n, err := f.dml.apply(ctx, f.views, nil, out)
	if err != nil {
		err = f.blame(ctx, err)
	}
	f.feed.Set(nil)
	f.rows.Reset()
	return n, err
}

// blame names the key of the row whose measure failed, if one did: the
// transaction is gone, so the rows are tried apart from it, half by half.
func (f *feedInsert) blame(ctx context.Context, failure error) error {
	conn, err := f.session.engine.db.Connect(ctx)
	if err != nil {
		return failure
	}
	defer conn.Close()
	for _, v := range f.views {
		if f.projects(ctx, conn, v, 0, f.rows.Rows()) {
			continue
		}
		from, to := 0, f.rows.Rows()
		for to-from > 1 {
			if half := (from + to) / 2; f.projects(ctx, conn, v, from, half) {
				from = half
			} else {
				to = half
			}
		}
		if key := f.keyOf(ctx, conn, v, from); key != "" {
			return &catalog.MeasureError{View: v.Name.Name, Keys: []string{key}, Err: failure}
		}
	}
	return failure
}

// some are rows from (included) to (excluded) as a relation for f to read.
func (f *feedInsert) some(from, to int, read func(relation string) error) error {
	rows := catalog.NewColumns(f.rows.Types())
	for i := from; i < to; i++ {
		rows.AppendRow(f.rows, i)
	}
	feed, err := f.session.engine.db.AcquireFeed(rows.Types())
	if err != nil {
		return err
	}
	defer feed.Release()
	feed.Set(rows)
	return read(catalog.FeedRelation(feed, f.columns))
}

// projects reports whether the view's projection of some rows can be computed.
func (f *feedInsert) projects(ctx context.Context, conn *catalog.Conn, v *catalog.View, from, to int) bool {
	err := f.some(from, to, func(relation string) error {
		rows, err := conn.Query(ctx, v.ProjectSQL(relation))
		if err != nil {
			return err
		}
		defer rows.Close()
		return rows.Each(ctx, func(*catalog.Chunk) error { return nil })
	})
	return err == nil
}

// keyOf is the key of one row, to be read; "" if it cannot be told.
func (f *feedInsert) keyOf(ctx context.Context, conn *catalog.Conn, v *catalog.View, row int) (key string) {
	parts := make([]string, len(v.Contract.Keys))
	for i, k := range v.Contract.Keys {
		parts[i] = "CAST((" + k.SQL + ") AS VARCHAR)"
	}
	err := f.some(row, row+1, func(relation string) error {
		return conn.QueryRow(ctx, "SELECT coalesce(concat_ws(', ', "+strings.Join(parts, ", ")+"), '') FROM "+relation+" AS "+quoteIdent(v.Contract.Base.Name), nil, &key)
	})
	if err != nil {
		return ""
	}
	return key
}

// changed notes that n rows were stored.
func (f *feedInsert) changed(n int64) {
	if s := f.session; n > 0 && s.txn.write != nil && !s.isTemp(f.target) {
		s.txn.write.Changed()
	}
}

// planValues plans an INSERT … VALUES whose values are constants and
// parameters; ok is false for one that DuckDB has to evaluate.
func (s *session) planValues(ctx context.Context, st *Statement, oids []uint32) (p *plan, ok bool) {
	n, isInsert := st.Node.(*InsertStmt)
	if !isInsert || n.Source != InsertValues || n.Conflict != ConflictFails || !n.Returning.Empty() || n.ByName || len(st.CTEs) > 0 {
		return nil, false
	}
	columns, err := s.insertColumns(ctx, n)
	if err != nil {
		return nil, false
	}
	values, ok := constantRows(st.tokensIn(n.Body), len(columns))
	if !ok || len(values) == 0 {
		return nil, false
	}
	if len(n.Columns) > len(values[0]) {
		return nil, false // DuckDB says so
	}
	given := columns[:len(values[0])]
	params := make([]uint32, st.Params)
	for _, row := range values {
		for i, v := range row {
			if v.Kind == LiteralParam && params[v.Param-1] == 0 {
				params[v.Param-1] = oidOf(given[i].Type)
			}
		}
	}
	for i := range params {
		if i < len(oids) && oids[i] != 0 && oids[i] != wire.OIDUnknown {
			params[i] = oids[i]
		}
		if params[i] == 0 || wire.ElementOID(params[i]) != 0 || params[i] == wire.OIDBytea {
			return nil, false // DuckDB takes lists and bytes as they are
		}
	}
	if !s.fits(values, given) {
		return nil, false
	}
	return &plan{params: params, run: func(ctx context.Context, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
		f := &feedInsert{session: s, target: n.Target, columns: given, listed: len(n.Columns) > 0 || len(given) < len(columns)}
		return f.runValues(ctx, values, args, out)
	}}, true
}

// fits tries to decode the constants: what fails is left to DuckDB, which may
// read it, or says where it is wrong.
func (s *session) fits(values [][]Literal, columns []catalog.Column) bool {
	types := make([]catalog.Type, len(columns))
	decoders := make([]decoder, len(columns))
	for i, c := range columns {
		decoders[i], types[i] = newDecoder(c.Type, false, s.settings.location())
	}
	rows := catalog.NewColumns(types)
	for _, row := range values {
		for i, v := range row {
			if v.Kind == LiteralParam || v.Kind == LiteralNull {
				continue
			}
			if !suits(v, columns[i].Type) || decoders[i](rows, i, []byte(v.Text)) != nil {
				return false
			}
		}
	}
	return rows.Err() == nil
}

// suits reports whether a constant means to a column what its text says.
func suits(v Literal, t catalog.Type) bool {
	switch v.Kind {
	case LiteralString:
		return true
	case LiteralNumber:
		return isNumeric(t)
	case LiteralBool:
		return t.ID == catalog.TypeBoolean
	case LiteralTyped:
		return t.ID == catalog.TypeTimestampTZ
	default:
		return false
	}
}

func (f *feedInsert) runValues(ctx context.Context, values [][]Literal, args []wire.Value, out *wire.ResultWriter) (*execution, error) {
	if err := f.open(ctx, false, ""); err != nil {
		return nil, err
	}
	defer f.close()
	for _, row := range values {
		for i, v := range row {
			if err := f.add(i, v, args); err != nil {
				return nil, err
			}
		}
	}
	if err := f.rows.Err(); err != nil {
		return nil, err
	}
	n, err := f.insert(ctx, out)
	if err != nil {
		return nil, err
	}
	f.changed(n)
	return &execution{tag: fmt.Sprintf("INSERT 0 %d", n)}, nil
}

// add appends one value to its column.
func (f *feedInsert) add(col int, v Literal, args []wire.Value) error {
	if v.Kind == LiteralNull || v.Kind == LiteralParam && args[v.Param-1] == nil {
		f.rows.AppendNull(col)
		return nil
	}
	if v.Kind == LiteralParam {
		return f.addArgument(col, args[v.Param-1])
	}
	return f.decoders[col](f.rows, col, []byte(v.Text))
}

// addArgument appends an argument: as it is where its type is the column's,
// else by its text.
func (f *feedInsert) addArgument(col int, arg wire.Value) error {
	if sameKind(arg, f.columns[col].Type) {
		return appendValue(f.rows, col, arg)
	}
	return f.decoders[col](f.rows, col, []byte(valueText(arg)))
}

// sameKind reports whether appendValue stores an argument in a column of type
// t as what it is.
func sameKind(arg wire.Value, t catalog.Type) bool {
	switch arg.(type) {
	case int64:
		return t.ID == catalog.TypeSmallInt || t.ID == catalog.TypeInteger || t.ID == catalog.TypeBigInt
	case string:
		return t.ID == catalog.TypeVarchar
	case wire.Timestamp:
		return t.ID == catalog.TypeTimestamp || t.ID == catalog.TypeTimestampTZ
	case float64:
		return t.ID == catalog.TypeDouble
	case bool:
		return t.ID == catalog.TypeBoolean
	case wire.UUID:
		return t.ID == catalog.TypeUUID
	case wire.Numeric:
		return t.ID == catalog.TypeDecimal
	case wire.Date:
		return t.ID == catalog.TypeDate
	default:
		return false
	}
}

// constantRows reads VALUES rows of constants, all of one length, which is at
// most width; ok is false for anything else.
func constantRows(toks []Token, width int) (rows [][]Literal, ok bool) {
	if len(toks) == 0 || !toks[0].is("values") {
		return nil, false
	}
	i := 1
	for i < len(toks) {
		if !toks[i].isPunct("(") {
			return nil, false
		}
		var row []Literal
		if row, i, ok = constantRow(toks, i+1); !ok {
			return nil, false
		}
		if rows = append(rows, row); len(row) > width || len(row) != len(rows[0]) {
			return nil, false
		}
		if i < len(toks) {
			if !toks[i].isPunct(",") {
				return nil, false
			}
			i++
		}
	}
	return rows, true
}

// constantRow reads one row, up to and with its closing parenthesis.
func constantRow(toks []Token, i int) (row []Literal, next int, ok bool) {
	start := i
	for ; i < len(toks); i++ {
		if !toks[i].isPunct(",") && !toks[i].isPunct(")") {
			if toks[i].isPunct("(") || toks[i].isPunct("[") {
				return nil, i, false
			}
			continue
		}
		v := constant(toks[start:i])
		if v == nil {
			return nil, i, false
		}
		row = append(row, *v)
		if toks[i].isPunct(")") {
			return row, i + 1, true
		}
		start = i + 1
	}
	return nil, i, false
}
