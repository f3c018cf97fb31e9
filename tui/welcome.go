package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/begin"
	"concord/tui/widget"
)

// Welcome is the app where there is no project yet: one screen, until it is
// clear what to begin with. It is a tea.Model of its own, since everything
// else needs a project.
type Welcome struct {
	theme   *widget.Theme
	project string
	begin   *begin.Model
	keys    keys

	width, height int
	choice        begin.Choice
}

var _ tea.Model = (*Welcome)(nil)

// NewWelcome makes it; project is the file that would be made.
func NewWelcome(ctx context.Context, project string, d begin.Deps) *Welcome {
	return &Welcome{theme: d.Theme, project: project, begin: begin.New(ctx, d), keys: newKeys()}
}

// Choice is what was chosen, once the program has ended; begin.ChoiceUnset when
// nothing was.
func (w *Welcome) Choice() begin.Choice { return w.choice }

// Init begins.
func (w *Welcome) Init() tea.Cmd { return w.begin.Init() }

// Update takes a message.
func (w *Welcome) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = msg.Width, msg.Height
		w.begin.Resize(msg.Width, max(0, msg.Height-headerHeight-footerHeight))
		return w, nil
	case begin.Done:
		w.choice = msg.Choice
		return w, w.end()
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, w.keys.quit):
			return w, w.end()
		case key.Matches(msg, w.keys.redraw):
			return w, tea.ClearScreen
		case key.Matches(msg, w.keys.back):
			w.begin.Back()
			return w, nil
		case key.Matches(msg, w.keys.leave) && !w.begin.Typing():
			if w.begin.Back() {
				return w, nil
			}
			return w, w.end()
		}
	}
	return w, w.begin.Update(msg)
}

func (w *Welcome) end() tea.Cmd {
	w.begin.Close()
	return tea.Quit
}

// View draws the frame.
func (w *Welcome) View() string {
	t := w.theme
	if w.width <= 0 || w.height <= 0 {
		return ""
	}
	if msg := widget.TooSmall(w.width, w.height); msg != "" {
		return msg
	}
	header := " " + t.Strong.Render("concord") + t.Faint.Render("  "+widget.Cut(widget.Line(w.project), w.width/2)+", not made yet")
	lines := []string{header, t.Border.Render(strings.Repeat("─", w.width))}
	lines = append(lines, widget.Block(strings.Split(w.begin.View(), "\n"), w.width, max(0, w.height-headerHeight-footerHeight))...)
	keys := w.begin.Keys()
	if !w.begin.Typing() {
		keys = append(keys, widget.Bind("q", "leave", "q"))
	}
	return strings.Join(append(lines, widget.Fit(" "+t.Footer(w.width-2, keys...), w.width)), "\n")
}
