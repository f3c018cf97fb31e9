package adjudicate

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
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

// leastRows is how many lines an image has at least; under it, it shows nothing.
const leastRows = 4

// room is what the image has above the question, in cells: what question and
// options leave of their column.
func (d *itemView) room(pg *page) (cols, rows int) {
	at := d.column(pg)
	if at == 0 {
		return 0, 0
	}
	cols, rows = d.layout.roomFor(pg, d.Width, d.Height)
	if rows = min(rows, d.Main()-len(d.question(pg, at))-1); rows < leastRows {
		return 0, 0
	}
	return cols, rows
}

// fill gives what scrolls room of the picture and the question, or gives it
// back.
func (d *itemView) fill(key string) tea.Cmd {
	d.layout.space.Press(key)
	d.top = 0
	return d.Prepare()
}

// column is the width of question and options beside what scrolls; 0: they stand
// above it, as they do where the column is too low for them.
func (d *itemView) column(pg *page) int {
	at := d.layout.column(d.Width)
	if at > 0 && len(d.question(pg, at)) > d.Main() {
		return 0
	}
	return at
}

// least is how many lines what scrolls has at least.
const least = 4

// head is question and options above what scrolls; they never do. Where there is
// no room for all of it, and once the item is answered, it is their gist.
func (d *itemView) head(pg *page) []string {
	if d.column(pg) > 0 {
		return nil
	}
	all := append(d.question(pg, d.Width), "")
	if d.layout.filled() || d.said.exhibit.done || len(all)+least > d.Main() {
		lines, _, _ := d.gist(pg, d.Width)
		return lines
	}
	return all
}

// pane is how many lines of what scrolls are seen.
func (d *itemView) pane(pg *page) int { return max(0, d.Main()-len(d.head(pg))) }

// scroll moves what scrolls.
func (d *itemView) scroll(key string) tea.Cmd {
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
		return widget.Block(append(d.head(pg), lines...), d.Width, height)
	}
	left := d.question(pg, at)
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
		return d.whoWasRight()
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
func (d *itemView) whoWasRight() string {
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
