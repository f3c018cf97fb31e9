package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// screenStacks holds the screens that are open: of each tab a stack, of which the
// last one is seen while the tab is open.
type screenStacks struct {
	can           access
	keys          *keymap.Keymap // nil: the keys that everybody has
	width, height int            // of a screen
	tab           Tab
	stacks        [tabCount][]Screen
	left          func(Screen) // called of each screen that is left
}

// openStack gives the open tab's screens; the last one is seen.
func (n *screenStacks) openStack() []Screen { return n.stacks[n.tab] }

func (n *screenStacks) topScreen() Screen { return n.openStack()[len(n.openStack())-1] }

// nextTab gives the next tab that there is, forth or back.
func (n *screenStacks) nextTab(by Tab) Tab {
	t := (n.tab + by) % tabCount
	for !n.can.hasTab(t) {
		t = (t + by) % tabCount
	}
	return t
}

// resizeScreens gives the screens their room.
func (n *screenStacks) resizeScreens(width, height int) {
	n.width, n.height = width, height
	for s := range n.eachScreen {
		s.Resize(width, height)
	}
}

func (n *screenStacks) eachScreen(yield func(Screen) bool) {
	for _, stack := range n.stacks {
		for _, s := range stack {
			if !yield(s) {
				return
			}
		}
	}
}

// pushScreen opens a screen upon the open tab's.
func (n *screenStacks) pushScreen(s Screen) tea.Cmd {
	n.stacks[n.tab] = append(n.openStack(), s)
	n.setKeySpelling(s)
	s.Resize(n.width, n.height)
	return s.Init()
}

// closeTopScreen leaves the screen that is seen without a look at the one under it.
func (n *screenStacks) closeTopScreen() bool {
	st := n.openStack()
	if len(st) < 2 {
		return false
	}
	n.left(st[len(st)-1])
	closeScreen(st[len(st)-1])
	n.stacks[n.tab] = st[: len(st)-1 : len(st)-1]
	return true
}

// closeToFirst leaves all of the open tab's screens but the first.
func (n *screenStacks) closeToFirst() {
	for n.closeTopScreen() {
	}
}

