package criteria

import (
	"fmt"
	"strings"
	"time"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/markdown"
	"concord/tui/widget"
)

func formatTime(at time.Time) string { return at.Local().Format("2006-01-02 15:04") }

// drawReview draws all that a reviewer looks at: changes, the checklist, what
// was said and what can be done.
func drawReview(m *pageReader, width int) []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	set := &r.Set
	s := m.newLineSheet(width)
	s.addRequests(set)
	switch n := len(set.Revisions); n {
	case 0:
		s.addText(t.Faint.Render, 1, "Nothing is written yet.")
	case 1:
		s.addTitle("Criteria", "of "+joinNames(set.Authors()))
		s.addCriteria(set.Criteria())
	default:
		rev := set.Revisions[n-1]
		s.addTitle("Criteria", fmt.Sprintf("revision %d of %s", rev.Number, widget.CleanLine(string(rev.Who))))
		s.addCriteria(rev.Criteria)
		s.addBlank()
		s.addTitle(fmt.Sprintf("Since revision %d", rev.Number-1), "[-gone-] {+new+}")
		if rev.Reason != "" {
			s.addText(t.Text.Render, 1, "Reason: "+rev.Reason)
		}
		for _, l := range drawRevisionDiff(t, set.Revisions[n-2].Criteria, rev.Criteria, width-2) {
			s.lines = append(s.lines, " "+l)
		}
	}
	s.addBlank()
	s.addChecklist(m.givenTicks(p), r)
	s.addRemarks(set)
	s.addBlank()
	s.addDecisions(p.at)
	return s.lines
}

func (s *lineSheet) addChecklist(given pendingTicks, r *Row) {
	t := s.m.theme
	s.addTitle("Checklist", "1-6: ✓ yes, ✗ no, – not answered")
	for i, p := range criteria.ChecklistPoints() {
		glyph, style := "–", t.Faint
		if ok, answered := given[p.Item]; answered && ok {
			glyph, style = "✓", t.Good
		} else if answered {
			glyph, style = "✗", t.Bad
		}
		text := p.Asks
		text += eval.Either(p.Item == criteria.Clarity, " "+s.m.describePictureSize(r), "")
		lines := widget.WrapText(text, max(4, s.width-6))
		for n, l := range lines {
			lead := eval.Either(n == 0, " "+t.Key.Render(fmt.Sprint(i+1))+" "+style.Render(glyph)+" ", "     ")
			s.lines = append(s.lines, lead+l)
		}
	}
}

// describePictureSize describes what was measured of the picture.
func (m *sampleSet) describePictureSize(r *Row) string {
	for _, p := range r.Sample.Pictures {
		if s, ok := m.sizes[p.Hash]; ok && s.err == nil && p.Hash != "" {
			return fmt.Sprintf("(Here: %dx%d, short edge %d px.)", s.size.Width, s.size.Height, s.size.ShortEdge())
		}
	}
	return "(There is no image here to measure.)"
}

// addRemarks adds what people said, the last first.
func (s *lineSheet) addRemarks(set *criteria.Set) {
	t := s.m.theme
	first := true
	for i := len(set.History.Acts) - 1; i >= 0; i-- {
		a := &set.History.Acts[i]
		if a.Text == "" || !set.History.IsStanding(a.N) {
			continue
		}
		if first {
			s.addBlank()
			s.addTitle("What was said", "")
			first = false
		}
		s.addText(t.Text.Render, 1, fmt.Sprintf("%s, %s, %s: %s", a.Who, formatTime(a.At), describeAct(a), a.Text))
	}
}

// addDecisions adds what the person can decide on the row at a place, and why not what they cannot.
func (s *lineSheet) addDecisions(at int) {
	t := s.m.theme
	s.addTitle("Decide", "")
	for _, d := range []struct {
		key, name string
		kind      criteria.Kind
	}{
		{"y", "accept", criteria.Accepted},
		{"x", "request changes", criteria.RequestedChanges},
		{"f", "verify, as an expert", criteria.Verified},
		{"m", "comment", criteria.Commented},
	} {
		why := s.m.whyActRefused(at, d.kind)
		if why == "" {
			s.lines = append(s.lines, " "+t.Key.Render(s.m.SpellKey(d.key))+" "+d.name)
			continue
		}
		s.addText(t.Disabled.Render, 1, s.m.SpellKey(d.key)+" "+d.name+" (not now: "+why+")")
	}
}

// drawRevisionDiff lays out what changed between two revisions, word by word: what
// went stands in [- -], what came in {+ +}, so that no colour is needed.
func drawRevisionDiff(t *widget.Theme, from, to []criteria.Criterion, width int) []string {
	width = max(4, width)
	var out []string
	line, used := "", 0
	end := func() { out, line, used = append(out, line), "", 0 }
	write := func(text string, style func(...string) string) {
		for n, row := range strings.Split(widget.CleanText(text), "\n") {
			if n > 0 {
				end()
			}
			for _, word := range strings.SplitAfter(row, " ") {
				for _, piece := range widget.WrapText(word, width) {
					if used > 0 && used+widget.TextWidth(piece) > width {
						end()
					}
					if strings.HasSuffix(word, piece+" ") && used+widget.TextWidth(piece) < width {
						piece += " "
					}
					line, used = line+style(piece), used+widget.TextWidth(piece)
				}
			}
		}
	}
	for _, part := range markdown.DiffWords(criteria.FormatText(from), criteria.FormatText(to)) {
		switch part.Op {
		case '-':
			write(markWords("[-", part.Text, "-]"), t.Bad.Render)
		case '+':
			write(markWords("{+", part.Text, "+}"), t.Good.Render)
		default:
			write(part.Text, t.Text.Render)
		}
	}
	end()
	if retyped := describeTypeChange(from, to); retyped != "" {
		out = append(out, t.Faint.Render(widget.CutWidth(retyped, width)))
	}
	return out
}

// markWords sets marks around the words, before the white space at the end.
func markWords(open, text, end string) string {
	words := strings.TrimRight(text, " \t\n")
	return open + words + end + text[len(words):]
}

func describeTypeChange(from, to []criteria.Criterion) string {
	for i := range min(len(from), len(to)) {
		if from[i].Type != to[i].Type {
			return "types changed too: " + joinTypes(from) + " → " + joinTypes(to)
		}
	}
	return ""
}

func joinTypes(cs []criteria.Criterion) string {
	return eval.JoinList(cs, func(c criteria.Criterion) string { return c.Type.Title() })
}
