package importer

import (
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// The fields of the form.
const (
	fieldKind = iota
	fieldDataset
	fieldModel
	fields
)

// form says what a previewed file is, and under which names it is imported.
type importForm struct {
	theme   *widget.Theme
	preview Preview
	answers bool
	dataset textinput.Model
	model   textinput.Model
	at      int
}

func newForm(t *widget.Theme, p Preview) importForm {
	f := importForm{theme: t, preview: p, answers: p.Answers, dataset: t.Input("a name"), model: t.Input("which model answered")}
	f.dataset.SetValue(p.Dataset)
	f.model.SetValue(p.Model)
	f.move(fieldDataset)
	if f.answers && p.Model == "" {
		f.move(fieldModel)
	}
	return f
}

func (f *importForm) resize(width int) {
	f.dataset.Width, f.model.Width = max(8, width-24), max(8, width-24)
}

// move goes to a field; one that means nothing is passed over.
func (f *importForm) move(to int) {
	if to == fieldModel && !f.answers {
		to = fieldDataset
	}
	f.at = max(0, min(to, fields-1))
	f.dataset.Blur()
	f.model.Blur()
	switch f.at {
	case fieldDataset:
		f.dataset.Focus()
	case fieldModel:
		f.model.Focus()
	}
}

func (f *importForm) typing() bool { return f.at != fieldKind }

// press takes a key that edits.
func (f *importForm) press(msg tea.KeyMsg) tea.Cmd {
	var cmd tea.Cmd
	switch f.at {
	case fieldKind:
		if msg.Type == tea.KeyLeft || msg.Type == tea.KeyRight || msg.Type == tea.KeySpace {
			f.answers = !f.answers
		}
	case fieldDataset:
		f.dataset, cmd = f.dataset.Update(msg)
	default:
		f.model, cmd = f.model.Update(msg)
	}
	return cmd
}

func (f *importForm) order() Order {
	o := Order{Path: f.preview.Path, Answers: f.answers, Dataset: name(&f.dataset)}
	if f.answers {
		o.Model = name(&f.model)
	}
	return o
}

// missing is why it cannot be imported yet; nil when it can.
func (f *importForm) missing() error {
	o := f.order()
	switch {
	case len(f.preview.Rows) == 0:
		return errors.New("no row of it can be read")
	case o.Dataset == "":
		return errors.New("the dataset needs a name")
	case o.Answers && o.Model == "":
		return errors.New("say which model gave these answers")
	}
	return nil
}

func name(in *textinput.Model) string { return strings.TrimSpace(widget.Line(in.Value())) }
