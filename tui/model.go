package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the root model. It draws the frame, and hands messages and keys to its children.
type Model struct {
	deps  *Deps
	theme *widget.Theme
	keys  rootKeySet

	width, height int
	nav           *screenStacks
	tabs          *tabScreens
	person        *currentPerson
	opener        *screenOpener
	finder        *paletteFinder
	news          *changeMarks
	quit          *quitSequence
	tour          tourState
	toasts        widget.Toasts
	manual        helpPage
	seen          seenFrame
}

func (m *Model) newBanner() *headerBanner {
	return &headerBanner{theme: m.theme, project: m.deps.Project, synthetic: m.deps.Synthetic, can: m.nav.can, tab: m.nav.tab, who: m.person.who, width: m.width}
}

// KeepDraft has the screens hand over what is being typed. Quitting does so by
// itself; whoever ends the program otherwise does it afterwards.
func (m *Model) KeepDraft() { m.nav.keepAllDrafts() }

// WindowTitle is what stands in the title of the terminal's window, and how far what
// runs has come, in percent; -1 when nothing runs.
func (m *Model) WindowTitle() (title string, percent int) {
	return "concord: " + widget.CleanLine(m.deps.Project) + ", " + tabNames[m.nav.tab], m.tabs.runs.PercentDone()
}

// Close ends what the screens have under way. Quitting does so by itself;
// whoever ends the program otherwise does it afterwards.
func (m *Model) Close() { m.nav.closeScreens() }

// CurrentStart is where the app stands, for it to be opened there again.
func (m *Model) CurrentStart() Start {
	s := Start{Tab: m.nav.tab}
	if len(m.opener.drafts.QueuesWithDraft()) > 0 {
		drafts := m.opener.drafts
		s.Drafts = &drafts
	}
	if m.nav.tab == TabReview && len(m.nav.openStack()) > 1 {
		s.Queue = m.tabs.queues.queue
	}
	return s
}

const (
	footerHeight = 1
	tallFrom     = 16  // from here the header has its rule, and the tour its line
	roomy        = 120 // from here the footer has room for what is not of the screen
)

// headerHeight is how many lines the header takes on a terminal of a height.
func headerHeight(height int) int { return eval.Either(height < tallFrom, 1, 2) }

// bodyHeight is what is left for the screen.
func (m *Model) bodyHeight() int {
	return max(0, m.height-headerHeight(m.height)-footerHeight-len(m.theme.DrawToasts(&m.toasts, m.width))-len(m.tour.drawLines(m.nav.tab, m.width, m.height)))
}

// resizeScreens gives the screens their room. The one that is seen may have to draw a picture anew for it.
func (m *Model) resizeScreens() tea.Cmd {
	m.nav.resizeScreens(m.width, m.bodyHeight())
	return m.nav.topScreen().Refresh()
}

// faded tells that a notice may have had its time.
type faded struct{}

func (m *Model) showNotice(n widget.Notify) tea.Cmd {
	after := m.toasts.AddNotice(n, m.deps.Now())
	cmd := m.resizeScreens()
	if after == 0 {
		return cmd
	}
	return tea.Batch(cmd, tea.Tick(after, func(time.Time) tea.Msg { return faded{} }))
}

// handleMouse takes what a mouse does: its wheel is the arrow keys, a click opens a tab or selects a row.
// It answers nothing, and does nothing while keys are text or a question stands: a hand that brushes the
// mouse changes nothing. The terminal sends these only where the configuration asks for a mouse.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case m.quit.saving || msg.Action != tea.MouseActionPress:
		return nil
	case msg.Button == tea.MouseButtonLeft:
		return m.handleClick(msg.X, msg.Y)
	}
	return handleWheel(m, msg)
}

func (m *Model) handleClick(x, y int) tea.Cmd {
	if m.finder.isOpen() || m.manual.open || m.nav.keyPlace() == "" || widget.DescribeTooSmall(m.width, m.height) != "" {
		return nil
	}
	if y == 0 && headerHeight(m.height) > 1 {
		if t, ok := m.newBanner().tabAtColumn(x); ok {
			return m.tabs.jumpToTab(t)
		}
		return nil
	}
	if c, ok := m.nav.topScreen().(Clicker); ok && y >= headerHeight(m.height) && y < headerHeight(m.height)+m.bodyHeight() {
		return c.HandleClick(x, y-headerHeight(m.height))
	}
	return nil
}

