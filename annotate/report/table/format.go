package table

import (
	"fmt"
	"slices"
	"strings"
)

// Format is how a report is printed. The zero value is unset.
type Format uint8

// The formats.
const (
	FormatUnset Format = iota
	FormatTable
	FormatJSON
	FormatCSV
	FormatMarkdown
	FormatLaTeX
	FormatHTML
)

var formatNames = []string{"", "table", "json", "csv", "markdown", "latex", "html"}

// String returns the name that --format takes.
func (f Format) String() string {
	if int(f) >= len(formatNames) {
		return "invalid"
	}
	return formatNames[f]
}

// ParseFormat reads what String writes.
func ParseFormat(s string) (Format, error) {
	if i := slices.Index(formatNames, s); i > 0 {
		return Format(i), nil
	}
	return FormatUnset, fmt.Errorf("unknown format %q: want one of %s", s, strings.Join(formatNames[1:], ", "))
}
