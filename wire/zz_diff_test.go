package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestZZDiff(t *testing.T) {
	ctx := context.Background()
	pg, err := pgconn.Connect(ctx, "postgres://postgres@127.0.0.1:54329/postgres")
	if err != nil {
		t.Skip(err)
	}
	defer pg.Close(ctx)
	must := func(sql string) *pgconn.Result {
		r, err := pg.Exec(ctx, sql).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return r[0]
	}
	must("create temp table t(n serial, a text, b text)")
	modes := []struct {
		sql  string
		o    CopyOptions
		alph []string
	}{
		{"", CopyOptions{}, []string{"a", "\t", "\n", "\\", "N", ".", "x4", "1", "\\N", "\\.", "\r", "\r\n", "é", "\n", "\t"}},
		{" csv", CopyOptions{Format: CopyCSV}, []string{"a", ",", "\n", "\"", "\"\"", ".", "\\.", "\r", "\r\n", "b", "\n", ",", "\",\""}},
		{" csv escape '\\' null 'a'", CopyOptions{Format: CopyCSV, Escape: '\\', Null: ptr("a")}, []string{"a", ",", "\n", "\"", "\\", ".", "\r\n", "b", "\n", ","}},
	}
	diffs := map[string]int{}
	for i := range 20000 {
		m := modes[i%len(modes)]
		var data bytes.Buffer
		for range rand.IntN(14) {
			data.WriteString(m.alph[rand.IntN(len(m.alph))])
		}
		m.o.Names, m.o.Table = []string{"a", "b"}, "t"
		ours := readAll(readerOf(t, m.o, 2, data.Bytes()))
		must("truncate t")
		_, err := pg.CopyFrom(ctx, bytes.NewReader(data.Bytes()), "copy t(a,b) from stdin"+m.sql)
		var theirs string
		whole := ours
		_ = whole
		var pe *pgconn.PgError
		if errors.As(err, &pe) {
			theirs = fmt.Sprintf("%s %s (%s)", pe.Code, pe.Message, pe.Where)
			if j := strings.LastIndex(ours, "\n"); j >= 0 && strings.HasSuffix(ours, ")") { ours = ours[j+1:] }
			ours, _, _ = strings.Cut(ours, ": \"")
			theirs, _, _ = strings.Cut(theirs, ": \"")
			ours = strings.TrimSuffix(ours, ")"); theirs = strings.TrimSuffix(theirs, ")")
		} else {
			for _, row := range must("select a,b from t order by n").Rows {
				theirs += " "
				for _, f := range row {
					if f == nil {
						theirs += " NULL"
					} else {
						theirs += fmt.Sprintf(" %q", f)
					}
				}
				theirs += "\n"
			}
			var b strings.Builder
			for line := range strings.Lines(ours) {
				_, r, ok := strings.Cut(line, ": ")
				if !ok { r = line }
				b.WriteString("  " + r)
			}
			ours = b.String()
		}
		oe := strings.HasSuffix(whole, ")") && strings.Contains(whole, "(COPY t")
		if oe && pe != nil { continue }
		if ours != theirs {
			k := fmt.Sprintf("mode %d", i%len(modes))
			diffs[k]++
			if diffs[k] < 9 {
				t.Errorf("mode %d %q:\nours   %q\ntheirs %q", i%len(modes), data.String(), whole, theirs)
			}
		}
	}
	t.Log(diffs)
}
