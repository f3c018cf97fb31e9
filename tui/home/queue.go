package home

import (
	"fmt"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// QueueDetail is what is known of a queue, and what to do with it.
func QueueDetail(t *widget.Theme, keys *keymap.Spelling, q *Queue, width int) []string {
	bar := max(8, min(widget.MostBar, width-nameWidth-20))
	s := widget.Sheet{Theme: t, Width: width, Out: []string{
		t.Section("Queue "+widget.Line(string(q.Name)), q.Stratum.String(), false, width),
		t.Field("yours", fmt.Sprintf("%s %s of %s", t.Bar(bar, share(q.Labelled, q.Items)), widget.Count(q.Labelled), widget.Count(q.Items)), nameWidth),
	}}
	if q.Skipped > 0 {
		s.Field("put off", widget.Count(q.Skipped))
	}
	s.Field("from", origin(q))
	s.Field("drawn", drawn(q))
	s.Field("overlap", fmt.Sprintf("%s each; %d took part", widget.Plural(max(1, q.Overlap), "label"), q.Annotators))
	hint := t.Key.Render(keys.Spelled("enter")) + t.KeyText.Render(" opens it for review")
	switch pairs, done := q.Rule.From == annotate.FromPairs, q.Items > 0 && q.Labelled >= q.Items; {
	case pairs && done:
		hint = t.Good.Render("✓ all voted on by you")
	case pairs:
		hint = t.Key.Render(keys.Spelled("enter")) + t.KeyText.Render(" opens it for votes")
	case done:
		hint = t.Good.Render("✓ all answered by you") + t.KeyText.Render("; ") + t.Key.Render(keys.Spelled("r")) + t.KeyText.Render(" shows the alignment rate")
	}
	return append(s.Out, "", hint)
}

// GuidelineLines are a free line and the guideline of a queue as it stands.
func GuidelineLines(t *widget.Theme, q *Queue, width int) []string {
	if q.Guideline.Version == 0 {
		return nil
	}
	s := widget.Sheet{Theme: t, Width: min(width, 100), Out: []string{"", t.Section("Guideline", fmt.Sprintf("version %d", q.Guideline.Version), false, width)}}
	s.Text(t.Text.Render, q.Guideline.Text)
	return s.Out
}

// origin is what a queue was drawn from.
func origin(q *Queue) string {
	from := q.Rule.From.String()
	if q.Rule.Rules != "" {
		from += " of " + q.Rule.Rules
	}
	return from + " on " + string(q.Rule.Dataset)
}

// drawn is how many were drawn out of how many.
func drawn(q *Queue) string {
	out := fmt.Sprintf("%s of a population of %s", widget.Plural(q.Items, "item"), widget.Count(q.Population))
	if q.Growing {
		out += ", growing while runs run"
	}
	if q.Synthetic {
		out += ", synthetic"
	}
	return out
}

func queueTable(m *board) widget.Table {
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
		Empty: noQueues(m),
	}
}

// noQueues says how to get a first queue.
func noQueues(m *board) string {
	if m.filter.On() {
		return "No queue is left by the filter."
	}
	if m.Scheduler == nil {
		return "No queues yet. Make one of what the rules could not read:\n  concord queue create NAME --dataset N --from unparsed"
	}
	return m.Keyed("No queues yet. {l} makes one of answers to label, such as those that the rules\ncould not read; those of pairs to vote on are made where one reviews ({v}).")
}

func queueCells(m *board, q *Queue) []string {
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
		t.Bar(m.barWidth(), share(q.Labelled, q.Items)), percent(q.Labelled, q.Items),
		widget.Count(q.Annotators), q.Stratum.String(),
	}
}
