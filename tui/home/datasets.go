package home

import (
	"concord/eval"
	"concord/tui/widget"
)

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
