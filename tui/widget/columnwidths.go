package widget

// shareWidths widens columns of names that would be cut by the cells that the rows
// shown leave empty in the others. While nothing would be cut every column stays
// where it is, so that a list does not move while it is scrolled.
func (tb *Table) shareWidths(widths []int, rows [][]string) {
	var lack []int
	for i, c := range tb.Columns {
		if !c.Name || widths[i] == 0 {
			continue
		}
		if n := widest(rows, i) - widths[i]; n > 0 {
			if lack == nil {
				lack = make([]int, len(widths))
			}
			lack[i] = n
		}
	}
	if lack == nil {
		return
	}
	spare := make([]int, len(widths))
	for i, c := range tb.Columns {
		if widths[i] > 0 && lack[i] == 0 {
			spare[i] = max(0, widths[i]-max(Width(c.Title), widest(rows, i)))
		}
	}
	for to := range lack {
		for from := largest(spare); lack[to] > 0 && spare[from] > 0; from = largest(spare) {
			widths[to]++
			widths[from]--
			lack[to]--
			spare[from]--
		}
	}
}

// widest gives the width in cells of the widest entry of a column.
func widest(rows [][]string, column int) int {
	n := 0
	for _, cells := range rows {
		if column < len(cells) {
			n = max(n, Width(cells[column]))
		}
	}
	return n
}

// largest gives the index of the largest number.
func largest(numbers []int) int {
	at := 0
	for i, n := range numbers {
		if n > numbers[at] {
			at = i
		}
	}
	return at
}
