package adjudicate

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// experts is where experts differ on candidates, by dataset.
type experts struct {
	*keymap.Spelling
	ctx     context.Context
	deps    Deps
	theme   *widget.Theme
	counted bool // they were read
	curated []Curated
	shelf   widget.Cursor
	size    *size
}

// recount reads what experts differ on.
func (e *experts) recount() tea.Cmd {
	ctx, d := e.ctx, e.deps
	if d.Curated == nil {
		return nil
	}
	return func() tea.Msg {
		all, err := d.Curated(ctx, d.Annotator)
		return recounted{e, all, err}
	}
}

func (e *experts) takeCurated(msg recounted) tea.Cmd {
	if e.ctx.Err() != nil {
		return nil
	}
	e.counted = true
	if msg.err != nil {
		return widget.Tell(widget.Problem, "read expert disagreements: "+msg.err.Error())
	}
	e.curated = msg.curated
	e.shelf.Set(e.shelf.At, len(e.curated), e.size.listHeight()-1)
	return nil
}

// disputed is how many candidates wait to be settled.
func (e *experts) disputed() int {
	n := 0
	for i := range e.curated {
		n += e.curated[i].Open
	}
	return n
}

// noDataset is why no dataset is opened.
func (e *experts) noDataset() string {
	if e.shelf.At >= len(e.curated) {
		return "no dataset is selected"
	}
	return ""
}

// open opens the dataset under the cursor.
func (e *experts) open(string) tea.Cmd {
	return widget.Send(OpenCuration{e.curated[e.shelf.At].Dataset})
}

// curatedLines are the curated datasets with what their experts differ on.
func (e *experts) curatedLines() []string {
	t := e.theme
	out := []string{
		t.Section("Expert disagreements", widget.Plural(len(e.curated), "dataset"), true, e.size.width),
		widget.Fit("  "+t.Faint.Render(e.Spelled("open")+" adjudicates them; nobody's answer is shown before yours"), e.size.width), "",
	}
	if !e.counted {
		return append(out, "  "+t.Faint.Render("reading…"))
	}
	return append(out, t.Table(widget.Table{
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
			open := widget.Count(c.Open)
			if c.Open > 0 {
				open = t.Warn.Render("≠ " + open)
			}
			return []string{widget.Line(string(c.Dataset)), widget.Count(c.Candidates), open, widget.Count(c.Tied), widget.Count(c.Resolved)}
		},
	}, e.size.width, e.size.listHeight())...)
}

// Curated is what experts differ on among the candidates of a dataset. It says
// of none how.
type Curated struct {
	Dataset    eval.DatasetName
	Candidates int
	curation.Disputes
}

// OpenCuration is the message that what experts differ on in a dataset is to be
// settled.
type OpenCuration struct{ Dataset eval.DatasetName }

// recounted is the curated datasets that were read.
type recounted struct {
	of      *experts
	curated []Curated
	err     error
}

// The modes of the screen while no item is open.
const (
	onMatrix action.Mode = iota
	onList
	onExperts
)

