package table

import "concord/eval"

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
func (f Format) String() string { return eval.NameOf(formatNames, f) }

// ParseFormat reads what String writes.
func ParseFormat(s string) (Format, error) {
	return eval.ParseName[Format](formatNames, s, "format")
}
