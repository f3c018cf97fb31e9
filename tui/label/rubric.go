package label

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

func (m *Model) isGraded() bool { return m.Session.Own.Queue().Rule.From == annotate.FromCriteria }

// ownGrades is the person's verdict on a criterion as it is worded; false without one.
func ownGrades(iv *itemView, pg *itemPage, i int) ([]annotate.Grade, bool) {
	if i < 0 || i >= len(pg.Item.Rubric) {
		return nil, false
	}
	of := eval.Either(iv.rules, iv.Session.Own.State().Ruled, iv.Session.Own.State().Grades)
	return annotate.SelectGrades(pg.Item.Rubric[i:i+1], of[pg.Item.Key])
}

// showNextUngraded goes to the next criterion without a verdict, and stays where there is none.
func (iv *itemView) showNextUngraded() {
	pg := iv.FrontBody()
	if pg == nil || !labeloption.IsGraded(&pg.Item) {
		return
	}
	n := len(pg.Item.Rubric)
	for i := range n {
		if at := (max(iv.at, -1) + 1 + i) % n; lacksVerdict(iv, pg, at) {
			iv.showCriterion(pg, at)
			return
		}
	}
	iv.showCriterion(pg, max(0, min(iv.at, n-1)))
}

func lacksVerdict(iv *itemView, pg *itemPage, i int) bool {
	_, has := ownGrades(iv, pg, i)
	return !has
}

// showCriterion puts a criterion in front: its lines are the first that are shown of
// those that do not fit. The question stays above it as long as there is room for both.
func (iv *itemView) showCriterion(pg *itemPage, i int) {
	iv.at = i
	iv.Turns++
	g := iv.newItemLayout(pg)
	from := len(wrapQuestion(pg, g.column))
	for k := i; k < len(pg.Item.Rubric); k++ {
		from -= len(wrapCriterion(pg, k, g.column))
	}
	if g.form == halved && from+len(wrapCriterion(pg, i, g.column)) < iv.questionRows(pg, g) {
		from = 0
	}
	iv.top[questionPane] = from
}

// questionRows is the room of question and criteria over verdicts, with the line that says what is shown.
func (iv *itemView) questionRows(pg *itemPage, g itemLayout) int {
	return g.main - len(iv.layOutOptions(pg, g.options, max(1, g.main/3)).lines) - 1
}

// stepCriterion goes to the criterion before or behind.
func (m keyActions) stepCriterion(key string) tea.Cmd {
	by := eval.Either(key == "up", -1, 1)
	pg := m.FrontBody()
	m.item.showCriterion(pg, max(0, min(m.item.at+by, len(pg.Item.Rubric)-1)))
	return nil
}

// gradeCriterion says whether the criterion in front is met.
func (m keyActions) gradeCriterion(v eval.Verdict) tea.Cmd {
	pg, before := m.FrontBody(), m.FrontIndex()
	c := pg.Item.Rubric[max(0, m.item.at)]
	if v == eval.Partial && !c.Partial {
		m.Refusal = "this criterion is met or not: it does not say what it counts in part"
		return nil
	}
	cmd := m.Work.GradeCriterion(annotate.Grade{Criterion: c.Name, Hash: c.Hash, Verdict: v}, pg.Item.Rubric)
	if m.FrontIndex() == before {
		m.item.showNextUngraded()
	}
	return cmd
}

// criterionMargin is the width of the marks before a criterion.
const criterionMargin = 4

// wrapCriterion gives a criterion behind its marks, unstyled.
func wrapCriterion(pg *itemPage, i, width int) []string {
	return widget.WrapText(annotation.CutLongText(pg.Item.Rubric[i].Text), max(1, width-criterionMargin))
}

