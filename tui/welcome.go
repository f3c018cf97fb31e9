package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/endpoint"
	"concord/tui/importer"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Welcome is the app where there is no project yet: one screen, until it is clear what to begin with.
// It is a tea.Model of its own, since everything else needs a project.
type Welcome struct {
	ctx     context.Context
	theme   *widget.Theme
	project string
	begin   *importer.Model
	servers endpoint.Source
	connect *endpoint.Model // seen in front of begin; nil: it is not
	said    string          // what came of it
	keys    rootKeySet
	chosen  *keymap.Keymap // the person's keys; nil: those that everybody has
	manual  helpPage

	width, height int
	choice        importer.Choice
}

var _ tea.Model = (*Welcome)(nil)

// welcomeHead is how many lines stand above it.
const welcomeHead = 2

// NewWelcome makes it; project is the file that would be made, and chosen are the keys that the person has.
func NewWelcome(ctx context.Context, project string, chosen *keymap.Keymap, d importer.Deps, servers endpoint.Source) *Welcome {
	w := &Welcome{ctx: ctx, theme: d.Theme, project: project, begin: importer.New(ctx, d), servers: servers, keys: newKeys(), chosen: chosen}
	w.begin.SetKeySpeller(func(name string) string { return chosen.FirstKeyText(name, keymap.Begin) })
	return w
}

// Choice is what was chosen, once the program has ended; importer.ChoiceUnset when nothing was.
func (w *Welcome) Choice() importer.Choice { return w.choice }

// Init begins.
func (w *Welcome) Init() tea.Cmd { return w.begin.Init() }

// Update takes a message.
func (w *Welcome) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = msg.Width, msg.Height
		w.resizeScreen()
		return w, nil
	case importer.OpenConnect:
		w.said = ""
		w.connect = endpoint.New(w.ctx, endpoint.Deps{Theme: w.theme, Source: w.servers})
		w.resizeScreen()
		return w, w.connect.Init()
	case endpoint.Done:
		w.said = w.theme.Good.Render("✓ " + widget.CleanLine(msg.Said))
		w.closeEndpoints()
		w.begin.GoBack() // to what else one can begin with
		return w, nil
	case importer.Done:
		w.choice = msg.Choice
		return w, w.endApp()
	case tea.KeyMsg:
		return w, w.handleKey(msg)
	}
	if w.connect != nil {
		return w, tea.Batch(w.connect.Update(msg), w.begin.Update(msg))
	}
	return w, w.begin.Update(msg)
}

// keyPlace is where keys are pressed now; "" where they are text.
func (w *Welcome) keyPlace() keymap.Place {
	if w.connect != nil || w.begin.IsTyping() {
		return ""
	}
	return w.begin.KeymapPlace()
}

func (w *Welcome) handleKey(msg tea.KeyMsg) tea.Cmd {
	at := w.keyPlace()
	w.said = ""
	if at != "" && !msg.Paste {
		pressed := msg.String()
		name, ok := w.chosen.TranslatePressedKey(at, pressed)
		if !ok {
			desc, keys := w.chosen.FindMovedKey(at, pressed)
			w.said = w.theme.Accent.Render("• " + keymap.FormatKey(pressed) + " has been moved: " + desc + " is " + keys)
			return nil
		}
		if name != pressed {
			msg = keymap.NewKeyMsg(name)
		}
	}
	switch k := &w.keys; {
	case key.Matches(msg, k.quit):
		return w.endApp()
	case w.manual.open:
		w.manual.handleKey(msg, max(1, w.height-welcomeHead-footerHeight-2))
		return nil
	case key.Matches(msg, k.redraw):
		return tea.ClearScreen
	case key.Matches(msg, k.back):
		return w.goBack()
	case w.connect != nil:
		return w.connect.Update(msg)
	case at == "" || msg.Paste:
	case key.Matches(msg, k.help):
		w.manual = helpPage{open: true}
		return nil
	case key.Matches(msg, k.leave):
		if w.begin.GoBack() {
			return nil
		}
		return w.endApp()
	}
	return w.begin.Update(msg)
}

func (w *Welcome) resizeScreen() {
	height := max(0, w.height-welcomeHead-footerHeight)
	w.begin.Resize(w.width, height)
	if w.connect != nil {
		w.connect.Resize(w.width, height)
	}
}

// goBack leaves one level: what was imported, into the app that shows it.
func (w *Welcome) goBack() tea.Cmd {
	switch {
	case w.connect != nil:
		if !w.connect.GoBack() {
			w.closeEndpoints()
		}
	case w.begin.HasImported():
		w.choice = importer.Imported
		return w.endApp()
	default:
		w.begin.GoBack()
	}
	return nil
}

// closeEndpoints leaves the screen on which models are made known.
func (w *Welcome) closeEndpoints() {
	if w.connect != nil {
		w.connect.Close()
		w.connect = nil
	}
}

func (w *Welcome) endApp() tea.Cmd {
	w.closeEndpoints()
	w.begin.Close()
	return tea.Quit
}

