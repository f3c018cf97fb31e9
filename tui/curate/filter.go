package curate

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// filter is which candidates are gone through.
type filter struct {
	words  string
	source string
	axis   []string // nil: all
	state  state
}

// state narrows candidates down by how they stand.
type state uint8

const (
	everything state = iota
	waiting          // for the person
	answered         // by them
	kept             // accepted, of those that the person has answered
	dropped          // and dropped
	disputed         // experts differ, to be settled
	states
)

var stateNames = [states]string{"all", "for me", "answered", "accepted", "dropped", "disputed"}

// firstState is what is gone through at first.
func firstState(settle bool) state {
	if settle {
		return disputed
	}
	return everything
}

// on reports whether anything is filtered but what the work asks for.
func (f *filter) on(settle bool) bool {
	return f.words != "" || f.source != "" || f.axis != nil || f.state != firstState(settle)
}

// narrow finds the cards that the filter leaves. The list stays as it is
// while they are worked on.
func (m *Model) narrow() {
	words, not := widget.Words(m.filter.words)
	m.shown = m.shown[:0:0]
	for i := range m.open.Cards {
		c := &m.open.Cards[i]
		switch {
		case len(words) > 0 && holds(c, words) == not,
			m.filter.source != "" && c.Sample.Source != m.filter.source,
			m.filter.axis != nil && !slices.Equal(m.board.Axis(c.Sample.Ordinal), m.filter.axis),
			!m.stands(c.Sample.Ordinal):
			continue
		}
		m.shown = append(m.shown, i)
	}
}

// holds reports whether a sample has all words in it.
func holds(c *Card, words []string) bool {
	s := &c.Sample
	return widget.Having(strings.ToLower(string(s.ID)+"\n"+s.Question+"\n"+s.Source+"\n"+strings.Join(s.Taxonomy, "\n")), words)
}

// stands reports whether a sample stands as the filter wants. What it comes to
// with the others' words counts only where the person may know.
func (m *Model) stands(o eval.Ordinal) bool {
	switch m.filter.state {
	case waiting:
		s := m.board.Standing(o)
		return s == curation.ToDo || s == curation.PutOff
	case answered:
		return m.board.State().Answered(o)
	case kept:
		d, err := m.board.Decision(o)
		return err == nil && d.Outcome == curation.Accepted
	case dropped:
		d, err := m.board.Decision(o)
		return err == nil && d.Outcome == curation.Dropped
	case disputed:
		if m.settle {
			_, ruled := m.board.State().Rulings[o]
			return ruled || m.board.Disputed(o)
		}
		d, err := m.board.Decision(o)
		return err == nil && d.Disputed()
	case everything, states:
	}
	return true
}

// renew goes through what the filter leaves now, beginning with the card in
// front where it is still among them.
func (m *Model) renew() tea.Cmd {
	was := -1
	if m.at < len(m.shown) {
		was = m.shown[m.at]
	}
	m.narrow()
	if at := slices.Index(m.shown, was); at >= 0 {
		return m.goTo(at)
	}
	return m.goTo(0)
}

// widen takes the filter away.
func (m *Model) widen() tea.Cmd {
	m.filter = filter{state: firstState(m.settle)}
	return m.renew()
}

func (m *Model) nextState(string) tea.Cmd {
	m.filter.state = (m.filter.state + 1) % states
	return m.renew()
}

func (m *Model) lastState(string) tea.Cmd {
	m.filter.state = (m.filter.state + states - 1) % states
	return m.renew()
}

// nextSource goes through the sources, and all of them.
func (m *Model) nextSource(string) tea.Cmd {
	m.filter.source = after(append([]string{""}, m.sources()...), m.filter.source)
	return m.renew()
}

// sources are those of the candidates, in their order.
func (m *Model) sources() []string {
	var out []string
	for i := range m.open.Cards {
		if s := m.open.Cards[i].Sample.Source; s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func after(list []string, one string) string {
	return list[(slices.Index(list, one)+1)%len(list)]
}

// onlyAxis narrows down to the axis of the card in front, and back.
func (m *Model) onlyAxis(string) tea.Cmd {
	if m.filter.axis != nil {
		m.filter.axis = nil
		return m.renew()
	}
	c := m.card()
	if c == nil || m.board.Axis(c.Sample.Ordinal) == nil {
		return notify(widget.Info, m.Keyed("nobody has said which axis this sample belongs to: {p} does"))
	}
	m.filter.axis = m.board.Axis(c.Sample.Ordinal)
	return m.renew()
}

// toSettle goes between giving verdicts and settling what experts differ on.
func (m *Model) toSettle(string) tea.Cmd {
	m.settle = !m.settle
	m.filter = filter{state: firstState(m.settle)}
	m.narrow()
	m.at = len(m.shown)
	said := "you give verdicts of your own"
	if m.settle {
		said = "you settle what experts differ on: verdicts are rulings now"
	}
	return tea.Batch(m.next(), notify(widget.Info, said))
}

// startFilter opens the words of the filter.
func (m *Model) startFilter(string) tea.Cmd {
	m.mode = filtering
	return m.ask(m.filter.words)
}

func (m *Model) endFilter(string) tea.Cmd {
	m.mode = annotation.Reading
	return nil
}

// ask has a text typed.
func (m *Model) ask(text string) tea.Cmd {
	m.text.Width = m.textWidth()
	m.text.SetValue(text)
	m.text.CursorEnd()
	return m.text.Focus()
}
