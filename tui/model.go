package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the root model. It draws the frame, and hands messages and keys to
// its children.
type Model struct {
	deps  *Deps
	theme *widget.Theme
	keys  keys

	width, height int
	nav           *navigation
	tabs          *tabs
	person        *person
	opener        *opener
	finder        *finder
	news          *news
	quit          *quitting
	tour          touring
	toasts        widget.Toasts
	manual        manual
	seen          seen
}

// banner is the header as it is now.
func (m *Model) banner() *banner {
	return &banner{theme: m.theme, project: m.deps.Project, synthetic: m.deps.Synthetic, can: m.nav.can, tab: m.nav.tab, who: m.person.who, width: m.width}
}

// Keep has the screens hand over what is being typed. Quitting does so by
// itself; whoever ends the program otherwise does it afterwards.
func (m *Model) Keep() { m.nav.keep() }

// Telling is what stands in the title of the terminal's window, and how far what
// runs has come, in percent; -1 when nothing runs.
func (m *Model) Telling() (title string, percent int) {
	return "concord: " + widget.Line(m.deps.Project) + ", " + tabNames[m.nav.tab], m.tabs.runs.Percent()
}

// Close ends what the screens have under way. Quitting does so by itself;
// whoever ends the program otherwise does it afterwards.
func (m *Model) Close() { m.nav.close() }

// Where is where the app stands, for it to be opened there again.
func (m *Model) Where() Start {
	s := Start{Tab: m.nav.tab}
	if len(m.opener.drafts.Names()) > 0 {
		drafts := m.opener.drafts
		s.Drafts = &drafts
	}
	if m.nav.tab == TabReview && len(m.nav.stack()) > 1 {
		s.Queue = m.tabs.queues.queue
	}
	return s
}

const (
	footerHeight = 1
	tallFrom     = 16  // from here the header has its rule, and the tour its line
	roomy        = 120 // from here the footer has room for what is not of the screen
)

// headerLines is how many lines the header takes on a terminal of a height.
func headerLines(height int) int {
	if height < tallFrom {
		return 1
	}
	return 2
}

// bodyHeight is what is left for the screen.
func (m *Model) bodyHeight() int {
	return max(0, m.height-headerLines(m.height)-footerHeight-len(m.theme.Toasts(&m.toasts, m.width))-len(m.tour.lines(m.width, m.height)))
}

// resize gives the screens their room. The one that is seen may have to draw
// a picture anew for it.
func (m *Model) resize() tea.Cmd {
	m.nav.resize(m.width, m.bodyHeight())
	return m.nav.top().Refresh()
}

// faded tells that a notice may have had its time.
type faded struct{}

func (m *Model) notify(n widget.Notify) tea.Cmd {
	after := m.toasts.Add(n, m.deps.Now())
	cmd := m.resize()
	if after == 0 {
		return cmd
	}
	return tea.Batch(cmd, tea.Tick(after, func(time.Time) tea.Msg { return faded{} }))
}

// mouse takes what a mouse does: its wheel is the arrow keys, a click opens a
// tab or selects a row. It answers nothing, and does nothing while keys are
// text or a question stands: a hand that brushes the mouse changes nothing. The
// terminal sends these only where the configuration asks for a mouse.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case m.quit.saving || msg.Action != tea.MouseActionPress:
		return nil
	case msg.Button == tea.MouseButtonLeft:
		return m.click(msg.X, msg.Y)
	}
	return wheel(m, msg)
}

func (m *Model) click(x, y int) tea.Cmd {
	if m.finder.isOpen() || m.manual.open || m.nav.place() == "" || widget.TooSmall(m.width, m.height) != "" {
		return nil
	}
	if y == 0 && headerLines(m.height) > 1 {
		if t, ok := m.banner().tabAt(x); ok {
			return m.tabs.jump(t)
		}
		return nil
	}
	if c, ok := m.nav.top().(Clicker); ok && y >= headerLines(m.height) && y < headerLines(m.height)+m.bodyHeight() {
		return c.Click(x, y-headerLines(m.height))
	}
	return nil
}

// wheel moves as the arrow keys do.
func wheel(m *Model, msg tea.MouseMsg) tea.Cmd {
	var key tea.KeyMsg
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		key = keymap.Msg("up")
	case tea.MouseButtonWheelDown:
		key = keymap.Msg("down")
	default:
		return nil
	}
	switch {
	case m.finder.isOpen() && !m.quit.saving:
		return m.pressPalette(key)
	case m.nav.place() == "" && !m.manual.open:
		return nil // the arrows go through fields there, and through answers
	}
	return m.act(key, false)
}

// settled is how long an item has to be on the terminal before a key that is
// typed can be meant for it.
const settled = 80 * time.Millisecond

// Recorder is a screen whose keys record what people do to the item in front.
type Recorder interface {
	// InFront is what the frame has in front, to be compared: it changes with the
	// item, with what the keys mean, and with everything that is recorded. nil: an
	// item that the frame does not show whole.
	InFront() any
	// Records reports whether a key records something now.
	Records(key string) bool
}

// seen is what the terminal showed when the key was typed that is handled now,
// and how many keys were ignored since nobody can have meant them.
type seen struct {
	told    bool // the terminal's side has said so; else every key counts
	front   any
	age     time.Duration
	ignored int
}

