package planner

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

func byteFunctions() []catalog.Function {
	const text, blob, whole = catalog.TypeVarchar, catalog.TypeBlob, catalog.TypeBigInt
	return []catalog.Function{
		{
			Name: "sessiondb_encode", Params: types(blob, text), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) { return encodeBytes(arg[string](a, 0), arg[string](a, 1)) },
		},
		{
			Name: "sessiondb_decode", Params: types(text, text), Result: catalog.Simple(blob),
			Call: func(a []any) (any, error) { return decodeBytes(arg[string](a, 0), arg[string](a, 1)) },
		},
		{
			Name: "sessiondb_sha", Params: types(blob, whole), Result: catalog.Simple(blob),
			Call: func(a []any) (any, error) { return digest(arg[string](a, 0), arg[int64](a, 1)), nil },
		},
		{
			Name: "sessiondb_get_bits", Params: types(blob, whole, whole), Result: catalog.Simple(whole),
			Call: func(a []any) (any, error) {
				return bitsAt(arg[string](a, 0), arg[int64](a, 1), arg[int64](a, 2))
			},
		},
		{
			Name: "sessiondb_set_bits", Params: types(blob, whole, whole, whole), Result: catalog.Simple(blob),
			Call: func(a []any) (any, error) {
				return withBits(arg[string](a, 0), arg[int64](a, 1), arg[int64](a, 2), arg[int64](a, 3))
			},
		},
	}
}

// base64Line is where Postgres breaks the lines of base64.
const base64Line = 76

// encodeBytes is encode().
func encodeBytes(b, format string) (string, error) {
	switch strings.ToLower(format) {
	case "hex":
		return hex.EncodeToString([]byte(b)), nil
	case "base64":
		text := base64.StdEncoding.EncodeToString([]byte(b))
		var lines []string
		for ; len(text) > base64Line; text = text[base64Line:] {
			lines = append(lines, text[:base64Line])
		}
		return strings.Join(append(lines, text), "\n"), nil
	case "escape":
		var out strings.Builder
		for _, c := range []byte(b) {
			switch {
			case c == 0 || c >= 0x80:
				fmt.Fprintf(&out, `\%03o`, c)
			case c == '\\':
				out.WriteString(`\\`)
			default:
				out.WriteByte(c)
			}
		}
		return out.String(), nil
	}
	return "", wire.Errorf("22023", `unrecognized encoding: "%s"`, format)
}

// decodeBytes is decode().
func decodeBytes(s, format string) (string, error) {
	blanks := strings.NewReplacer(" ", "", "\n", "", "\t", "", "\r", "")
	switch strings.ToLower(format) {
	case "hex":
		b, err := hex.DecodeString(blanks.Replace(s))
		if err != nil {
			return "", wire.Errorf("22023", "invalid hexadecimal data")
		}
		return string(b), nil
	case "base64":
		b, err := base64.StdEncoding.DecodeString(blanks.Replace(s))
		if err != nil {
			return "", wire.Errorf("22023", "invalid base64 end sequence")
		}
		return string(b), nil
	case "escape":
		b, ok := byteaLiteral(`\\` + s) // so that \x is no hex
		if !ok {
			return "", wire.Errorf("22P02", "invalid input syntax for type bytea")
		}
		return string(b[1:]), nil
	}
	return "", wire.Errorf("22023", `unrecognized encoding: "%s"`, format)
}

// digest is the SHA-2 hash of so many bits.
func digest(b string, bits int64) string {
	switch bits {
	case 224:
		d := sha256.Sum224([]byte(b))
		return string(d[:])
	case 256:
		d := sha256.Sum256([]byte(b))
		return string(d[:])
	case 384:
		d := sha512.Sum384([]byte(b))
		return string(d[:])
	default:
		d := sha512.Sum512([]byte(b))
		return string(d[:])
	}
}

// bitsAt is get_byte() and get_bit(): size bits at a place, of which bits
// count from the low end of a byte.
func bitsAt(b string, at, size int64) (any, error) {
	index, shift, err := placeOfBits(b, at, size)
	if err != nil {
		return nil, err
	}
	return int64(b[index]>>shift) & (1<<size - 1), nil
}

// withBits is set_byte() and set_bit().
func withBits(b string, at, value, size int64) (any, error) {
	index, shift, err := placeOfBits(b, at, size)
	if err != nil {
		return nil, err
	}
	if size == 1 && value != 0 && value != 1 {
		return nil, wire.Errorf("22023", "new bit must be 0 or 1")
	}
	out := []byte(b)
	mask := byte(1<<size-1) << shift
	out[index] = out[index]&^mask | byte(value)<<shift&mask
	return string(out), nil
}

func placeOfBits(b string, at, size int64) (index int64, shift uint, err error) {
	count := int64(len(b)) * 8 / size
	if at < 0 || at >= count {
		return 0, 0, wire.Errorf("2202E", "index %d out of valid range, 0..%d", at, count-1)
	}
	return at * size / 8, uint(at * size % 8), nil
}
