package adjudicate

import (
	"context"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
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
