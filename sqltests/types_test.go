package sqltests

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// A typeCase is a type and some of its values, as Postgres prints them.
type typeCase struct {
	ddl    string
	oid    uint32
	values []string
}

func typeCases() []typeCase {
	return []typeCase{
		{"bool", pgtype.BoolOID, []string{"t", "f"}},
		{"smallint", pgtype.Int2OID, []string{"0", "-32768", "32767"}},
		{"int", pgtype.Int4OID, []string{"0", "-2147483648", "2147483647"}},
		{"bigint", pgtype.Int8OID, []string{"0", "-9223372036854775808", "9223372036854775807"}},
		{"real", pgtype.Float4OID, []string{"0", "-1.5", "123456", "1e+06", "3.4028235e+38", "1e-45", "0.1", "NaN", "Infinity", "-Infinity"}},
		{"double precision", pgtype.Float8OID, []string{
			"0", "0.1", "1000000", "100000000000000", "1e+15", "0.0001", "1e-05",
			"5e-324", "1.7976931348623157e+308", "NaN", "Infinity", "-Infinity",
		}},
		{"numeric(12,2)", pgtype.NumericOID, []string{"0.00", "134.00", "-9999999999.99", "0.01"}},
		{"numeric(38,10)", pgtype.NumericOID, []string{"0.0000000001", "-1234567890123456789012345678.0123456789", "10000.0000000000"}},
		{"numeric(9,0)", pgtype.NumericOID, []string{"0", "999999999", "-10000"}},
		{"text", pgtype.TextOID, []string{"", "a b", "NULL", "ä€🙂", `quote ' and " and \ done`, "tab\tand\nnewline", strings.Repeat("long ", 100)}},
		{"varchar", pgtype.VarcharOID, []string{"", "x", "exactly 12 b", "13 bytes here"}},
		{"date", pgtype.DateOID, []string{"2026-10-06", "1970-01-01", "0001-01-01", "9999-12-31", "0044-03-15 BC", "infinity", "-infinity"}},
		{"time", pgtype.TimeOID, []string{"00:00:00", "09:11:00", "23:59:59.999999", "12:30:00.5"}},
		{"timestamp", pgtype.TimestampOID, []string{"2026-10-06 09:00:00", "1969-12-31 23:59:59.999999", "2026-10-06 09:00:00.5", "0044-03-15 12:00:00 BC", "infinity", "-infinity"}},
		{"timestamptz", pgtype.TimestamptzOID, []string{"2026-10-06 09:00:00+00", "1969-12-31 23:59:59.999999+00", "0044-03-15 12:00:00+00 BC", "infinity", "-infinity"}},
		{"interval", pgtype.IntervalOID, []string{"00:00:00", "00:11:00", "1 mon 2 days 03:04:05", "-1 mons +2 days -03:00:00.5", "1 year 2 mons", "-1 days", "100:00:00"}},
		{"uuid", pgtype.UUIDOID, []string{"00000000-0000-0000-0000-000000000000", "7f3c1a2e-9b54-4d21-8f60-0123456789ab", "ffffffff-ffff-ffff-ffff-ffffffffffff"}},
		{"bytea", pgtype.ByteaOID, []string{`\x`, `\x00ff`, `\x6162`}},
		{"json", pgtype.JSONOID, []string{`{"a":[1,null,"x"]}`, "[]", "3.5", `"text"`}},
		{"int[]", pgtype.Int4ArrayOID, []string{"{}", "{1}", "{1,NULL,-3}"}},
		{"bigint[]", pgtype.Int8ArrayOID, []string{"{}", "{9223372036854775807,NULL}"}},
		{"text[]", pgtype.TextArrayOID, []string{"{}", `{"a b","",NULL,"NULL",plain}`, `{"q\"x","\\"}`, `{"a,b","{}"}`}},
		{"bool[]", pgtype.BoolArrayOID, []string{"{t,f,NULL}"}},
		{"float8[]", pgtype.Float8ArrayOID, []string{"{0.1,NaN,-Infinity}"}},
		{"uuid[]", pgtype.UUIDArrayOID, []string{"{7f3c1a2e-9b54-4d21-8f60-0123456789ab}"}},
		{"date[]", pgtype.DateArrayOID, []string{"{2026-10-06,NULL}"}},
		{"timestamptz[]", pgtype.TimestamptzArrayOID, []string{`{"2026-10-06 09:00:00+00"}`}},
		{"smallint[]", pgtype.Int2ArrayOID, []string{"{-32768,NULL,32767}"}},
		{"real[]", pgtype.Float4ArrayOID, []string{"{0.1,NaN,1e+06}"}},
		{"timestamp[]", pgtype.TimestampArrayOID, []string{`{"2026-10-06 09:00:00.5",NULL}`}},
		{"time[]", pgtype.TimeArrayOID, []string{"{09:00:00,23:59:59.999999}"}},
		{"interval[]", pgtype.IntervalArrayOID, []string{`{"1 mon 2 days 03:04:05",-00:11:00}`}},
		{"bytea[]", pgtype.ByteaArrayOID, []string{`{"\\x00ff",NULL,"\\x"}`}},
		{"numeric(12,2)[]", pgtype.NumericArrayOID, []string{"{1.50,-0.01}"}},
	}
}

