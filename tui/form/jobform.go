package form

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Phase is what a form that starts a job waits for.
type Phase uint8

// The phases.
const (
	Editing    Phase = iota
	Differing        // how to deal with a job that has other settings
	Confirming       // the cost is to be confirmed
	Starting         // the job is being made
)

// JobForm is a form in which a job is put together. It stays as it is when it is
// left, and is there again when the next job is wanted.
//
//	key --> field --> EstimateUpdater --(rest)--> Estimate
//	enter --> why not? --> estimate --> what it costs --> start
type JobForm[S, E any] struct {
	EstimateUpdater[S, E]
	Fields func() []Field
	Edit   func(f *Field, msg tea.KeyMsg) tea.Cmd // takes a key for the field in front; nil: the field does
	Forget func()                                 // forgets what was decided on what stood there before; nil: nothing was

	Phase   Phase
	Loaded  bool   // the choices were read
	Trouble string // why they could not be, or the job not be started
	At      int    // of the fields
}

// CurrentField is the one that keys go to.
func (s *JobForm[S, E]) CurrentField() *Field { return &s.Fields()[s.At] }

// Reset goes back to editing: whatever was decided on is decided anew.
func (s *JobForm[S, E]) Reset() {
	s.Entered = false
	if s.Phase != Starting {
		s.Phase = Editing
	}
	if s.Forget != nil {
		s.Forget()
	}
}

// CloseInner leaves what is open within the form, and reports whether there was any.
func (s *JobForm[S, E]) CloseInner() bool {
	switch {
	case s.Phase == Differing || s.Phase == Confirming || s.Entered:
		s.Reset()
		return true
	case s.Phase == Starting:
		return false
	}
	return s.CurrentField().ClearFilter()
}

// Advance starts once nothing speaks against it and the estimate is there.
func (s *JobForm[S, E]) Advance(start func() tea.Cmd) tea.Cmd {
	if why := s.WhyNot(); why != "" {
		return widget.NotifyCmd(widget.Info, why)
	}
	if cmd, there := s.WaitEstimate(); !there {
		return cmd
	}
	return start()
}

// HandleKey takes a key that goes to another field, or that changes the one in front.
func (s *JobForm[S, E]) HandleKey(k *Keys, msg tea.KeyMsg) tea.Cmd {
	before, at, n := s.Spec(), s.CurrentField(), len(s.Fields())
	s.Phase = Editing // another key is no yes
	switch {
	case key.Matches(msg, k.Up):
		at.EndTyping()
		s.At = (s.At + n - 1) % n
		return nil
	case key.Matches(msg, k.Down):
		at.EndTyping()
		s.At = (s.At + 1) % n
		return nil
	case at.Off != "":
		return widget.NotifyCmd(widget.Info, at.Label+": "+at.Off)
	}
	var said tea.Cmd
	if s.Edit != nil {
		said = s.Edit(at, msg)
	} else {
		at.HandleKey(msg)
	}
	cmd := s.NoteChange(before)
	if cmd != nil { // what was decided on the former one is forgotten
		s.Reset()
		s.Trouble = ""
	}
	return tea.Batch(said, cmd)
}

// DrawRemark draws what the form has to say: what is to be confirmed, why it cannot
// be, what the field in front means, or a doubt.
func (s *JobForm[S, E]) DrawRemark(t *widget.Theme, width int, confirm, hint, doubt string) []string {
	style, text := t.Faint.Render, hint
	switch why := s.WhyNot(); {
	case s.Phase == Starting:
		style, text = t.Accent.Render, "starting…"
	case s.Phase == Confirming:
		style, text = t.Warn.Render, confirm+" enter starts it, esc does not."
	case s.Entered:
		style, text = t.Accent.Render, "starts when the estimate is there…"
	case s.Trouble != "":
		style, text = t.Bad.Render, "✗ "+s.Trouble
	case why != "":
		style, text = t.Bad.Render, "✗ "+why
	case hint == "" && doubt != "":
		style, text = t.Warn.Render, "! "+doubt
	}
	return WrapRemark(width, style, text)
}

// DrawCandidates lists the names that the field in front can have; list gives the
// columns and the cells of those at some places.
func (s *JobForm[S, E]) DrawCandidates(t *widget.Theme, width, height int, list func(f *Field, places []int) widget.Table) []string {
	f := s.CurrentField()
	if f.Pick == nil || height < 3 {
		return nil
	}
	places, at := f.Pick.Matches()
	table := list(f, places)
	table.Rows = len(places)
	table.Cursor.Set(at, len(places), height-2)
	return append([]string{""}, t.DrawTable(table, width, height-1)...)
}

// CheckMark tells whether a name is taken in; "" of a field that takes none.
func (f *Field) CheckMark(name string) string {
	switch {
	case f.Taken == nil:
		return ""
	case slices.Contains(*f.Taken, name):
		return "[x]"
	}
	return "[ ]"
}
