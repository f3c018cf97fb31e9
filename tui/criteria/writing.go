package criteria

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

func saveAfterPause(m *Model, msg typingPaused) tea.Cmd {
	if m.reader.page == nil || m.reader.page.editor != msg.of || msg.of.seq != msg.seq {
		return nil
	}
	msg.of.rememberForUndo()
	submitDraft(m, false)
	return nil
}

// submitDraft hands the draft to the writer. While one of the sample is under way,
// the next one waits, unless it is the last chance.
func submitDraft(m *Model, now bool) {
	p := m.reader.page
	e := p.editor
	if !e.isDirty() {
		e.since = time.Time{}
		return
	}
	if waits, _ := m.deps.Writer.SampleState(m.dataset, p.sample); waits && !now {
		e.again = true
		if m.saving.Err != nil {
			m.deps.Writer.RetryParked()
		}
		return
	}
	content := e.writtenCriteria()
	if err := m.browser.doActOnRow(p.at, criteria.Drafted, func(a *criteria.Act) { a.Criteria = content }); err != nil {
		e.trouble = err.Error()
		return
	}
	e.last, e.sure, e.since, e.again, e.trouble = content, true, time.Time{}, false, ""
	if !e.stepped {
		e.stepped = true
		m.addUndo(p.sample)
	}
}

// openEditor opens the editor on the criteria that stand, or on the draft of the next revision.
func openEditor(m *Model) tea.Cmd {
	i, ok := m.frontRow()
	if !ok {
		return nil
	}
	var cmd tea.Cmd
	if m.reader.page == nil {
		cmd = m.openSample(i)
	}
	set := &m.rows[i].Set
	cs := set.Criteria()
	if set.Pending != nil {
		cs = set.Pending.Criteria
	}
	e := &editor{last: cs, sure: true}
	e.setFieldsFrom(cs)
	if lost, ok := m.reader.lost[m.rows[i].Sample.Ordinal]; ok {
		e.setFieldsFrom(lost)
	}
	m.reader.page.editor, m.reader.page.part = e, partCriteria
	m.fitTextWidths()
	return tea.Batch(cmd, m.reader.drawPicture())
}

// leaveEditor ends the writing: the draft stays. Text that cannot be saved is kept
// for the next time, and is said not to be saved.
func leaveEditor(m *Model) {
	submitDraft(m, true)
	e := m.reader.page.editor
	m.reader.page.editor = nil
	delete(m.reader.lost, m.reader.page.sample)
	if e.isDirty() {
		m.reader.lost[m.reader.page.sample] = e.writtenCriteria()
	}
}

// scheduleDraftSaving follows a change: it is saved after a breath.
func scheduleDraftSaving(m *Model, e *editor) tea.Cmd {
	if !e.isDirty() {
		e.since = time.Time{}
		return nil
	}
	e.seq++
	now := m.deps.Now()
	if e.since.IsZero() {
		e.since = now
	}
	seq := e.seq
	rest := tea.Tick(breath, func(time.Time) tea.Msg { return typingPaused{e, seq} })
	if now.Sub(e.since) > patience {
		submitDraft(m, false)
	}
	return rest
}

// addCriterionField begins another criterion behind the one with the focus.
func addCriterionField(m *Model, e *editor) tea.Cmd {
	if len(e.fields) >= criteria.Most {
		return widget.NotifyCmd(widget.Info, "three criteria are the most: put demands together, or remove one (ctrl+x)")
	}
	e.rememberForUndo()
	e.focus++
	e.fields = slices.Insert(e.fields, e.focus, field{area: widget.NewTextArea("")})
	m.fitTextWidths()
	e.focusField()
	return nil
}

// handleEditorKey takes a key while criteria are written.
func handleEditorKey(m *Model, msg tea.KeyMsg) tea.Cmd {
	e := m.reader.page.editor
	n := len(e.fields)
	switch msg.String() {
	case "tab", "shift+tab":
		e.focus = (e.focus + eval.Either(msg.String() == "tab", 1, n-1)) % n
		e.focusField()
		return nil
	case "ctrl+t":
		e.rememberForUndo()
		e.fields[e.focus].kind = e.fields[e.focus].kind%criteria.Guideline + 1
	case "ctrl+n":
		return addCriterionField(m, e)
	case "ctrl+x":
		e.removeCriterion()
		m.fitTextWidths()
	case "alt+up", "alt+down":
		e.moveCriterion(map[bool]int{true: -1, false: 1}[msg.String() == "alt+up"])
	case "ctrl+z":
		if !e.undoOrRedoEdit(&e.past, &e.future) {
			return widget.NotifyCmd(widget.Info, "nothing was written before this")
		}
		m.fitTextWidths()
	case "ctrl+y":
		if !e.undoOrRedoEdit(&e.future, &e.past) {
			return widget.NotifyCmd(widget.Info, "nothing to do again")
		}
		m.fitTextWidths()
	case "ctrl+k", "ctrl+s":
		m.deps.Writer.RetryParked()
		submitDraft(m, true)
		return nil
	case "ctrl+g":
		e.guide, e.top = !e.guide, 0
		return nil
	case "pgup", "pgdown":
		e.top = max(0, e.top+map[bool]int{true: -5, false: 5}[msg.String() == "pgup"])
		return nil
	default:
		e.guide = false
		a := &e.fields[e.focus].area
		msg.Runes = []rune(widget.EscapeControls(string(msg.Runes)))
		*a, _ = a.Update(msg)
	}
	return scheduleDraftSaving(m, e)
}
