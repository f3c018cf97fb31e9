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
	done        func(at appState, msg tea.Msg) bool
	pass        bool // it is passed over by whoever does the next one
}

// appState is what the tour sees of the app.
type appState struct {
	tab     Tab
	working bool // a queue is open, of a person who is known
	helped  bool // the palette or the page of keys is open
	saved   int  // acts that were stored since the step began
}

// enough is how many labels the tour asks for.
const enough = 3

func pressing(names ...string) func(appState, tea.Msg) bool {
	return func(_ appState, msg tea.Msg) bool {
		k, ok := msg.(tea.KeyMsg)
		return ok && key.Matches(k, widget.Bind("", "", names...))
	}
}

// stops are the way through the demo.
func stops() []stop {
	return []stop{
		{keymap.Runs, "{down} goes through the runs: they answer while you watch", "{down} goes through the runs", pressing("down", "up", "j", "k"), true},
		{keymap.Runs, "{tab}, then {enter} opens the queue of what no rule could read", "{tab}, {enter} opens the queue", func(at appState, _ tea.Msg) bool { return at.tab == TabReview }, false},
		{keymap.Everywhere, "type your name, then enter: it is kept with your labels", "type your name, then enter", func(at appState, _ tea.Msg) bool { return at.working }, false},
		{keymap.Review, "read the answer and label three: its letter or place, {none} for none", "label three by their letters", func(at appState, _ tea.Msg) bool { return at.saved >= enough }, false},
		{keymap.Review, "{undo} takes the last one back", "{undo} takes the last one back", pressing("ctrl+z"), true},
		{keymap.Review, "{next_tab} shows how far the extracted answers can be trusted", "{next_tab} goes to the report", func(at appState, _ tea.Msg) bool { return at.tab == TabReport }, false},
		{keymap.Everywhere, "{palette} finds everything by name; {help} lists a screen's keys", "{palette} finds everything", func(at appState, _ tea.Msg) bool { return at.helped }, false},
	}
}

// touring is how far the tour has come.
type touring struct {
	theme *widget.Theme
	keys  *keymap.Keymap
	tour  *Tour // nil: there is none
	saver Saver // nil: nothing is ever stored
	at    int
	saved int // acts that were stored when the step began
	over  bool
}

// stored is how many acts are stored.
func (t *touring) stored() int {
	if t.saver == nil {
		return 0
	}
	return t.saver.State().Saved
}

// on reports whether the tour is seen.
func (t *touring) on() bool { return t.tour != nil && !t.over }

// goOn goes on with the tour by what was done: msg is a key as screens know it,
// or whatever else the app was told. It reports whether that was the last step.
func (t *touring) goOn(at appState, msg tea.Msg) bool {
	if !t.on() {
		return false
	}
	all, was := stops(), t.at
	done := func(i int) bool {
		at.saved = t.stored() - t.saved
		return all[i].done(at, msg)
	}
	for t.at < len(all) && (done(t.at) || all[t.at].pass && done(t.at+1)) {
		t.at, t.saved, msg = t.at+1, t.stored(), nil
	}
	return t.at != was && t.at == len(all)
}

// end takes the tour away for good.
func (t *touring) end() tea.Cmd {
	t.over = true
	end := t.tour.End
	return func() tea.Msg {
		if err := end(); err != nil {
			return widget.Notify{Level: widget.Problem, Text: "end the tour: " + err.Error()}
		}
		return nil
	}
}

// lines are the line of the tour; none where there is no tour.
func (t *touring) lines(width, height int) []string {
	if !t.on() || height < tallFrom {
		return nil
	}
	th, all := t.theme, stops()
	s := all[min(t.at, len(all)-1)]
	text := s.long
	if width < 100 {
		text = s.short
	}
	var sp keymap.Spelling
	sp.Spell(func(name string) string { return t.keys.First(name, s.at) })
	left := th.Accent.Render(" tour "+strings.Repeat("●", t.at)+strings.Repeat("○", len(all)-t.at)+" ") + sp.Keyed(text)
	return []string{widget.Ends(left, th.Faint.Render(t.keys.First("end_tour", keymap.Everywhere)+" ends it "), width)}
}
