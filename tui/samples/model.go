package samples

import (
	"cmp"
	"context"
	"iter"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/drilldown"
	"concord/tui/keymap"
	"concord/tui/pager"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	theme  *widget.Theme
	source Source
	who    annotate.Annotator
	query  Query
	keys   keys

	width, height int
	list          *drilldown.List[Row]
	detail        *detail // nil: the list is shown
	viewer        *widget.Viewer
}

// New makes the list of a query; Close ends it.
func New(ctx context.Context, t *widget.Theme, s Source, who annotate.Annotator, q Query) *Model {
	m := &Model{theme: t, source: s, who: who, query: q, keys: newKeys(), viewer: widget.NewViewer(t)}
	choices := make([]drilldown.Choice[Row], len(q.Lists))
	for i, l := range q.Lists {
		choices[i] = drilldown.Choice[Row]{
			Name: l.Name, Until: "blind until " + cmp.Or(l.Until, "you have answered"),
			Rows: func(ctx context.Context) iter.Seq2[Row, error] { return l.Rows(ctx, who) },
		}
	}
	m.list = drilldown.New(ctx, t, &m.keys.Keys, drilldown.Face[Row]{
		Title: q.Title, Columns: m.columns, Cells: m.cells, LeftOut: func(r *Row) bool { return r.LeftOut },
	}, choices)
	return m
}

// Close ends what is under way.
func (m *Model) Close() { m.list.Close() }

// Init reads the first page.
func (m *Model) Init() tea.Cmd { return m.list.More() }

// Refresh leaves the list as it is: a row must not move under the reader, and
// R reads it again. Only the picture is drawn for the room it has now.
func (m *Model) Refresh() tea.Cmd {
	if m.detail == nil {
		return nil
	}
	return m.detail.draw()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case pager.Page[Row]:
		return m.list.Take(msg)
	case opened:
		if m.detail != nil {
			return m.detail.update(msg)
		}
	case widget.Drawn:
		if m.viewer.Took(msg) && m.detail != nil {
			return m.detail.draw()
		}
	}
	return nil
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.detail != nil {
		return m.pressDetail(msg)
	}
	cmd, open := m.list.Press(msg)
	if open {
		return m.open()
	}
	return cmd
}

// step opens the sample before or after.
func (m *Model) step(by int) tea.Cmd {
	before := m.list.Place()
	read := m.list.Move(by)
	if m.list.Place() == before {
		return read
	}
	full := m.detail.pictures.Full
	cmd := m.open()
	m.detail.pictures.Full = full
	return tea.Batch(read, cmd)
}

// Click chooses the row that is drawn at a line of the list.
func (m *Model) Click(_, y int) tea.Cmd {
	if m.detail != nil {
		return nil
	}
	return m.list.Click(y)
}
