package adjudicate

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/eval"
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

// gist is a line of the question and one of the options behind their keys.
func (d *desk) gist(pg *page, width int) []string {
	t := d.Theme
	final, _ := d.ruling()
	words := make([]string, 0, len(pg.choices))
	for _, c := range pg.choices {
		words = append(words, mark(t, c.In(final.Reading))+t.Key.Render(c.Letter)+" "+widget.Line(bounded(c.Text)))
	}
	return []string{
		widget.Cut(t.Strong.Render(widget.Line(bounded(pg.Item.Question))), width),
		widget.Cut(strings.Join(words, " "), width),
	}
}

// question is the question with its options behind their keys. Above an answer
// that has half of its room each option keeps a line, and the question half of
// its own.
func (d *desk) question(pg *page, width int) []string {
	t, it := d.Theme, &pg.Item
	brief := *d.space == widget.HalfRoom && d.column(d.Width) == 0
	var out []string
	text := widget.Wrap(bounded(it.Question), width)
	if n := max(1, d.space.Leaves(len(text))); brief && n < len(text) {
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
	final, _ := d.ruling()
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
	line := " "
	for _, w := range []struct {
		key     string
		verdict annotate.Verdict
	}{{"x", annotate.SaidNone}, {"m", annotate.SaidAmbiguous}, {"d", annotate.SaidRefused}} {
		line += mark(t, final.Reading.Verdict == w.verdict) + t.Key.Render(d.Spelled(w.key)) + " " + w.verdict.String() + "  "
	}
	return append(out, widget.Cut(line, width))
}

func mark(t *widget.Theme, here bool) string {
	if here {
		return t.Good.Render("▸ ")
	}
	return "  "
}

// testimony is the answer, and below it what everybody made of it: after the
// adjudicator's own reading.
func (d *desk) testimony(pg *page, width int) []string {
	t := d.Theme
	out := []string{t.Section("The answer", "", true, width)}
	bar := t.Title.Render("┃") + " "
	text := pg.Item.Prediction
	if strings.TrimSpace(text) == "" {
		text = "(the answer is empty)"
	}
	for _, l := range widget.Wrap(bounded(text), max(1, width-2)) {
		out = append(out, bar+l)
	}
	if pg.Item.Truncated {
		out = append(out, t.Warn.Render("cut off by the endpoint"))
	}
	out = append(out, "")
	switch x := &d.exhibit; {
	case !x.asked:
		for _, l := range widget.Wrap("What did it choose? Say so first: what people and machines said is shown then.", width) {
			out = append(out, t.Faint.Render(l))
		}
	case x.err != nil:
		for _, l := range widget.Wrap(x.err.Error(), width) {
			out = append(out, t.Bad.Render(l))
		}
	case !x.done:
		out = append(out, t.Faint.Render("reading…"))
	default:
		out = append(out, d.people(width)...)
		out = append(out, d.machines(width)...)
		out = append(out, d.passes(width)...)
	}
	return out
}

// people are the labels and rulings with what was said beside them.
func (d *desk) people(width int) []string {
	t, x := d.Theme, &d.exhibit.what
	out := []string{t.Section("People", d.told(), false, width)}
	if len(x.Labels)+len(x.Rulings) == 0 {
		out = append(out, t.Faint.Render("nobody has labelled it"))
	}
	say := func(who annotate.Annotator, said string, more ...string) {
		head := widget.Fit(t.Strong.Render(widget.Line(string(who))), 12) + " "
		rest := said
		for _, m := range more {
			if m != "" {
				rest += " · " + m
			}
		}
		for i, l := range widget.Wrap(rest, max(1, width-13)) {
			if i > 0 {
				head = strings.Repeat(" ", 13)
			}
			out = append(out, head+l)
		}
	}
	for i := range x.Labels {
		l := &x.Labels[i]
		sure, informed, flagged, queue := "", "", "", ""
		if l.Confidence > 0 {
			sure = fmt.Sprintf("%.0f %% sure", 100*l.Confidence)
		}
		if l.Informed {
			informed = "after the reveal"
		}
		if l.Flagged {
			flagged = "flagged"
		}
		if l.Queue != d.deps.Queue {
			queue = "queue " + string(l.Queue)
		}
		say(l.Annotator, labeloption.Word(l.Reading), sure, l.Reason, noted(l.Note), flagged, informed, queue)
	}
	for i := range x.Rulings {
		r := &x.Rulings[i]
		say(r.Annotator, "settled: "+labeloption.Word(r.Reading), causeWord(r.Cause), noted(r.Note))
	}
	return append(out, "")
}

func noted(note string) string {
	if note == "" {
		return ""
	}
	return "note: " + note
}

// told is whose answer it is, and what would have been right.
func (d *desk) told() string {
	x := &d.exhibit.what
	var parts []string
	if x.Model != "" {
		parts = append(parts, "on an answer of "+widget.Line(x.Model))
	}
	switch {
	case x.Truth != "":
		parts = append(parts, "truth "+widget.Line(string(x.Truth)))
	case x.Withheld:
		parts = append(parts, "truth withheld: another item is open to you")
	}
	return strings.Join(parts, ", ")
}

// machines are what extractors read, with the judges' own words.
func (d *desk) machines(width int) []string {
	t := d.Theme
	final, settled := d.ruling()
	out := []string{t.Section("Machines", "", false, width)}
	for _, r := range d.exhibit.what.Readings {
		sign := "  "
		if settled {
			sign = t.Bad.Render("≠ ")
			if sameAs(final.Reading, r.Extraction) {
				sign = t.Good.Render("= ")
			}
		}
		looked := ""
		if r.Extractor == d.extractor {
			looked = t.Accent.Render(" ◂")
		}
		out = append(out, widget.Cut(sign+widget.Fit(machineRead(r.Extraction), 10)+" "+widget.Line(r.Extractor)+looked, width))
		if r.Raw == "" {
			continue
		}
		for _, l := range widget.Wrap(bounded(r.Raw), max(1, width-5)) {
			out = append(out, "   "+t.Faint.Render("│ "+l))
		}
	}
	return append(out, "")
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

// passes are the answers to the question with its options turned, side by
// side where there is room.
func (d *desk) passes(width int) []string {
	t, all := d.Theme, d.exhibit.what.Passes
	if len(all) < 2 {
		return nil
	}
	out := []string{t.Section("Passes", "", false, width)}
	const least = 22
	cols := max(1, min(len(all), (width+3)/(least+3)))
	each := (width - 3*(cols-1)) / cols
	for from := 0; from < len(all); from += cols {
		row := all[from:min(from+cols, len(all))]
		columns := make([][]string, len(row))
		high := 0
		for i := range row {
			columns[i] = d.pass(&row[i], each)
			high = max(high, len(columns[i]))
		}
		for l := range high {
			line := ""
			for i := range columns {
				cell := ""
				if l < len(columns[i]) {
					cell = columns[i][l]
				}
				if i > 0 {
					line += t.Border.Render(" │ ")
				}
				line += widget.Fit(cell, each)
			}
			out = append(out, line)
		}
		out = append(out, "")
	}
	return out
}

func (d *desk) pass(p *Pass, width int) []string {
	t := d.Theme
	head := fmt.Sprintf("pass %d", p.Pass)
	if p.Blind {
		return append([]string{t.Strong.Render(head)}, widget.Wrap("blind until you have answered", width)...)
	}
	head += "  " + machineRead(p.Reading)
	if p.Truth != "" {
		verdict := t.Bad.Render(" ✗")
		if p.Reading.IsFound() && p.Reading.Choice == p.Truth {
			verdict = t.Good.Render(" ✓")
		}
		head += verdict + t.Faint.Render(" truth "+widget.Line(string(p.Truth)))
	}
	out := []string{widget.Cut(t.Strong.Render(head), width)}
	if p.Failure != "" {
		return append(out, t.Bad.Render(widget.Cut("✗ "+widget.Line(p.Failure), width)))
	}
	const most = 12
	lines := widget.Wrap(bounded(p.Text), width)
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], t.Faint.Render(fmt.Sprintf("… %d more lines", len(lines)-most+1)))
	}
	return append(out, lines...)
}
