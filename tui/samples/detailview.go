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

// isPartFullScreen reports whether the part that is scrolled has the whole screen.
func (d *sampleDetail) isPartFullScreen() bool { return *d.Space == widget.FullPane }

// leftWidth is the width of what stands left of the prediction, where it does:
// the part that is scrolled has its room and what the other one leaves it.
func (d *sampleDetail) leftWidth() int {
	left := d.Width * 45 / 100
	switch {
	case !d.IsWide() || d.isPartFullScreen():
		return d.Width
	case d.onUpper:
		return d.Width - 3 - d.Space.CellsLeft(d.Width-left-3)
	}
	return d.Space.CellsLeft(left)
}

func (d *sampleDetail) textWidth() int {
	return eval.Either(d.IsWide() && !d.isPartFullScreen(), max(1, d.Width-d.leftWidth()-3), max(1, d.Width))
}

// textHeight is the room of the prediction under its title.
func (d *sampleDetail) textHeight() int {
	return eval.Either(d.IsWide() || d.isPartFullScreen(), max(1, d.Height-2), max(1, d.Height-2-d.upperHeight()))
}

// upperHeight is the height of what stands over the prediction in one column.
func (d *sampleDetail) upperHeight() int {
	const prediction = 5 // lines that are left to it
	all := len(d.drawAbove(d.Width))
	upper := max(0, min(all, d.Height-1-prediction))
	if d.onUpper {
		return min(all, d.Height-1-d.Space.CellsLeft(d.Height-1-upper))
	}
	return d.Space.CellsLeft(upper)
}

// countHiddenLines counts how many lines of the upper or left part do not fit.
func (d *sampleDetail) countHiddenLines() int {
	if d.IsWide() || d.isPartFullScreen() {
		return max(0, len(d.pictureLines())+len(d.drawAbove(d.leftWidth()))-(d.Height-1))
	}
	return max(0, len(d.drawAbove(d.Width))-d.upperHeight())
}

// PictureExtent is the room for the picture in cells.
func (d *sampleDetail) PictureExtent() (cols, rows int) {
	if d.Gallery.Full {
		return d.Width, d.Height - 2
	}
	if !d.IsWide() || d.isPartFullScreen() && !d.onUpper {
		return 0, 0
	}
	return d.leftWidth(), max(0, min(d.Height/2, d.Height-1-len(d.drawAbove(d.leftWidth()))))
}

// DrawPage draw the sample; it is the n-th of count.
func (d *sampleDetail) DrawPage(n int, count string) []string {
	t := d.Theme
	note := fmt.Sprintf("%s of %s", widget.FormatCount(n), count)
	if path := widget.CleanLine(eval.JoinPath(d.Taxonomy)); path != "" {
		note = path + "  " + note
	}
	if d.Loaded && d.countHiddenLines() > 0 || d.isPartFullScreen() { // the key goes before what may be cut
		note = t.Key.Render(d.Spelling.SpellKey("tab")) + t.Faint.Render(" scrolls the other part  ") + note
	}
	out, read := d.DrawTitleOrLoading(d.row.Sample, note)
	switch {
	case !read:
		return out
	case d.Gallery.Full:
		return append(out, append(d.pictureLines(), d.FormatCaption())...)
	case d.isPartFullScreen() && d.onUpper:
		return append(out, linesFrom(append(d.pictureLines(), d.drawAbove(d.Width)...), d.upperTop)...)
	case d.isPartFullScreen():
		return append(out, drawPrediction(d)...)
	case d.IsWide():
		left := append(d.pictureLines(), d.drawAbove(d.leftWidth())...)
		return append(out, t.DrawBeside(linesFrom(left, d.upperTop), drawPrediction(d), d.leftWidth(), d.Width, d.Height-1)...)
	}
	out = append(out, widget.FitBox(linesFrom(d.drawAbove(d.Width), d.upperTop), d.Width, d.upperHeight())...)
	return append(out, drawPrediction(d)...)
}

// drawAbove draws what stands over the prediction, or left of it.
func (d *sampleDetail) drawAbove(width int) []string {
	return append(drawQuestion(d, width), drawPasses(d, width)...)
}

// pictureLines is the drawn picture, once it is drawn for the room it has.
func (d *sampleDetail) pictureLines() []string {
	if !d.Gallery.HasAny() {
		return nil
	}
	cols, rows := d.PictureExtent()
	return d.Gallery.Viewer.PictureLines(d.Gallery.PictureInFront(), cols, rows)
}

// drawQuestion draws the question with its options as the shown pass had them.
func drawQuestion(d *sampleDetail, width int) []string {
	t := d.Theme
	var out []string
	if c := d.FormatCaption(); c != "" {
		if !d.IsWide() {
			c += t.Faint.Render("  ") + t.Key.Render(d.Spelling.SpellKey("zoom")) + t.Faint.Render(" shows it")
		}
		out = append(out, c)
	} else if err := d.Gallery.FirstError(); err != nil {
		out = append(out, t.Warn.Render("no image: "+widget.CleanLine(err.Error())))
	}
	out = append(out, drilldown.FirstLines(widget.WrapText(drilldown.CutLongText(d.Question), width), 8)...)
	if d.Hint != "" {
		out = append(out, drilldown.FirstLines(widget.WrapText("Hint: "+drilldown.CutLongText(d.Hint), width), 3)...)
	}
	for _, o := range d.shownOptions() {
		line := fmt.Sprintf("  %s  %s", widget.CleanLine(string(o.Letter)), widget.CleanLine(drilldown.CutLongText(o.Text)))
		if d.shownTruth() != "" && o.Letter == d.shownTruth() {
			line = t.Good.Render("✓ ") + t.Strong.Render(line[2:])
		}
		out = append(out, widget.CutWidth(line, width))
	}
	switch {
	case d.Blinded:
		out = append(out, t.Faint.Render("  the ground truth: "+blindText))
	case d.shownTruth() == "":
		out = append(out, t.Faint.Render("  no ground truth"))
	case len(d.shownOptions()) == 0:
		out = append(out, "  "+t.Good.Render("✓ ")+widget.CleanLine(string(d.shownTruth())))
	}
	return append(out, "")
}

