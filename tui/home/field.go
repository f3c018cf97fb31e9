package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/form"
	"concord/tui/widget"
)

// field is a line of the form.
type field uint8

const (
	fieldDataset field = iota
	fieldModel
	fieldModality
	fieldStrategy
	fieldAllPasses
	fieldShots
	fieldJudges
	fieldFallback
	fieldConcurrency
	fieldBudget
	fieldCount
)

var fieldNames = [fieldCount]string{
	"dataset", "model", "given", "strategy", "all passes", "shots", "judges", "fallback", "concurrency", "budget",
}

// pick is the field's list of names; nil when it has none.
func (f *runForm) pick() *form.Pick {
	switch f.at {
	case fieldDataset:
		return &f.dataset
	case fieldModel:
		return &f.model
	case fieldJudges:
		return &f.judge
	default:
		return nil
	}
}

// figure is the field's number; nil when it has none.
func (f *runForm) figure() *form.Figure {
	switch f.at {
	case fieldShots:
		return &f.shots
	case fieldConcurrency:
		return &f.concurrency
	case fieldBudget:
		return &f.budget
	default:
		return nil
	}
}

// press takes a key.
func (f *runForm) press(msg tea.KeyMsg) tea.Cmd {
	k := f.m.formKeys
	switch {
	case key.Matches(msg, k.start):
		return f.enter()
	case f.phase == starting:
		return nil
	case f.empty():
		return pressEmpty(f, msg)
	case f.phase == differing:
		return pressFork(f, msg)
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
	f.edit(msg)
	return f.changed(before)
}

func (f *runForm) goTo(at field) {
	if p := f.pick(); p != nil {
		p.Clear()
	}
	if n := f.figure(); n != nil {
		n.Leave()
	}
	f.at = at % fieldCount
}

// edit changes the field under the cursor.
func (f *runForm) edit(msg tea.KeyMsg) {
	toggles := msg.Type == tea.KeySpace || msg.Type == tea.KeyLeft || msg.Type == tea.KeyRight
	switch f.at {
	case fieldModality:
		f.chosen = form.Turn(&f.modality, givenNames(), msg) || f.chosen
	case fieldStrategy:
		f.chosen = form.Turn(&f.strategy, strategyNames(), msg) || f.chosen
	case fieldAllPasses:
		f.allPasses = f.allPasses != toggles
	case fieldFallback:
		f.fallback = f.fallback != toggles
	case fieldJudges:
		if msg.Type == tea.KeySpace {
			f.judges = form.Toggle(f.judges, f.judge.Value())
			f.judge.Clear()
			return
		}
		f.judge.Press(msg)
	default:
		if p := f.pick(); p != nil {
			p.Press(msg)
			f.derive()
		}
		if n := f.figure(); n != nil {
			n.Press(msg)
		}
	}
}

// exitKeys are what leads on from a form that has nothing to make a run of.
func exitKeys(f *runForm) []key.Binding {
	if !f.loaded || f.choices.Trouble != "" {
		return nil
	}
	var out []key.Binding
	if len(f.choices.Models) == 0 {
		out = append(out, widget.Bind("m", "connect a model", "m"))
	}
	if len(f.choices.Datasets) == 0 && f.m.imports {
		out = append(out, widget.Bind("i", "import a file", "i"))
	}
	return out
}

// pressEmpty takes a key where nothing can be typed yet.
func pressEmpty(f *runForm, msg tea.KeyMsg) tea.Cmd {
	for _, b := range exitKeys(f) {
		switch {
		case !key.Matches(msg, b):
		case msg.String() == "m":
			return send(OpenConnect{})
		default:
			f.m.closeForm()
			return send(OpenImport{})
		}
	}
	return nil
}
