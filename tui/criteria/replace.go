package criteria

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// openReplaceForm asks for the sample that stands in for a discarded one. It begins
// as that one was.
func openReplaceForm(m *Model) tea.Cmd {
	i, ok := m.frontRow()
	if !ok {
		return nil
	}
	old := m.rows[i].Sample
	types := []string{eval.OpenEnded.String(), eval.ClosedEnded.String(), eval.Compound.String()}
	f := &actForm{
		title: "Replace sample " + widget.CleanLine(string(old.ID)), verb: "add it", about: m.formKey("replace", i),
		note: "The new sample counts for " + widget.CleanLine(eval.Path(old.Taxonomy)) + ". Its question begins as the old one's.",
		inputs: []input{
			textInput("id", m.makeFreshID(old.ID), 1), textInput("question", old.Question, 4), textInput("hint", old.Hint, 1),
			choiceInput("type", types...), textInput("image (file)", "", 1), textInput("reference", "", 1),
		},
	}
	f.inputs[3].at = max(0, int(m.rows[i].Set.QuestionType(&old))-1)
	spare, left := m.findSpareSample(old.ID)
	if left {
		f.inputs[0] = textInput("id", string(spare.ID), 1)
		f.note = "Sample " + widget.CleanLine(string(spare.ID)) + " was added for it and stands in for nothing yet: under its id it is taken as it is."
	}
	f.submit = func(v []string) (tea.Cmd, error) {
		s := eval.Sample{
			ID: eval.SampleID(v[0]), Kind: old.Kind, Question: v[1], Hint: v[2], Type: eval.QuestionType(f.inputs[3].at + 1),
			Taxonomy: old.Taxonomy, Split: old.Split, Source: old.Source, Reference: v[5],
		}
		if err := errors.Join(requireText(v[0], "the sample needs an id"), requireText(v[1], "the sample needs a question")); err != nil {
			return nil, err
		}
		if s.Kind != eval.KindOpen {
			return nil, errors.New("only open questions are added here: options and answers come by a file")
		}
		if left && s.ID == spare.ID {
			return showReplacement(m, f, old.Ordinal, spare, nil), nil
		}
		f.busy, f.why = true, ""
		ctx, source, d := m.ctx, m.deps.Source, m.dataset
		return func() tea.Msg {
			got, err := source.Add(ctx, d, Addition{s, v[4]})
			return outcome{m.sampleSet, func() tea.Cmd { return showReplacement(m, f, old.Ordinal, got, err) }}
		}, nil
	}
	return m.openForm(f)
}

// showReplacement shows the new sample, and says that it stands in for the old one.
func showReplacement(m *Model, f *actForm, old eval.Ordinal, by eval.Sample, err error) tea.Cmd {
	f.busy = false
	if err != nil {
		f.why = err.Error()
		if m.asker.form != f {
			return widget.NotifyCmd(widget.Problem, f.why)
		}
		return nil
	}
	if m.asker.form == f {
		delete(m.asker.kept, f.about)
		m.asker.form = nil
	}
	i, ok := m.index[old]
	if !ok {
		return nil
	}
	if _, known := m.index[by.Ordinal]; !known {
		m.index[by.Ordinal] = len(m.rows)
		m.rows = append(m.rows, Row{by, criteria.NewSet(m.dataset, by.Ordinal), nil})
	}
	ok, cmd := m.browser.doAct(i, criteria.Replaced, func(a *criteria.Act) { a.Other = by.ID })
	m.browser.countGroups()
	m.browser.rebuildList()
	if ok {
		cmd = tea.Batch(cmd, m.browser.measurePictures(), widget.NotifyCmd(widget.Info, fmt.Sprintf("sample %s was added and stands in for %s", by.ID, m.rows[i].Sample.ID)))
	}
	return cmd
}
