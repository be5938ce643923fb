package wire

import (
	"strings"
)

// A CopyFormat is the format of the rows of a COPY.
type CopyFormat uint8

// The three formats of COPY.
const (
	CopyText CopyFormat = iota
	CopyCSV
	CopyBinary
)

// A CopyHeader says what COPY's first line is.
type CopyHeader uint8

// The values of COPY's HEADER option.
const (
	HeaderNone  CopyHeader = iota
	HeaderLine             // written; skipped when read
	HeaderMatch            // must be the column names; reading only
)

// CopyOptions are the options of COPY FROM STDIN and COPY TO STDOUT. The zero
// value is COPY without options. FREEZE and ENCODING 'utf8' need none of
// them.
type CopyOptions struct {
	Format    CopyFormat
	Delimiter byte    // 0: a tab, in csv a comma
	Null      *string // nil: \N, in csv the empty string
	Header    CopyHeader
	Quote     byte // csv; 0: a double quote
	Escape    byte // csv; 0: as Quote

	// ForceQuote (COPY TO), ForceNotNull and ForceNull (COPY FROM) are csv
	// options of single columns, in the order of the columns. A slice may be
	// nil or shorter than the columns.
	ForceQuote   []bool
	ForceNotNull []bool
	ForceNull    []bool

	// Names are the columns' names, for headers and errors; Table is the
	// table's, for the context of errors.
	Names []string
	Table string
}

// copySpec is CopyOptions with its defaults filled in.
type copySpec struct {
	CopyOptions
	null    string
	columns int
}

// complete fills in defaults, and refuses what Postgres refuses.
func (o CopyOptions) complete(columns int) (copySpec, error) {
	s := copySpec{CopyOptions: o, columns: columns}
	switch o.Format {
	case CopyText:
		setDefault(&s.Delimiter, '\t')
		s.null = `\N`
	case CopyCSV:
		setDefault(&s.Delimiter, ',')
		setDefault(&s.Quote, '"')
		setDefault(&s.Escape, s.Quote)
	case CopyBinary:
	}
	if o.Null != nil {
		s.null = *o.Null
	}
	if o.Format == CopyBinary {
		return s, s.checkBinary()
	}
	if err := s.checkCSV(); err != nil {
		return s, err
	}
	return s, s.checkText()
}

func (s *copySpec) checkBinary() error {
	switch {
	case s.Delimiter != 0:
		return Errorf(codeSyntaxError, "cannot specify DELIMITER in BINARY mode")
	case s.Null != nil:
		return Errorf(codeSyntaxError, "cannot specify NULL in BINARY mode")
	case s.Header != HeaderNone:
		return Errorf(codeFeatureNotSupported, "cannot specify HEADER in BINARY mode")
	}
	return nil
}

func (s *copySpec) checkText() error {
	switch {
	case s.Delimiter >= 0x80:
		return Errorf(codeFeatureNotSupported, "COPY delimiter must be a single one-byte character")
	case s.Delimiter == '\n' || s.Delimiter == '\r':
		return Errorf(codeInvalidParameter, "COPY delimiter cannot be newline or carriage return")
	case strings.ContainsAny(s.null, "\r\n"):
		return Errorf(codeInvalidParameter, "COPY null representation cannot use newline or carriage return")
	case s.Format == CopyText && strings.IndexByte(`\.abcdefghijklmnopqrstuvwxyz0123456789`, s.Delimiter) >= 0:
		return Errorf(codeInvalidParameter, `COPY delimiter cannot be "%c"`, s.Delimiter)
	case strings.IndexByte(s.null, s.Delimiter) >= 0:
		return Errorf(codeFeatureNotSupported, "COPY delimiter must not appear in the NULL specification")
	}
	return nil
}

func (s *copySpec) checkCSV() error {
	if s.Format != CopyCSV {
		if s.Quote != 0 {
			return Errorf(codeFeatureNotSupported, "COPY quote available only in CSV mode")
		}
		if s.Escape != 0 {
			return Errorf(codeFeatureNotSupported, "COPY escape available only in CSV mode")
		}
		return nil
	}
	switch {
	case s.Quote >= 0x80 || s.Escape >= 0x80:
		return Errorf(codeFeatureNotSupported, "COPY quote and escape must be single one-byte characters")
	case s.Delimiter == s.Quote:
		return Errorf(codeInvalidParameter, "COPY delimiter and quote must be different")
	case strings.IndexByte(s.null, s.Quote) >= 0:
		return Errorf(codeFeatureNotSupported, "CSV quote character must not appear in the NULL specification")
	}
	return nil
}

// flag is entry i of a slice that may be shorter.
func flag(flags []bool, i int) bool { return i < len(flags) && flags[i] }

// columnName names column i for an error.
func (s *copySpec) columnName(i int) string {
	if i < len(s.Names) {
		return s.Names[i]
	}
	return "?"
}
