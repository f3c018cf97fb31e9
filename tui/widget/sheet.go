package widget

// Sheet gathers lines of texts.
type Sheet struct {
	Theme *Theme
	Width int
	Out   []string
}

// sheetNames is the width of the names of a sheet.
const sheetNames = 11

// Field is a name and its text, on as many lines as that takes.
func (s *Sheet) Field(name, text string) {
	for _, l := range Wrap(text, max(1, s.Width-sheetNames-1)) {
		s.Out = append(s.Out, s.Theme.Field(name, s.Theme.Text.Render(l), sheetNames))
		name = ""
	}
}

// Text is a text in a style.
func (s *Sheet) Text(style func(...string) string, text string) {
	for _, l := range Wrap(text, s.Width) {
		s.Out = append(s.Out, style(l))
	}
}

// Warn is what speaks against it.
func (s *Sheet) Warn(text string) { s.Text(s.Theme.Warn.Render, "! "+text) }

// Say is what is to be known of it.
func (s *Sheet) Say(text string) { s.Text(s.Theme.Accent.Render, "• "+text) }

// Assumed are what figures rest on.
func (s *Sheet) Assumed(all []string) {
	if len(all) == 0 {
		return
	}
	s.Out = append(s.Out, "", s.Theme.Faint.Render("Assumed"))
	for _, a := range all {
		s.Text(s.Theme.Faint.Render, "- "+a)
	}
}