// drawCriteria draws the criteria with the person's verdicts, and a mark at the one in front.
func drawCriteria(iv *itemView, pg *itemPage, width int) (out []string) {
	t := iv.Theme
	for i := range pg.Item.Rubric {
		mark, style := "○", t.Text
		if g, ok := ownGrades(iv, pg, i); ok {
			mark, style = map[eval.Verdict]string{eval.Met: "✓", eval.Partial: "◐", eval.Unmet: "✗", eval.Unable: "?"}[g[0].Verdict], t.Faint
		}
		lead := "  " + mark + " "
		if i == iv.at {
			lead, style = t.Title.Render("› ")+mark+" ", t.Strong
		}
		for _, l := range wrapCriterion(pg, i, width) {
			out = append(out, lead+style.Render(l))
			lead = strings.Repeat(" ", criterionMargin)
		}
	}
	return out
}

// drawHalves draws the answer at the left, with the picture over it, and question, criteria
// and verdicts at the right.
func drawHalves(iv *itemView, pg *itemPage, g itemLayout) ([]string, paneExtent) {
	v := paneExtent{focus: iv.focus, answer: g.keep - 1}
	v.options = iv.layOutOptions(pg, g.options, max(1, g.main/3))
	right := g
	right.pane, right.lines = g.column, g.keep // the answer scrolls by itself
	asked := iv.drawQuestionPart(right, iv.drawQuestion(pg, g.column), iv.questionRows(pg, g), &v)
	text := append(widget.FitBox(asked, g.column, min(len(asked)+1, g.main-len(v.options.lines))), v.options.lines...)
	left := iv.drawAnswer(pg, g, v)
	if g.picture.rows > 0 {
		left = append(iv.Gallery.PictureLines(pg.Page, g.picture.cols, g.picture.rows), left...)
	}
	return iv.Theme.DrawBeside(left, text, g.pane, iv.Width, g.main), v
}

// formatGradedCount gives how many criteria of the item have a verdict.
func formatGradedCount(iv *itemView, pg *itemPage) string {
	n := 0
	for i := range pg.Item.Rubric {
		if !lacksVerdict(iv, pg, i) {
			n++
		}
	}
	return fmt.Sprintf("  %d of %d criteria", n, len(pg.Item.Rubric))
}

// standingReading is the reading that stands for the item in front, or for the criterion that is graded.
func (iv *itemView) standingReading() annotate.Reading {
	if pg := iv.FrontBody(); pg != nil && labeloption.IsGraded(&pg.Item) {
		if g, ok := ownGrades(iv, pg, iv.at); ok {
			return annotate.Reading{Kind: annotate.Graded, Grades: g}
		}
		return annotate.Reading{}
	}
	l, _ := iv.OwnLabel()
	return l.Reading
}

// queueEnd is what is shown at the end of the queue.
type queueEnd struct {
	*annotation.QueueSession[itemPage]
	deps    Deps
	summary queueSummary
}

// formatOwnCounts gives what the annotator has said, in numbers.
func (e *queueEnd) formatOwnCounts() string {
	c := e.Session.Tally()
	var parts []string
	if own := e.Session.Own.Queue().Labels; own.Name != "" {
		said := make(map[eval.Choice]int)
		for _, l := range e.Session.Own.State().Labels {
			said[l.Reading.Choice]++
		}
		return eval.JoinList(own.Options, func(o eval.Option) string {
			return widget.CleanLine(o.Text) + " " + widget.FormatCount(said[o.Letter])
		})
	}
	for _, v := range []annotate.ReadingKind{
		annotate.PickedOption, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused,
	} {
		name := eval.Either(v == annotate.PickedOption, "one option", v.String())
		parts = append(parts, fmt.Sprintf("%s %s", name, widget.FormatCount(c.Verdicts[v])))
	}
	if n := c.Verdicts[annotate.Graded]; n > 0 {
		return "graded " + widget.FormatPlural(n, "response")
	}
	if n := c.Verdicts[annotate.Scored]; n > 0 {
		return "scored " + widget.FormatCount(n)
	}
	return strings.Join(parts, ", ")
}

