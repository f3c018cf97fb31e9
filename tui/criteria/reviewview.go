package criteria

import (
	"fmt"
	"strings"
	"time"

	"concord/annotate/criteria"
	"concord/tui/markdown"
	"concord/tui/widget"
)

func moment(at time.Time) string { return at.Local().Format("2006-01-02 15:04") }

// reviewLines is all that a reviewer looks at: what changed, the checklist,
// what was said, and what can be done.
func reviewLines(m *reader, width int) []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	set := &r.Set
	s := m.sheet(width)
	s.requests(set)
	switch n := len(set.Revisions); n {
	case 0:
		s.say(t.Faint.Render, 1, "Nothing is written yet.")
	case 1:
		s.title("Criteria", "of "+names(set.Authors()))
		s.all(set.Criteria())
	default:
		rev := set.Revisions[n-1]
		s.title("Criteria", fmt.Sprintf("revision %d of %s", rev.Number, widget.Line(string(rev.Who))))
		s.all(rev.Criteria)
		s.blank()
		s.title(fmt.Sprintf("Since revision %d", rev.Number-1), "[-gone-] {+new+}")
		if rev.Reason != "" {
			s.say(t.Text.Render, 1, "Reason: "+rev.Reason)
		}
		for _, l := range diffLines(t, set.Revisions[n-2].Criteria, rev.Criteria, width-2) {
			s.lines = append(s.lines, " "+l)
		}
	}
	s.blank()
	s.checklist(m.given(p), r)
	s.talk(set)
	s.blank()
	s.decisions(p.at)
	return s.lines
}

func (s *sheet) checklist(given ticks, r *Row) {
	t := s.m.theme
	s.title("Checklist", "1-6: ✓ yes, ✗ no, – not answered")
	for i, p := range criteria.Checklist() {
		glyph, style := "–", t.Faint
		if ok, answered := given[p.Item]; answered && ok {
			glyph, style = "✓", t.Good
		} else if answered {
			glyph, style = "✗", t.Bad
		}
		text := p.Asks
		if p.Item == criteria.Clarity {
			text += " " + s.m.edge(r)
		}
		lines := widget.Wrap(text, max(4, s.width-6))
		for n, l := range lines {
			lead := "     "
			if n == 0 {
				lead = " " + t.Key.Render(fmt.Sprint(i+1)) + " " + style.Render(glyph) + " "
			}
			s.lines = append(s.lines, lead+l)
		}
	}
}

// edge is what was measured of the picture.
func (m *collection) edge(r *Row) string {
	for _, p := range r.Sample.Pictures {
		if s, ok := m.sizes[p.Hash]; ok && s.err == nil && p.Hash != "" {
			return fmt.Sprintf("(Here: %dx%d, short edge %d px.)", s.size.Width, s.size.Height, s.size.Short())
		}
	}
	return "(There is no image here to measure.)"
}

// talk adds what people said, the last first.
func (s *sheet) talk(set *criteria.Set) {
	t := s.m.theme
	first := true
	for i := len(set.History.Acts) - 1; i >= 0; i-- {
		a := &set.History.Acts[i]
		if a.Text == "" || !set.History.Stands(a.N) {
			continue
		}
		if first {
			s.blank()
			s.title("What was said", "")
			first = false
		}
		s.say(t.Text.Render, 1, fmt.Sprintf("%s, %s, %s: %s", a.Who, moment(a.At), did(a), a.Text))
	}
}

// decisions adds what the person can decide on the row at a place, and why not
// what they cannot.
func (s *sheet) decisions(at int) {
	t := s.m.theme
	s.title("Decide", "")
	for _, d := range []struct {
		key, name string
		kind      criteria.Kind
	}{
		{"y", "accept", criteria.Accepted},
		{"x", "request changes", criteria.RequestedChanges},
		{"f", "verify, as an expert", criteria.Verified},
		{"m", "comment", criteria.Commented},
	} {
		why := s.m.refusal(at, d.kind)
		if why == "" {
			s.lines = append(s.lines, " "+t.Key.Render(s.m.Spelled(d.key))+" "+d.name)
			continue
		}
		s.say(t.Disabled.Render, 1, s.m.Spelled(d.key)+" "+d.name+" (not now: "+why+")")
	}
}

// diffLines lays out what changed between two revisions, word by word: what
// went stands in [- -], what came in {+ +}, so that no colour is needed.
func diffLines(t *widget.Theme, from, to []criteria.Criterion, width int) []string {
	width = max(4, width)
	var out []string
	line, used := "", 0
	end := func() { out, line, used = append(out, line), "", 0 }
	write := func(text string, style func(...string) string) {
		for n, row := range strings.Split(widget.Clean(text), "\n") {
			if n > 0 {
				end()
			}
			for _, word := range strings.SplitAfter(row, " ") {
				for _, piece := range widget.Wrap(word, width) {
					if used > 0 && used+widget.Width(piece) > width {
						end()
					}
					if strings.HasSuffix(word, piece+" ") && used+widget.Width(piece) < width {
						piece += " "
					}
					line, used = line+style(piece), used+widget.Width(piece)
				}
			}
		}
	}
	for _, part := range markdown.Parts(criteria.Text(from), criteria.Text(to)) {
		switch part.Op {
		case '-':
			write(marked("[-", part.Text, "-]"), t.Bad.Render)
		case '+':
			write(marked("{+", part.Text, "+}"), t.Good.Render)
		default:
			write(part.Text, t.Text.Render)
		}
	}
	end()
	if retyped := typesChanged(from, to); retyped != "" {
		out = append(out, t.Faint.Render(widget.Cut(retyped, width)))
	}
	return out
}

// marked sets marks around the words, before the white space at the end.
func marked(open, text, end string) string {
	words := strings.TrimRight(text, " \t\n")
	return open + words + end + text[len(words):]
}

func typesChanged(from, to []criteria.Criterion) string {
	for i := range min(len(from), len(to)) {
		if from[i].Type != to[i].Type {
			return "types changed too: " + kinds(from) + " → " + kinds(to)
		}
	}
	return ""
}

func kinds(cs []criteria.Criterion) string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.Type.Title()
	}
	return strings.Join(out, ", ")
}
