package setup

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
)

// NewStatusCmd makes the command status.
func NewStatusCmd(a *project.Project) *cobra.Command {
	return project.NewShowCmd(a, "status", "Show how far the project is, and the next step", func(a *project.Project, st *store.Store) error {
		steps, err := view.ListSteps(st)
		if err != nil {
			return err
		}
		return printSteps(a, steps)
	})
}

func printSteps(a *project.Project, steps []view.Step) error {
	if a.JSON {
		return a.WriteJSON(map[string]any{"steps": steps, "next": view.NextStep(steps).Command})
	}
	for _, s := range steps {
		mark := eval.Either(s.Done, "✓", " ")
		if _, err := fmt.Fprintf(a.Out, "%s %-8s %s\n", mark, s.Name, cli.EscapeControls(s.Said)); err != nil {
			return err
		}
	}
	next := cmp.Or(view.NextStep(steps).Command, "nothing, a corrected figure is saved and exported")
	_, err := fmt.Fprintf(a.Out, "next: %s\n", cli.EscapeControls(next))
	return err
}

// NewVersionCmd makes the command version.
func NewVersionCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, Go's version and the schema of projects",
		RunE: func(*cobra.Command, []string) error {
			return a.Print(struct {
				eval.Build
				Schema int `json:"schema"`
			}{eval.ThisBuild(), store.SchemaNumber()}, "concord version %s\n", FormatVersion())
		},
	}
}

// FormatVersion gives what concord --version prints behind "concord version".
func FormatVersion() string {
	b := eval.ThisBuild()
	return fmt.Sprintf("%s, %s, schema %d", b, b.Go, store.SchemaNumber())
}

// NewManCmd makes the command man.
func NewManCmd(a *project.Project) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man --dir FOLDER",
		Short: "Write the manual: a page for each command",
		RunE:  func(cmd *cobra.Command, _ []string) error { return writeManual(a, cmd.Root(), dir) },
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `folder` to write into; it is made if it is not there")
	_ = cmd.MarkFlagRequired("dir")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

func writeManual(a *project.Project, root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	root.DisableAutoGenTag = true
	when := time.Unix(0, 0).UTC() // the same pages whenever they are written
	head := doc.GenManHeader{Title: "CONCORD", Section: "1", Source: "concord", Manual: "concord", Date: &when}
	if err := doc.GenManTree(root, &head, dir); err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	pages, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	return a.Print(map[string]any{"folder": dir, "pages": len(pages)}, "wrote the manual to %s: man -l %s/concord.1\n", cli.EscapeControls(dir), cli.EscapeControls(dir))
}

// errorSchema is that of the line that ends on the error stream what failed with --json.
const errorSchema = `{"type":["object"],"required":["error"],"properties":{"error":{"type":["object"],"required":["kind","message"],"properties":{"kind":{"type":["string"]},"message":{"type":["string"]}}}}}`

// schemaFile holds the JSON schema of what each command prints, by the command's
// words: schemas.json, packed, which takes a tenth of its 0.2 MB. A test of the commands
// writes both, and holds what they print against them.
//
//go:embed schemas.json.gz
var schemaFile []byte

// NewSchemaCmd prints the JSON schema of what a command prints with --json, of the
// lines of an export, or of concord.toml.
func NewSchemaCmd(a *project.Project) *cobra.Command {
	schemas := func() (all map[string]json.RawMessage, names []cobra.Completion, err error) {
		packed, err := gzip.NewReader(bytes.NewReader(schemaFile))
		if err == nil {
			err = json.NewDecoder(packed).Decode(&all)
		}
		if err == nil {
			all["error"] = json.RawMessage(errorSchema)
			all["concord.toml"], err = json.Marshal(config.BuildJSONSchema())
		}
		return all, slices.Sorted(maps.Keys(all)), err
	}
	return &cobra.Command{
		Use:     "schema [NAME]",
		Short:   "Print the JSON schema of a command's --json, of an export's lines, of errors or of concord.toml",
		Example: "concord schema\nconcord schema report accuracy\nconcord schema export predictions > predictions.schema.json",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			_, names, _ := schemas()
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			all, names, err := schemas()
			name := strings.Join(args, " ")
			switch s, ok := all[name]; {
			case err != nil:
				return fmt.Errorf("read the schemas: %w", err)
			case name == "":
				return a.Print(names, "%s\n", strings.Join(names, "\n"))
			case !ok:
				return eval.NewNotFoundError("there is no schema of the name %q (concord schema lists them)", name)
			default:
				return writeSchema(a, name, s)
			}
		},
	}
}

// writeSchema prints a schema under its name.
func writeSchema(a *project.Project, name string, schema json.RawMessage) error {
	var fields map[string]any
	if err := json.Unmarshal(schema, &fields); err != nil {
		return fmt.Errorf("read the schema %s: %w", name, err)
	}
	if fields["title"] == nil {
		fields["$schema"], fields["title"] = "https://json-schema.org/draft/2020-12/schema", "concord "+name
	}
	return a.WriteJSON(fields)
}