// Every value goes in five ways and comes out in five, exactly.
func TestTypes(t *testing.T) { testTypes(t, serve(t).url()) }

func testTypes(t *testing.T, url string) {
	t.Helper()
	for _, c := range typeCases() {
		t.Run(c.ddl, func(t *testing.T) {
			conn := connectTo(t, url).PgConn()
			x := &typeTest{t: t, conn: conn, typeCase: c}
			x.exec("SET TimeZone = 'UTC'")
			x.exec("DROP TABLE IF EXISTS typed")
			x.exec("CREATE TABLE typed (n int, v " + c.ddl + ")")
			for way, insert := range map[string]func(int, string) error{
				"literal": x.insertLiteral, "untyped parameter": x.insertUntyped, "binary parameter": x.insertBinary,
				"copy text": x.copyText, "copy csv": x.copyCSV,
			} {
				x.exec("DELETE FROM typed")
				failed := false
				for i, value := range c.values {
					if err := insert(i, value); err != nil {
						t.Errorf("%s of %s: %v", way, value, describe(err))
						failed = true
					}
				}
				x.exec(fmt.Sprintf("INSERT INTO typed VALUES (%d, NULL)", len(c.values)))
				if !failed {
					x.readBack(way)
				}
			}
		})
	}
}

type typeTest struct {
	typeCase

	t    *testing.T
	conn *pgconn.PgConn
}

func (x *typeTest) exec(sql string) {
	x.t.Helper()
	if _, err := simple(x.t.Context(), x.conn, sql); err != nil {
		x.t.Fatalf("%s: %v", sql, describe(err))
	}
}

func (x *typeTest) insertLiteral(n int, value string) error {
	_, err := simple(x.t.Context(), x.conn, fmt.Sprintf("INSERT INTO typed VALUES (%d, '%s')", n, strings.ReplaceAll(value, "'", "''")))
	return err
}

const insertParameters = "INSERT INTO typed VALUES ($1, $2)"

func (x *typeTest) insertUntyped(n int, value string) error {
	args := [][]byte{fmt.Append(nil, n), []byte(value)}
	return x.conn.ExecParams(x.t.Context(), insertParameters, args, nil, nil, nil).Read().Err
}

func (x *typeTest) insertBinary(n int, value string) error {
	encoded, err := binaryOf(x.oid, value)
	if err != nil {
		x.t.Fatalf("cannot encode %s: %v", value, err)
	}
	args, oids := [][]byte{fmt.Append(nil, n), encoded}, []uint32{pgtype.Int4OID, x.oid}
	return x.conn.ExecParams(x.t.Context(), insertParameters, args, oids, []int16{0, 1}, nil).Read().Err
}

func (x *typeTest) copyText(n int, value string) error {
	escaped := strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`).Replace(value)
	_, err := x.conn.CopyFrom(x.t.Context(), strings.NewReader(fmt.Sprintf("%d\t%s\n", n, escaped)), "COPY typed FROM STDIN")
	return err
}

func (x *typeTest) copyCSV(n int, value string) error {
	quoted := `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	_, err := x.conn.CopyFrom(x.t.Context(), strings.NewReader(fmt.Sprintf("%d,%s\n", n, quoted)), "COPY typed FROM STDIN (FORMAT csv)")
	return err
}

