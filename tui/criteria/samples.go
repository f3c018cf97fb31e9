package criteria

import (
	"fmt"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// paneHalves are the rooms of the list and of the detail of what is in front, which has a third of
// a small screen: the list cuts questions.
func (m *sampleBrowser) paneHalves() widget.Halves {
	return widget.SplitListAndDetail(m.width, m.height, min(headLines+max(2, len(m.list.lines)), m.height*2/3)).WidenList(m.width / 10)
}

func (m *sampleBrowser) listHeight() int { return max(1, m.paneHalves().List.Height-headLines) }

// listColumns are the widths of the columns that some sample of the dataset fills; the others have none.
type listColumns struct{ state, id, kind, assignee, authors, review int }

// widenForSample widens the columns for a sample.
func (c *listColumns) widenForSample(r *Row) {
	c.state = max(c.state, 2+len(stateName(r.Set.State, true)))
	c.id = max(c.id, min(24, len(r.Sample.ID)))
	widen := func(column *int, is bool, wide int) {
		if is {
			*column = wide
		}
	}
	widen(&c.kind, r.Set.QuestionType(&r.Sample) != eval.TypeUnset, 6)
	widen(&c.assignee, r.Set.Assignee != "", 10)
	widen(&c.authors, len(r.Set.Authors()) > 0, 12)
	widen(&c.review, r.Set.Round > 0 || len(r.Set.Requests) > 0, 6)
}

// drawSampleLine is a sample in a line; what is named first is dropped last.
func drawSampleLine(m *sampleSet, r *Row, columns listColumns, depth, width int) string {
	t, s := m.theme, &r.Set
	state := eval.Either(width >= 100, max(11, columns.state), 11)
	review := eval.Either(s.Round > 0, fmt.Sprintf("r%d", s.Round), "")
	if n := len(s.Requests); n > 0 {
		review += fmt.Sprintf(" %d?", n)
	}
	cells := []cell{
		{formatState(m, s, width >= 100), state, 0},
		{widget.CleanLine(string(r.Sample.ID)), max(5, min(columns.id, width/5)), 0},
		{shortTypeNames[s.QuestionType(&r.Sample)], columns.kind, 66},
		{formatAssignee(m, s), columns.assignee, 76},
		{joinNames(s.Authors()), columns.authors, 110},
		{review, columns.review, 90},
		{formatWarnings(m, r, width), eval.Either(width >= namedFrom, 26, 2), 0},
	}
	out := strings.Repeat("  ", depth)
	for _, c := range cells {
		out += eval.Either(width >= c.least && c.wide > 0, widget.FitWidth(c.text, c.wide)+"  ", "")
	}
	question := widget.CleanLine(cutToBytes(r.Sample.Question, 400))
	if s.Removed != nil {
		question = t.Faint.Render(describeRemoval(s))
	}
	return out + widget.CutWidth(question, max(1, width-widget.TextWidth(out)))
}

func describeRemoval(s *criteria.Set) string {
	text := "discarded: " + widget.CleanLine(s.Removed.Reason)
	return eval.Either(s.Removed.By != "", "replaced by "+widget.CleanLine(string(s.Removed.By))+"; "+text, text)
}

func formatWarnings(m *sampleSet, r *Row, width int) string {
	switch n := len(r.Disputed); {
	case n > 0 && width < namedFrom:
		return m.theme.Warn.Render("≠" + strconv.Itoa(n))
	case n > 0:
		return m.theme.Warn.Render("≠ " + widget.CleanLine(strings.Join(r.Disputed, ", ")))
	}
	ws := m.listWarnings(r)
	if r.Set.Removed != nil || len(ws) == 0 {
		return ""
	}
	text := fmt.Sprintf("!%d", len(ws))
	text += eval.Either(width >= namedFrom, " "+m.describeWarning(ws[0], r), "")
	return m.theme.Warn.Render(text)
}

func formatAssignee(m *sampleSet, s *criteria.Set) string {
	switch s.Assignee {
	case "":
		return ""
	case m.who:
		return "for you"
	}
	return "for " + widget.CleanLine(string(s.Assignee))
}

// formatState gives a glyph and a word, so that no colour is needed.
func formatState(m *sampleSet, s *criteria.Set, long bool) string {
	t := m.theme
	if s.Removed != nil {
		return t.Faint.Render("╳ discarded")
	}
	style := map[criteria.State]widget.CachedStyle{
		criteria.Unwritten: t.Faint, criteria.Draft: t.Text, criteria.InReview: t.Accent, criteria.ChangesRequested: t.Warn,
		criteria.Approved: t.Good, criteria.Checked: t.Good,
	}[s.State]
	return style.Render(stateGlyphs[s.State] + " " + stateName(s.State, long))
}

var stateGlyphs = map[criteria.State]string{
	criteria.Unwritten: "○", criteria.Draft: "◔", criteria.InReview: "◑", criteria.ChangesRequested: "↺", criteria.Approved: "✓", criteria.Checked: "◆",
}

// formatSaving gives what is not saved yet, or why it is not.
func (m *sampleSet) formatSaving() string {
	t := m.theme
	switch s := m.saving; {
	case s.Err != nil:
		return t.Bad.Render("NOT SAVED: "+widget.CleanLine(s.Err.Error())) + t.Faint.Render(m.SpellText(" {save_again} tries again "))
	case s.Pending > 0:
		return t.Faint.Render("saving… ")
	case !s.At.IsZero():
		return t.Faint.Render("saved " + s.At.Local().Format("15:04:05") + " ")
	}
	return ""
}

// drawGroupDetail gives how many samples of a group are in which state.
func drawGroupDetail(m *sampleSet, g *criteria.Group, width int) []string {
	name := "all samples"
	if n := len(g.Path); n > 0 {
		name = widget.CleanLine(eval.JoinPath(g.Path))
	}
	s := widget.Sheet{Theme: m.theme, Width: width, Out: []string{m.theme.DrawSection(name, widget.FormatPlural(g.Samples, "sample"), false, width)}}
	for x, n := range g.States {
		if n > 0 {
			s.AddField(stateName(criteria.State(x), false), widget.FormatCount(n))
		}
	}
	if g.Discarded > 0 {
		s.AddField("discarded", fmt.Sprintf("%s, %s replaced", widget.FormatCount(g.Discarded), widget.FormatCount(g.Replaced)))
	}
	if g.Wanted > 0 {
		s.AddField("quota", widget.FormatCount(g.Wanted))
	}
	return s.Out
}

// headLines stand over the list: title, what waits for the person, filter.
const headLines = 3

func bracketIf(t *widget.Theme, text string, on bool) string {
	return eval.Either(on, t.Accent.Render("["+text+"]"), t.Faint.Render(text))
}

// cell is a cell of a sample's line, shown from a width on.
type cell struct {
	text        string
	wide, least int
}

// cutToBytes gives the beginning of a text: enough for a line.
func cutToBytes(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// namedFrom is the width from which rows name a warning.
const namedFrom = 150

func joinNames(who []annotate.Annotator) string {
	return eval.JoinList(who, func(w annotate.Annotator) string { return widget.CleanLine(string(w)) })
}

var shortTypeNames = map[eval.QuestionType]string{
	eval.TypeUnset: "–", eval.OpenEnded: "open", eval.ClosedEnded: "closed", eval.Compound: "comp.",
}

// shortStateNames are the states whose names are longer where there is room.
var shortStateNames = map[criteria.State]string{criteria.InReview: "review", criteria.ChangesRequested: "changes"}

func stateName(s criteria.State, long bool) string {
	if short := shortStateNames[s]; short != "" && !long {
		return short
	}
	return strings.ReplaceAll(s.String(), "_", " ")
}
