package planner

import "github.com/sessiondb/sessiondb/catalog"

func arrayText(s string) string           { return s }
func binaryDecoder(t catalog.Type) (decoder, catalog.Type) {
	return textDecoder(t)
}
func typeOID(string) uint32 { return 0 }
