package adjudicate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// The widths of the matrix: a name of a row, a number with its brackets, and a cell, which is a number
// behind its shade. Cells grow with the room that there is, so that the shades make a picture.
const (
	nameWidth   = 11
	numberWidth = 7
	cellLeast   = 9
	cellMost    = 16
)

// steps are the shares of a row from which on a cell has its shade.
var steps = [4]float64{math.SmallestNonzeroFloat64, 0.25, 0.5, 0.75}

// drawLegend says what the shades mean.
func drawLegend() string {
	return fmt.Sprintf("  of its row  %s some  %s from 25 %%  %s from 50 %%  %s from 75 %%",
		widget.ShadeMark(steps[0], steps), widget.ShadeMark(steps[1], steps), widget.ShadeMark(steps[2], steps), widget.ShadeMark(steps[3], steps))
}

// moveCell goes to the cell beside the one that is looked at.
func (m keyActions) moveCell(key string) tea.Cmd {
	by := eval.Either(key == "left", -1, 1)
	m.diffs.cell[1] = max(0, min(m.diffs.cell[1]+by, len(m.diffs.matrix.Machine)-1))
	return nil
}

// listItemsOfCell lists the items of the cell that is looked at.
func (m keyActions) listItemsOfCell(string) tea.Cmd {
	m.diffs.filter = filter{cell: true, people: m.diffs.matrix.People[m.diffs.cell[0]], machine: m.diffs.matrix.Machine[m.diffs.cell[1]]}
	m.listing, m.diffs.at = true, widget.Cursor{}
	m.diffs.rebuildMatrixAndList()
	return nil
}

// formatShownRange says which of a row or column of names are shown.
func formatShownRange(from, to, n int) string {
	return eval.Either(from == 0 && to == n, "", fmt.Sprintf("  %d-%d of %d", from+1, to, n))
}

func fitName(t *widget.Theme, s string, width int, here bool) string {
	style := eval.Either(here, t.Strong, t.Faint)
	return style.Render(widget.CutWidth(widget.CleanLine(s), width))
}

func alignRight(s string, width int) string {
	return strings.Repeat(" ", max(0, width-widget.TextWidth(s))) + widget.CutWidth(s, width)
}

// cellWidth is that of every cell, the sums included.
func (ds *disagreements) cellWidth() int {
	return max(cellLeast, min(cellMost, (ds.size.width-nameWidth-2)/(len(ds.matrix.Machine)+1)))
}

// drawMatrix draw as much of the matrix as fits, around the cell that is looked at.
func (ds *disagreements) drawMatrix(height int) []string {
	t, x := ds.theme, &ds.matrix
	if len(x.People) == 0 {
		return ds.explainNoMatrix()
	}
	cell := ds.cellWidth()
	shown := max(1, min(len(x.Machine), (ds.size.width-nameWidth-2-cell)/cell))
	from := max(0, min(ds.cell[1]-shown/2, len(x.Machine)-shown))
	rows := max(1, min(len(x.People), height-7))
	top := max(0, min(ds.cell[0]-rows/2, len(x.People)-rows))

	head := t.Faint.Render(widget.FitWidth("people ↓", nameWidth+2))
	for j := from; j < from+shown; j++ {
		head += alignRight(fitName(t, x.Machine[j], cell-2, j == ds.cell[1])+" ", cell)
	}
	out := []string{
		t.Faint.Render(widget.FitWidth("", nameWidth+2) + "machine →" + formatShownRange(from, from+shown, len(x.Machine))),
		head + t.Faint.Render(alignRight("all ", cell)),
	}
	for i := top; i < top+rows; i++ {
		line := "  " + widget.FitWidth(fitName(t, x.People[i], nameWidth-2, i == ds.cell[0]), nameWidth)
		sum := eval.Sum(x.N[i], func(n int) int { return n })
		for j := from; j < from+shown; j++ {
			line += ds.drawCell(i, j, sum)
		}
		out = append(out, line+t.Faint.Render(alignRight(widget.FormatCount(sum)+" ", cell)))
	}
	if rows < len(x.People) {
		out = append(out, t.Faint.Render("  rows"+formatShownRange(top, top+rows, len(x.People))))
	}
	return append(out, t.Faint.Render(drawLegend()), "", ds.describeCell(), ds.formatCauseCounts())
}

