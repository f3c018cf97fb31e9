package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/config"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// taste is how a person wants the screen, by flags, environment and files.
type taste struct {
	renderer *lipgloss.Renderer
	keys     *keymap.Keymap
	mouse    bool // its wheel and clicks are sent; without, it selects text
	stay     bool // an answer stays in front until its person goes on
}

// addScreenFlags adds what is wanted of the screen to a command that opens it.
func addScreenFlags(a *app, fs *pflag.FlagSet) {
	addImagesFlag(a, fs)
	fs.StringVar(&a.shown.theme, "theme", "", "the screen's `colours`: auto, dark, light or none (default: as configured, else auto)")
	fs.BoolVar(&a.shown.lines, "accessible", wantsLines(os.Getenv), "no screen: label and vote by prompts in lines, for screen readers, bad lines and dumb terminals (also ACCESSIBLE=1)")
}

func newTaste(a *app, c *config.Config) (taste, error) {
	ui := c.UI()
	if a.shown.theme != "" {
		if !slices.Contains(config.Themes(), a.shown.theme) {
			return taste{}, usageError{fmt.Errorf("--theme %s: there are %s", a.shown.theme, strings.Join(config.Themes(), ", "))}
		}
		ui.Theme = a.shown.theme
	}
	r := lipgloss.DefaultRenderer() // what bubbles are drawn by, too
	widget.Tint(r, ui.Theme)
	return taste{renderer: r, keys: c.Keys(), mouse: ui.Mouse, stay: !ui.AutoAdvance}, nil
}

// options adds what the program needs to know of it.
func (t *taste) options(of []tea.ProgramOption) []tea.ProgramOption {
	if t.mouse {
		of = append(of, tea.WithMouseCellMotion())
	}
	return of
}

func newConfigKeysCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "keys",
		Short: "List the actions of the screen by name, with their keys",
		Long: `Lists every action of the screen, where it is, its keys, and where they were
chosen. Any but those of labels (digits, and upper-case letters where they
answer), esc and ctrl+c can be given others:

  [keys]
  undo = "ctrl+z"
  redo = ["ctrl+y", "ctrl+r"]`,
		Args: usageArgs(cobra.NoArgs),
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

func showKeys(a *app) error {
	c, err := config.LoadScreen(a.configPlaces())
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
	if a.json {
		return a.writeJSON(map[string]any{"report": "keys", "rows": rows})
	}
	lines := make([][]string, len(rows))
	for i, r := range rows {
		names := make([]string, len(r.Keys))
		for j, k := range r.Keys {
			names[j] = strings.ReplaceAll(k, " ", "space")
		}
		lines[i] = []string{r.Place, r.Action, strings.Join(names, " "), r.Says, r.Origin}
	}
	return writeColumns(a.out, lines)
}
