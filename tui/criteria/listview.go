package criteria

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// headLines stand over the list: title, what waits for the person, filter.
const headLines = 3

func (m *Model) listHeight() int { return max(1, m.height-headLines) }

func (m *Model) listLines() []string {
	t, l := m.theme, &m.list
	out := []string{
		t.Section("Criteria of "+widget.Line(string(m.dataset)), m.listNote(), true, m.width),
		widget.Ends(m.turnLine(), m.savingText(), m.width),
		m.filterLine(),
	}
	if len(l.lines) == 0 {
		return append(out, "", "  "+t.Faint.Render(m.whyEmpty()))
	}
	for n := l.cursor.Top; n < len(l.lines) && len(out) < m.height; n++ {
		x := l.lines[n]
		var text string
		if x.group >= 0 {
			text = m.groupLine(&l.groups[x.group], x.depth, m.width-2)
		} else {
			text = m.sampleLine(&m.rows[x.row], x.depth, m.width-2)
		}
		out = append(out, t.Row(text, n == l.cursor.At, true, m.width))
	}
	return out
}

func (m *Model) whyEmpty() string {
	if m.list.filtered() {
		return "Nothing is left by the filter: esc shows everything again."
	}
	return "The dataset has no samples."
}

// listNote is the whole dataset in a line: how far it is.
func (m *Model) listNote() string {
	if len(m.list.groups) == 0 {
		return ""
	}
	g := &m.list.groups[0]
	s := fmt.Sprintf("%s of %s accepted", widget.Count(g.Done()), widget.Count(g.Samples))
	if g.Wanted > 0 {
		s = fmt.Sprintf("%s of a quota of %s accepted", widget.Count(g.Done()), widget.Count(g.Wanted))
	}
	for _, x := range []criteria.State{criteria.Draft, criteria.InReview, criteria.ChangesRequested, criteria.Checked} {
		if n := g.States[x]; n > 0 {
			s += fmt.Sprintf(", %s %s", widget.Count(n), stateWord(x, false))
		}
	}
	if g.Discarded > 0 {
		s += fmt.Sprintf(", %s discarded (%s replaced)", widget.Count(g.Discarded), widget.Count(g.Replaced))
	}
	if m.news > 0 {
		s = fmt.Sprintf("%d new · %s to refresh · ", m.news, m.Spelled("R")) + s
	}
	return s
}

// turnLine is what waits for the person, counted.
func (m *Model) turnLine() string {
	t := m.theme
	n := m.list.turns
	part := func(k criteria.Turn, word string) string {
		text := widget.Count(n[k]) + " " + word
		if n[k] == 0 {
			return t.Faint.Render(text)
		}
		return t.Strong.Render(text)
	}
	return "  For you: " + strings.Join([]string{
		part(criteria.ToRevise, "revise"), part(criteria.ToReview, "review"),
		part(criteria.ToWrite, "write"), part(criteria.ToTake, "open"),
		part(criteria.ToVerify, "verify"),
	}, t.Faint.Render(" · "))
}

// filterLine is what the list is narrowed to. Where the rows have no room for
// it, the warnings of the one under the cursor stand here in words.
func (m *Model) filterLine() string {
	t, l := m.theme, &m.list
	out := "  " + t.Faint.Render(m.Spelled("/")) + " "
	switch {
	case l.typing:
		out += l.filter.View()
	case l.filter.Value() != "":
		out += t.Accent.Render(widget.Line(l.filter.Value()))
	default:
		out += t.Faint.Render("all words")
	}
	state, whose := stateFilters()[l.state], whoseNames[l.whose]
	right := t.Faint.Render("state ") + mark(t, state, l.state != 0) + t.Faint.Render("  whose ") + mark(t, whose, l.whose != everybody) + " "
	if room := m.width - widget.Width(out) - widget.Width(right) - 4; room >= 8 && m.width < namedFrom && !l.typing {
		out += "  " + t.Warn.Render(widget.Cut(m.atCursor(), room))
	}
	return widget.Ends(out, right, m.width)
}

// atCursor is the warnings of the sample under the cursor.
func (m *Model) atCursor() string {
	i, ok := m.front()
	if !ok || m.rows[i].Set.Removed != nil {
		return ""
	}
	var out []string
	for _, w := range m.warnings(&m.rows[i]) {
		out = append(out, "! "+m.warningText(w, &m.rows[i]))
	}
	return strings.Join(out, "  ")
}