// binaryOf encodes a value's text as pgx would send it in binary.
func binaryOf(oid uint32, text string) ([]byte, error) {
	types := pgtype.NewMap()
	known, _ := types.TypeForOID(oid)
	value, err := known.Codec.DecodeValue(types, oid, pgtype.TextFormatCode, []byte(text))
	if err != nil {
		return nil, err
	}
	if oid == pgtype.JSONOID {
		value = []byte(text)
	}
	if infinity, ok := value.(pgtype.InfinityModifier); ok {
		value = infinite(oid, infinity)
	}
	buffer := []byte{} // so that an empty value is not a NULL
	return types.Encode(oid, pgtype.BinaryFormatCode, value, buffer)
}

func infinite(oid uint32, infinity pgtype.InfinityModifier) any {
	switch oid {
	case pgtype.DateOID:
		return pgtype.Date{InfinityModifier: infinity, Valid: true}
	case pgtype.TimestampOID:
		return pgtype.Timestamp{InfinityModifier: infinity, Valid: true}
	default:
		return pgtype.Timestamptz{InfinityModifier: infinity, Valid: true}
	}
}

// readBack compares every way out with the values that went in.
func (x *typeTest) readBack(way string) {
	x.t.Helper()
	const query = "SELECT v FROM typed ORDER BY n"
	simpleAnswer, err := simple(x.t.Context(), x.conn, query)
	x.compare(way+", simple", simpleAnswer, err)
	text, err := read(x.conn.ExecParams(x.t.Context(), query, nil, nil, nil, nil), pgtype.TextFormatCode)
	x.compare(way+", text", text, err)
	binary, err := read(x.conn.ExecParams(x.t.Context(), query, nil, nil, nil, []int16{1}), pgtype.BinaryFormatCode)
	x.compare(way+", binary", binary, err)
	x.compareCopies(way)
}

func (x *typeTest) compare(way string, got *answer, err error) {
	x.t.Helper()
	if err != nil {
		x.t.Errorf("%s: %v", way, describe(err))
		return
	}
	// DuckDB keeps no difference between varchar and text.
	if oid := got.fields[0].DataTypeOID; oid != x.oid && x.ddl != "varchar" {
		x.t.Errorf("%s: described as type %d, want %d", way, oid, x.oid)
	}
	types := pgtype.NewMap()
	for i, value := range append(slices.Clip(x.values), "NULL itself") {
		cell := got.rows[i][0]
		if i == len(x.values) {
			if cell != nil {
				x.t.Errorf("%s: NULL came back as %q", way, cell)
			}
			continue
		}
		if got.format == pgtype.TextFormatCode {
			if string(cell) != value || cell == nil {
				x.t.Errorf("%s: %q came back as %q", way, value, cell)
			}
			continue
		}
		want, _ := canonical(types, x.oid, pgtype.TextFormatCode, []byte(value))
		if have, err := canonical(types, x.oid, pgtype.BinaryFormatCode, cell); err != nil || have != want {
			x.t.Errorf("%s: %q came back as %x, which is %q (%v)", way, value, cell, have, err)
		}
	}
}

// compareCopies reads COPY TO STDOUT in csv.
func (x *typeTest) compareCopies(way string) {
	x.t.Helper()
	var out bytes.Buffer
	if _, err := x.conn.CopyTo(x.t.Context(), &out, "COPY (SELECT v FROM typed WHERE v IS NOT NULL ORDER BY n) TO STDOUT (FORMAT csv, FORCE_QUOTE *)"); err != nil {
		x.t.Errorf("%s, copy csv: %v", way, describe(err))
		return
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != len(x.values) {
		x.t.Errorf("%s, copy csv: %d rows, want %d (%v)", way, len(rows), len(x.values), err)
		return
	}
	for i, value := range x.values {
		if rows[i][0] != value {
			x.t.Errorf("%s, copy csv: %q came back as %q", way, value, rows[i][0])
		}
	}
}
