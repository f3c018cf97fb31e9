package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/begin"
	"concord/tui/connect"
	"concord/tui/widget"
)

// Welcome is the app where there is no project yet: one screen, until it is
// clear what to begin with. It is a tea.Model of its own, since everything
// else needs a project.
type Welcome struct {
	ctx     context.Context
	theme   *widget.Theme
	project string
	begin   *begin.Model
	servers connect.Source
	connect *connect.Model // seen in front of begin; nil: it is not
	said    string         // what came of it
	keys    keys

	width, height int
	choice        begin.Choice
}

var _ tea.Model = (*Welcome)(nil)

// NewWelcome makes it; project is the file that would be made.
func NewWelcome(ctx context.Context, project string, d begin.Deps, servers connect.Source) *Welcome {
	return &Welcome{ctx: ctx, theme: d.Theme, project: project, begin: begin.New(ctx, d), servers: servers, keys: newKeys()}
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
		w.resize()
		return w, nil
	case begin.OpenConnect:
		w.said = ""
		w.connect = connect.New(w.ctx, connect.Deps{Theme: w.theme, Source: w.servers})
		w.resize()
		return w, w.connect.Init()
	case connect.Done:
		w.said = msg.Said
		w.close()
		w.begin.Back() // to what else one can begin with
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
			w.back()
			return w, nil
		case w.connect != nil:
			return w, w.connect.Update(msg)
		case key.Matches(msg, w.keys.leave) && !w.begin.Typing():
			if w.begin.Back() {
				return w, nil
			}
			return w, w.end()
		}
	}
	if _, pressed := msg.(tea.KeyMsg); w.connect != nil && !pressed {
		return w, tea.Batch(w.connect.Update(msg), w.begin.Update(msg))
	}
	return w, w.begin.Update(msg)
}

func (w *Welcome) resize() {
	height := max(0, w.height-headerHeight-footerHeight)
	w.begin.Resize(w.width, height)
	if w.connect != nil {
		w.connect.Resize(w.width, height)
	}
}

// back leaves one level.
func (w *Welcome) back() {
	w.said = ""
	switch {
	case w.connect == nil:
		w.begin.Back()
	case !w.connect.Back():
		w.close()
	}
}

// close leaves the screen on which models are made known.
func (w *Welcome) close() {
	if w.connect != nil {
		w.connect.Close()
		w.connect = nil
	}
}

func (w *Welcome) end() tea.Cmd {
	w.close()
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
	rule := t.Border.Render(strings.Repeat("─", w.width))
	if w.said != "" {
		rule = widget.Cut(" "+t.Good.Render("✓ "+widget.Line(w.said)), w.width)
	}
	body, keys := w.begin.View(), w.begin.Keys()
	if w.connect != nil {
		body, keys = w.connect.View(), w.connect.Keys()
	}
	lines := []string{header, rule}
	lines = append(lines, widget.Block(strings.Split(body, "\n"), w.width, max(0, w.height-headerHeight-footerHeight))...)
	if w.connect == nil && !w.begin.Typing() {
		keys = append(keys, widget.Bind("q", "leave", "q"))
	}
	return strings.Join(append(lines, widget.Fit(" "+t.Footer(w.width-2, keys...), w.width)), "\n")
}
