package label

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// optionKeys are the keys that belong to options and to nothing else.
func optionKeys() []string {
	return append(labeloption.Letters(), strings.Split(labeloption.Digits, "")...)
}

const labels = "Label: an option saves and opens the next item"

// actions is the table of all keys of the screen. Labels are digits and letters,
// in either case; no letter is a command.
func actions() annotation.Table[*Model] {
	var (
		reading = []annotation.Mode{annotation.Reading}
		read    = []annotation.Mode{annotation.Reading, annotation.Revealed}
		paned   = []annotation.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		marking = []annotation.Mode{picking}
		on      = annotation.On[*Model]
		at      = annotation.At
		keys    = keymap.Review
	)
	none := label(annotate.Reading{Verdict: annotate.SaidNone})
	refused := label(annotate.Reading{Verdict: annotate.SaidRefused})
	return slices.Concat(annotation.Table[*Model]{
		annotation.Recording(on(labels, read, at(annotation.First, widget.Bind("A-Z 1-9", "choose", optionKeys()...)), (*Model).NoItem, choose)),
		annotation.Recording(on(labels, read, at(annotation.Second, keys.Bind("none")), (*Model).noVerdict, none)),
		on(labels, read, at(annotation.Unranked, keys.Bind("several")), (*Model).noVerdict, startPicking),
		annotation.Recording(on(labels, read, at(annotation.Unranked, keys.Bind("refused")), (*Model).noVerdict, refused)),
		on(labels, marking, at(annotation.First, widget.Bind("A-Z 1-9", "mark", optionKeys()...)), nil, pick),
		annotation.Recording(on(labels, marking, at(annotation.First, keymap.ReviewMarking.Bind("save_marked")), nil, savePicked)),
	}, annotation.Marks[*Model](keys), annotation.Acts[*Model](keys), annotation.Because[*Model](keys), annotation.Reveals(keys, (*Model).noReveal, toggleReveal), annotation.Table[*Model]{
		on(annotation.ViewsGroup, read, at(annotation.Fifth, widget.PaneKeys()), (*Model).NoItem, (*Model).fill),
	}, annotation.Looks[*Model](keys), annotation.Guidelines(keys, (*Model).guide), annotation.Moves[*Model](keys), annotation.Table[*Model]{
		on(annotation.MovesGroup, reading, at(annotation.Unranked, keys.Bind("other_pane")), (*Model).noOther, (*Model).otherPane),
	}, annotation.Scrolls(keys, paned, (*Model).scroll))
}

// ended is what can be done beside where no item is left to answer.
func ended() annotation.Table[*Model] {
	return annotation.Table[*Model]{
		annotation.On(annotation.MovesGroup, []annotation.Mode{annotation.Reading},
			annotation.At(annotation.First, keymap.ReviewEnd.Join("disagreements", "open")), (*Model).noCompare, (*Model).openCompare),
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
		help += " " + span(digits)
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
