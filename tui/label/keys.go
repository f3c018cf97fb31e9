package label

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/widget"
)

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

const labels = "Label: an option saves and opens the next item"

// actions is the table of all keys of the screen. Labels are digits and
// upper-case letters; everything else is lower-case or no letter.
func actions() annotation.Table[*Model] {
	var (
		reading  = []annotation.Mode{annotation.Reading}
		read     = []annotation.Mode{annotation.Reading, annotation.Revealed}
		revealed = []annotation.Mode{annotation.Revealed}
		guiding  = []annotation.Mode{annotation.Guiding}
		paned    = []annotation.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		marking  = []annotation.Mode{picking}
		on       = annotation.On[*Model]
		at, bind = annotation.At, widget.Bind
	)
	none := label(annotate.Reading{Verdict: annotate.SaidNone})
	refused := label(annotate.Reading{Verdict: annotate.SaidRefused})
	return slices.Concat(annotation.Table[*Model]{
		annotation.Recording(on(labels, read, at(annotation.First, bind("1-9 A-Z", "choose", optionKeys()...)), (*Model).NoItem, choose)),
		annotation.Recording(on(labels, read, at(annotation.Second, bind("x", "none", "x")), (*Model).noVerdict, none)),
		on(labels, read, at(annotation.Unranked, bind("m", "ambiguous", "m")), (*Model).noVerdict, startPicking),
		annotation.Recording(on(labels, read, at(annotation.Unranked, bind("d", "refused", "d")), (*Model).noVerdict, refused)),
		on(labels, marking, at(annotation.First, bind("1-9 A-Z", "mark", optionKeys()...)), nil, pick),
		annotation.Recording(on(labels, marking, at(annotation.First, bind("enter", "save as ambiguous", "enter")), nil, savePicked)),
	}, annotation.Acts[*Model](), annotation.Because[*Model]("w", "c"), annotation.Table[*Model]{
		annotation.Recording(on(annotation.ViewsGroup, reading, at(annotation.Second, bind("r", "reveal", "r")), (*Model).noReveal, toggleReveal)),
		annotation.Recording(on(annotation.ViewsGroup, revealed, at(annotation.First, bind("r", "hide", "r")), nil, toggleReveal)),
		on(annotation.ViewsGroup, read, at(annotation.Fifth, widget.PaneKeys()), (*Model).NoItem, (*Model).fill),
	}, annotation.Looks[*Model](), annotation.Table[*Model]{
		on(annotation.ViewsGroup, read, at(annotation.Fourth, bind("i", "guideline", "i")), nil, (*Model).guide),
		on(annotation.ViewsGroup, guiding, at(annotation.First, bind("i", "close", "i")), nil, (*Model).guide),
		on(annotation.ViewsGroup, guiding, at(annotation.Second, bind("ctrl+g", "its versions, write", "ctrl+g")), nil, annotation.ByGuide[*Model]((*annotation.Guide).Versions)),
		on(annotation.ViewsGroup, reading, at(annotation.Unranked, bind("ctrl+g", "the guideline's versions, write", "ctrl+g")), (*Model).NoSession, annotation.ByGuide[*Model]((*annotation.Guide).Versions)),
	}, annotation.Moves[*Model](), annotation.Table[*Model]{
		on(annotation.MovesGroup, reading, at(annotation.Unranked, bind("tab", "scroll the other pane", "tab")), (*Model).noOther, (*Model).otherPane),
		on(annotation.MovesGroup, paned, at(annotation.Unranked, bind("j k ↑ ↓", "scroll", "j", "k", "up", "down")), nil, (*Model).scroll),
		on(annotation.MovesGroup, paned, at(annotation.Unranked, bind("pgup pgdn", "scroll a page", "pgup", "pgdown", "ctrl+u", "ctrl+d")), nil, (*Model).scroll),
		on(annotation.MovesGroup, paned, at(annotation.Unranked, bind("g e", "to the top, to the end", "g", "home", "e", "end")), nil, (*Model).scroll),
	})
}

// ended is what can be done beside where no item is left to answer. Its key
// asks for a reason elsewhere, of an item in front.
func ended() annotation.Table[*Model] {
	return annotation.Table[*Model]{
		annotation.On(annotation.MovesGroup, []annotation.Mode{annotation.Reading},
			annotation.At(annotation.First, widget.Bind("w", "disagreements", "w")), (*Model).noCompare, (*Model).openCompare),
	}
}

// now is the table as it is before the item in front, or before none.
func (m *Model) now() annotation.Table[*Model] {
	if m.Front() < 0 && m.noCompare() == "" {
		return slices.Concat(ended(), m.table)
	}
	return m.table
}

// noCompare is why what differs is not looked into.
func (m *Model) noCompare() string {
	if m.deps.Apart {
		return "that is for the adjudicators of the project"
	}
	if m.Session == nil || m.Growing || m.Session.Walk.Open() > 0 {
		return "not before your items are answered"
	}
	return ""
}

func (m *Model) openCompare(string) tea.Cmd {
	q := m.Session.Own.Queue().Name
	return func() tea.Msg { return OpenCompare{q} }
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	return m.now().Footer(m, m.Mode, m.Width, m.Ranked, m.named)
}

// named gives the choosing keys the range that the item in front has.
func (m *Model) named(b key.Binding) key.Binding {
	pg := m.Body()
	if !slices.Contains(b.Keys(), "A") || pg == nil || len(pg.choices) == 0 {
		return b
	}
	var digits, letters []string
	for _, c := range pg.choices {
		digits, letters = append(digits, c.Digit), append(letters, c.Letter)
	}
	if pg.choices[0].Score > 0 {
		b.SetHelp(span(digits), "score")
		return b
	}
	help := span(letters)
	if digits[len(digits)-1] != "" {
		help = span(digits) + " " + help
	}
	b.SetHelp(help, b.Help().Desc)
	return b
}

// span names keys by the first and the last, where those between are all there:
// a question may have the options B, D and X.
func span(keys []string) string {
	const few = 5
	first, last := keys[0], keys[len(keys)-1]
	switch {
	case len(keys) == 1:
		return first
	case len(keys) <= few && int(last[0])-int(first[0]) != len(keys)-1:
		return strings.Join(keys, " ")
	}
	return first + "-" + last
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	return append(m.now().Help(m, m.named, labels, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup), m.Checked()...)
}
