package sessionop

import (
	"crypto/md5" // an identity that DuckDB's md5_number computes too, not a secret
	"encoding/binary"
)

// Hash is a 128-bit hash, or a sum of hashes. Its halves are added apart, each
// modulo 2^64, so that members can be added to a session's hash and taken out
// of it in any order.
type Hash struct{ Hi, Lo uint64 }

// HashBytes returns the hash of b: the halves of its MD5 digest, each read
// little-endian, Hi from the first eight bytes. In DuckDB, Hi is
// md5_number_upper(b) and Lo is md5_number_lower(b).
func HashBytes(b []byte) Hash {
	digest := md5.Sum(b)
	return Hash{
		Hi: binary.LittleEndian.Uint64(digest[:8]),
		Lo: binary.LittleEndian.Uint64(digest[8:]),
	}
}

// UUID returns the hash as 16 bytes in network order: Hi, then Lo.
func (h Hash) UUID() [16]byte {
	var u [16]byte
	binary.BigEndian.PutUint64(u[:8], h.Hi)
	binary.BigEndian.PutUint64(u[8:], h.Lo)
	return u
}

func (h Hash) plus(o Hash) Hash  { return Hash{Hi: h.Hi + o.Hi, Lo: h.Lo + o.Lo} }
func (h Hash) minus(o Hash) Hash { return Hash{Hi: h.Hi - o.Hi, Lo: h.Lo - o.Lo} }

// keyHash is a key's part of its sessions' ids.
func keyHash(key string) Hash { return HashBytes([]byte(key)) }
