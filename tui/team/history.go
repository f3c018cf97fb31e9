package team

import (
	"context"

	"concord/annotate"

	tea "github.com/charmbracelet/bubbletea"
)

// history is the changes that were made here, each of which can be taken back.
type history struct {
	ctx    context.Context // of the app: what is being stored when the page is left is stored
	source Source
	who    annotate.Annotator // makes the changes
	busy   bool               // a change is being stored
	past   []Change           // each takes one of this page's changes back, the last one's first
	undone []Change           // each does one again that was taken back
}

// change has a change stored.
func (h *history) change(c Change) tea.Cmd { return h.store(c, forth) }

func (h *history) store(c Change, w way) tea.Cmd {
	if h.busy {
		return tell("the change before is being stored")
	}
	h.busy = true
	ctx, source, by := h.ctx, h.source, h.who
	return func() tea.Msg {
		done, err := source.Change(ctx, by, c)
		return changed{h, c, w, done, err}
	}
}

// undo takes the last change back.
func (h *history) undo() tea.Cmd { return h.pop(&h.past, back, nothingChanged) }

// redo does again what was taken back last.
func (h *history) redo() tea.Cmd { return h.pop(&h.undone, again, nothingUndone) }

func (h *history) pop(from *[]Change, w way, none string) tea.Cmd {
	n := len(*from)
	switch {
	case n == 0:
		return tell(none)
	case h.busy:
		return tell("the change before is being stored")
	}
	c := (*from)[n-1]
	*from = (*from)[:n-1]
	return h.store(c, w)
}
