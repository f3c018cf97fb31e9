package criteria

import (
	"fmt"
	"strings"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// writer of lines for a part of the page.
type lineSheet struct {
	m     *sampleSet
	width int
	lines []string
}

func (m *sampleSet) newLineSheet(width int) *lineSheet { return &lineSheet{m: m, width: width} }

func (s *lineSheet) addBlank() { s.lines = append(s.lines, "") }

func (s *lineSheet) addText(style func(...string) string, indent int, text string) {
	for _, l := range widget.WrapText(text, max(4, s.width-indent-1)) {
		s.lines = append(s.lines, strings.Repeat(" ", indent)+style(l))
	}
}

func (s *lineSheet) addTitle(name, note string) {
	s.lines = append(s.lines, " "+s.m.theme.DrawSection(name, note, false, max(1, s.width-1)))
}

func (s *lineSheet) addCriterion(n int, c criteria.Criterion) {
	t := s.m.theme
	kind := eval.Either(c.Type == criteria.TypeUnset, t.Warn, t.Accent).Render(c.Type.Title())
	s.lines = append(s.lines, fmt.Sprintf(" %s %s", t.Strong.Render(fmt.Sprint(n)), kind))
	s.addText(t.Text.Render, 3, c.Text)
}

// drawCriteria draws what is written: the revision that stands, the next one's draft,
// and what was asked for.
func drawCriteria(m *sampleSet, r *Row, width int) []string {
	t := m.theme
	s := m.newLineSheet(width)
	if r.Set.Removed != nil {
		s.addText(t.Warn.Render, 1, fmt.Sprintf("╳ Discarded by %s: %s", r.Set.Removed.Who, r.Set.Removed.Reason))
		if r.Set.Removed.By != "" {
			s.addText(t.Text.Render, 1, "Sample "+string(r.Set.Removed.By)+" stands in for it.")
		} else {
			s.addText(t.Text.Render, 1, m.SpellText("Nothing stands in for it yet: {+} adds a sample."))
		}
		s.addBlank()
	}
	s.addRequests(&r.Set)
	if set := &r.Set; set.Pending != nil {
		s.addTitle("Draft of the next revision", fmt.Sprintf("%s, %s, not submitted (%s)", widget.CleanLine(string(set.Pending.Who)), formatTime(set.Pending.At), m.SpellKey("s")))
		s.addCriteria(set.Pending.Criteria)
		s.addBlank()
	}
	if rev, ok := r.Set.CurrentRevision(); ok {
		note := fmt.Sprintf("%s, %s", widget.CleanLine(string(rev.Who)), formatTime(rev.At))
		note += eval.Either(r.Set.State == criteria.Draft, m.SpellText(", not submitted ({s})"), "")
		s.addTitle(fmt.Sprintf("Revision %d", rev.Number), note)
		s.addCriteria(rev.Criteria)
	} else {
		s.addText(t.Text.Render, 1, "Nobody has written criteria for this sample yet.")
		s.addBlank()
		s.lines = append(s.lines, " "+t.Key.Render(m.SpellKey("e"))+" writes them; the draft saves itself while you type.")
		s.addText(t.Faint.Render, 1, m.SpellText("{guideline} shows the guideline, with examples of each type."))
	}
	if r.Set.Assignee != "" {
		s.addText(t.Faint.Render, 1, "assigned to "+string(r.Set.Assignee))
	}
	if ws := m.listWarnings(r); len(ws) > 0 && r.Set.Removed == nil {
		s.addBlank()
		for _, w := range ws {
			s.addText(t.Warn.Render, 1, "! "+m.describeWarning(w, r))
		}
	}
	return s.lines
}

func (s *lineSheet) addCriteria(cs []criteria.Criterion) {
	if len(cs) == 0 {
		s.addText(s.m.theme.Faint.Render, 1, "It is empty.")
	}
	for i, c := range cs {
		s.addCriterion(i+1, c)
	}
}

// addRequests adds the open ones.
func (s *lineSheet) addRequests(set *criteria.Set) {
	t := s.m.theme
	for _, q := range set.Requests {
		s.addText(t.Warn.Render, 1, fmt.Sprintf("✗ %s asked for changes in round %d: %s", q.Who, q.Round, q.Text))
	}
	if len(set.Requests) > 0 {
		s.addBlank()
	}
}

// drawHistory draws one revision with the difference to the one before.
func drawHistory(m *pageReader, width int) []string {
	t, p := m.theme, m.page
	set := &m.rows[p.at].Set
	s := m.newLineSheet(width)
	n := len(set.Revisions)
	if n == 0 {
		s.addText(t.Faint.Render, 1, "Nothing is written yet.")
		return append(s.lines, drawActs(m.sampleSet, set, width)...)
	}
	at := eval.Either(p.revision < 0 || p.revision >= n, n-1, p.revision)
	rev := set.Revisions[at]
	where := eval.Either(rev.Round > 0, fmt.Sprintf("in round %d", rev.Round), "before the review")
	s.addTitle(fmt.Sprintf("Revision %d of %d", rev.Number, n), m.SpellText("{<} older  {>} newer"))
	s.addText(t.Text.Render, 1, fmt.Sprintf("%s, %s, %s", rev.Who, formatTime(rev.At), where))
	if rev.Reason != "" {
		s.addText(t.Text.Render, 1, "Reason: "+rev.Reason)
	}
	s.addBlank()
	if at > 0 {
		for _, l := range drawRevisionDiff(t, set.Revisions[at-1].Criteria, rev.Criteria, width-2) {
			s.lines = append(s.lines, " "+l)
		}
	} else {
		s.addCriteria(rev.Criteria)
	}
	return append(append(s.lines, ""), drawActs(m.sampleSet, set, width)...)
}

// drawActs draws everything that was done on the sample, the last first.
func drawActs(m *sampleSet, set *criteria.Set, width int) []string {
	t := m.theme
	s := m.newLineSheet(width)
	s.addTitle("Everything that was done", widget.FormatPlural(len(set.History.Acts), "act")+", the last first")
	drafts := 0
	for i := len(set.History.Acts) - 1; i >= 0; i-- {
		a := &set.History.Acts[i]
		if a.Kind == criteria.Drafted && i > 0 && set.History.Acts[i-1].Kind == criteria.Drafted && set.History.Acts[i-1].Who == a.Who &&
			set.History.IsStanding(a.N) == set.History.IsStanding(a.N-1) {
			drafts++
			continue
		}
		text := fmt.Sprintf("%s  %s: %s", formatTime(a.At), a.Who, describeAct(a))
		text += eval.Either(drafts > 0, fmt.Sprintf(" (saved %d times)", drafts+1), "")
		drafts = 0
		if a.Text != "" || a.Reason != "" {
			text += ": " + strings.TrimSpace(a.Reason+" "+a.Text)
		}
		style := t.Text.Render
		if !set.History.IsStanding(a.N) {
			text, style = text+"  (undone)", t.Faint.Render
		}
		s.addText(style, 1, text)
	}
	return s.lines
}

// drawEditor draws the fields, scrolled to the caret, or the guideline.
func drawEditor(m *pageReader, width, height int) []string {
	t, e := m.theme, m.page.editor
	if e.guide {
		all := m.drawGuideline(width)
		top := max(0, min(e.top, len(all)-height))
		return all[top:]
	}
	s := m.newLineSheet(width)
	s.addRequests(&m.rows[m.page.at].Set)
	at := 0
	for i := range e.fields {
		f, here := &e.fields[i], i == e.focus
		kind := eval.Either(f.kind == criteria.TypeUnset, t.Warn.Render("no type yet: ctrl+t chooses"), t.Accent.Render(f.kind.Title()))
		lead := eval.Either(here, t.Key.Render("› "), "  ")
		head := lead + t.Strong.Render(fmt.Sprintf("%d of %d ", i+1, len(e.fields))) + kind
		if demand := "  " + f.kind.Demand(); widget.TextWidth(head+demand) <= width { // else the guideline says it
			head += t.Faint.Render(demand)
		}
		s.lines = append(s.lines, widget.CutWidth(head, width))
		gutter := eval.Either(here, t.Accent.Render("  ┃ "), t.Border.Render("  │ "))
		lines, caretAt := widget.WrapWithCaret(&f.area, here, max(4, width-5))
		if here {
			at = len(s.lines) + caretAt
		}
		s.lines = append(s.lines, eval.Map(lines, func(l string) string { return gutter + l })...)
		s.addBlank()
	}
	if m.width < guideFrom {
		s.addExample(e.fields[e.focus].kind)
	}
	from := max(0, min(at-height+3, len(s.lines)-height))
	return s.lines[from:]
}

// addExample adds one example of a type; of all types when there is none yet.
func (s *lineSheet) addExample(k criteria.Type) {
	t := s.m.theme
	if k == criteria.TypeUnset {
		for _, k := range criteria.AllTypes() {
			s.addText(t.Faint.Render, 1, k.Title()+": "+k.Demand())
		}
		return
	}
	for _, e := range criteria.ExamplesOf(k) {
		s.addText(t.Faint.Render, 1, fmt.Sprintf("Example (%s): “%s” %s", e.Picture, e.Question, e.Criterion))
	}
}

// drawGuideColumn stands beside the editor: what the focused type asks, with examples, then the rest of the
// guideline. What it has no room for continues below the criteria, where there are so many lines left.
func drawGuideColumn(m *pageReader, width, height, left int) (beside, below []string) {
	t := m.theme
	s := m.newLineSheet(width)
	k := m.page.editor.fields[m.page.editor.focus].kind
	s.addTitle("Guideline", "")
	if k != criteria.TypeUnset {
		s.addText(t.Accent.Render, 1, k.Title()+" "+k.Demand())
		s.addBlank()
		s.addExamples(k)
	}
	s.addText(t.Text.Render, 1, criteria.WritingAdvice())
	if k == criteria.TypeUnset {
		s.addBlank()
		s.addTypes()
	}
	at := height - 1
	if len(s.lines) <= height {
		return s.lines, nil
	}
	for ; at > 0 && s.lines[at] != ""; at-- { // no example is cut
	}
	if below = s.lines[at+1:]; len(below) < left {
		return s.lines[:at], append([]string{" " + t.DrawSection("Guideline, continued", "", false, width-1)}, below...)
	}
	return append(s.lines[:at:at], "", t.Faint.Render(" … more: ctrl+g shows all of it")), nil
}

func (m *sampleSet) drawGuideline(width int) []string {
	s := m.newLineSheet(min(width, 90))
	s.addTitle("How to write criteria", "")
	s.addText(m.theme.Text.Render, 1, criteria.WritingAdvice())
	s.addBlank()
	s.addTypes()
	return s.lines
}

// addGuideBelow adds the guideline below lines that leave a pane empty, as far as it fits.
func (m *sampleSet) addGuideBelow(lines []string, width, height int) []string {
	const least = 5 // lines
	room, guide := height-len(lines)-1, m.drawGuideline(width)
	if room < least {
		return lines
	}
	if len(guide) > room {
		guide = append(guide[:room-1], m.theme.Faint.Render(" …"))
	}
	return append(append(lines, ""), guide...)
}

func (s *lineSheet) addTypes() {
	t := s.m.theme
	for _, k := range criteria.AllTypes() {
		s.addText(t.Accent.Render, 1, k.Title()+" "+k.Demand())
		s.addExamples(k)
	}
}

func (s *lineSheet) addExamples(k criteria.Type) {
	t := s.m.theme
	for _, e := range criteria.ExamplesOf(k) {
		s.addText(t.Faint.Render, 1, e.Picture+": “"+e.Question+"”")
		s.addText(t.Text.Render, 3, e.Criterion)
		s.addBlank()
	}
}
