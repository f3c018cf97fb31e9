package criteria

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// breath is how long a pause in the typing is after which the draft is saved,
// and patience how long anybody may type without one.
const (
	breath   = time.Second
	patience = 5 * time.Second
)

// field is one criterion that is being written.
type field struct {
	kind criteria.Type
	area textarea.Model
	of   criteria.Criterion // what it was filled with: its name, weight and tags stay
}

// editor is the criteria of one sample while they are written.
type editor struct {
	fields       []field
	focus        int
	last         []criteria.Criterion // as the set holds them
	sure         bool                 // last is what the set holds
	seq          int                  // of the newest key
	since        time.Time            // of the first change that is not handed over; zero: none
	again        bool                 // there is more to save once the draft under way is
	trouble      string               // why the last draft could not be taken
	stepped      bool                 // undo knows of it
	past, future [][]criteria.Criterion
	guide        bool // the guideline is open
	top          int
}

// typingPaused tells that nobody typed for a breath.
type typingPaused struct {
	of  *editor
	seq int
}

// setFieldsFrom makes the fields of criteria; there is always one.
func (e *editor) setFieldsFrom(cs []criteria.Criterion) {
	e.fields = nil
	for _, c := range cs {
		e.fields = append(e.fields, field{c.Type, widget.NewTextArea(c.Text), c})
	}
	if len(cs) == 0 {
		e.fields = []field{{area: widget.NewTextArea("")}}
	}
	e.focus = min(e.focus, len(e.fields)-1)
	e.focusField()
}

func (e *editor) focusField() {
	for i := range e.fields {
		if i == e.focus {
			e.fields[i].area.Focus()
		} else {
			e.fields[i].area.Blur()
		}
	}
}

// writtenCriteria is what is written: fields without a text are none.
func (e *editor) writtenCriteria() []criteria.Criterion {
	var out []criteria.Criterion
	for i := range e.fields {
		if text := e.fields[i].area.Value(); strings.TrimSpace(text) != "" {
			c := e.fields[i].of
			c.Type, c.Text = e.fields[i].kind, text
			out = append(out, c)
		}
	}
	return out
}

// isDirty reports whether something is written that was not handed over.
func (e *editor) isDirty() bool { return !e.sure || !criteria.EqualLists(e.writtenCriteria(), e.last) }

// rememberForUndo keeps what is written for ctrl+z.
func (e *editor) rememberForUndo() {
	c := e.writtenCriteria()
	if n := len(e.past); n > 0 && criteria.EqualLists(e.past[n-1], c) {
		return
	}
	e.past, e.future = append(e.past, c), nil
}

// undoOrRedoEdit goes to the last of from that differs from what is written, which is kept in to.
func (e *editor) undoOrRedoEdit(from, to *[][]criteria.Criterion) bool {
	now := e.writtenCriteria()
	for n := len(*from); n > 0; n = len(*from) {
		c := (*from)[n-1]
		*from = (*from)[:n-1]
		if !criteria.EqualLists(c, now) {
			*to = append(*to, now)
			e.setFieldsFrom(c)
			return true
		}
	}
	return false
}

// editKeys are the keys of the editor: all else is text.
func editKeys() []key.Binding {
	return []key.Binding{
		widget.NewBinding("esc", "leave, keep the draft", "esc"),
		widget.NewBinding("ctrl+t", "type", "ctrl+t"),
		widget.NewBinding("ctrl+n", "add", "ctrl+n"),
		widget.NewBinding("tab", "next", "tab", "shift+tab"),
		widget.NewBinding("ctrl+x", "remove", "ctrl+x"),
		widget.NewBinding("alt+↑↓", "move", "alt+up", "alt+down"),
		widget.NewBinding("ctrl+z", "back", "ctrl+z"),
		widget.NewBinding("ctrl+y", "forth", "ctrl+y"),
		widget.SaveKey(),
		widget.NewBinding("ctrl+g", "guideline", "ctrl+g"),
	}
}

