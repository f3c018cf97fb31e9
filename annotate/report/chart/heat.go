package chart

import "strconv"

// Cell is how many items fell where a row and a column meet.
type Cell struct {
	Row, Column string
	N           int
}

// Heat draws counts as a matrix: the more, the darker. Rows and columns are in
// the order in which they are named.
func Heat(title, rows, columns string, rowNames, columnNames []string, cells []Cell) Drawing {
	const (
		side  = 56
		high  = 28
		names = 44 // above the matrix
		left  = 160
	)
	place := func(names []string) map[string]int {
		out := make(map[string]int, len(names))
		for i, n := range names {
			out[n] = i
		}
		return out
	}
	d := Drawing{Title: title, Width: max(left+side*len(columnNames)+8, width/2), Height: top + names + high*len(rowNames) + 8}
	d.Texts = append(d.Texts,
		Text{X: left, Y: top + 12, Anchor: "start", Strong: true, Text: fit(columns, float64(d.Width-left))},
		Text{X: 4, Y: top + names - 8, Anchor: "start", Strong: true, Text: fit(rows, left-8)})
	for i, n := range columnNames {
		d.Texts = append(d.Texts, Text{X: left + side*(float64(i)+0.5), Y: top + names - 8, Anchor: "middle", Text: fit(n, side)})
	}
	for i, n := range rowNames {
		d.Texts = append(d.Texts, Text{X: left - 8, Y: top + names + high*float64(i) + 19, Anchor: "end", Text: fit(n, left-16)})
	}
	most := 1
	for _, c := range cells {
		most = max(most, c.N)
	}
	atRow, atColumn := place(rowNames), place(columnNames)
	for _, c := range cells {
		i, ok := atRow[c.Row]
		j, also := atColumn[c.Column]
		if !ok || !also {
			continue
		}
		x, y := left+float64(side*j), float64(top+names+high*i)
		d.Rects = append(d.Rects, Rect{
			X: x + 1, Y: y + 1, W: side - 2, H: high - 2, Opacity: 0.08 + 0.72*float64(max(c.N, 0))/float64(most),
			Tip: c.Row + ", " + c.Column + ": " + strconv.Itoa(c.N),
		})
		d.Texts = append(d.Texts, Text{X: x + side/2, Y: y + 19, Anchor: "middle", Text: strconv.Itoa(c.N)})
	}
	return d
}
