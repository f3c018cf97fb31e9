package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// stop is a step of the tour: what is to be done, at length and in short, with
// keys in braces as they are named at a place.
type stop struct {
	at          keymap.Place
	long, short string
	done        func(m *Model, msg tea.Msg) bool
	pass        bool // it is passed over by whoever does the next one
}

// enough is how many labels the tour asks for.
const enough = 3

func pressing(names ...string) func(*Model, tea.Msg) bool {
	return func(_ *Model, msg tea.Msg) bool {
		k, ok := msg.(tea.KeyMsg)
		return ok && key.Matches(k, widget.Bind("", "", names...))
	}
}

// stops are the way through the demo.
func stops() []stop {
	return []stop{
		{keymap.Runs, "{down} goes through the runs: they answer while you watch", "{down} goes through the runs", pressing("down", "up", "j", "k"), true},
		{keymap.Runs, "{tab}, then {enter} opens the queue of what no rule could read", "{tab}, {enter} opens the queue", func(m *Model, _ tea.Msg) bool { return m.tab == TabReview }, false},
		{keymap.Everywhere, "type your name, then enter: it stands beside your labels", "type your name, then enter", func(m *Model, _ tea.Msg) bool { return m.who != "" && len(m.stacks[TabReview]) > 1 }, false},
		{keymap.Review, "read the answer and label three: 1-9 or A-Z an option, {x} none", "label three: 1-9, A-Z, or {x}", func(m *Model, _ tea.Msg) bool { return m.stored()-m.tour.saved >= enough }, false},
		{keymap.Review, "{u} takes the last one back", "{u} takes the last one back", pressing("u"), true},
		{keymap.Review, "{a} shows how far the machine's reading can be trusted", "{a} goes to the report", func(m *Model, _ tea.Msg) bool { return m.tab == TabReport }, false},
		{keymap.Everywhere, "{ctrl+p} finds everything by name; {?} lists a screen's keys", "{ctrl+p} finds everything", func(m *Model, _ tea.Msg) bool { return m.palette != nil || m.manual.open }, false},
	}
}

// stored is how many acts are stored.
func (m *Model) stored() int {
	if m.deps.Saver == nil {
		return 0
	}
	return m.deps.Saver.State().Saved
}

// touring reports whether the tour is seen.
func (m *Model) touring() bool { return m.deps.Tour != nil && !m.tour.over }

// tourLines are the line of the tour; none where there is no tour.
func (m *Model) tourLines() []string {
	if !m.touring() {
		return nil
	}
	t, all := m.theme, stops()
	s := all[min(m.tour.at, len(all)-1)]
	text := s.long
	if m.width < 100 {
		text = s.short
	}
	var sp keymap.Spelling
	sp.Spell(func(name string) string { return m.deps.Keys.First(name, s.at) })
	left := t.Accent.Render(" tour "+strings.Repeat("●", m.tour.at)+strings.Repeat("○", len(all)-m.tour.at)+" ") + sp.Keyed(text)
	return []string{widget.Ends(left, t.Faint.Render(m.deps.Keys.First("ctrl+e", keymap.Everywhere)+" ends it "), m.width)}
}
