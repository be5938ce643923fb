package sqltests

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// An answer is the result of one statement.
type answer struct {
	fields []pgconn.FieldDescription
	rows   [][][]byte
	tag    string
	format int16 // of every cell
}

const columnSeparator = " | "

// lines renders text cells as a script writes them: NULL for NULL, ” for an
// empty string.
func (a *answer) lines() []string {
	lines := make([]string, len(a.rows))
	for i, row := range a.rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			switch {
			case cell == nil:
				cells[j] = "NULL"
			case len(cell) == 0:
				cells[j] = "''"
			default:
				cells[j] = string(cell)
			}
		}
		lines[i] = strings.Join(cells, columnSeparator)
	}
	return lines
}

// canonicalLines renders cells of either format by their values, so that text
// and binary answers compare.
func (a *answer) canonicalLines() ([]string, error) {
	types := pgtype.NewMap()
	lines := make([]string, len(a.rows))
	for i, row := range a.rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			text, err := canonical(types, a.fields[j].DataTypeOID, a.format, cell)
			if err != nil {
				return nil, fmt.Errorf("row %d, column %s: %w", i+1, a.fields[j].Name, err)
			}
			cells[j] = text
		}
		lines[i] = strings.Join(cells, columnSeparator)
	}
	return lines, nil
}

// expected reads rows as scripts write them, in the text format.
func expected(lines []string, fields []pgconn.FieldDescription) (*answer, error) {
	a := &answer{fields: fields, format: pgtype.TextFormatCode}
	for _, line := range lines {
		cells := strings.Split(line, columnSeparator)
		if len(cells) != len(fields) {
			return nil, fmt.Errorf("%d cells where the answer has %d columns: %s", len(cells), len(fields), line)
		}
		row := make([][]byte, len(cells))
		for j, cell := range cells {
			switch cell {
			case "NULL":
			case "''":
				row[j] = []byte{}
			default:
				row[j] = []byte(cell)
			}
		}
		a.rows = append(a.rows, row)
	}
	return a, nil
}

// canonical is one cell as text that does not depend on its format.
func canonical(types *pgtype.Map, oid uint32, format int16, cell []byte) (string, error) {
	if cell == nil {
		return "NULL", nil
	}
	known, ok := types.TypeForOID(oid)
	if !ok {
		return "", fmt.Errorf("type with OID %d is unknown", oid)
	}
	value, err := known.Codec.DecodeValue(types, oid, format, cell)
	if err != nil {
		return "", fmt.Errorf("%s: %w", known.Name, err)
	}
	return valueText(value)
}

func valueText(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "NULL", nil
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case pgtype.Numeric:
		return numericText(v), nil
	case []any:
		cells := make([]string, len(v))
		for i, item := range v {
			text, err := valueText(item)
			if err != nil {
				return "", err
			}
			cells[i] = text
		}
		return "[" + strings.Join(cells, ",") + "]", nil
	case map[string]any:
		text, err := json.Marshal(v)
		return string(text), err
	case [16]byte, []byte:
		return fmt.Sprintf("%x", v), nil
	default:
		return fmt.Sprintf("%v", v), nil
	}
}

func numericText(n pgtype.Numeric) string {
	switch {
	case n.NaN:
		return "NaN"
	case n.InfinityModifier != pgtype.Finite:
		return fmt.Sprint(n.InfinityModifier)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n.Exp, -n.Exp))), nil)
	if n.Exp < 0 {
		return new(big.Rat).SetFrac(n.Int, scale).RatString()
	}
	return new(big.Int).Mul(n.Int, scale).String()
}

// names lists the columns' names; typeNames their types'.
func (a *answer) names() string {
	names := make([]string, len(a.fields))
	for i, f := range a.fields {
		names[i] = f.Name
	}
	return strings.Join(names, ",")
}

func (a *answer) typeNames() string {
	types := pgtype.NewMap()
	names := make([]string, len(a.fields))
	for i, f := range a.fields {
		names[i] = fmt.Sprint(f.DataTypeOID)
		if known, ok := types.TypeForOID(f.DataTypeOID); ok {
			names[i] = known.Name
		}
	}
	return strings.Join(names, ",")
}

// difference compares an answer with the rows that a script expects; empty
// text says that they are equal.
func (a *answer) difference(want []string, unordered bool) string {
	got, expect := a.lines(), slices.Clone(want)
	if a.format == pgtype.BinaryFormatCode {
		var err error
		if got, expect, err = canonicalBoth(a, want); err != nil {
			return err.Error()
		}
	}
	if unordered {
		slices.Sort(got)
		slices.Sort(expect)
	}
	if slices.Equal(got, expect) {
		return ""
	}
	return "got\n  " + strings.Join(got, "\n  ") + "\nwant\n  " + strings.Join(expect, "\n  ")
}

func canonicalBoth(a *answer, want []string) (got, expect []string, err error) {
	if got, err = a.canonicalLines(); err != nil {
		return nil, nil, err
	}
	rows, err := expected(want, a.fields)
	if err != nil {
		return nil, nil, err
	}
	expect, err = rows.canonicalLines()
	return got, expect, err
}
