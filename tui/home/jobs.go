package home

import (
	"concord/tui/job"
	"concord/tui/widget"
)

func newJobTable(m *projectBoard) widget.Table {
	return widget.Table{Columns: job.ListColumns(m.barWidth())}
}

// drawJobDetail draws the pane of a job.
func drawJobDetail(m *projectBoard, j *job.Row, width int) []string {
	t := m.theme
	sign, style := job.StateGlyph(t, j.StateText())
	name := widget.CutWidth(j.Title(), max(8, width-widget.TextWidth(j.StateText())-6))
	line := t.Strong.Render(name) + "  " + style.Render(sign+" "+j.StateText())
	out := []string{widget.CutWidth(line, width), t.DrawField("sees", j.BallotText()+t.Faint.Render(" · "+widget.CleanLine(string(j.Dataset))), job.NameWidth)}
	out = append(out, j.DrawOverview(t, &m.Spelling, width, m.seen)...)
	return append(out, "", t.Key.Render(m.SpellKey("enter"))+t.KeyText.Render(" shows results, positions and what could not be read"))
}
