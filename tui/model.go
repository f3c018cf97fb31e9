package tui

import (
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
