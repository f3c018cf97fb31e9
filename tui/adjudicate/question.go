package adjudicate

import (
	"strings"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// bounded is the beginning of a stranger's text, which may be of megabytes:
// the whole of it is in the samples.
func bounded(s string) string {
	const most = 20000
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// gist is a line of the question, the options from one on up to another in as
// many lines as they take, and what is no option. The options have pages where
// there is no room for all.
func (d *itemView) gist(pg *page, width int) (lines []string, from, to int) {
	final, _ := d.said.ruling()
	n := len(pg.choices)
	rows, each := d.grid(n, width)
	from = min(d.turned*each, max(0, n-1)/each*each)
	to = min(n, from+each)
	lines = []string{widget.Cut(d.Theme.Strong.Render(widget.Line(bounded(pg.Item.Question))), width)}
	lines = append(lines, annotation.OptionRows(d.Theme, pg.choices[from:to], func(c *labeloption.Offer) string { return mark(d.Theme, c.In(final.Reading)) }, rows, width)...)
	return append(lines, widget.Cut(d.verdicts(), width)), from, to
}

// grid is how many lines n options take in their gist, and how many have a place
// there.
func (d *itemView) grid(n, width int) (rows, each int) {
	across := max(1, width/annotation.LeastOption)
	rows = max(1, min((n+across-1)/across, d.Main()-2-least))
	return rows, rows * across
}

// turnTo shows the options among which one is, and reports whether it did not
// stand on the frame.
func (d *itemView) turnTo(pg *page, choice int) bool {
	if d.column(pg) > 0 || len(d.head(pg)) > len(d.question(pg, d.Width)) {
		return false
	}
	_, from, to := d.gist(pg, d.Width)
	if choice >= from && choice < to {
		return false
	}
	_, each := d.grid(len(pg.choices), d.Width)
	d.turned = choice / each
	d.Turns++
	return true
}

// verdicts are the rulings that are no option, behind their keys.
func (d *itemView) verdicts() string {
	t := d.Theme
	final, _ := d.said.ruling()
	line := ""
	for _, w := range []struct {
		key     string
		verdict annotate.Verdict
	}{{"none", annotate.SaidNone}, {"several", annotate.SaidAmbiguous}, {"refused", annotate.SaidRefused}} {
		line += mark(t, final.Reading.Verdict == w.verdict) + t.Key.Render(d.Spelled(w.key)) + " " + w.verdict.String() + "  "
	}
	return line
}

// question is the question with its options behind their keys. Above an answer
// that has half of its room each option keeps a line, and the question half of
// its own.
func (d *itemView) question(pg *page, width int) []string {
	t, it := d.Theme, &pg.Item
	brief := *d.layout.space == widget.HalfPane && d.layout.column(d.Width) == 0
	var out []string
	text := widget.Wrap(bounded(it.Question), width)
	if n := max(1, d.layout.space.Leaves(len(text))); brief && n < len(text) {
		text = append(text[:n-1:n-1], widget.Cut(strings.Join(text[n-1:], " "), width))
	}
	for _, l := range text {
		out = append(out, t.Strong.Render(l))
	}
	if it.Hint != "" {
		for _, l := range widget.Wrap("hint: "+bounded(it.Hint), width) {
			out = append(out, t.Faint.Render(l))
		}
	}
	out = append(out, "")
	final, _ := d.said.ruling()
	for _, c := range pg.choices {
		const margin = 6
		head := " " + mark(t, c.In(final.Reading)) + t.Key.Render(widget.Fit(c.Letter, 2)) + " "
		for i, l := range widget.Wrap(bounded(c.Text), max(1, width-margin)) {
			if i > 0 && brief {
				break
			}
			if i > 0 {
				head = strings.Repeat(" ", margin)
			}
			out = append(out, head+l)
		}
	}
	return append(out, widget.Cut(" "+d.verdicts(), width))
}

func mark(t *widget.Theme, here bool) string {
	if here {
		return t.Good.Render("▸ ")
	}
	return "  "
}

func noted(note string) string {
	if note == "" {
		return ""
	}
	return "note: " + note
}

// sameAs reports whether a machine read what the ruling says.
func sameAs(r annotate.Reading, e eval.Extraction) bool {
	if r.Verdict == annotate.PickedOption {
		return e.IsFound() && e.Choice == r.Choice
	}
	return !e.IsFound()
}

func machineRead(e eval.Extraction) string {
	if e.IsFound() {
		return widget.Line(string(e.Choice))
	}
	return e.Status.String()
}
