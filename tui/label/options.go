package label

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// optionBlock is the options as the frame has them. They never scroll: where
// there is no room for their whole texts each has a line, else they stand in
// columns, else in pages, and the key of one on another page turns to it.
type optionBlock struct {
	lines    []string
	from, to int // which of the choices stand there
	each     int // how many a page has; 0: all stand there
}

// layOutOptions lays the options out in rows lines at most, if they need more.
func (iv *itemView) layOutOptions(pg *itemPage, width, rows int) optionBlock {
	if all := iv.drawOptions(pg, width); len(all) <= rows {
		return optionBlock{lines: all, to: len(pg.choices)}
	}
	var foot []string
	if !labeloption.HasFixedOffers(&pg.Item) && rows > 1 {
		foot = []string{widget.CutWidth(iv.drawVerdictRow(listNonOptionVerdicts(), iv.standingReading(), ""), width)}
	}
	rows, n := max(1, rows-len(foot)), len(pg.choices)
	columns := max(1, (n+rows-1)/rows)
	most := max(1, width/annotation.LeastOption)
	if columns <= most {
		return optionBlock{lines: append(iv.drawOptionRows(pg, 0, n, (n+columns-1)/columns, width), foot...), to: n}
	}
	if len(foot) == 0 && rows > 1 {
		foot, rows = []string{""}, rows-1
	}
	each := rows * most
	from := min(iv.turned*each, (n-1)/each*each)
	to := min(n, from+each)
	lines := iv.drawOptionRows(pg, from, to, rows, width)
	if len(foot) > 0 {
		hint := fmt.Sprintf("  page %d of %d: other keys turn it", from/each+1, (n+each-1)/each)
		foot[0] = widget.CutWidth(foot[0]+iv.Theme.Faint.Render(hint), width)
	}
	return optionBlock{append(lines, foot...), from, to, each}
}

// drawOptionRows draws some of the options in rows lines.
func (iv *itemView) drawOptionRows(pg *itemPage, from, to, rows, width int) []string {
	own := iv.standingReading()
	return annotation.DrawOptionRows(iv.Theme, pg.choices[from:to], func(c *labeloption.Option) string { return iv.optionMark(c, own) }, rows, width)
}

// turnToOption shows the page with a choice, and reports whether another one was shown.
func (iv *itemView) turnToOption(pg *itemPage, choice int) bool {
	_, v := iv.drawItem(pg)
	o := v.options
	if choice >= o.from && choice < o.to || o.each == 0 {
		return false
	}
	iv.turned = choice / o.each
	iv.Turns++
	return true
}

// verdictWord is a reading that is no option, with the action that says it.
type verdictWord struct {
	key     string
	verdict annotate.ReadingKind
}

// layOutNonOptions gives the readings that are no option, in as many lines as they
// take in this width. A score says it all.
func (pg *itemPage) layOutNonOptions(width int) (lines [][]verdictWord) {
	if labeloption.HasFixedOffers(&pg.Item) {
		return nil
	}
	const around = 6 // cells of mark, key and the air behind a word
	room := 0
	for _, w := range listNonOptionVerdicts() {
		n := len(w.verdict.String()) + around
		if room < n-2 || lines == nil {
			lines, room = append(lines, nil), width-1
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], w)
		room -= n
	}
	return lines
}

// drawVerdictRow draws readings that are no option, with their keys.
func (iv *itemView) drawVerdictRow(words []verdictWord, own annotate.Reading, between string) string {
	return strings.Join(eval.Map(words, func(w verdictWord) string {
		mark := eval.Either(own.Kind == w.verdict, "▸ ", "  ")
		return iv.Theme.Good.Render(mark) + iv.Theme.Key.Render(iv.SpellKey(w.key)) + " " + w.verdict.String()
	}), between)
}

func listNonOptionVerdicts() []verdictWord {
	return []verdictWord{{"none", annotate.SaidNone}, {"several", annotate.SaidAmbiguous}, {"refused", annotate.SaidRefused}}
}

// optionKeys are the keys that belong to options and to nothing else.
func optionKeys() []string {
	return append(labeloption.OptionLetters(), strings.Split(labeloption.Digits, "")...)
}