// closeAllToFirst leaves all screens of all tabs but the first of each.
func (n *screenStacks) closeAllToFirst() {
	for i, stack := range n.stacks {
		for len(stack) > 1 {
			closeScreen(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
		}
		n.stacks[i] = stack[:len(stack):len(stack)]
	}
}

// keepAllDrafts has the screens hand over what is being typed.
func (n *screenStacks) keepAllDrafts() {
	for s := range n.eachScreen {
		if k, ok := s.(Keeper); ok {
			k.KeepDraft()
		}
	}
}

// closeScreens ends what the screens have under way.
func (n *screenStacks) closeScreens() {
	for s := range n.eachScreen {
		closeScreen(s)
	}
}

func closeScreen(s Screen) {
	if c, ok := s.(Closer); ok {
		c.Close()
	}
}

// keyPlace is where keys are pressed now; "" where they mean what they say,
// whatever somebody chose: they are text, or answer a question.
func (n *screenStacks) keyPlace() keymap.Place {
	s := n.topScreen()
	if a, ok := s.(Asker); s.IsTyping() || ok && a.IsAsking() {
		return ""
	}
	if p, ok := s.(Placed); ok {
		return p.KeymapPlace()
	}
	return keymap.Everywhere
}

// translateKey gives a key as the screens know it. It is false for one that does
// nothing, because the person gave its action another.
func (n *screenStacks) translateKey(msg tea.KeyMsg) (tea.KeyMsg, bool) {
	at := n.keyPlace()
	if msg.Paste || at == "" {
		return msg, true
	}
	pressed := msg.String()
	name, ok := n.keys.TranslatePressedKey(at, pressed)
	if ok && name != pressed {
		msg = keymap.NewKeyMsg(name)
	}
	return msg, ok
}

// setKeySpelling tells a screen how its keys are written. While somebody types, its texts tell of keys
// that mean something else just then: they stay as they are for the place.
func (n *screenStacks) setKeySpelling(s Screen) {
	sp, ok := s.(Speller)
	if !ok {
		return
	}
	sp.SetKeySpeller(func(name string) string {
		at := keymap.Everywhere
		if p, ok := s.(Placed); ok {
			at = p.KeymapPlace()
		}
		return n.keys.FirstKeyText(name, at)
	})
}

// bindingsWithOwnKeys are bindings with the person's keys.
func (n *screenStacks) bindingsWithOwnKeys(keys []key.Binding) []key.Binding {
	at := n.keyPlace()
	if at == "" {
		return keys
	}
	return eval.Map(keys, func(k key.Binding) key.Binding { return n.keys.TranslateBinding(k, at) })
}

// copiesByLetter reports whether y copies here: on some screens it says something.
func (n *screenStacks) copiesByLetter() bool { return n.keys.HasAction(n.keyPlace(), "copy_this") }

// Screen is what the root shows between its header and its footer.
type Screen interface {
	// Init loads what is shown first.
	Init() tea.Cmd
	// Update takes a message. Messages other than keys reach every screen.
	Update(msg tea.Msg) tea.Cmd
	// View draws the size that Resize gave, in lines of at most that width.
	View() string
	Resize(width, height int)
	// Refresh reads again what is shown, because facts have changed.
	Refresh() tea.Cmd
	// GoBack leaves one level within the screen, and reports whether there was one to leave.
	GoBack() bool
	// IsTyping reports whether keys are text: the root's keys are off then.
	IsTyping() bool
	// Bindings are what can be done now, the most important first.
	Bindings() []key.Binding
	// HelpGroups is the page of all bindings.
	HelpGroups() []widget.Group
}

// Closer is a screen that has something to put away when it is left.
type Closer interface{ Close() }

// Keeper is a screen that may hold text nobody has handed over: KeepDraft does, before the app ends.
type Keeper interface{ KeepDraft() }

// Asker is a screen that may stand and wait for an answer: nothing else is offered meanwhile.
type Asker interface{ IsAsking() bool }

// Placed is a screen whose keys are in the keymap. Where it stands may change with what it shows.
type Placed interface{ KeymapPlace() keymap.Place }

// Speller is a screen whose texts name keys: with is how one of its own is
// written now. Most have a keymap.Spelling inside.
type Speller interface {
	SetKeySpeller(with func(key string) string)
}

// Exact is a screen whose View fills a size exactly, line by line, so that nobody
// has to measure it again, or to divide it.
type Exact interface {
	HasSize(width, height int) bool
	DrawLines() []string
}

// Deep is a screen that may show one thing of many: then its own keys say how to go back, not q.
type Deep interface{ IsDeep() bool }

// Clicker is a screen with rows that a mouse selects.
type Clicker interface {
	// HandleClick selects what is drawn at a cell of the screen, counted from its
	// upper left corner; nothing happens where there is no row.
	HandleClick(x, y int) tea.Cmd
}

// guide is a screen on which people work by a guideline.
type guide interface {
	SetGuideline(q annotate.QueueName, g annotate.Guideline)
}

// Copier is a screen on which something is in front that can be copied.
type Copier interface {
	// CopyText is what is in front, as it was written, and what it is called;
	// "" when nothing is, or the person must not see it yet.
	CopyText() (what, text string)
}

// currentPerson is who works at the app.
type currentPerson struct {
	tabs  *tabScreens
	store func(annotate.Annotator) error // remembers the name; nil: nothing does
	who   annotate.Annotator
	was   annotate.Annotator // who worked before somebody else was asked for
	role  func(annotate.Annotator) annotate.Role
	roles map[annotate.Annotator]annotate.Role // of those who gave their names
}

// setAnnotator says who works from now on.
func (p *currentPerson) setAnnotator(who annotate.Annotator) {
	p.who, p.was = who, ""
	p.applyRole()
	p.tabs.setAnnotator(who)
}

// applyRole gives the app what the role of the person allows, as far as it is known.
func (p *currentPerson) applyRole() {
	nav := p.tabs.nav
	if role, known := p.roles[p.who]; !nav.can.isGuest() && role != nav.can.role && (known || p.who == "") {
		nav.can.role = role
		p.tabs.follow()
		if !nav.can.hasTab(nav.tab) {
			nav.tab = nav.can.homeTab()
		}
	}
}

// roleKnown is the role of somebody who gave their name.
type roleKnown struct {
	who  annotate.Annotator
	role annotate.Role
}

func (p *currentPerson) workUnderName(who annotate.Annotator) tea.Cmd {
	p.setAnnotator(who)
	store, role := p.store, p.role
	if store == nil {
		return p.tabs.queues.readQueues()
	}
	return tea.Batch(p.tabs.queues.readQueues(), func() tea.Msg {
		if role == nil {
			return nil
		}
		return roleKnown{who, role(who)}
	}, func() tea.Msg {
		if err := store(who); err != nil {
			return widget.Notify{Level: widget.Problem, Text: "remember the name: " + err.Error()}
		}
		return nil
	})
}

// askNextPerson asks who works from now on. What is open was opened for the one who
// worked so far, who may see what the next one may not: all of it is left.
func (p *currentPerson) askNextPerson() tea.Cmd {
	nav := p.tabs.nav
	if nav.can.isGuest() {
		return widget.NotifyCmd(widget.Info, "you came in as "+widget.CleanLine(string(p.who))+": somebody else comes in with a key of their own")
	}
	nav.keepAllDrafts()
	nav.closeAllToFirst()
	was := p.who
	p.setAnnotator("")
	p.was = was
	if nav.tab == TabCriteria || nav.tab == TabCurate {
		return nav.topScreen().Refresh()
	}
	nav.tab = TabReview
	return p.tabs.queues.readQueues()
}

// returnToPerson goes on as who worked before somebody else was asked for, and reports whether there was one.
func (p *currentPerson) returnToPerson() bool {
	if p.who != "" || p.was == "" {
		return false
	}
	p.setAnnotator(p.was)
	return true
}

// isAskingName reports whether the question for a name is seen. The keys of tabs go on
// there: a tab is no field that swallows them.
func (p *currentPerson) isAskingName() bool {
	top := p.tabs.nav.topScreen()
	return p.who == "" && (top == Screen(p.tabs.queues) || top == Screen(p.tabs.criteria) || top == Screen(p.tabs.curate))
}

// nameQuestionKeys gives the keys while somebody else is asked for.
func (p *currentPerson) nameQuestionKeys() []key.Binding {
	if p.who != "" || p.was == "" {
		return nil
	}
	return []key.Binding{
		widget.NewBinding("enter", "continue", "enter"),
		widget.NewBinding("esc", "stay "+widget.CutWidth(widget.CleanLine(string(p.was)), 20), "esc"),
	}
}
