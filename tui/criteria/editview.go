package criteria

import (
	"fmt"

	"concord/annotate/criteria"
	"concord/tui/widget"
)

// editorLines draws the fields, scrolled to the caret, or the guideline.
func editorLines(m *reader, width, height int) []string {
	t, e := m.theme, m.page.editor
	if e.guide {
		all := m.guideLines(width)
		top := max(0, min(e.top, len(all)-height))
		return all[top:]
	}
	s := m.sheet(width)
	s.requests(&m.rows[m.page.at].Set)
	at := 0
	for i := range e.fields {
		f, here := &e.fields[i], i == e.focus
		kind := t.Accent.Render(f.kind.Title())
		if f.kind == criteria.TypeUnset {
			kind = t.Warn.Render("no type yet: ctrl+t chooses")
		}
		lead := "  "
		if here {
			lead = t.Key.Render("› ")
		}
		s.lines = append(s.lines, widget.Cut(lead+t.Strong.Render(fmt.Sprintf("%d of %d ", i+1, len(e.fields)))+kind+t.Faint.Render("  "+f.kind.Asks()), width))
		gutter := t.Border.Render("  │ ")
		if here {
			gutter = t.Accent.Render("  ┃ ")
		}
		lines, caretAt := widget.Written(&f.area, here, max(4, width-5))
		if here {
			at = len(s.lines) + caretAt
		}
		for _, l := range lines {
			s.lines = append(s.lines, gutter+l)
		}
		s.blank()
	}
	if m.width < guideFrom {
		s.example(e.fields[e.focus].kind)
	}
	from := max(0, min(at-height+3, len(s.lines)-height))
	return s.lines[from:]
}

// example adds one example of a type; of all types when there is none yet.
func (s *sheet) example(k criteria.Type) {
	t := s.m.theme
	if k == criteria.TypeUnset {
		for _, k := range criteria.Types() {
			s.say(t.Faint.Render, 1, k.Title()+": "+k.Asks())
		}
		return
	}
	for _, e := range criteria.Examples(k) {
		s.say(t.Faint.Render, 1, fmt.Sprintf("Example (%s): “%s” %s", e.Picture, e.Question, e.Criterion))
	}
}

// guideColumn stands beside the editor: what the focused type asks, with
// examples, then the rest of the guideline.
func guideColumn(m *reader, width, height int) []string {
	t := m.theme
	s := m.sheet(width)
	k := m.page.editor.fields[m.page.editor.focus].kind
	s.title("Guideline", "")
	if k != criteria.TypeUnset {
		s.say(t.Accent.Render, 1, k.Title()+" "+k.Asks())
		s.blank()
		s.examples(k)
	}
	s.say(t.Text.Render, 1, criteria.Advice())
	if k == criteria.TypeUnset {
		s.blank()
		s.types()
	}
	return s.lines[:min(len(s.lines), height)]
}

// guideLines is the whole guideline.
func (m *collection) guideLines(width int) []string {
	s := m.sheet(min(width, 90))
	s.title("How to write criteria", "")
	s.say(m.theme.Text.Render, 1, criteria.Advice())
	s.blank()
	s.types()
	return s.lines
}

func (s *sheet) types() {
	t := s.m.theme
	for _, k := range criteria.Types() {
		s.say(t.Accent.Render, 1, k.Title()+" "+k.Asks())
		s.examples(k)
	}
}

func (s *sheet) examples(k criteria.Type) {
	t := s.m.theme
	for _, e := range criteria.Examples(k) {
		s.say(t.Faint.Render, 1, e.Picture+": “"+e.Question+"”")
		s.say(t.Text.Render, 3, e.Criterion)
		s.blank()
	}
}
