package runs

import (
	"fmt"
	"strings"
	"time"

	"concord/eval"
	"concord/tui/widget"
)

// nameWidth is the width of the names in the detail.
const nameWidth = 11

// detail draws the pane of what is under the cursor.
func (m *Model) detail(width, height int) []string {
	if height <= 0 {
		return nil
	}
	if m.onQueues {
		if q, ok := m.queue(); ok {
			return widget.Block(m.queueDetail(q, width), width, height)
		}
	}
	if r, ok := m.run(); ok {
		return widget.Block(m.runDetail(r, width, height), width, height)
	}
	return nil
}

func (m *Model) runDetail(r Row, width, height int) []string {
	t, p := m.theme, r.Progress
	out := []string{t.Section(title(r), state(r), false, width)}
	done, total := p.Questions()
	bar := max(8, width-nameWidth-26)
	out = append(out, t.Field("questions", fmt.Sprintf("%s %s of %s", t.Bar(bar, share(done, total)),
		widget.Count(done), widget.Count(total)), nameWidth))
	// One line, whatever it says: what is below must not jump while a run runs.
	out = append(out, t.Field("answers", answers(p), nameWidth))
	out = append(out, m.statuses(p.Counts, bar)...)
	if p.Err != nil {
		out = append(out, t.Field("ended by", t.Bad.Render("✗ "+widget.Line(p.Err.Error())), nameWidth))
	} else if p.LastFailure != "" {
		out = append(out, t.Field("last failure", t.Warn.Render("! "+widget.Line(p.LastFailure)), nameWidth+1))
	}
	out = append(out, m.field("settings", settings(r), width)...)
	if room := height - len(out); room >= 3 && m.latestOf == r.Run.ID {
		out = append(out, m.latestLines(width, min(room, many+2))...)
	}
	return out
}

// field is a name and its text, on as many lines as that takes.
func (m *Model) field(name, text string, width int) []string {
	lines := widget.Wrap(text, max(1, width-nameWidth-1))
	for i := range lines {
		lines[i] = m.theme.Field(name, lines[i], nameWidth)
		name = ""
	}
	return lines
}

// answers sums up what came in and what is to come.
func answers(p eval.Progress) string {
	parts := []string{widget.Count(p.Counts.Predictions)}
	if p.State == eval.Running {
		parts = append(parts, widget.Rate(p.Rate))
		if d, ok := p.ETA(); ok {
			parts = append(parts, "about "+widget.Span(d)+" left")
		}
	}
	if p.InFlight > 0 {
		parts = append(parts, fmt.Sprintf("%d in flight", p.InFlight))
	}
	if p.Retrying > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting to retry", p.Retrying))
	}
	// A run that was done before this session began took no time in it.
	if took := p.Ended.Sub(p.Started).Round(time.Second); p.State.Final() && took > 0 {
		parts = append(parts, "took "+widget.Span(took))
	}
	return strings.Join(parts, " · ")
}

// statuses are the bars of what became of the answers; together with the
// failures they make all of them.
func (m *Model) statuses(c eval.Counts, bar int) []string {
	t := m.theme
	line := func(name string, n int, style func(...string) string) string {
		text := fmt.Sprintf("%8s %8s", widget.Count(n), widget.Share(n, c.Predictions))
		return t.Field(name, t.Bar(bar, share(n, c.Predictions))+" "+style(text), nameWidth)
	}
	out := []string{line("found", c.Statuses[eval.Found], t.Text.Render)}
	if n := c.Unparsable(); n > 0 {
		out = append(out, line("unparsable", n, t.Warn.Render))
		for _, s := range []eval.Status{eval.None, eval.Refused, eval.Ambiguous, eval.Missing} {
			if k := c.Statuses[s]; k > 0 {
				out = append(out, line("  "+s.String(), k, t.Faint.Render))
			}
		}
	} else {
		out = append(out, line("unparsable", 0, t.Faint.Render))
	}
	style := t.Faint.Render
	if c.Failures > 0 {
		style = t.Bad.Render
	}
	return append(out, line("failures", c.Failures, style))
}

