package cli

import (
	"embed"
	"strings"
)

//go:embed help/*.txt
var helpTexts embed.FS

// Help is the long help of a command: the file help/NAME.txt. It panics where
// there is none, which whoever starts the program sees at once.
func Help(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}
