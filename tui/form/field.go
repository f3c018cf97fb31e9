package form

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// Field is a line of a form as it stands now. Which of Pick, Names, On, Figure,
// Line and Text it has says what is put into it.
type Field struct {
	Label  string
	Off    string       // why it means nothing now; "": it means something
	Pick   *NamePick    // one of several names, which typing narrows down
	Taken  *[]string    // of Pick: the names that space takes in or out
	Names  []string     // choices side by side
	Drawn  []string     // these as they are drawn; nil: as they are
	At     *int         // the chosen one of Names
	On     *bool        // a yes or no
	Figure *NumberField // a number
	Line   *string      // a text, of at most Most bytes, written at its end
	Most   int
	Text   *textinput.Model // a text, written at a caret
	Note   string           // what a yes or a number means; what stands in for a text, or for no name taken in
	Then   func()           // what follows from a change; nil: nothing
}

// DrawFields draw the fields below each other; keys go to the one at a place.
func DrawFields(t *widget.Theme, fields []Field, at, width int) []string {
	out := make([]string, len(fields))
	for i := range fields {
		f, here := &fields[i], i == at
		out[i] = drawFormLine(t, f.Label, f.Off, here, width, func(width int) string { return f.drawValue(t, here, width) })
	}
	return out
}

// drawValue draws what the field holds, in about width cells.
func (f *Field) drawValue(t *widget.Theme, here bool, width int) string {
	switch {
	case f.Taken != nil:
		return drawPickMany(t, f.Pick, *f.Taken, cmp.Or(f.Note, "none"), here, width)
	case f.Pick != nil:
		return drawNamePick(t, f.Pick, here, width)
	case f.Drawn != nil:
		return drawChoiceRow(t, f.Drawn, *f.At, here)
	case f.Names != nil:
		return drawChoiceRow(t, f.Names, *f.At, here)
	case f.On != nil:
		return drawCheckbox(t, *f.On, here) + t.Faint.Render(" "+f.Note)
	case f.Figure != nil:
		return markFocus(t, f.Figure.Text(), here) + t.Faint.Render(" "+f.Note)
	case f.Text != nil:
		f.Text.Width = max(8, width-2)
		return f.Text.View()
	}
	return f.drawTypedLine(t, here, width)
}

// drawTypedLine draws a text with a cursor at its end, of which the end is seen.
func (f *Field) drawTypedLine(t *widget.Theme, here bool, width int) string {
	r := []rune(widget.CleanLine(*f.Line))
	for len(r) > 0 && widget.TextWidth(string(r)) > max(1, width-2) {
		r = r[1:]
	}
	out := string(r)
	out += eval.Either(here, t.Accent.Render("▏"), "")
	out += eval.Either(*f.Line == "", t.Faint.Render(f.Note), "")
	return out
}

// HandleKey takes a key that changes the field, and reports whether it was one.
func (f *Field) HandleKey(msg tea.KeyMsg) bool {
	if !f.changeByKey(msg) {
		return false
	}
	if f.Then != nil {
		f.Then()
	}
	return true
}

func (f *Field) changeByKey(msg tea.KeyMsg) bool {
	switch {
	case f.Taken != nil && msg.Type == tea.KeySpace:
		*f.Taken = ToggleName(*f.Taken, f.Pick.Value())
		f.Pick.ClearFilter()
		return true
	case f.Pick != nil:
		return f.Pick.HandleKey(msg)
	case f.Names != nil:
		return StepChoice(f.At, f.Names, msg)
	case f.On != nil && (msg.Type == tea.KeySpace || msg.Type == tea.KeyLeft || msg.Type == tea.KeyRight):
		*f.On = !*f.On
		return true
	case f.Figure != nil:
		return f.Figure.HandleKey(msg)
	case f.Line != nil:
		return f.editAtEnd(msg)
	case f.Text != nil:
		was := f.Text.Value()
		*f.Text, _ = f.Text.Update(msg)
		return f.Text.Value() != was
	}
	return false
}

// editAtEnd changes the text at its end.
func (f *Field) editAtEnd(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyBackspace:
		r := []rune(*f.Line)
		*f.Line = string(r[:max(0, len(r)-1)])
	case tea.KeyRunes, tea.KeySpace:
		if more := widget.CleanLine(string(msg.Runes)); len(*f.Line)+len(more) <= f.Most {
			*f.Line += more
		}
	default:
		return false
	}
	return true
}

// ClearFilter takes the filter of names away, and reports whether there was one.
func (f *Field) ClearFilter() bool { return f.Pick != nil && f.Pick.ClearFilter() }

// EndTyping ends what is typed into the field.
func (f *Field) EndTyping() {
	f.ClearFilter()
	switch {
	case f.Figure != nil:
		f.Figure.SetNumber(f.Figure.Value()) // the next digit begins a new number
	case f.Text != nil:
		f.Text.Blur()
	}
}

// GoToField leaves the field at a place for another; there keys are typed.
func GoToField(fields []Field, at *int, to int) {
	fields[*at].EndTyping()
	if *at = to; fields[to].Text != nil {
		fields[to].Text.Focus()
	}
}

