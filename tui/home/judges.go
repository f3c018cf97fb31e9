package home

import (
	"slices"
	"strings"

	"concord/eval"
	"concord/tui/widget"
)

// drawJudges draws how far each judge has come with what the rules could not read.
func (o *overview) drawJudges() []string {
	if len(o.r.Progress.Judges) == 0 {
		return o.drawUnjudged()
	}
	p := o.r.Progress
	p.Judges = slices.Clone(p.Judges) // those at work before the others
	slices.SortStableFunc(p.Judges, func(a, b eval.JudgeProgress) int { return judgeRank(a) - judgeRank(b) })
	if o.short {
		return o.drawJudgeLines(p)
	}
	columns := []widget.Column{{Title: "judge", Width: 8, Grow: 1, Name: true}}
	for _, s := range listJudgeOutcomes(p) {
		columns = append(columns, widget.Column{Title: s.name, Width: max(6, len(s.name)), Right: true})
	}
	table := widget.Table{
		Columns: columns,
		Rows:    len(p.Judges),
		Row: func(i int) []string {
			cells := []string{widget.CleanLine(p.Judges[i].Judge)}
			for _, s := range listJudgeOutcomes(p) {
				cells = append(cells, widget.FormatCount(s.count(p.Judges[i].Counts)))
			}
			return cells
		},
		Cursor: widget.Cursor{At: -1},
	}
	out := []string{""}
	for _, l := range o.m.theme.DrawTable(table, min(o.width, 80)+2, len(p.Judges)+1) {
		out = append(out, strings.TrimPrefix(l, "  "))
	}
	return out
}

func judgeRank(j eval.JudgeProgress) int {
	if j.Asked {
		return 0
	}
	return 1
}

// drawUnjudged says how a run that nobody has judged is judged, and how people come
// to label what nobody could read.
func (o *overview) drawUnjudged() []string {
	if o.r.Progress.Counts.Unparsable() == 0 || isMoving(o.r) || o.m.Scheduler == nil {
		return nil
	}
	t := o.m.theme
	var out []string
	drawn := func(q Queue) bool { return q.Rule.Dataset == o.r.Run.Config.Dataset }
	if !slices.ContainsFunc(o.m.queues.rows, drawn) {
		out = append(out, o.drawLine("people", t.Faint.Render("none yet: ")+t.Key.Render(o.m.SpellKey("l"))+t.KeyText.Render(" makes a queue of these for them to label")))
	}
	return append(out, o.drawLine("judges", t.Faint.Render("none yet: ")+t.Key.Render(o.m.SpellKey("J"))+t.KeyText.Render(" has some read what the rules could not")))
}

// judgeOutcome is something that became of predictions that a judge was to read.
type judgeOutcome struct {
	name  string
	count func(eval.JudgeCounts) int
}

// listJudgeOutcomes lists what a run's judges may have said; what they seldom say is shown
// when one of them said it. What a fallback drew is not read.
func listJudgeOutcomes(p eval.Progress) []judgeOutcome {
	of := func(s eval.Status) func(eval.JudgeCounts) int {
		return func(c eval.JudgeCounts) int { return c.Statuses[s] }
	}
	out := []judgeOutcome{
		{"read", of(eval.Found)},
		{"none", of(eval.None)},
		{"unparsed", eval.JudgeCounts.Unparsed},
		{"failed", func(c eval.JudgeCounts) int { return c.Failures }},
		{"waiting", func(c eval.JudgeCounts) int { return c.CountWaiting(p.Counts) }},
	}
	for _, s := range []judgeOutcome{
		{"refused", of(eval.Refused)},
		{"ambiguous", of(eval.Ambiguous)},
		{"drawn", func(c eval.JudgeCounts) int { return c.Fallback }},
	} {
		if slices.ContainsFunc(p.Judges, func(j eval.JudgeProgress) bool { return s.count(j.Counts) > 0 }) {
			out = append(out, s)
		}
	}
	return out
}

// drawJudgeLines draws the same in one line for each judge: what is read and what
// waits, and of the rest what there is.
func (o *overview) drawJudgeLines(p eval.Progress) []string {
	out := make([]string, 0, len(p.Judges))
	for _, j := range p.Judges {
		var first, rest []string
		for _, s := range listJudgeOutcomes(p) {
			n := s.count(j.Counts)
			text := s.name + " " + widget.FormatCount(n)
			switch {
			case s.name == "read" || s.name == "waiting":
				first = append(first, text)
			case n > 0:
				rest = append(rest, text)
			}
		}
		name := ""
		if len(out) == 0 {
			name = "judges"
		}
		said := strings.Join(append(first, rest...), ", ")
		called := widget.CutWidth(widget.CleanLine(j.Judge), max(12, o.width-nameWidth-len(said)-3))
		out = append(out, o.drawLine(name, called+": "+said))
	}
	return out
}
