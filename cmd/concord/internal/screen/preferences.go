package screen

import (
	"fmt"
	"os"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Preferences is how a person wants the screen, by flags, environment and files.
type Preferences struct {
	Renderer *lipgloss.Renderer
	Keys     *keymap.Keymap
	Mouse    bool // its wheel and clicks are sent; without, it selects text
	Stay     bool // an answer stays in front until its person goes on
}

// AddFlags adds what is wanted of the screen to a command that opens it.
func AddFlags(a *project.Project, fs *pflag.FlagSet) {
	addImagesFlag(a, fs)
	fs.StringVar(&a.Screen.Theme, "theme", "", "the screen's `colours`: auto, dark, light or none (default: as configured, else auto)")
	fs.BoolVar(&a.Screen.Lines, "accessible", WantsAccessible(os.Getenv), "no screen: label and vote by prompts in lines, for screen readers, bad lines and dumb terminals (also ACCESSIBLE=1)")
}

// NewPreferences reads flags and configuration.
func NewPreferences(a *project.Project, c *config.Config) (Preferences, error) {
	ui := c.UI()
	if a.Screen.Theme != "" {
		if !slices.Contains(config.Themes(), a.Screen.Theme) {
			return Preferences{}, cli.Usage(fmt.Errorf("--theme %s: there are %s", a.Screen.Theme, strings.Join(config.Themes(), ", ")))
		}
		ui.Theme = a.Screen.Theme
	}
	r := lipgloss.DefaultRenderer() // what bubbles are drawn by, too
	widget.Tint(r, ui.Theme)
	return Preferences{Renderer: r, Keys: c.Keys(), Mouse: ui.Mouse, Stay: !ui.AutoAdvance}, nil
}

// Options adds what the program needs to know of it.
func (t *Preferences) Options(of []tea.ProgramOption) []tea.ProgramOption {
	if t.Mouse {
		of = append(of, tea.WithMouseCellMotion())
	}
	return of
}