// formatCauseCounts gives who was right on the Case II items, once some are settled.
func (ds *disagreements) formatCauseCounts() string {
	x := ds.currentExtractor()
	if x == nil || x.Rulings == 0 || x.After.N == 0 {
		return ""
	}
	c := x.CaseTwo
	return widget.FitWidth(ds.theme.Faint.Render(fmt.Sprintf("  disagree (Case II): people right %d, judge right %d, ambiguous %d, both wrong %d, open %d",
		c.PersonRight, c.JudgeRight, c.Ambiguous, c.BothWrong, c.Open)), ds.size.width)
}

// drawCell draws a number behind the shade of its share of the row: what people and the machine read
// alike in one colour, what they do not in another. The cell that is looked at stands in brackets.
func (ds *disagreements) drawCell(i, j, sum int) string {
	t, n := ds.theme, ds.matrix.N[i][j]
	style := eval.Either(ds.matrix.People[i] == ds.matrix.Machine[j], t.Good, t.Warn)
	shade := eval.Either(n > 0 && sum > 0, widget.ShadeMark(float64(n)/float64(sum), steps), " ")
	mark := " " + style.Render(strings.Repeat(shade, ds.cellWidth()-numberWidth-1))
	text := widget.FormatCount(n)
	switch {
	case i == ds.cell[0] && j == ds.cell[1]:
		return mark + alignRight(t.Selected.Render("["+text+"]"), numberWidth)
	case n == 0:
		return mark + t.Faint.Render(alignRight(widget.Cool+" ", numberWidth))
	}
	return mark + alignRight(text+" ", numberWidth)
}

// describeCell describes the cell that is looked at in words.
func (ds *disagreements) describeCell() string {
	p, q := ds.matrix.People[ds.cell[0]], ds.matrix.Machine[ds.cell[1]]
	return widget.FitWidth(fmt.Sprintf("  people read %s, the machine %s: %s", widget.CleanLine(p), widget.CleanLine(q),
		widget.FormatPlural(ds.matrix.N[ds.cell[0]][ds.cell[1]], "item")), ds.size.width)
}

func (ds *disagreements) explainNoMatrix() []string {
	text := "No comparison yet: no item has both a human consensus and an extracted answer."
	switch x := ds.currentExtractor(); {
	case x != nil && x.LeftOut != "":
		text = "Left out: " + x.LeftOut + ds.SpellText(". {next_extractor} shows another extractor.")
	case ds.matrix.Blind > 0:
		text = widget.FormatPlural(ds.matrix.Blind, "item") + " kept back until you have said what you read yourself: " + eval.Either(ds.all.Waiting > 0,
			fmt.Sprintf("the queue still asks for your label on %s of them.", widget.FormatCount(ds.all.Waiting)),
			ds.SpellKey("next_unlabeled")+" goes through them, the contested ones first.")
	}
	return ds.theme.Faint.WrapStyled("  ", text, ds.size.width)
}

func (ds *disagreements) drawMatrixHead() string {
	x := &ds.matrix
	text := fmt.Sprintf("%s compared", widget.FormatPlural(x.Compared, "item"))
	text += eval.Either(ds.after, ", adjudications counted", "")
	if n := x.Blind - ds.all.Elsewhere; n > 0 {
		text += fmt.Sprintf(" · %s blind until you %s", widget.FormatCount(n), ds.describeAnswering())
	}
	if n := ds.all.Elsewhere; n > 0 {
		text += fmt.Sprintf(" · %s blind: open to you in another queue", widget.FormatCount(n))
	}
	sep := " · left out: "
	for _, why := range slices.Sorted(maps.Keys(x.LeftOut)) {
		text += fmt.Sprintf("%s%s %s", sep, widget.FormatCount(x.LeftOut[why]), why)
		sep = ", "
	}
	return widget.FitWidth("  "+ds.theme.Faint.Render(text), ds.size.width)
}
