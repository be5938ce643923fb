package catalog

func (v *Vector) appendVariant(dst []byte, _ int) []byte { return append(dst, "null"...) }
