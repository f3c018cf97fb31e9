package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Field is a line of a form as it stands now. Which of Pick, Names, On, Figure and
// Line it has says what is put into it.
type Field struct {
	Label  string
	Off    string    // why it means nothing now; "": it means something
	Pick   *Pick     // one of several names, which typing narrows down
	Taken  *[]string // of Pick: the names that space takes in or out
	Names  []string  // choices side by side
	Drawn  []string  // these as they are drawn; nil: as they are
	At     *int      // the chosen one of Names
	On     *bool     // a yes or no
	Figure *Figure   // a number
	Line   *string   // a text, of at most Most bytes
	Most   int
	Note   string // what a yes or a number means; what stands in for a text
	Then   func() // what follows from a change; nil: nothing
}

// Lines draw the fields below each other; keys go to the one at a place.
func Lines(t *widget.Theme, fields []Field, at, width int) []string {
	out := make([]string, len(fields))
	for i := range fields {
		f, here := &fields[i], i == at
		out[i] = Entry(t, f.Label, f.Off, here, width, func(width int) string { return f.value(t, here, width) })
	}
	return out
}

// value draws what the field holds, in about width cells.
func (f *Field) value(t *widget.Theme, here bool, width int) string {
	switch {
	case f.Taken != nil:
		return PickedMany(t, f.Pick, *f.Taken, here, width)
	case f.Pick != nil:
		return Picked(t, f.Pick, here, width)
	case f.Drawn != nil:
		return Segments(t, f.Drawn, *f.At, here)
	case f.Names != nil:
		return Segments(t, f.Names, *f.At, here)
	case f.On != nil:
		return Box(t, *f.On, here) + t.Faint.Render(" "+f.Note)
	case f.Figure != nil:
		return Number(t, f.Figure, here, f.Note)
	}
	return f.written(t, here, width)
}

// written is a text with a cursor at its end, of which the end is seen.
func (f *Field) written(t *widget.Theme, here bool, width int) string {
	r := []rune(widget.Line(*f.Line))
	for len(r) > 0 && widget.Width(string(r)) > max(1, width-2) {
		r = r[1:]
	}
	out := string(r)
	if here {
		out += t.Accent.Render("▏")
	}
	if *f.Line == "" {
		out += t.Faint.Render(f.Note)
	}
	return out
}

// Press takes a key that changes the field, and reports whether it was one.
func (f *Field) Press(msg tea.KeyMsg) bool {
	if !f.take(msg) {
		return false
	}
	if f.Then != nil {
		f.Then()
	}
	return true
}

func (f *Field) take(msg tea.KeyMsg) bool {
	switch {
	case f.Taken != nil && msg.Type == tea.KeySpace:
		*f.Taken = Toggle(*f.Taken, f.Pick.Value())
		f.Pick.Clear()
		return true
	case f.Pick != nil:
		return f.Pick.Press(msg)
	case f.Names != nil:
		return Turn(f.At, f.Names, msg)
	case f.On != nil && (msg.Type == tea.KeySpace || msg.Type == tea.KeyLeft || msg.Type == tea.KeyRight):
		*f.On = !*f.On
		return true
	case f.Figure != nil:
		return f.Figure.Press(msg)
	case f.Line != nil:
		return f.write(msg)
	}
	return false
}

// write changes the text at its end.
func (f *Field) write(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyBackspace:
		r := []rune(*f.Line)
		*f.Line = string(r[:max(0, len(r)-1)])
	case tea.KeyRunes, tea.KeySpace:
		if more := widget.Line(string(msg.Runes)); len(*f.Line)+len(more) <= f.Most {
			*f.Line += more
		}
	default:
		return false
	}
	return true
}

// Clear takes the filter of names away, and reports whether there was one.
func (f *Field) Clear() bool { return f.Pick != nil && f.Pick.Clear() }

// Leave ends what is typed into the field.
func (f *Field) Leave() {
	f.Clear()
	if f.Figure != nil {
		f.Figure.Leave()
	}
}
