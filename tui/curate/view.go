package curate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/datasetlist"
	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.size.width, m.size.height, m.Width, m.Height = width, height, width, height
	m.list.Resize(width, height)
	m.text.Width = m.size.textWidth(m.Mode)
}

// View draws the screen.
func (m *Model) View() string {
	return widget.DrawScreen(m.size.width, m.size.height, func() []string { return drawLines(m) })
}

func drawLines(m *Model) []string {
	switch {
	case m.Mode == naming:
		return m.name.DrawLines(m.Theme, m.size.width, m.size.height)
	case m.cards.board == nil:
		return drawDatasets(m)
	case m.Mode == placing && m.cards.currentCard() != nil:
		return m.axisForm.drawAxes()
	case m.Mode == annotation.Zooming && m.cards.currentCard() != nil:
		return m.gallery.DrawZoomed(m.pictures.pageOfFrontCard(), drawStatusLine(m))
	}
	out := append([]string{drawHeadLine(m), m.standing.drawPlaceLine()}, drawMain(m)...)
	out = append(append(out, m.balance.drawBalanceLine()), m.standing.drawVerdicts()...)
	return append(out, drawStatusLine(m))
}

func drawMain(m *Model) []string {
	height := m.size.mainHeight()
	if m.Mode == weighing {
		return widget.FitBox(m.balance.drawBalance(m.size.width, height, m.top), m.size.width, height)
	}
	if m.Mode == annotation.Guiding {
		lines := widget.WrapText(m.SpellText(guideline), max(1, min(m.size.width-2, 90)))
		return widget.FitBox(drawScrolledText(m, "Guideline", lines, m.size.width, height), m.size.width, height)
	}
	side := m.size.balanceColumns()
	width := m.size.width
	if side > 0 {
		width -= side + 3
	}
	main := drawCard(m, width, height)
	if side > 0 {
		main = m.Theme.DrawBeside(main, m.balance.drawBalance(side, height, 0), width, m.size.width, height)
	}
	return widget.FitBox(main, m.size.width, height)
}

// drawScrolledText draws a text under its title, from the first line that is shown.
func drawScrolledText(m *Model, title string, lines []string, width, height int) []string {
	rows := height - 1
	m.top = max(0, min(m.top, len(lines)-rows))
	out := []string{annotation.DrawSection(m.Theme, title, m.top, rows, len(lines), m.SpellText("{up down} scroll"), true, width)}
	return append(out, eval.Map(lines[m.top:min(m.top+rows, len(lines))], func(l string) string { return " " + l })...)
}

// drawCard draws the picture beside the text.
func drawCard(m *Model, width, height int) []string {
	c := m.cards.currentCard()
	if c == nil {
		return m.standing.drawFinished(width)
	}
	cols := m.size.pictureColumns()
	room := eval.Either(cols == 0, width-1, width-cols-4)
	text := m.sample.drawSampleText(c, room)
	top := max(0, min(m.top, len(text)-height))
	more := len(text) - top - height
	text = text[top:min(len(text), top+height)]
	if more > 0 {
		text[len(text)-1] = m.Theme.Faint.Render(widget.FormatPlural(more+1, "line") + " more: " + m.SpellKey("down"))
	}
	for i := range text {
		text[i] = " " + text[i]
	}
	if cols == 0 {
		return text
	}
	return m.Theme.DrawBeside(drawPicture(m, cols-1, height-1), text, cols, width, height)
}

// drawPicture draws the picture in front, and what is known of it.
func drawPicture(m *Model, cols, rows int) []string {
	pg := m.pictures.pageOfFrontCard()
	if len(pg.Pictures) == 0 {
		return []string{m.Theme.Faint.Render("no image here")}
	}
	return append(m.gallery.PictureLines(pg, cols, rows), m.gallery.FormatCaption(pg))
}

// drawHeadLine draws what is curated, how far the person is, and what is saved.
func drawHeadLine(m *Model) string {
	t := m.Theme
	done, all := m.cards.countProgress()
	left := " " + t.Strong.Render(widget.CutWidth(widget.CleanLine(string(m.cards.board.Dataset())), max(8, m.size.width/4))) + "  "
	left += fmt.Sprintf("%s/%s ", widget.FormatCount(done), widget.FormatCount(all))
	left += eval.Either(all > 0, t.DrawBar(min(20, m.size.width/6), float64(done)/float64(all)), "")
	left += eval.Either(m.cards.settle, t.Warn.Render("  adjudicating"), "")
	left += describeFilter(m)
	return widget.JoinEnds(left, m.journal.formatSaving(), m.size.width)
}

func describeFilter(m *Model) string {
	t, f := m.Theme, &m.cards.filter
	if m.Mode == filtering {
		return "  / " + m.text.View()
	}
	var parts []string
	if f.words != "" {
		parts = append(parts, widget.CleanLine(f.words))
	}
	if f.source != "" {
		parts = append(parts, widget.CleanLine(f.source))
	}
	if f.axis != nil {
		parts = append(parts, widget.CleanLine(f.axis[len(f.axis)-1]))
	}
	if f.state != initialFilter(m.cards.settle) {
		parts = append(parts, stateNames[f.state])
	}
	return eval.Either(len(parts) == 0, "", "  "+t.Accent.Render("["+strings.Join(parts, ", ")+"]"))
}

