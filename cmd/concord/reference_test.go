package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
)

var updateReference = flag.Bool("update-reference", false, "write REFERENCE.md from the tree of commands")

const referenceHead = `# Reference

Every command with its flags, written from the tree of commands (` + "`go test ./cmd/concord -run Reference -update-reference`" + `). ` +
	"`concord COMMAND --help`" + ` says more of each, and ` + "`concord man --dir FOLDER`" + ` writes the same as pages of a manual. [GUIDE.md](GUIDE.md) goes by tasks.
`

// REFERENCE.md has every command and every flag, and none that is gone.
func TestReferenceIsTheTreeOfCommands(t *testing.T) {
	var want strings.Builder
	want.WriteString(referenceHead)
	root := commandTree()
	flagTable(&want, "## Flags of every command", root.PersistentFlags())
	for c := range commands(root) {
		own := c.LocalNonPersistentFlags() // also has the command know those of every command
		fmt.Fprintf(&want, "\n## %s\n\n%s\n\n```\n%s\n```\n", c.CommandPath(), cell(c.Short), c.UseLine())
		flagTable(&want, "", own)
	}
	const path = "../../REFERENCE.md"
	if *updateReference {
		if err := os.WriteFile(path, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want.String() {
		t.Errorf("REFERENCE.md is not that of the commands (%v): go test ./cmd/concord -run Reference -update-reference", err)
	}
}

// Every command and flag is described.
func TestNoFlagIsUndocumented(t *testing.T) {
	for c := range commands(commandTree()) {
		if c.Short == "" {
			t.Errorf("%s says nothing of itself", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s says nothing of itself", c.CommandPath(), f.Name)
			}
		})
	}
}

var (
	fence      = regexp.MustCompile("(?ms)^ *```[a-z]*\n(.*?)^ *```")
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	longFlag   = regexp.MustCompile(`^--[a-z][a-z-]*`)
	shellEnd   = regexp.MustCompile(`\s#.*|\s[|<>].*|[;)].*`)
)

// What the documents call a command is one, with flags that it has and as many
// arguments as it takes.
func TestDocumentedCommandsAreThere(t *testing.T) {
	root, known := commandTree(), map[string]bool{"--help": true}
	for c := range commands(root) {
		c.Flags().VisitAll(func(f *pflag.Flag) { known["--"+f.Name] = true })
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) { known["--"+f.Name] = true })
	}
	checked := 0
	for _, name := range []string{"README.md", "GUIDE.md", "REPORTS.md", "SECURITY.md", "COVERAGE.md", "CONVENTIONS.md", "ARCHITECTURE.md"} {
		data, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "\\\n", " ")
		var lines []string
		for _, block := range fence.FindAllStringSubmatch(text, -1) {
			lines = append(lines, strings.Split(block[1], "\n")...)
		}
		for _, code := range inlineCode.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			if flag := longFlag.FindString(code[1]); flag != "" && !known[flag] {
				t.Errorf("%s: no command has %s", name, code[0])
			}
			lines = append(lines, code[1])
		}
		for _, line := range lines {
			line = strings.TrimSpace(shellEnd.ReplaceAllString(" "+line, ""))
			if args, ok := strings.CutPrefix(line, "concord "); ok {
				checked++
				if err := checkDocumented(root, strings.Fields(args)); err != nil {
					t.Errorf("%s: %s: %v", name, line, err)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d commands were checked: the documents have more", checked)
	}
}

// checkDocumented says what is wrong with a command in a document.
func checkDocumented(root *cobra.Command, args []string) error {
	args = slices.DeleteFunc(args, func(a string) bool { return a == "..." || a == "…" })
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if c.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && c.ValidateArgs(rest) != nil {
		return fmt.Errorf("%s has no command %s", c.CommandPath(), rest[0])
	}
	for _, a := range rest {
		name, isFlag := strings.CutPrefix(a, "--")
		if name, _, _ = strings.Cut(name, "="); !isFlag {
			continue
		}
		if now, ok := renamed[name]; ok {
			return fmt.Errorf("--%s is --%s now", name, now)
		}
		if c.Flags().Lookup(name) == nil && c.InheritedFlags().Lookup(name) == nil && name != "help" {
			return fmt.Errorf("%s has no flag --%s", c.CommandPath(), name)
		}
	}
	return nil
}

func commandTree() *cobra.Command {
	root := newRootCmd(newUnopenedProject(cli.Streams{}, nil))
	root.InitDefaultCompletionCmd()
	return root
}

// commands walks a tree of commands, each before those below it.
func commands(c *cobra.Command) func(func(*cobra.Command) bool) {
	var walk func(*cobra.Command, func(*cobra.Command) bool) bool
	walk = func(c *cobra.Command, yield func(*cobra.Command) bool) bool {
		if c.Hidden {
			return true
		}
		if !yield(c) {
			return false
		}
		for _, sub := range c.Commands() {
			if !walk(sub, yield) {
				return false
			}
		}
		return true
	}
	return func(yield func(*cobra.Command) bool) { walk(c, yield) }
}

// flagTable writes a table of flags under a heading; nothing where there are none.
func flagTable(out *strings.Builder, heading string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	if heading != "" {
		out.WriteString("\n" + heading + "\n")
	}
	out.WriteString("\n| flag | what |\n|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" && d != "0s" {
			usage += " (" + d + ")"
		}
		fmt.Fprintf(out, "| `%s` | %s |\n", name, cell(usage))
	})
}

// cell is a text in a cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(s)
}
