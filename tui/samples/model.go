package samples

import (
	"cmp"
	"context"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/drilldown"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the screen.
type Model struct {
	*drilldown.Screen[Row, *detail]
}

type keys struct {
	drilldown.Keys
	prevPass, nextPass key.Binding
}

func newKeys() *keys {
	return &keys{
		Keys:     drilldown.NewKeys("sample", "next list, other part"),
		prevPass: widget.Bind("←", "pass before", "left"),
		nextPass: widget.Bind("→", "next pass", "right"),
	}
}

// New makes the list of a query; Close ends it.
func New(ctx context.Context, t *widget.Theme, s Source, who annotate.Annotator, q Query) *Model {
	k := newKeys()
	var choices []drilldown.Choice[Row]
	for _, l := range q.Lists {
		choices = append(choices, drilldown.ListOf(l.Name, "blind until "+cmp.Or(l.Until, "you have answered"), who, l.Rows))
	}
	face := face{t, &q}
	return &Model{drilldown.NewScreen(ctx, t, drilldown.Kind[Row, *detail]{
		Row: "sample", Keys: &k.Keys, Own: []key.Binding{k.nextPass, k.prevPass},
		Footer: []key.Binding{widget.Bind("←→", "passes", "left"), widget.Bind("↑↓", "scroll", "up")},
		Place:  keymap.Samples, Picture: keymap.SamplesPicture,
		Open: func(row Row, f drilldown.Frame) (*detail, tea.Cmd) {
			d := &detail{Frame: f, keys: k, source: s, row: row}
			return d, func() tea.Msg { return d.load(who) }
		},
	}, drilldown.Face[Row]{
		Title: q.Title, Columns: face.columns, Cells: face.cells, LeftOut: func(r *Row) bool { return r.LeftOut },
	}, choices)}
}

// Copied is the answer of the shown pass as the model gave it, or why there is
// none; on the list, the sample's id.
func (m *Model) Copied() (what, text string) {
	d := m.Page
	switch {
	case d == nil && m.List.Row() != nil:
		return "the sample's id", string(m.List.Row().Sample)
	case d == nil:
		return "", ""
	case d.at < len(d.Passes):
		p := &d.Passes[d.at]
		switch {
		case !p.Visibility.ShowsText():
			return "", ""
		case p.Failure != nil:
			return "the error", p.Failure.Error()
		}
		return "the answer", p.Text
	}
	return "the question", d.Question
}
