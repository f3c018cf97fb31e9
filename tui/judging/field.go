package judging

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// field is a line of the form.
type field uint8

const (
	fieldDataset field = iota
	fieldModels
	fieldAnchor
	fieldJudge
	fieldCriteria
	fieldInput
	fieldOrder
	fieldRepeats
	fieldConcurrency
	fieldBudget
	fieldCount
)

var fieldNames = [fieldCount]string{
	"dataset", "models", "anchor", "judge", "criteria", "judge sees", "order", "repeats", "in parallel", "budget",
}

// pick is the field's list of names; nil when it has none.
func (f *form) pick() *widget.Pick {
	switch f.at {
	case fieldDataset:
		return &f.dataset
	case fieldModels:
		return &f.model
	case fieldAnchor:
		return &f.anchor
	case fieldJudge:
		return &f.judge
	default:
		return nil
	}
}

// figure is the field's number; nil when it has none.
func (f *form) figure() *widget.Figure {
	switch f.at {
	case fieldRepeats:
		return &f.repeats
	case fieldConcurrency:
		return &f.concurrency
	case fieldBudget:
		return &f.budget
	default:
		return nil
	}
}

// press takes a key.
func (f *form) press(msg tea.KeyMsg) tea.Cmd {
	k := f.m.formKeys
	switch {
	case key.Matches(msg, k.start):
		return f.enter()
	case f.phase == starting || f.empty():
		return nil
	}
	before := f.spec()
	f.phase = editing // another key is no yes
	switch {
	case key.Matches(msg, k.up):
		f.goTo(f.at + fieldCount - 1)
		return nil
	case key.Matches(msg, k.down):
		f.goTo(f.at + 1)
		return nil
	}
	if why := f.off(f.at); why != "" {
		return notify(widget.Info, fieldNames[f.at]+": "+why)
	}
	why := f.edit(msg)
	return tea.Batch(why, f.changed(before))
}

func (f *form) goTo(at field) {
	if p := f.pick(); p != nil {
		p.Clear()
	}
	if n := f.figure(); n != nil {
		n.Leave()
	}
	f.at = at % fieldCount
}

// edit changes the field under the cursor.
func (f *form) edit(msg tea.KeyMsg) tea.Cmd {
	switch f.at {
	case fieldCriteria:
		if msg.Type == tea.KeySpace || msg.Type == tea.KeyLeft || msg.Type == tea.KeyRight {
			f.criteria = !f.criteria
		}
	case fieldInput:
		return f.look(msg)
	case fieldOrder:
		widget.Turn(&f.order, orders[:], msg)
	case fieldModels:
		if msg.Type == tea.KeySpace {
			f.models = widget.Toggle(f.models, f.model.Value())
			f.model.Clear()
			return nil
		}
		f.model.Press(msg)
	default:
		if p := f.pick(); p != nil {
			p.Press(msg)
			f.derive()
		}
		if n := f.figure(); n != nil {
			n.Press(msg)
		}
	}
	return nil
}

// look chooses what the judge sees. What is not held is passed over by arrows,
// and refused by its letter.
func (f *form) look(msg tea.KeyMsg) tea.Cmd {
	for range inputs {
		was := f.input
		if !widget.Turn(&f.input, inputNames(), msg) {
			return nil
		}
		why := f.unseen(f.input)
		if why == "" {
			return nil
		}
		if msg.Type == tea.KeyRunes {
			f.input = was
			return notify(widget.Info, why)
		}
	}
	return nil
}
