package criteria

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// added is the sample that was added to stand in for another.
type added struct {
	of     *Model
	form   *form
	old    eval.Ordinal
	sample eval.Sample
	err    error
}

// replace asks for the sample that stands in for a discarded one. It begins
// as that one was.
func (m *Model) replace() tea.Cmd {
	i, ok := m.front()
	if !ok {
		return nil
	}
	old := m.rows[i].Sample
	types := []string{eval.OpenEnded.String(), eval.ClosedEnded.String(), eval.Compound.String()}
	f := &form{
		title: "Replace sample " + widget.Line(string(old.ID)), verb: "add it", about: m.about("replace", i),
		note: "The new sample counts for " + widget.Line(eval.Path(old.Taxonomy)) + ". Its question begins as the old one's.",
		inputs: []input{
			textInput("id", m.freshID(old.ID), 1), textInput("question", old.Question, 4), textInput("hint", old.Hint, 1),
			choiceInput("type", types...), textInput("picture (file)", "", 1), textInput("reference", "", 1),
		},
	}
	f.inputs[3].at = max(0, int(m.rows[i].Set.QuestionType(&old))-1)
	spare, left := m.spare(old.ID)
	if left {
		f.inputs[0] = textInput("id", string(spare.ID), 1)
		f.note = "Sample " + widget.Line(string(spare.ID)) + " was added for it and stands in for nothing yet: under its id it is taken as it is."
	}
	f.submit = func(v []string) (tea.Cmd, error) {
		s := eval.Sample{
			ID: eval.SampleID(v[0]), Kind: old.Kind, Question: v[1], Hint: v[2], Type: eval.QuestionType(f.inputs[3].at + 1),
			Taxonomy: old.Taxonomy, Split: old.Split, Source: old.Source, Reference: v[5],
		}
		if err := errors.Join(need(v[0], "the sample needs an id"), need(v[1], "the sample needs a question")); err != nil {
			return nil, err
		}
		if s.Kind != eval.KindOpen {
			return nil, errors.New("only open questions are added here: options and answers come by a file")
		}
		if left && s.ID == spare.ID {
			return func() tea.Msg { return added{m, f, old.Ordinal, spare, nil} }, nil
		}
		f.busy, f.why = true, ""
		ctx, source, d, o := m.ctx, m.deps.Source, m.dataset, old.Ordinal
		return func() tea.Msg {
			got, err := source.Add(ctx, d, Addition{s, v[4]})
			return added{m, f, o, got, err}
		}, nil
	}
	return m.ask(f)
}

// freshID is an id that no sample has, made of the old one.
func (m *Model) freshID(old eval.SampleID) string {
	taken := make(map[eval.SampleID]bool, len(m.rows))
	for i := range m.rows {
		taken[m.rows[i].Sample.ID] = true
	}
	for n := 1; ; n++ {
		if id := fmt.Sprintf("%s-r%d", old, n); !taken[eval.SampleID(id)] {
			return id
		}
	}
}

// spare is a sample that was added for a discarded one and stands in for none:
// the program ended before that was said, or it was undone.
func (m *Model) spare(old eval.SampleID) (eval.Sample, bool) {
	used := make(map[eval.SampleID]bool)
	for i := range m.rows {
		if r := m.rows[i].Set.Removed; r != nil {
			used[r.By] = true
		}
	}
	for i := range slices.Backward(m.rows) {
		s := &m.rows[i].Sample
		if n, ours := strings.CutPrefix(string(s.ID), string(old)+"-r"); ours && !used[s.ID] && m.rows[i].Set.Removed == nil {
			if _, err := strconv.ParseUint(n, 10, 32); err == nil {
				return *s, true
			}
		}
	}
	return eval.Sample{}, false
}

// replaced shows the new sample, and says that it stands in.
func (m *Model) replaced(msg added) tea.Cmd {
	f := msg.form
	f.busy = false
	if msg.err != nil {
		f.why = msg.err.Error()
		if m.form != f {
			return notify(widget.Problem, f.why)
		}
		return nil
	}
	if m.form == f {
		delete(m.kept, f.about)
		m.form = nil
	}
	i, ok := m.index[msg.old]
	if !ok {
		return nil
	}
	if _, known := m.index[msg.sample.Ordinal]; !known {
		m.index[msg.sample.Ordinal] = len(m.rows)
		m.rows = append(m.rows, Row{msg.sample, criteria.Empty(m.dataset, msg.sample.Ordinal)})
	}
	ok, cmd := m.do(i, criteria.Replaced, func(a *criteria.Act) { a.Other = msg.sample.ID })
	m.survey()
	m.rebuild()
	if ok {
		cmd = tea.Batch(cmd, m.measure(), notify(widget.Info, fmt.Sprintf("sample %s was added and stands in for %s", msg.sample.ID, m.rows[i].Sample.ID)))
	}
	return cmd
}
