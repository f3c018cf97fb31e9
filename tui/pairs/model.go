package pairs

import (
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
	*drilldown.Screen[Row, *page]
}

type keys struct {
	drilldown.Keys
	mark key.Binding
}

// New makes the list of a query; Close ends it.
func New(ctx context.Context, t *widget.Theme, s Source, who annotate.Annotator, q Query) *Model {
	k := &keys{Keys: drilldown.NewKeys("pair", "next list"), mark: keymap.Pairs.Bind("differences")}
	var choices []drilldown.Choice[Row]
	for _, l := range q.Lists {
		choices = append(choices, drilldown.ListOf(l.Name, "they wait for your vote", who, l.Rows))
	}
	face, differ := face{t, &q}, new(bool)
	return &Model{drilldown.NewScreen(ctx, t, drilldown.Kind[Row, *page]{
		Row: "pair", Keys: &k.Keys, Own: []key.Binding{k.mark},
		Footer: []key.Binding{widget.Bind("↑↓", "scroll", "up"), keymap.Pairs.Join("differences", "differences")},
		Place:  keymap.Pairs, Picture: keymap.PairsPicture,
		Open: func(row Row, f drilldown.Frame) (*page, tea.Cmd) {
			p := &page{Frame: f, keys: k, source: s, row: row, differ: differ}
			return p, func() tea.Msg { return p.load(who) }
		},
	}, drilldown.Face[Row]{
		Title: q.Title, Columns: face.columns, Cells: face.cells, LeftOut: func(r *Row) bool { return r.LeftOut },
	}, choices)}
}

// Copied is both answers of the pair that is open, as the models gave them; on
// the list, the sample's id.
func (m *Model) Copied() (what, text string) {
	switch p := m.Page; {
	case p == nil && m.List.Row() != nil:
		return "the sample's id", string(m.List.Row().Sample)
	case p == nil || !p.Loaded || p.Blinded:
		return "", ""
	default:
		a, b := p.Answers[0].Text, p.Answers[1].Text
		return "both answers", "Answer 1:\n" + a + "\n\nAnswer 2:\n" + b + "\n"
	}
}
