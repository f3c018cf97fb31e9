package term

import (
	"errors"
	"os"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/mattn/go-isatty"
)

// Errors of terminals that cannot be drawn on.
var (
	ErrNoTerminal = errors.New("no terminal: the app needs one on standard input and output; " +
		"the commands (concord help) work without")
	ErrDumb = errors.New("TERM=dumb: this terminal cannot move its cursor; " +
		"the commands (concord help) work on it, and so do review and vote with --accessible")
)

// Check reports why the app cannot be drawn here, or nil.
func Check(in, out *os.File, getenv func(string) string) error {
	if !isatty.IsTerminal(in.Fd()) || !isatty.IsTerminal(out.Fd()) {
		return ErrNoTerminal
	}
	if getenv("TERM") == "dumb" {
		return ErrDumb
	}
	return nil
}

// Options are the options of a program that draws on the whole of a terminal
// and reads keys from in; out paints its frames (Paint). Signals end its context: bubbletea's own handler would
// hand the same signal to a loop that the context has ended, and wait for ever.
func Options(in *os.File, out *Output) []tea.ProgramOption {
	return []tea.ProgramOption{
		tea.WithInput(NewInput(in)),
		tea.WithOutput(out),
		tea.WithAltScreen(),
		tea.WithoutSignalHandler(),
	}
}