// handleWheel moves as the arrow keys do.
func handleWheel(m *Model, msg tea.MouseMsg) tea.Cmd {
	var key tea.KeyMsg
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		key = keymap.NewKeyMsg("up")
	case tea.MouseButtonWheelDown:
		key = keymap.NewKeyMsg("down")
	default:
		return nil
	}
	switch {
	case m.finder.isOpen() && !m.quit.saving:
		return m.pressPalette(key)
	case m.nav.keyPlace() == "" && !m.manual.open:
		return nil // the arrows go through fields there, and through answers
	}
	return m.doDefaultKey(key, false)
}

// settled is how long an item has to be on the terminal before a key that is typed can be meant for it.
const settled = 80 * time.Millisecond

// typingPause is how long no key may be typed before one counts again behind a key that was
// ignored: what was typed in one go with it is meant for items further on.
const typingPause = 300 * time.Millisecond

// Recorder is a screen whose keys record what people do to the item in front.
type Recorder interface {
	// ItemInFront is what the frame has in front, to be compared: it changes with the item, with what the
	// keys mean, and with everything that is recorded. nil: an item that the frame does not show whole.
	ItemInFront() any
	// RecordsOnKey reports whether a key records something now.
	RecordsOnKey(key string) bool
}

// seenFrame is what the terminal showed when the key was typed that is handled now,
// and how many keys were ignored since nobody can have meant them.
type seenFrame struct {
	told    bool // the terminal's side has said so; else every key counts
	front   any
	age     time.Duration
	ignored int // since a pause

	before    any // what it showed at the key before, and for how long
	beforeAge time.Duration
}

// FrontItem is what the frame has in front: what the keys of a screen are meant for.
// nil: nothing, or something else lies over it.
func (m *Model) FrontItem() any {
	if widget.DescribeTooSmall(m.width, m.height) != "" || m.finder.isOpen() || m.manual.open {
		return nil
	}
	if r, ok := m.nav.topScreen().(Recorder); ok {
		return r.ItemInFront()
	}
	return nil
}

// HandleKey takes a key, with what the terminal showed when it was typed, and for how long. Keys that
// record count only for what was seen; others are dropped and counted, and never kept for a later item.
func (m *Model) HandleKey(msg tea.KeyMsg, front any, age time.Duration) (tea.Model, tea.Cmd) {
	m.seen.told, m.seen.front, m.seen.age = true, front, age
	defer func() { m.seen.told = false }()
	return m.Update(msg)
}

// ignoresUnseenKey reports whether a key would record something on what was not on the
// terminal when it was typed; such a key is counted. now is what is in front.
func (s *seenFrame) ignoresUnseenKey(to Screen, now any, key string) bool {
	r, ok := to.(Recorder)
	waited := s.age
	if s.before == s.front {
		waited -= s.beforeAge
	}
	s.before, s.beforeAge = s.front, s.age
	if !ok || !s.told || waited >= typingPause {
		s.ignored = 0
	}
	if !ok || !s.told || !r.RecordsOnKey(key) || s.ignored == 0 && now != nil && now == s.front && s.age >= settled {
		return false
	}
	s.ignored++
	return true
}

// formatIgnored says how many keys were ignored.
func (s *seenFrame) formatIgnored() string {
	if s.ignored == 0 {
		return ""
	}
	return " " + widget.FormatPlural(s.ignored, "key") + " ignored: typed before this was on the screen. Pause, then continue "
}

// View draws the frame.
func (m *Model) View() string { return strings.Join(m.DrawLines(), "\n") }

