package adjudicate

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// page is an item as it was read.
type page struct {
	*annotation.Page
	choices []labeloption.Option
}

// wideFrom is the width from which the answer stands right of the question.
const wideFrom = 100

func (d *itemView) layOutPage(p *annotation.Page, width, height int) (*page, int, int) {
	pg := &page{Page: p, choices: labeloption.ListOptions(&p.Item)}
	cols, rows := d.layout.imageRoomFor(pg, width, height)
	return pg, cols, rows
}

// imageRoom is what the image has above the question, in cells: what question and options leave of their column.
func (d *itemView) imageRoom(pg *page) (cols, rows int) {
	at := d.questionWidth(pg)
	if at == 0 {
		return 0, 0
	}
	cols, rows = d.layout.imageRoomFor(pg, d.Width, d.Height)
	if rows = min(rows, d.MainHeight()-len(drawQuestion(d, pg, at))-1); rows < annotation.LeastRows {
		return 0, 0
	}
	return cols, rows
}

// toggleEnlarged gives what scrolls room of the picture and the question, or gives it back.
func (d itemKeys) toggleEnlarged(key string) tea.Cmd {
	d.layout.space.ChangeByKey(key)
	d.top = 0
	return d.PrefetchItems()
}

// questionWidth is the width of question and options beside what scrolls; 0: they stand
// above it, as they do where the column is too low for them.
func (d *itemView) questionWidth(pg *page) int {
	at := d.layout.questionWidth(d.Width)
	return eval.Either(at > 0 && len(drawQuestion(d, pg, at)) > d.MainHeight(), 0, at)
}

// least is how many lines what scrolls has at least.
const least = 4

// drawFixedHead draws question and options above what scrolls; they never do. Where there is
// no room for all of it, and once the item is answered, it is their gist.
func drawFixedHead(d *itemView, pg *page) []string {
	if d.questionWidth(pg) > 0 {
		return nil
	}
	all := append(drawQuestion(d, pg, d.Width), "")
	if *d.layout.space == widget.FullPane || d.said.exhibit.done || len(all)+least > d.MainHeight() {
		lines, _, _ := drawQuestionGist(d, pg, d.Width)
		return lines
	}
	return all
}

// paneHeight is how many lines of what scrolls are seen.
func (d *itemView) paneHeight(pg *page) int { return max(0, d.MainHeight()-len(drawFixedHead(d, pg))) }

func (d itemKeys) scrollPane(key string) tea.Cmd {
	if pg := d.FrontBody(); pg != nil {
		pane := d.paneHeight(pg)
		d.top = annotation.ScrollPosition(key, d.top, max(1, pane-2))
		d.top = max(0, min(d.top, len(d.scrollLines(pg))-pane))
	}
	return nil
}

func (d *itemView) readingWidth(pg *page) int {
	if at := d.questionWidth(pg); at > 0 {
		return d.Width - at - 3
	}
	return d.Width
}

// scrollLines are the lines that scroll: what was answered and made of it.
func (d *itemView) scrollLines(pg *page) []string { return d.said.drawOpinions(pg, d.readingWidth(pg)) }

// isResponseVisible reports whether the frame shows something of the response beside question and options.
func (d *itemView) isResponseVisible(pg *page) bool {
	return d.paneHeight(pg) >= 2 && d.top+1 < len(d.said.drawResponse(pg, d.readingWidth(pg)))
}

// View draws the item view in exactly the size that Resize gave.
func (d *itemView) View() string {
	return strings.Join(d.DrawFrame(d.drawPlaceLine, d.drawMain, d.drawStatus), "\n")
}

func (d *itemView) drawMain(height int) []string {
	pg := d.FrontBody()
	if pg == nil {
		out := d.Head.DrawFinished(annotation.EndTexts{Nothing: "No item is listed."})
		switch {
		case d.Session.Walk.CountOpen() > 0 || d.Session.Walk.Len() == 0:
		default:
			out = append(out, "", " They are adjudicated. "+d.Theme.Key.Render("esc")+" goes back to the list, "+
				d.Theme.Key.Render(d.SpellKey("next_tab"))+" to the rate before and after.")
		}
		return widget.FitBox(out, d.Width, height)
	}
	lines := d.scrollLines(pg)
	lines = lines[max(0, min(d.top, len(lines)-d.paneHeight(pg))):]
	at := d.questionWidth(pg)
	if at == 0 {
		return widget.FitBox(append(drawFixedHead(d, pg), lines...), d.Width, height)
	}
	left := drawQuestion(d, pg, at)
	if cols, rows := d.imageRoom(pg); rows > 0 {
		left = append(append(d.Gallery.PictureLines(pg.Page, cols, rows), d.Gallery.FormatCaption(pg.Page)), left...)
	}
	return d.Theme.DrawBeside(left, lines, at, d.Width, height)
}

