package widget

// Sheet gathers lines of texts.
type Sheet struct {
	Theme *Theme
	Width int
	Out   []string
}

// sheetNames is the width of the names of a sheet.
const sheetNames = 11

// AddField adds a name and its text, on as many lines as that takes.
func (s *Sheet) AddField(name, text string) {
	column := max(sheetNames, TextWidth(name))
	for _, l := range WrapText(text, max(1, s.Width-column-1)) {
		s.Out = append(s.Out, s.Theme.DrawField(name, s.Theme.Text.Render(l), column))
		name = ""
	}
}

// AddText adds a text in a style.
func (s *Sheet) AddText(style func(...string) string, text string) {
	for _, l := range WrapText(text, s.Width) {
		s.Out = append(s.Out, style(l))
	}
}

// AddWarning adds what speaks against it.
func (s *Sheet) AddWarning(text string) { s.AddText(s.Theme.Warn.Render, "! "+text) }

// AddNote adds what is to be known of it.
func (s *Sheet) AddNote(text string) { s.AddText(s.Theme.Accent.Render, "• "+text) }

// AddAssumptions adds what figures rest on.
func (s *Sheet) AddAssumptions(all []string) {
	if len(all) == 0 {
		return
	}
	s.Out = append(s.Out, "", s.Theme.Faint.Render("Assumed"))
	for _, a := range all {
		s.AddText(s.Theme.Faint.Render, "- "+a)
	}
}
