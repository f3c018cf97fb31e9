package ranking

// connected reports whether each model can be reached from each other by steps
// from one that won or tied to the one it met: then, and only then, strengths
// have a maximum (L. R. Ford, "Solution of a ranking problem from binary
// comparisons", American Mathematical Monthly 64, 1957).
func connected(models int, cells []Comparison) bool {
	forth, back := make([][]int, models), make([][]int, models)
	link := func(winner, loser int) {
		forth[winner] = append(forth[winner], loser)
		back[loser] = append(back[loser], winner)
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
	return models > 1 && reached(forth) == models && reached(back) == models
}

// reached counts the models that are reached from the first.
func reached(next [][]int) int {
	seen, queue := make([]bool, len(next)), []int{0}
	seen[0] = true
	for n := 0; n < len(queue); n++ {
		for _, k := range next[queue[n]] {
			if !seen[k] {
				seen[k] = true
				queue = append(queue, k)
			}
		}
	}
	return len(queue)
}

// Apart are the models of each part of a tournament whose strengths cannot be
// compared: within a part each won or tied against each other, by way of
// others. One part is all of them.
func Apart(models int, cells []Comparison) [][]int {
	wins := make([][]bool, models)
	for i := range wins {
		wins[i] = make([]bool, models)
		wins[i][i] = true
	}
	for i := range cells {
		c := &cells[i]
		wins[c.First][c.Second] = wins[c.First][c.Second] || c.Won+c.Tied > 0
		wins[c.Second][c.First] = wins[c.Second][c.First] || c.Lost+c.Tied > 0
	}
	for k := range models {
		for i := range models {
			for j := range models {
				wins[i][j] = wins[i][j] || wins[i][k] && wins[k][j]
			}
		}
	}
	var out [][]int
	placed := make([]bool, models)
	for i := range models {
		if placed[i] {
			continue
		}
		var part []int
		for j := range models {
			if wins[i][j] && wins[j][i] {
				part, placed[j] = append(part, j), true
			}
		}
		out = append(out, part)
	}
	return out
}
