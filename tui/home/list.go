package home

import (
	"fmt"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

func newRunTable(m *projectBoard) widget.Table {
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

func makeRunCells(m *projectBoard, row *Row) []string {
	r := *row
	t, c, p := m.theme, r.Run.Config, r.Progress
	sign, style := job.StateGlyph(t, StateText(r))
	done, total := p.CountDoneQuestions()
	work, whole := countWorkDone(r)
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
		style.Render(StateText(r)),
		eval.Either(r.Run.Config.Synthetic, mark, "") + widget.CleanLine(r.Run.Config.Model),
		m.formatDataset(r),
		c.Strategy.String(),
		c.Modality.String(),
		t.DrawBar(m.barWidth(), widget.ShareOf(work, whole)),
		formatPercent(work, whole),
		widget.FormatCount(done) + "/" + widget.FormatCount(total),
		errs,
		rate,
		left,
		formatRunCost(r),
		widget.FormatCount(p.Counts.CountUnparsed()),
	}
}

// givenLeast is the width of the list from which on there is a column for what the model is given.
const givenLeast = 138

// formatRunCost gives what a run cost; nothing for one that asked nobody.
func formatRunCost(r Row) string {
	if r.Run.Config.Origin != eval.Asked && r.Progress.Cost == 0 {
		return ""
	}
	return formatCostSoFar(r.Progress)
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

func drawJobDetail(m *projectBoard, j *job.Row, width int) []string {
	t := m.theme
	sign, style := job.StateGlyph(t, j.StateText())
	name := widget.CutWidth(j.Title(), max(8, width-widget.TextWidth(j.StateText())-6))
	line := t.Strong.Render(name) + "  " + style.Render(sign+" "+j.StateText())
	out := []string{widget.CutWidth(line, width), t.DrawField("sees", j.DescribeBallot()+t.Faint.Render(" · "+widget.CleanLine(string(j.Dataset))), job.NameWidth)}
	out = append(out, j.DrawOverview(t, &m.Spelling, width, m.seen)...)
	return append(out, "", t.Key.Render(m.SpellKey("enter"))+t.KeyText.Render(" shows results, positions and what could not be read"))
}

func newDatasetTable(*projectBoard) widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "dataset", Width: 12, Grow: 3, Name: true},
			{Title: "samples", Width: 9, Right: true},
			{Title: "without an answer", Width: 17, Right: true, Least: 80},
			{Title: "from", Width: 12, Grow: 2, Name: true},
		},
	}
}

func makeDatasetCells(m *projectBoard, d *eval.Dataset) []string {
	sign, name := m.theme.Accent.Render("○"), widget.CleanLine(string(d.Name))
	if !d.Complete {
		sign = m.theme.Warn.Render("!")
	}
	if d.Synthetic {
		name = mark + name
	}
	return []string{sign, name, widget.FormatCount(d.Samples), widget.FormatCount(d.NoTruth), widget.CleanLine(d.Origin)}
}

// drawDatasetDetail draws what is known of a dataset, and what can be made of it.
func drawDatasetDetail(m *projectBoard, d *eval.Dataset, width int) []string {
	t := m.theme
	out := []string{t.DrawSection("Dataset "+widget.CleanLine(string(d.Name)), "no run yet", false, width)}
	field := func(name, text string) { out = append(out, m.drawField(name, text, width)...) }
	field("samples", widget.FormatCount(d.Samples))
	if d.NoTruth > 0 {
		field("answers", "none known of "+widget.FormatCount(d.NoTruth)+": these enter no accuracy")
	}
	if d.Origin != "" {
		field("from", widget.CleanLine(d.Origin))
	}
	hint := func(key, text string) {
		out = append(out, t.Key.Render(m.SpellKey(key))+t.KeyText.Render(" "+text))
	}
	out = append(out, "")
	switch {
	case !d.Complete:
		out = append(out, m.drawStyledField("", "! its import has not come to its end: importing the file again continues it", width, t.Warn.Render)...)
	case m.Scheduler != nil:
		hint("n", "starts a run: a model is asked its questions")
	default:
		out = append(out, m.drawStyledField("", "On the command line: concord eval --dataset "+string(d.Name)+" --model M", width, t.Text.Render)...)
	}
	if m.Import {
		hint("i", "imports a file: predictions, too, that you have already")
	}
	return out
}

