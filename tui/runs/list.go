package runs

import (
	"fmt"

	"concord/eval"
	"concord/tui/widget"
)

// barWidth is the width of the bars within tables.
const barWidth = 12

func (m *Model) runTable() widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "state", Width: 9, Least: 100},
			{Title: "model", Width: 14, Grow: 3},
			{Title: "dataset", Width: 8, Grow: 2},
			{Title: "strategy", Width: 8, Least: 64},
			{Title: "given", Width: 5, Least: 128},
			{Title: "questions", Width: barWidth},
			{Title: "", Width: 5, Right: true},
			{Title: "answers", Width: 9, Right: true, Least: 74},
			{Title: "unparsable", Width: 10, Right: true, Least: 104},
			{Title: "failed", Width: 7, Right: true, Least: 120},
			{Title: "rate", Width: 7, Right: true, Least: 88},
		},
		Rows:    len(m.rows),
		Row:     func(i int) []string { return m.cells(m.rows[i]) },
		Cursor:  m.runAt,
		Focused: !m.onQueues,
		Empty: "No runs yet. Import predictions:\n  concord import predictions FILE --dataset N --model M\n" +
			"or look at a ready project:\n  concord demo",
	}
}

func (m *Model) cells(r Row) []string {
	t, c, p := m.theme, r.Run.Config, r.Progress
	sign, style := glyph(t, r)
	done, total := p.Questions()
	rate := ""
	if p.State == eval.Running {
		rate = widget.Rate(p.Rate)
	}
	return []string{
		style.Render(sign),
		style.Render(state(r)),
		model(r),
		widget.Line(string(c.Dataset)),
		c.Strategy.String(),
		c.Modality.String(),
		t.Bar(barWidth, share(done, total)),
		percent(done, total),
		widget.Count(p.Counts.Predictions),
		widget.Count(p.Counts.Unparsable()),
		widget.Count(p.Counts.Failures),
		rate,
	}
}

func (m *Model) queueTable() widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "queue", Width: 12, Grow: 3},
			{Title: "dataset", Width: 8, Grow: 2},
			{Title: "items", Width: 7, Right: true},
			{Title: "yours", Width: barWidth},
			{Title: "", Width: 5, Right: true},
			{Title: "people", Width: 6, Right: true, Least: 74},
			{Title: "stratum", Width: 8, Least: 96},
		},
		Rows:    len(m.queues),
		Row:     func(i int) []string { return m.queueCells(m.queues[i]) },
		Cursor:  m.queueAt,
		Focused: m.onQueues,
		Empty:   "No queues yet. Make one of what the rules could not read:\n  concord queue create NAME --dataset N --from unparsable",
	}
}

func (m *Model) queueCells(q Queue) []string {
	t := m.theme
	sign := t.Accent.Render("○")
	if q.Items > 0 && q.Labelled >= q.Items {
		sign = t.Good.Render("✓")
	}
	name := widget.Line(string(q.Name))
	if q.Synthetic {
		name = mark + name
	}
	items := widget.Count(q.Items)
	if q.Growing {
		items += "+"
	}
	return []string{
		sign, name, widget.Line(string(q.Rule.Dataset)), items,
		t.Bar(barWidth, share(q.Labelled, q.Items)), percent(q.Labelled, q.Items),
		widget.Count(q.Annotators), q.Stratum.String(),
	}
}

// mark stands before names of what is synthetic: a name may be cut at its
// end.
const mark = "*"

// model is a run's model, with the mark of what is synthetic.
func model(r Row) string {
	name := widget.Line(r.Run.Config.Model)
	if r.Run.Config.Synthetic {
		name = mark + name
	}
	return name
}

// note stands beside the title of a list: how many, and what the mark means.
func note(n int, marked bool) string {
	if marked {
		return widget.Count(n) + "  " + mark + " synthetic"
	}
	return widget.Count(n)
}

// title names a run in messages.
func title(r Row) string {
	return fmt.Sprintf("%s on %s", widget.Line(r.Run.Config.Model), widget.Line(string(r.Run.Config.Dataset)))
}

func share(k, n int) float64 {
	if n <= 0 {
		return 0
	}
	return float64(k) / float64(n)
}

// percent is whole percents; less than all is never 100.
func percent(k, n int) string {
	if n <= 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", 100*k/n)
}