// drawPlaceLine draws the line about the item in front.
func (d *itemView) drawPlaceLine() string {
	t, left := d.Theme, d.Head.FormatItemLine()
	if left == "" {
		return ""
	}
	if pg := d.FrontBody(); pg != nil && pg.Item.Key.Pass > 0 {
		left += t.Faint.Render("  rotated by " + widget.FormatCount(int(pg.Item.Key.Pass)))
	}
	if _, ok := d.said.ownRuling(); ok {
		left += t.Good.Render("  ✓ adjudicated")
	}
	right := ""
	if pg := d.FrontBody(); pg != nil && d.layout.questionWidth(d.Width) == 0 && d.Gallery.WhyNoPicture() == "" {
		right = t.Key.Render(d.SpellKey("zoom")) + t.Faint.Render(" the image ")
	}
	return widget.JoinEnds(left, right, d.Width)
}

// drawStatus draws the last line: the question who was right, or what stands.
func (d *itemView) drawStatus() string {
	t := d.Theme
	r, ok := d.said.ownRuling()
	switch {
	case d.Refusal != "" || d.Mode == annotation.Noting || d.Work.WhyNoFailure() == "":
		return d.Head.DrawStatus(func() string { return "" })
	case d.Mode == settling:
		return askCauseText(d)
	case !ok:
		return d.Head.DrawStatus(func() string { l, _ := d.OwnLabel(); return "your label: " + labeloption.ReadingText(l.Reading) })
	}
	out := " " + t.Good.Render("▸ adjudicated: "+labeloption.ReadingText(r.Reading))
	out += eval.Either(r.Cause != annotate.CauseUnset, ", "+causeWord(r.Cause), "")
	out += eval.Either(r.Note != "", t.Faint.Render("  note: ")+widget.CleanLine(r.Note), "")
	return widget.FitWidth(out, d.Width)
}

// askCauseText asks who was right. What the adjudication says of it comes first: enter takes it.
func askCauseText(d *itemView) string {
	t := d.Theme
	out := " " + t.Title.Render("RIGHT?")
	for i, name := range []string{"people", "judge", "ambiguous", "both wrong"} {
		out += " " + t.Key.Render(labeloption.Digits[i:i+1]) + " " + name
	}
	switch c, known := d.said.causeByRuling(); {
	case !known && !d.said.exhibit.done:
	case c != annotate.CauseUnset:
		out += t.Faint.Render("  " + d.SpellKey("next_unlabeled") + ": " + causeWord(c))
	default:
		out += t.Faint.Render("  " + d.SpellKey("next_unlabeled") + " continues")
	}
	return widget.FitWidth(out, d.Width)
}

// layout is the room that the answer and what was made of it have.
type layout struct {
	space *widget.PaneSize // of the answer and what was made of it
}

// imageRoomFor is what the picture has on the item view: nothing where the answer needs the width, z shows it there.
func (l *layout) imageRoomFor(pg *page, width, height int) (cols, rows int) {
	cols = l.questionWidth(width)
	if cols == 0 || len(pg.Pictures) == 0 {
		return 0, 0
	}
	return cols, max(0, (height-annotation.HeaderLines-annotation.StatusLines)/2)
}

// questionWidth is the width of the question beside the answer; 0: it stands above.
func (l *layout) questionWidth(width int) int {
	return eval.Either(width < wideFrom, 0, l.space.CellsLeft(width*2/5))
}

