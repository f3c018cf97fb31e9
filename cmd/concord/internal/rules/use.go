package rules

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/extract"
	"concord/eval/extract/pattern"
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

var nameOfFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

// LoadSets reads the files of rules in folders. Of two with one name that in the
// earlier folder counts. What cannot be read is left out, and told as a problem
// that names the file; a folder that is not there is none.
func LoadSets(folders ...string) (sets []extract.Set, problems []error) {
	taken := make(map[string]bool)
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
		if err != nil { // the folder's name has signs of a pattern
			problems = append(problems, fmt.Errorf("rules in %s: %w", folder, err))
		}
		for _, path := range files {
			name := nameOf(path)
			if taken[name] {
				continue
			}
			taken[name] = true
			s, err := Read(path)
			if err != nil {
				problems = append(problems, fmt.Errorf("rules %s: %w", path, err))
				continue
			}
			sets = append(sets, s)
		}
	}
	return sets, problems
}

func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".toml") }

// Read reads a file of rules. Their name is the file's, without its ending.
func Read(path string) (extract.Set, error) {
	name := nameOf(path)
	if !nameOfFile.MatchString(name) {
		return extract.Set{}, errors.New("want a file name of small letters, digits, - and _, and then .toml")
	}
	if _, err := extract.BuiltInSet(name); err == nil {
		return extract.Set{}, errors.New("a built-in rule set has that name: rename the file")
	}
	data, err := cli.ReadFile(path, pattern.MaxBytes)
	if err != nil {
		return extract.Set{}, err
	}
	r, err := pattern.ParseRules(data)
	if err != nil {
		return extract.Set{}, err
	}
	return extract.NewSet(name, r, r.SampleKind()), nil
}
