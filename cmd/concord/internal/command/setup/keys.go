package setup

import (
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
)

func newConfigKeysCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "keys",
		Short: "List the actions of the screen by name, with their keys",
		Long: `Lists every action of the screen, where it is, its keys, and where they were
chosen. Any but those of labels (digits, and letters where items are answered),
esc and ctrl+c can be given others; layout = "former" has letters as commands
there, and options in upper case alone:

  [keys]
  undo = "f9"
  comment = ["f3", "ctrl+v"]`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return showKeys(a) },
	}
}

// keyRow is an action as scripts read it.
type keyRow struct {
	Place  string   `json:"place"`
	Action string   `json:"action"`
	Keys   []string `json:"keys"`
	Says   string   `json:"description"`
	Origin string   `json:"origin"`
}

func showKeys(a *project.Project) error {
	c, err := config.LoadScreen(a.ConfigPlaces())
	if err != nil {
		return err
	}
	rows := make([]keyRow, 0)
	for _, r := range c.Keys().Rows() {
		row := keyRow{string(r.Place), r.Action.Name, r.Keys, r.Action.Desc, c.KeyOrigin(r.Action.Name).String()}
		if r.Action.Fixed != "" {
			row.Origin = "always"
		}
		rows = append(rows, row)
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{"report": "keys", "rows": rows})
	}
	lines := make([][]string, len(rows))
	for i, r := range rows {
		names := make([]string, len(r.Keys))
		for j, k := range r.Keys {
			names[j] = strings.ReplaceAll(k, " ", "space")
		}
		lines[i] = []string{r.Place, r.Action, strings.Join(names, " "), r.Says, r.Origin}
	}
	return cli.WriteColumns(a.Out, lines)
}
