package ssh

import (
	"strings"
	"unicode"
)

// longest is how much of a client's text is logged, in bytes.
const longest = 100

// clean makes a client's text harmless where it is read: without control
// characters, and short.
func clean(s string) string {
	if len(s) > longest {
		s = s[:longest]
	}
	return printable(strings.ToValidUTF8(s, "?"), "")
}

// printable leaves of a text what can be printed, and what is in besides.
func printable(s, besides string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || strings.ContainsRune(besides, r) {
			return r
		}
		return -1
	}, s)
}

// left is a text as it is left on a terminal, below what is there.
func left(line string) string {
	line = strings.Trim(printable(line, "\n"), "\n")
	if line == "" {
		return ""
	}
	return strings.ReplaceAll(line, "\n", "\r\n") + "\r\n"
}