func settings(r Row) string {
	c := r.Run.Config
	parts := []string{c.Strategy.String()}
	if c.AllPasses {
		parts = append(parts, "all passes")
	}
	switch c.Modality {
	case eval.WithImage:
		parts = append(parts, "with image")
	case eval.TextOnly:
		parts = append(parts, "text only")
	case eval.GreyImage:
		parts = append(parts, "grey image")
	case eval.BaseText:
		parts = append(parts, "language base, text only")
	case eval.ModalityUnset:
	}
	if rules := r.Progress.Counts.Reader; rules != "" {
		parts = append(parts, "rules "+widget.Line(rules))
	}
	if c.Origin != eval.OriginUnset {
		parts = append(parts, c.Origin.String())
	}
	if c.File != "" {
		parts = append(parts, "from "+widget.Line(c.File))
	}
	if c.Synthetic {
		parts = append(parts, "synthetic")
	}
	return strings.Join(parts, " · ")
}

// latestLines are the answers that came last, one line each.
func (m *Model) latestLines(width, height int) []string {
	t := m.theme
	out := []string{t.Section("Latest answers", "", false, width)}
	for _, a := range m.latest {
		if len(out) == height {
			break
		}
		out = append(out, m.latestLine(a, width))
	}
	if len(m.latest) == 0 {
		out = append(out, t.Faint.Render("none yet"))
	}
	return out
}

func (m *Model) latestLine(a Answer, width int) string {
	t := m.theme
	name := t.Faint.Render(widget.Fit(fmt.Sprintf("%s.%d", widget.Line(string(a.Sample)), a.Key.Pass), max(8, min(18, width/4))))
	switch {
	case !a.Sight.Legible():
		return widget.Cut(name+" "+t.Faint.Render("blind until you have answered"), width)
	case a.Failure != "":
		return widget.Cut(name+" "+t.Bad.Render("✗ "+widget.Line(a.Failure)), width)
	}
	reading := t.Warn.Render(a.Reading.Status.String())
	if a.Reading.IsFound() {
		reading = t.Good.Render("→ " + widget.Line(string(a.Reading.Choice)))
	}
	return widget.Ends(name+" "+widget.Line(head(a.Text)), reading, width)
}

// head is enough of a text for one line: a prediction may be megabytes.
func head(s string) string {
	const most = 1000
	if len(s) > most {
		return s[:most]
	}
	return s
}

func (m *Model) queueDetail(q Queue, width int) []string {
	t := m.theme
	bar := max(8, min(60, width-nameWidth-20))
	out := []string{
		t.Section("Queue "+widget.Line(string(q.Name)), q.Stratum.String(), false, width),
		t.Field("yours", fmt.Sprintf("%s %s of %s", t.Bar(bar, share(q.Labelled, q.Items)),
			widget.Count(q.Labelled), widget.Count(q.Items)), nameWidth),
	}
	field := func(name, text string) { out = append(out, m.field(name, text, width)...) }
	if q.Skipped > 0 {
		field("put off", widget.Count(q.Skipped))
	}
	field("from", origin(q))
	field("drawn", drawn(q))
	field("overlap", fmt.Sprintf("%s each; %d took part", widget.Plural(max(1, q.Overlap), "label"), q.Annotators))
	if q.Guideline != "" {
		field("guideline", head(q.Guideline))
	}
	hint := t.Key.Render("enter") + t.KeyText.Render(" opens it for review")
	if q.Items > 0 && q.Labelled >= q.Items {
		hint = t.Good.Render("✓ all answered by you") + t.KeyText.Render("; ") + t.Key.Render("r") + t.KeyText.Render(" shows the alignment rate")
	}
	return append(out, "", hint)
}

// origin is what a queue was drawn from.
func origin(q Queue) string {
	from := q.Rule.From.String()
	if q.Rule.Rules != "" {
		from += " of " + q.Rule.Rules
	}
	return from + " on " + string(q.Rule.Dataset)
}

// drawn is how many were drawn out of how many.
func drawn(q Queue) string {
	out := fmt.Sprintf("%s of a population of %s", widget.Plural(q.Items, "item"), widget.Count(q.Population))
	if q.Growing {
		out += ", growing while runs run"
	}
	if q.Synthetic {
		out += ", synthetic"
	}
	return out
}
