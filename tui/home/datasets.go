package home

import (
	"concord/eval"
	"concord/tui/widget"
)

func datasetTable(*board) widget.Table {
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

func datasetCells(m *board, d *eval.Dataset) []string {
	sign, name := m.theme.Accent.Render("○"), widget.Line(string(d.Name))
	if !d.Complete {
		sign = m.theme.Warn.Render("!")
	}
	if d.Synthetic {
		name = mark + name
	}
	return []string{sign, name, widget.Count(d.Samples), widget.Count(d.NoTruth), widget.Line(d.Origin)}
}

// datasetDetail is what is known of a dataset, and what can be made of it.
func datasetDetail(m *board, d *eval.Dataset, width int) []string {
	t := m.theme
	out := []string{t.Section("Dataset "+widget.Line(string(d.Name)), "no run yet", false, width)}
	field := func(name, text string) { out = append(out, m.field(name, text, width)...) }
	field("samples", widget.Count(d.Samples))
	if d.NoTruth > 0 {
		field("answers", "none known of "+widget.Count(d.NoTruth)+": these enter no accuracy")
	}
	if d.Origin != "" {
		field("from", widget.Line(d.Origin))
	}
	hint := func(key, text string) {
		out = append(out, t.Key.Render(m.Spelled(key))+t.KeyText.Render(" "+text))
	}
	out = append(out, "")
	switch {
	case !d.Complete:
		out = append(out, m.styled("", "! its import has not come to its end: importing the file again continues it", width, t.Warn.Render)...)
	case m.Scheduler != nil:
		hint("n", "starts a run: a model is asked its questions")
	default:
		out = append(out, m.styled("", "On the command line: concord eval --dataset "+string(d.Name)+" --model M", width, t.Text.Render)...)
	}
	if m.Import {
		hint("i", "imports a file: predictions, too, that you have already")
	}
	return out
}
