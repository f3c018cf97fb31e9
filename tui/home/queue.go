package home

import (
	"fmt"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

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
	s.AddField("from", describeOrigin(q))
	s.AddField("drawn", formatDrawn(q))
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

// DrawGuideline draws a free line and the guideline of a queue as it stands.
func DrawGuideline(t *widget.Theme, q *Queue, width int) []string {
	if q.Guideline.Version == 0 {
		return nil
	}
	s := widget.Sheet{Theme: t, Width: min(width, 100), Out: []string{"", t.DrawSection("Guideline", fmt.Sprintf("version %d", q.Guideline.Version), false, width)}}
	s.AddText(t.Text.Render, q.Guideline.Text)
	return s.Out
}

// describeOrigin describes what a queue was drawn from.
func describeOrigin(q *Queue) string {
	from := q.Rule.From.String()
	if q.Rule.Rules != "" && q.Rule.From != annotate.FromCriteria { // no rule reads what criteria grade
		from += " of " + q.Rule.Rules
	}
	return from + " on " + string(q.Rule.Dataset)
}

// formatDrawn gives how many were drawn out of how many.
func formatDrawn(q *Queue) string {
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
	sign := t.Accent.Render("○")
	if q.Items > 0 && q.Labelled >= q.Items {
		sign = t.Good.Render("✓")
	}
	name := widget.CleanLine(string(q.Name))
	if q.Synthetic {
		name = mark + name
	}
	items := widget.FormatCount(q.Items)
	if q.Growing {
		items += "+"
	}
	return []string{
		sign, name, widget.CleanLine(string(q.Rule.Dataset)), items,
		t.DrawBar(m.barWidth(), widget.ShareOf(q.Labelled, q.Items)), formatPercent(q.Labelled, q.Items),
		widget.FormatCount(q.Annotators), q.Stratum.DisplayName(),
	}
}