// Front is what the frame has in front: what the keys of a screen are meant for.
// nil: nothing, or something else lies over it.
func (m *Model) Front() any {
	if widget.TooSmall(m.width, m.height) != "" || m.finder.isOpen() || m.manual.open {
		return nil
	}
	if r, ok := m.nav.top().(Recorder); ok {
		return r.InFront()
	}
	return nil
}

// Press takes a key, with what the terminal showed when it was typed, and for
// how long. Keys that record count only for what was seen; others are dropped
// and counted, and never kept for a later item.
func (m *Model) Press(msg tea.KeyMsg, front any, age time.Duration) (tea.Model, tea.Cmd) {
	m.seen.told, m.seen.front, m.seen.age = true, front, age
	defer func() { m.seen.told = false }()
	return m.Update(msg)
}

// unseen reports whether a key would record something on what was not on the
// terminal when it was typed; such a key is counted. now is what is in front.
func (s *seen) unseen(to Screen, now any, key string) bool {
	r, ok := to.(Recorder)
	if !ok || !s.told || !r.Records(key) || now != nil && now == s.front && s.age >= settled {
		s.ignored = 0
		return false
	}
	s.ignored++
	return true
}

// notice says how many keys were ignored.
func (s *seen) notice() string {
	if s.ignored == 0 {
		return ""
	}
	return " " + widget.Plural(s.ignored, "key") + " ignored: typed before this was on the screen "
}

// View draws the frame.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines are the frame's.
func (m *Model) Lines() []string {
	if m.width <= 0 || m.height <= 0 {
		return []string{""}
	}
	if msg := widget.TooSmall(m.width, m.height); msg != "" {
		return strings.Split(msg, "\n")
	}
	head, body := m.banner().lines(m.theme.Info(&m.toasts, m.width-4)), m.body()
	if headerLines(m.height) == 1 {
		head = []string{m.banner().short(m.theme.Info(&m.toasts, m.width-4))}
	}
	foot := append(m.theme.Toasts(&m.toasts, m.width), m.tour.lines(m.width, m.height)...)
	foot = append(foot, m.footer())
	if len(head)+len(body)+len(foot) != m.height {
		return widget.Block(slices.Concat(head, body, foot), m.width, m.height)
	}
	// The body is measured already, and a picture in it takes as long to measure
	// as all the rest to draw.
	return slices.Concat(widget.Block(head, m.width, len(head)), body, widget.Block(foot, m.width, len(foot)))
}

func (m *Model) body() []string {
	height := m.bodyHeight()
	if m.finder.isOpen() {
		return widget.Block(m.finder.palette.View(strings.Split(m.nav.top().View(), "\n"), m.width, height), m.width, height)
	}
	if m.manual.open {
		return widget.Block(m.manual.lines(m.theme, help(&m.keys, m.nav), m.width, height), m.width, height)
	}
	if e, ok := m.nav.top().(Exact); ok && e.Exact(m.width, height) {
		if lines := e.Lines(); len(lines) == height {
			return lines
		}
	}
	return widget.Block(strings.Split(m.nav.top().View(), "\n"), m.width, height)
}

// typingMode stands in the footer while keys are text, or answer a form, and
// are no commands.
const typingMode = " typing "

func (m *Model) footer() string {
	t := m.theme
	if s := m.quit.unsaved(); s != "" {
		return t.Warn.Render(" "+s) + t.Faint.Render("  ctrl+c leaves at once")
	}
	if m.manual.open {
		return " " + t.Footer(m.width-2, m.manual.keys()...)
	}
	if m.finder.isOpen() {
		return " " + t.Footer(m.width-2, widget.Bind("enter", "go there, do it", "enter"), widget.Bind("↑↓", "choose", "up"), widget.Bind("ctrl+u", "clear", "ctrl+u"), widget.Bind("esc", "close", "esc"))
	}
	if s := m.seen.notice(); s != "" {
		s = widget.Cut(s, m.width-1)
		return " " + t.Warn.Render(s) + t.Footer(m.width-1-widget.Width(s), m.nav.written(m.nav.top().Keys())...)
	}
	typing := m.nav.top().Typing()
	keys := m.nav.top().Keys()
	if asked := m.person.asked(); asked != nil && typing {
		keys = asked
	}
	a, asks := m.nav.top().(Asker)
	if typing {
		mode := t.Selected.Render(typingMode) + " "
		return " " + mode + t.Footer(m.width-2-widget.Width(mode), m.nav.written(keys)...)
	}
	if !asks || !a.Asking() {
		keys = append(keys[:len(keys):len(keys)], rootKeys(&m.keys, m.nav, m.width)...)
	}
	return " " + t.Footer(m.width-2, m.nav.written(keys)...)
}

// rootKeys are those of the root that matter now.
func rootKeys(k *keys, nav *navigation, width int) []key.Binding {
	var out []key.Binding
	d, ok := nav.top().(Deep)
	switch {
	case ok && d.Deep(): // the screen says how to leave
	case len(nav.stack()) > 1:
		out = append(out, widget.Bind("esc", "back", "esc"))
	case nav.tab == nav.can.home():
		out = append(out, widget.Bind("q", "quit", "q"))
	}
	if nav.beside(1) != nav.tab {
		out = append(out, widget.Bind("[ ]", "tabs", "["))
	}
	if width >= roomy {
		out = append(out, widget.Bind("ctrl+p", "find", "ctrl+p"))
	}
	return append(out, k.help)
}
