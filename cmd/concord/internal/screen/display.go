package screen

import (
	"fmt"
	"os"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/store"
	"concord/tui/term"
	"concord/tui/widget"
)

// WantsAccessible reports whether the environment asks for prompts in lines, as
// other tools take it: ACCESSIBLE set to anything but 0 or false.
func WantsAccessible(getenv func(string) string) bool {
	v := getenv("ACCESSIBLE")
	on, err := strconv.ParseBool(v)
	return v != "" && (err != nil || on)
}

// Accessible reports whether the app goes without a screen: by its flag, the
// environment, or the configuration.
func Accessible(a *project.Project) bool {
	if a.Screen.Lines {
		return true
	}
	c, err := config.LoadScreen(a.ConfigPlaces())
	return err == nil && c.UI().Accessible // what is wrong with it the screen says
}

// Copier puts texts onto the terminal's clipboard.
func Copier(out interface{ Copy(string) error }) func(string) tea.Cmd {
	return func(text string) tea.Cmd {
		return func() tea.Msg {
			if err := out.Copy(text); err != nil {
				return widget.Notify{Level: widget.Problem, Text: "copy: " + err.Error()}
			}
			return nil
		}
	}
}

// NeedTerminal refuses a command whose output is no terminal for the app.
func NeedTerminal(a *project.Project) error {
	if a.Held != nil {
		return fmt.Errorf("%w: the app opens in the process that holds the project", store.ErrLocked)
	}
	if Accessible(a) {
		return nil
	}
	return term.Check(os.Stdin, os.Stdout, os.Getenv)
}
