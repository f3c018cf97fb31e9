package home

import (
	"concord/tui/job"
	"concord/tui/widget"
)

func jobTable(m *board) widget.Table {
	return widget.Table{Columns: job.Columns(m.barWidth())}
}

// jobDetail is the pane of a job.
func jobDetail(m *board, j *job.Row, width int) []string {
	t := m.theme
	sign, style := j.Glyph(t)
	name := widget.Cut(j.Title(), max(8, width-widget.Width(j.State())-6))
	line := t.Strong.Render(name) + "  " + style.Render(sign+" "+j.State())
	out := []string{widget.Cut(line, width), t.Field("sees", j.Ballot()+t.Faint.Render(" · "+widget.Line(string(j.Dataset))), job.NameWidth)}
	out = append(out, j.Overview(t, &m.Spelling, width, m.seen)...)
	return append(out, "", t.Key.Render(m.Spelled("enter"))+t.KeyText.Render(" shows results, positions and what could not be read"))
}
