package ranking

// wins is who won or tied against whom, by model, and the same the other way
// round.
type wins struct{ over, under [][]int }

func winsOf(models int, cells []Comparison) *wins {
	w := &wins{make([][]int, models), make([][]int, models)}
	link := func(winner, loser int) {
		w.over[winner] = append(w.over[winner], loser)
		w.under[loser] = append(w.under[loser], winner)
	}
	for i := range cells {
		c := &cells[i]
		if c.Won > 0 || c.Tied > 0 {
			link(c.First, c.Second)
		}
		if c.Lost > 0 || c.Tied > 0 {
			link(c.Second, c.First)
		}
	}
	return w
}

// part are the models that reach one by such steps, and that it reaches.
func (w *wins) part(of int) []int {
	above, below := reached(w.under, of), reached(w.over, of)
	var out []int
	for i := range above {
		if above[i] && below[i] {
			out = append(out, i)
		}
	}
	return out
}

// reached are the models that one reaches, itself among them.
func reached(next [][]int, from int) []bool {
	seen, queue := make([]bool, len(next)), []int{from}
	seen[from] = true
	for n := 0; n < len(queue); n++ {
		for _, k := range next[queue[n]] {
			if !seen[k] {
				seen[k] = true
				queue = append(queue, k)
			}
		}
	}
	return seen
}

// connected reports whether each model can be reached from each other by steps
// from one that won or tied to the one it met: then, and only then, strengths
// have a maximum (L. R. Ford, "Solution of a ranking problem from binary
// comparisons", American Mathematical Monthly 64, 1957).
func connected(models int, cells []Comparison) bool {
	return models > 1 && len(winsOf(models, cells).part(0)) == models
}

// Apart are the models of each part of a tournament whose strengths cannot be
// compared: within a part each won or tied against each other, by way of
// others. One part is all of them.
func Apart(models int, cells []Comparison) [][]int {
	w := winsOf(models, cells)
	var out [][]int
	placed := make([]bool, models)
	for i := range models {
		if placed[i] {
			continue
		}
		part := w.part(i)
		for _, j := range part {
			placed[j] = true
		}
		out = append(out, part)
	}
	return out
}
