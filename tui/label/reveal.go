package label

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/tui/annotation"
)

// reveal is what the machine made of the item in front, once asked for.
type reveal struct {
	of   annotate.ItemKey
	done bool
	what blind.Revealed
	err  error
}

type shown struct {
	of   *Model
	key  annotate.ItemKey
	what blind.Revealed
	err  error
}

// toggleReveal opens and closes the machine's readings. The session refuses
// before the annotator's own answer, whatever the screen thinks.
func (m *Model) toggleReveal(string) tea.Cmd {
	if m.Mode == annotation.Revealed {
		m.Mode = annotation.Reading
		return nil
	}
	_, k, _ := m.Session.Current()
	ctx, d := m.Context(), m.deps
	look, load, err := m.Session.Reveal(k, func(truth bool) (blind.Revealed, error) {
		return d.Revealer.Reveal(ctx, d.Queue, k, truth)
	})
	if err != nil {
		m.Refusal = err.Error()
		return nil
	}
	m.Mode, m.item.top[panelPane], m.item.reveal = annotation.Revealed, 0, reveal{of: k}
	return annotation.Show(m.Sitting, look, load, func(what blind.Revealed, err error) tea.Msg {
		return shown{m, k, what, err}
	})
}

func (m *Model) unveil(msg shown) {
	if m.Mode == annotation.Revealed && msg.key == m.item.reveal.of {
		m.item.reveal.done, m.item.reveal.what, m.item.reveal.err = true, msg.what, msg.err
	}
}

// agreement is how often a judge reads what the annotator does.
type agreement struct {
	extractor string
	agree, n  int
}

// summary is what is shown when a queue is done.
type summary struct {
	asked   bool
	acts    int // made when it was asked for
	done    bool
	against []agreement
	err     error
}

type compared struct {
	of      *ending
	against []agreement
	err     error
}

func (s *summary) take(msg compared) {
	s.done, s.against, s.err = true, msg.against, msg.err
}
