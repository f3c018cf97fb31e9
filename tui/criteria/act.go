package criteria

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// whyNoUndo is why there is nothing to take back: no step of this sitting, and
// none of the person's on the sample in front.
func whyNoUndo(m *Model) string { return whyNoStep(m, m.done, (*criteria.Set).LastUndoable) }

func whyNoRedo(m *Model) string { return whyNoStep(m, m.undone, (*criteria.Set).LastRedoable) }

func whyNoStep(m *Model, steps [][]eval.Ordinal, last func(*criteria.Set, annotate.Annotator) (uint32, bool)) string {
	if len(steps) > 0 {
		return ""
	}
	if i, ok := m.frontRow(); ok {
		if n, _ := last(&m.rows[i].Set, m.who); n > 0 {
			return ""
		}
	}
	return "nothing to undo or redo here"
}

// undo takes back the last step of this sitting; without one, that on the
// sample in front.
func undo(m *Model) tea.Cmd { return shift(m, "undid", &m.done, &m.undone, (*criteria.Set).Undo) }

// redo does again what undo took back last.
func redo(m *Model) tea.Cmd { return shift(m, "redone", &m.undone, &m.done, (*criteria.Set).Redo) }

// shift takes one step back or forth, shows where, and says what it was.
func shift(m *Model, what string, from, to *[][]eval.Ordinal, move mover) tea.Cmd {
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
	if refusal != nil {
		text += fmt.Sprintf("; not on %s: %v", widget.FormatPlural(len(samples)-len(moved), "sample"), refusal)
	}
	return tea.Batch(m.goTo(i), widget.NotifyCmd(widget.Info, text))
}

// frontRow is the row that keys act on: the open sample, or the one under the
// cursor; false when that is a group.
func (m *Model) frontRow() (int, bool) {
	if m.reader.page != nil {
		return m.reader.page.at, m.reader.page.at < len(m.rows)
	}
	return m.browser.list.currentSample()
}

// setType annotates or corrects the type of the question.
func setType(m *Model, t eval.QuestionType) tea.Cmd {
	i, ok := m.frontRow()
	if !ok {
		return nil
	}
	ok, cmd := m.browser.doAct(i, criteria.TypeSet, func(a *criteria.Act) { a.Type = t })
	if ok {
		cmd = widget.NotifyCmd(widget.Info, fmt.Sprintf("sample %s is %s", m.rows[i].Sample.ID, t))
	}
	return cmd
}

// showNext goes to the sample that asks for this person first, from the one in
// front on.
func showNext(m *Model) tea.Cmd {
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
		t := m.rows[i].Set.TaskOf(m.who)
		if t != criteria.NoTurn && (turn == criteria.NoTurn || t < turn) && (at < 0 || i != order[at]) {
			best, turn = i, t
		}
	}
	if best < 0 {
		return widget.NotifyCmd(widget.Info, "nothing else waits for you in this dataset")
	}
	shown := m.openSample(best)
	text := taskTexts[turn]
	if turn == criteria.ToReview && m.reader.page.part != partReview {
		text += ": {tab} goes to the checklist"
	}
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