// StepField takes a key that goes to the next field or the one before, and reports
// whether it was one. A field that means nothing is passed over.
func StepField(fields []Field, at *int, msg tea.KeyMsg) bool {
	n, by := len(fields), 1
	switch msg.Type {
	case tea.KeyUp, tea.KeyShiftTab:
		by = n - 1
	case tea.KeyDown, tea.KeyTab:
	default:
		return false
	}
	to := (*at + by) % n
	for fields[to].Off != "" {
		to = (to + by) % n
	}
	GoToField(fields, at, to)
	return true
}

// Keys are the keys of a form, beside what is typed into it. What is typed has no key of its own.
type Keys struct {
	Start, Up, Down, Fields, Change, Toggle, Filter, Number, Type, Back key.Binding
}

// NewKeys makes the bindings.
func NewKeys() Keys {
	return Keys{
		Start:  widget.NewBinding("enter", "start", "enter"),
		Up:     widget.NewBinding("↑", "field before", "up", "shift+tab"),
		Down:   widget.NewBinding("↓", "next field", "down", "tab"),
		Fields: widget.NewBinding("↑↓", "fields", "up", "down"),
		Change: widget.NewBinding("←→", "change", "left", "right"),
		Toggle: widget.NewBinding("space", "in or out", " "),
		Filter: widget.NewBinding("a-z", "filter", "letters"),
		Number: widget.NewBinding("0-9", "number", "digits"),
		Type:   widget.NewBinding("a-z", "type", "letters"),
		Back:   widget.NewBinding("esc", "back", "esc"),
	}
}

// KeysOfField are the bindings that matter at a field.
func (k Keys) KeysOfField(f *Field) []key.Binding {
	out := []key.Binding{k.Start, k.Fields}
	if f.Line != nil || f.Text != nil {
		return append(out, k.Type, k.Back)
	}
	out = append(out, k.Change)
	if f.Taken != nil {
		out = append(out, k.Toggle)
	}
	if f.Pick != nil {
		out = append(out, k.Filter)
	}
	if f.Figure != nil {
		out = append(out, k.Number)
	}
	return append(out, k.Back)
}

// KeysToAnswer are those by which a form that waits for an answer is answered.
func (k Keys) KeysToAnswer(start string) []key.Binding {
	return []key.Binding{k.WithStartKey(start).Start, k.Back}
}

// WithStartKey gives the keys of a form whose start key does something of its own.
func (k Keys) WithStartKey(does string) Keys {
	k.Start.SetHelp("enter", does)
	return k
}

// HelpKeys are those of the page of all bindings.
func (k Keys) HelpKeys() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.Change, k.Toggle, k.Filter, k.Number, k.Type}
}

// NumberField is a field for a number that is not negative: digits edit it, arrows
// step it. The zero value is empty, which is 0.
type NumberField struct {
	text    string
	Decimal bool    // a point is allowed
	Step    float64 // of the arrows; 0 is 1
	Most    float64 // 0: no limit
	fresh   bool    // not typed into since it was set: the first digit begins anew
}

// SetNumber gives the number.
func (f *NumberField) SetNumber(v float64) {
	f.text = strconv.FormatFloat(max(v, 0), 'f', -1, 64)
	f.fresh = true
}

// Value is the number.
func (f *NumberField) Value() float64 {
	v, err := strconv.ParseFloat(f.text, 64)
	return eval.Either(err != nil, 0, v)
}

// Text is the number as it was typed.
func (f *NumberField) Text() string { return cmp.Or(f.text, "0") }

// HandleKey takes a key that edits, and reports whether it was one.
func (f *NumberField) HandleKey(msg tea.KeyMsg) bool {
	step := cmp.Or(f.Step, 1)
	switch msg.Type {
	case tea.KeyLeft:
		f.setClampedNumber(math.Max(0, math.Ceil(f.Value()/step-1)*step))
	case tea.KeyRight:
		f.setClampedNumber(math.Floor(f.Value()/step+1) * step)
	case tea.KeyBackspace:
		f.text, f.fresh = f.text[:max(0, len(f.text)-1)], false
	case tea.KeyRunes:
		for _, r := range msg.Runes {
			f.typeDigit(r)
		}
	default:
		return false
	}
	return true
}

func (f *NumberField) setClampedNumber(v float64) {
	if f.Most > 0 {
		v = min(v, f.Most)
	}
	f.SetNumber(v)
}

// typeDigit takes a digit or the point; other letters mean nothing here.
func (f *NumberField) typeDigit(r rune) {
	text := eval.Either(f.fresh || f.text == "0" && r != '.', "", f.text)
	switch {
	case r >= '0' && r <= '9':
		text += string(r)
	case r == '.' && f.Decimal && !strings.Contains(text, "."):
		text += "."
	default:
		return
	}
	const longest = 9
	if len(text) > longest {
		return
	}
	f.text, f.fresh = text, false
	if f.Most > 0 && f.Value() > f.Most {
		f.SetNumber(f.Most)
	}
}
