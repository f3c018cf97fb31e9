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
	"dataset", "models", "anchor", "judge", "criteria", "judge sees", "order", "repeats", "concurrency", "budget",
}

// press takes a key.
func (f *voteForm) press(msg tea.KeyMsg) tea.Cmd {
	k := f.m.formKeys
	switch {
	case key.Matches(msg, k.start):
		return f.enter()
	case f.phase == starting || f.empty():
		return nil
	}
	before := f.in.spec()
	f.phase = editing // another key is no yes
	switch {
	case key.Matches(msg, k.up):
		f.in.goTo(f.in.at + fieldCount - 1)
		return nil
	case key.Matches(msg, k.down):
		f.in.goTo(f.in.at + 1)
		return nil
	}
	if why := f.in.off(f.in.at); why != "" {
		return notify(widget.Info, fieldNames[f.in.at]+": "+why)
	}
	why := f.in.edit(msg)
	return tea.Batch(why, f.changed(before))
}
