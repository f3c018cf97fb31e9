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
			all["concord.toml"], err = json.Marshal(config.BuildJSONSchema())
		}
		return all, slices.Sorted(maps.Keys(all)), err
	}
	return &cobra.Command{
		Use:     "schema [NAME]",
		Short:   "Print the JSON schema of a command's --json, of an export's lines or of concord.toml",
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
				return eval.NewNotFoundError("schema %q (concord schema lists them)", name)
			default:
				return a.WriteJSON(s)
			}
		},
	}
}
