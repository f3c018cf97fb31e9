package setup

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/eval"
)

// errorSchema is that of the line that ends on the error stream what failed with --json.
const errorSchema = `{"type":["object"],"required":["error"],"properties":{"error":{"type":["object"],"required":["kind","message"],"properties":{"kind":{"type":["string"]},"message":{"type":["string"]}}}}}`

// schemaFile holds the JSON schema of what each command prints, by the command's
// words. A test of the commands writes it, and holds what they print against it.
//
//go:embed schemas.json
var schemaFile []byte

// NewSchemaCmd prints the JSON schema of what a command prints with --json, of the
// lines of an export, or of concord.toml.
func NewSchemaCmd(a *project.Project) *cobra.Command {
	schemas := func() (all map[string]json.RawMessage, names []cobra.Completion, err error) {
		if err = json.Unmarshal(schemaFile, &all); err == nil {
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
