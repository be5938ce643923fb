package catalog

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestDecimalText compares the text of 128-bit numbers with that of math/big,
// and reads it back.
func TestDecimalText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Int128{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Int64().Draw(t, "hi")}
		n := new(big.Int).Lsh(big.NewInt(v.Hi), 64)
		n.Add(n, new(big.Int).SetUint64(v.Lo))
		if got := v.String(); got != n.String() {
			t.Fatalf("%v is written %s", n, got)
		}
		if n.BitLen() <= 127 && int128Of(n) != v {
			t.Fatalf("%v is read as %v", n, int128Of(n))
		}
		scale := rapid.IntRange(0, 38).Draw(t, "scale")
		text := string(v.appendDecimal(nil, scale))
		if digits := len(strings.Trim(text, "-.")) - 1; digits > maxDecimalWidth {
			return
		}
		if back, ok := parseDecimal(text, maxDecimalWidth, scale); ok && back != v {
			t.Fatalf("%s is read as %v", text, back)
		}
	})
}

// TestDecimalParse compares reading decimals with math/big's.
func TestDecimalParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+-]?[0-9]{0,25}(\.[0-9]{0,15})?`).Draw(t, "text")
		width, scale := rapid.IntRange(1, 38).Draw(t, "width"), rapid.IntRange(0, 10).Draw(t, "scale")
		got, ok := parseDecimal(text, width, scale)
		want, exact := new(big.Rat).SetString(text)
		if exact {
			want.Mul(want, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
			limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(width)), nil)
			exact = want.IsInt() && want.Num().CmpAbs(limit) < 0
		}
		switch {
		case ok != exact:
			t.Fatalf("%q as DECIMAL(%d,%d): taken %v, should be %v", text, width, scale, ok, exact)
		case ok && got.String() != want.Num().String():
			t.Fatalf("%q as DECIMAL(%d,%d) is read as %v", text, width, scale, got)
		}
	})
}

func TestBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := BitString(rapid.StringMatching(`[01]{1,40}`).Draw(t, "bits"))
		if got := bitText(string(bitBytes(b))); got != b {
			t.Fatalf("%s came back as %s", b, got)
		}
	})
}

func TestUUIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var u UUID
		copy(u[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes"))
		if got := uuidOf(uuidBits(u)); got != u {
			t.Fatalf("%s came back as %s", u, got)
		}
	})
}

func FuzzParseError(f *testing.F) {
	for _, c := range errorCases() {
		f.Add(c.message)
	}
	f.Add(`Binder Error: {"exception_type":"Binder","exception_message":"Table \"t\" does not have a column named \"x\"","position":"7"}`)
	f.Add(`{"exception_type":"Conversion","exception_message":"Could not convert string ' to x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, class := range []string{"Catalog", "Binder", "Constraint", "Conversion", "Out of Range", "TransactionContext", "Invalid Input", "IO"} {
			if e := parseError(class + " Error: " + text); len(e.SQLState()) != 5 {
				t.Errorf("%q has the SQLSTATE %q", text, e.SQLState())
			}
		}
		_ = parseError(text)
	})
}
