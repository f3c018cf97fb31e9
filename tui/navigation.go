package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// navigation holds the screens that are open: of each tab a stack, of which the
// last one is seen while the tab is open.
type navigation struct {
	can           access
	keys          *keymap.Keymap // nil: the keys that everybody has
	width, height int            // of a screen
	tab           Tab
	stacks        [tabCount][]Screen
	left          func(Screen) // called of each screen that is left
}

// stack is the open tab's screens; the last one is seen.
func (n *navigation) stack() []Screen { return n.stacks[n.tab] }

// top is the screen that is seen.
func (n *navigation) top() Screen { return n.stack()[len(n.stack())-1] }

// beside is the next tab that there is, forth or back.
func (n *navigation) beside(by Tab) Tab {
	t := (n.tab + by) % tabCount
	for !n.can.has(t) {
		t = (t + by) % tabCount
	}
	return t
}

// resize gives the screens their room.
func (n *navigation) resize(width, height int) {
	n.width, n.height = width, height
	for s := range n.screens {
		s.Resize(width, height)
	}
}

// screens are all that are open.
func (n *navigation) screens(yield func(Screen) bool) {
	for _, stack := range n.stacks {
		for _, s := range stack {
			if !yield(s) {
				return
			}
		}
	}
}

// push opens a screen upon the open tab's.
func (n *navigation) push(s Screen) tea.Cmd {
	n.stacks[n.tab] = append(n.stack(), s)
	n.spell(s)
	s.Resize(n.width, n.height)
	return s.Init()
}

// drop leaves the screen that is seen without a look at the one under it.
func (n *navigation) drop() bool {
	st := n.stack()
	if len(st) < 2 {
		return false
	}
	n.left(st[len(st)-1])
	putAway(st[len(st)-1])
	n.stacks[n.tab] = st[: len(st)-1 : len(st)-1]
	return true
}

// unwind leaves all of the open tab's screens but the first.
func (n *navigation) unwind() {
	for n.drop() {
	}
}

// reset leaves all screens of all tabs but the first of each.
func (n *navigation) reset() {
	for i, stack := range n.stacks {
		for len(stack) > 1 {
			putAway(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
		}
		n.stacks[i] = stack[:len(stack):len(stack)]
	}
}

// keep has the screens hand over what is being typed.
func (n *navigation) keep() {
	for s := range n.screens {
		if k, ok := s.(Keeper); ok {
			k.Keep()
		}
	}
}

// close ends what the screens have under way.
func (n *navigation) close() {
	for s := range n.screens {
		putAway(s)
	}
}

func putAway(s Screen) {
	if c, ok := s.(Closer); ok {
		c.Close()
	}
}

// place is where keys are pressed now; "" where they mean what they say,
// whatever somebody chose: they are text, or answer a question.
func (n *navigation) place() keymap.Place {
	s := n.top()
	if a, ok := s.(Asker); s.Typing() || ok && a.Asking() {
		return ""
	}
	if p, ok := s.(Placed); ok {
		return p.KeyPlace()
	}
	return keymap.Everywhere
}

// translate is a key as the screens know it. It is false for one that does
// nothing, because the person gave its action another.
func (n *navigation) translate(msg tea.KeyMsg) (tea.KeyMsg, bool) {
	at := n.place()
	if msg.Paste || at == "" {
		return msg, true
	}
	pressed := msg.String()
	name, ok := n.keys.Default(at, pressed)
	if ok && name != pressed {
		msg = keymap.Msg(name)
	}
	return msg, ok
}

// spell tells a screen how its keys are written. While somebody types, its
// texts tell of keys that mean something else just then: they stay as they are
// for the place.
func (n *navigation) spell(s Screen) {
	sp, ok := s.(Speller)
	if !ok {
		return
	}
	sp.Spell(func(name string) string {
		at := keymap.Everywhere
		if p, ok := s.(Placed); ok {
			at = p.KeyPlace()
		}
		return n.keys.First(name, at)
	})
}

// written are bindings with the person's keys.
func (n *navigation) written(keys []key.Binding) []key.Binding {
	at := n.place()
	if at == "" {
		return keys
	}
	out := make([]key.Binding, len(keys))
	for i, k := range keys {
		out[i] = n.keys.Binding(k, at)
	}
	return out
}

// copiesByLetter reports whether y copies here: on some screens it says
// something.
func (n *navigation) copiesByLetter() bool { return n.keys.Has(n.place(), "copy_this") }

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
	// Back leaves one level within the screen, and reports whether there was
	// one to leave.
	Back() bool
	// Typing reports whether keys are text: the root's keys are off then.
	Typing() bool
	// Keys are what can be done now, the most important first.
	Keys() []key.Binding
	// Help is the page of all bindings.
	Help() []widget.Group
}

