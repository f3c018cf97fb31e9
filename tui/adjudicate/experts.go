package adjudicate

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/annotate/report/alignment"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// expertDisputes is where experts differ on candidates, by dataset.
type expertDisputes struct {
	*keymap.Spelling
	ctx     context.Context
	deps    Deps
	theme   *widget.Theme
	counted bool // they were read
	curated []Curated
	shelf   widget.Cursor
	size    *size
}

func (e *expertDisputes) readExpertDisputes() tea.Cmd {
	ctx, d := e.ctx, e.deps
	if d.Curated == nil {
		return nil
	}
	return func() tea.Msg {
		all, err := d.Curated(ctx, d.Annotator)
		return recounted{e, all, err}
	}
}

func (e *expertDisputes) handleCurated(msg recounted) tea.Cmd {
	if e.ctx.Err() != nil {
		return nil
	}
	e.counted = true
	if msg.err != nil {
		return widget.NotifyCmd(widget.Problem, "read expert disagreements: "+msg.err.Error())
	}
	e.curated = msg.curated
	e.shelf.MoveTo(e.shelf.At, len(e.curated), e.size.listHeight()-1)
	return nil
}

// drawCuratedDatasets draws the curated datasets with what their experts differ on.
func (e *expertDisputes) drawCuratedDatasets() []string {
	t := e.theme
	out := []string{
		t.DrawSection("Expert disagreements", widget.FormatPlural(len(e.curated), "dataset"), true, e.size.width),
		widget.FitWidth("  "+t.Faint.Render(e.SpellKey("open")+" adjudicates them; nobody's answer is shown before yours"), e.size.width), "",
	}
	if !e.counted {
		return append(out, "  "+t.Faint.Render("reading…"))
	}
	return append(out, t.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "dataset", Width: 16, Grow: 2, Name: true},
			{Title: "candidates", Width: 10, Right: true},
			{Title: "to adjudicate", Width: 9, Right: true},
			{Title: "no majority", Width: 11, Right: true, Least: 60},
			{Title: "resolved", Width: 8, Right: true},
		},
		Rows: len(e.curated), Cursor: e.shelf, Focused: true,
		Empty: "No dataset is curated yet: concord curate, or the Curate tab.",
		Row: func(i int) []string {
			c := &e.curated[i]
			open := eval.Either(c.Open > 0, t.Warn.Render("≠ "+widget.FormatCount(c.Open)), widget.FormatCount(c.Open))
			return []string{widget.CleanLine(string(c.Dataset)), widget.FormatCount(c.Candidates), open, widget.FormatCount(c.Tied), widget.FormatCount(c.Resolved)}
		},
	}, e.size.width, e.size.listHeight())...)
}

// Curated is what experts differ on among the candidates of a dataset. It says of none how.
type Curated struct {
	Dataset    eval.DatasetName
	Candidates int
	curation.Disputes
}

// OpenCuration is the message that what experts differ on in a dataset is to be settled.
type OpenCuration struct{ Dataset eval.DatasetName }

// recounted is the curated datasets that were read.
type recounted struct {
	of      *expertDisputes
	curated []Curated
	err     error
}

// The modes of the screen while no item is open.
const (
	onMatrix action.Mode = iota
	onList
	onExperts
)

// keyMode is what keys mean now.
func (m *Model) keyMode() action.Mode {
	switch {
	case m.experts:
		return onExperts
	case m.listing:
		return onList
	}
	return onMatrix
}

// The groups of the help page.
const (
	compareGroup = "Compare"
	filterGroup  = "What is listed: each key goes through its values"
	adjudicated  = "with adjudications"
)

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys but those of moves.
func (m keyActions) actionTable() action.Table {
	var (
		matrix, list, shelf = []action.Mode{onMatrix}, []action.Mode{onList}, []action.Mode{onExperts}
		queue, all          = []action.Mode{onMatrix, onList}, []action.Mode{onMatrix, onList, onExperts}
		keys                = keymap.Compare
	)
	on := func(modes []action.Mode, b key.Binding, why func() string, do func(string) tea.Cmd) action.Action {
		return action.NewAction(compareGroup, modes, action.NewFooterKey(action.First, b), why, do)
	}
	narrow := func(name string) action.Action {
		return action.NewAction(filterGroup, list, action.NewFooterKey(action.First, keys.BindAction(name)), m.whyNoQueue, m.cycleFilter)
	}
	words := action.NewAction(filterGroup, list, action.NewFooterKey(action.First, keys.BindAction("filter")), m.whyNoQueue, m.diffs.words.StartByKey)
	out := action.Table{
		on(matrix, keys.BindJoined("its items", "open"), m.whyNoMatrix, m.listItemsOfCell),
		on(list, keys.BindJoined("open it", "open"), m.whyNoQueue, func(string) tea.Cmd { return m.openItemView() }),
		on(shelf, keys.BindJoined("adjudicate them", "open", "next_unlabeled"), func() string {
			return action.WhyIf(m.curation.shelf.At >= len(m.curation.curated), "no dataset is selected")
		},
			func(string) tea.Cmd {
				return widget.SendCmd(OpenCuration{m.curation.curated[m.curation.shelf.At].Dataset})
			}),
		on(queue, keys.BindAction("next_unlabeled"), m.whyNoQueue, m.adjudicateNext),
		narrow("filter_differs"), words, narrow("filter_unsettled"),
		on(queue, keys.BindJoined("lists", "other", "other_back"), m.whyNoQueue, m.toggleMatrixAndList),
		on(queue, keys.BindAction("next_extractor"), m.whyNoQueue, m.stepExtractor(1)),
		on(queue, keys.BindAction("previous_extractor"), m.whyNoQueue, m.stepExtractor(-1)),
		on(matrix, widget.NewBinding("← ↑ → ↓", "walk", "left", "right"), m.whyNoMatrix, m.moveCell),
		on(queue, keys.BindJoined(adjudicated, "rulings"), m.whyNoQueue, m.toggleWithRulings),
		on(queue, keys.BindJoined("expert disagreements", "experts"), m.whyNoExperts, m.toggleExperts),
		on(shelf, keys.BindJoined("back to the queue", "experts"), m.whyNoExperts, m.toggleExperts),
		on(all, keys.BindAction("refresh"), nil, func(string) tea.Cmd { return tea.Batch(m.compareQueue(), m.curation.readExpertDisputes()) }),
	}
	for _, name := range []string{"case", "cause", "model", "category", "annotator", "unsure"} {
		one := narrow("filter_" + name)
		one.Foot = action.Unranked
		out = append(out, one)
	}
	return out
}