// View draws the frame.
func (w *Welcome) View() string {
	t := w.theme
	if w.width <= 0 || w.height <= 0 {
		return ""
	}
	if msg := widget.DescribeTooSmall(w.width, w.height); msg != "" {
		return msg
	}
	header := " " + t.Strong.Render("concord") + t.Faint.Render("  "+widget.CutWidth(widget.CleanLine(w.project), w.width/2)+", not made yet")
	rule := eval.Either(w.said != "", widget.CutWidth(" "+w.said, w.width), t.Border.Render(strings.Repeat("─", w.width)))
	height := max(0, w.height-welcomeHead-footerHeight)
	lines := append([]string{header, rule}, widget.FitBox(w.drawBody(height), w.width, height)...)
	return strings.Join(append(lines, widget.FitWidth(w.drawFooter(), w.width)), "\n")
}

func (w *Welcome) drawBody(height int) []string {
	switch {
	case w.manual.open:
		return w.manual.drawLines(w.theme, w.helpGroups(), w.width, height)
	case w.connect != nil:
		return strings.Split(w.connect.View(), "\n")
	}
	return strings.Split(w.begin.View(), "\n")
}

// helpGroups is the page of all keys.
func (w *Welcome) helpGroups() []widget.Group {
	k := &w.keys
	everywhere := widget.Group{Title: "Everywhere", Keys: []key.Binding{k.back, k.leave, k.quit, k.redraw, k.help}}
	return translateGroups(append(w.begin.HelpGroups(), everywhere), w.chosen, w.keyPlace())
}

func (w *Welcome) drawFooter() string {
	t, keys := w.theme, w.begin.Bindings()
	switch {
	case w.manual.open:
		return " " + t.DrawFooter(w.width-2, w.manual.pageKeys()...)
	case w.connect != nil:
		keys = w.connect.Bindings()
	}
	if w.keyPlace() == "" {
		mode := t.Selected.Render(typingMode) + " "
		return " " + mode + t.DrawFooter(w.width-2-widget.TextWidth(mode), keys...)
	}
	keys = append(keys, widget.NewBinding("q", "leave", "q"), w.keys.help)
	for i := range keys {
		keys[i] = w.chosen.TranslateBinding(keys[i], w.keyPlace())
	}
	return " " + t.DrawFooter(w.width-2, keys...)
}

// helpPage is the page of all keys. The zero value is closed.
type helpPage struct {
	open   bool
	top    int
	filter widget.Filter
}

// handleKey takes a key while the page is open; page is how many lines are seen.
func (p *helpPage) handleKey(msg tea.KeyMsg, page int) {
	by, moves := widget.NewMoves().MoveBy(msg, page, 1<<20) // drawing holds it within the lines
	switch name := msg.String(); {
	case name == "esc" && p.filter.ClearText():
		p.top = 0
	case p.filter.IsTyping():
		if p.filter.HandleKey(msg) {
			p.top = 0
		}
	case name == "/":
		p.filter.StartTyping()
	case moves:
		p.top = max(0, p.top+by)
	case name == "esc", name == "q", name == "?", name == "f1", name == "enter":
		p.open = false
	}
}

func (p *helpPage) drawLines(t *widget.Theme, groups []widget.Group, width, height int) []string {
	const least = 44 // cells of a column that is read without effort
	inner, all := max(1, width-2), p.searchGroups(append(groups, widget.LegendGroups()...))
	page, top, more := widget.LayOutInColumns(t.DrawHelp(inner, all...), inner, max(1, height-1), p.top)
	for n := 2; more > 0 && inner/n >= least; n++ { // in narrower columns rather than cut
		page, top, more = widget.LayOutInColumns(t.DrawHelp(inner/n-3, all...), inner, max(1, height-1), p.top)
	}
	p.top = top
	note := t.DrawFilter(&p.filter, max(24, width/2))
	if more > 0 {
		note = strings.TrimSpace(widget.FormatPlural(more, "line") + " more below  " + note)
	}
	out := []string{t.DrawSection("Keys", note, true, width)}
	out = append(out, eval.Map(page, func(l string) string { return " " + l })...)
	return widget.FitBox(out, width, height)
}

// searchGroups are the keys that what is typed leaves: by their name, by what they
// do, or by the group that they stand in.
func (p *helpPage) searchGroups(groups []widget.Group) []widget.Group {
	if !p.filter.IsOn() {
		return groups
	}
	var out []widget.Group
	for _, g := range groups {
		g.Keys = widget.FilterRows(&p.filter, g.Keys, func(k *key.Binding) []string {
			return []string{k.Help().Key, k.Help().Desc, g.Title}
		})
		if len(g.Keys) > 0 {
			out = append(out, g)
		}
	}
	return eval.Either(len(out) == 0, []widget.Group{{Title: "No key is called so, or does that"}}, out)
}

// pageKeys are those of the page itself.
func (p *helpPage) pageKeys() []key.Binding {
	if p.filter.IsTyping() {
		return widget.FilterKeys()
	}
	return []key.Binding{
		widget.NewBinding("/", "search", "/"), widget.NewBinding("↑↓", "scroll", "up"), widget.NewBinding("pgdn", "page", "pgdown"), widget.NewBinding("esc", "close", "esc"),
	}
}

// translateGroups are groups with the keys that the person has at a place.
func translateGroups(groups []widget.Group, chosen *keymap.Keymap, at keymap.Place) []widget.Group {
	if at == "" {
		return groups
	}
	family := chosen.PlacesOfScreen(at)
	for i := range groups {
		groups[i].Keys = eval.Map(groups[i].Keys, func(k key.Binding) key.Binding { return chosen.TranslateBinding(k, family...) })
	}
	return groups
}
