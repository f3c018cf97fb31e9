package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/config"
	"concord/store"
	"concord/tui"
	"concord/tui/importer"
	"concord/tui/term"
	"concord/tui/widget"
)

// welcome asks what to begin with where there is no project.
func welcome(ctx context.Context, a *app) error {
	conf, err := config.LoadScreen(a.configPlaces())
	if err != nil {
		return err
	}
	session := probe()
	taste, err := newTaste(a, conf)
	if err != nil {
		return err
	}
	m := tui.NewWelcome(ctx, filepath.Base(a.path), taste.keys, importer.Deps{Theme: widget.NewTheme(taste.renderer), Source: beginner{app: a}}, connector{a})
	out := term.NewOutput(os.Stdout)
	p := tea.NewProgram(out.Paint(m), append(term.Options(os.Stdin, out), tea.WithContext(ctx))...)
	go session.Type(p.Send)
	stops, done := context.WithCancel(ctx)
	defer done()
	term.Stops(stops, p.Send, func() {})
	if _, err := p.Run(); err != nil {
		if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
			return errInterrupted
		}
		return err
	}
	switch m.Choice() {
	case importer.Demo:
		if a.path, err = demoFile(); err != nil {
			return err
		}
		return runDemo(ctx, a, false, "")
	case importer.Imported:
		return openScreen(ctx, a, screenOptions{}, nil)
	case importer.ChoiceUnset:
	}
	return nil
}

// runOpen opens the app, or says how to begin where there is no project.
func runOpen(a *app, cmd *cobra.Command, _ []string) error {
	if !store.Exists(a.path) {
		if needTerminal(a) == nil && !inLines(a) && !a.json {
			return welcome(cmd.Context(), a)
		}
		_, err := fmt.Fprintf(a.out, `There is no project %s here yet. Three ways to begin:

  concord demo                                     look around: a synthetic project, no key, no network
  concord import predictions FILE --dataset NAME --model NAME
                                                   predictions made elsewhere (VLMEvalKit's xlsx, TSV, JSON lines)
  concord import dataset FILE                      a benchmark's TSV, with its pictures

Then: concord queue create NAME --dataset NAME, concord review, concord report alignment --queue NAME
All commands: concord --help
`, visible(a.path))
		return err
	}
	return openScreen(cmd.Context(), a, screenOptions{}, nil)
}
