package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/config"
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
			return taste{}, asUsage(fmt.Errorf("--theme %s: there are %s", a.shown.theme, strings.Join(config.Themes(), ", ")))
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
