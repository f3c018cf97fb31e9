package label

import (
	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// finished is what stands where no item is in front.
func (m *Model) finished(height int) []string {
	t, s := m.Theme, m.Session
	w := annotation.Words{
		Waiting: "Waiting for responses",
		Comes:   "An evaluation is running. Answers that its rules cannot read arrive here by themselves.",
	}
	if s.Own.Queue().Rule.From == annotate.FromUnparsable {
		w.Nothing = "It has no items: the rules can read every answer that it was drawn from."
	}
	out := m.Head.Finished(w)
	if n := s.Walk.Len() - s.Walk.Open(); n > 0 {
		out = append(out, "")
		out = append(out, m.Tally(m.end.verdictCounts())...)
	}
	differ := " " + t.Key.Render(m.Spelled("open")) + "  disagreements between people and extractors, to open and to adjudicate"
	switch {
	case m.Done():
		out = append(out, "")
		out = append(out, m.end.alignment()...)
		out = append(out, "")
		if !m.deps.Apart {
			out = append(out, differ, " "+t.Key.Render(m.Spelled("next_tab"))+"  the report: how far the extracted answers can be trusted")
		}
		out = append(out, " "+t.Key.Render(m.Spelled("previous"))+"  back to the last item, "+t.Key.Render(m.Spelled("reveal"))+" there shows the extracted answer",
			" "+t.Key.Render(m.Spelled("undo"))+"  undo the last thing you did")
	case m.noCompare() == "" && s.Own.Queue().Items > 0:
		out = append(out, "", differ)
	}
	return widget.Block(out, m.Width, height)
}
