package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/endpoint"
	"concord/tui/importer"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Welcome is the app where there is no project yet: one screen, until it is
// clear what to begin with. It is a tea.Model of its own, since everything
// else needs a project.
type Welcome struct {
	ctx     context.Context
	theme   *widget.Theme
	project string
	begin   *importer.Model
	servers endpoint.Source
	connect *endpoint.Model // seen in front of begin; nil: it is not
	said    string          // what came of it
	keys    keys
	chosen  *keymap.Keymap // the person's keys; nil: those that everybody has
	manual  manual

	width, height int
	choice        importer.Choice
}

var _ tea.Model = (*Welcome)(nil)

// welcomeHead is how many lines stand above it.
const welcomeHead = 2

// NewWelcome makes it; project is the file that would be made, and chosen are
// the keys that the person has.
func NewWelcome(ctx context.Context, project string, chosen *keymap.Keymap, d importer.Deps, servers endpoint.Source) *Welcome {
	w := &Welcome{ctx: ctx, theme: d.Theme, project: project, begin: importer.New(ctx, d), servers: servers, keys: newKeys(), chosen: chosen}
	w.begin.Spell(func(name string) string { return chosen.First(name, keymap.Begin) })
	return w
}

// Choice is what was chosen, once the program has ended; importer.ChoiceUnset when
// nothing was.
func (w *Welcome) Choice() importer.Choice { return w.choice }

// Init begins.
func (w *Welcome) Init() tea.Cmd { return w.begin.Init() }

// Update takes a message.
func (w *Welcome) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = msg.Width, msg.Height
		w.resize()
		return w, nil
	case importer.OpenConnect:
		w.said = ""
		w.connect = endpoint.New(w.ctx, endpoint.Deps{Theme: w.theme, Source: w.servers})
		w.resize()
		return w, w.connect.Init()
	case endpoint.Done:
		w.said = w.theme.Good.Render("✓ " + widget.Line(msg.Said))
		w.close()
		w.begin.Back() // to what else one can begin with
		return w, nil
	case importer.Done:
		w.choice = msg.Choice
		return w, w.end()
	case tea.KeyMsg:
		return w, w.press(msg)
	}
	if w.connect != nil {
		return w, tea.Batch(w.connect.Update(msg), w.begin.Update(msg))
	}
	return w, w.begin.Update(msg)
}

// place is where keys are pressed now; "" where they are text.
func (w *Welcome) place() keymap.Place {
	if w.connect != nil || w.begin.Typing() {
		return ""
	}
	return w.begin.KeyPlace()
}

// press takes a key.
func (w *Welcome) press(msg tea.KeyMsg) tea.Cmd {
	at := w.place()
	w.said = ""
	if at != "" && !msg.Paste {
		pressed := msg.String()
		name, ok := w.chosen.Default(at, pressed)
		if !ok {
			desc, keys := w.chosen.Gone(at, pressed)
			w.said = w.theme.Accent.Render("• " + keymap.Written(pressed) + " has been moved: " + desc + " is " + keys)
			return nil
		}
		if name != pressed {
			msg = keymap.Msg(name)
		}
	}
	switch k := &w.keys; {
	case key.Matches(msg, k.quit):
		return w.end()
	case w.manual.open:
		w.manual.press(msg, max(1, w.height-welcomeHead-footerHeight-2))
		return nil
	case key.Matches(msg, k.redraw):
		return tea.ClearScreen
	case key.Matches(msg, k.back):
		return w.back()
	case w.connect != nil:
		return w.connect.Update(msg)
	case at == "" || msg.Paste:
	case key.Matches(msg, k.help):
		w.manual = manual{open: true}
		return nil
	case key.Matches(msg, k.leave):
		if w.begin.Back() {
			return nil
		}
		return w.end()
	}
	return w.begin.Update(msg)
}

func (w *Welcome) resize() {
	height := max(0, w.height-welcomeHead-footerHeight)
	w.begin.Resize(w.width, height)
	if w.connect != nil {
		w.connect.Resize(w.width, height)
	}
}

// back leaves one level: what was imported, into the app that shows it.
func (w *Welcome) back() tea.Cmd {
	switch {
	case w.connect != nil:
		if !w.connect.Back() {
			w.close()
		}
	case w.begin.Ended():
		w.choice = importer.Imported
		return w.end()
	default:
		w.begin.Back()
	}
	return nil
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
		rule = widget.Cut(" "+w.said, w.width)
	}
	height := max(0, w.height-welcomeHead-footerHeight)
	lines := append([]string{header, rule}, widget.Block(w.body(height), w.width, height)...)
	return strings.Join(append(lines, widget.Fit(w.footer(), w.width)), "\n")
}

func (w *Welcome) body(height int) []string {
	switch {
	case w.manual.open:
		return w.manual.lines(w.theme, w.help(), w.width, height)
	case w.connect != nil:
		return strings.Split(w.connect.View(), "\n")
	}
	return strings.Split(w.begin.View(), "\n")
}

// help is the page of all keys.
func (w *Welcome) help() []widget.Group {
	k := &w.keys
	everywhere := widget.Group{Title: "Everywhere", Keys: []key.Binding{k.back, k.leave, k.quit, k.redraw, k.help}}
	return spelled(append(w.begin.Help(), everywhere), w.chosen, w.place())
}

func (w *Welcome) footer() string {
	t, keys := w.theme, w.begin.Keys()
	switch {
	case w.manual.open:
		return " " + t.Footer(w.width-2, w.manual.keys()...)
	case w.connect != nil:
		keys = w.connect.Keys()
	}
	if w.place() == "" {
		mode := t.Selected.Render(typingMode) + " "
		return " " + mode + t.Footer(w.width-2-widget.Width(mode), keys...)
	}
	keys = append(keys, widget.Bind("q", "leave", "q"), w.keys.help)
	for i := range keys {
		keys[i] = w.chosen.Binding(keys[i], w.place())
	}
	return " " + t.Footer(w.width-2, keys...)
}