// DrawLines draws the frame's.
func (m *Model) DrawLines() []string {
	if m.width <= 0 || m.height <= 0 {
		return []string{""}
	}
	if msg := widget.DescribeTooSmall(m.width, m.height); msg != "" {
		return strings.Split(msg, "\n")
	}
	head, body := m.newBanner().drawLines(m.theme.DrawInfo(&m.toasts, m.width-4)), m.drawBody()
	if headerHeight(m.height) == 1 {
		head = []string{m.newBanner().drawOneLineHeader(m.theme.DrawInfo(&m.toasts, m.width-4))}
	}
	foot := append(m.theme.DrawToasts(&m.toasts, m.width), m.tour.drawLines(m.nav.tab, m.width, m.height)...)
	foot = append(foot, m.drawFooter())
	if len(head)+len(body)+len(foot) != m.height {
		return widget.FitBox(slices.Concat(head, body, foot), m.width, m.height)
	}
	// The body is measured already, and a picture in it takes as long to measure as all the rest to draw.
	return slices.Concat(widget.FitBox(head, m.width, len(head)), body, widget.FitBox(foot, m.width, len(foot)))
}

func (m *Model) drawBody() []string {
	height := m.bodyHeight()
	if m.finder.isOpen() {
		return widget.FitBox(m.finder.palette.View(strings.Split(m.nav.topScreen().View(), "\n"), m.width, height), m.width, height)
	}
	if m.manual.open {
		return widget.FitBox(m.manual.drawLines(m.theme, helpGroups(&m.keys, m.nav), m.width, height), m.width, height)
	}
	if e, ok := m.nav.topScreen().(Exact); ok && e.HasSize(m.width, height) {
		if lines := e.DrawLines(); len(lines) == height {
			return lines
		}
	}
	return widget.FitBox(strings.Split(m.nav.topScreen().View(), "\n"), m.width, height)
}

// typingMode stands in the footer while keys are text, or answer a form, and are no commands.
const typingMode = " typing "

func (m *Model) drawFooter() string {
	t := m.theme
	if s := m.quit.formatUnsaved(); s != "" {
		return t.Warn.Render(" "+s) + t.Faint.Render("  ctrl+c leaves at once")
	}
	if m.manual.open {
		return " " + t.DrawFooter(m.width-2, m.manual.pageKeys()...)
	}
	if m.finder.isOpen() {
		return " " + t.DrawFooter(m.width-2, widget.NewBinding("enter", "go there, do it", "enter"), widget.NewBinding("↑↓", "choose", "up"), widget.NewBinding("ctrl+u", "clear", "ctrl+u"), widget.NewBinding("esc", "close", "esc"))
	}
	if s := m.seen.formatIgnored(); s != "" {
		s = widget.CutWidth(s, m.width-1)
		return " " + t.Warn.Render(s) + t.DrawFooter(m.width-1-widget.TextWidth(s), m.nav.bindingsWithOwnKeys(m.nav.topScreen().Bindings())...)
	}
	typing := m.nav.topScreen().IsTyping()
	keys := m.nav.topScreen().Bindings()
	if asked := m.person.nameQuestionKeys(); asked != nil && typing {
		keys = asked
	}
	a, asks := m.nav.topScreen().(Asker)
	if typing {
		mode := t.Selected.Render(typingMode) + " "
		return " " + mode + t.DrawFooter(m.width-2-widget.TextWidth(mode), m.nav.bindingsWithOwnKeys(keys)...)
	}
	if !asks || !a.IsAsking() {
		keys = append(keys[:len(keys):len(keys)], rootBindings(&m.keys, m.nav, m.width)...)
	}
	return " " + t.DrawFooter(m.width-2, m.nav.bindingsWithOwnKeys(keys)...)
}

// rootBindings are those of the root that matter now.
func rootBindings(k *rootKeySet, nav *screenStacks, width int) []key.Binding {
	var out []key.Binding
	d, ok := nav.topScreen().(Deep)
	switch {
	case ok && d.IsDeep(): // the screen says how to leave
	case len(nav.openStack()) > 1:
		out = append(out, widget.NewBinding("esc", "back", "esc"))
	case nav.tab == nav.can.homeTab():
		out = append(out, widget.NewBinding("q", "quit", "q"))
	}
	if nav.nextTab(1) != nav.tab {
		out = append(out, widget.NewBinding("[ ]", "tabs", "["))
	}
	if width >= roomy {
		out = append(out, widget.NewBinding("ctrl+p", "find", "ctrl+p"))
	}
	return append(out, k.help)
}
