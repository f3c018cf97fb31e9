package home

import (
	"slices"
	"strings"

	"concord/eval"
	"concord/tui/widget"
)

// judges are how far each judge has come with what the rules could not read.
func (o *overview) judges() []string {
	if len(o.r.Progress.Judges) == 0 {
		return o.unjudged()
	}
	p := o.r.Progress
	p.Judges = slices.Clone(p.Judges) // those at work before the others
	slices.SortStableFunc(p.Judges, func(a, b eval.JudgeProgress) int { return rank(a) - rank(b) })
	if o.short {
		return o.judgeLines(p)
	}
	columns := []widget.Column{{Title: "judge", Width: 8, Grow: 1, Name: true}}
	for _, s := range says(p) {
		columns = append(columns, widget.Column{Title: s.name, Width: max(6, len(s.name)), Right: true})
	}
	table := widget.Table{
		Columns: columns,
		Rows:    len(p.Judges),
		Row: func(i int) []string {
			cells := []string{widget.Line(p.Judges[i].Judge)}
			for _, s := range says(p) {
				cells = append(cells, widget.Count(s.count(p.Judges[i].Counts)))
			}
			return cells
		},
		Cursor: widget.Cursor{At: -1},
	}
	out := []string{""}
	for _, l := range o.m.theme.Table(table, min(o.width, 80)+2, len(p.Judges)+1) {
		out = append(out, strings.TrimPrefix(l, "  "))
	}
	return out
}

func rank(j eval.JudgeProgress) int {
	if j.Asked {
		return 0
	}
	return 1
}

// unjudged says how a run that nobody has judged is judged, and how people come
// to label what nobody could read.
func (o *overview) unjudged() []string {
	if o.r.Progress.Counts.Unparsable() == 0 || moves(o.r) || o.m.Scheduler == nil {
		return nil
	}
	t := o.m.theme
	var out []string
	drawn := func(q Queue) bool { return q.Rule.Dataset == o.r.Run.Config.Dataset }
	if !slices.ContainsFunc(o.m.queues.rows, drawn) {
		out = append(out, o.line("people", t.Faint.Render("none yet: ")+t.Key.Render(o.m.Spelled("l"))+t.KeyText.Render(" makes a queue of these for them to label")))
	}
	return append(out, o.line("judges", t.Faint.Render("none yet: ")+t.Key.Render(o.m.Spelled("J"))+t.KeyText.Render(" has some read what the rules could not")))
}

// say is something that became of predictions that a judge was to read.
type say struct {
	name  string
	count func(eval.JudgeCounts) int
}

// says are what a run's judges may have said; what they seldom say is shown
// when one of them said it. What a fallback drew is not read.
func says(p eval.Progress) []say {
	of := func(s eval.Status) func(eval.JudgeCounts) int {
		return func(c eval.JudgeCounts) int { return c.Statuses[s] }
	}
	out := []say{
		{"read", of(eval.Found)},
		{"none", of(eval.None)},
		{"unparsed", eval.JudgeCounts.Unparsed},
		{"failed", func(c eval.JudgeCounts) int { return c.Failures }},
		{"waiting", func(c eval.JudgeCounts) int { return c.Waiting(p.Counts) }},
	}
	for _, s := range []say{
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

// judgeLines are the same in one line for each judge: what is read and what
// waits, and of the rest what there is.
func (o *overview) judgeLines(p eval.Progress) []string {
	out := make([]string, 0, len(p.Judges))
	for _, j := range p.Judges {
		var first, rest []string
		for _, s := range says(p) {
			n := s.count(j.Counts)
			text := s.name + " " + widget.Count(n)
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
		called := widget.Cut(widget.Line(j.Judge), max(12, o.width-nameWidth-len(said)-3))
		out = append(out, o.line(name, called+": "+said))
	}
	return out
}
