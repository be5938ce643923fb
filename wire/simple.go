package wire

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
)

// query answers a simple Query message: its statements one after the other,
// up to the first error. Like Postgres it does away with the unnamed
// statement and portal.
func (c *conn) query(text string) error {
	c.store.closeStatement("")
	c.store.closePortal("")
	err := c.run(func(ctx context.Context) error { return c.statements(ctx, text) })
	if err != nil {
		if err := c.fail(err); err != nil {
			return err
		}
	}
	return c.sync()
}

func (c *conn) statements(ctx context.Context, text string) error {
	if err := validText(text); err != nil {
		return err
	}
	pieces, err := c.session.Split(text)
	if err != nil {
		return err
	}
	if len(pieces) == 0 {
		c.out.send(&pgproto3.EmptyQueryResponse{})
	}
	for _, p := range pieces {
		if err := c.piece(ctx, p.SQL); err != nil {
			return shifted(err, text, p.Offset)
		}
	}
	return nil
}

// piece runs one statement of a simple Query. Its rows go out as text.
func (c *conn) piece(ctx context.Context, sql string) error {
	stmt, err := c.session.Prepare(ctx, sql, nil, true)
	if err != nil {
		return err
	}
	defer stmt.Close()
	if len(stmt.ParamTypes()) > 0 {
		return Errorf("42P02", "there is no parameter $1").
			WithHint("Parameters need the extended query protocol: Parse and Bind.")
	}
	p, err := stmt.Bind(ctx, nil)
	if err != nil {
		return err
	}
	defer p.Close()
	if columns := p.Columns(); columns != nil {
		c.sendRowDescription(columns, nil)
	}
	return c.runPortal(ctx, p, nil, 0)
}

// shifted moves an error's position from a piece to the whole message.
func shifted(err error, text string, offset int) error {
	e, internal := asError(err)
	if internal || e.Position == 0 || offset > len(text) {
		return err
	}
	return e.WithPosition(e.Position + utf8.RuneCountInString(text[:offset]))
}

// validText refuses text that is no UTF-8, before anybody else sees it.
func validText(s string) error {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return nil
	}
	return badUTF8([]byte(s))
}

// badUTF8 names the first bytes that are no UTF-8, or are zero.
func badUTF8(b []byte) error {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == 0 || r == utf8.RuneError && size == 1 {
			return Errorf(codeNotInRepertoire, `invalid byte sequence for encoding "UTF8": 0x%02x`, b[0])
		}
		b = b[size:]
	}
	return nil
}

// clean makes text fit to stand in a message: as UTF-8, and without zero
// bytes, which would end it early.
func clean(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
