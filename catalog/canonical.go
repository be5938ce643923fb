package catalog

import (
	"crypto/md5"
	"fmt"
	"strings"

	"github.com/sessiondb/sessiondb/sessionop"
)

// Rows are recognised by hashes of a canonical text: for every column its
// length and its text, or n for NULL. It is the same on every machine and in
// every session, whatever the time zone; a test holds it equal to the
// operator's.

// canonicalSQL is the canonical text of some columns.
func canonicalSQL(cols []ContractColumn) string {
	parts := make([]string, len(cols))
	for i, c := range cols {
		text := canonicalText(c)
		parts[i] = "coalesce(strlen(" + text + ") || ':' || " + text + ", 'n')"
	}
	return strings.Join(parts, " || ")
}

// canonicalText is one column as text that depends on no setting.
func canonicalText(c ContractColumn) string {
	switch c.Type {
	case "TIMESTAMP WITH TIME ZONE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS":
		return "CAST(epoch_us(" + c.SQL + ") AS VARCHAR)"
	case "VARCHAR":
		return "(" + c.SQL + ")"
	default:
		return "CAST((" + c.SQL + ") AS VARCHAR)"
	}
}

// microsSQL is the event time in microseconds from 1970; NULL where there is
// none or an infinite one.
func (c *Contract) microsSQL() string {
	t := "(" + c.EventTime.SQL + ")"
	if c.EventTime.Type == "DATE" {
		t = "CAST(" + t + " AS TIMESTAMP)"
	}
	return "CASE WHEN isfinite(" + t + ") THEN epoch_us(" + t + ") END"
}

// valueColumns are the columns that make a row: key, time, partition and what
// the measures name, each once.
func (c *Contract) valueColumns() []ContractColumn {
	cols := append([]ContractColumn{}, c.Keys...)
	cols = append(cols, c.EventTime)
	if c.Partition != nil {
		cols = append(cols, *c.Partition)
	}
	seen := map[string]bool{}
	out := cols[:0:0]
	for _, col := range append(cols, c.Values...) {
		if !seen[col.SQL] {
			seen[col.SQL] = true
			out = append(out, col)
		}
	}
	return out
}

// memberSQL is the 128-bit hash that stands for a row's identity: of its id,
// or of its values where the contract names no id.
func (c *Contract) memberSQL() string {
	if len(c.IDs) == 0 {
		return "md5_number(" + canonicalSQL(c.valueColumns()) + ")"
	}
	return "md5_number(" + canonicalSQL(c.IDs) + ")"
}

// valuesHashSQL is the 64-bit hash of a row's values.
func (c *Contract) valuesHashSQL() string {
	return "CAST(md5_number(" + canonicalSQL(c.valueColumns()) + ") & 18446744073709551615::UHUGEINT AS UBIGINT)"
}

func anyNullSQL(cols []ContractColumn) string {
	if len(cols) == 0 {
		return "false"
	}
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = "(" + c.SQL + ") IS NULL"
	}
	return strings.Join(parts, " OR ")
}

// KeyPartitions is the number of parts that sessions are spread over by key.
const KeyPartitions = 64

// PartitionOf is the part that a canonical key belongs to.
func PartitionOf(key string) int16 {
	return int16(sessionop.HashBytes([]byte(key)).Hi % KeyPartitions)
}

// PartitionSQL is PartitionOf over the key columns by name.
func PartitionSQL(c *Contract) string {
	keys := make([]ContractColumn, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = ContractColumn{SQL: QuoteIdent(k.Name), Type: k.Type}
	}
	return fmt.Sprintf("CAST(md5_number(%s) & %d::UHUGEINT AS SMALLINT)", canonicalSQL(keys), KeyPartitions-1)
}

// RevisionID is the UUID of a revision, as revisionIDSQL computes it.
func RevisionID(session UUID, commit int64) UUID {
	return md5.Sum(fmt.Appendf(nil, "%s:%d", session, commit))
}
