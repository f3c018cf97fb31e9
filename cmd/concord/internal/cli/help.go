package cli

import (
	"cmp"
	"embed"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed help/*.txt
var helpTexts embed.FS

// PrepareCommand gives a command, and those below it, what all of them have: the file
// help/PATH.txt as their long help, where there is one, with its examples, and usage
// errors for arguments that they do not take. A group of commands asks which one is meant.
func PrepareCommand(c *cobra.Command) {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	if text, err := helpTexts.ReadFile("help/" + strings.ReplaceAll(path, " ", "-") + ".txt"); err == nil {
		long, examples, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "# Examples\n\n")
		c.Long, c.Example = strings.TrimSuffix(long, "\n\n"), cmp.Or(examples, c.Example)
	}
	if c.RunE == nil {
		c.RunE = requireSubcommand
	}
	if c.Args == nil {
		c.Args = cobra.NoArgs
	}
	c.Args = wrapArgs(c.Args)
	for _, sub := range c.Commands() {
		PrepareCommand(sub)
	}
}
