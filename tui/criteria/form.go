package criteria

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// formAsker shows the form that is open over the list or a sample, and keeps what was typed into one that was left.
type formAsker struct {
	*sampleSet

	form *actForm // nil for none
	kept map[string][]string
}

// input is one thing that a form asks for: a text, or one of several choices.
type input struct {
	label   string
	area    textarea.Model
	lines   int // that a text is shown in
	choices []string
	at      int
}

func newTextInput(label, value string, lines int) input {
	a := widget.NewTextArea(value)
	a.KeyMap.InsertNewline = key.NewBinding(key.WithKeys("alt+enter", "ctrl+j"))
	return input{label: label, area: a, lines: lines}
}

func newChoiceInput(label string, choices ...string) input {
	return input{label: label, choices: choices}
}

func (in *input) inputValue() string {
	if in.choices != nil {
		return in.choices[in.at]
	}
	return strings.TrimSpace(in.area.Value())
}

// actForm asks for what an act needs. What was typed is there again when it is opened for the same once more.
type actForm struct {
	title, note string
	about       string // under which it is kept
	verb        string // what enter does
	inputs      []input
	focus       int
	why         string // what is missing
	busy        bool
	submit      func(values []string) (tea.Cmd, error)
}

func (f *actForm) focusInput() {
	for i := range f.inputs {
		if f.inputs[i].choices != nil {
			continue
		}
		if i == f.focus {
			f.inputs[i].area.Focus()
		} else {
			f.inputs[i].area.Blur()
		}
	}
}

func (f *actForm) inputValues() []string {
	return eval.Map(f.inputs, func(in input) string { return in.inputValue() })
}

func (m *formAsker) handleFormKey(msg tea.KeyMsg) tea.Cmd {
	f := m.form
	n := len(f.inputs)
	in := &f.inputs[f.focus]
	switch s := msg.String(); {
	case f.busy:
		return nil
	case s == "enter":
		return m.submitForm()
	case s == "tab" || s == "down" && in.lines == 1 || s == "down" && in.choices != nil:
		f.focus = (f.focus + 1) % n
		f.focusInput()
	case s == "shift+tab" || s == "up" && in.lines == 1 || s == "up" && in.choices != nil:
		f.focus = (f.focus + n - 1) % n
		f.focusInput()
	case in.choices != nil:
		switch s {
		case "left":
			in.at = (in.at + len(in.choices) - 1) % len(in.choices)
		case "right", " ":
			in.at = (in.at + 1) % len(in.choices)
		}
	default:
		msg.Runes = []rune(widget.EscapeControls(string(msg.Runes)))
		in.area, _ = in.area.Update(msg)
		f.why = ""
	}
	return nil
}

func (m *formAsker) submitForm() tea.Cmd {
	f := m.form
	cmd, err := f.submit(f.inputValues())
	if err != nil {
		f.why = err.Error()
		return nil
	}
	if !f.busy && m.form == f {
		delete(m.kept, f.about)
		m.form = nil
	}
	return cmd
}

func (f *actForm) keyBindings() []key.Binding {
	out := []key.Binding{widget.NewBinding("enter", f.verb, "enter")}
	if len(f.inputs) > 1 {
		out = append(out, widget.NewBinding("tab", "next field", "tab"))
	}
	if f.inputs[f.focus].lines > 1 {
		out = append(out, widget.NewBinding("alt+enter", "new line", "alt+enter"))
	}
	if f.inputs[f.focus].choices != nil {
		out = append(out, widget.NewBinding("← →", "choose", "left"))
	}
	return append(out, widget.NewBinding("esc", "back, keep the text", "esc"))
}

func (m *formAsker) drawForm() []string {
	t, f := m.theme, m.form
	width := max(20, min(84, m.width-8))
	wide := eval.MaxOf(f.inputs, func(in input) int { return widget.TextWidth(in.label) })
	body := t.Faint.WrapStyled("", f.note, width)
	for i := range f.inputs {
		in, here := &f.inputs[i], i == f.focus
		lead := eval.Either(here, t.Key.Render("› "), "  ")
		if in.choices != nil {
			body = append(body, "", lead+t.DrawField(in.label, t.Accent.Render("‹ "+widget.CleanLine(in.inputValue())+" ›"), wide))
			continue
		}
		if in.lines > 1 {
			body = append(body, "", lead+t.Faint.Render(in.label))
			body = append(body, linesAroundCaret(&in.area, here, width-4, in.lines, "    ")...)
			continue
		}
		text := linesAroundCaret(&in.area, here, width-wide-4, 1, "")
		body = append(body, "", lead+t.DrawField(in.label, text[0], wide))
	}
	switch {
	case f.busy:
		body = append(body, "", t.Faint.Render("loading the image and adding the sample…"))
	case f.why != "":
		body = append(append(body, ""), t.Bad.WrapStyled("", "✗ "+f.why, width)...)
	}
	for i := range body {
		body[i] = widget.FitWidth(body[i], width)
	}
	return t.DrawDialog(f.title, body, m.width, m.height)
}

func linesAroundCaret(a *textarea.Model, here bool, width, lines int, indent string) []string {
	all, at := widget.WrapWithCaret(a, here, max(1, width))
	from := max(0, min(at-lines+1, len(all)-lines))
	out := eval.Map(all[from:min(len(all), from+lines)], func(l string) string { return indent + l })
	for len(out) < lines {
		out = append(out, indent)
	}
	return out
}
