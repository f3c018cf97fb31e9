package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/extract"
)

// readers are the commands that may read by a command: what they make is printed,
// and no run or queue remembers it.
var readers = []string{"report", "extract", "export", "rules"}

// RegisterRules makes the user's own rule sets known, before a command looks at its flags:
// those of files, and the commands that its flags name. A file that cannot be read
// is told, and the others count.
func RegisterRules(a *project.Project, cmd *cobra.Command) error {
	sets, problems := LoadSets(a.RuleFolders()...)
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.Err, "concord: %s (left out)\n", cli.EscapeControls(p.Error()))
	}
	for _, name := range findCommands(cmd) {
		switch group := topCommandName(cmd); {
		case !slices.Contains(readers, group):
			return cli.NewUsageError(fmt.Errorf("--rules %s: %s does not run commands, since what it writes is read again later: write the rules as a file rules/NAME.toml", name, group))
		case a.Held != nil:
			return cli.NewUsageError(errors.New("--rules " + Prefix + ": another process has the project open, and does not run commands for this one: close it there first"))
		}
		s, err := NewCommandSet(cmd.Context(), a.Fail, name)
		if err != nil {
			return cli.NewUsageError(err)
		}
		sets = append(sets, s)
	}
	extract.RegisterSets(sets)
	return nil
}

// topCommandName is the name of the command directly below the root.
func topCommandName(cmd *cobra.Command) string {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd.Name()
}

// findCommands finds the commands that flags and arguments name as rule sets.
func findCommands(cmd *cobra.Command) (names []string) {
	words := cmd.Flags().Args()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Name, "rules") {
			words = append(slices.Clip(words), strings.Split(f.Value.String(), ",")...)
		}
	})
	for _, w := range words {
		if _, set, ok := strings.Cut(w, "="+Prefix); ok { // --rules-of RUN=SET
			w = Prefix + set
		}
		if strings.HasPrefix(w, Prefix) && !slices.Contains(names, w) {
			names = append(names, w)
		}
	}
	return names
}
