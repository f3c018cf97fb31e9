package criteria

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"

	"concord/annotate/criteria"
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
	fields  []field
	focus   int
	last    []criteria.Criterion // as the set holds them
	sure    bool                 // last is what the set holds
	seq     int                  // of the newest key
	since   time.Time            // of the first change that is not handed over; zero: none
	again   bool                 // there is more to save once the draft under way is
	trouble string               // why the last draft could not be taken
	stepped bool                 // undo knows of it
	past    [][]criteria.Criterion
	future  [][]criteria.Criterion
	guide   bool // the guideline is open
	top     int
}

// typingPaused tells that nobody typed for a breath.
type typingPaused struct {
	of  *editor
	seq int
}

// fillFields makes the fields of criteria; there is always one.
func (e *editor) fillFields(cs []criteria.Criterion) {
	e.fields = nil
	for _, c := range cs {
		e.fields = append(e.fields, field{c.Type, widget.NewMultiline(c.Text), c})
	}
	if len(cs) == 0 {
		e.fields = []field{{area: widget.NewMultiline("")}}
	}
	e.focus = min(e.focus, len(e.fields)-1)
	e.focusField()
}

// focusField puts the caret into the field that has the focus.
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

// rememberState keeps what is written for ctrl+z.
func (e *editor) rememberState() {
	c := e.writtenCriteria()
	if n := len(e.past); n > 0 && criteria.EqualLists(e.past[n-1], c) {
		return
	}
	e.past, e.future = append(e.past, c), nil
}

// undoEdit goes back to what was written before.
func (e *editor) undoEdit() bool {
	now := e.writtenCriteria()
	for n := len(e.past); n > 0; n = len(e.past) {
		c := e.past[n-1]
		e.past = e.past[:n-1]
		if !criteria.EqualLists(c, now) {
			e.future = append(e.future, now)
			e.fillFields(c)
			return true
		}
	}
	return false
}

// redoEdit takes back what back did.
func (e *editor) redoEdit() bool {
	n := len(e.future)
	if n == 0 {
		return false
	}
	c := e.future[n-1]
	e.past, e.future = append(e.past, e.writtenCriteria()), e.future[:n-1]
	e.fillFields(c)
	return true
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
	e.rememberState()
	if len(e.fields) == 1 {
		e.fields[0] = field{area: widget.NewMultiline("")}
	} else {
		e.fields = slices.Delete(e.fields, e.focus, e.focus+1)
	}
	e.focus = min(e.focus, len(e.fields)-1)
	e.focusField()
}

// moveCriterion moves the criterion with the focus up or down.
func (e *editor) moveCriterion(by int) {
	to := e.focus + by
	if to < 0 || to >= len(e.fields) {
		return
	}
	e.rememberState()
	e.fields[e.focus], e.fields[to] = e.fields[to], e.fields[e.focus]
	e.focus = to
	e.focusField()
}
