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

// manual is the page of all keys. The zero value is closed.
type manual struct {
	open   bool
	top    int
	filter widget.Filter
}

// press takes a key while the page is open; page is how many lines are seen.
func (p *manual) press(msg tea.KeyMsg, page int) {
	switch name := msg.String(); {
	case name == "esc" && p.filter.Clear():
		p.top = 0
	case p.filter.Typing():
		if p.filter.Press(msg) {
			p.top = 0
		}
	case name == "/":
		p.filter.Start()
	case name == "up", name == "k":
		p.top = max(0, p.top-1)
	case name == "down", name == "j":
		p.top++
	case name == "pgdown", name == "ctrl+d":
		p.top += page
	case name == "pgup", name == "ctrl+u":
		p.top = max(0, p.top-page)
	case name == "g", name == "home":
		p.top = 0
	case name == "G", name == "end":
		p.top = 1 << 20 // drawing holds it within the lines
	case name == "esc", name == "q", name == "?", name == "f1", name == "enter":
		p.open = false
	}
}

// lines draws the page.
func (p *manual) lines(t *widget.Theme, groups []widget.Group, width, height int) []string {
	inner := max(1, width-2)
	page, top, more := widget.Columns(t.Help(inner, p.searched(append(groups, glossary()...))...), inner, max(1, height-1), p.top)
	p.top = top
	note := t.Filter(&p.filter, max(24, width/2))
	if more > 0 {
		note = strings.TrimSpace(widget.Plural(more, "line") + " more below  " + note)
	}
	out := []string{t.Section("Keys", note, true, width)}
	for _, l := range page {
		out = append(out, " "+l)
	}
	return widget.Block(out, width, height)
}

// searched are the keys that what is typed leaves: by their name, by what they
// do, or by the group that they stand in.
func (p *manual) searched(groups []widget.Group) []widget.Group {
	if !p.filter.On() {
		return groups
	}
	var out []widget.Group
	for _, g := range groups {
		g.Keys = widget.Sift(&p.filter, g.Keys, func(k *key.Binding) []string {
			return []string{k.Help().Key, k.Help().Desc, g.Title}
		})
		if len(g.Keys) > 0 {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		return []widget.Group{{Title: "No key is called so, or does that"}}
	}
	return out
}

// keys are those of the page itself.
func (p *manual) keys() []key.Binding {
	if p.filter.Typing() {
		return widget.FilterKeys()
	}
	return []key.Binding{
		widget.Bind("/", "search", "/"), widget.Bind("↑↓", "scroll", "up"), widget.Bind("pgdn", "page", "pgdown"), widget.Bind("esc", "close", "esc"),
	}
}

// spelled are groups with the keys that the person has at a place.
func spelled(groups []widget.Group, chosen *keymap.Keymap, at keymap.Place) []widget.Group {
	if at == "" {
		return groups
	}
	family := chosen.Family(at)
	for i := range groups {
		keys := make([]key.Binding, len(groups[i].Keys))
		for j, k := range groups[i].Keys {
			keys[j] = chosen.Binding(k, family...)
		}
		groups[i].Keys = keys
	}
	return groups
}

// terms are the words of the screens with what they mean. The vocabulary of
// ARCHITECTURE.md has each of them.
var terms = [][2]string{
	{"sample", "one question of a dataset with image and ground truth"},
	{"run", "one model asked about one dataset"},
	{"pass", "one rotation of a question's options"},
	{"response", "what the model answered"},
	{"extraction", "the choice read out of a response"},
	{"unparsed", "no choice could be extracted"},
	{"judge", "a model that extracts, votes or scores"},
	{"queue", "items for people to label"},
	{"consensus", "what the labels of an item come to"},
	{"adjudication", "one person's decision on a disagreement"},
	{"agreement", "how far raters say the same"},
	{"gold item", "an item with a known answer"},
	{"blind", "labeled before anything was revealed"},
	{"curation", "which samples need their image"},
	{"criteria", "what a good answer must do"},
	{"cluster", "units that depend on each other"},
}

// signs are those that stand on several screens, with what they mean.
var signs = [][2]string{
	{"›", "the row that keys act on; · the one chosen where they do not"},
	{"✓ ✗ ?", "right, wrong, not scored; done, failed"},
	{"● ○ ■", "at work, open or waiting, stopped"},
	{"‖ ◐", "paused, waiting for an endpoint"},
	{"·", "not shown before your answer"},
	{"*", "synthetic"},
	{"!2", "two warnings"},
	{"━━──", "how much of it"},
	{"━[●]·", "a value with its interval"},
	{"▾ ▸", "expanded, collapsed"},
}

// glossary are the last parts of the help page.
func glossary() []widget.Group {
	words, legend := widget.Group{Title: "Glossary"}, widget.Group{Title: "Signs"}
	for _, t := range terms {
		words.Keys = append(words.Keys, widget.Bind("·", t[0]+": "+t[1], t[0]))
	}
	for _, s := range signs {
		legend.Keys = append(legend.Keys, widget.Bind(s[0], s[1], s[0]))
	}
	return []widget.Group{legend, words}
}