// DrawQueueDetail draws what is known of a queue, and what to do with it.
func DrawQueueDetail(t *widget.Theme, keys *keymap.Spelling, q *Queue, width int) []string {
	bar := max(8, min(widget.MostBar, width-nameWidth-20))
	s := widget.Sheet{Theme: t, Width: width, Out: []string{
		t.DrawSection("Queue "+widget.CleanLine(string(q.Name)), q.Stratum.DisplayName(), false, width),
		t.DrawField("yours", fmt.Sprintf("%s %s of %s", t.DrawBar(bar, widget.ShareOf(q.Labelled, q.Items)), widget.FormatCount(q.Labelled), widget.FormatCount(q.Items)), nameWidth),
	}}
	if q.Skipped > 0 {
		s.AddField("put off", widget.FormatCount(q.Skipped))
	}
	s.AddField("from", describeDrawnFrom(q))
	s.AddField("drawn", formatDrawnCount(q))
	s.AddField("overlap", fmt.Sprintf("%s each; %d took part", widget.FormatPlural(max(1, q.Overlap), "label"), q.Annotators))
	hint := t.Key.Render(keys.SpellKey("enter")) + t.KeyText.Render(" opens it for review")
	switch pairs, done := q.Rule.From == annotate.FromPairs, q.Items > 0 && q.Labelled >= q.Items; {
	case pairs && done:
		hint = t.Good.Render("✓ all voted on by you")
	case pairs:
		hint = t.Key.Render(keys.SpellKey("enter")) + t.KeyText.Render(" opens it for votes")
	case done:
		hint = t.Good.Render("✓ all answered by you") + t.KeyText.Render("; ") + t.Key.Render(keys.SpellKey("r")) + t.KeyText.Render(" shows the alignment rate")
	}
	return append(s.Out, "", hint)
}

// DrawQueueGuideline draws a free line and the guideline of a queue as it stands.
func DrawQueueGuideline(t *widget.Theme, q *Queue, width int) []string {
	if q.Guideline.Version == 0 {
		return nil
	}
	s := widget.Sheet{Theme: t, Width: min(width, 100), Out: []string{"", t.DrawSection("Guideline", fmt.Sprintf("version %d", q.Guideline.Version), false, width)}}
	s.AddText(t.Text.Render, q.Guideline.Text)
	return s.Out
}

func describeDrawnFrom(q *Queue) string {
	from := q.Rule.From.String()
	if q.Rule.Rules != "" && q.Rule.From != annotate.FromCriteria { // no rule reads what criteria grade
		from += " of " + q.Rule.Rules
	}
	return from + " on " + string(q.Rule.Dataset)
}

// formatDrawnCount gives how many were drawn out of how many.
func formatDrawnCount(q *Queue) string {
	out := fmt.Sprintf("%s of a population of %s", widget.FormatPlural(q.Items, "item"), widget.FormatCount(q.Population))
	if q.Growing {
		out += ", growing while runs run"
	}
	if q.Synthetic {
		out += ", synthetic"
	}
	return out
}

func newQueueTable(m *projectBoard) widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "queue", Width: 12, Grow: 3, Name: true},
			{Title: "dataset", Width: 8, Grow: 2, Name: true},
			{Title: "items", Width: 7, Right: true},
			{Title: "yours", Width: m.barWidth()},
			{Title: "", Width: 5, Right: true},
			{Title: "people", Width: 6, Right: true, Least: 74},
			{Title: "stratum", Width: 8, Least: 96},
		},
		Empty: describeNoQueues(m),
	}
}

// describeNoQueues says how to get a first queue.
func describeNoQueues(m *projectBoard) string {
	if m.filter.IsOn() {
		return "No queue is left by the filter."
	}
	if m.Scheduler == nil {
		return "No queues yet. Make one of what the rules could not read:\n  concord queue create NAME --dataset N --from unparsed"
	}
	return m.SpellText("No queues yet. {l} makes one of answers to label, such as those that the rules\ncould not read; those of pairs to vote on are made where one reviews ({v}).")
}

func makeQueueCells(m *projectBoard, q *Queue) []string {
	t := m.theme
	sign := eval.Either(q.Items > 0 && q.Labelled >= q.Items, t.Good.Render("✓"), t.Accent.Render("○"))
	name := eval.Either(q.Synthetic, mark, "") + widget.CleanLine(string(q.Name))
	items := widget.FormatCount(q.Items) + eval.Either(q.Growing, "+", "")
	return []string{
		sign, name, widget.CleanLine(string(q.Rule.Dataset)), items,
		t.DrawBar(m.barWidth(), widget.ShareOf(q.Labelled, q.Items)), formatPercent(q.Labelled, q.Items),
		widget.FormatCount(q.Annotators), q.Stratum.DisplayName(),
	}
}
