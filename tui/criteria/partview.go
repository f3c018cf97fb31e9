package criteria

import (
	"fmt"
	"strings"

	"concord/annotate/criteria"
	"concord/tui/widget"
)

// writer of lines for a part of the page.
type sheet struct {
	m     *collection
	width int
	lines []string
}

func (m *collection) sheet(width int) *sheet { return &sheet{m: m, width: width} }

func (s *sheet) blank() { s.lines = append(s.lines, "") }

// say adds wrapped text with an indent.
func (s *sheet) say(style func(...string) string, indent int, text string) {
	for _, l := range widget.Wrap(text, max(4, s.width-indent-1)) {
		s.lines = append(s.lines, strings.Repeat(" ", indent)+style(l))
	}
}

// title adds the title of a section.
func (s *sheet) title(name, note string) {
	s.lines = append(s.lines, " "+s.m.theme.Section(name, note, false, max(1, s.width-1)))
}

// criterion adds one criterion.
func (s *sheet) criterion(n int, c criteria.Criterion) {
	t := s.m.theme
	kind := t.Accent.Render(c.Type.Title())
	if c.Type == criteria.TypeUnset {
		kind = t.Warn.Render(c.Type.Title())
	}
	s.lines = append(s.lines, fmt.Sprintf(" %s %s", t.Strong.Render(fmt.Sprint(n)), kind))
	s.say(t.Text.Render, 3, c.Text)
}

// criteriaLines is what is written: the revision that stands, the draft of the
// next one, and what was asked for.
func criteriaLines(m *collection, r *Row, width int) []string {
	t := m.theme
	s := m.sheet(width)
	if r.Set.Removed != nil {
		s.say(t.Warn.Render, 1, fmt.Sprintf("╳ Discarded by %s: %s", r.Set.Removed.Who, r.Set.Removed.Reason))
		if r.Set.Removed.By != "" {
			s.say(t.Text.Render, 1, "Sample "+string(r.Set.Removed.By)+" stands in for it.")
		} else {
			s.say(t.Text.Render, 1, m.Keyed("Nothing stands in for it yet: {+} adds a sample."))
		}
		s.blank()
	}
	s.requests(&r.Set)
	if set := &r.Set; set.Pending != nil {
		s.title("Draft of the next revision", fmt.Sprintf("%s, %s, not submitted (%s)", widget.Line(string(set.Pending.Who)), moment(set.Pending.At), m.Spelled("s")))
		s.all(set.Pending.Criteria)
		s.blank()
	}
	if rev, ok := r.Set.Current(); ok {
		note := fmt.Sprintf("%s, %s", widget.Line(string(rev.Who)), moment(rev.At))
		if r.Set.State == criteria.Draft {
			note += m.Keyed(", not submitted ({s})")
		}
		s.title(fmt.Sprintf("Revision %d", rev.Number), note)
		s.all(rev.Criteria)
	} else {
		s.say(t.Text.Render, 1, "Nobody has written criteria for this sample yet.")
		s.blank()
		s.lines = append(s.lines, " "+t.Key.Render(m.Spelled("e"))+" writes them; the draft saves itself while you type.")
		s.say(t.Faint.Render, 1, m.Keyed("{guideline} shows the guideline, with examples of each type."))
	}
	if r.Set.Assignee != "" {
		s.say(t.Faint.Render, 1, "assigned to "+string(r.Set.Assignee))
	}
	if ws := m.warnings(r); len(ws) > 0 && r.Set.Removed == nil {
		s.blank()
		for _, w := range ws {
			s.say(t.Warn.Render, 1, "! "+m.warningText(w, r))
		}
	}
	return s.lines
}

func (s *sheet) all(cs []criteria.Criterion) {
	if len(cs) == 0 {
		s.say(s.m.theme.Faint.Render, 1, "It is empty.")
	}
	for i, c := range cs {
		s.criterion(i+1, c)
	}
}

// requests adds the open ones.
func (s *sheet) requests(set *criteria.Set) {
	t := s.m.theme
	for _, q := range set.Requests {
		s.say(t.Warn.Render, 1, fmt.Sprintf("✗ %s asked for changes in round %d: %s", q.Who, q.Round, q.Text))
	}
	if len(set.Requests) > 0 {
		s.blank()
	}
}

// historyLines is one revision with the difference to the one before.
func historyLines(m *reader, width int) []string {
	t, p := m.theme, m.page
	set := &m.rows[p.at].Set
	s := m.sheet(width)
	n := len(set.Revisions)
	if n == 0 {
		s.say(t.Faint.Render, 1, "Nothing is written yet.")
		return append(s.lines, actLines(m.collection, set, width)...)
	}
	at := p.revision
	if at < 0 || at >= n {
		at = n - 1
	}
	rev := set.Revisions[at]
	where := "before the review"
	if rev.Round > 0 {
		where = fmt.Sprintf("in round %d", rev.Round)
	}
	s.title(fmt.Sprintf("Revision %d of %d", rev.Number, n), m.Keyed("{<} older  {>} newer"))
	s.say(t.Text.Render, 1, fmt.Sprintf("%s, %s, %s", rev.Who, moment(rev.At), where))
	if rev.Reason != "" {
		s.say(t.Text.Render, 1, "Reason: "+rev.Reason)
	}
	s.blank()
	if at > 0 {
		for _, l := range diffLines(t, set.Revisions[at-1].Criteria, rev.Criteria, width-2) {
			s.lines = append(s.lines, " "+l)
		}
	} else {
		s.all(rev.Criteria)
	}
	return append(append(s.lines, ""), actLines(m.collection, set, width)...)
}

// actLines is everything that was done on the sample, the last first.
func actLines(m *collection, set *criteria.Set, width int) []string {
	t := m.theme
	s := m.sheet(width)
	s.title("Everything that was done", widget.Plural(len(set.History.Acts), "act")+", the last first")
	drafts := 0
	for i := len(set.History.Acts) - 1; i >= 0; i-- {
		a := &set.History.Acts[i]
		if a.Kind == criteria.Drafted && i > 0 && set.History.Acts[i-1].Kind == criteria.Drafted && set.History.Acts[i-1].Who == a.Who &&
			set.History.Stands(a.N) == set.History.Stands(a.N-1) {
			drafts++
			continue
		}
		text := fmt.Sprintf("%s  %s: %s", moment(a.At), a.Who, did(a))
		if drafts > 0 {
			text += fmt.Sprintf(" (saved %d times)", drafts+1)
		}
		drafts = 0
		if a.Text != "" || a.Reason != "" {
			text += ": " + strings.TrimSpace(a.Reason+" "+a.Text)
		}
		style := t.Text.Render
		if !set.History.Stands(a.N) {
			text, style = text+"  (undone)", t.Faint.Render
		}
		s.say(style, 1, text)
	}
	return s.lines
}

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
