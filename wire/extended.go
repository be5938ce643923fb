package wire

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5/pgproto3"
)

// parse prepares a statement. A failed Parse of the unnamed statement leaves
// none behind; a named one must be new.
func (c *conn) parse(ctx context.Context, m *pgproto3.Parse) error {
	if err := c.store.freeStatement(m.Name); err != nil {
		return err
	}
	if err := validText(m.Query); err != nil {
		return err
	}
	stmt, err := c.session.Prepare(ctx, m.Query, slices.Clone(m.ParameterOIDs), false)
	if err != nil {
		return err
	}
	c.store.statements[m.Name] = stmt
	c.out.send(&pgproto3.ParseComplete{})
	return nil
}

// bind makes a portal of a statement and its arguments.
func (c *conn) bind(ctx context.Context, m *pgproto3.Bind) error {
	stmt, err := c.store.statement(m.PreparedStatement)
	if err != nil {
		return err
	}
	if err := c.store.freePortal(m.DestinationPortal); err != nil {
		return err
	}
	if err := checkFormats(m, stmt); err != nil {
		return err
	}
	args, err := c.arguments(m, stmt.ParamTypes())
	if err != nil {
		return err
	}
	bound, err := stmt.Bind(ctx, args)
	if err != nil {
		return err
	}
	c.store.portals[m.DestinationPortal] = &portal{Portal: bound, formats: slices.Clone(m.ResultFormatCodes)}
	c.out.send(&pgproto3.BindComplete{})
	return nil
}

// checkFormats holds the counts of a Bind message against each other and
// against the statement.
func checkFormats(m *pgproto3.Bind, stmt Statement) error {
	if n := len(m.ParameterFormatCodes); n > 1 && n != len(m.Parameters) {
		return Errorf(codeProtocolViolation, "bind message has %d parameter formats but %d parameters", n, len(m.Parameters))
	}
	if n := len(stmt.ParamTypes()); n != len(m.Parameters) {
		return Errorf(codeProtocolViolation, `bind message supplies %d parameters, but prepared statement "%s" requires %d`,
			len(m.Parameters), m.PreparedStatement, n)
	}
	columns := stmt.Columns()
	if n := len(m.ResultFormatCodes); columns != nil && n > 1 && n != len(columns) {
		return Errorf(codeProtocolViolation, "bind message has %d result formats but query has %d columns", n, len(columns))
	}
	for _, codes := range [][]int16{m.ParameterFormatCodes, m.ResultFormatCodes} {
		for _, code := range codes {
			if code != formatText && code != formatBinary {
				return Errorf(codeInvalidParameter, "unsupported format code: %d", code)
			}
		}
	}
	return nil
}

// arguments decodes the parameters of a Bind message.
func (c *conn) arguments(m *pgproto3.Bind, oids []uint32) ([]Value, error) {
	if len(m.Parameters) == 0 {
		return nil, nil
	}
	args := make([]Value, len(m.Parameters))
	for i, raw := range m.Parameters {
		if raw == nil {
			continue
		}
		value, err := c.argument(raw, oids[i], formatOf(m.ParameterFormatCodes, i))
		if err != nil {
			e, _ := asError(err)
			return nil, e.WithWhere("unnamed portal parameter $%d", i+1)
		}
		args[i] = value
	}
	return args, nil
}

func (c *conn) argument(raw []byte, oid uint32, format int16) (Value, error) {
	if format == formatBinary {
		return ParseBinary(oid, raw)
	}
	text := string(raw)
	if err := validText(text); err != nil {
		return nil, err
	}
	return ParseText(oid, text, c.rows.Location())
}

// formatOf is the format of item i: the formats are none (all text), one for
// all items, or one for each.
func formatOf(formats []int16, i int) int16 {
	switch len(formats) {
	case 0:
		return formatText
	case 1:
		return formats[0]
	default:
		if i < len(formats) {
			return formats[i]
		}
		return formatText
	}
}

// describe answers a Describe message of either kind.
func (c *conn) describe(m *pgproto3.Describe) error {
	if m.ObjectType == 'P' {
		p, err := c.store.portal(m.Name)
		if err != nil {
			return c.describeCursor(m.Name, err)
		}
		c.sendColumns(p.Columns(), p.formats)
		return nil
	}
	stmt, err := c.store.statement(m.Name)
	if err != nil {
		return err
	}
	c.out.send(&pgproto3.ParameterDescription{ParameterOIDs: stmt.ParamTypes()})
	c.sendColumns(stmt.Columns(), nil)
	return nil
}

// describeCursor describes a cursor that SQL's DECLARE made, which Postgres
// keeps among the portals; missing is the answer if there is none.
func (c *conn) describeCursor(name string, missing error) error {
	s, ok := c.session.(CursorDescriber)
	if !ok {
		return missing
	}
	columns, ok := s.Cursor(name)
	if !ok {
		return missing
	}
	c.sendColumns(columns, nil)
	return nil
}

func (c *conn) sendColumns(columns []Column, formats []int16) {
	if columns == nil {
		c.out.send(&pgproto3.NoData{})
		return
	}
	c.sendRowDescription(columns, formats)
}

func (c *conn) sendRowDescription(columns []Column, formats []int16) {
	fields := make([]pgproto3.FieldDescription, len(columns))
	for i := range columns {
		col := &columns[i]
		fields[i] = pgproto3.FieldDescription{
			Name:                 []byte(clean(col.Name)),
			TableOID:             col.TableOID,
			TableAttributeNumber: uint16(col.AttNum),
			DataTypeOID:          col.Type.OID,
			DataTypeSize:         col.Type.Size,
			TypeModifier:         col.Type.Typmod,
			Format:               formatOf(formats, i),
		}
	}
	c.out.send(&pgproto3.RowDescription{Fields: fields})
}

// execute runs a portal, or goes on with it. It never describes the rows.
func (c *conn) execute(ctx context.Context, m *pgproto3.Execute) error {
	p, err := c.store.portal(m.Portal)
	if err != nil {
		return err
	}
	return c.runPortal(ctx, p.Portal, p.formats, int64(int32(m.MaxRows)))
}

// runPortal sends a portal's rows, and how it ended. Without a bound (zero or
// less) it runs to completion.
func (c *conn) runPortal(ctx context.Context, p Portal, formats []int16, maxRows int64) error {
	c.rows.begin(ctx, formats)
	defer c.rows.end()
	maxRows = max(maxRows, 0)
	for {
		tag, done, err := p.Run(ctx, &c.rows, maxRows)
		if err == nil && done {
			err = c.rows.finish()
		}
		switch {
		case err != nil:
			return err
		case !done && maxRows > 0:
			c.out.send(&pgproto3.PortalSuspended{})
			return nil
		case done && tag == "":
			c.out.send(&pgproto3.EmptyQueryResponse{})
			return nil
		case done:
			c.out.send(&pgproto3.CommandComplete{CommandTag: []byte(clean(tag))})
			return nil
		}
	}
}

// closeNamed closes a statement or portal. There need not be one.
func (c *conn) closeNamed(m *pgproto3.Close) error {
	if m.ObjectType == 'P' {
		c.store.closePortal(m.Name)
	} else {
		c.store.closeStatement(m.Name)
	}
	c.out.send(&pgproto3.CloseComplete{})
	return nil
}
