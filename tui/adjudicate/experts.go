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
	keys    keys
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
		return notify("read expert disagreements: " + msg.err.Error())
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

// pressCurated takes a key on the list of curated datasets.
func (e *experts) pressCurated(msg tea.KeyMsg) tea.Cmd {
	n := len(e.curated)
	switch {
	case key.Matches(msg, e.keys.open, e.keys.settle) && e.shelf.At < n:
		open := OpenCuration{e.curated[e.shelf.At].Dataset}
		return func() tea.Msg { return open }
	default:
		if by, ok := e.keys.moves.By(msg, e.size.listHeight(), n); ok {
			e.shelf.Move(by, n, e.size.listHeight()-1)
		}
	}
	return nil
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

func notify(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Problem, Text: text} }
}

type keys struct {
	moves                                widget.Moves
	open, view, next, prev, after, again key.Binding
	sideways, settle, experts, words     key.Binding
	filters                              []key.Binding
}

func newKeys() keys {
	return keys{
		moves:    widget.NewMoves(),
		open:     keymap.Compare.Join("its items", "open"),
		view:     widget.Bind("tab", "lists", "tab", "shift+tab"),
		next:     keymap.Compare.Bind("next_extractor"),
		prev:     keymap.Compare.Bind("previous_extractor"),
		after:    keymap.Compare.Join("with adjudications", "rulings"),
		again:    keymap.Compare.Bind("refresh"),
		settle:   keymap.Compare.Bind("next_unlabeled"),
		experts:  keymap.Compare.Join("expert disagreements", "experts"),
		words:    keymap.Compare.Bind("filter"),
		sideways: widget.Bind("← ↑ → ↓", "walk", "left", "right"),
		filters: []key.Binding{
			keymap.Compare.Bind("filter_differs"), keymap.Compare.Bind("filter_unsettled"),
			keymap.Compare.Bind("filter_case"), keymap.Compare.Bind("filter_cause"),
			keymap.Compare.Bind("filter_model"), keymap.Compare.Bind("filter_category"),
			keymap.Compare.Bind("filter_annotator"), keymap.Compare.Bind("filter_unsure"),
		},
	}
}

// current is the bindings as they are now.
func (m *Model) current() keys {
	k := m.keys
	if m.listing {
		k.view.SetHelp("tab", "matrix")
		k.open.SetHelp("enter", "open it")
	}
	if m.experts {
		k.open.SetHelp("enter", "adjudicate them")
		k.experts.SetHelp("e", "back to the queue")
	}
	if m.diffs.after {
		k.after.SetHelp("r", "without adjudications")
	}
	return k
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	if m.desk != nil {
		return m.desk.Keys()
	}
	if m.diffs.words.Typing() {
		return widget.FilterKeys()
	}
	k := m.current()
	switch {
	case m.experts && m.deps.Queue == "":
		return []key.Binding{k.open, k.again}
	case m.experts:
		return []key.Binding{k.open, k.experts, k.again}
	case m.listing && m.curation.disputed() > 0:
		return []key.Binding{k.open, k.settle, k.experts, k.filters[0], k.words, k.filters[1], k.view, k.next, k.again}
	case m.curation.disputed() > 0:
		return []key.Binding{k.open, k.settle, k.experts, k.view, k.next, k.sideways, k.after, k.again}
	case m.listing:
		return []key.Binding{k.open, k.settle, k.filters[0], k.words, k.filters[1], k.view, k.next, k.again}
	}
	return []key.Binding{k.open, k.settle, k.view, k.next, k.sideways, k.after, k.again}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	if m.desk != nil {
		return m.desk.Help()
	}
	k := m.current()
	return []widget.Group{
		{Title: "Compare", Keys: []key.Binding{k.open, k.settle, k.view, k.next, k.prev, k.after, k.again, k.sideways, k.experts}},
		{Title: "What is listed: each key goes through its values", Keys: append([]key.Binding{k.words}, k.filters...)},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}

// headLines stand above matrix and list: queue, extractor, what is shown.
const headLines = 3

func (m *Model) pressList(msg tea.KeyMsg) tea.Cmd {
	n := len(m.diffs.places)
	if by, ok := m.keys.moves.By(msg, m.size.listHeight(), n); ok {
		m.diffs.at.Move(by, n, m.size.listHeight()-1)
		return nil
	}
	switch {
	case key.Matches(msg, m.keys.open):
		return m.open()
	case key.Matches(msg, m.keys.words):
		m.diffs.words.Start()
	case m.diffs.narrow(msg.String()):
		m.diffs.at.Set(0, len(m.diffs.places), m.size.listHeight()-1)
	}
	return nil
}

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
		out := []string{t.Section(title, "", true, m.size.width), ""}
		for _, l := range widget.Wrap(m.err.Error(), max(1, m.size.width-2)) {
			out = append(out, "  "+t.Bad.Render(l))
		}
		return out
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
