package ssh

import (
	"strings"

	"concord/eval/text"
)

// longest is how much of a client's text is logged, in characters.
const longest = 100

// clean makes a client's text harmless where it is read, and short.
func clean(s string) string { return text.Outside(s).Short(longest) }

// left is a text as it is left on a terminal, below what is there.
func left(line string) string {
	line = strings.Trim(text.Outside(line).Terminal(), "\n")
	if line == "" {
		return ""
	}
	return strings.ReplaceAll(line, "\n", "\r\n") + "\r\n"
}
