package annotation

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/widget"
)

// Work is what a person does to the item in front, and the ways from item to item.
type Work struct {
	saving  session.JournalState
	timer   Timer
	pending annotate.Rationale // of the label that comes next
	stay    bool               // after an answer its item stays in front
	*State
}

// Submit hands an act to the journal: in memory, in order, without waiting.
func (w *Work) Submit(a annotate.Act) {
	w.deps.Journal.Submit(a)
	w.submitted++
	w.saving.Pending++
	w.saving.Err = nil
	if a.Kind != annotate.Looked {
		w.Acts++
	}
}

// Label gives the item in front a reading, and moves on, or stays where it is.
func (w *Work) Label(r annotate.Reading) tea.Cmd {
	at := w.Session.Walk.At()
	// An answer that is changed leaves its rationale behind; what was said before
	// it goes with it.
	a, ok := w.Session.LabelBecause(r, w.pending, w.timer.Touch(w.deps.Now()))
	if !ok && w.Session.Lost() {
		return w.gone()
	}
	if !ok {
		return nil
	}
	w.Submit(a)
	w.pending = annotate.Rationale{}
	if w.stay {
		w.Session.Walk.Goto(at)
		w.timer.Start(w.deps.Now())
		return w.prepare()
	}
	return w.moved()
}

// Rule settles the item in front as its adjudicator. It reports whether the item is
// to stay in front; a command follows an item that has gone to somebody else.
func (w *Work) Rule(r annotate.Reading, c annotate.Cause) (stays bool, cmd tea.Cmd) {
	a, ok := w.Session.Rule(r, c, w.timer.Touch(w.deps.Now()))
	switch {
	case ok:
		w.Submit(a)
	case w.Session.Lost():
		return false, w.gone()
	}
	return w.stay, nil
}

// gone follows an item that went to somebody else while nothing was done.
func (w *Work) gone() tea.Cmd {
	return tea.Batch(w.moved(), notify(widget.Info, "that item has gone to somebody else while nothing was done; nothing was saved of it"))
}

// Stay switches between going on after an answer and staying with its item.
func (w *Work) Stay(string) tea.Cmd {
	w.stay = !w.stay
	if w.stay {
		return notify(widget.Info, "auto-advance is off; "+w.Spelled("next_unlabeled")+" goes to the next unlabeled item")
	}
	return notify(widget.Info, "auto-advance is on")
}

// Skip puts the item in front off.
func (w *Work) Skip(string) tea.Cmd {
	if a, ok := w.Session.Skip(w.timer.Touch(w.deps.Now())); ok {
		w.Submit(a)
	}
	return w.moved()
}

// Flag marks the item in front for a second look, or takes that mark away.
func (w *Work) Flag(string) tea.Cmd {
	if a, ok := w.Session.ToggleFlag(); ok {
		w.Submit(a)
	}
	return nil
}

// Undo takes back the last act that stands and goes to its item.
func (w *Work) Undo(string) tea.Cmd {
	a, of, ok := w.Session.Undo()
	return w.jumped("undid", a, of, ok)
}

// Redo does again what was undone last.
func (w *Work) Redo(string) tea.Cmd {
	a, of, ok := w.Session.Redo()
	return w.jumped("redone", a, of, ok)
}

func (w *Work) jumped(what string, a, of annotate.Act, ok bool) tea.Cmd {
	if !ok {
		return nil
	}
	w.Submit(a)
	text := fmt.Sprintf("%s: %s on item %d", what, w.did(of), w.Session.Walk.At()+1)
	if _, k, ok := w.Session.Walk.Current(); !ok || k != of.Item {
		text = fmt.Sprintf("%s: %s on an item that is not listed here", what, w.did(of))
	}
	return tea.Batch(w.moved(), notify(widget.Info, text))
}

// did names an act, for the notice of an undo.
func (w *Work) did(a annotate.Act) string {
	switch a.Kind {
	case annotate.Labelled:
		return w.said(a.Reading)
	case annotate.Skipped:
		return "skip"
	case annotate.Flagged:
		return "flag"
	case annotate.Unflagged:
		return "removal of the flag"
	case annotate.Noted:
		return "note"
	case annotate.Ruled:
		return "adjudication " + w.said(a.Reading)
	case annotate.ActUnset, annotate.TookBack, annotate.TooLate, annotate.Looked,
		annotate.Excluded, annotate.Included, annotate.Commented, annotate.Closed:
	}
	return "act"
}

// Retry saves again what could not be saved.
func (w *Work) Retry(string) tea.Cmd {
	w.deps.Journal.Retry()
	return nil
}

// Previous shows the item before the one in front.
func (w *Work) Previous(string) tea.Cmd {
	w.Session.Walk.Prev()
	return w.moved()
}

// Following shows the item behind the one in front.
func (w *Work) Following(string) tea.Cmd {
	w.Session.Walk.Next()
	return w.moved()
}

// ToOpen goes to the next open item.
func (w *Work) ToOpen(string) tea.Cmd {
	w.Session.Walk.ToOpen()
	return w.moved()
}

// NoUndo is why there is nothing to undo.
func (w *Work) NoUndo() string {
	if w.Session == nil || !w.Session.Own.CanUndo() {
		return "nothing to undo"
	}
	return ""
}

// NoRedo is why there is nothing to do again.
func (w *Work) NoRedo() string {
	if w.Session == nil || !w.Session.Own.CanRedo() {
		return "nothing to redo"
	}
	return ""
}

// NoFailure is why there is nothing to save again.
func (w *Work) NoFailure() string {
	// Of the journal itself: its news may be on their way.
	if w.deps.Journal.State().Err == nil {
		return "everything is saved, or about to be"
	}
	return ""
}

// NoPrevious is why there is no way back.
func (w *Work) NoPrevious() string {
	if w.Session == nil || w.Session.Walk.At() == 0 {
		return "this is the first item"
	}
	return ""
}

// NoNext is why there is no way on.
func (w *Work) NoNext() string {
	if w.Session == nil || w.Session.Walk.At() >= w.Session.Walk.Len() {
		return "this is the end of the queue"
	}
	return ""
}

// NoOpen is why there is no open item to go to.
func (w *Work) NoOpen() string {
	if w.Session == nil || w.Session.Walk.Open() == 0 {
		return "no item is open"
	}
	return ""
}
