package criteria

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// halves are the rooms of the list and of the detail of what is in front.
func (m *browser) halves() widget.Halves {
	return widget.NewHalves(m.width, m.height, headLines+max(2, len(m.list.lines)))
}

func (m *browser) listHeight() int { return max(1, m.halves().List.Height-headLines) }

// sampleLine is a sample in a line; what is named first is dropped last.
func sampleLine(m *collection, r *Row, depth, width int) string {
	t, s := m.theme, &r.Set
	state := 11
	if width >= 100 {
		state = 20
	}
	review := ""
	if s.Round > 0 {
		review = fmt.Sprintf("r%d", s.Round)
	}
	if n := len(s.Requests); n > 0 {
		review += fmt.Sprintf(" %d?", n)
	}
	cells := []cell{
		{stateText(m, s, state > 11), state, 0},
		{widget.Line(string(r.Sample.ID)), max(5, min(14, width/16)), 0},
		{shortType(s.QuestionType(&r.Sample)), 6, 66},
		{assignee(m, s), 10, 76},
		{names(s.Authors()), 12, 110},
		{review, 6, 90},
		{warned(m, r, width), warnWidth(width), 0},
	}
	out := strings.Repeat("  ", depth)
	for _, c := range cells {
		if width >= c.least {
			out += widget.Fit(c.text, c.wide) + "  "
		}
	}
	question := widget.Line(head(r.Sample.Question, 400))
	if s.Removed != nil {
		question = t.Faint.Render(removal(s))
	}
	return out + widget.Cut(question, max(1, width-widget.Width(out)))
}

func removal(s *criteria.Set) string {
	text := "discarded: " + widget.Line(s.Removed.Reason)
	if s.Removed.By != "" {
		return "replaced by " + widget.Line(string(s.Removed.By)) + "; " + text
	}
	return text
}

func warned(m *collection, r *Row, width int) string {
	if len(r.Disputed) > 0 {
		return m.theme.Warn.Render("≠ " + widget.Line(strings.Join(r.Disputed, ", ")))
	}
	ws := m.warnings(r)
	if r.Set.Removed != nil || len(ws) == 0 {
		return ""
	}
	text := fmt.Sprintf("!%d", len(ws))
	if width >= namedFrom {
		text += " " + m.warningText(ws[0], r)
	}
	return m.theme.Warn.Render(text)
}

func assignee(m *collection, s *criteria.Set) string {
	switch s.Assignee {
	case "":
		return ""
	case m.who:
		return "→ you"
	}
	return "→ " + widget.Line(string(s.Assignee))
}

// stateText is a glyph and a word, so that no colour is needed.
func stateText(m *collection, s *criteria.Set, long bool) string {
	t := m.theme
	if s.Removed != nil {
		return t.Faint.Render("╳ discarded")
	}
	glyph, style := "○", t.Faint
	switch s.State {
	case criteria.Draft:
		glyph, style = "◔", t.Text
	case criteria.InReview:
		glyph, style = "◑", t.Accent
	case criteria.ChangesRequested:
		glyph, style = "✗", t.Warn
	case criteria.Approved:
		glyph, style = "✓", t.Good
	case criteria.Checked:
		glyph, style = "◆", t.Good
	case criteria.Unwritten:
	}
	return style.Render(glyph + " " + stateWord(s.State, long))
}

// savingText is what is not saved yet, or why it is not.
func (m *collection) savingText() string {
	t := m.theme
	switch s := m.saving; {
	case s.Err != nil:
		return t.Bad.Render("NOT SAVED: "+widget.Line(s.Err.Error())) + t.Faint.Render(m.Keyed(" {save_again} tries again "))
	case s.Pending > 0:
		return t.Faint.Render("saving… ")
	case !s.At.IsZero():
		return t.Faint.Render("saved " + s.At.Local().Format("15:04:05") + " ")
	}
	return ""
}

// shelfLines are the datasets to choose from.
func shelfLines(m *collection) []string {
	t := m.theme
	switch {
	case m.err != nil:
		return []string{"", " " + t.Bad.Render(widget.Line(m.err.Error()))}
	case m.loading || !m.known:
		return []string{"", t.Faint.Render("  loading the samples and their criteria…")}
	}
	table := widget.Table{
		Columns: []widget.Column{{Title: "dataset", Width: 20, Grow: 2, Name: true}, {Title: "samples", Width: 9, Right: true}, {Title: "added here", Width: 10, Right: true}, {Title: "from", Width: 10, Grow: 1, Name: true}},
		Rows:    len(m.datasets), Cursor: m.shelf, Focused: true,
		Row: func(i int) []string {
			d := m.datasets[i]
			return []string{widget.Line(string(d.Name)), widget.Count(d.Samples), widget.Count(d.Added), widget.Line(d.Origin)}
		},
		Empty: "No dataset to write criteria for yet. h, then i imports a benchmark's questions:\n" +
			"  concord import dataset questions.json --name NAME\n" +
			"Criteria that exist elsewhere come by\n  concord import criteria FILE --dataset NAME",
	}
	return append([]string{"", t.Section("Criteria of which dataset?", widget.Plural(len(m.datasets), "dataset"), true, m.width)},
		t.Table(table, m.width, max(0, m.height-2))...)
}

func (m *collection) shelfHeight() int { return max(1, m.height-3) }

// headLines stand over the list: title, what waits for the person, filter.
const headLines = 3

func mark(t *widget.Theme, text string, on bool) string {
	if on {
		return t.Accent.Render("[" + text + "]")
	}
	return t.Faint.Render(text)
}

// cell is a cell of a sample's line, shown from a width on.
type cell struct {
	text  string
	wide  int
	least int
}

// head is the beginning of a text: enough for a line.
func head(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// namedFrom is the width from which rows name a warning.
const namedFrom = 150

func warnWidth(width int) int {
	if width >= namedFrom {
		return 26
	}
	return 2
}

func names(who []annotate.Annotator) string {
	out := make([]string, len(who))
	for i, w := range who {
		out[i] = widget.Line(string(w))
	}
	return strings.Join(out, ", ")
}

func shortType(t eval.QuestionType) string {
	switch t {
	case eval.OpenEnded:
		return "open"
	case eval.ClosedEnded:
		return "closed"
	case eval.Compound:
		return "comp."
	case eval.TypeUnset:
	}
	return "–"
}

func stateWord(s criteria.State, long bool) string {
	switch s {
	case criteria.InReview:
		if !long {
			return "review"
		}
	case criteria.ChangesRequested:
		if !long {
			return "changes"
		}
	case criteria.Unwritten:
		if !long {
			return "to do"
		}
	default:
	}
	return strings.ReplaceAll(s.String(), "_", " ")
}
