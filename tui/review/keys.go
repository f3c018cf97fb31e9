package review

import (
	"cmp"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// action is one thing that keys do. Footer, help page and handling all come
// from the table of these, so that none can promise what another does not do.
type action struct {
	group string
	modes []mode
	bind  key.Binding
	foot  rank                  // its place in the footer
	why   func(m *Model) string // why it cannot be done now; "" when it can
	do    func(m *Model, key string) tea.Cmd
}

// rank is how early a key stands in the footer; what does not fit is left out
// from the end. The zero value is not there at all.
type rank uint8

const (
	unranked rank = iota
	first
	second
	third
	fourth
	fifth
)

// roomy is the width from which the footer has room for keys of the fifth
// rank and for the way back.
const roomy = 120

// optionKeys are the keys that belong to options and to nothing else.
func optionKeys() []string {
	var out []string
	for c := '0'; c <= '9'; c++ {
		out = append(out, string(c))
	}
	for c := 'A'; c <= 'Z'; c++ {
		out = append(out, string(c))
	}
	return out
}

const (
	labels = "Say what the answer chose: labels, saves, goes on"
	acts   = "The item in front"
	moves  = "Move"
	views  = "Look"
)

// actions is the table of all keys of the screen. Labels are digits and
// upper-case letters; everything else is lower-case or no letter.
func actions() []action {
	none := label(annotate.Reading{Verdict: annotate.SaidNone})
	refused := label(annotate.Reading{Verdict: annotate.SaidRefused})
	read, panel := []mode{reading, revealed}, []mode{guiding, revealed}
	return []action{
		{labels, read, widget.Bind("1-9 A-Z", "choose", optionKeys()...), first, (*Model).noItem, (*Model).choose},
		{labels, read, widget.Bind("x", "none", "x"), second, (*Model).noItem, none},
		{labels, read, widget.Bind("m", "ambiguous", "m"), unranked, (*Model).noItem, (*Model).startPicking},
		{labels, read, widget.Bind("d", "refused", "d"), unranked, (*Model).noItem, refused},
		{labels, []mode{picking}, widget.Bind("1-9 A-Z", "mark", optionKeys()...), first, nil, (*Model).pick},
		{labels, []mode{picking}, widget.Bind("enter", "save as ambiguous", "enter"), first, nil, (*Model).savePicked},

		{acts, read, widget.Bind("s", "skip", "s"), third, (*Model).noFront, (*Model).skip},
		{acts, read, widget.Bind("u", "undo", "u"), third, (*Model).noUndo, (*Model).undo},
		{acts, read, widget.Bind("ctrl+r", "redo", "ctrl+r"), unranked, (*Model).noRedo, (*Model).redo},
		{acts, read, widget.Bind("f", "flag", "f"), fifth, (*Model).noFront, (*Model).flag},
		{acts, read, widget.Bind("n", "note", "n"), fifth, (*Model).noFront, (*Model).startNote},
		{acts, []mode{noting}, widget.Bind("enter", "keep the note", "enter"), first, nil, (*Model).endNote},
		{acts, read, widget.Bind("ctrl+s", "save again", "ctrl+s"), first, (*Model).noFailure, (*Model).retry},

		{views, []mode{reading}, widget.Bind("r", "reveal", "r"), second, (*Model).noReveal, (*Model).toggleReveal},
		{views, []mode{revealed}, widget.Bind("r", "hide", "r"), first, nil, (*Model).toggleReveal},
		{views, read, widget.Bind("z", "picture", "z"), fourth, (*Model).noPicture, (*Model).zoom},
		{views, []mode{zooming}, widget.Bind("z", "back to the text", "z"), first, nil, (*Model).unzoom},
		{views, []mode{reading, zooming}, widget.Bind("p", "next picture", "p"), fourth, (*Model).noPictures, (*Model).nextPicture},
		{views, read, widget.Bind("i", "guideline", "i"), fourth, nil, (*Model).guide},
		{views, []mode{guiding}, widget.Bind("i", "close", "i"), first, nil, (*Model).guide},

		{moves, read, widget.Bind("←", "previous", "left"), unranked, (*Model).noPrevious, (*Model).previous},
		{moves, read, widget.Bind("→", "next", "right"), unranked, (*Model).noNext, (*Model).following},
		{moves, read, widget.Bind("enter", "next open item", "enter"), second, (*Model).noOpen, (*Model).toOpen},
		{moves, read, widget.Bind("tab", "scroll the other pane", "tab"), unranked, (*Model).noOther, (*Model).otherPane},
		{moves, append(panel, reading), widget.Bind("j k ↑ ↓", "scroll", "j", "k", "up", "down"), unranked, nil, (*Model).scroll},
		{moves, append(panel, reading), widget.Bind("pgup pgdn", "scroll a page", "pgup", "pgdown", "ctrl+u", "ctrl+d"), unranked, nil, (*Model).scroll},
		{moves, append(panel, reading), widget.Bind("g e", "to the top, to the end", "g", "home", "e", "end"), unranked, nil, (*Model).scroll},
	}
}

func (a *action) in(m mode) bool { return slices.Contains(a.modes, m) }

// blocked is why an action cannot be done now.
func (a *action) blocked(m *Model) string {
	if a.why == nil {
		return ""
	}
	return a.why(m)
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	var shown []*action
	for i := range m.table {
		a := &m.table[i]
		if a.foot == unranked || !a.in(m.mode) || a.blocked(m) != "" || m.width < roomy && m.ranked(a) == fifth {
			continue
		}
		shown = append(shown, a)
	}
	slices.SortStableFunc(shown, func(a, b *action) int { return cmp.Compare(m.ranked(a), m.ranked(b)) })
	var out []key.Binding
	for _, a := range shown {
		out = append(out, m.named(a.bind))
	}
	if m.mode == noting { // the root's keys are off
		out = append(out, widget.Bind("esc", "keep it too", "esc"))
	}
	return out
}

// ranked is an action's place in the footer now: where an item is answered,
// or none is in front, what leads on goes first, and what leads past an open
// item is left for last.
func (m *Model) ranked(a *action) rank {
	onward := slices.Contains(a.bind.Keys(), "enter")
	switch answered := m.answered().Verdict != annotate.VerdictUnset || m.front() < 0; {
	case onward && m.mode == reading && !answered:
		return fifth
	case onward && m.front() < 0:
		return first
	case answered && slices.Contains(a.bind.Keys(), "s"):
		return fifth
	}
	return a.foot
}

// named gives the choosing keys the range that the item in front has.
func (m *Model) named(b key.Binding) key.Binding {
	pg := m.page()
	if !slices.Contains(b.Keys(), "A") || pg == nil || len(pg.choices) == 0 {
		return b
	}
	n := len(pg.choices)
	first, last := pg.choices[0], pg.choices[n-1]
	help := first.letter + "-" + last.letter
	if last.digit != "" {
		help = first.digit + "-" + last.digit + " " + help
	}
	b.SetHelp(help, b.Help().Desc)
	return b
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	var out []widget.Group
	for _, title := range []string{labels, acts, views, moves} {
		g := widget.Group{Title: title}
		for i := range m.table {
			a := &m.table[i]
			if a.group != title || !slices.Contains(a.modes, reading) {
				continue
			}
			b := m.named(a.bind)
			b.SetEnabled(a.blocked(m) == "")
			g.Keys = append(g.Keys, b)
		}
		out = append(out, g)
	}
	return out
}