// shownOptions are those of the question as the shown pass had it.
func (d *sampleDetail) shownOptions() []eval.Option {
	if d.at < len(d.Passes) {
		return d.Passes[d.at].Options
	}
	return d.Options
}

// shownTruth is the ground truth as the shown pass had it.
func (d *sampleDetail) shownTruth() eval.Choice {
	if d.at < len(d.Passes) {
		return d.Passes[d.at].Truth
	}
	return d.Truth
}

// drawPasses draws the list of passes with what was read out of each, and for the
// shown one everything that was made of it.
func drawPasses(d *sampleDetail, width int) []string {
	t := d.Theme
	if d.row.Key.Run == 0 { // it is nobody's answer that is looked at
		return nil
	}
	note := fmt.Sprintf("%d answered by %s", len(d.Passes), widget.CleanLine(d.Model))
	if d.Blinded { // how far a question was asked tells where it went wrong
		note = "more once you have answered"
	}
	out := []string{t.DrawSection("Passes", note, false, width)}
	for i := range d.Passes {
		p := &d.Passes[i]
		mark := eval.Either(i == d.at, t.Accent.Render("› "), "  ")
		name := fmt.Sprintf("%spass %d  ", mark, p.Pass)
		if !p.Visibility.ShowsText() {
			out = append(out, widget.CutWidth(name+t.Faint.Render(blindText), width))
			continue
		}
		if p.Failure != nil {
			out = append(out, widget.CutWidth(name+t.Bad.Render("✗ "+widget.CleanLine(p.Failure.Error())), width))
		}
		if len(p.Readings) > 0 {
			out = append(out, widget.CutWidth(name+drawReading(d, p, &p.Readings[0]), width))
		}
		if i == d.at {
			out = append(out, drawOthers(d, p, width)...)
			out = append(out, drawLabels(d, p, width)...)
		}
	}
	return out
}

// indent is where readings stand under the name of their pass.
var indent = strings.Repeat(" ", 10)

// drawOthers draws what other extractors read in the pass: a line for each reading, with all who read so.
func drawOthers(d *sampleDetail, p *Pass, width int) []string {
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
	return eval.Map(order, func(key string) string { return widget.CutWidth(indent+drawReading(d, p, by[key]), width) })
}

func drawReading(d *sampleDetail, p *Pass, r *blind.MachineReading) string {
	t, e := d.Theme, r.Extraction
	line := widget.FitWidth(extractionText(t, e), 11)
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
	line += " " + widget.CleanLine(r.Extractor)
	if e.Method != "" {
		line += t.Faint.Render("  " + widget.CleanLine(e.Method))
	}
	return line
}

// drawLabels gives what people said of the shown pass.
func drawLabels(d *sampleDetail, p *Pass, width int) []string {
	t := d.Theme
	var out []string
	for _, l := range p.Labels {
		line := indent + widget.FitWidth(readingText(l.Reading), 11) + "   " + t.Strong.Render(widget.CleanLine(string(l.Annotator)))
		if l.Note != "" {
			line += t.Faint.Render("  " + widget.CleanLine(l.Note))
		}
		out = append(out, widget.CutWidth(line, width))
	}
	return out
}

func readingText(r annotate.Reading) string {
	switch r.Kind {
	case annotate.PickedOption:
		return "→ " + widget.CleanLine(r.Word())
	case annotate.Scored:
		return fmt.Sprintf("score %d of %d", r.Score, eval.TopScore)
	case annotate.ReadingUnset, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused, annotate.Voted, annotate.Graded:
	}
	return r.Word()
}

// drawPrediction draws the raw text of the shown pass.
func drawPrediction(d *sampleDetail) []string {
	t, width := d.Theme, d.textWidth()
	if d.row.Key.Run == 0 {
		return nil
	}
	if d.at >= len(d.Passes) {
		return []string{t.DrawSection("Prediction", "none yet", false, width)}
	}
	p := &d.Passes[d.at]
	note := ""
	if d.text != nil {
		note = d.formatScrollPlace()
	}
	out := []string{t.DrawSection(fmt.Sprintf("Prediction of pass %d", p.Pass), note, false, width)}
	switch {
	case !p.Visibility.ShowsText():
		out = append(out, t.Faint.Render(blindText))
	case p.Failure != nil:
		out = append(out, eval.Map(drilldown.FirstLines(widget.WrapText(drilldown.CutLongText(p.Failure.Message), width), d.textHeight()), func(l string) string { return t.Bad.Render(l) })...)
	case p.Text == "":
		out = append(out, t.Faint.Render("(empty)"))
	case d.text != nil:
		out = append(out, d.text.LinesFrom(d.scroll, d.textHeight())...)
	}
	return out
}

// formatScrollPlace says where in the text the shown lines are.
func (d *sampleDetail) formatScrollPlace() string {
	n, all := d.text.Len()
	if n <= d.textHeight() && all {
		return ""
	}
	of := widget.FormatCount(n) + eval.Either(all, "", "+")
	return fmt.Sprintf("lines %s to %s of %s", widget.FormatCount(d.scroll+1), widget.FormatCount(min(n, d.scroll+d.textHeight())), of)
}

func linesFrom(lines []string, n int) []string { return lines[min(n, len(lines)):] }
