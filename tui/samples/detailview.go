package samples

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/widget"
)

// filled reports whether the part that is scrolled has the whole screen.
func (d *detail) filled() bool { return *d.Space == widget.FullPane }

// leftWidth is the width of what stands left of the prediction, where it does:
// the part that is scrolled has its room and what the other one leaves it.
func (d *detail) leftWidth() int {
	left := d.Width * 45 / 100
	switch {
	case !d.Wide() || d.filled():
		return d.Width
	case d.onUpper:
		return d.Width - 3 - d.Space.Leaves(d.Width-left-3)
	}
	return d.Space.Leaves(left)
}

func (d *detail) textWidth() int {
	if d.Wide() && !d.filled() {
		return max(1, d.Width-d.leftWidth()-3)
	}
	return max(1, d.Width)
}

// textHeight is the room of the prediction under its title.
func (d *detail) textHeight() int {
	if d.Wide() || d.filled() {
		return max(1, d.Height-2)
	}
	return max(1, d.Height-2-d.upper())
}

// upper is the height of what stands over the prediction in one column.
func (d *detail) upper() int {
	const prediction = 5 // lines that are left to it
	all := len(d.above(d.Width))
	upper := max(0, min(all, d.Height-1-prediction))
	if d.onUpper {
		return min(all, d.Height-1-d.Space.Leaves(d.Height-1-upper))
	}
	return d.Space.Leaves(upper)
}

// hidden is how many lines of the upper or left part do not fit.
func (d *detail) hidden() int {
	if d.Wide() || d.filled() {
		return max(0, len(d.picture())+len(d.above(d.leftWidth()))-(d.Height-1))
	}
	return max(0, len(d.above(d.Width))-d.upper())
}

// Extent is the room for the picture in cells.
func (d *detail) Extent() (cols, rows int) {
	if d.Gallery.Full {
		return d.Width, d.Height - 2
	}
	if !d.Wide() || d.filled() && !d.onUpper {
		return 0, 0
	}
	return d.leftWidth(), max(0, min(d.Height/2, d.Height-1-len(d.above(d.leftWidth()))))
}

// Lines draw the sample; it is the n-th of count.
func (d *detail) Lines(n int, count string) []string {
	t := d.Theme
	note := fmt.Sprintf("%s of %s", widget.Count(n), count)
	if path := widget.Line(eval.Path(d.Taxonomy)); path != "" {
		note = path + "  " + note
	}
	if d.Loaded && d.hidden() > 0 || d.filled() { // the key goes before what may be cut
		note = t.Key.Render(d.Spelling.Spelled("tab")) + t.Faint.Render(" scrolls the other part  ") + note
	}
	out, read := d.Head(d.row.Sample, note)
	switch {
	case !read:
		return out
	case d.Gallery.Full:
		return append(out, append(d.picture(), d.Caption())...)
	case d.filled() && d.onUpper:
		return append(out, from(append(d.picture(), d.above(d.Width)...), d.upperTop)...)
	case d.filled():
		return append(out, predictionLines(d)...)
	case d.Wide():
		left := append(d.picture(), d.above(d.leftWidth())...)
		return append(out, t.Beside(from(left, d.upperTop), predictionLines(d), d.leftWidth(), d.Width, d.Height-1)...)
	}
	out = append(out, widget.Block(from(d.above(d.Width), d.upperTop), d.Width, d.upper())...)
	return append(out, predictionLines(d)...)
}

// above is what stands over the prediction, or left of it.
func (d *detail) above(width int) []string {
	return append(questionLines(d, width), passLines(d, width)...)
}

// picture is the drawn picture, once it is drawn for the room it has.
func (d *detail) picture() []string {
	if !d.Gallery.Seen() {
		return nil
	}
	cols, rows := d.Extent()
	return d.Gallery.Viewer.Lines(d.Gallery.Front(), cols, rows)
}

// questionLines is the question with its options as the shown pass had them.
func questionLines(d *detail, width int) []string {
	t := d.Theme
	var out []string
	if c := d.Caption(); c != "" {
		if !d.Wide() {
			c += t.Faint.Render("  ") + t.Key.Render(d.Spelling.Spelled("zoom")) + t.Faint.Render(" shows it")
		}
		out = append(out, c)
	} else if err := d.Gallery.Trouble(); err != nil {
		out = append(out, t.Warn.Render("no image: "+widget.Line(err.Error())))
	}
	out = append(out, drilldown.Some(widget.Wrap(drilldown.Limit(d.Question), width), 8)...)
	if d.Hint != "" {
		out = append(out, drilldown.Some(widget.Wrap("Hint: "+drilldown.Limit(d.Hint), width), 3)...)
	}
	for _, o := range d.options() {
		line := fmt.Sprintf("  %s  %s", widget.Line(string(o.Letter)), widget.Line(drilldown.Limit(o.Text)))
		if d.truth() != "" && o.Letter == d.truth() {
			line = t.Good.Render("✓ ") + t.Strong.Render(line[2:])
		}
		out = append(out, widget.Cut(line, width))
	}
	switch {
	case d.Blinded:
		out = append(out, t.Faint.Render("  the ground truth: "+blindText))
	case d.truth() == "":
		out = append(out, t.Faint.Render("  no ground truth"))
	case len(d.options()) == 0:
		out = append(out, "  "+t.Good.Render("✓ ")+widget.Line(string(d.truth())))
	}
	return append(out, "")
}

// options are those of the question as the shown pass had it.
func (d *detail) options() []eval.Option {
	if d.at < len(d.Passes) {
		return d.Passes[d.at].Options
	}
	return d.Options
}

