package label

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
)

// toggleReveal opens and closes the machine's readings.
func toggleReveal(m *Model, _ string) tea.Cmd {
	ctx, d := m.Context(), m.deps
	m.item.top[panelPane] = 0
	return m.item.reveal.Toggle(func(k annotate.ItemKey) (annotate.Act, func() (blind.Revealed, error), error) {
		return m.Session.Reveal(k, func(truth bool) (blind.Revealed, error) {
			return d.Revealer.Reveal(ctx, d.Queue, k, truth)
		})
	})
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
