package annotation

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// Submit hands an act to the journal: in memory, in order, without waiting.
func (s *Sitting[B]) Submit(a annotate.Act) {
	s.deps.Journal.Submit(a)
	s.saving.Pending++
	s.saving.Err = nil
	if a.Kind != annotate.Looked {
		s.Acts++
	}
}

// Label gives the item in front a reading, and moves on, or stays where it is.
func (s *Sitting[B]) Label(r annotate.Reading) tea.Cmd {
	at := s.Session.At()
	// An answer that is changed leaves its grounds behind; what was said before
	// it goes with it.
	a, ok := s.Session.LabelBecause(r, s.pending, s.timer.Touch(s.deps.Now()))
	if !ok && s.Session.Lost() {
		return tea.Batch(s.Moved(), notify(widget.Info, "that item has gone to somebody else while nothing was done; nothing was saved of it"))
	}
	if !ok {
		return nil
	}
	s.Submit(a)
	s.pending = annotate.Grounds{}
	if s.stay {
		s.Session.Goto(at)
		s.timer.Start(s.deps.Now())
		return s.Prepare()
	}
	return s.Moved()
}

// Rule settles the item in front as its adjudicator, and stays with it.
func (s *Sitting[B]) Rule(r annotate.Reading, c annotate.Cause) {
	if a, ok := s.Session.Rule(r, c, s.timer.Touch(s.deps.Now())); ok {
		s.Submit(a)
	}
}

// Stay switches between going on after an answer and staying with its item.
func (s *Sitting[B]) Stay(string) tea.Cmd {
	s.stay = !s.stay
	if s.stay {
		return notify(widget.Info, "an answer stays in front; "+s.Spelled("enter")+" goes to the next open item")
	}
	return notify(widget.Info, "an answer goes on to the next item by itself")
}

// Skip puts the item in front off.
func (s *Sitting[B]) Skip(string) tea.Cmd {
	if a, ok := s.Session.Skip(s.timer.Touch(s.deps.Now())); ok {
		s.Submit(a)
	}
	return s.Moved()
}

// Flag marks the item in front for a second look, or takes that mark away.
func (s *Sitting[B]) Flag(string) tea.Cmd {
	if a, ok := s.Session.ToggleFlag(); ok {
		s.Submit(a)
	}
	return nil
}

// Undo takes back the last act that stands and goes to its item.
func (s *Sitting[B]) Undo(string) tea.Cmd {
	a, of, ok := s.Session.Undo()
	return s.jumped("undid", a, of, ok)
}

// Redo does again what was undone last.
func (s *Sitting[B]) Redo(string) tea.Cmd {
	a, of, ok := s.Session.Redo()
	return s.jumped("did again", a, of, ok)
}

func (s *Sitting[B]) jumped(what string, a, of annotate.Act, ok bool) tea.Cmd {
	if !ok {
		return nil
	}
	s.Submit(a)
	text := fmt.Sprintf("%s: %s on item %d", what, s.did(of), s.Session.At()+1)
	if _, k, ok := s.Session.Current(); !ok || k != of.Item {
		text = fmt.Sprintf("%s: %s on an item that is not listed here", what, s.did(of))
	}
	return tea.Batch(s.Moved(), notify(widget.Info, text))
}

// did names an act, for the notice of an undo.
func (s *Sitting[B]) did(a annotate.Act) string {
	switch a.Kind {
	case annotate.Labelled:
		return s.part.Said(a.Reading)
	case annotate.Skipped:
		return "skip"
	case annotate.Flagged:
		return "flag"
	case annotate.Unflagged:
		return "removal of the flag"
	case annotate.Noted:
		return "note"
	case annotate.Ruled:
		return "ruling " + s.part.Said(a.Reading)
	case annotate.ActUnset, annotate.TookBack, annotate.TooLate, annotate.Looked:
	}
	return "act"
}

// Retry saves again what could not be saved.
func (s *Sitting[B]) Retry(string) tea.Cmd {
	s.deps.Journal.Retry()
	return nil
}

// Previous shows the item before the one in front.
func (s *Sitting[B]) Previous(string) tea.Cmd {
	s.Session.Prev()
	return s.Moved()
}

// Following shows the item behind the one in front.
func (s *Sitting[B]) Following(string) tea.Cmd {
	s.Session.Next()
	return s.Moved()
}

// ToOpen goes to the next open item.
func (s *Sitting[B]) ToOpen(string) tea.Cmd {
	s.Session.ToOpen()
	return s.Moved()
}

// Show loads what is shown only after the person's own answer. Nothing is
// loaded before it is stored that it was shown: look is that act, with no N
// when an earlier one is stored. got makes the message of it.
func Show[B, R any](s *Sitting[B], look annotate.Act, load func() (R, error), got func(R, error) tea.Msg) tea.Cmd {
	if look.N != 0 {
		s.Submit(look)
	}
	ctx, d := s.ctx, s.deps
	return func() tea.Msg {
		if err := d.Journal.Sync(ctx, d.Queue, d.Annotator); err != nil {
			var none R
			return got(none, err)
		}
		return got(load())
	}
}