// mode is what keys mean now.
func (m *Model) mode() action.Mode {
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

// keyed is what the keys of the screen do.
type keyed struct{ *Model }

// actions is the table of all keys but those of moves.
func (m keyed) actions() action.Table {
	var (
		matrix, list, shelf = []action.Mode{onMatrix}, []action.Mode{onList}, []action.Mode{onExperts}
		queue, all          = []action.Mode{onMatrix, onList}, []action.Mode{onMatrix, onList, onExperts}
		keys                = keymap.Compare
	)
	on := func(modes []action.Mode, b key.Binding, why func() string, do func(string) tea.Cmd) action.Action {
		return action.On(compareGroup, modes, action.At(action.First, b), why, do)
	}
	narrow := func(name string) action.Action {
		return action.On(filterGroup, list, action.At(action.First, keys.Bind(name)), m.noQueue, m.narrow)
	}
	words := action.On(filterGroup, list, action.At(action.First, keys.Bind("filter")), m.noQueue, m.diffs.startWords)
	out := action.Table{
		on(matrix, keys.Join("its items", "open"), m.noMatrix, m.openCell),
		on(list, keys.Join("open it", "open"), m.noQueue, func(string) tea.Cmd { return m.open() }),
		on(shelf, keys.Join("adjudicate them", "open", "next_unlabeled"), m.curation.noDataset, m.curation.open),
		on(queue, keys.Bind("next_unlabeled"), m.noQueue, m.settleNext),
		narrow("filter_differs"), words, narrow("filter_unsettled"),
		on(queue, keys.Join("lists", "other", "other_back"), m.noQueue, m.turnView),
		on(queue, keys.Bind("next_extractor"), m.noQueue, m.turn(1)),
		on(queue, keys.Bind("previous_extractor"), m.noQueue, m.turn(-1)),
		on(matrix, widget.Bind("← ↑ → ↓", "walk", "left", "right"), m.noMatrix, m.walk),
		on(queue, keys.Join(adjudicated, "rulings"), m.noQueue, m.turnRulings),
		on(queue, keys.Join("expert disagreements", "experts"), m.noExperts, m.turnExperts),
		on(shelf, keys.Join("back to the queue", "experts"), m.noExperts, m.turnExperts),
		on(all, keys.Bind("refresh"), nil, func(string) tea.Cmd { return tea.Batch(m.read(), m.curation.recount()) }),
	}
	for _, name := range []string{"case", "cause", "model", "category", "annotator", "unsure"} {
		one := narrow("filter_" + name)
		one.Foot = action.Unranked
		out = append(out, one)
	}
	return out
}

// named says what keys do as things are now.
func (m *Model) named(b key.Binding) key.Binding {
	switch desc := b.Help().Desc; {
	case desc == adjudicated && m.diffs.after:
		b.SetHelp(b.Help().Key, "without adjudications")
	case desc == "lists" && m.listing:
		b.SetHelp(b.Help().Key, "matrix")
	}
	return b
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.desk != nil:
		return m.desk.Keys()
	case m.diffs.words.Typing():
		return widget.FilterKeys()
	}
	return m.table.Footer(m.mode(), m.size.width, nil, m.named)
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	if m.desk != nil {
		return m.desk.Help()
	}
	return append(m.table.Help(m.mode(), m.named, "", compareGroup, filterGroup), widget.Group{Title: "Move", Keys: m.moves.Keys()})
}

// headLines stand above matrix and list: queue, extractor, what is shown.
const headLines = 3

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.size.width <= 0 || m.size.height <= 0 {
		return ""
	}
	if m.desk != nil {
		return m.desk.View()
	}
	return strings.Join(widget.Block(m.lines(), m.size.width, m.size.height), "\n")
}

func (m *Model) lines() []string {
	t := m.theme
	title := "Compare " + widget.Line(string(m.deps.Queue))
	switch {
	case m.experts:
		return m.curation.curatedLines()
	case m.err != nil:
		return append([]string{t.Section(title, "", true, m.size.width), ""}, t.Bad.Wrap("  ", m.err.Error(), m.size.width)...)
	case m.diffs.all == nil:
		return []string{t.Section(title, "", true, m.size.width), "", "  " + t.Faint.Render("reading…")}
	}
	out := []string{t.Section(title, m.note(), true, m.size.width), m.diffs.figures()}
	if !m.listing {
		return append(append(out, m.diffs.matrixHead()), m.diffs.matrixLines(m.size.height-headLines)...)
	}
	out = append(out, m.diffs.filterLine())
	out = append(out, t.Table(m.diffs.table(), m.size.width, m.size.listHeight())...)
	return append(out, m.diffs.keptLine())
}

// note says how people came to one word, and what is settled.
func (m *Model) note() string {
	settled := 0
	for i := range m.diffs.all.Items {
		if m.diffs.all.Items[i].Adjudicated {
			settled++
		}
	}
	note := fmt.Sprintf("%s, %s adjudicated, consensus: %s", widget.Plural(len(m.diffs.all.Items), "item"), widget.Count(settled), m.diffs.all.Basis.Policy)
	if n := m.curation.disputed(); n > 0 {
		note = fmt.Sprintf("%s: %s disputed · ", m.Spelled("e"), widget.Plural(n, "candidate")) + note
	}
	return note
}

var betweenNames = [...]string{"anyone disagrees", "people and extractor disagree", "people disagree", "extractors disagree"}

// said is everybody's label in a few words.
func said(labels []annotate.Label) string {
	parts := make([]string, len(labels))
	for i, l := range labels {
		parts[i] = string(l.Annotator) + " " + labeloption.Word(l.Reading)
	}
	return strings.Join(parts, ", ")
}

// causeWord is who was right; "" when nobody has said.
func causeWord(c annotate.Cause) string { return strings.ReplaceAll(c.String(), "_", " ") }

// size is that of the screen, in cells.
type size struct {
	width, height int
}

// listHeight is the height of the table with its titles.
func (z *size) listHeight() int { return max(1, z.height-headLines-1) }

// matrixHeight is how many rows of the matrix are shown at once.
func (z *size) matrixHeight() int { return max(1, z.height-headLines-6) }