const labels = "Label: an option saves and opens the next item"

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys of the screen. Labels are digits and letters,
// in either case; no letter is a command.
func (m keyActions) actionTable() action.Table {
	var (
		reading = []action.Mode{annotation.Reading}
		read    = annotation.WorkingModes()
		paned   = []action.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		marking = []action.Mode{picking}
		on      = action.NewAction
		at      = action.NewFooterKey
		keys    = keymap.Review
	)
	says := func(v annotate.ReadingKind) func(string) tea.Cmd {
		return func(string) tea.Cmd { return m.Work.LabelItem(annotate.Reading{Kind: v}) }
	}
	return slices.Concat(action.Table{
		action.MarkRecording(on(labels, read, at(action.First, widget.NewBinding("A-Z 1-9", "choose", optionKeys()...)), m.WhyNoItem, m.chooseOption)),
		action.MarkRecording(on(labels, read, at(action.Second, keys.BindAction("none")), m.whyVerdictRefused, says(annotate.SaidNone))),
		on(labels, read, at(action.Unranked, keys.BindAction("several")), m.whyVerdictRefused, m.startMarkingSeveral),
		action.MarkRecording(on(labels, read, at(action.Unranked, keys.BindAction("refused")), m.whyVerdictRefused, says(annotate.SaidRefused))),
		on(labels, marking, at(action.First, widget.NewBinding("A-Z 1-9", "mark", optionKeys()...)), nil, m.toggleMarkedOption),
		action.MarkRecording(on(labels, marking, at(action.First, keymap.ReviewMarking.BindAction("save_marked")), nil, m.saveMarkedAmbiguous)),
	}, m.NewMarkTable(keys), m.NewItemActTable(keys), m.NewReasonTable(keys), m.NewTagTable(keys), annotation.NewRevealAction(keys, m.whyNoReveal, m.toggleReveal), action.Table{
		on(annotation.ViewsGroup, read, at(action.Fifth, keys.BindAction("open")), m.WhyNoItem, m.toggleResponseFold),
		on(annotation.ViewsGroup, read, at(action.Fifth, widget.NewPaneSizeKeys()), m.WhyNoItem, m.toggleEnlarged),
	}, m.Gallery.NewLookTable(keys), m.NewGuideTable(keys, m.toggleGuideline), m.NewMoveTable(keys), action.Table{
		on(annotation.MovesGroup, reading, at(action.Unranked, keys.BindAction("other_pane")), m.whyNoOtherPane, m.focusOtherPane),
	}, annotation.NewScrollTable(keys, paned, m.scrollPane))
}

// queueEndActions gives what can be done beside where no item is left to answer.
func (m keyActions) queueEndActions() action.Table {
	return action.Table{action.NewAction(annotation.MovesGroup, []action.Mode{annotation.Reading},
		action.NewFooterKey(action.First, keymap.ReviewEnd.BindJoined("disagreements", "open")), m.whyNoCompare, m.requestComparison)}
}

// currentTable is the table as it is before the item in front, or before none.
func (m *Model) currentTable() action.Table {
	if m.FrontIndex() < 0 && m.whyNoCompare() == "" {
		return slices.Concat(keyActions{m}.queueEndActions(), m.table)
	}
	return m.table
}

// whyNoCompare is why what differs is not looked into.
func (m *Model) whyNoCompare() string {
	if m.Session != nil && m.isGraded() {
		return ""
	}
	if m.deps.Apart {
		return "that is for the adjudicators of the project"
	}
	if m.Session == nil || m.Growing || m.Session.Walk.CountOpen() > 0 {
		return "not before your items are answered"
	}
	if q := m.Session.Own.Queue(); q.Labels.Name != "" {
		return "no extractor reads the labels " + q.Labels.Name
	}
	return ""
}

func (m keyActions) requestComparison(string) tea.Cmd {
	if m.isGraded() {
		return widget.SendCmd(annotation.OpenDisputed{Dataset: m.Session.Own.Queue().Rule.Dataset})
	}
	return widget.SendCmd(OpenCompare{m.Session.Own.Queue().Name})
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	return m.currentTable().FooterBindings(m.Mode, m.Width, m.RankInFooter, m.updateBindingHelp)
}

// updateBindingHelp gives the choosing keys the range that the item in front has.
func (m *Model) updateBindingHelp(b key.Binding) key.Binding {
	pg := m.FrontBody()
	if !slices.Contains(b.Keys(), "A") || pg == nil || len(pg.choices) == 0 {
		return b
	}
	digits := eval.Map(pg.choices, func(c labeloption.Option) string { return c.Digit })
	letters := eval.Map(pg.choices, func(c labeloption.Option) string { return c.Letter })
	if pg.choices[0].Score > 0 {
		b.SetHelp(formatKeyRange(digits), "score")
		return b
	}
	help := formatKeyRange(letters)
	if digits[len(digits)-1] != "" {
		help += " " + formatKeyRange(digits)
	}
	b.SetHelp(help, b.Help().Desc)
	return b
}

// formatKeyRange names keys by the first and the last, where those between are all there:
// a question may have the options B, D and X.
func formatKeyRange(keys []string) string {
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

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return append(m.currentTable().HelpGroups(annotation.Reading, m.updateBindingHelp, annotation.FullGroup, labels, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup), m.ChecksHelpGroup()...)
}