func mark(t *widget.Theme, text string, on bool) string {
	if on {
		return t.Accent.Render("[" + text + "]")
	}
	return t.Faint.Render(text)
}

// groupLine is a group with its coverage.
func (m *Model) groupLine(g *criteria.Group, depth, width int) string {
	t := m.theme
	glyph := "▾ "
	if m.list.closed[pathKey(g.Path)] && !m.list.filtered() {
		glyph = "▸ "
	}
	name := "all samples"
	if n := len(g.Path); n > 0 {
		name = widget.Line(g.Path[n-1])
	}
	c := g.Coverage()
	count := fmt.Sprintf("%3d of %d", min(g.Done(), c.N), c.N)
	if n := g.Missing(); n > 0 {
		count += fmt.Sprintf(", %d short", n)
	}
	if n := g.Discarded - g.Replaced; n > 0 {
		count += fmt.Sprintf(", %d to replace", n)
	}
	bar := max(6, min(20, width/8))
	right := t.Bar(bar, c.Value) + " " + widget.Fit(count, min(32, max(20, width/3)))
	return widget.Ends(strings.Repeat("  ", depth)+t.Accent.Render(glyph)+t.Strong.Render(name), right, width)
}

// cell is a cell of a sample's line, shown from a width on.
type cell struct {
	text  string
	wide  int
	least int
}

// sampleLine is a sample in a line; what is named first is dropped last.
func (m *Model) sampleLine(r *Row, depth, width int) string {
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
		{m.stateText(s, state > 11), state, 0},
		{widget.Line(string(r.Sample.ID)), max(5, min(14, width/16)), 0},
		{shortType(s.QuestionType(&r.Sample)), 6, 66},
		{m.assignee(s), 10, 76},
		{names(s.Authors()), 12, 110},
		{review, 6, 90},
		{m.warned(r, width), warnWidth(width), 0},
	}
	out := strings.Repeat("  ", depth)
	for _, c := range cells {
		if width >= c.least {
			out += widget.Fit(c.text, c.wide) + "  "
		}
	}
	question := widget.Line(head(r.Sample.Question, 400))
	if s.Removed != nil {
		question = t.Faint.Render(m.removal(s))
	}
	return out + widget.Cut(question, max(1, width-widget.Width(out)))
}

// head is the beginning of a text: enough for a line.
func head(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}

func (m *Model) removal(s *criteria.Set) string {
	text := "discarded: " + widget.Line(s.Removed.Reason)
	if s.Removed.By != "" {
		return "replaced by " + widget.Line(string(s.Removed.By)) + "; " + text
	}
	return text
}

// namedFrom is the width from which rows name a warning.
const namedFrom = 150

func warnWidth(width int) int {
	if width >= namedFrom {
		return 26
	}
	return 2
}

func (m *Model) warned(r *Row, width int) string {
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

func (m *Model) assignee(s *criteria.Set) string {
	switch s.Assignee {
	case "":
		return ""
	case m.who:
		return "→ you"
	}
	return "→ " + widget.Line(string(s.Assignee))
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

// stateText is a glyph and a word, so that no colour is needed.
func (m *Model) stateText(s *criteria.Set, long bool) string {
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

// savingText is what is not saved yet, or why it is not.
func (m *Model) savingText() string {
	t := m.theme
	switch s := m.saving; {
	case s.Err != nil:
		return t.Bad.Render("NOT SAVED: "+widget.Line(s.Err.Error())) + t.Faint.Render(m.Keyed(" {ctrl+s} tries again "))
	case s.Pending > 0:
		return t.Faint.Render("saving… ")
	case !s.At.IsZero():
		return t.Faint.Render("saved " + s.At.Local().Format("15:04:05") + " ")
	}
	return ""
}

// shelfLines are the datasets to choose from.
func (m *Model) shelfLines() []string {
	t := m.theme
	switch {
	case m.err != nil:
		return []string{"", " " + t.Bad.Render(widget.Line(m.err.Error()))}
	case m.loading || !m.known:
		return []string{"", t.Faint.Render("  reading the samples and their criteria…")}
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

func (m *Model) shelfHeight() int { return max(1, m.height-3) }
