package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/view"
	"concord/store"
	"concord/tui"
	"concord/tui/importer"
	"concord/tui/term"
	"concord/tui/widget"
)

// welcome asks what to begin with where there is no project.
func welcome(ctx context.Context, a *project.Project) error {
	conf, err := config.LoadScreen(a.ConfigPlaces())
	if err != nil {
		return err
	}
	session := screen.Probe()
	taste, err := screen.NewPreferences(a, conf)
	if err != nil {
		return err
	}
	m := tui.NewWelcome(ctx, filepath.Base(a.Path), taste.Keys, importer.Deps{Theme: widget.NewTheme(taste.Renderer), Source: view.Importer{Project: a}}, view.Endpoints{Project: a})
	out := term.NewOutput(os.Stdout)
	p := tea.NewProgram(out.Paint(m), append(term.Options(os.Stdin, out), tea.WithContext(ctx))...)
	go session.Type(p.Send)
	stops, done := context.WithCancel(ctx)
	defer done()
	term.Stops(stops, p.Send, func() {})
	if _, err := p.Run(); err != nil {
		if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		return err
	}
	switch m.Choice() {
	case importer.Demo:
		if a.Path, err = demoFile(); err != nil {
			return err
		}
		return runDemo(ctx, a, false, false, "")
	case importer.Imported:
		return server.OpenScreen(ctx, a, server.ScreenOptions{}, nil)
	case importer.ChoiceUnset:
	}
	return nil
}

// RunOpen opens the app, or says how to begin where there is no project.
func RunOpen(a *project.Project, cmd *cobra.Command, _ []string) error {
	if !store.Exists(a.Path) {
		if screen.NeedTerminal(a) == nil && !screen.Accessible(a) && !a.JSON {
			return welcome(cmd.Context(), a)
		}
		_, err := fmt.Fprintf(a.Out, `There is no project %s here yet. Three ways to begin:

  concord demo                                     look around: a synthetic project, no key, no network
  concord import predictions FILE --dataset NAME --model NAME
                                                   predictions made elsewhere (VLMEvalKit's xlsx, TSV, JSON lines)
  concord import dataset FILE                      a benchmark's TSV, with its images

Then: concord queue create NAME --dataset NAME, concord review, concord report alignment --queue NAME
All commands: concord --help
`, cli.Visible(a.Path))
		return err
	}
	return server.OpenScreen(cmd.Context(), a, server.ScreenOptions{}, nil)
}