// updateBindingHelp says what keys do as things are now.
func (m *Model) updateBindingHelp(b key.Binding) key.Binding {
	switch desc := b.Help().Desc; {
	case desc == adjudicated && m.diffs.after:
		b.SetHelp(b.Help().Key, "without adjudications")
	case desc == "lists" && m.listing:
		b.SetHelp(b.Help().Key, "matrix")
	}
	return b
}

// Bindings are the bindings that matter now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.desk != nil:
		return m.desk.Bindings()
	case m.diffs.words.IsTyping():
		return widget.FilterKeys()
	}
	return m.table.FooterBindings(m.keyMode(), m.size.width, nil, m.updateBindingHelp)
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	if m.desk != nil {
		return m.desk.HelpGroups()
	}
	return append(m.table.HelpGroups(m.keyMode(), m.updateBindingHelp, "", compareGroup, filterGroup), widget.Group{Title: "Move", Keys: m.moves.Bindings()})
}

// headLines stand above matrix and list: queue, extractor, what is shown.
const headLines = 3

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.desk != nil {
		return m.desk.View()
	}
	return widget.DrawScreen(m.size.width, m.size.height, m.drawLines)
}

func (m *Model) drawLines() []string {
	t := m.theme
	title := "Compare " + widget.CleanLine(string(m.deps.Queue))
	switch {
	case m.experts:
		return m.curation.drawCuratedDatasets()
	case m.err != nil:
		return append([]string{t.DrawSection(title, "", true, m.size.width), ""}, t.Bad.WrapStyled("  ", m.err.Error(), m.size.width)...)
	case m.diffs.all == nil:
		return []string{t.DrawSection(title, "", true, m.size.width), "", "  " + t.Faint.Render("reading…")}
	}
	out := []string{t.DrawSection(title, m.describeConsensus(), true, m.size.width), m.diffs.describeExtractorRates()}
	if !m.listing {
		return append(append(out, m.diffs.drawMatrixHead()), m.diffs.drawMatrix(m.size.height-headLines)...)
	}
	out = append(out, m.diffs.describeFilters())
	out = append(out, t.DrawTable(m.diffs.makeTable(), m.size.width, m.size.listHeight())...)
	return t.AddLegendBelow(append(out, m.diffs.formatHeldBack()), m.size.width, m.size.height)
}

// describeConsensus says how people came to one word, and what is settled.
func (m *Model) describeConsensus() string {
	settled := eval.Count(m.diffs.all.Items, func(c alignment.ComparedItem) bool { return c.Adjudicated })
	note := fmt.Sprintf("%s, %s adjudicated, consensus: %s", widget.FormatPlural(len(m.diffs.all.Items), "item"), widget.FormatCount(settled), m.diffs.all.Basis.Policy)
	if n := eval.Sum(m.curation.curated, func(c Curated) int { return c.Open }); n > 0 {
		note = fmt.Sprintf("%s: %s disputed · ", m.SpellKey("e"), widget.FormatPlural(n, "candidate")) + note
	}
	return note
}

var betweenNames = [...]string{"anyone disagrees", "people and extractor disagree", "people disagree", "extractors disagree"}

// causeWord is who was right; "" when nobody has said.
func causeWord(c annotate.Cause) string { return strings.ReplaceAll(c.String(), "_", " ") }

// size is that of the screen, in cells.
type size struct {
	width, height int
}

// listHeight is the height of the table with its titles.
func (z *size) listHeight() int { return max(1, z.height-headLines-1) }
