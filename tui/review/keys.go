package review

import (
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
	foot  bool                  // worth a place in the footer
	why   func(m *Model) string // why it cannot be done now; "" when it can
	do    func(m *Model, key string) tea.Cmd
}

func bind(help, desc string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(help, desc))
}

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
		{labels, read, bind("1-9 A-Z", "choose", optionKeys()...), true, (*Model).noItem, (*Model).choose},
		{labels, read, bind("x", "none", "x"), true, (*Model).noItem, none},
		{labels, read, bind("m", "ambiguous", "m"), false, (*Model).noItem, (*Model).startPicking},
		{labels, read, bind("d", "refused", "d"), false, (*Model).noItem, refused},
		{labels, []mode{picking}, bind("1-9 A-Z", "mark", optionKeys()...), true, nil, (*Model).pick},
		{labels, []mode{picking}, bind("enter", "save as ambiguous", "enter"), true, nil, (*Model).savePicked},

		{acts, read, bind("s", "skip", "s"), true, (*Model).noFront, (*Model).skip},
		{acts, read, bind("u", "undo", "u"), true, (*Model).noUndo, (*Model).undo},
		{acts, read, bind("ctrl+r", "redo", "ctrl+r"), false, (*Model).noRedo, (*Model).redo},
		{acts, read, bind("f", "flag", "f"), false, (*Model).noFront, (*Model).flag},
		{acts, read, bind("n", "note", "n"), false, (*Model).noFront, (*Model).startNote},
		{acts, []mode{noting}, bind("enter", "keep the note", "enter"), true, nil, (*Model).endNote},
		{acts, read, bind("ctrl+s", "save again", "ctrl+s"), true, (*Model).noFailure, (*Model).retry},

		{views, read, bind("r", "reveal", "r"), true, (*Model).noReveal, (*Model).toggleReveal},
		{views, read, bind("z", "picture", "z"), true, (*Model).noPicture, (*Model).zoom},
		{views, []mode{zooming}, bind("z", "back", "z"), true, nil, (*Model).unzoom},
		{views, []mode{reading, zooming}, bind("p", "next picture", "p"), false, (*Model).noPictures, (*Model).nextPicture},
		{views, read, bind("i", "guideline", "i"), true, nil, (*Model).guide},
		{views, []mode{guiding}, bind("i", "close", "i"), true, nil, (*Model).guide},

		{moves, read, bind("←", "previous", "left"), false, (*Model).noPrevious, (*Model).previous},
		{moves, read, bind("→", "next", "right"), false, (*Model).noNext, (*Model).following},
		{moves, read, bind("enter", "next open item", "enter"), false, (*Model).noOpen, (*Model).toOpen},
		{moves, read, bind("tab", "scroll the other pane", "tab"), false, (*Model).noOther, (*Model).otherPane},
		{moves, append(panel, reading), bind("j k ↑ ↓", "scroll", "j", "k", "up", "down"), false, nil, (*Model).scroll},
		{moves, append(panel, reading), bind("pgup pgdn", "scroll a page", "pgup", "pgdown", "ctrl+u", "ctrl+d"), false, nil, (*Model).scroll},
		{moves, append(panel, reading), bind("g e", "to the top, to the end", "g", "home", "e", "end"), false, nil, (*Model).scroll},
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
	var out []key.Binding
	for i := range m.table {
		a := &m.table[i]
		if a.foot && a.in(m.mode) && a.blocked(m) == "" {
			out = append(out, m.named(a.bind))
		}
	}
	switch m.mode {
	case reading:
	case picking, noting, guiding, zooming, revealed:
		out = append(out, bind("esc", "back", "esc"))
	}
	return out
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
