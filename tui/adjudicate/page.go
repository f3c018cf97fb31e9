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
	choices []labeloption.Offer
}

// wideFrom is the width from which the answer stands right of the question.
const wideFrom = 100

func (d *itemView) lay(p *annotation.Page, width, height int) (*page, int, int) {
	pg := &page{Page: p, choices: labeloption.Options(&p.Item)}
	cols, rows := d.layout.roomFor(pg, width, height)
	return pg, cols, rows
}

// room is what the image has above the question, in cells: what question and
// options leave of their column.
func (d *itemView) room(pg *page) (cols, rows int) {
	at := d.column(pg)
	if at == 0 {
		return 0, 0
	}
	cols, rows = d.layout.roomFor(pg, d.Width, d.Height)
	if rows = min(rows, d.Main()-len(questionOf(d, pg, at))-1); rows < annotation.LeastRows {
		return 0, 0
	}
	return cols, rows
}

// fill gives what scrolls room of the picture and the question, or gives it
// back.
func (d itemKeys) fill(key string) tea.Cmd {
	d.layout.space.Press(key)
	d.top = 0
	return d.Prepare()
}

// column is the width of question and options beside what scrolls; 0: they stand
// above it, as they do where the column is too low for them.
func (d *itemView) column(pg *page) int {
	at := d.layout.column(d.Width)
	if at > 0 && len(questionOf(d, pg, at)) > d.Main() {
		return 0
	}
	return at
}

// least is how many lines what scrolls has at least.
const least = 4

// headOf is question and options above what scrolls; they never do. Where there is
// no room for all of it, and once the item is answered, it is their gist.
func headOf(d *itemView, pg *page) []string {
	if d.column(pg) > 0 {
		return nil
	}
	all := append(questionOf(d, pg, d.Width), "")
	if d.layout.filled() || d.said.exhibit.done || len(all)+least > d.Main() {
		lines, _, _ := gistOf(d, pg, d.Width)
		return lines
	}
	return all
}

// pane is how many lines of what scrolls are seen.
func (d *itemView) pane(pg *page) int { return max(0, d.Main()-len(headOf(d, pg))) }

// scroll moves what scrolls.
func (d itemKeys) scroll(key string) tea.Cmd {
	if pg := d.Body(); pg != nil {
		pane := d.pane(pg)
		d.top = annotation.Scrolled(key, d.top, max(1, pane-2))
		d.top = max(0, min(d.top, len(d.scrolling(pg))-pane))
	}
	return nil
}

// reading is the width of what scrolls.
func (d *itemView) reading(pg *page) int {
	if at := d.column(pg); at > 0 {
		return d.Width - at - 3
	}
	return d.Width
}

// scrolling are the lines that scroll: what was answered and made of it.
func (d *itemView) scrolling(pg *page) []string { return d.said.testimony(pg, d.reading(pg)) }

// whole reports whether the frame shows something of the response beside question
// and options.
func (d *itemView) whole(pg *page) bool {
	return d.pane(pg) >= 2 && d.top+1 < len(d.said.response(pg, d.reading(pg)))
}

// View draws the item view in exactly the size that Resize gave.
func (d *itemView) View() string { return strings.Join(d.Lines(), "\n") }

// Lines are those of View.
func (d *itemView) Lines() []string { return d.Frame(d.place, d.main, d.status) }

func (d *itemView) main(height int) []string {
	pg := d.Body()
	if pg == nil {
		out := d.Head.Finished(annotation.Words{Nothing: "No item is listed."})
		switch {
		case d.Session.Walk.Open() > 0 || d.Session.Walk.Len() == 0:
		default:
			out = append(out, "", " They are adjudicated. "+d.Theme.Key.Render("esc")+" goes back to the list, "+
				d.Theme.Key.Render(d.Spelled("next_tab"))+" to the rate before and after.")
		}
		return widget.Block(out, d.Width, height)
	}
	lines := d.scrolling(pg)
	lines = lines[max(0, min(d.top, len(lines)-d.pane(pg))):]
	at := d.column(pg)
	if at == 0 {
		return widget.Block(append(headOf(d, pg), lines...), d.Width, height)
	}
	left := questionOf(d, pg, at)
	if cols, rows := d.room(pg); rows > 0 {
		left = append(append(d.Gallery.Drawing(pg.Page, cols, rows), d.Gallery.Caption(pg.Page)), left...)
	}
	return d.Theme.Beside(left, lines, at, d.Width, height)
}

// place is the line about the item in front.
func (d *itemView) place() string {
	t, left := d.Theme, d.Head.Place()
	if left == "" {
		return ""
	}
	if pg := d.Body(); pg != nil && pg.Item.Key.Pass > 0 {
		left += t.Faint.Render("  rotated by " + widget.Count(int(pg.Item.Key.Pass)))
	}
	if _, ok := d.said.ruling(); ok {
		left += t.Good.Render("  ✓ adjudicated")
	}
	right := ""
	if pg := d.Body(); pg != nil && d.layout.column(d.Width) == 0 && d.Gallery.NoPicture() == "" {
		right = t.Key.Render(d.Spelled("zoom")) + t.Faint.Render(" the image ")
	}
	return widget.Ends(left, right, d.Width)
}

