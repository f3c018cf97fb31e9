package curate

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// submit hands an act to the journal: in memory, in order, without waiting.
func (m *Model) submit(a curation.Act) {
	m.deps.Journal.Submit(a)
	m.saving = m.deps.Journal.Standing(m.board.Stream())
}

// judge gives the card in front a verdict and goes on, or settles it and stays.
func judge(v curation.Verdict) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		o := m.card().Sample.Ordinal
		spent := m.timer.Touch(m.deps.Now())
		if m.settle {
			if a, ok := m.board.Rule(o, v, m.board.State().Rulings[o].Axis, spent); ok {
				m.submit(a)
			}
			return nil
		}
		if a, ok := m.board.Judge(o, v, spent); ok {
			m.submit(a)
		}
		return m.next()
	}
}

// next goes to the next card that asks for the person, those put off last.
func (m *Model) next() tea.Cmd {
	n := len(m.shown)
	best, skipped := n, uint32(0)
	for step := range n {
		at := (m.at + 1 + step) % n
		if m.at >= n {
			at = step
		}
		o := m.open.Cards[m.shown[at]].Sample.Ordinal
		if m.settle {
			if _, ruled := m.board.State().Rulings[o]; !ruled && m.board.Disputed(o) {
				return m.goTo(at)
			}
			continue
		}
		switch m.board.Standing(o) {
		case curation.ToDo:
			return m.goTo(at)
		case curation.PutOff:
			if put := m.board.State().Skipped[o]; best == n || put < skipped {
				best, skipped = at, put
			}
		case curation.Mine, curation.NotNeeded:
		}
	}
	return m.goTo(best)
}

func (m *Model) toNext(string) tea.Cmd { return m.next() }

func step(by int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return m.goTo(m.at + by) }
}

// skip puts the card in front off.
func (m *Model) skip(string) tea.Cmd {
	if a, ok := m.board.Skip(m.card().Sample.Ordinal, m.timer.Touch(m.deps.Now())); ok {
		m.submit(a)
	}
	return m.next()
}

func (m *Model) undo(string) tea.Cmd {
	a, of, _ := m.board.Undo()
	return m.jumped("undid", a, &of)
}

func (m *Model) redo(string) tea.Cmd {
	a, of, _ := m.board.Redo()
	return m.jumped("did again", a, &of)
}

// jumped shows the sample that an undo or redo is about, and says what it was.
func (m *Model) jumped(what string, a curation.Act, of *curation.Act) tea.Cmd {
	m.submit(a)
	i, ok := m.places[of.Sample]
	if !ok {
		return notify(widget.Info, fmt.Sprintf("%s: %s on a sample that is no candidate here", what, did(of)))
	}
	text := fmt.Sprintf("%s: %s on sample %s", what, did(of), widget.Line(string(m.open.Cards[i].Sample.ID)))
	at := slices.Index(m.shown, i)
	if at < 0 {
		m.filter = filter{}
		m.narrow()
		at = slices.Index(m.shown, i)
	}
	return tea.Batch(m.goTo(at), notify(widget.Info, text))
}

// did names an act, for the notice of an undo.
func did(a *curation.Act) string {
	switch a.Kind {
	case curation.Judged:
		return "verdict " + word(a.Verdict)
	case curation.Ruled:
		return "ruling " + word(a.Verdict)
	case curation.Placed:
		return "axis " + widget.Line(eval.Path(a.Axis))
	case curation.Skipped:
		return "skip"
	case curation.Noted:
		return "note"
	case curation.KindUnset, curation.TookBack, curation.Looked:
	}
	return "act"
}

// word is a verdict in a few words.
func word(v curation.Verdict) string {
	switch v {
	case curation.NeedsImage:
		return "needs the image"
	case curation.NeedsNone:
		return "answerable without"
	case curation.InQuestion:
		return "answer in the question"
	case curation.Wrong:
		return "wrong or ambiguous"
	case curation.Duplicate:
		return "duplicate"
	case curation.VerdictUnset:
	}
	return "no verdict"
}

func (m *Model) startNote(string) tea.Cmd {
	m.mode = annotation.Noting
	return m.ask(m.board.State().Notes[m.card().Sample.Ordinal])
}

func (m *Model) endNote(string) tea.Cmd {
	m.mode = annotation.Reading
	if c := m.card(); c != nil {
		if a, ok := m.board.Note(c.Sample.Ordinal, strings.TrimSpace(m.text.Value())); ok {
			m.submit(a)
		}
	}
	return nil
}

// axis is where the card in front stands for the person.
func (m *Model) axis() []string {
	o := m.card().Sample.Ordinal
	if r, ok := m.board.State().Rulings[o]; ok && m.settle && r.Axis != nil {
		return r.Axis
	}
	return m.board.Axis(o)
}

// showOthers has the others' words shown, once it is stored that they are.
func (m *Model) showOthers(string) tea.Cmd {
	if m.others != nil {
		m.others = nil
		return nil
	}
	o := m.card().Sample.Ordinal
	words, rulings, look, err := m.board.Others(o)
	if err != nil {
		return notify(widget.Info, err.Error())
	}
	if look.N != 0 {
		m.submit(look)
	}
	ctx, journal, stream := m.ctx, m.deps.Journal, m.board.Stream()
	return func() tea.Msg {
		return revealed{m, others{o, words, rulings}, journal.Sync(ctx, stream)}
	}
}

func (m *Model) reveal(msg revealed) tea.Cmd {
	if msg.err != nil {
		return notify(widget.Problem, "not shown before it is saved that it is: "+msg.err.Error())
	}
	if c := m.card(); c != nil && c.Sample.Ordinal == msg.others.sample && m.board.State().Answered(c.Sample.Ordinal) {
		m.others = &msg.others
	}
	return nil
}

func (m *Model) saveAgain(string) tea.Cmd {
	m.deps.Journal.Retry()
	m.stuck = false
	return m.hear()
}

// The reasons why something cannot be done now; "" when it can.

func (m *Model) noCard() string {
	if m.card() == nil {
		return "no sample is in front"
	}
	return ""
}

func (m *Model) noVerdict() string {
	c := m.card()
	if c == nil {
		return m.noCard()
	}
	o := c.Sample.Ordinal
	if _, ruled := m.board.State().Rulings[o]; m.settle && !ruled && !m.board.Disputed(o) {
		return m.Keyed("experts do not differ on this sample: {m} goes back to verdicts")
	}
	return ""
}

func (m *Model) noPlace() string {
	c := m.card()
	if c == nil {
		return m.noCard()
	}
	if _, ruled := m.board.State().Rulings[c.Sample.Ordinal]; m.settle && !ruled {
		return "settle the verdict first"
	}
	return ""
}

func (m *Model) noSkip() string {
	switch {
	case m.card() == nil:
		return m.noCard()
	case m.settle:
		return m.Keyed("nothing is put off while you settle; {right} goes on")
	}
	return ""
}

func (m *Model) noOthers() string {
	c := m.card()
	switch {
	case c == nil:
		return m.noCard()
	case !m.board.State().Answered(c.Sample.Ordinal):
		return annotate.ErrBlind.Error()
	}
	return ""
}

func (m *Model) noUndo() string {
	if m.board == nil || !m.board.CanUndo() {
		return "nothing to undo"
	}
	return ""
}

func (m *Model) noRedo() string {
	if m.board == nil || !m.board.CanRedo() {
		return "nothing to do again"
	}
	return ""
}

func (m *Model) noFailure() string {
	if m.saving.Err == nil {
		return "everything is saved, or about to be"
	}
	return ""
}
