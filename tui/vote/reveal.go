package vote

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// reveal is whose answers the pair in front holds, once asked for.
type reveal struct {
	of   annotate.ItemKey
	done bool
	what blind.RevealedPair
	err  error
}

type unmasked struct {
	of   *Model
	key  annotate.ItemKey
	what blind.RevealedPair
	err  error
}

// toggleReveal opens and closes the models' names and the judges' votes. The
// session refuses before the annotator's own vote, whatever the screen thinks.
func (m *Model) toggleReveal(string) tea.Cmd {
	if m.Mode == annotation.Revealed {
		m.Mode = annotation.Reading
		return nil
	}
	_, k, _ := m.Session.Current()
	ctx, d := m.Context(), m.deps
	look, load, err := m.Session.RevealPair(k, func() (blind.RevealedPair, error) {
		return d.Unmasker.Unmask(ctx, d.Queue, k)
	})
	if err != nil {
		m.Refusal = err.Error()
		return nil
	}
	m.Mode, m.pair.top[panelPane], m.pair.reveal = annotation.Revealed, 0, reveal{of: k}
	return annotation.Show(m.Sitting, look, load, func(what blind.RevealedPair, err error) tea.Msg {
		return unmasked{m, k, what, err}
	})
}

func (m *Model) unmask(msg unmasked) {
	if m.Mode == annotation.Revealed && msg.key == m.pair.reveal.of {
		m.pair.reveal.done, m.pair.reveal.what, m.pair.reveal.err = true, msg.what, msg.err
	}
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
