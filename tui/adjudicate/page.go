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

func (d *itemView) room(pg *page) (cols, rows int) { return d.layout.roomFor(pg, d.Width, d.Height) }

// fill gives what scrolls room of the picture and the question, or gives it
// back.
func (d *itemView) fill(key string) tea.Cmd {
	d.layout.space.Press(key)
	d.top = 0
	return d.Prepare()
}

// gist is what stays of the question above an answer that has all the room.
const gist = 2

// pane is how many lines of what scrolls are seen.
func (d *itemView) pane() int {
	if d.layout.filled() {
		return max(1, d.Main()-gist)
	}
	return d.Main()
}

// scroll moves what scrolls.
func (d *itemView) scroll(key string) tea.Cmd {
	d.top = annotation.Scrolled(key, d.top, max(1, d.pane()-2))
	if pg := d.Body(); pg != nil {
		d.top = max(0, min(d.top, len(d.scrolling(pg))-d.pane()))
	}
	return nil
}

// scrolling are the lines that scroll: all of the item, or beside the
// question what was answered and made of it.
func (d *itemView) scrolling(pg *page) []string {
	if at := d.layout.column(d.Width); at > 0 {
		return d.said.testimony(pg, d.Width-at-3)
	}
	return append(d.above(pg), d.said.testimony(pg, d.Width)...)
}

// above is the question where it scrolls with the rest.
func (d *itemView) above(pg *page) []string {
	if d.layout.filled() || d.layout.column(d.Width) > 0 {
		return nil
	}
	return append(d.question(pg, d.Width), "")
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
	top := max(0, min(d.top, len(lines)-d.pane()))
	lines = lines[top:]
	at := d.layout.column(d.Width)
	switch {
	case d.layout.filled():
		return widget.Block(append(d.gist(pg, d.Width), lines...), d.Width, height)
	case at == 0:
		return widget.Block(lines, d.Width, height)
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
