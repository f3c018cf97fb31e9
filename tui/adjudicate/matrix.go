package adjudicate

import (
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// The widths of the matrix: a name of a row, a number with its brackets, and a
// cell, which is a number behind its shade. Cells grow with the room that there
// is, so that the shades make a picture.
const (
	nameWidth   = 11
	numberWidth = 7
	cellLeast   = 9
	cellMost    = 16
)

// cellWidth is that of every cell, the sums included.
func (m *Model) cellWidth() int {
	return max(cellLeast, min(cellMost, (m.width-nameWidth-2)/(len(m.matrix.Machine)+1)))
}

// steps are the shares of a row from which on a cell has its shade.
var steps = [4]float64{math.SmallestNonzeroFloat64, 0.25, 0.5, 0.75}

// legend says what the shades mean.
func legend() string {
	return fmt.Sprintf("  of its row  %s some  %s from 25 %%  %s from 50 %%  %s from 75 %%",
		widget.Shade(steps[0], steps), widget.Shade(steps[1], steps), widget.Shade(steps[2], steps), widget.Shade(steps[3], steps))
}

func (m *Model) pressMatrix(msg tea.KeyMsg) {
	rows, columns := len(m.matrix.People), len(m.matrix.Machine)
	if rows == 0 {
		return
	}
	switch msg.String() {
	case "left":
		m.cell[1] = max(0, m.cell[1]-1)
	case "right":
		m.cell[1] = min(columns-1, m.cell[1]+1)
	case "enter":
		m.filter = filter{cell: true, people: m.matrix.People[m.cell[0]], machine: m.matrix.Machine[m.cell[1]]}
		m.listing, m.at = true, widget.Cursor{}
		m.rebuild()
	default:
		if by, ok := m.keys.moves.By(msg, m.matrixHeight(), rows); ok {
			m.cell[0] = max(0, min(m.cell[0]+by, rows-1))
		}
	}
}

// matrixHeight is how many rows of the matrix are shown at once.
func (m *Model) matrixHeight() int { return max(1, m.height-headLines-6) }

// matrixLines draw as much of the matrix as fits, around the cell that is
// looked at.
func (m *Model) matrixLines(height int) []string {
	t, x := m.theme, &m.matrix
	if len(x.People) == 0 {
		return m.empty()
	}
	cell := m.cellWidth()
	shown := max(1, min(len(x.Machine), (m.width-nameWidth-2-cell)/cell))
	from := max(0, min(m.cell[1]-shown/2, len(x.Machine)-shown))
	rows := max(1, min(len(x.People), height-7))
	top := max(0, min(m.cell[0]-rows/2, len(x.People)-rows))

	head := t.Faint.Render(widget.Fit("people ↓", nameWidth+2))
	for j := from; j < from+shown; j++ {
		head += right(name(t, x.Machine[j], cell-2, j == m.cell[1])+" ", cell)
	}
	out := []string{
		t.Faint.Render(widget.Fit("", nameWidth+2) + "machine →" + more(from, from+shown, len(x.Machine))),
		head + t.Faint.Render(right("all ", cell)),
	}
	for i := top; i < top+rows; i++ {
		line := "  " + widget.Fit(name(t, x.People[i], nameWidth-2, i == m.cell[0]), nameWidth)
		sum := 0
		for _, n := range x.N[i] {
			sum += n
		}
		for j := from; j < from+shown; j++ {
			line += m.cellText(i, j, sum)
		}
		out = append(out, line+t.Faint.Render(right(widget.Count(sum)+" ", cell)))
	}
	if rows < len(x.People) {
		out = append(out, t.Faint.Render("  rows"+more(top, top+rows, len(x.People))))
	}
	return append(out, t.Faint.Render(legend()), "", m.cellNote(), m.causes())
}

// causes are who was right on the Case II items, once some are settled.
func (m *Model) causes() string {
	x := m.now()
	if x == nil || x.Rulings == 0 || x.After.N == 0 {
		return ""
	}
	c := x.CaseTwo
	return widget.Fit(m.theme.Faint.Render(fmt.Sprintf("  Case II: people right %d, judge right %d, ambiguous %d, both wrong %d, open %d",
		c.PersonRight, c.JudgeRight, c.Ambiguous, c.BothWrong, c.Open)), m.width)
}

// more says which of a row or column of names are shown.
func more(from, to, n int) string {
	if from == 0 && to == n {
		return ""
	}
	return fmt.Sprintf("  %d-%d of %d", from+1, to, n)
}

func name(t *widget.Theme, s string, width int, here bool) string {
	style := t.Faint
	if here {
		style = t.Strong
	}
	return style.Render(widget.Cut(widget.Line(s), width))
}

// cellText is a number behind the shade of its share of the row: what people
// and the machine read alike in one colour, what they do not in another. The
// cell that is looked at stands in brackets.
func (m *Model) cellText(i, j, sum int) string {
	t, n := m.theme, m.matrix.N[i][j]
	style := t.Warn
	if m.matrix.People[i] == m.matrix.Machine[j] {
		style = t.Good
	}
	shade := " "
	if n > 0 && sum > 0 {
		shade = widget.Shade(float64(n)/float64(sum), steps)
	}
	mark := " " + style.Render(strings.Repeat(shade, m.cellWidth()-numberWidth-1))
	text := widget.Count(n)
	switch {
	case i == m.cell[0] && j == m.cell[1]:
		return mark + right(t.Selected.Render("["+text+"]"), numberWidth)
	case n == 0:
		return mark + t.Faint.Render(right(widget.Cool+" ", numberWidth))
	}
	return mark + right(text+" ", numberWidth)
}

// cellNote is the cell that is looked at in words.
func (m *Model) cellNote() string {
	p, q := m.matrix.People[m.cell[0]], m.matrix.Machine[m.cell[1]]
	return widget.Fit(fmt.Sprintf("  people read %s, the machine %s: %s", widget.Line(p), widget.Line(q),
		widget.Plural(m.matrix.N[m.cell[0]][m.cell[1]], "item")), m.width)
}

// empty is why there is no matrix.
func (m *Model) empty() []string {
	text := "Nothing to compare yet: the queue has no item with both a consensus and a reading."
	switch x := m.now(); {
	case x != nil && x.LeftOut != "":
		text = "Left out: " + x.LeftOut + m.Keyed(". {n} shows another extractor.")
	case m.matrix.Blind > 0:
		text = widget.Plural(m.matrix.Blind, "item") + " kept back until you have said what you read yourself"
		if n := m.all.Waiting; n > 0 {
			text += fmt.Sprintf(": the queue still asks for your label on %s of them.", widget.Count(n))
		} else {
			text += ": " + m.Spelled(".") + " goes through them, the contested ones first."
		}
	}
	var out []string
	for _, l := range widget.Wrap(text, max(1, m.width-2)) {
		out = append(out, "  "+m.theme.Faint.Render(l))
	}
	return out
}

func right(s string, width int) string {
	return strings.Repeat(" ", max(0, width-widget.Width(s))) + widget.Cut(s, width)
}
