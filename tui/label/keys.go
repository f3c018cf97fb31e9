package label

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/action"
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

// keyed is what the keys of the screen do.
type keyed struct{ *Model }

// actions is the table of all keys of the screen. Labels are digits and letters,
// in either case; no letter is a command.
func (m keyed) actions() action.Table {
	var (
		reading = []action.Mode{annotation.Reading}
		read    = annotation.WorkingModes()
		paned   = []action.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		marking = []action.Mode{picking}
		on      = action.On
		at      = action.At
		keys    = keymap.Review
	)
	says := func(v annotate.Verdict) func(string) tea.Cmd {
		return func(string) tea.Cmd { return m.Work.Label(annotate.Reading{Verdict: v}) }
	}
	return slices.Concat(action.Table{
		action.Recording(on(labels, read, at(action.First, widget.Bind("A-Z 1-9", "choose", optionKeys()...)), m.NoItem, m.choose)),
		action.Recording(on(labels, read, at(action.Second, keys.Bind("none")), m.noVerdict, says(annotate.SaidNone))),
		on(labels, read, at(action.Unranked, keys.Bind("several")), m.noVerdict, m.startPicking),
		action.Recording(on(labels, read, at(action.Unranked, keys.Bind("refused")), m.noVerdict, says(annotate.SaidRefused))),
		on(labels, marking, at(action.First, widget.Bind("A-Z 1-9", "mark", optionKeys()...)), nil, m.pick),
		action.Recording(on(labels, marking, at(action.First, keymap.ReviewMarking.Bind("save_marked")), nil, m.savePicked)),
	}, m.MarkKeys(keys), m.ActKeys(keys), m.ReasonKeys(keys), annotation.Reveals(keys, m.noReveal, m.toggleReveal), action.Table{
		on(annotation.ViewsGroup, read, at(action.Fifth, keys.Bind("open")), m.NoItem, m.unfold),
		on(annotation.ViewsGroup, read, at(action.Fifth, widget.PaneKeys()), m.NoItem, m.fill),
	}, m.Gallery.LookKeys(keys), m.GuideKeys(keys, m.guide), m.MoveKeys(keys), action.Table{
		on(annotation.MovesGroup, reading, at(action.Unranked, keys.Bind("other_pane")), m.noOther, m.otherPane),
	}, annotation.Scrolls(keys, paned, m.scroll))
}

// ended is what can be done beside where no item is left to answer.
func (m keyed) ended() action.Table {
	return action.Table{action.On(annotation.MovesGroup, []action.Mode{annotation.Reading},
		action.At(action.First, keymap.ReviewEnd.Join("disagreements", "open")), m.noCompare, m.openCompare)}
}

// now is the table as it is before the item in front, or before none.
func (m *Model) now() action.Table {
	if m.Front() < 0 && m.noCompare() == "" {
		return slices.Concat(keyed{m}.ended(), m.table)
	}
	return m.table
}

// noCompare is why what differs is not looked into.
func (m *Model) noCompare() string {
	if m.Session != nil && m.grades() {
		return ""
	}
	if m.deps.Apart {
		return "that is for the adjudicators of the project"
	}
	if m.Session == nil || m.Growing || m.Session.Walk.Open() > 0 {
		return "not before your items are answered"
	}
	return ""
}

func (m keyed) openCompare(string) tea.Cmd {
	if m.grades() {
		return widget.Send(annotation.OpenDisputed{Dataset: m.Session.Own.Queue().Rule.Dataset})
	}
	return widget.Send(OpenCompare{m.Session.Own.Queue().Name})
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	return m.now().Footer(m.Mode, m.Width, m.Ranked, m.named)
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
	return append(m.now().Help(annotation.Reading, m.named, annotation.FullGroup, labels, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup), m.Checked()...)
}
