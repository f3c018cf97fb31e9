package widget

import "github.com/charmbracelet/bubbles/textinput"

// Input is a field of one line in which text is typed; none is shown while it
// is empty. bubbles style from the default renderer unless told otherwise
// (bubbles #403).
func (t *Theme) Input(none string) textinput.Model {
	in := textinput.New()
	in.Prompt, in.CharLimit, in.Placeholder = "", 400, none
	in.TextStyle, in.PlaceholderStyle = t.Text.Style, t.Faint.Style
	_ = in.Cursor.SetMode(1) // static: a blinking cursor draws without end
	in.Cursor.Style, in.Cursor.TextStyle = t.Strong.Style, t.Text.Style
	return in
}
