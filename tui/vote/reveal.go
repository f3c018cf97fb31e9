package vote

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/widget"
)

// toggleReveal opens and closes the models' names and the judges' votes.
func toggleReveal(m *Model, _ string) tea.Cmd {
	ctx, d := m.Context(), m.deps
	m.pair.top[panelPane] = 0
	return m.pair.reveal.Toggle(func(k annotate.ItemKey) (annotate.Act, func() (blind.RevealedPair, error), error) {
		return m.Session.RevealPair(k, func() (blind.RevealedPair, error) { return d.Revealer.RevealPair(ctx, d.Queue, k) })
	})
}

func order(same bool) int {
	if same {
		return 1
	}
	return 0
}

// method is how a judge was asked, as far as it is not the usual way.
func method(p *eval.Preference) string {
	out := ", without criteria"
	if p.Criteria {
		out = ", with criteria"
	}
	if p.Input != eval.InputUnset && p.Input != eval.SeesImage {
		out += ", seeing " + p.Input.String()
	}
	if p.Repeat > 0 {
		out += ", asked again"
	}
	return out
}

func faint(t *widget.Theme, text string, width int) []string {
	var out []string
	for _, l := range widget.Wrap(text, max(1, width)) {
		out = append(out, t.Faint.Render(l))
	}
	return out
}