// truth is the ground truth as the shown pass had it.
func (d *detail) truth() eval.Choice {
	if d.at < len(d.Passes) {
		return d.Passes[d.at].Truth
	}
	return d.Truth
}

// passLines is the list of passes with what was read out of each, and for the
// shown one everything that was made of it.
func passLines(d *detail, width int) []string {
	t := d.Theme
	if d.row.Key.Run == 0 { // it is nobody's answer that is looked at
		return nil
	}
	note := fmt.Sprintf("%d answered by %s", len(d.Passes), widget.Line(d.Model))
	if d.Blinded { // how far a question was asked tells where it went wrong
		note = "more once you have answered"
	}
	out := []string{t.Section("Passes", note, false, width)}
	for i := range d.Passes {
		p := &d.Passes[i]
		mark := "  "
		if i == d.at {
			mark = t.Accent.Render("› ")
		}
		name := fmt.Sprintf("%spass %d  ", mark, p.Pass)
		if !p.Visibility.ShowsText() {
			out = append(out, widget.Cut(name+t.Faint.Render(blindText), width))
			continue
		}
		if p.Failure != nil {
			out = append(out, widget.Cut(name+t.Bad.Render("✗ "+widget.Line(p.Failure.Error())), width))
		}
		if len(p.Readings) > 0 {
			out = append(out, widget.Cut(name+readingLine(d, p, &p.Readings[0]), width))
		}
		if i == d.at {
			out = append(out, otherLines(d, p, width)...)
			out = append(out, labelLines(d, p, width)...)
		}
	}
	return out
}

// indent is where readings stand under the name of their pass.
var indent = strings.Repeat(" ", 10)

// otherLines are what the other extractors read in the shown pass: one line for
// each reading, with all who read so.
func otherLines(d *detail, p *Pass, width int) []string {
	var order []string
	by := make(map[string]*blind.MachineReading)
	for _, r := range p.Readings[min(1, len(p.Readings)):] {
		key := string(r.Extraction.Choice) + "/" + r.Extraction.Status.String()
		if same, ok := by[key]; ok {
			same.Extractor += ", " + strings.TrimPrefix(r.Extractor, "rules:")
			continue
		}
		by[key] = &blind.MachineReading{Extractor: r.Extractor, Extraction: r.Extraction}
		by[key].Extraction.Method = ""
		order = append(order, key)
	}
	out := make([]string, 0, len(order))
	for _, key := range order {
		out = append(out, widget.Cut(indent+readingLine(d, p, by[key]), width))
	}
	return out
}

func readingLine(d *detail, p *Pass, r *blind.MachineReading) string {
	t, e := d.Theme, r.Extraction
	line := widget.Fit(reading(t, e), 11)
	switch {
	case p.Truth == "":
		line += "  "
	case e.IsFound() && e.Choice == p.Truth:
		line += t.Good.Render("✓ ")
	case e.IsFound():
		line += t.Bad.Render("✗ ")
	default:
		line += t.Warn.Render("? ")
	}
	line += " " + widget.Line(r.Extractor)
	if e.Method != "" {
		line += t.Faint.Render("  " + widget.Line(e.Method))
	}
	return line
}

// labelLines are what people said of the shown pass.
func labelLines(d *detail, p *Pass, width int) []string {
	t := d.Theme
	var out []string
	for _, l := range p.Labels {
		line := indent + widget.Fit(said(l.Reading), 11) + "   " + t.Strong.Render(widget.Line(string(l.Annotator)))
		if l.Note != "" {
			line += t.Faint.Render("  " + widget.Line(l.Note))
		}
		out = append(out, widget.Cut(line, width))
	}
	return out
}

func said(r annotate.Reading) string {
	switch r.Verdict {
	case annotate.PickedOption:
		return "→ " + widget.Line(r.Word())
	case annotate.Scored:
		return fmt.Sprintf("score %d of %d", r.Score, eval.TopScore)
	case annotate.VerdictUnset, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused, annotate.Voted, annotate.Graded:
	}
	return r.Word()
}

// predictionLines is the raw text of the shown pass.
func predictionLines(d *detail) []string {
	t, width := d.Theme, d.textWidth()
	if d.row.Key.Run == 0 {
		return nil
	}
	if d.at >= len(d.Passes) {
		return []string{t.Section("Prediction", "none yet", false, width)}
	}
	p := &d.Passes[d.at]
	note := ""
	if d.text != nil {
		note = d.place()
	}
	out := []string{t.Section(fmt.Sprintf("Prediction of pass %d", p.Pass), note, false, width)}
	switch {
	case !p.Visibility.ShowsText():
		out = append(out, t.Faint.Render(blindText))
	case p.Failure != nil:
		for _, l := range drilldown.Some(widget.Wrap(drilldown.Limit(p.Failure.Message), width), d.textHeight()) {
			out = append(out, t.Bad.Render(l))
		}
	case p.Text == "":
		out = append(out, t.Faint.Render("(empty)"))
	case d.text != nil:
		out = append(out, d.text.Lines(d.scroll, d.textHeight())...)
	}
	return out
}

// place says where in the text the shown lines are.
func (d *detail) place() string {
	n, all := d.text.Len()
	if n <= d.textHeight() && all {
		return ""
	}
	of := widget.Count(n)
	if !all {
		of += "+"
	}
	return fmt.Sprintf("lines %s to %s of %s", widget.Count(d.scroll+1), widget.Count(min(n, d.scroll+d.textHeight())), of)
}

// from are the lines from the n-th on.
func from(lines []string, n int) []string { return lines[min(n, len(lines)):] }
