package criteria

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/widget"
)

// whyNoStep is why there is nothing to take back, or to do again: no step of this
// sitting, and none of the person's on the sample in front.
func whyNoStep(m *Model, steps *[][]eval.Ordinal, last func(*criteria.Set, annotate.Annotator) (uint32, bool)) func() string {
	return func() string {
		n := uint32(len(*steps))
		if i, ok := m.frontRow(); n == 0 && ok {
			n, _ = last(&m.rows[i].Set, m.who)
		}
		return action.WhyIf(n == 0, "nothing to undo or redo here")
	}
}

// undoOrRedoStep takes the last step of this sitting back, or does it again; without one, that
// on the sample in front. It shows where, and says what it was.
func undoOrRedoStep(m *Model, what string, from, to *[][]eval.Ordinal, move mover) tea.Cmd {
	var samples []eval.Ordinal
	if n := len(*from); n > 0 {
		samples, *from = (*from)[n-1], (*from)[:n-1]
	} else if i, ok := m.frontRow(); ok {
		samples = []eval.Ordinal{m.rows[i].Sample.Ordinal}
	}
	var moved []eval.Ordinal
	var act criteria.Act
	var refusal error
	for _, o := range samples {
		a, err := m.browser.moveStepOn(o, move)
		if err != nil {
			refusal = err
			continue
		}
		moved, act = append(moved, o), a
	}
	switch {
	case len(moved) == 0 && refusal == nil:
		return widget.NotifyCmd(widget.Info, "nothing to undo or redo here")
	case len(moved) == 0:
		return widget.NotifyCmd(widget.Info, refusal.Error())
	}
	*to = append(*to, moved)
	i := m.index[moved[0]]
	where := eval.Either(len(moved) > 1, widget.FormatPlural(len(moved), "sample"), "sample "+widget.CleanLine(string(m.rows[i].Sample.ID)))
	text := fmt.Sprintf("%s: %s, %s", what, describeAct(&act), where)
	text += eval.Either(refusal != nil, fmt.Sprintf("; not on %s: %v", widget.FormatPlural(len(samples)-len(moved), "sample"), refusal), "")
	return tea.Batch(m.goToRow(i), widget.NotifyCmd(widget.Info, text))
}

// frontRow is the row that keys act on: the open sample, or the one under the cursor; false when that is a group.
func (m *Model) frontRow() (int, bool) {
	if m.reader.page != nil {
		return m.reader.page.at, m.reader.page.at < len(m.rows)
	}
	return m.browser.list.currentSample()
}

func setType(m *Model, t eval.QuestionType) tea.Cmd {
	i, ok := m.frontRow()
	if !ok {
		return nil
	}
	_, cmd := m.browser.doActAndNotify(i, criteria.TypeSet, fmt.Sprintf("sample %s is %s", m.rows[i].Sample.ID, t), func(a *criteria.Act) { a.Type = t })
	return cmd
}

// openNextForPerson goes to the sample that asks for this person first, from the one in front on.
func openNextForPerson(m *Model) tea.Cmd {
	order := m.browser.list.order
	if len(order) == 0 {
		return nil
	}
	at := -1
	if i, ok := m.frontRow(); ok {
		at = slices.Index(order, i)
	}
	best, turn := -1, criteria.NoTurn
	for step := range order {
		i := order[((at+1+step)%len(order)+len(order))%len(order)]
		t := m.rows[i].Set.TaskFor(m.who)
		if t != criteria.NoTurn && (turn == criteria.NoTurn || t < turn) && (at < 0 || i != order[at]) {
			best, turn = i, t
		}
	}
	if best < 0 {
		return widget.NotifyCmd(widget.Info, "nothing else waits for you in this dataset")
	}
	shown := m.openSample(best)
	text := taskTexts[turn]
	text += eval.Either(turn == criteria.ToReview && m.reader.page.part != partReview, ": {tab} goes to the checklist", "")
	return tea.Batch(shown, widget.NotifyCmd(widget.Info, m.SpellText(text)))
}

// taskTexts name keys in braces.
var taskTexts = [criteria.Turns]string{
	criteria.ToRevise: "changes were requested: {e} revises",
	criteria.ToReview: "to review",
	criteria.ToWrite:  "yours to write: {e} writes",
	criteria.ToTake:   "nobody has written yet: {e} writes",
	criteria.ToVerify: "accepted, and waits for an expert to verify it",
}