// drawQuestionGist draws a line of the question, the options from one on up to another in as many lines as they
// take, and what is no option. The options have pages where there is no room for all.
func drawQuestionGist(d *itemView, pg *page, width int) (lines []string, from, to int) {
	final, _ := d.said.ownRuling()
	n := len(pg.choices)
	rows, each := planOptionGrid(d, n, width)
	from = min(d.turned*each, max(0, n-1)/each*each)
	to = min(n, from+each)
	lines = []string{widget.CutWidth(d.Theme.Strong.Render(widget.CleanLine(annotation.CutLongText(pg.Item.Question))), width)}
	lines = append(lines, annotation.DrawOptionRows(d.Theme, pg.choices[from:to], func(c *labeloption.Option) string { return cursorMark(d.Theme, c.IsSaidBy(final.Reading)) }, rows, width)...)
	return append(lines, widget.CutWidth(drawNonOptionRulings(d), width)), from, to
}

// planOptionGrid plans how many lines n options take in their gist, and how many have a place there.
func planOptionGrid(d *itemView, n, width int) (rows, each int) {
	across := max(1, width/annotation.LeastOption)
	rows = max(1, min((n+across-1)/across, d.MainHeight()-2-least))
	return rows, rows * across
}

// turnToOption shows the options among which one is, and reports whether it did not stand on the frame.
func (d *itemView) turnToOption(pg *page, choice int) bool {
	if d.questionWidth(pg) > 0 || len(drawFixedHead(d, pg)) > len(drawQuestion(d, pg, d.Width)) {
		return false
	}
	_, from, to := drawQuestionGist(d, pg, d.Width)
	if choice >= from && choice < to {
		return false
	}
	_, each := planOptionGrid(d, len(pg.choices), d.Width)
	d.turned = choice / each
	d.Turns++
	return true
}

// drawNonOptionRulings draws the rulings that are no option, behind their keys.
func drawNonOptionRulings(d *itemView) string {
	t := d.Theme
	final, _ := d.said.ownRuling()
	line := ""
	for i, v := range []annotate.ReadingKind{annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused} {
		line += cursorMark(t, final.Reading.Kind == v) + t.Key.Render(d.SpellKey([]string{"none", "several", "refused"}[i])) + " " + v.String() + "  "
	}
	return line
}

// drawQuestion draws the question with its options behind their keys. Above an answer that has half of
// its room each option keeps a line, and the question half of its own.
func drawQuestion(d *itemView, pg *page, width int) []string {
	t, it := d.Theme, &pg.Item
	brief := *d.layout.space == widget.HalfPane && d.layout.questionWidth(d.Width) == 0
	var out []string
	text := widget.WrapText(annotation.CutLongText(it.Question), width)
	if n := max(1, d.layout.space.CellsLeft(len(text))); brief && n < len(text) {
		text = append(text[:n-1:n-1], widget.CutWidth(strings.Join(text[n-1:], " "), width))
	}
	out = append(out, eval.Map(text, func(l string) string { return t.Strong.Render(l) })...)
	if it.Hint != "" {
		out = append(out, t.Faint.WrapStyled("", "hint: "+annotation.CutLongText(it.Hint), width)...)
	}
	out = append(out, "")
	final, _ := d.said.ownRuling()
	for _, c := range pg.choices {
		const margin = 6
		head := " " + cursorMark(t, c.IsSaidBy(final.Reading)) + t.Key.Render(widget.FitWidth(c.Letter, 2)) + " "
		for i, l := range widget.WrapText(annotation.CutLongText(c.Text), max(1, width-margin)) {
			if i > 0 && brief {
				break
			}
			if i > 0 {
				head = strings.Repeat(" ", margin)
			}
			out = append(out, head+l)
		}
	}
	return append(out, widget.CutWidth(" "+drawNonOptionRulings(d), width))
}

func cursorMark(t *widget.Theme, here bool) string {
	return eval.Either(here, t.Good.Render("▸ "), "  ")
}

func formatNote(note string) string { return eval.Either(note == "", "", "note: "+note) }

// agreesWithRuling reports whether a machine read what the ruling says.
func agreesWithRuling(r annotate.Reading, e eval.Extraction) bool {
	return eval.Either(r.Kind == annotate.PickedOption, e.IsFound() && e.Choice == r.Choice, !e.IsFound())
}

func formatMachineReading(e eval.Extraction) string {
	return eval.Either(e.IsFound(), widget.CleanLine(string(e.Choice)), e.Status.String())
}