// drawJudgeAgreement draws how often each judge reads what the annotator does.
func (e *queueEnd) drawJudgeAgreement() []string {
	t := e.Theme
	out := []string{" " + t.Strong.Render("The judges' extracted answers and yours")}
	switch {
	case e.summary.err != nil:
		return append(out, " "+t.Bad.Render(widget.CleanLine(e.summary.err.Error())))
	case !e.summary.done:
		return append(out, " "+t.Faint.Render("comparing…"))
	case len(e.summary.against) == 0:
		on := " --dataset " + widget.CleanLine(string(e.Session.Own.Queue().Rule.Dataset))
		if e.Session.Tally().Verdicts[annotate.Scored] > 0 {
			out = append(out, " "+t.Faint.Render("No judge has scored these answers yet. Its scores come by"))
			return append(out, " "+t.Faint.Render("  concord judge scores"+on+" --judge NAME"))
		}
		out = append(out, " "+t.Faint.Render("No judge has read these answers yet: on the runs (h) J has one read them."))
		return append(out, " "+t.Faint.Render("  or concord import judgments FILE"+on))
	}
	against := slices.Clone(e.summary.against)
	slices.SortFunc(against, func(a, b agreement) int { return strings.Compare(a.extractor, b.extractor) })
	wide := min(28, eval.MaxOf(against, func(a agreement) int { return widget.TextWidth(widget.CleanLine(a.extractor)) }))
	for _, a := range against {
		r := stat.NewRate(a.agree, a.n)
		line := fmt.Sprintf(" %s  %s of %s agree  %s  [%.1f, %.1f]", widget.FitWidth(widget.CleanLine(a.extractor), wide),
			widget.FormatCount(a.agree), widget.FormatCount(a.n), widget.FormatPercent(r.Value), 100*r.Low, 100*r.High)
		if left := len(e.Session.Own.State().Labels) - a.n; left > 0 {
			line += t.Faint.Render(fmt.Sprintf("  %s not read", widget.FormatCount(left)))
		}
		out = append(out, line)
	}
	return out
}

// loadReadingsAtEnd reveals the judges' readings of all that was answered, once the queue is done and its
// end is in front. How the rules do on what they mostly cannot read takes that report to say.
func (e *queueEnd) loadReadingsAtEnd() tea.Cmd {
	s := e.Session
	if e.Growing || s.Own.Queue().Rule.From == annotate.FromCriteria || s.Walk.Len() == 0 || s.Walk.CountOpen() > 0 || e.FrontIndex() >= 0 || e.summary.asked && e.summary.acts == e.Acts {
		return nil
	}
	e.summary = queueSummary{asked: true, acts: e.Acts}
	ctx, d := e.Context(), e.deps
	st := annotate.State{Labels: maps.Clone(s.Own.State().Labels)}
	return func() tea.Msg {
		out := compared{of: e}
		for k := range st.Labels {
			r, err := blind.LoadAfterAnswer(st, k, func() (blind.Revealed, error) {
				return d.Revealer.ReadMachinesForTotals(ctx, d.Queue, k)
			})
			if err != nil {
				out.err = err
				break
			}
			for _, x := range eval.Select(r.Readings, func(x blind.MachineReading) bool { return x.Judge }) {
				a := eval.FindOrAdd(&out.against, func(a *agreement) bool { return a.extractor == x.Extractor }, func() agreement { return agreement{extractor: x.Extractor} })
				a.n++
				if x.Agrees {
					a.agree++
				}
			}
		}
		return out
	}
}

// toggleReveal opens and closes the machine's readings.
func (m keyActions) toggleReveal(string) tea.Cmd {
	ctx, d := m.Context(), m.deps
	m.item.top[panelPane] = 0
	return m.item.reveal.ToggleReveal(func(k annotate.ItemKey) (annotate.Act, func() (blind.Revealed, error), error) {
		return m.Session.PrepareReveal(k, func(truth bool) (blind.Revealed, error) {
			return d.Revealer.Reveal(ctx, d.Queue, k, truth)
		})
	})
}

// agreement is how often a judge reads what the annotator does.
type agreement struct {
	extractor string
	agree, n  int
}

// queueSummary is what is shown when a queue is done.
type queueSummary struct {
	asked   bool
	acts    int // made when it was asked for
	done    bool
	against []agreement
	err     error
}

type compared struct {
	of      *queueEnd
	against []agreement
	err     error
}
