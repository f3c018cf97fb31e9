package annotation

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/widget"
)

// begin starts to work in the queue that was opened.
func (s *QueueSession[B]) begin(msg opened[B]) tea.Cmd {
	s.Err = msg.err
	if msg.err != nil {
		return nil
	}
	s.Session, s.known, s.Growing = msg.session, msg.known, msg.session.Own.Queue().Growing
	s.Work.saving = s.deps.Journal.State()
	if s.first != (annotate.ItemKey{}) {
		s.Session.Walk.Show(s.first)
	}
	return tea.Batch(s.Moved(), s.Guide.amended())
}

// grow takes new items up. The item in front stays there.
func (s *QueueSession[B]) grow(msg grown[B]) tea.Cmd {
	s.asking = false
	if msg.err != nil {
		return notify(widget.Problem, "read queue: "+msg.err.Error())
	}
	before := s.Front()
	s.Growing = msg.queue.Growing
	was := s.Session.Own.Queue().Guideline.Version
	s.Session.Own.SetQueue(msg.queue)
	s.known += len(msg.items)
	s.Session.Grow(msg.items)
	var cmds []tea.Cmd
	if msg.queue.Guideline.Version != was {
		cmds = append(cmds, s.Guide.amended())
	}
	if s.again && s.Growing {
		s.again = false
		cmds = append(cmds, s.since())
	}
	if s.Front() != before {
		return tea.Batch(append(cmds, s.Moved())...)
	}
	return tea.Batch(append(cmds, s.Prepare())...)
}

// Hear takes up where the journal stands: how far this annotator's acts are
// saved, and which came too late. The journal's own news come by themselves.
func (s *QueueSession[B]) Hear(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd {
	return s.hear(state, saved, late)
}

func (s *QueueSession[B]) hear(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd {
	s.Work.saving = state
	if s.Session == nil {
		return nil
	}
	before := s.Front()
	if _, k, ok := s.Session.Walk.Current(); ok && slices.ContainsFunc(late, func(a annotate.Act) bool { return a.Item == k }) {
		s.Notes.leaveNote()
	}
	gone := s.Session.Taken(late)
	s.Session.Saved(saved)
	parked, failed := state.Of(s.deps.Queue, s.deps.Annotator)
	if failed && s.Session.Own.Failure() == nil {
		s.Notes.leaveNote()
		s.Session.Failed(parked.First, parked.Err)
	}
	var cmds []tea.Cmd
	if len(gone) > 0 {
		cmds = append(cmds, notify(widget.Info, tooLate(len(gone))))
	}
	if s.Front() != before {
		cmds = append(cmds, s.Moved())
	}
	return tea.Batch(cmds...)
}

// tooLate says kindly that somebody was quicker.
func tooLate(n int) string {
	return "somebody was quicker: " + widget.Plural(n, "item") + " had all labels already and left your list; nothing else is lost"
}
