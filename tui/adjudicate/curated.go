package adjudicate

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/widget"
)

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
	of      *Model
	curated []Curated
	err     error
}

// recount reads what experts differ on.
func (m *Model) recount() tea.Cmd {
	ctx, d := m.ctx, m.deps
	if d.Curated == nil {
		return nil
	}
	return func() tea.Msg {
		all, err := d.Curated(ctx, d.Annotator)
		return recounted{m, all, err}
	}
}

func (m *Model) takeCurated(msg recounted) tea.Cmd {
	if m.ctx.Err() != nil {
		return nil
	}
	m.counted = true
	if msg.err != nil {
		return notify("read what experts differ on: " + msg.err.Error())
	}
	m.curated = msg.curated
	m.shelf.Set(m.shelf.At, len(m.curated), m.listHeight()-1)
	return nil
}

func notify(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Problem, Text: text} }
}

// disputed is how many candidates wait to be settled.
func (m *Model) disputed() int {
	n := 0
	for i := range m.curated {
		n += m.curated[i].Open
	}
	return n
}

// pressCurated takes a key on the list of curated datasets.
func (m *Model) pressCurated(msg tea.KeyMsg) tea.Cmd {
	n := len(m.curated)
	switch {
	case key.Matches(msg, m.keys.open, m.keys.settle) && m.shelf.At < n:
		open := OpenCuration{m.curated[m.shelf.At].Dataset}
		return func() tea.Msg { return open }
	default:
		if by, ok := m.keys.moves.By(msg, m.listHeight(), n); ok {
			m.shelf.Move(by, n, m.listHeight()-1)
		}
	}
	return nil
}

// curatedLines are the curated datasets with what their experts differ on.
func (m *Model) curatedLines() []string {
	t := m.theme
	out := []string{
		t.Section("Compare: candidates on which experts differ", widget.Plural(len(m.curated), "dataset"), true, m.width),
		widget.Fit("  "+t.Faint.Render(m.Spelled("enter")+" settles them; nobody's word is shown before yours"), m.width), "",
	}
	if !m.counted {
		return append(out, "  "+t.Faint.Render("reading…"))
	}
	return append(out, t.Table(widget.Table{
		Columns: []widget.Column{
			{Title: "dataset", Width: 16, Grow: 2, Name: true},
			{Title: "candidates", Width: 10, Right: true},
			{Title: "to settle", Width: 9, Right: true},
			{Title: "no majority", Width: 11, Right: true, Least: 60},
			{Title: "settled", Width: 8, Right: true},
		},
		Rows: len(m.curated), Cursor: m.shelf, Focused: true,
		Empty: "No dataset is curated yet: concord curate, or the Curate tab.",
		Row: func(i int) []string {
			c := &m.curated[i]
			open := widget.Count(c.Open)
			if c.Open > 0 {
				open = t.Warn.Render("≠ " + open)
			}
			return []string{widget.Line(string(c.Dataset)), widget.Count(c.Candidates), open, widget.Count(c.Tied), widget.Count(c.Settled)}
		},
	}, m.width, m.listHeight())...)
}