// removeCriterion takes the criterion with the focus away; ctrl+z brings it back.
func (e *editor) removeCriterion() {
	e.rememberForUndo()
	if len(e.fields) == 1 {
		e.fields[0] = field{area: widget.NewTextArea("")}
	} else {
		e.fields = slices.Delete(e.fields, e.focus, e.focus+1)
	}
	e.focus = min(e.focus, len(e.fields)-1)
	e.focusField()
}

func (e *editor) moveCriterion(by int) {
	to := e.focus + by
	if to < 0 || to >= len(e.fields) {
		return
	}
	e.rememberForUndo()
	e.fields[e.focus], e.fields[to] = e.fields[to], e.fields[e.focus]
	e.focus = to
	e.focusField()
}

// insertPastedLetters takes letters that came at once: pasted, or typed faster than they were read. bubbletea calls a
// message of them by their text, and a word like "left" or "end" would be taken for the key of that name.
func insertPastedLetters(m *Model, letters []rune) tea.Cmd {
	text := widget.EscapeControls(string(letters))
	switch p := m.reader.page; {
	case m.who != "" && m.asker.form != nil:
		in := &m.asker.form.inputs[m.asker.form.focus]
		if m.asker.form.busy || in.choices != nil {
			return nil
		}
		if in.lines == 1 {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		in.area.InsertString(text)
		m.asker.form.why = ""
		return nil
	case m.who != "" && p != nil && p.editor != nil:
		p.editor.guide = false
		p.editor.fields[p.editor.focus].area.InsertString(text)
		return scheduleDraftSaving(m, p.editor)
	}
	return tea.Batch(eval.Map([]rune(text), func(r rune) tea.Cmd { return m.handleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}) })...)
}

// openReplaceForm asks for the sample that stands in for a discarded one. It begins as that one was.
func openReplaceForm(m *Model) tea.Cmd {
	i, ok := m.frontRow()
	if !ok {
		return nil
	}
	old := m.rows[i].Sample
	types := []string{eval.OpenEnded.String(), eval.ClosedEnded.String(), eval.Compound.String()}
	f := &actForm{
		title: "Replace sample " + widget.CleanLine(string(old.ID)), verb: "add it", about: m.formKey("replace", i),
		note: "The new sample counts for " + widget.CleanLine(eval.JoinPath(old.Taxonomy)) + ". Its question begins as the old one's.",
		inputs: []input{
			newTextInput("id", m.makeFreshID(old.ID), 1), newTextInput("question", old.Question, 4), newTextInput("hint", old.Hint, 1),
			newChoiceInput("type", types...), newTextInput("image (file)", "", 1), newTextInput("reference", "", 1),
		},
	}
	f.inputs[3].at = max(0, int(m.rows[i].Set.QuestionType(&old))-1)
	spare, left := m.findSpareSample(old.ID)
	if left {
		f.inputs[0] = newTextInput("id", string(spare.ID), 1)
		f.note = "Sample " + widget.CleanLine(string(spare.ID)) + " was added for it and stands in for nothing yet: under its id it is taken as it is."
	}
	f.submit = func(v []string) (tea.Cmd, error) {
		s := eval.Sample{
			ID: eval.SampleID(v[0]), Kind: old.Kind, Question: v[1], Hint: v[2], Type: eval.QuestionType(f.inputs[3].at + 1),
			Taxonomy: old.Taxonomy, Split: old.Split, Source: old.Source, Reference: v[5],
		}
		if v[0] == "" || v[1] == "" {
			return nil, errors.New("the sample needs an id, and a question")
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
		return eval.Either(m.asker.form != f, widget.NotifyCmd(widget.Problem, f.why), nil)
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
	told := fmt.Sprintf("sample %s was added and stands in for %s", by.ID, m.rows[i].Sample.ID)
	_, cmd := m.browser.doActAndNotify(i, criteria.Replaced, told, func(a *criteria.Act) { a.Other = by.ID })
	m.browser.recountGroups()
	m.browser.rebuildList()
	return tea.Batch(cmd, m.browser.measureVisiblePictures())
}