// Closer is a screen that has something to put away when it is left.
type Closer interface{ Close() }

// Keeper is a screen on which text may stand that nobody has handed over: Keep
// does so, before the app saves and ends.
type Keeper interface{ Keep() }

// Asker is a screen that may stand and wait for an answer: nothing else is
// offered meanwhile.
type Asker interface{ Asking() bool }

// Placed is a screen whose keys are in the keymap. Where it stands may change
// with what it shows.
type Placed interface{ KeyPlace() keymap.Place }

// Speller is a screen whose texts name keys: with is how one of its own is
// written now. Most have a keymap.Spelling inside.
type Speller interface {
	Spell(with func(key string) string)
}

// Exact is a screen whose View fills a size exactly, line by line, so that nobody
// has to measure it again, or to divide it.
type Exact interface {
	Exact(width, height int) bool
	Lines() []string
}

// Deep is a screen that may show one thing of many: its own keys say how to go
// back then, and q does not quit.
type Deep interface{ Deep() bool }

// Clicker is a screen with rows that a mouse selects.
type Clicker interface {
	// Click selects what is drawn at a cell of the screen, counted from its
	// upper left corner; nothing happens where there is no row.
	Click(x, y int) tea.Cmd
}

// guide is a screen on which people work by a guideline.
type guide interface {
	Guided(q annotate.QueueName, g annotate.Guideline)
}

// Copier is a screen on which something is in front that can be copied.
type Copier interface {
	// Copied is what is in front, as it was written, and what it is called;
	// "" when nothing is, or the person must not see it yet.
	Copied() (what, text string)
}

// person is who works at the app.
type person struct {
	tabs  *tabs
	store func(annotate.Annotator) error // remembers the name; nil: nothing does
	who   annotate.Annotator
	was   annotate.Annotator // who worked before somebody else was asked for
	role  func(annotate.Annotator) annotate.Role
	roles map[annotate.Annotator]annotate.Role // of those who gave their names
}

// set says who works from now on.
func (p *person) set(who annotate.Annotator) {
	p.who, p.was = who, ""
	p.follow()
	p.tabs.setAnnotator(who)
}

// follow gives the app what the role of the person allows, as far as it is known.
func (p *person) follow() {
	nav := p.tabs.nav
	if role, known := p.roles[p.who]; !nav.can.guest() && role != nav.can.role && (known || p.who == "") {
		nav.can.role = role
		p.tabs.follow()
		if !nav.can.has(nav.tab) {
			nav.tab = nav.can.home()
		}
	}
}

// roleKnown is the role of somebody who gave their name.
type roleKnown struct {
	who  annotate.Annotator
	role annotate.Role
}

// named takes a name that was given.
func (p *person) named(who annotate.Annotator) tea.Cmd {
	p.set(who)
	store, role := p.store, p.role
	if store == nil {
		return p.tabs.queues.reload()
	}
	return tea.Batch(p.tabs.queues.reload(), func() tea.Msg {
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

// handOver asks who works from now on. What is open was opened for the one who
// worked so far, who may see what the next one may not: all of it is left.
func (p *person) handOver() tea.Cmd {
	nav := p.tabs.nav
	if nav.can.guest() {
		return send(widget.Notify{Level: widget.Info, Text: "you came in as " + widget.Line(string(p.who)) + ": somebody else comes in with a key of their own"})
	}
	nav.keep()
	nav.reset()
	was := p.who
	p.set("")
	p.was = was
	if nav.tab == TabCriteria || nav.tab == TabCurate {
		return nav.top().Refresh()
	}
	nav.tab = TabReview
	return p.tabs.queues.reload()
}

// keepOn goes on as the one who worked before somebody else was asked for, and
// reports whether there was one.
func (p *person) keepOn() bool {
	if p.who != "" || p.was == "" {
		return false
	}
	p.set(p.was)
	return true
}

// asks reports whether the question for a name is seen. The keys of tabs go on
// there: a tab is no field that swallows them.
func (p *person) asks() bool {
	top := p.tabs.nav.top()
	return p.who == "" && (top == Screen(p.tabs.queues) || top == Screen(p.tabs.criteria) || top == Screen(p.tabs.curate))
}

// asked are the keys while somebody else is asked for.
func (p *person) asked() []key.Binding {
	if p.who != "" || p.was == "" {
		return nil
	}
	return []key.Binding{
		widget.Bind("enter", "continue", "enter"),
		widget.Bind("esc", "stay "+widget.Cut(widget.Line(string(p.was)), 20), "esc"),
	}
}