// status is the last line: the question who was right, or what stands.
func (d *itemView) status() string {
	t := d.Theme
	r, ok := d.said.ruling()
	switch {
	case d.Refusal != "" || d.Mode == annotation.Noting || d.Work.NoFailure() == "":
		return d.Head.Status(func() string { return "" })
	case d.Mode == settling:
		return whoWasRight(d)
	case !ok:
		return d.Head.Status(func() string { l, _ := d.Own(); return "your label: " + labeloption.Word(l.Reading) })
	}
	out := " " + t.Good.Render("▸ adjudicated: "+labeloption.Word(r.Reading))
	if r.Cause != annotate.CauseUnset {
		out += ", " + causeWord(r.Cause)
	}
	if r.Note != "" {
		out += t.Faint.Render("  note: ") + widget.Line(r.Note)
	}
	return widget.Fit(out, d.Width)
}

// whoWasRight asks who was right. What the adjudication says of it comes first:
// enter takes it.
func whoWasRight(d *itemView) string {
	t := d.Theme
	out := " " + t.Title.Render("RIGHT?")
	for i, name := range []string{"people", "judge", "ambiguous", "both wrong"} {
		out += " " + t.Key.Render(labeloption.Digits[i:i+1]) + " " + name
	}
	switch c, known := d.said.follows(); {
	case !known && !d.said.exhibit.done:
	case c != annotate.CauseUnset:
		out += t.Faint.Render("  " + d.Spelled("next_unlabeled") + ": " + causeWord(c))
	default:
		out += t.Faint.Render("  " + d.Spelled("next_unlabeled") + " continues")
	}
	return widget.Fit(out, d.Width)
}

// layout is the room that the answer and what was made of it have.
type layout struct {
	space *widget.PaneSize // of the answer and what was made of it
}

// roomFor is what the picture has on the item view: nothing where the answer needs
// the width, z shows it there.
func (l *layout) roomFor(pg *page, width, height int) (cols, rows int) {
	cols = l.column(width)
	if cols == 0 || len(pg.Pictures) == 0 {
		return 0, 0
	}
	return cols, max(0, (height-annotation.HeaderLines-annotation.StatusLines)/2)
}

// column is the width of the question beside the answer; 0: it stands above.
func (l *layout) column(width int) int {
	if width < wideFrom {
		return 0
	}
	return l.space.Leaves(width * 2 / 5)
}

// filled reports whether the answer and what was made of it have all the room.
func (l *layout) filled() bool { return *l.space == widget.FullPane }

// gistOf is a line of the question, the options from one on up to another in as
// many lines as they take, and what is no option. The options have pages where
// there is no room for all.
func gistOf(d *itemView, pg *page, width int) (lines []string, from, to int) {
	final, _ := d.said.ruling()
	n := len(pg.choices)
	rows, each := gridOf(d, n, width)
	from = min(d.turned*each, max(0, n-1)/each*each)
	to = min(n, from+each)
	lines = []string{widget.Cut(d.Theme.Strong.Render(widget.Line(annotation.Bounded(pg.Item.Question))), width)}
	lines = append(lines, annotation.OptionRows(d.Theme, pg.choices[from:to], func(c *labeloption.Offer) string { return mark(d.Theme, c.In(final.Reading)) }, rows, width)...)
	return append(lines, widget.Cut(verdictsOf(d), width)), from, to
}

// gridOf is how many lines n options take in their gist, and how many have a place
// there.
func gridOf(d *itemView, n, width int) (rows, each int) {
	across := max(1, width/annotation.LeastOption)
	rows = max(1, min((n+across-1)/across, d.Main()-2-least))
	return rows, rows * across
}

// turnTo shows the options among which one is, and reports whether it did not
// stand on the frame.
func (d *itemView) turnTo(pg *page, choice int) bool {
	if d.column(pg) > 0 || len(headOf(d, pg)) > len(questionOf(d, pg, d.Width)) {
		return false
	}
	_, from, to := gistOf(d, pg, d.Width)
	if choice >= from && choice < to {
		return false
	}
	_, each := gridOf(d, len(pg.choices), d.Width)
	d.turned = choice / each
	d.Turns++
	return true
}

// verdictsOf are the rulings that are no option, behind their keys.
func verdictsOf(d *itemView) string {
	t := d.Theme
	final, _ := d.said.ruling()
	line := ""
	for i, v := range []annotate.Verdict{annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused} {
		line += mark(t, final.Reading.Verdict == v) + t.Key.Render(d.Spelled([]string{"none", "several", "refused"}[i])) + " " + v.String() + "  "
	}
	return line
}

// questionOf is the question with its options behind their keys. Above an answer
// that has half of its room each option keeps a line, and the question half of
// its own.
func questionOf(d *itemView, pg *page, width int) []string {
	t, it := d.Theme, &pg.Item
	brief := *d.layout.space == widget.HalfPane && d.layout.column(d.Width) == 0
	var out []string
	text := widget.Wrap(annotation.Bounded(it.Question), width)
	if n := max(1, d.layout.space.Leaves(len(text))); brief && n < len(text) {
		text = append(text[:n-1:n-1], widget.Cut(strings.Join(text[n-1:], " "), width))
	}
	for _, l := range text {
		out = append(out, t.Strong.Render(l))
	}
	if it.Hint != "" {
		out = append(out, t.Faint.Wrap("", "hint: "+annotation.Bounded(it.Hint), width)...)
	}
	out = append(out, "")
	final, _ := d.said.ruling()
	for _, c := range pg.choices {
		const margin = 6
		head := " " + mark(t, c.In(final.Reading)) + t.Key.Render(widget.Fit(c.Letter, 2)) + " "
		for i, l := range widget.Wrap(annotation.Bounded(c.Text), max(1, width-margin)) {
			if i > 0 && brief {
				break
			}
			if i > 0 {
				head = strings.Repeat(" ", margin)
			}
			out = append(out, head+l)
		}
	}
	return append(out, widget.Cut(" "+verdictsOf(d), width))
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