// drawStatusLine gives why a key did nothing, the note that is typed, a failure, or the note of the sample.
func drawStatusLine(m *Model) string {
	t, c := m.Theme, m.cards.currentCard()
	switch {
	case m.Mode == annotation.Noting:
		return widget.FitWidth(" "+t.Title.Render("NOTE")+" "+m.text.View(), m.size.width)
	case m.Refusal != "":
		return widget.FitWidth(" "+t.Warn.Render("✗ "+m.Refusal), m.size.width)
	case m.journal.saving.Err != nil:
		return t.Bad.Render(widget.FitWidth(fmt.Sprintf(" NOT SAVED: %s. They are kept: %s saves again.",
			widget.FormatPlural(m.journal.saving.Pending, "act"), m.SpellKey("save_again")), m.size.width))
	case c == nil:
		return ""
	}
	if n := m.cards.board.State().Notes[c.Sample.Ordinal]; n != "" {
		return widget.FitWidth(" "+t.Faint.Render("note: ")+widget.CleanLine(n), m.size.width)
	}
	return ""
}

// The modes of this screen, behind those that screens share.
const (
	naming    = annotation.More + iota // saying who one is: keys are text
	choosing                           // a dataset is to be chosen
	filtering                          // words are typed: keys are text
	placing                            // an axis is chosen: keys are text
	weighing                           // all axes fill the screen
)

// The lines always there: what is curated and the sample in front; then balance, verdicts and status.
const (
	headLines = 2
	footLines = 2 // beside those of the verdicts
)

// sideFrom is the width from which the balance has a column of its own.
const sideFrom = 150

// layout is the room that the parts of the screen have.
type layout struct {
	width, height int
	space         *widget.PaneSize // of the text
}

// axisListWidth gives the width of the list of axes.
func (l *layout) axisListWidth() int { return max(20, min(72, l.width-8)) }

// pictureColumns is the width of the column with the picture; 0: the text has all the room.
func (l *layout) pictureColumns() int {
	room := l.width - l.balanceColumns()
	return l.space.CellsLeft(eval.Either(l.width >= sideFrom, min(120, room*3/5), min(90, room*2/5)))
}

func (l *layout) mainHeight() int { return max(1, l.height-headLines-footLines-verdictLines(l.width)) }

func (l *layout) balanceColumns() int {
	return eval.Either(l.width < sideFrom, 0, l.space.CellsLeft(l.width/4))
}

// textWidth is the room for what is typed.
func (l *layout) textWidth(mode action.Mode) int {
	return eval.Either(mode == placing, l.axisListWidth()-6, max(10, l.width/2-10))
}

// datasetList is the datasets to choose from, and the one that is being opened.
type datasetList struct {
	datasetlist.List
	wanted  eval.DatasetName // to open as soon as it is known
	loading eval.DatasetName // being opened; "": none
	err     error            // why it cannot be
}

// readOverview reads what the dataset in front holds while one is chosen. Of what the
// others say it counts what the person may see.
func readOverview(m *Model) tea.Cmd {
	if m.cards.board != nil || m.list.loading != "" || m.list.err != nil || m.who == "" {
		return nil
	}
	cards, who := candidateSet{}, m.who
	balance := axisBalance{theme: m.Theme, cards: &cards}
	return m.list.ReadOverview(func(d eval.DatasetName) (v datasetlist.Overview, err error) {
		b, err := m.deps.Source.ReadBoard(m.ctx, d, who, v.AddSample)
		if err != nil {
			return v, err
		}
		cards.board = b
		var n [curation.NotNeeded + 1]int
		for _, item := range b.Items() {
			n[b.StandingOf(item.Sample)]++
		}
		disputes, people, _ := b.CountDisputes(), b.CountWords(), b.VisibleBalance()
		v.Work = func(s *widget.Sheet) {
			s.AddField("for you", fmt.Sprintf("%d to judge · %d put off · %d judged · %d decided by others", n[curation.ToDo], n[curation.PutOff], n[curation.Mine], n[curation.NotNeeded]))
			s.AddField("experts", fmt.Sprintf("%d disagreements · %d adjudicated", disputes.Open, disputes.Resolved))
			for _, who := range slices.Sorted(maps.Keys(people)) {
				s.AddField(widget.CleanLine(string(who)), widget.FormatCount(people[who])+" judged")
			}
		}
		v.Groups = func(width, height int) []string { return balance.drawBalance(width, height, 0) }
		return v, nil
	}, func(take func() tea.Cmd) tea.Msg { return outcome(take) })
}

func drawDatasets(m *Model) []string {
	t, ds := m.Theme, &m.list
	switch {
	case ds.err != nil:
		return append([]string{""}, t.Bad.WrapStyled(" ", "The dataset cannot be opened: "+ds.err.Error(), m.size.width-1)...)
	case ds.loading != "" || !ds.Known:
		return []string{"", t.Faint.Render("  loading the candidates…")}
	}
	return ds.DrawLines(m.SpellKey, m.Bindings())
}
