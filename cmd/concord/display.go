package main

import (
	"fmt"
	"os"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"concord/cmd/concord/internal/config"
	"concord/store"
	"concord/tui/term"
	"concord/tui/widget"
)

// wantsLines reports whether the environment asks for prompts in lines, as
// other tools take it: ACCESSIBLE set to anything but 0 or false.
func wantsLines(getenv func(string) string) bool {
	v := getenv("ACCESSIBLE")
	on, err := strconv.ParseBool(v)
	return v != "" && (err != nil || on)
}

// inLines reports whether the app goes without a screen: by its flag, the
// environment, or the configuration.
func inLines(a *app) bool {
	if a.shown.lines {
		return true
	}
	c, err := config.LoadScreen(a.configPlaces())
	return err == nil && c.UI().Accessible // what is wrong with it the screen says
}

// copier puts texts onto the terminal's clipboard.
func copier(out interface{ Copy(string) error }) func(string) tea.Cmd {
	return func(text string) tea.Cmd {
		return func() tea.Msg {
			if err := out.Copy(text); err != nil {
				return widget.Notify{Level: widget.Problem, Text: "copy: " + err.Error()}
			}
			return nil
		}
	}
}

func needTerminal(a *app) error {
	if a.held != nil {
		return fmt.Errorf("%w: the app opens in the process that holds the project", store.ErrLocked)
	}
	if inLines(a) {
		return nil
	}
	return term.Check(os.Stdin, os.Stdout, os.Getenv)
}
