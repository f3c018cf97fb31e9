package home

import (
	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

func runTable(m *projectBoard) widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "state", Width: 9},
			{Title: "model", Width: 12, Grow: 3, Name: true},
			{Title: "dataset", Width: 8, Grow: 2, Name: true},
			{Title: "strategy", Width: 8, Least: 126},
			{Title: "given", Width: 5, Least: givenLeast},
			{Title: "", Width: m.barWidth()},
			{Title: "", Width: 5, Right: true},
			{Title: "questions", Width: 13, Right: true, Least: 116},
			{Title: "errors", Width: 6, Right: true, Least: 66},
			{Title: "rate", Width: 7, Right: true, Least: 74},
			{Title: "left", Width: 10, Right: true, Least: 90},
			{Title: "cost", Width: 9, Right: true, Least: 102},
			{Title: "unparsed", Width: 10, Right: true, Least: 150},
		},
		Empty: describeNoRuns(m),
	}
}

// describeNoRuns says how to get a first run.
func describeNoRuns(m *projectBoard) string {
	if m.filter.IsOn() {
		return "No run is left by the filter: esc shows everything again."
	}
	out := "No runs yet. "
	if m.Scheduler != nil && !m.Import && len(m.datasets.rows) > 0 {
		return out + m.SpellText("{n} asks a model the questions of a dataset below.")
	}
	if m.Scheduler != nil && len(m.datasets.rows) > 0 {
		return out + m.SpellText("{n} asks a model the questions of a dataset below;\n{i} imports predictions that you have already.")
	}
	if m.Scheduler != nil && m.Import {
		return out + m.SpellText("{n} asks a model questions that were imported; {i} imports a file:\nquestions, or predictions that you have already.")
	}
	return out + "On the command line:\n  concord import predictions FILE --dataset N --model M\n" +
		"or look at a ready project:\n  concord demo"
}

func runCells(m *projectBoard, row *Row) []string {
	r := *row
	t, c, p := m.theme, r.Run.Config, r.Progress
	sign, style := job.StateGlyph(t, stateText(r))
	done, total := p.Questions()
	work, whole := countWorked(r)
	rate, left := "", ""
	if p.State == eval.Running {
		rate = widget.FormatRate(p.Rate)
		if d, ok := p.ETA(); ok {
			left = widget.FormatDuration(d)
		}
	}
	errs := widget.FormatCount(p.Counts.Failures)
	if p.Counts.Failures > 0 {
		errs = t.Bad.Render(errs)
	}
	return []string{
		style.Render(sign),
		style.Render(stateText(r)),
		formatModel(r),
		m.formatDataset(r),
		c.Strategy.String(),
		c.Modality.String(),
		t.DrawBar(m.barWidth(), widget.ShareOf(work, whole)),
		formatPercent(work, whole),
		widget.FormatCount(done) + "/" + widget.FormatCount(total),
		errs,
		rate,
		left,
		formatSpent(r),
		widget.FormatCount(p.Counts.Unparsable()),
	}
}

// givenLeast is the width of the list from which on there is a column for what
// the model is given.
const givenLeast = 138

// formatSpent gives what a run cost; nothing for one that asked nobody.
func formatSpent(r Row) string {
	if r.Run.Config.Origin != eval.Asked && r.Progress.Cost == 0 {
		return ""
	}
	return formatAmount(r.Progress)
}

// formatModel gives a run's model, with the mark of what is synthetic.
func formatModel(r Row) string {
	name := widget.CleanLine(r.Run.Config.Model)
	if r.Run.Config.Synthetic {
		name = mark + name
	}
	return name
}

// formatDataset gives a run's dataset, with what the model is given where that is not
// the pictures and no column says so: runs are told apart by it.
func (m *projectBoard) formatDataset(r Row) string {
	name := widget.CleanLine(string(r.Run.Config.Dataset))
	if g := describeInput(r); g != "" && m.listWidth() < givenLeast {
		return g + ": " + name
	}
	return name
}
