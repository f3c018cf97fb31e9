package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// person is who works at the app.
type person struct {
	tabs  *tabs
	store func(annotate.Annotator) error // remembers the name; nil: nothing does
	who   annotate.Annotator
	was   annotate.Annotator // who worked before somebody else was asked for
}

// set says who works from now on.
func (p *person) set(who annotate.Annotator) {
	p.who, p.was = who, ""
	p.tabs.setAnnotator(who)
}

// named takes a name that was given.
func (p *person) named(who annotate.Annotator) tea.Cmd {
	p.set(who)
	store := p.store
	if store == nil {
		return p.tabs.queues.reload()
	}
	return tea.Batch(p.tabs.queues.reload(), func() tea.Msg {
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
