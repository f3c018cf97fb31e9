package criteria

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// openTextForm opens a form for one text, which an act on the sample in front needs.
func openTextForm(m *Model, kind criteria.Kind, title, note, label, verb string, put func(*criteria.Act, string), then func(), told string) tea.Cmd {
	i, ok := m.frontRow()
	if !ok {
		return nil
	}
	return m.openForm(&actForm{
		title: title + " · sample " + widget.CleanLine(string(m.rows[i].Sample.ID)), note: note, verb: verb,
		about: m.formKey(kind.String(), i), inputs: []input{newTextInput(label, "", 5)},
		submit: func(v []string) (tea.Cmd, error) {
			if err := m.browser.doActOnRow(i, kind, func(a *criteria.Act) { put(a, v[0]) }); err != nil {
				return nil, err
			}
			m.addUndo(m.rows[i].Sample.Ordinal)
			if then != nil {
				then()
			}
			return widget.NotifyCmd(widget.Info, told), nil
		},
	})
}

func openCommentForm(m *Model) tea.Cmd {
	return openTextForm(m, criteria.Commented, "Comment", "Comment: visible to everyone on this sample.", "comment", "comment",
		func(a *criteria.Act, text string) { a.Text = text }, nil, "the comment is listed under Review")
}

func openRequestForm(m *Model) tea.Cmd {
	given, o := m.reader.givenTicks(m.reader.page), m.reader.page.sample
	return openTextForm(m, criteria.RequestedChanges, "Request changes",
		"Say what to change, so that its author can. Your answers to the checklist go with it.", "what to change", "request",
		func(a *criteria.Act, text string) { a.Text, a.Ticks = text, given.listTicks() }, func() { delete(m.reader.mark, o) }, "changes requested: waiting for author")
}

func openDiscardForm(m *Model) tea.Cmd {
	return openTextForm(m, criteria.Discarded, "Discard the sample",
		m.SpellText("It is left out of the public export and of the quota, and can be replaced ({+}). What was written stays; undo brings it back."), "why", "discard",
		func(a *criteria.Act, text string) { a.Reason = text }, nil, m.SpellText("discarded: {+} adds the sample that replaces it"))
}

// newReviewDecision finds the criteria good, or confirms as an expert what was accepted, with
// the checklist as it is answered.
func newReviewDecision(m *Model, kind criteria.Kind, told string) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		p := m.reader.page
		ok, cmd := m.browser.doActAndNotify(p.at, kind, fmt.Sprintf("%s: sample %s", told, m.rows[p.at].Sample.ID), func(a *criteria.Act) { a.Ticks = m.reader.givenTicks(p).listTicks() })
		if ok {
			delete(m.reader.mark, p.sample)
		}
		return cmd
	}
}

// submitForReview gives a draft to the review; criteria in review go there by a revision, with a reason.
func submitForReview(m *Model) tea.Cmd {
	i, ok := m.frontRow()
	if !ok {
		return nil
	}
	set := &m.rows[i].Set
	if set.State == criteria.Unwritten || set.State == criteria.Draft {
		_, cmd := m.browser.doActAndNotify(i, criteria.Submitted, fmt.Sprintf("submitted: sample %s waits for somebody else's review", m.rows[i].Sample.ID), nil)
		return cmd
	}
	cs, note := set.Criteria(), "The criteria stay as they are: say why, in answer to what was requested."
	if set.Pending != nil {
		cs, note = set.Pending.Criteria, "Say what you changed and why: whoever reviews it reads this first."
	}
	return openTextForm(m, criteria.Revised, "Submit the revision", note, "reason", "submit",
		func(a *criteria.Act, text string) { a.Criteria, a.Reason = cs, text }, nil, "revised: it waits for review again")
}

// openAssignForm gives the sample in front, or all unwritten ones of its group, to somebody to write.
func openAssignForm(m *Model) tea.Cmd {
	i, path, ok := findSampleOrGroup(m)
	if !ok {
		return nil
	}
	var scopes []string
	if i >= 0 {
		scopes = append(scopes, "this sample")
	}
	for n := len(path); n > 0; n-- {
		scopes = append(scopes, "all that nobody has written of "+widget.CleanLine(path[n-1]))
	}
	note := "An empty name takes the sample back from its writer."
	if len(m.browser.list.people) > 0 {
		note += " Here so far: " + widget.CleanLine(eval.JoinList(m.browser.list.people, func(p criteria.Work) string { return string(p.Who) })) + "."
	}
	f := &actForm{
		title: "Assign", note: note, verb: "assign", about: "assign",
		inputs: []input{newTextInput("who writes", "", 1), newChoiceInput("what", scopes...)},
	}
	f.submit = func(v []string) (tea.Cmd, error) {
		who := annotate.Annotator(widget.CleanLine(v[0]))
		at := f.inputs[1].at
		if i >= 0 && at == 0 {
			return m.browser.assignRows([]int{i}, who)
		}
		if i >= 0 {
			at--
		}
		return m.browser.assignRows(m.browser.unwrittenSamples(path[:len(path)-at], who), who)
	}
	return m.openForm(f)
}

// findSampleOrGroup finds the sample or the group under the cursor.
func findSampleOrGroup(m *Model) (i int, path []string, ok bool) {
	if i, ok := m.frontRow(); ok {
		return i, m.rows[i].Sample.Taxonomy, true
	}
	if l := &m.browser.list; l.cursor.At < len(l.lines) {
		path := l.groups[l.lines[l.cursor.At].group].Path
		return -1, path, len(path) > 0
	}
	return -1, nil, false
}

func (m *Model) openForm(f *actForm) tea.Cmd {
	if values, ok := m.asker.kept[f.about]; ok && len(values) == len(f.inputs) {
		for i := range f.inputs {
			if f.inputs[i].choices == nil {
				f.inputs[i].area.SetValue(values[i])
			}
		}
	}
	m.asker.form = f
	f.focusInput()
	m.fitTextWidths()
	return nil
}
